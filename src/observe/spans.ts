/** Spans by the OpenTelemetry API, with the attributes of its MCP, GenAI and HTTP conventions. */
import * as api from '@opentelemetry/api';
import type { AttemptRecord, CallRecord, Observer } from '../runtime.ts';
import { type TraceHeaders, traceHeaders } from './trace.ts';

interface Running {
  tool: string;
  context: api.Context;
  span: api.Span;
  /** Requests to the billing API that are under way, in the order they were sent. */
  requests: api.Span[];
}

/** Makes the spans with what the SDK registered. */
export function createSpans(): Observer {
  const tracer = api.trace.getTracer('usage-billing-mcp');
  const running = new Map<string, Running>();

  const upstreamHeaders = (requestId: string): TraceHeaders | undefined => {
    const call = running.get(requestId);
    if (!call) return undefined;
    const request = tracer.startSpan(`billing API ${call.tool}`, { kind: api.SpanKind.CLIENT }, call.context);
    call.requests.push(request);
    const headers: TraceHeaders = {};
    api.propagation.inject(api.trace.setSpan(call.context, request), headers);
    return headers;
  };

  return {
    upstreamHeaders,
    attemptEnded(record) {
      const request = running.get(record.requestId)?.requests.shift();
      if (request) endRequest(request, record);
    },
    callEnded(record) {
      const call = running.get(record.requestId);
      running.delete(record.requestId);
      if (call) endCall(call.span, record);
    },
    around(call, run) {
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
      // A client that uses an id twice at a time must not leave a span open for ever.
      running.get(call.requestId)?.span.end();
      running.set(call.requestId, { tool: call.tool, context, span, requests: [] });
      // The span ends with the report of how the call came out, which follows.
      return api.context.with(context, run);
    },
  };
}

function endRequest(span: api.Span, record: AttemptRecord): void {
  span.setAttribute('http.request.method', record.method);
  if (record.attempt > 1) span.setAttribute('http.request.resend_count', record.attempt - 1);
  if (record.status !== null) span.setAttribute('http.response.status_code', record.status);
  if (record.status === null || record.status >= 400) {
    span.setAttribute('error.type', record.status === null ? 'no_answer' : String(record.status));
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}

function endCall(span: api.Span, record: CallRecord): void {
  span.setAttribute('billing.outcome', record.outcome);
  if (record.outcome === 'error' || record.outcome === 'refused') {
    span.setAttribute('error.type', record.code ?? 'tool_error');
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}
