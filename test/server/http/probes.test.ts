/** What operators see of the server: health checks for load balancers, preflight answers for browsers, logs. */
import { afterEach, expect, it } from 'vitest';
import { createMetrics } from '../../../src/server/logs/metrics.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

afterEach(stopTiny);

it('a server that stops says that it is not ready, is still alive, and closes connections', async () => {
  const tiny = await startTiny();
  const ask = async (path: string) => {
    const response = await fetch(tiny.url.replace('/mcp', path));
    return [response.status, await response.json(), response.headers.get('connection')];
  };
  expect(await ask('/readyz')).toEqual([200, expect.objectContaining({ status: 'ready' }), 'keep-alive']);
  tiny.beginStop();
  expect(await ask('/readyz')).toEqual([503, expect.objectContaining({ status: 'stopping' }), 'close']);
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }, 'close']);
});

it('a dependency that fails, or does not say in time that it is ready, is named; the server is alive', async () => {
  const checks = [
    { name: 'database', check: () => new Promise<true>(() => {}) },
    { name: 'redis', check: () => Promise.reject(new Error('secret address')) },
    { name: 'billing', check: async () => true as const },
  ];
  const tiny = await startTiny({}, { checks, readinessMs: 100 });
  const response = await fetch(tiny.url.replace('/mcp', '/readyz'));
  const found = { database: 'failed', redis: 'failed', billing: 'ok' };
  expect([response.status, await response.json()]).toEqual([503, { status: 'not ready', checks: found }]);
  expect((await fetch(tiny.url.replace('/mcp', '/healthz'), { method: 'HEAD' })).status).toBe(200);
});

it('an allowed web page may send and read every header of the protocol', async () => {
  const tiny = await startTiny({ allowedOrigins: ['app.example.com'] });
  const origin = 'https://app.example.com';
  const ask = (from: string) =>
    fetch(tiny.url, { method: 'OPTIONS', headers: { origin: from, 'access-control-request-method': 'POST' } });
  const refused = await ask('https://evil.example');
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  const asked = await ask(origin);
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  const listed = (response: { headers: Headers }, name: string) =>
    response.headers.get(`access-control-${name}`)?.split(/, */).sort();
  expect(listed(asked, 'allow-methods')).toEqual(['DELETE', 'GET', 'POST']);
  expect(listed(asked, 'allow-headers')).toEqual([
    ...['accept', 'authorization', 'content-type', 'last-event-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version'],
    ...['mcp-session-id', 'traceparent', 'tracestate', 'x-billing-api-key', 'x-billing-customer-token', 'x-request-id'],
  ]);
  const exposed = listed(await send(tiny.url, callOf(), { origin }), 'expose-headers');
  expect(exposed).toEqual(['mcp-session-id', 'retry-after', 'www-authenticate', 'x-request-id']);
});

it('a request keeps its own id if that is safe in a log', async () => {
  const tiny = await startTiny();
  const kept = async (id: string) =>
    (await send(tiny.url, callOf(), { 'x-request-id': id })).headers.get('x-request-id');
  for (const id of ['a-b_c.D9', 'x'.repeat(64)]) expect(await kept(id)).toBe(id);
  for (const id of ['short-1', 'two words', 'x'.repeat(65), '"quoted-first', 'quoted-last"']) {
    expect(await kept(id)).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  }
});

it('an internal error is answered without details, which are in the log', async () => {
  const metrics = createMetrics([]);
  metrics.registry.metrics = () => Promise.reject(new Error('the inside'));
  const tiny = await startTiny({}, { metrics });
  const response = await fetch(tiny.url.replace('/mcp', '/metrics'));
  expect([response.status, await response.json()]).toEqual([
    500,
    { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'Internal error' } },
  ]);
  expect(tiny.lines.join('')).toContain('the inside');
});
