import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createAccepted } from '../../../src/server/http/credentials.ts';
import { callOf, keptTiny, send, startTiny, stopKept, stopTiny, type Tiny } from './support/tiny.ts';

afterEach(stopTiny);
afterAll(stopKept);

const token = 'a-token-of-some-length-1';
const withTokens = { auth: 'token', tokens: [{ name: 'desk', token }] } as const;
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

describe('refuses with a JSON-RPC error, before the protocol is reached,', () => {
  const withoutBatches = { ...bearer(token), 'mcp-protocol-version': '2025-06-18' };
  const plainText = { ...bearer(token), 'content-type': 'text/plain' };
  const refusals: [string, { body?: unknown; headers?: Record<string, string> }, number, number, RegExp][] = [
    ['a request without a token', {}, 401, -32000, /Send a bearer token/],
    ['a wrong token', { headers: bearer('another-token-of-length-1') }, 401, -32000, /is unknown/],
    ['a token with something behind it', { headers: bearer(`${token}x`) }, 401, -32000, /is unknown/],
    ['another scheme', { headers: { authorization: `Basic ${token}` } }, 401, -32000, /Send a bearer token/],
    ['a foreign origin', { headers: { ...bearer(token), origin: 'https://evil.example' } }, 403, -32000, /origin/],
    ['the origin "null"', { headers: { ...bearer(token), origin: 'null' } }, 403, -32000, /origin/],
    ['malformed JSON', { headers: bearer(token), body: '{"jsonrpc":' }, 400, -32700, /not valid JSON/],
    ['an empty body', { headers: bearer(token), body: '' }, 400, -32700, /empty/],
    ['a batch where none are', { headers: withoutBatches, body: [callOf(), callOf()] }, 400, -32600, /has batches/],
    ['a batch of 21', { headers: bearer(token), body: Array(21).fill(callOf()) }, 400, -32600, /1 to 20 messages/],
    ['a batch with a number', { headers: bearer(token), body: [callOf(), 7] }, 400, -32600, /Every entry/],
    ['a body that is no message', { headers: bearer(token), body: '7' }, 400, -32600, /one JSON-RPC message/],
    ['an oversized body', { headers: bearer(token), body: 'x'.repeat(5_000) }, 413, -32000, /larger/],
    ['another content type', { headers: plainText }, 415, -32000, /application\/json/],
  ];
  it.each(refusals)('%s', async (_what, { body, headers }, status, code, message) => {
    const tiny = await keptTiny(withTokens);
    const answer = await send(tiny.url, body ?? callOf(), headers);
    expect(answer.status).toBe(status);
    const error = { code, message: expect.stringMatching(message) };
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error });
    expect(JSON.stringify(answer.body)).not.toMatch(/\bat |node_modules|\.ts\b/);
    expect(answer.headers.get('www-authenticate') !== null).toBe(status === 401);
    expect(tiny.callers).toEqual([]);
  });

  it.each([
    ['any type', '*/*'],
    ['any type among others', 'text/html, */*;q=0.8'],
    ['both types in capitals', 'Application/JSON, Text/Event-Stream'],
  ])('but not %s in Accept', async (_what, accept) => {
    const tiny = await keptTiny(withTokens);
    const answer = await send(tiny.url, callOf(), { ...bearer(token), accept });
    expect(answer.status).toBe(200);
    tiny.callers.length = 0;
  });

  it('but not a batch of the revision that has them, each of whose messages is answered', async () => {
    const tiny = await keptTiny(withTokens);
    for (const headers of [{ 'mcp-protocol-version': '2025-03-26' }, {} as Record<string, string>]) {
      const batch = [callOf(), { ...callOf(), id: 2 }];
      const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const options = { headers: { ...bearer(token), ...types, ...headers }, body: JSON.stringify(batch) };
      const response = await fetch(tiny.url, { method: 'POST', ...options });
      expect(response.status).toBe(200);
      const text = await response.text();
      for (const { id } of batch) expect(text).toMatch(new RegExp(`"id":${id}\\b`));
    }
    tiny.callers.length = 0;
  });

  it.each([
    ['announced', true],
    ['in chunks', false],
  ])('a body far over the limit, %s, whose client reads the answer each time', async (_what, announced) => {
    const tiny = await keptTiny(withTokens);
    const body = Buffer.alloc(4 * 1024 * 1024, ' ');
    const address = new URL(tiny.url);
    for (let round = 0; round < 4; round++) {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const length = announced && { 'content-length': body.length };
        const headers = { ...bearer(token), 'content-type': 'application/json', ...length };
        const posted = request(address, { method: 'POST', agent: false, headers });
        posted.on('response', response => {
          response.resume();
          response.on('end', () => resolve(response.statusCode));
        });
        posted.on('error', reject);
        posted.end(body);
      });
      expect(status).toBe(413);
    }
  });

  it.each([
    ['an unknown path', 'POST', '/other', 404],
    ['GET without sessions', 'GET', '/mcp', 405],
    ['DELETE without sessions', 'DELETE', '/mcp', 405],
    ['PUT', 'PUT', '/mcp', 405],
    ['OPTIONS without allowed origins', 'OPTIONS', '/mcp', 405],
    ['the endpoint with something behind it', 'POST', '/mcp/', 404],
    ['the endpoint in capitals', 'POST', '/MCP', 404],
  ])('%s', async (_what, method, path, status) => {
    const tiny = await keptTiny();
    const response = await fetch(tiny.url.replace('/mcp', path), { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
  });

  it.each([
    ['a compressed body', 'Content-Encoding: gzip', 415, /without Content-Encoding/],
    ['two Hosts', 'Host: 127.0.0.1', 400, /only once/],
    ['two credentials', `Authorization: Bearer ${token}`, 400, /only once/],
    ['two lengths', 'Content-Length: 5', 400, /Not a valid HTTP request/],
    ['a length and chunks', 'Transfer-Encoding: chunked', 400, /Not a valid HTTP request/],
    ['chunks in an unknown coding', 'Transfer-Encoding: chunked, gzip', 400, /Not a valid HTTP request/],
    ['a header over two lines', 'X-One: 1\r\n two', 400, /Not a valid HTTP request/],
    ['a header with a bare line feed', 'X-One: 1\nHost: evil.example', 400, /Not a valid HTTP request|only once/],
    ['a blank before the colon', 'Authorization : Bearer x', 400, /Not a valid HTTP request/],
  ])('%s', async (_what, header, status, message) => {
    const tiny = await keptTiny(withTokens);
    const answer = await raw(tiny, posting(tiny, [`Authorization: Bearer ${token}`, header]));
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).toMatch(message);
    expect(tiny.callers).toEqual([]);
  });

  it.each([
    'evil.example',
    '127.0.0.1.nip.io',
    'localhost.evil.example',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example, localhost',
    'localhost.',
    'localhost:80:90',
    '[::ffff:127.0.0.1]',
    '[::2]',
    ' ',
  ])('the Host "%s"', async host => {
    const tiny = await keptTiny();
    const answer = await raw(tiny, posting(tiny, [], host));
    expect([answer.status, tiny.callers]).toEqual([403, []]);
    expect(answer.body.error.message).toMatch(/Host/);
  });

  it.each([
    ['the Host of a user', 'user@localhost', []],
    ['the Host of a user with a password', 'user:secret@127.0.0.1:80', []],
    ['a Host with a path', 'localhost/x', []],
    ['a Host with a question', 'localhost?x', []],
    ['a Host with a fragment', 'localhost#x', []],
    ['a Host with a backslash', 'localhost\\x', []],
    ['the Host of a user where any is served', 'user@evil.example', ['*']],
    ['two Hosts in one where any is served', 'a.example, b.example', ['*']],
    ['a port beyond the last where any is served', 'a.example:99999', ['*']],
    ['an address that is none where any is served', '1.2.3.256', ['*']],
  ])('%s as malformed', async (_what, host, allowedHosts) => {
    const tiny = await keptTiny({ allowedHosts });
    const answer = await raw(tiny, posting(tiny, [], host));
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('Host') } } });
    expect(tiny.callers).toEqual([]);
    expect(await rawStatuses(tiny, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 1)).toEqual([400]);
  });

  it.each(['http://127.0.0.1.nip.io', 'http://localhost@evil.example', 'file://', 'localhost', 'chrome-extension://a'])(
    'the origin "%s"',
    async origin => {
      const tiny = await keptTiny();
      expect((await send(tiny.url, callOf(), { origin })).status).toBe(403);
      expect(tiny.callers).toEqual([]);
    },
  );

  it('an address that cannot be read', async () => {
    const tiny = await keptTiny();
    const answer = await raw(tiny, `GET /% HTTP/1.1\r\nHost: ${hostOf(tiny)}\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32600 } } });
  });

  it('the second of two requests on one connection by its own credential', async () => {
    const tiny = await keptTiny(withTokens);
    const good = posting(tiny, [`Authorization: Bearer ${token}`]);
    const statuses = await rawStatuses(tiny, good + posting(tiny, []) + good, 3);
    expect(statuses).toEqual([200, 401, 200]);
    // The rest of a refused request is not read as a new request.
    const body = posting(tiny, [`Authorization: Bearer ${token}`]);
    expect(await rawStatuses(tiny, posting(tiny, [], hostOf(tiny), body) + good, 2)).toEqual([401, 200]);
  });

  it('a missing Host', async () => {
    const tiny = await keptTiny();
    const body = JSON.stringify(callOf());
    const head = 'POST /mcp HTTP/1.1\r\nContent-Type: application/json';
    const answer = await raw(tiny, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect([answer.status, tiny.callers]).toEqual([400, []]);
  });

  it('a body that comes too slowly', async () => {
    const tiny = await keptTiny({ requestTimeoutMs: 500 });
    const head = `POST /mcp HTTP/1.1\r\nHost: ${hostOf(tiny)}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const answer = await raw(tiny, head);
    expect(answer.status).toBe(408);
    const error = { message: expect.stringContaining('too long to arrive') };
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error });
    expect(tiny.callers).toEqual([]);
  });

  it('headers that come too slowly, and a connection that sends nothing', async () => {
    const tiny = await keptTiny({ requestTimeoutMs: 500 });
    for (const beginning of [`POST /mcp HTTP/1.1\r\nHost: ${hostOf(tiny)}\r\n`, '']) {
      expect(await raw(tiny, beginning)).toMatchObject({ status: 408, body: { jsonrpc: '2.0' } });
    }
  });

  it('headers that are too large', async () => {
    const tiny = await keptTiny();
    const head = `GET /healthz HTTP/1.1\r\nHost: ${hostOf(tiny)}\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    const answer = await raw(tiny, head);
    expect(answer.status).toBe(431);
    expect(answer.body.error.message).toMatch(/headers/);
  });

  it('bytes that are not HTTP', async () => {
    const tiny = await keptTiny();
    const answer = await raw(tiny, 'hello there\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('Not a valid HTTP request');
  });
});

const statuses = async (tiny: Tiny, headers: Record<string, string>[]) => {
  const answers = [];
  for (const each of headers) answers.push((await send(tiny.url, callOf(), each)).status);
  return answers;
};

describe('a limit on requests', () => {
  it('is counted for each caller, and says when to come back', async () => {
    const other = 'b-token-of-some-length-2';
    const tokens = [...withTokens.tokens, { name: 'other', token: other }];
    const tiny = await startTiny({ auth: 'token', tokens, rateLimit: 2 });
    expect(await statuses(tiny, Array(3).fill(bearer(token)))).toEqual([200, 200, 429]);
    const limited = await send(tiny.url, callOf(), bearer(token));
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const error = { code: -32000, message: expect.stringMatching(/the limit is 2 per minute/) };
    expect(limited.body).toMatchObject({ jsonrpc: '2.0', error });
    expect((await send(tiny.url, callOf(), bearer(other))).status).toBe(200);
    expect(await metricsOf(tiny)).toMatch(/^billing_mcp_rate_limited_total 2$/m);
  });
});

describe('the limit on requests of one address', () => {
  const keys = (...names: string[]) => names.map(name => ({ 'x-billing-api-key': name }));

  it('stops the guessing of tokens, not the calls with a valid token', async () => {
    const tiny = await startTiny({ ...withTokens, rateLimit: 3 });
    const guesses = Array.from({ length: 5 }, (_, i) => bearer(`guess-number-${i}-of-many`));
    expect(await statuses(tiny, guesses)).toEqual([401, 401, 401, 429, 429]);
    expect(await statuses(tiny, [{}, bearer(token), bearer(token)])).toEqual([429, 200, 200]);
    const limited = await send(tiny.url, callOf(), {});
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(tiny.callers).toHaveLength(2);
  });

  it('is shared by all invented billing keys, and does not count keys that the billing API has accepted', async () => {
    const accepted = createAccepted();
    const tiny = await startTiny({ auth: 'api-key', rateLimit: 3 }, { accepted });
    const first = await statuses(tiny, keys('good', 'made-up-1', 'made-up-2', 'made-up-3', 'good'));
    expect(first).toEqual([200, 200, 200, 429, 429]);
    const record = { tool: 'who', requestId: 'r', code: null, durationMs: 1, attempts: 1 };
    accepted.observer.callEnded!({ ...record, caller: tiny.callers[1]!.id, outcome: 'error' });
    accepted.observer.callEnded!({ ...record, caller: tiny.callers[0]!.id, outcome: 'ok' });
    expect(await statuses(tiny, keys('made-up-1', 'good', 'good', 'good', 'good'))).toEqual([429, 200, 200, 200, 429]);
  });

  it('ignores an address that an untrusted caller writes into a header', async () => {
    const forwarded = (address: string) => ({ 'x-forwarded-for': address, 'x-real-ip': address });
    const careful = await startTiny({ ...withTokens, rateLimit: 1 });
    expect(await statuses(careful, [forwarded('192.0.2.1'), forwarded('192.0.2.2')])).toEqual([401, 429]);
    const behindProxy = await startTiny({ ...withTokens, rateLimit: 1, trustProxy: 'loopback' });
    const people = [forwarded('192.0.2.1'), forwarded('192.0.2.2'), forwarded('192.0.2.1')];
    expect(await statuses(behindProxy, people)).toEqual([401, 401, 429]);
    const network = [forwarded('2001:db8::1'), forwarded('2001:db8::2'), forwarded('2001:db8:0:1::1')];
    expect(await statuses(behindProxy, network)).toEqual([401, 429, 401]);
  });
});

describe('answers', () => {
  it('carry security headers and the request id that was given', async () => {
    const tiny = await keptTiny();
    const answer = await send(tiny.url, callOf(), { 'x-request-id': 'req-12345678' });
    expect(answer.body.result.content[0].text).toBe('local req-12345678');
    expect(answer.headers.get('x-request-id')).toBe('req-12345678');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  it.each([false, true, 'loopback'])(
    'use Host and never a forwarded host, even when proxies are trusted: %s',
    async trustProxy => {
      const forwarded = (host: string) => ({ 'x-forwarded-host': host });
      const ours = await keptTiny({ trustProxy });
      for (const host of ['evil.example', 'user@localhost', '']) {
        expect((await send(ours.url, callOf(), forwarded(host))).status).toBe(200);
      }
      const theirs = await keptTiny({ trustProxy, allowedHosts: ['billing.example.com'] });
      expect((await send(theirs.url, callOf(), forwarded('billing.example.com'))).status).toBe(403);
      const metrics = `GET /metrics HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: billing.example.com\r\n\r\n`;
      expect(await rawStatuses(theirs, metrics, 1)).toEqual([403]);
      expect(await rawStatuses(theirs, metrics.replace('billing.example.com', '10.0.0.1'), 1)).toEqual([403]);
    },
  );
});

describe('probes', () => {
  it('check only once for many requests at the same time', async () => {
    let looked = 0;
    const check = async () => {
      looked++;
      return true;
    };
    const tiny = await startTiny({}, { checks: [{ name: 'billing_api', check }] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => probe(tiny, '/readyz')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(looked).toBeGreaterThan(0);
    expect(looked).toBeLessThan(20);
  });

  it('answer under any address, the metrics only under names of this server', async () => {
    const tiny = await startTiny();
    for (const [path, host, status] of [
      ['/healthz', 'rebound.example', 200],
      ['/readyz', '10.1.2.3:3000', 200],
      ['/metrics', '10.1.2.3:3000', 200],
      ['/metrics', '[fd00::1]:3000', 200],
      ['/metrics', 'localhost', 200],
      ['/metrics', 'rebound.example', 403],
    ])
      expect(await rawStatuses(tiny, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 1)).toEqual([status]);
  });

  it('give the metrics under a foreign name only to the holder of their token', async () => {
    const wanted = 'metrics-token-0001';
    const as = (token: string) => `Authorization: Bearer ${token}\r\n`;
    const get = async (tiny: Tiny, credential: string) => {
      const head = `GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n${credential}\r\n`;
      return (await rawStatuses(tiny, head, 1))[0];
    };
    const open = await startTiny();
    const guarded = await startTiny({ metricsToken: wanted });
    for (const wrong of ['', 'Authorization: x\r\n', ...['', 'another-token-001'].map(as)])
      for (const tiny of [open, guarded]) expect(await get(tiny, wrong)).toBe(403);
    expect([await get(open, as(wanted)), await get(guarded, as(wanted))]).toEqual([403, 200]);
  });

  it('give the metrics to the holder of their token', async () => {
    const tiny = await startTiny({ metricsToken: 'metrics-token-0001' });
    expect((await probe(tiny, '/metrics')).status).toBe(401);
    const answer = await probe(tiny, '/metrics', bearer('metrics-token-0001'));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('process_resident_memory_bytes');
  });
});

function hostOf(tiny: Tiny): string {
  return new URL(tiny.url).host;
}

function probe(tiny: Tiny, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(tiny.url.replace('/mcp', path), { headers });
}

async function metricsOf(tiny: Tiny): Promise<string> {
  return (await probe(tiny, '/metrics')).text();
}

/** A call, with these headers in addition to those of every call. */
function posting(tiny: Tiny, headers: string[], host = hostOf(tiny), body = JSON.stringify(callOf())): string {
  const types = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];
  const all = [`Host: ${host}`, ...types, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return `POST /mcp HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends bytes as they are; resolves with the first `count` statuses that come back. */
function rawStatuses(tiny: Tiny, bytes: string, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(tiny.url).port), '127.0.0.1');
    let text = '';
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    socket.on('data', chunk => {
      text += chunk.toString();
      if (statuses().length >= count) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(statuses()));
    socket.write(bytes);
  });
}

/** Sends bytes as they are and reads what comes back until the connection ends or the answer is complete. */
function raw(tiny: Tiny, bytes: string): Promise<{ status: number; body: { error: { message: string } } }> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(tiny.url).port), '127.0.0.1');
    let text = '';
    const judge = () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (!(body.length >= length)) return;
      socket.destroy();
      resolve({ status: Number(head.split(' ')[1]), body: JSON.parse(body || 'null') });
    };
    socket.on('data', chunk => {
      text += chunk.toString();
      judge();
    });
    socket.on('error', reject);
    // Refusals by Node itself have no body.
    socket.on('close', () => resolve({ status: Number(text.split(' ')[1]), body: JSON.parse('null') }));
    socket.write(bytes);
  });
}
