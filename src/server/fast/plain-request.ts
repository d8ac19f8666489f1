/** Plain requests: those that are answered without the SDK. It handles every message that differs from them in anything. */
import { isObject, membersOf } from '../../lib/json.ts';

export interface PlainRequest {
  id: string | number;
  params?: unknown;
}

const requestKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** A well-formed request of this method; its `params` are not looked at. */
export function isPlainRequest(message: unknown, method: string): message is PlainRequest {
  const { id, jsonrpc, method: sentMethod } = membersOf<'id' | 'jsonrpc' | 'method'>(message);
  if (!isObject(message) || sentMethod !== method || jsonrpc !== '2.0') return false;
  for (const key in message) if (!requestKeys.has(key)) return false;
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** A request for the first page of the list of tools. Plain clients send no parameters, or empty ones. */
export function isPlainList(message: unknown): message is PlainRequest {
  if (!isPlainRequest(message, 'tools/list')) return false;
  const { params = {} } = message;
  return isObject(params) && Object.keys(params).length === 0;
}
