/** Spans made with the OpenTelemetry API, with the attributes of its MCP, GenAI and HTTP conventions. */
import * as api from '@opentelemetry/api';
import { membersOf } from '../../lib/json.ts';
import { keyOf, type TraceHeaders, traceHeaders } from './trace-headers.ts';
import type { AttemptRecord, AttemptStart, CallRecord, CallStart, Observer } from './types.ts';

/** Makes spans with the registered SDK. */
export function createSpans(transport: 'pipe' | 'tcp'): Observer {
  const tracer = api.trace.getTracer('usage-billing-mcp');
  const calls = new Map<string, { context: api.Context; span: api.Span }>();
  const requests = new Map<number, api.Span>();
  return {
    upstreamHeaders(attempt) {
      const call = calls.get(keyOf(attempt));
      if (!call) return undefined;
      const options = { kind: api.SpanKind.CLIENT, attributes: requestAttributes(attempt) };
      const request = tracer.startSpan(attempt.method, options, call.context);
      requests.set(attempt.id, request);
      const headers: TraceHeaders = {};
      api.propagation.inject(api.trace.setSpan(call.context, request), headers);
      return headers;
    },
    attemptEnded(record) {
      const request = requests.get(record.id);
      requests.delete(record.id);
      if (request) endRequest(request, record);
    },
    callEnded(record) {
      const key = keyOf(record);
      const call = calls.get(key);
      calls.delete(key);
      if (call) endCall(call.span, record);
    },
    around(call, run) {
      const { context, links } = parentOf(call.meta);
      const attributes = { ...callAttributes(call), 'network.transport': transport };
      const options = { kind: api.SpanKind.SERVER, attributes, links };
      const span = tracer.startSpan(`tools/call ${call.tool}`, options, context);
      const started = { context: api.trace.setSpan(context, span), span };
      // A client that uses one id twice at the same time must not leave a span open for ever.
      calls.get(keyOf(call))?.span.end();
      calls.set(keyOf(call), started);
      // `callEnded` ends the span.
      return api.context.with(started.context, run);
    },
  };
}

/** The parent is the trace in `_meta`, with a link to the active (HTTP server) span; without one, the active span. */
function parentOf(meta: unknown): { context: api.Context; links: api.Link[] } {
  const ambient = api.context.active();
  const headers = traceHeaders(meta);
  if (!headers) return { context: ambient, links: [] };
  const active = api.trace.getSpanContext(ambient);
  return { context: api.propagation.extract(ambient, headers), links: active ? [{ context: active }] : [] };
}

const versionInMeta = 'io.modelcontextprotocol/protocolVersion';

function callAttributes({ tool, requestId, rpcId, meta }: CallStart): api.Attributes {
  const version = membersOf<typeof versionInMeta>(meta)[versionInMeta];
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.type': 'function',
    'billing.request_id': requestId,
    ...(rpcId !== undefined && { 'jsonrpc.request.id': String(rpcId).slice(0, 100) }),
    ...(typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && { 'mcp.protocol.version': version }),
  };
}

/** The address without path and query, because these name customers. */
function requestAttributes({ tool, method, origin, attempt }: AttemptStart): api.Attributes {
  const { protocol, hostname, port } = new URL(origin);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    'url.scheme': protocol.slice(0, -1),
    'gen_ai.tool.name': tool,
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
  };
}

function endRequest(span: api.Span, record: AttemptRecord): void {
  if (record.status !== null) span.setAttribute('http.response.status_code', record.status);
  if (record.status === null || record.status >= 400) {
    span.setAttribute('error.type', record.status === null ? 'no_answer' : String(record.status));
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}

const failed: ReadonlySet<CallRecord['outcome']> = new Set(['error', 'refused', 'declined']);

function endCall(span: api.Span, record: CallRecord): void {
  span.setAttribute('billing.outcome', record.outcome);
  if (record.confirmedBy) span.setAttribute('billing.confirmed_by', record.confirmedBy);
  if (failed.has(record.outcome)) {
    // The conventions' value for a result with `isError`; another attribute names the error.
    span.setAttribute('error.type', 'tool_error');
    if (record.code !== null) span.setAttribute('billing.error_code', record.code);
    span.setStatus({ code: api.SpanStatusCode.ERROR });
  }
  span.end();
}
