/** Roles over HTTP: where they come from, what is refused without one, and what each caller is shown. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AccessRoles, createAccess } from '../../../src/calls/access/access.ts';
import { readRoles } from '../../../src/calls/access/roles/file.ts';
import { toolList } from '../../../src/calls/access/tool-list.ts';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { approvalPageOffer, confirmTextWith } from '../../../src/server/http/approve/offer.ts';
import { settingsFrom } from '../../../src/server/http/configure.ts';
import type { OAuthSettings } from '../../../src/server/http/settings.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import type { ConfigError } from '../../../src/server/settings/settings.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { Browser, confirmedBy, connectOpening, errorCode } from './support/approve.ts';
import { type Issuer, startIssuer } from './support/issuer.ts';
import { endProcess, type Machine, startMachine } from './support/machines.ts';
import { callLegacy, callModern, planCodes, requestLegacy } from './support/messages.ts';
import { ownServer } from './support/serve.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

const folder = temporaryFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const rolesPath = file(
  'roles.jsonc',
  `{ "roles": {
    "reader": { "read_only": true },
    // Prices up to fifty dollars.
    "seller": { "toolsets": ["add_ons", "customers"], "max_amount": "USD:50" },
    "one": { "customers": ["${demoIds.external_customer_id}"] },
    "acme": { "customers": ["acme"], "mask": ["email"] },
  } }`,
);
const names = toolDefinitions.map(({ name }) => name);
const roles = readRoles(rolesPath, names);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
afterEach(stopTiny);

describe('a token of the list', () => {
  const [one, two, three] = ['token-of-the-desk-0001', 'token-of-the-shop/=0002', 'token-of-nobody-00003'];
  const env = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key', BILLING_HTTP_AUTH: 'token' };
  const tokensIn = (settings: Record<string, string>, known = roles) =>
    settingsFrom(loadConfig(['--http'], { ...env, ...settings }).config, known).tokens;
  const lines = `desk:${one} role=reader\n${two}\t role=seller\n# old\nnobody:${three}\n`;

  it('has its role behind it, in the file and in the variable', () => {
    const expected = [
      { name: 'desk', token: one, role: 'reader' },
      { name: '#2', token: two, role: 'seller' },
      { name: 'nobody', token: three, role: undefined },
    ];
    const set = { BILLING_ROLES: rolesPath };
    expect(tokensIn({ ...set, BILLING_HTTP_TOKENS_FILE: file('tokens', lines) })).toEqual(expected);
    const list = `desk:${one} role=reader,${two} role=seller,nobody:${three}`;
    expect(tokensIn({ ...set, BILLING_HTTP_TOKENS: list })).toEqual(expected);
  });

  it.each([
    ['a role that is not in the file', `${one} role=raeder`, roles, /^Bearer token 1: .*"raeder".*reader\?$/],
    ['a role like no other', `${one} role=chef`, roles, /"chef" in BILLING_ROLES.*reader, seller, one, acme\.$/],
    ['a role without a file of roles', `${one} role=reader`, undefined, /but BILLING_ROLES is not set/],
    ['anything else behind the token', `${one} reader`, roles, /must have at least 16 letters/],
  ])('stops the start with %s', (_, line, known, problem) => {
    const settings = { ...env, ...(known && { BILLING_ROLES: rolesPath }), BILLING_HTTP_TOKENS: line };
    const { config } = loadConfig(['--http'], settings);
    let problems: readonly string[] = [];
    try {
      settingsFrom(config, known);
    } catch (error) {
      problems = (error as ConfigError).problems;
    }
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems.join()).not.toContain(one);
  });

  it('without a role is refused with 403 and a code, before the protocol', async () => {
    const tiny = await startTiny({ auth: 'token', tokens: [{ name: 'desk', token: one }], roles });
    const answer = await send(tiny.url, callOf(), bearer(one));
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: -32000, data: { code: 'role_missing' } });
    // Another token with the same scopes would not help: nothing invites the client to sign in again.
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(tiny.callers).toEqual([]);
  });
});

describe('the settings', () => {
  const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key' };
  it.each<[Record<string, string>, RegExp]>([
    [{ BILLING_ROLES: rolesPath }, /^BILLING_ROLES needs --http with BILLING_HTTP_AUTH=token/],
    [{ BILLING_ROLES: rolesPath, BILLING_HTTP_AUTH: 'none' }, /^BILLING_ROLES needs --http with/],
  ])('%o stop the start', (env, problem) => {
    expect(() => loadConfig(['--http'], { ...account, ...env })).toThrow(problem);
  });

  // A page proves a person with OAuth alone, and without pages the token is left.
  it.each([
    ['token', {}, 'url,link,token', 'link', 'page,person'],
    ['token', {}, 'url,buttons,token', 'link', 'person'],
    ['token', { publicUrl: undefined }, 'url,link,token', undefined, 'host,link,page,person'],
    ['oauth', {}, 'url', 'person', ''],
    ['token', {}, 'form', 'link', ''],
  ] as const)('with %s, %o and BILLING_ASK=%s name the roles that cannot write', (auth, more, ask, by, named) => {
    const oauth = { client: { id: 'c', secret: undefined } } as OAuthSettings;
    const usual = { auth, host: '0.0.0.0', publicUrl: 'https://example.com/mcp', oauth };
    const offer = approvalPageOffer({ ...usual, ...more });
    expect('by' in offer ? offer.by : undefined).toBe(by);
    const roleNames = ['host', 'link', 'page', 'person', 'policy'] as const;
    const byProof: AccessRoles = new Map(roleNames.map(proof => [proof, { access: { readOnly: false, proof } }]));
    const { config } = loadConfig([], { ...account, BILLING_ASK: ask });
    const sentence = /these roles, so they cannot write: ([\w, ]+)\./;
    const found = sentence.exec(confirmTextWith(config, offer, byProof))?.[1] ?? '';
    expect(found.replaceAll(', ', ',')).toBe(named);
    expect(confirmTextWith({ ...config, readOnly: true }, offer, byProof)).not.toMatch(sentence);
  });

  it('of roles for a program that serves one person over stdio stop its start', () => {
    const env = { BILLING_ROLES: rolesPath, BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: 'a'.repeat(20) };
    const { config } = loadConfig([], { ...account, ...env });
    expect(() => createRuntime({ config })).toThrow(/^BILLING_ROLES is only for HTTP/);
  });
});

describe('an access token', () => {
  const publicUrl = 'https://billing-mcp.example.com/mcp';
  let issuer: Issuer;
  beforeAll(async () => {
    issuer = await startIssuer(publicUrl);
  });
  afterAll(() => issuer.close());

  const ask = async (claims: object, roleClaim = 'billing_role') => {
    const oauth = { issuer: issuer.url, audience: publicUrl, roleClaim };
    const tiny = await startTiny({ ...{ auth: 'oauth', publicUrl, oauth, roles } });
    const answer = await send(tiny.url, callOf(), bearer(await issuer.token(claims as never)));
    return { status: answer.status, code: answer.body.error?.data?.code, caller: tiny.callers[0] };
  };

  it.each<[object, string]>([
    [{ billing_role: 'reader' }, 'reader'],
    [{ billing_role: ['reader'] }, 'reader'],
    [{ billing_role: ['everybody', 'seller', 'seller'] }, 'seller'],
  ])('with %o admits its caller as %s', async (claims, role) => {
    const { status, caller } = await ask(claims);
    expect(status).toBe(200);
    expect(caller).toMatchObject({ role, id: expect.stringMatching(new RegExp(`^user_[\\w-]{22}/${role}$`)) });
  });

  it('binds and masks as the role says', async () => {
    const { caller } = await ask({ billing_role: 'acme' });
    const { customers, hidden } = createAccess({ readOnly: false }, toolList, roles)(caller!);
    expect([customers, [...hidden!]]).toEqual([['acme'], ['email']]);
  });

  it('names the role in the claim that the file says', async () => {
    const claim = 'https://example.com/groups';
    const path = file('claim.jsonc', JSON.stringify({ claim, roles: { seller: {} } }));
    const env = { ...{ BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer.url }, BILLING_ROLES: path };
    const { config } = loadConfig(['--http', '--demo', '--public-url', publicUrl], env);
    expect(settingsFrom(config, readRoles(path, names)).oauth?.roleClaim).toBe(claim);
    expect(settingsFrom(config, roles).oauth?.roleClaim).toBe('billing_role');
    expect((await ask({ [claim]: 'seller', billing_role: 'reader' }, claim)).caller?.role).toBe('seller');
  });

  it.each<[object, string]>([
    [{}, 'role_missing'],
    [{ billing_role: [] }, 'role_missing'],
    [{ billing_role: null }, 'role_missing'],
    [{ billing_role: 'Reader' }, 'role_unknown'],
    [{ billing_role: 'reader seller' }, 'role_unknown'],
    [{ billing_role: 7 }, 'role_unknown'],
    [{ billing_role: { name: 'reader' } }, 'role_unknown'],
    [{ billing_role: ['everybody'] }, 'role_unknown'],
    [{ billing_role: ['reader', 'seller'] }, 'role_ambiguous'],
  ])('with %o is refused: %s', async (claims, code) => {
    expect(await ask(claims)).toEqual({ status: 403, code, caller: undefined });
  });
});

describe('a server with roles, in a process of its own', () => {
  const [reader, seller, none] = ['token-of-the-reader-1', 'token-of-the-seller-1', 'token-of-nobody-00001'];
  const one = 'token-of-one-customer';
  let server: Machine;
  beforeAll(async () => {
    server = await startMachine(['--demo', '--confirm', 'never'], {
      ...{ BILLING_HTTP_AUTH: 'token', BILLING_ROLES: rolesPath },
      BILLING_HTTP_TOKENS: `r:${reader} role=reader,s:${seller} role=seller,${none},o:${one} role=one`,
    });
  });
  afterAll(() => endProcess(server.process, 'SIGTERM'));

  const as = (token: string) => ({ headers: bearer(token) });
  const list = async (token: string) => {
    const { result } = await requestLegacy(server.url, 'tools/list', {}, as(token));
    return result.tools as { name: string; annotations: { readOnlyHint: boolean } }[];
  };

  it('shows each caller its tools', async () => {
    const [forReader, forSeller] = [await list(reader), await list(seller)];
    expect(forReader).toHaveLength(29);
    expect(forReader.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
    const addOnsAndCustomers =
      /^get_customer,get_customer_portal_url,update_add_on,delete_add_on,find_cu\w+,get_cu\w+$/;
    expect(forSeller.map(({ name }) => name).join()).toMatch(addOnsAndCustomers);
    expect((await requestLegacy(server.url, 'tools/list', {}, as(none))).status).toBe(403);
  });

  it.each([
    ['the older protocol', callLegacy],
    ['the stateless protocol', callModern],
  ])('carries out for each what its role allows, in %s', async (_, call) => {
    const price = (amount: number) => ({
      ...{ code: 'onboarding', amount_cents: amount * 100 - Math.ceil(Math.random() * 90), amount_currency: 'USD' },
    });
    const told = async (token: string, tool: string, args: object) => {
      const { result } = await call(server.url, tool, args, as(token));
      return result.isError ? errorCode(result) : 'done';
    };
    expect(await told(reader, 'list_plans', {})).toBe('done');
    expect(await told(seller, 'list_plans', {})).toBe('tool_not_offered');
    expect(await told(reader, 'update_add_on', price(20))).toBe('read_only');
    expect(await told(seller, 'update_add_on', price(20))).toBe('done');
    expect(await told(seller, 'update_add_on', price(60))).toBe('amount_limit');
  });

  it('shows a role that is bound to customers nobody else', async () => {
    const found = async (token: string) => {
      const { result } = await callLegacy(server.url, 'find_customers', {}, as(token));
      return result.structuredContent.customers as { external_id: string }[];
    };
    const everybody = await found(reader);
    expect(await found(one)).toEqual(
      everybody.filter(({ external_id }) => external_id === demoIds.external_customer_id),
    );
    const other = everybody.find(({ external_id }) => external_id !== demoIds.external_customer_id)!;
    const read = await callLegacy(server.url, 'get_customer', { external_customer_id: other.external_id }, as(one));
    expect(errorCode(read.result)).toBe('customer_not_found');
  });

  it('keeps resources, completion and prompts to the role too', async () => {
    const read = (token: string) =>
      requestLegacy(server.url, 'resources/read', { uri: 'billing://plans/studio' }, as(token));
    expect((await read(reader)).result.contents).toHaveLength(1);
    expect((await read(seller)).body.error.message).toMatch(/not available to this caller/);
    const complete = async (token: string) =>
      (await requestLegacy(server.url, 'completion/complete', planCodes, as(token))).result.completion.values;
    expect([(await complete(reader)).length > 0, await complete(seller)]).toEqual([true, []]);
  });

  it('names the role in the log, and no token', () => {
    const log = server.lines.join('\n');
    expect(log).toContain('"caller":"token_r/reader"');
    for (const token of [reader, seller, none]) expect(log).not.toContain(token);
  });
});

describe('a question on a page', () => {
  const [anna, bert, none] = ['token-of-anna-0000001', 'token-of-bert-0000001', 'token-of-nobody-00001'];
  it('is decided by who asks, in the same role, and by nobody without one', async () => {
    const server = await ownServer([], {
      ...{ BILLING_HTTP_AUTH: 'token', BILLING_ROLES: rolesPath },
      BILLING_HTTP_TOKENS: `anna:${anna} role=seller,bert:${bert} role=reader,nobody:${none}`,
    });
    const seen: [number, string][] = [];
    const signIn = async (url: string, token: string) => {
      const browser = await new Browser().open(url);
      await browser.submit({ credential: token });
      seen.push([browser.status, browser.html]);
      return browser;
    };
    const person = async ({ url }: { url?: string }) => {
      await signIn(url!, bert);
      await signIn(url!, none);
      await (await signIn(url!, anna)).submit({ decision: 'approve' });
      return 'accept' as const;
    };
    const client = await connectOpening(server.url, 'modern', person, { headers: bearer(anna) });
    const result = await client.call('update_add_on', { code: 'onboarding', amount_cents: 4_321 });
    expect(confirmedBy(result)).toBe('link');
    expect(seen.map(([status]) => status)).toEqual([403, 403, 200]);
    expect(seen[0]![1]).toContain('This question is for someone else.');
    expect(seen[1]![1]).toContain('this bearer token names none');
    expect(seen[2]![1]).toContain('token anna, in the role seller');
  });
});
