import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { unsigned } from '../../support/customer-tokens.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

const publicUrl = 'https://billing-mcp.example.com/mcp';
const metadata = 'resource_metadata="https://billing-mcp.example.com/.well-known/oauth-protected-resource/mcp"';
let issuer: Issuer;

beforeAll(async () => {
  issuer = await startIssuer(publicUrl);
});
afterEach(stopTiny);
afterAll(() => issuer.close());

const start = () => startTiny({ auth: 'oauth', publicUrl, oauth: { issuer: issuer.url, audience: publicUrl } });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('an OAuth resource server', () => {
  it('publishes where tokens come from, at both well-known addresses', async () => {
    const tiny = await start();
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const response = await fetch(tiny.url.replace('/mcp', path));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({
        resource: publicUrl,
        authorization_servers: [issuer.url],
        scopes_supported: ['billing:read', 'billing:write', 'billing:delete'],
        bearer_methods_supported: ['header'],
      });
    }
  });

  it('challenges a request without a token, pointing at the metadata and the least scope', async () => {
    const answer = await send((await start()).url);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer scope="billing:read", ${metadata}`);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
  });

  const refused: [string, () => Promise<string>, RegExp][] = [
    ['an expired token', () => issuer.token({}, { expires: '-1m' }), /has expired/],
    ['a token without an expiry', () => issuer.token({}, { expires: null }), /expiry is missing/],
    ['a token for another audience', () => issuer.token({ aud: 'https://other.example' }), /audience is not accepted/],
    ['a token of another issuer', () => issuer.token({ iss: 'https://other.example' }), /issuer is not accepted/],
    ['a token signed with another key', () => issuer.token({}, { foreignKey: true }), /not valid/],
    ['a token without a signature', async () => unsigned(await issuer.token()), /not valid/],
    ['a text that is not a token', async () => 'not-a-jwt-but-long-enough', /not valid/],
  ];
  it.each(refused)('refuses %s', async (_what, make, reason) => {
    const tiny = await start();
    const answer = await send(tiny.url, callOf(), bearer(await make()));
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toMatch(reason);
    const challenge = answer.headers.get('www-authenticate');
    expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[^"]+", /);
    expect(challenge).toContain(metadata);
    expect(tiny.callers).toEqual([]);
  });

  it('refuses a token with none of its scopes with 403', async () => {
    const answer = await send((await start()).url, callOf(), bearer(await issuer.token({ scope: 'profile email' })));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
  });

  it('reads scopes of the claim `scp`, too', async () => {
    const tiny = await start();
    const as = async (...scp: string[]) => bearer(await issuer.token({ scp, scope: undefined }));
    expect((await send(tiny.url, callOf('change'), await as('billing:read'))).status).toBe(403);
    expect((await send(tiny.url, callOf('change'), await as('billing:read', 'billing:write'))).status).toBe(200);
  });

  it('passes on the server key and the scopes, never the token, and fetches the keys once', async () => {
    const tiny = await start();
    const before = issuer.fetched();
    const token = await issuer.token();
    for (let i = 0; i < 3; i++) await send(tiny.url, callOf(), bearer(token));
    expect(tiny.callers).toHaveLength(3);
    expect(tiny.callers[0]).toEqual({
      id: expect.stringMatching(/^user_[\w-]{22}$/),
      apiKey: 'server-key',
      scopes: new Set(['billing:read']),
    });
    expect(issuer.fetched() - before).toBe(1);
    expect(tiny.lines.join('')).not.toContain(token);
  });

  it('distinguishes persons', async () => {
    const tiny = await start();
    await send(tiny.url, callOf(), bearer(await issuer.token({ sub: 'anna' })));
    await send(tiny.url, callOf(), bearer(await issuer.token({ sub: 'bert' })));
    expect(new Set(tiny.callers.map(caller => caller.id)).size).toBe(2);
  });

  it('says 503 rather than 401 while the keys cannot be read', async () => {
    const oauth = { issuer: 'http://127.0.0.1:9', audience: publicUrl };
    const tiny = await startTiny({ auth: 'oauth', publicUrl, oauth });
    const answer = await send(tiny.url, callOf(), bearer(await issuer.token()));
    expect(answer.status).toBe(503);
    expect(answer.body.error.message).toMatch(/again|retry/i);
  });
});

it('callers with their own billing key are refused without one, whatever else they send', async () => {
  const tiny = await startTiny({ auth: 'api-key' });
  const key = (value: string) => ({ 'x-billing-api-key': value });
  for (const headers of [{}, key(''), key('two words'), bearer('server-key')]) {
    const answer = await send(tiny.url, callOf(), headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(answer.body.error.message).toMatch(/X-Billing-Api-Key/);
  }
  expect(tiny.callers).toEqual([]);
});
