/**
 * Traces by OpenTelemetry's API: a span for each tool call, a client span for each request to the billing API, and the
 * caller's `traceparent` passed on. Without an SDK registered in the process nothing is loaded and no span exists; a
 * `traceparent` that came in is still handed upstream as it is.
 */
import type { Context, Span } from '@opentelemetry/api';
import type { AttemptRecord, CallRecord, Observer } from '../runtime.ts';

type Api = typeof import('@opentelemetry/api');
type Headers = Record<string, string>;

/** Where the OpenTelemetry API keeps what an SDK registered, for every copy of the API in the process. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** Has an SDK registered itself, as `node --import …/register` does before the program starts? */
export function hasTracingSdk(): boolean {
  const registered = (globalThis as Record<symbol, { trace?: unknown } | undefined>)[registry];
  return registered?.trace !== undefined;
}

/** The watcher that makes spans, or one that only passes `traceparent` on when there is no SDK to make them for. */
export async function createTracing(endpoint?: { address: string; port: number }): Promise<Observer> {
  return hasTracingSdk() ? spans(await import('@opentelemetry/api'), endpoint) : passingOn();
}

/** `traceparent` and `tracestate` of a request, from its `_meta`; undefined when absent or not in W3C's form. */
export function traceHeaders(meta: unknown): Headers | undefined {
  if (!meta || typeof meta !== 'object') return undefined;
  const { traceparent, tracestate } = meta as Record<string, unknown>;
  if (typeof traceparent !== 'string' || !/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent)) {
    return undefined;
  }
  const headers: Headers = { traceparent };
  if (typeof tracestate === 'string' && /^[\x20-\x7e]{1,512}$/.test(tracestate)) headers.tracestate = tracestate;
  return headers;
}

function passingOn(): Observer {
  const running = new Map<string, Headers>();
  return {
    upstreamHeaders: requestId => running.get(requestId),
    around(call, run) {
      const headers = traceHeaders(call.meta);
      if (!headers) return run();
      running.set(call.requestId, headers);
      return run().finally(() => running.delete(call.requestId));
    },
  };
}

interface Running {
  tool: string;
  context: Context;
  span: Span;
  /** The request to the billing API that is under way. */
  request?: Span;
}

function spans(api: Api, endpoint?: { address: string; port: number }): Observer {
  const tracer = api.trace.getTracer('usage-billing-mcp');
  const running = new Map<string, Running>();

  const upstreamHeaders = (requestId: string): Headers | undefined => {
    const call = running.get(requestId);
    if (!call) return undefined;
    const attributes = endpoint && { 'server.address': endpoint.address, 'server.port': endpoint.port };
    call.request = tracer.startSpan(
      `billing API ${call.tool}`,
      { kind: api.SpanKind.CLIENT, ...(attributes && { attributes }) },
      call.context,
    );
    const headers: Headers = {};
    api.propagation.inject(api.trace.setSpan(call.context, call.request), headers);
    return headers;
  };

  return {
    upstreamHeaders,
    attemptEnded(record) {
      const call = running.get(record.requestId);
      if (call?.request) endRequest(api, call.request, record);
      if (call) delete call.request;
    },
    callEnded: record => endCall(api, running.get(record.requestId)?.span, record),
    async around(call, run) {
      const parent = api.propagation.extract(api.context.active(), traceHeaders(call.meta) ?? {});
      const attributes = {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': call.tool,
        'gen_ai.tool.type': 'function',
        'billing.request_id': call.requestId,
      };
      const span = tracer.startSpan(`tools/call ${call.tool}`, { kind: api.SpanKind.SERVER, attributes }, parent);
      const context = api.trace.setSpan(parent, span);
      running.set(call.requestId, { tool: call.tool, context, span });
      try {
        return await api.context.with(context, run);
      } catch (error) {
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        throw error;
      } finally {
        running.get(call.requestId)?.request?.end();
        running.delete(call.requestId);
        span.end();
      }
    },
  };
}

function endRequest(api: Api, span: Span, record: AttemptRecord): void {
  span.setAttribute('http.request.method', record.method);
  if (record.attempt > 1) span.setAttribute('http.request.resend_count', record.attempt - 1);
  if (record.status !== null) span.setAttribute('http.response.status_code', record.status);
  if (record.status === null || record.status >= 400) {
    span.setAttribute('error.type', record.status === null ? 'no_answer' : String(record.status));
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}

function endCall(api: Api, span: Span | undefined, record: CallRecord): void {
  span?.setAttribute('billing.outcome', record.outcome);
  if (record.outcome !== 'error' && record.outcome !== 'refused') return;
  span?.setAttribute('error.type', record.code ?? 'tool_error');
  span?.setStatus({ code: api.SpanStatusCode.ERROR });
}
