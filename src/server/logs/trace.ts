/**
 * Traces with the OpenTelemetry API: a span for each tool call, a client span for each request to the billing API, and
 * the caller's `traceparent` passed on. Without an SDK registered in the process, nothing is loaded and no span is
 * made; an incoming `traceparent` is still passed on unchanged.
 */
import { keyOf, type TraceHeaders, traceHeaders } from './trace-headers.ts';
import type { Observer } from './types.ts';

/** Where the OpenTelemetry API stores a registered SDK, for every copy of the API in the process. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Has an SDK been registered, as `node --import …/register` does before the program starts? */
export function hasTracingSdk(): boolean {
  const registered = (globalThis as Record<symbol, { trace?: unknown } | undefined>)[registry];
  return registered?.trace !== undefined;
}

/**
 * The observer that makes spans; without an SDK, one that only passes `traceparent` on. `transport` carries the
 * protocol: `pipe` (stdio) or `tcp` (HTTP).
 */
export async function createTracing(transport: 'pipe' | 'tcp'): Promise<Observer> {
  if (!hasTracingSdk()) return forwardTraceparent();
  const { createSpans } = await import('./spans.ts');
  return createSpans(transport);
}

function forwardTraceparent(): Observer {
  const headersByCall = new Map<string, TraceHeaders>();
  return {
    upstreamHeaders: attempt => (headersByCall.size === 0 ? undefined : headersByCall.get(keyOf(attempt))),
    around(call, run) {
      const headers = traceHeaders(call.meta);
      if (!headers) return run();
      const key = keyOf(call);
      headersByCall.set(key, headers);
      return run().finally(() => {
        // A later call may use the same id.
        if (headersByCall.get(key) === headers) headersByCall.delete(key);
      });
    },
  };
}
