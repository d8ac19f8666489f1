/** Under OAuth: the claim of the access token, and customer tokens that the authorization server signs. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { customerKey, customerToken, unsigned } from '../../support/customer-tokens.ts';
import { both, places } from './support/customers.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { type CallOptions, callLegacy, callModern } from './support/messages.ts';
import { ownServer, sharedServer, type TestServer } from './support/serve.ts';

const publicUrl = 'https://billing-mcp.example.com/mcp';
let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer(publicUrl);
});
afterAll(() => issuer.close());

const settings = (more: Record<string, string> = {}) => ({
  ...{ BILLING_HTTP_AUTH: 'oauth', BILLING_HTTP_PUBLIC_URL: publicUrl, BILLING_OAUTH_ISSUER: issuer.url },
  ...more,
});
const server = sharedServer([], () => settings({ BILLING_CUSTOMER: 'required' }));
beforeEach(() => {
  server.viewers.length = 0;
});

const anna = async (claims: JWTPayload = {}): Promise<CallOptions> => ({
  headers: { authorization: `Bearer ${await issuer.token(claims)}` },
});
/** A token without what an access token has: a subject and scopes. */
const signed = (claims: JWTPayload, options: Parameters<Issuer['token']>[1] = {}) =>
  issuer.token({ sub: undefined, scope: undefined, ...claims } as JWTPayload, options);
const ofAcme = (claims: JWTPayload = {}, options?: Parameters<typeof signed>[1]) =>
  signed({ billing_customer: 'acme', ...claims }, options);

/** The customers of the call, or why it was refused. */
async function outcome(at: TestServer, ...options: CallOptions[]): Promise<unknown> {
  at.viewers.length = 0;
  const answer = await callLegacy(at.url, 'list_plans', {}, both(...options));
  expect(answer.status).toBe(200);
  const { error, summary } = answer.result.structuredContent;
  if (error) return `${error.code}: ${summary}`;
  expect(new Set(at.viewers.map(({ customers }) => String(customers))).size).toBe(1);
  return at.viewers[0]!.customers;
}

describe('a customer token signed by the authorization server', () => {
  const cases: [string, () => Promise<string>, unknown][] = [
    ['binds to its customers', () => signed({ billing_customer: ['globex', 'acme'] }), ['acme', 'globex']],
    ['is refused when it is of another issuer', () => ofAcme({ iss: 'https://other.example' }), /another issuer/],
    ['is refused when it is for another server', () => ofAcme({ aud: 'https://other.example' }), /another server/],
    [
      'is refused when it is for no server',
      () => ofAcme({ aud: undefined } as unknown as JWTPayload),
      /another server/,
    ],
    ['is refused when it is signed with another key', () => ofAcme({}, { foreignKey: true }), /not valid here/],
    ['is refused without a signature', async () => unsigned(await ofAcme()), /not valid here/],
    ['is refused when it has expired', () => ofAcme({}, { expires: '-1m' }), /has expired/],
    ['is refused without an expiry', () => ofAcme({}, { expires: null }), /no expiry/],
    ['is refused when it is valid for two hours', () => ofAcme({}, { expires: '2h' }), /an hour/],
    ['is refused without the claim', () => signed({}), /billing_customer/],
    ['is refused when it is signed with a shared secret', () => customerToken('acme'), /not valid here/],
    ['is refused when the public key is the secret', publicKeyAsSecret, /not valid here/],
  ];
  it.each(cases)('%s', async (_what, make, expected) => {
    const token = await make();
    for (const put of Object.values(places)) {
      const found = await outcome(server, await anna(), put(token));
      if (expected instanceof RegExp) expect(found).toMatch(/^binding_needed: /);
      if (expected instanceof RegExp) expect(found).toMatch(expected);
      else expect(found).toEqual(expected);
    }
  });

  async function publicKeyAsSecret(): Promise<string> {
    const key = createPublicKey({ key: issuer.keys[0] as JsonWebKey, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' }) as string;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: issuer.url, aud: publicUrl, exp: now + 60, billing_customer: 'acme' })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(new TextEncoder().encode(pem));
  }

  it('is checked with a key that the issuer has published meanwhile', async () => {
    expect(await outcome(server, await anna({ billing_customer: 'acme' }))).toEqual(['acme']);
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ iss: issuer.url, aud: publicUrl, exp: now + 60, billing_customer: 'acme' })
      .setProtectedHeader({ alg: 'ES256', kid: 'two' })
      .sign(privateKey);
    expect(await outcome(server, await anna(), places.header(token))).toMatch(/not valid here/);
    issuer.keys.push({ ...(await exportJWK(publicKey)), kid: 'two', alg: 'ES256', use: 'sig' });
    onTestFinished(() => void issuer.keys.pop());
    const clock = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + 31_000);
    onTestFinished(() => later.mockRestore());
    expect(await outcome(server, await anna(), places.header(token))).toEqual(['acme']);
  });

  it('does not count as an access token', async () => {
    const headers = { authorization: `Bearer ${await signed({ billing_customer: 'acme' })}` };
    expect((await callLegacy(server.url, 'list_plans', {}, { headers })).status).toBe(401);
  });
});

describe('the claim billing_customer of an access token', () => {
  it('binds the person in every call, in both eras', async () => {
    const options = await anna({ billing_customer: 'acme' });
    expect(await outcome(server, options)).toEqual(['acme']);
    await callModern(server.url, 'list_plans', {}, options);
    for (const { id, customers } of server.viewers) {
      expect([id, customers]).toEqual([expect.stringMatching(/^user_[\w-]{22}~[\w-]{16}$/), ['acme']]);
    }
  });

  it('intersects with a customer token, down to nobody', async () => {
    const options = await anna({ billing_customer: ['acme', 'globex'] });
    const token = (claim: unknown) => signed({ billing_customer: claim });
    expect(await outcome(server, options, places.header(await token(['globex', 'hooli'])))).toEqual(['globex']);
    expect(await outcome(server, options, places._meta(await token('hooli')))).toEqual([]);
  });

  it.each([[null], [7], [''], [{ id: 'acme' }], [['acme', null]]])('of the kind %j is refused', async claim => {
    const options = await anna({ billing_customer: claim });
    expect(await outcome(server, options)).toMatch(/^binding_needed: .*billing_customer/);
    const token = await signed({ billing_customer: 'acme' });
    expect(await outcome(server, options, places.header(token))).toMatch(/^binding_needed/);
  });

  it('is needed, or a customer token, where one is required', async () => {
    expect(await outcome(server, await anna())).toMatch(/^binding_needed: .*no customer token/);
  });
});

describe('under OAuth', () => {
  it('with a token key, customer tokens are signed with it alone', async () => {
    const own = await ownServer([], settings({ BILLING_CUSTOMER_TOKEN_KEY: customerKey }));
    expect(await outcome(own, await anna(), places.header(await customerToken('acme')))).toEqual(['acme']);
    const ofIssuer = await signed({ billing_customer: 'acme' });
    expect(await outcome(own, await anna(), places.header(ofIssuer))).toMatch(/not valid here/);
    expect(await outcome(own, await anna({ billing_customer: 'acme' }))).toEqual(['acme']);
    expect(await outcome(own, await anna())).toMatch(/^binding_needed/);
  });

  it('without a requirement, who proves no customer is bound to none, and who proves one is', async () => {
    const own = await ownServer([], settings());
    expect(await outcome(own, await anna())).toBeUndefined();
    expect(await outcome(own, await anna({ billing_customer: 'acme' }))).toEqual(['acme']);
    expect(await outcome(own, await anna(), places._meta(await signed({ billing_customer: [] })))).toEqual([]);
    expect(await outcome(own, await anna(), places._meta('made-up'))).toMatch(/^binding_needed/);
  });
});
