/**
 * Traces by OpenTelemetry's API: a span for each tool call, a client span for each request to the billing API, and the
 * caller's `traceparent` passed on. Without an SDK registered in the process nothing is loaded and no span exists; a
 * `traceparent` that came in is still handed upstream as it is.
 */
import type { Observer } from '../runtime.ts';

export type TraceHeaders = Record<string, string>;

/** Where the OpenTelemetry API keeps what an SDK registered, for every copy of the API in the process. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Has an SDK registered itself, as `node --import …/register` does before the program starts? */
export function hasTracingSdk(): boolean {
  const registered = (globalThis as Record<symbol, { trace?: unknown } | undefined>)[registry];
  return registered?.trace !== undefined;
}

/**
 * The watcher that makes spans, or one that only passes `traceparent` on when there is no SDK to make them for.
 * `transport` is what the protocol runs over: `pipe` (stdio) or `tcp` (HTTP).
 */
export async function createTracing(transport: 'pipe' | 'tcp'): Promise<Observer> {
  if (!hasTracingSdk()) return passingOn();
  const { createSpans } = await import('./spans.ts');
  return createSpans(transport);
}

/** `traceparent` and `tracestate` of a request, from its `_meta`; undefined when absent or not in W3C's form. */
export function traceHeaders(meta: unknown): TraceHeaders | undefined {
  if (!meta || typeof meta !== 'object') return undefined;
  const { traceparent, tracestate } = meta as Record<string, unknown>;
  if (typeof traceparent !== 'string' || !/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) {
    return undefined;
  }
  const headers: TraceHeaders = { traceparent };
  if (typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate)) headers.tracestate = tracestate;
  return headers;
}

function passingOn(): Observer {
  const running = new Map<string, TraceHeaders>();
  return {
    upstreamHeaders: attempt => (running.size === 0 ? undefined : running.get(keyOf(attempt))),
    around(call, run) {
      const headers = traceHeaders(call.meta);
      if (!headers) return run();
      const key = keyOf(call);
      running.set(key, headers);
      return run().finally(() => {
        // A later call with the same id has taken the place over.
        if (running.get(key) === headers) running.delete(key);
      });
    },
  };
}

/** Clients may choose request ids: that of one caller must not lead to the trace of another. */
export function keyOf({ caller, requestId }: { caller: string; requestId: string }): string {
  return `${caller}\0${requestId}`;
}
