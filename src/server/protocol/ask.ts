/** Questions to the person through a client of the older protocol, and why one could not be asked. */
import {
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  isJSONRPCResponse,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { CONFIRMATION_TTL_MS } from '../../calls/change/ask/question-lifetime.ts';
import type { Reply } from '../../definition/asking.ts';
import { membersOf } from '../../lib/json.ts';

/**
 * Asks during the call that needs the answer. Goes on asking when that call is cancelled, because a person may answer all
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
 * otherwise nobody would take it, and its question would wait for ten minutes.
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
      ? 'it does not know the question (error -32601)'
      : `it answered with error ${Number(error.code)}`;
  }
  const code = error instanceof SdkError ? error.code : undefined;
  if (code === SdkErrorCode.RequestTimeout) return 'no answer came within ten minutes';
  if (code === SdkErrorCode.InvalidResult) return 'its answer holds none of accept, decline and cancel';
  return 'the question could not be delivered';
}
