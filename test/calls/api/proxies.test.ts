import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import { check } from '../../../src/server/commands/check.ts';
import { createKeySet, KeysUnavailable } from '../../../src/server/http/key-set.ts';
import { readinessChecks } from '../../../src/server/http/probes.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { proxyOf } from '../../../src/server/settings/proxies.ts';
import { startIssuer } from '../../server/http/support/issuer.ts';
import { startProxy, type TunnelProxy } from '../../support/proxy.ts';
import { limitMs } from '../../support/until.ts';
import { anyone, read, write } from './anyone.ts';
import { type Faulty, startFaulty } from './faulty.ts';

const key = 'sk-live-0123456789';
const settings = { timeoutMs: limitMs, maxRetries: 3, maxConcurrency: 4, idPrefix: 'svc_' };

let api: Faulty;
let proxy: TunnelProxy;
let open: Upstreams[];

beforeEach(async () => {
  open = [];
  // Short pauses before another attempt.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
  api = await startFaulty();
  proxy = await startProxy(() => Number(new URL(api.baseUrl).port));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const upstreams of open) await upstreams.close();
  await proxy.close();
  await api.close();
});

type ProxySettings = { httpsProxy?: string; httpProxy?: string; noProxy?: string };

function upstream(baseUrl: string, proxies: ProxySettings, timeoutMs = settings.timeoutMs) {
  const upstreams = createUpstreams({ ...settings, timeoutMs, ...proxies });
  open.push(upstreams);
  return upstreams.of(baseUrl, key, ...anyone());
}

/** To an address that only the proxy knows. */
const through = (more: ProxySettings = {}, timeoutMs?: number) =>
  upstream('http://api.example.test', { httpProxy: proxy.url, ...more }, timeoutMs);

/** Everything that the proxy itself received, outside its tunnels. */
const toldProxy = () => JSON.stringify([proxy.asked, proxy.plain]);

describe('a proxy', () => {
  it('carries reads and writes to the API in tunnels, and sees neither the key nor their headers', async () => {
    let sawKey: unknown;
    api.choose = request => {
      sawKey = request.headers.authorization;
      return 'ok';
    };
    const client = through();
    for (const call of [read, write, read]) {
      expect(await client.send(call, { requestId: 'of-the-call' })).toMatchObject({ ok: true, attempts: 1 });
    }
    expect(sawKey).toBe(`Bearer ${key}`);
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['api.example.test:80']));
    expect(proxy.plain).toEqual([]);
    expect(toldProxy()).not.toMatch(/authorization|sk-live|of-the-call|usage-billing/);
  });

  it('gets its own user name and password; the API does not', async () => {
    let headers = '';
    api.choose = request => {
      headers = JSON.stringify(request.rawHeaders);
      return 'ok';
    };
    const address = proxy.url.replace('//', '//desk:p%40ss@');
    expect(await through({ httpProxy: address }).send(read)).toMatchObject({ ok: true });
    const expected = `Basic ${Buffer.from('desk:p@ss').toString('base64')}`;
    expect(proxy.asked.map(asked => asked.headers['proxy-authorization'])).toEqual([expected]);
    expect(headers).not.toMatch(/proxy-authorization/i);
  });

  const schemes: [what: string, proxies: () => ProxySettings][] = [
    ['HTTPS_PROXY', () => ({ httpsProxy: proxy.url, httpProxy: 'http://127.0.0.1:9' })],
    ['HTTP_PROXY where there is no other', () => ({ httpProxy: proxy.url })],
  ];
  it.each(schemes)('for https:// is %s, and sees nothing readable', async (_what, proxies) => {
    const answer = await upstream('https://api.example.test', proxies()).send(write);
    // This API speaks no TLS; the test looks only at what was sent to it through the tunnel.
    expect(answer).toMatchObject({ ok: false, error: { code: 'tls_failed', changed: false } });
    expect(proxy.asked[0]!.target).toBe('api.example.test:443');
    expect(proxy.sent[0]![0]).toBe(22); // a TLS handshake
    expect(Buffer.concat(proxy.sent).toString('latin1')).not.toContain(key);
    expect(toldProxy()).not.toMatch(/authorization|sk-live/);
  });

  it.each([
    'api.example.test',
    'example.test',
    '.example.test',
    '*.example.test',
    'other.test, API.example.test:80',
    '*',
  ])('is not used for what NO_PROXY names: %s', async noProxy => {
    const answer = await through({ noProxy }).send(write);
    expect(answer).toMatchObject({ ok: false, error: { code: 'dns_failed' } });
    expect(proxy.asked).toEqual([]);
  });

  it.each(['ample.test', 'api.example.test:8080', 'api.example.test.other'])(
    'is used for what NO_PROXY does not name: %s',
    async noProxy => {
      const client = through({ noProxy });
      expect(await client.send(read)).toMatchObject({ ok: true });
      expect(proxy.asked).toHaveLength(1);
    },
  );

  it.each(['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]'])('is never used for %s', async host => {
    const baseUrl = api.baseUrl.replace('127.0.0.1', host);
    const answer = await upstream(baseUrl, { httpProxy: proxy.url, httpsProxy: proxy.url }).send(read);
    expect(answer).toMatchObject({ ok: true });
    expect(proxy.asked).toEqual([]);
  });

  // Not every resolver knows these names; the test checks only that the proxy is not used for them.
  it.each(['localhost.', 'LOCALHOST.', 'api.localhost', 'api.localhost.'])('is not asked for %s either', host => {
    const proxies = { http: proxy.url, https: proxy.url, no: '' };
    expect(proxyOf(new URL(`http://${host}:8080`), proxies)).toBeUndefined();
    expect(proxyOf(new URL('http://localhost.example.test'), proxies)).toBe(proxy.url);
  });

  it('is not read from the environment when it is configured', async () => {
    process.env.https_proxy = proxy.url;
    process.env.NO_PROXY = 'api.example.test';
    try {
      const direct = upstream('https://api.example.test', {});
      expect(await direct.send(write)).toMatchObject({ error: { code: 'dns_failed' } });
      const answer = await through().send(read);
      expect(answer).toMatchObject({ ok: true });
      expect(proxy.asked).toHaveLength(1);
    } finally {
      delete process.env.https_proxy;
      delete process.env.NO_PROXY;
    }
  });

  const said = (text: string) => (socket: Socket) => {
    socket.end(text);
    return true;
  };
  const refusals: [what: string, instead: (socket: Socket) => boolean, message: RegExp, asked: number][] = [
    ['wants a password', said('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'), /the proxy answered 407/, 1],
    ['forbids it', said('HTTP/1.1 403 Forbidden\r\n\r\n'), /the proxy answered 403/, 1],
    ['cannot reach it', said('HTTP/1.1 502 Bad Gateway\r\n\r\n'), /the proxy answered 502/, 4],
    ['hangs up', socket => !!socket.destroy(), /the proxy failed \(UND_ERR_SOCKET\)/, 4],
    ['does not speak HTTP', said('SSH-2.0\r\n'), /the proxy failed \(HTTPParserError\)/, 4],
  ];
  it.each(refusals)('that %s is reported as such, and nothing was changed', async (_what, instead, message, asked) => {
    proxy.instead = instead;
    const answer = await through().send(write);
    expect(answer).toMatchObject({ ok: false, error: { code: 'proxy_failed', changed: false } });
    if (!answer.ok) expect(answer.error.message).toMatch(message);
    if (!answer.ok) expect(answer.error.hint).toMatch(/HTTPS_PROXY, HTTP_PROXY and NO_PROXY/);
    expect(proxy.asked).toHaveLength(asked);
    expect(api.arrived).toBe(0);
  });

  it('that is missing is reported as such', async () => {
    const { url } = proxy;
    await proxy.close();
    const answer = await through({ httpProxy: url }).send(write);
    expect(answer).toMatchObject({ ok: false, error: { code: 'proxy_failed', changed: false } });
    if (!answer.ok) expect(answer.error.message).toMatch(/ECONNREFUSED/);
    proxy = await startProxy(() => 0);
  });

  it('that never answers does not delay a call beyond its timeout, and the call is not sent later', async () => {
    const held: Socket[] = [];
    proxy.instead = socket => held.push(socket) > 0;
    const answer = await through({}, 500).send(write);
    expect(answer).toMatchObject({ ok: false, error: { changed: false } });
    for (const socket of held) socket.end('HTTP/1.1 200 Connection established\r\n\r\n');
    await open.pop()!.close();
    expect(api.arrived).toBe(0);
  });
});

describe('other requests through the proxy', () => {
  it('are metadata and keys of an OAuth issuer', async () => {
    const issuer = await startIssuer('https://billing-mcp.example.com/mcp');
    const byName = await startProxy(() => Number(new URL(issuer.url).port));
    const oauth = {
      issuer: 'http://issuer.example.test',
      audience: 'a',
      proxies: { http: byName.url, https: byName.url, no: '' },
    };
    // At a loopback address, where the keys are fetched without the proxy.
    let keys = `${issuer.url}/keys`;
    issuer.instead = (request, response) => {
      if (request.url === '/keys') return false;
      response.end(JSON.stringify({ issuer: oauth.issuer, jwks_uri: keys }));
      return true;
    };
    try {
      const key = { alg: 'ES256', kid: 'one' };
      const token = { payload: '', signature: '' };
      await createKeySet(oauth).askingIssuer(key, token);
      expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
      expect(byName.asked.map(({ target }) => target)).toEqual(['issuer.example.test:80']);
      // Nobody speaks TLS behind that name.
      keys = 'https://keys.example.test/keys';
      await expect(createKeySet(oauth).askingIssuer(key, token)).rejects.toThrow(KeysUnavailable);
      const targets = byName.asked.slice(1).map(({ target }) => target);
      expect(targets).toEqual(['issuer.example.test:80', 'keys.example.test:443']);
    } finally {
      await byName.close();
      await issuer.close();
    }
  });

  it('are /readyz and the check command', async () => {
    const env = {
      BILLING_BASE_URL: 'http://api.example.test',
      BILLING_API_KEY: key,
      http_proxy: proxy.url.replace('//', '//desk:secret-word@'),
    };
    const runtime = createRuntime({ config: loadConfig([], env).config });
    const [probe] = readinessChecks(runtime, undefined);
    expect(await probe!.check()).toBe(true);
    await runtime.close();
    expect(proxy.asked).toHaveLength(1);
    const lines: string[] = [];
    await check([], env, line => lines.push(line));
    expect(lines).toContain(`✓ Proxy: ${proxy.host}`);
    expect(lines.join()).not.toMatch(/cannot be resolved|secret-word/);
    expect(proxy.asked).toHaveLength(2);
  });
});
