/**
 * Traces by OpenTelemetry's API: a span for each tool call, a client span for each request to the billing API, and the
 * caller's `traceparent` passed on. Without an SDK registered in the process nothing is loaded and no span exists; a
 * `traceparent` that came in is still handed upstream as it is.
 */
import { keyOf, type TraceHeaders, traceHeaders } from './trace-headers.ts';
import type { Observer } from './types.ts';

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
