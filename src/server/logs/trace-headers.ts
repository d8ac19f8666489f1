/** The caller's trace, as it arrives with a request and is passed on with another. */
import { membersOf } from '../../lib/json.ts';

export type TraceHeaders = Record<string, string>;

/** `traceparent` and `tracestate` from a request's `_meta`; undefined when absent or not in W3C's form. */
export function traceHeaders(meta: unknown): TraceHeaders | undefined {
  const { traceparent, tracestate } = membersOf<'traceparent' | 'tracestate'>(meta);
  if (typeof traceparent !== 'string' || !/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) {
    return undefined;
  }
  const headers: TraceHeaders = { traceparent };
  if (typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate)) headers.tracestate = tracestate;
  return headers;
}

/** Clients may choose request ids: one caller's id must not lead to another caller's trace. */
export function keyOf({ caller, requestId }: { caller: string; requestId: string }): string {
  return `${caller}\0${requestId}`;
}
