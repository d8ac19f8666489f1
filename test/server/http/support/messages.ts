/** Messages of both eras as they travel, and calls with everything a tool may answer with. */
import { type HttpReply, read } from './tiny.ts';

export interface CallOptions {
  headers?: Record<string, string>;
  /** Capabilities of a modern client; `{ elicitation: {} }` can be asked. */
  capabilities?: object;
  /** The answer to a question, with the state that came with it. */
  answered?: { state: string; action: 'accept' | 'decline' };
  signal?: AbortSignal;
  /** What `_meta` holds besides. */
  meta?: object;
}

// biome-ignore lint/suspicious/noExplicitAny: results are read field by field
export type Called = HttpReply & { result: any };

/** Calls a tool in the stateless protocol (2026-07-28). */
export async function callModern(url: string, name: string, args: object, options: CallOptions = {}): Promise<Called> {
  const { answered } = options;
  const params = {
    name,
    arguments: args,
    ...(answered && {
      inputResponses: { confirm: { action: answered.action, content: { answer: 'yes' } } },
      requestState: answered.state,
    }),
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': options.capabilities ?? {},
      ...options.meta,
    },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  return post(url, params, options, headers);
}

/** Calls a tool in the older protocol (2025-11-25), without a session. */
export function callLegacy(url: string, name: string, args: object, options: CallOptions = {}): Promise<Called> {
  return post(url, { name, arguments: args }, options, { 'mcp-protocol-version': '2025-11-25' });
}

/** The first message of a client of the older protocol. */
export const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'older', version: '1' } },
};

/** A request for the codes of all plans that the caller may see. */
export const planCodes = {
  ref: { type: 'ref/resource', uri: 'billing://plans/{code}' },
  argument: { name: 'code', value: '' },
};

/** Any request of the older protocol, without a session. */
export function requestLegacy(url: string, method: string, params: object, options: CallOptions = {}): Promise<Called> {
  return post(url, params, options, { 'mcp-protocol-version': '2025-11-25' }, method);
}

async function post(
  url: string,
  params: object,
  options: CallOptions,
  headers: Record<string, string>,
  method = 'tools/call',
): Promise<Called> {
  const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...types, ...headers, ...options.headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: withMeta(params, options) }),
    ...(options.signal && { signal: options.signal }),
  });
  const answer = await read(response);
  return { ...answer, result: answer.body?.result };
}

function withMeta(params: object, { meta }: CallOptions): object {
  return meta === undefined || '_meta' in params ? params : { ...params, _meta: meta };
}
