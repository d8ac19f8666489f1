/**
 * Revisions of the protocol. The older ones open a connection with `initialize`, and a question is a request to the client,
 * during the call that needs the answer. In the newer one each request names its revision, and a question is a result that a
 * further call answers.
 */
import {
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import type { Reply } from '../../definition/asking.ts';
import { CONFIRMATION_TTL_MS } from '../../definition/asking.ts';
import { membersOf } from '../../lib/json.ts';
import { cutText } from '../../lib/text.ts';

/** The SDK serves this revision but exports no constant for it; a test compares the two. */
const newerRevision = '2026-07-28';

/** Clients of earlier revisions refuse a result with a link; it is in the answer's text, too. */
const firstWithLinks = '2025-06-18';

export function takesLinks(revision: string = firstWithLinks): boolean {
  return revision >= firstWithLinks;
}

/** Every list here has one page, so that a cursor is none that was given out (-32602). */
export function refuseCursor(params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor)
    throw invalidParams(`Unknown cursor: ${cutText(params.cursor, 100)}. Send the request without a cursor.`);
}

/** The error -32602 of the protocol. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** True for the newer revision and all later ones. */
export function isNewer(revision: string | undefined): boolean {
  return revision !== undefined && revision >= newerRevision;
}

/** The answer to a request that names a revision which is not served; undefined for any other message. */
export function revisionRefusal(message: unknown): JSONRPCErrorResponse | undefined {
  const { _meta: meta } = membersOf<'_meta'>(membersOf<'params'>(message).params);
  const requested = membersOf<typeof PROTOCOL_VERSION_META_KEY>(meta)[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || requested === newerRevision || !isJSONRPCRequest(message)) return undefined;
  const error = new UnsupportedProtocolVersionError({ supported: [newerRevision], requested });
  return { jsonrpc: '2.0', id: message.id, error: { code: error.code, message: error.message, data: error.data } };
}

/**
 * Asks during the call that needs the answer. Goes on asking when that call is cancelled, because a user may answer all
 * the same, and then it is on record. Rejects only when the client of a cancelled call is gone.
 */
export async function askOlder(
  ctx: ServerContext,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
): Promise<Reply> {
  const { signal } = ctx.mcpReq;
  try {
    const options = { timeout: CONFIRMATION_TTL_MS };
    const { action, content } = await ctx.mcpReq.send({ method: 'elicitation/create', params }, options);
    return content ? { action, content } : { action };
  } catch (error) {
    if (signal.aborted) throw error;
    return unanswered(reasonOf(error));
  }
}

/**
 * Returns the message, but replaces a malformed reply (`result: null`, an error without a code) by an empty one:
 * otherwise no one would take it, and its question would wait for ten minutes.
 */
export function withReadableReply(message: unknown): unknown {
  const { id, method } = membersOf<'id' | 'method'>(message);
  const isReply = method === undefined && (typeof id === 'string' || typeof id === 'number');
  return !isReply || isJSONRPCResponse(message) ? message : { jsonrpc: '2.0', id, result: {} };
}

export function unanswered(reason: string, late?: true): Reply {
  return { action: 'unanswered', reason, ...(late && { late }) };
}

/** Never the client's own words: the assistant must not read them. */
function reasonOf(error: unknown): string {
  if (error instanceof ProtocolError) {
    return error.code === ProtocolErrorCode.MethodNotFound
      ? 'it does not support this prompt (error -32601)'
      : `it returned error ${Number(error.code)}`;
  }
  const code = error instanceof SdkError ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return 'no answer arrived within ten minutes';
  if (code === SdkErrorCode.InvalidResult) return 'its answer is not accept, decline or cancel';
  return 'the question could not be delivered';
}
