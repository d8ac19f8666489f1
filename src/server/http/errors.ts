/** Sends every refusal of the HTTP side as a JSON-RPC error, without stack or internal details. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../definition/failure.ts';
import type { Refusal } from './credentials.ts';

export interface RpcError {
  jsonrpc: '2.0';
  id: string | number | null;
  /** `data.code` is one of the codes that docs/errors.md explains. */
  error: { code: number; message: string; data?: { code: ErrorCode } };
}

/** JSON-RPC's own codes, and one for all other refusals. */
export const rpcCodes = { parse: -32700, invalidRequest: -32600, internal: -32603, refused: -32000 } as const;

/** The body of a refusal; `id` is null where the request was not read. */
export function rpcError(code: number, message: string, id: RpcError['id'] = null): RpcError {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Sends a refusal. */
export function refuse(reply: FastifyReply, status: number, message: string, code: number = rpcCodes.refused) {
  return reply.code(status).send(rpcError(code, message));
}

/** Sends why a request was not admitted, with its challenge and its code. */
export function refuseAdmission(reply: FastifyReply, { status, message, challenge, code }: Refusal) {
  if (challenge) reply.header('www-authenticate', challenge);
  const body = rpcError(rpcCodes.refused, message);
  return reply.code(status).send(code ? { ...body, error: { ...body.error, data: { code } } } : body);
}

/** Handles unknown addresses, unreadable bodies and failures of our own. */
export function registerErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    if (request.url.split('?')[0] !== '/mcp') return refuse(reply, 404, 'Not found: the endpoint is POST /mcp');
    return refuse(reply.header('allow', 'POST'), 405, 'Method not allowed: send POST');
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') await drain(request.raw);
    const known = knownErrors[error.code];
    if (known) return refuse(reply, known.status, known.message, known.rpc);
    const status = error.statusCode ?? 500;
    if (status === 429) return refuse(reply, status, error.message);
    if (status >= 400 && status < 500) return refuse(reply, status, error.message, rpcCodes.invalidRequest);
    request.log.error({ err: error.message, code: error.code }, 'request failed');
    return refuse(reply, status === 503 ? 503 : 500, 'Internal error', rpcCodes.internal);
  });
}

const badJson = { status: 400, message: 'Parse error: the body is not valid JSON', rpc: rpcCodes.parse };

const knownErrors: Record<string, { status: number; message: string; rpc?: number }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: badJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: { ...badJson, message: 'Parse error: the body is empty' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    ...badJson,
    message: 'Parse error: the length of the body differs from Content-Length',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The body is larger than this server accepts' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json' },
};

/** So much of a body that is too large is read, and thrown away. */
const mostDrained = 32 * 1024 * 1024;

/**
 * Reads the rest of a refused body, so that the client can finish sending it and read the answer: closing before would reset
 * the connection (RFC 9112 §9.6). The request's own time limit bounds it.
 */
function drain(body: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    let read = 0;
    body.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > mostDrained) resolve();
    });
    for (const end of ['end', 'close', 'error']) body.once(end, () => resolve());
    if (body.complete && body.readableEnded) resolve();
    body.resume();
  });
}

/** Handles addresses that cannot be parsed, which do not reach the handlers above. */
export function answerBadAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void refuse(reply, 400, 'The request address cannot be parsed', rpcCodes.invalidRequest);
}

/** Handles what Node's parser refuses before a request exists: too slow, headers too large, not HTTP. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, message] =
    brokenRequests[error.code ?? ''] ?? (['400 Bad Request', 'Not a valid HTTP request'] as const);
  const body = JSON.stringify(rpcError(rpcCodes.refused, message));
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body);
}

const brokenRequests: Record<string, readonly [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than this server accepts'],
};
