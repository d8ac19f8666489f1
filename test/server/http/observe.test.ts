import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, propagation, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createLog, logCalls } from '../../../src/server/logs/log.ts';
import { createMetrics } from '../../../src/server/logs/metrics.ts';
import { combine } from '../../../src/server/logs/observers.ts';
import { createTracing, hasTracingSdk } from '../../../src/server/logs/trace.ts';
import type { AttemptStart, CallRecord, Observer } from '../../../src/server/logs/types.ts';
import { serviceError } from '../../support/service-error.ts';

const record: CallRecord = {
  tool: 'list_plans',
  caller: 'key_abc',
  requestId: 'req-1',
  outcome: 'ok',
  code: null,
  durationMs: 12.34,
  attempts: 1,
};
const start: AttemptStart = {
  ...{ id: 1, tool: 'list_plans', caller: 'key_abc', requestId: 'req-1', method: 'GET', attempt: 1 },
  origin: 'https://billing.example.com',
};
const attempt = { ...start, status: 200, durationMs: 10 };
const incoming = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' };
const call = (meta: unknown, caller = 'key_abc') => ({
  ...{ tool: 'list_plans', caller, requestId: 'req-1', rpcId: 7, meta },
});

describe('the log', () => {
  const logged = (write: (log: ReturnType<typeof createLog>) => void) => {
    const lines: string[] = [];
    write(createLog('info', { write: line => void lines.push(line) }));
    return lines.map(line => JSON.parse(line));
  };

  it('has one line a call, with the request id', () => {
    const [line, ...more] = logged(log => logCalls(log).callEnded!(record));
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      ...{ level: 'info', msg: 'call', tool: 'list_plans', caller: 'key_abc', request_id: 'req-1' },
      ...{ outcome: 'ok', duration_ms: 12.3, attempts: 1 },
    });
  });

  it('warns of a failure and names its code', () => {
    const [line] = logged(log => logCalls(log).callEnded!({ ...record, outcome: 'error', code: 'timeout' }));
    expect(line).toMatchObject({ level: 'warn', code: 'timeout' });
  });

  it('hides secrets in any place', () => {
    const headers = { authorization: 'Bearer SECRET', 'x-billing-api-key': 'SECRET' };
    const lines = logged(log => log.info({ apiKey: 'SECRET', headers, deep: { caller: { token: 'SECRET' } } }, 'x'));
    expect(JSON.stringify(lines)).not.toContain('SECRET');
    expect(lines[0].headers.authorization).toBe('[redacted]');
  });
});

describe('the metrics', () => {
  it('count calls, errors, retries and questions with bounded labels', async () => {
    const { observer, registry } = createMetrics(['list_plans']);
    observer.callEnded!(record);
    const failed = (code: string, tool = record.tool) =>
      observer.callEnded!({ ...record, tool, outcome: 'error', code: serviceError(code).code });
    failed('made_up_by_a_service', 'made_up_by_a_client');
    failed('customer_not_found');
    observer.callEnded!({ ...record, outcome: 'asked' });
    observer.callEnded!({ ...record, confirmedBy: 'person' });
    observer.heard!('form', 'declined_at_once');
    observer.attemptEnded!(attempt);
    observer.attemptEnded!({ ...attempt, attempt: 2, status: null });
    const text = await registry.metrics();
    for (const line of [
      'tool_calls_total{tool="list_plans",outcome="ok"} 2',
      'tool_errors_total{tool="other",code="other"} 1',
      'tool_errors_total{tool="list_plans",code="not_found"} 1',
      'confirmations_total{event="asked",confirmed_by=""} 1',
      'confirmations_total{event="done",confirmed_by="person"} 1',
      'answers_total{route="form",answer="declined_at_once"} 1',
      'upstream_retries_total{tool="list_plans"} 1',
      'upstream_seconds_count{tool="list_plans",status="none"} 1',
    ])
      expect(text).toContain(`billing_mcp_${line}`);
    expect(text).not.toContain('made_up');
  });
});

describe('several watchers', () => {
  it('all hear of a call, are wrapped in order, and add their headers', async () => {
    const heard: string[] = [];
    const watcher = (name: string): Observer => ({
      callEnded: () => void heard.push(`${name} ended`),
      heard: (route, answer) => void heard.push(`${name} ${route} ${answer}`),
      around: (_call, run) => {
        heard.push(`${name} before`);
        return run();
      },
      upstreamHeaders: () => ({ [name]: 'x' }),
    });
    const both = combine(watcher('a'), watcher('b'), {});
    expect(await both.around!(call(undefined), async () => 'done')).toBe('done');
    both.heard!('url', 'no');
    both.callEnded!(record);
    expect(heard).toEqual(['a before', 'b before', 'a url no', 'b url no', 'a ended', 'b ended']);
    expect(both.upstreamHeaders!(start)).toEqual({ a: 'x', b: 'x' });
    expect(combine({}).upstreamHeaders!(start)).toBeUndefined();
  });
});

describe('without a tracing SDK', () => {
  it('an incoming trace is passed on unchanged, during the call', async () => {
    expect(hasTracingSdk()).toBe(false);
    const tracing = await createTracing('tcp');
    const during = await tracing.around!(call(incoming), async () => tracing.upstreamHeaders!(start));
    expect(during).toEqual(incoming);
    expect(tracing.upstreamHeaders!(start)).toBeUndefined();
  });

  it('a trace never goes upstream with the request of another caller who uses the same request id', async () => {
    const tracing = await createTracing('tcp');
    const others = { ...start, caller: 'key_other' };
    await tracing.around!(call(incoming), async () => {
      expect(tracing.upstreamHeaders!(others)).toBeUndefined();
      await tracing.around!(call({}, 'key_other'), async () => {
        expect(tracing.upstreamHeaders!(others)).toBeUndefined();
      });
      expect(tracing.upstreamHeaders!(start)).toEqual(incoming);
    });
  });

  it.each([
    ['none', {}],
    ['one that is no trace', { traceparent: 'x\r\nauthorization: y' }],
    ['one that is no text', { traceparent: 7 }],
  ])('%s is passed on', async (_what, meta) => {
    const tracing = await createTracing('tcp');
    expect(await tracing.around!(call(meta), async () => tracing.upstreamHeaders!(start))).toBeUndefined();
  });
});

describe('with a tracing SDK', () => {
  afterEach(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });

  it('a call is a child span of the incoming one, and each request upstream a client span below the call', async () => {
    const ended = registerSdk();
    const tracing = await createTracing('tcp');
    let sent: Record<string, string> | undefined;
    await tracing.around!(call(incoming), async () => {
      sent = tracing.upstreamHeaders!(start);
      tracing.attemptEnded!({ ...attempt, status: 503 });
      tracing.upstreamHeaders!({ ...start, id: 2, attempt: 2 });
      tracing.attemptEnded!({ ...attempt, id: 2, attempt: 2 });
    });
    tracing.callEnded!(record);
    const [first, second, server] = ended;
    expect(server).toMatchObject({ name: 'tools/call list_plans', kind: 1, parent: 'b7ad6b7169203331' });
    expect(server!.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'list_plans',
      'network.transport': 'tcp',
      'jsonrpc.request.id': '7',
      'billing.outcome': 'ok',
    });
    expect(first).toMatchObject({ name: 'GET', kind: 2, parent: server!.id, status: 2 });
    expect(first!.attributes).toMatchObject({
      ...{ 'http.request.method': 'GET', 'error.type': '503', 'url.scheme': 'https' },
      ...{ 'server.address': 'billing.example.com', 'server.port': 443 },
    });
    expect(second!.attributes).toMatchObject({ 'http.response.status_code': 200, 'http.request.resend_count': 1 });
    expect(sent!.traceparent).toBe(`00-0af7651916cd43dd8448eb211c80319c-${first!.id}-01`);
    expect(ended).toHaveLength(3);
    // Nothing names a customer: no path, no query, no argument, no result.
    const names = ended.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter(name => /path|query|url\.full|argument|result/.test(name))).toEqual([]);
    expect(JSON.stringify(ended.map(({ attributes }) => attributes))).not.toMatch(/\/plans|\/api\/|\?page/);
  });

  it('an SDK with an older API is used too, because SDKs often lag behind', async () => {
    const ended = registerSdk();
    const everything = globalThis as unknown as Record<symbol, { version: string }>;
    const registered = everything[Symbol.for('opentelemetry.js.api.1')]!;
    const { version } = registered;
    onTestFinished(() => void Object.assign(registered, { version }));
    registered.version = '1.9.0';
    const tracing = await createTracing('tcp');
    await tracing.around!(call({}), async () => {});
    tracing.callEnded!(record);
    expect(ended.map(({ name }) => name)).toEqual(['tools/call list_plans']);
  });

  it('requests of one call at the same time are each their own span, and a failed call is a tool error', async () => {
    const ended = registerSdk();
    const tracing = await createTracing('tcp');
    const second = { ...start, id: 2, method: 'POST' };
    await tracing.around!(call({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }), async () => {
      tracing.upstreamHeaders!(start);
      tracing.upstreamHeaders!(second);
      tracing.attemptEnded!({ ...second, status: 422, durationMs: 1 });
      tracing.attemptEnded!(attempt);
    });
    tracing.callEnded!({ ...record, outcome: 'error', code: serviceError('customer_not_found').code });
    expect(ended.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['POST', '422'],
      ['GET', undefined],
      ['tools/call list_plans', 'tool_error'],
    ]);
    expect(ended[2]!.attributes).toMatchObject({
      ...{ 'billing.error_code': 'customer_not_found', 'mcp.protocol.version': '2026-07-28' },
    });
  });

  it('a call within a traced HTTP request is linked to it', async () => {
    const ended = registerSdk();
    const tracing = await createTracing('tcp');
    const request = { traceId: 'f'.repeat(32), spanId: 'e'.repeat(16), traceFlags: 1 };
    await context.with(trace.setSpanContext(ROOT_CONTEXT, request), () =>
      tracing.around!(call(incoming), async () => {}),
    );
    tracing.callEnded!(record);
    await context.with(trace.setSpanContext(ROOT_CONTEXT, request), () => tracing.around!(call({}), async () => {}));
    tracing.callEnded!(record);
    expect(ended.map(({ parent, links }) => [parent, links])).toEqual([
      ['b7ad6b7169203331', [{ context: request }]],
      [request.spanId, []],
    ]);
  });
});

interface Ended {
  name: string;
  kind: number | undefined;
  id: string;
  parent: string | undefined;
  status: number;
  attributes: Record<string, unknown>;
  links: unknown;
}

/** A minimal SDK: it records spans, keeps the active context, and reads and writes `traceparent`. */
function registerSdk(): Ended[] {
  const ended: Ended[] = [];
  const store = new AsyncLocalStorage<Context>();
  let count = 0;
  context.setGlobalContextManager({
    active: () => store.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => store.run(active, () => run.call(self as never, ...args)),
    bind: (_active, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    extract(active, carrier) {
      const [, traceId = '', spanId = ''] = String(carrier.traceparent).split('-');
      return trace.setSpanContext(active, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
    inject(active, carrier) {
      const { traceId, spanId } = trace.getSpanContext(active)!;
      carrier.traceparent = `00-${traceId}-${spanId}-01`;
    },
  });
  const startSpan = (
    name: string,
    options: { kind?: number; attributes?: object; links?: unknown } = {},
    parent = context.active(),
  ) => {
    const above = trace.getSpanContext(parent);
    const id = (++count).toString(16).padStart(16, '0');
    const { kind, attributes, links } = options;
    const span: Ended = { name, kind, id, parent: above?.spanId, status: 0, attributes: { ...attributes }, links };
    return {
      spanContext: () => ({ traceId: above?.traceId ?? '', spanId: id, traceFlags: 1 }),
      setAttribute: (key: string, value: unknown) => Object.assign(span.attributes, { [key]: value }),
      setStatus: ({ code }: { code: number }) => Object.assign(span, { status: code }),
      end: () => void ended.push(span),
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) });
  return ended;
}
