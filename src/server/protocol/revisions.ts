/**
 * Revisions of the protocol. The older ones open a connection with `initialize`. In the newer one each request names
 * its revision, and a question is a result that a further call answers.
 */

import {
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { cutText } from '../../lib/cut-text.ts';
import { membersOf } from '../../lib/json.ts';

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
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown cursor: ${cutText(params.cursor, 100)}. Send the request without a cursor.`,
    );
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
