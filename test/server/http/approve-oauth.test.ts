import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { freePort } from '../../support/ports.ts';
import { type Asked, Browser, callByLink, confirmedBy, connectOpening } from './support/approve.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { ownServer, startServer, type TestServer } from './support/serve.ts';

/** Tells the issuer who is at the browser. */
let person = 'anna';
let issuer: Issuer;
let server: TestServer;
let publicUrl: string;
/** What the token endpoint was sent. */
let exchanged: { body: URLSearchParams; authorization: string | undefined }[];
let tokenClaims: object;

beforeAll(async () => {
  const port = await freePort();
  publicUrl = `http://127.0.0.1:${port}/mcp`;
  issuer = await startIssuer(publicUrl);
  issuer.instead = (request, response) => {
    const url = new URL(request.url!, issuer.url);
    if (url.pathname === '/.well-known/oauth-authorization-server') {
      const endpoints = { authorization_endpoint: `${issuer.url}/authorize`, token_endpoint: `${issuer.url}/token` };
      const metadata = { issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...endpoints };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    } else if (url.pathname === '/authorize') {
      asked.push(url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri')!);
      back.search = `${new URLSearchParams({ code: 'one-code', state: url.searchParams.get('state')! })}`;
      response.writeHead(302, { location: back.href }).end();
    } else if (url.pathname === '/token') {
      void text(request).then(async sent => {
        exchanged.push({ body: new URLSearchParams(sent), authorization: request.headers.authorization });
        const access_token = await issuer.token({ sub: person, ...tokenClaims });
        const answer = JSON.stringify({ access_token, token_type: 'bearer', expires_in: 300 });
        response.setHeader('content-type', 'application/json').end(answer);
      });
    } else return false;
    return true;
  };
  const client = { BILLING_OAUTH_CLIENT_ID: 'approvals', BILLING_OAUTH_CLIENT_SECRET: 'a-secret-of-ours' };
  const env = { BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer.url, BILLING_HTTP_PUBLIC_URL: publicUrl };
  server = await startServer(['--port', String(port)], { ...env, ...client });
});
const path = join(temporaryFolder(), 'roles.jsonc');
const asked: URLSearchParams[] = [];
/** Each change sets another one. */
let price = 60_000;
afterEach(() => {
  person = 'anna';
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

async function callAs(
  sub: string,
  decide: (asked: Asked) => Promise<'accept' | 'decline'>,
  url = server.url,
  claims: object = {},
) {
  exchanged = [];
  tokenClaims = {};
  asked.length = 0;
  const token = await issuer.token({ sub, scope: 'billing:read billing:write', ...claims });
  const client = await connectOpening(url, 'modern', decide, { headers: { authorization: `Bearer ${token}` } });
  const args = { code: 'onboarding', amount_cents: ++price };
  const result = await client.call('update_add_on', args);
  return { result, client };
}

/** Opens the page, and follows its link to the issuer. */
async function signIn(url: string): Promise<Browser> {
  const browser = await new Browser().open(url);
  const [, href] = /<a class="main" href="([^"]+)">Sign in<\/a>/.exec(browser.html) ?? [];
  return browser.open(new URL(href!, url).href);
}

it('is decided by the person who signs in at the issuer: code, PKCE, resource, and the same caller', async () => {
  const { result } = await callAs('anna', async ({ url }) => {
    const browser = await signIn(url!);
    expect(browser.url).toBe(url);
    expect(browser.html).toContain('Approve this change?');
    // Neither the token nor the code stays in the browser.
    expect(browser.cookiesSet.join()).not.toMatch(/eyJhbGciOi|one-code/);
    await browser.submit({ decision: 'approve' });
    return 'accept';
  });
  expect(confirmedBy(result)).toBe('person');
  const [request] = asked;
  expect(Object.fromEntries(request!)).toMatchObject({
    ...{ response_type: 'code', client_id: 'approvals', code_challenge_method: 'S256', scope: 'billing:read' },
    ...{ resource: publicUrl, redirect_uri: publicUrl.replace('/mcp', '/approve/callback') },
  });
  const [{ body, authorization }] = exchanged as [(typeof exchanged)[0]];
  const challenge = createHash('sha256').update(body.get('code_verifier')!).digest('base64url');
  expect(challenge).toBe(request!.get('code_challenge'));
  const sent = { code: 'one-code', resource: publicUrl, grant_type: 'authorization_code' };
  expect(Object.fromEntries(body)).toMatchObject(sent);
  expect(authorization).toBe(`Basic ${Buffer.from('approvals:a%2Dsecret%2Dof%2Dours').toString('base64')}`);
});

it('is decided by that person behind a link, too: the client has no credential of the issuer', async () => {
  [exchanged, tokenClaims] = [[], {}];
  const token = await issuer.token({ sub: 'anna', scope: 'billing:read billing:write' });
  const options = { headers: { authorization: `Bearer ${token}` }, elicitation: null };
  const client = await connectOpening(server.url, 'modern', async () => 'cancel', options);
  const args = { code: 'onboarding', amount_cents: ++price };
  const result = await callByLink(client, 'update_add_on', args, async link => {
    // The token of the call is none of the page.
    const answer = await fetch(link, { headers: options.headers });
    expect(await answer.text()).not.toMatch(/onboarding|<form/i);
    person = 'bert';
    expect((await signIn(link)).status).toBe(403);
    person = 'anna';
    await (await signIn(link)).submit({ decision: 'approve' });
  });
  expect(confirmedBy(result)).toBe('person');
});

it('shows somebody else who signs in nothing', async () => {
  await callAs('anna', async ({ url }) => {
    person = 'bert';
    const browser = await signIn(url!);
    expect([browser.status, browser.html.includes('This question is for someone else.')]).toEqual([403, true]);
    expect(browser.html).toContain('as you did in the chat');
    expect(browser.html).not.toMatch(/onboarding/i);
    return 'decline';
  });
});

it('does not sign in with a code that this browser did not ask for, nor with a token for another server', async () => {
  await callAs('anna', async ({ url }) => {
    const callback = `${new URL('callback', url!)}?code=one-code&state=made-up`;
    const stranger = await new Browser().open(callback);
    expect([stranger.status, stranger.html.includes('Not signed in')]).toEqual([403, true]);
    expect(exchanged).toEqual([]);
    tokenClaims = { aud: 'https://other.example' };
    const browser = await signIn(url!);
    expect([browser.status, browser.html.includes('audience is not accepted')]).toEqual([403, true]);
    expect(browser.cookiesSet.some(set => set.startsWith('billing_approve='))).toBe(false);
    return 'decline';
  });
});

it('shows whose page it is before it sends anybody to the issuer, and nothing of the question', async () => {
  await callAs('anna', async ({ url }) => {
    const signInUrl = `${url}?sign-in`;
    const opened: [string, Record<string, string>][] = [
      [url!, {}],
      // A link of the chat host cannot skip the page.
      [signInUrl, { 'sec-fetch-site': 'cross-site' }],
      [signInUrl, { 'sec-fetch-site': 'none' }],
    ];
    for (const [address, headers] of opened) {
      const answer = await fetch(address, { headers, redirect: 'manual' });
      const html = await answer.text();
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
      expect(html).toContain('<dd>Usage billing (usage-billing-mcp)</dd>');
      expect(html).toContain(`<dd>${publicUrl}</dd>`);
      expect(html).toContain('<dd>the embedded demo service</dd>');
      expect(html).toContain(`sign in at ${new URL(issuer.url).host}`);
      expect(html).not.toMatch(/onboarding|anna|<form/i);
    }
    expect(asked).toEqual([]);
    const answer = await fetch(signInUrl, { headers: { 'sec-fetch-site': 'same-origin' }, redirect: 'manual' });
    const authorize = expect.stringContaining(`${issuer.url}/authorize?`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, authorize]);
    return 'decline';
  });
});

it.each([
  ['en', 'Your sign-in has ended.', 'Not signed in'],
  ['de', 'Ihre Anmeldung ist abgelaufen.', 'Nicht angemeldet'],
  ['fr', 'Votre session a expiré.', 'Non identifié'],
])('says that a sign-in is none or has ended in the language of the browser (%s)', async (language, ended, none) => {
  await callAs('anna', async ({ url }) => {
    const headers = { origin: new URL(url!).origin, 'accept-language': language };
    const body = new URLSearchParams({ decision: 'approve', proof: 'x' });
    expect(await (await fetch(url!, { method: 'POST', body, headers })).text()).toContain(ended);
    const callback = await fetch(`${new URL('callback', url!)}?code=c&state=s`, {
      headers: { 'accept-language': language },
    });
    expect([callback.status, (await callback.text()).includes(none)]).toEqual([403, true]);
    return 'decline';
  });
});

it('says that the issuer does not answer, where it does not', async () => {
  const port = await freePort();
  await ownServer(['--port', String(port)], {
    ...{ BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: `http://127.0.0.1:${await freePort()}` },
    ...{ BILLING_HTTP_PUBLIC_URL: `http://127.0.0.1:${port}/mcp`, BILLING_OAUTH_CLIENT_ID: 'approvals' },
  });
  const browser = await signIn(`http://127.0.0.1:${port}/approve/${'A'.repeat(22)}`);
  expect([browser.status, browser.html.includes('The authorization server is not responding.')]).toEqual([503, true]);
});

it('sends nobody from a form to the issuer, which browsers refuse: whose sign-in has ended reads so', async () => {
  await callAs('anna', async ({ url }) => {
    const { origin } = new URL(url!);
    const body = new URLSearchParams({ decision: 'approve', proof: 'x' });
    const answer = await fetch(url!, { method: 'POST', body, headers: { origin }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([401, null]);
    expect(await answer.text()).toContain('Your sign-in has ended');
    return 'decline';
  });
});

it('is not offered without a client id: the question comes in the next way, with a token for the assistant', async () => {
  const port = await freePort();
  const other = await ownServer(['--port', String(port)], {
    BILLING_ASK: 'url,form,buttons,token',
    ...{ BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer.url, BILLING_HTTP_PUBLIC_URL: publicUrl },
  });
  const { result, client } = await callAs('anna', async () => 'accept', other.url);
  expect(client.asked).toEqual([]);
  expect(result.structuredContent).toMatchObject({ confirmation_required: { confirmation: expect.any(String) } });
});

it('with roles, is decided in the role of the call: not in another one of the same person, and not without any', async () => {
  writeFileSync(path, '{ "roles": { "seller": {}, "reader": { "read_only": true } } }');
  const port = await freePort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const env = { BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer.url, BILLING_HTTP_PUBLIC_URL: resource };
  const other = await ownServer(['--port', String(port)], {
    ...{ ...env, BILLING_OAUTH_CLIENT_ID: 'approvals', BILLING_ROLES: path },
  });
  const shown: [number, string][] = [];
  const open = async (url: string, claims: object) => {
    tokenClaims = { aud: resource, ...claims };
    const browser = await signIn(url);
    shown.push([browser.status, browser.html]);
    return browser;
  };
  const decide = async ({ url }: Asked) => {
    await open(url!, { billing_role: 'reader' });
    await open(url!, {});
    await (await open(url!, { billing_role: 'seller' })).submit({ decision: 'approve' });
    return 'accept' as const;
  };
  const { result } = await callAs('anna', decide, other.url, { aud: resource, billing_role: ['staff', 'seller'] });
  expect(confirmedBy(result)).toBe('person');
  expect(shown.map(([status]) => status)).toEqual([403, 403, 200]);
  expect(shown[0]![1]).toContain('signed in with a different role');
  expect(shown[1]![1]).toContain('this access token names none');
});
