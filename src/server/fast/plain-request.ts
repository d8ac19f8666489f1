/** Plain requests: those that are answered without the SDK. It handles every message that differs from them in anything. */
import { isRecord, type JsonRecord } from '../../lib/json.ts';

export interface PlainRequest extends JsonRecord {
  id: string | number;
}

/** The keys of a request. */
const requestKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** A well-formed request of this method; its `params` are not looked at. */
export function isPlainRequest(message: unknown, method: string): message is PlainRequest {
  if (!isRecord(message) || message.method !== method || message.jsonrpc !== '2.0') return false;
  for (const key in message) if (!requestKeys.has(key)) return false;
  return typeof message.id === 'string' || Number.isSafeInteger(message.id);
}

/** A request for the first page of the list of tools. Plain clients send no parameters, or empty ones. */
export function isPlainList(message: unknown): message is PlainRequest {
  if (!isPlainRequest(message, 'tools/list')) return false;
  const { params = {} } = message;
  return isRecord(params) && Object.keys(params).length === 0;
}
