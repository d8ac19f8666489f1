import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { version } from '../../../src/lib/version.ts';
import { check as checkHere } from '../../../src/server/commands/check.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { answersWith, type Listening, listening } from '../../support/listening.ts';
import { freePort } from '../../support/ports.ts';
import { environment, key } from '../../support/settings.ts';
import { type Ended, run } from './program.ts';

const folder = temporaryFolder();
let api: Listening;
let url: string;
let answer: RequestListener;
let requests: { method: string | undefined; url: string | undefined; authorization: string | undefined }[];

beforeAll(async () => {
  api = await listening((request, response) => {
    const { method, url: path, headers } = request;
    requests.push({ method, url: path, authorization: headers.authorization });
    answer(request, response);
  });
  ({ url } = api);
});
beforeEach(() => {
  requests = [];
});
afterAll(() => api.close());

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answersWith(JSON.stringify(body), status)(request, response);
  };
const plans = json(200, { plans: [], meta: {} });

type Told = Pick<Ended, 'code' | 'stdout'>;

/** The command in this process. */
async function check(env: Record<string, string>, ...flags: string[]): Promise<Told> {
  let stdout = '';
  const code = await checkHere(flags, env, line => {
    stdout += `${line}\n`;
  });
  return expectSafe({ code, stdout });
}

/** The built program. */
async function runCheck(env: Record<string, string>, ...flags: string[]): Promise<Told> {
  const ended = await run(['check', ...flags], env);
  expect(ended.stderr).toBe('');
  return expectSafe(ended);
}

function expectSafe(told: Told): Told {
  expect(told.stdout).toContain(`usage-billing-mcp ${version}`);
  expect(told.stdout).not.toContain(key);
  return told;
}

describe('check', () => {
  it('reports each step, and ends with 1 where nothing but plans answers', async () => {
    answer = plans;
    const { code, stdout } = await runCheck(environment(`${url}/billing/api/v1/`));
    expect(stdout.split('\n').slice(1, 7)).toEqual([
      expect.stringMatching(/^✓ Configuration: 127\.0\.0\.1:\d+, with a key$/),
      '✓ Name: 127.0.0.1 is 127.0.0.1',
      expect.stringMatching(/^✓ Connection: response within \d+ ms/),
      '✓ Clock: in sync with the service',
      expect.stringContaining('✓ Key: accepted'),
      expect.stringContaining('! ID prefix: '),
    ]);
    expect(code).toBe(1);
    expect(requests[0]).toEqual({
      method: 'GET',
      url: '/billing/api/v1/plans?page=1&per_page=1',
      authorization: `Bearer ${key}`,
    });
    expect(requests.filter(({ url: path }) => !path?.startsWith('/billing/api/v1/'))).toEqual([]);
  });

  it('takes the address from a flag too', async () => {
    answer = plans;
    const { stdout } = await check({ BILLING_API_KEY: key }, '--base-url', url);
    expect(stdout).toContain('✓ Key: accepted');
  });

  const answers: [what: string, answer: RequestListener, said: RegExp][] = [
    ['a wrong key', json(401, { status: 401, error: 'Unauthorized' }), /✗ Key: refused \(401\).*BILLING_API_KEY/],
    [
      'a key without permission',
      json(403, { status: 403, error: 'Forbidden', code: 'read_action_not_allowed_for_plan' }),
      /! Key: it cannot read plans[\s\S]*✗ list_plans +refused: the key lacks “read plan”/,
    ],
    [
      'an address that answers with a page',
      (_request, response) => {
        response.setHeader('content-type', 'text/html').end(`<!doctype html><p>${key}</p>`);
      },
      /✗ Interface: .*an HTML page instead[\s\S]*This is a web page/,
    ],
    [
      'another interface',
      json(200, { hello: 'world' }),
      /✗ Interface: .*not with a list of plans[\s\S]*Another service listens there/,
    ],
    [
      'a wrong path',
      json(404, { status: 404, code: 'resource_not_found' }),
      /✗ Interface: .*404.*\n.*[Ss]et BILLING_BASE_URL/,
    ],
    [
      'a redirect',
      json(301, {}, { location: 'https://a.example' }),
      /✗ Interface: .*301.*\n.*It redirects to https:\/\/a\.example/,
    ],
    ['a service that fails', json(500, {}), /✗ Interface: .*500.*\n.*Check its logs/],
    ['a connection that breaks', request => void request.socket.destroy(), /✗ Answer: the connection broke/],
  ];
  it.each(answers)('explains %s, and ends with 1', async (what, given, said) => {
    answer = given;
    const { code, stdout } = await check(environment(url));
    expect(stdout).toMatch(said);
    expect(stdout).not.toContain('Everything is right');
    expect(stdout.includes('reads and computations')).toBe(what === 'a key without permission');
    expect(code).toBe(1);
  });

  it.each<[what: string, address: () => Promise<string>, said: RegExp, answer?: RequestListener]>([
    ['a service that does not answer, and how long it waited', async () => url, /✗ Answer: .*limit 0\.3 s/, () => {}],
    [
      'a host that does not exist',
      async () => 'https://no-such-host.invalid',
      /✗ Name: no-such-host\.invalid .*\(E\w+\)/,
    ],
    [
      'an address where nothing listens',
      async () => `http://127.0.0.1:${await freePort()}`,
      /✗ Connection: .*ECONNREFUSED[\s\S]*Nothing listens at 127/,
    ],
  ])('names %s', async (_, address, said, given = plans) => {
    answer = given;
    const { code, stdout } = await check(environment(await address(), { BILLING_TIMEOUT_MS: '300' }));
    expect(stdout).toMatch(said);
    expect(code).toBe(1);
  });

  it('reports a connection that is not secure although it should be, and what to set', async () => {
    answer = plans;
    const { code, stdout } = await check(environment(url.replace('http:', 'https:')));
    expect(stdout).toMatch(/✗ TLS: no secure connection/);
    expect(stdout).toContain(`http. Set BILLING_BASE_URL=${url}.`);
    expect(code).toBe(1);
    expect(requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('notices a wrong clock, and goes on', async () => {
    answer = json(200, { plans: [] }, { date: new Date(Date.now() - 3_600_000).toUTCString() });
    const { stdout } = await check(environment(url));
    expect(stdout).toMatch(/! Clock: this machine is 36\d\d s ahead[\s\S]*✓ Key: accepted/);
  });

  it('asks for missing settings, and explains contradictory ones', async () => {
    const nothing = await runCheck({});
    expect(nothing.stdout).toMatch(/✗ Configuration: set BILLING_BASE_URL and BILLING_API_KEY/);
    expect(nothing.code).toBe(1);
    const half = await runCheck({ BILLING_API_KEY: key });
    expect(half.stdout).toMatch(/✗ Configuration: BILLING_API_KEY is set without BILLING_BASE_URL/);
    expect(half.code).toBe(2);
    const slip = await runCheck({}, '--demoo');
    expect(slip.stdout).toContain('--demoo. Did you mean --demo?');
    expect(slip.code).toBe(2);
  });

  it('tries the embedded service with --demo', async () => {
    const { code, stdout } = await check({}, '--demo');
    expect(stdout).toContain('✓ Configuration: the sandbox, with the demo account\n');
    expect(stdout).toMatch(/lookups answer; \d+ writes not tested\.\n/);
    expect(code).toBe(0);
  });

  it('says why the embedded service does not start', async () => {
    const { code, stdout } = await check({}, '--demo', '--account', '/no/file.json');
    expect(stdout).toMatch(/✗ Configuration: .*\/no\/file\.json cannot be read/);
    expect(code).toBe(2);
  });

  it('tries whether the audit log can be written', async () => {
    const { code, stdout } = await check(environment(url), '--audit-log', '/no/audit.jsonl');
    expect(stdout).toMatch(/✗ Configuration: BILLING_AUDIT_LOG \(--audit-log\) cannot be written/);
    expect(code).toBe(2);
    expect(requests).toEqual([]);
  });

  it('names the limits of amounts, where the day is counted, and the settings as audit lines name them', async () => {
    answer = plans;
    const log = join(folder, 'audit.jsonl');
    const limits = { BILLING_MAX_AMOUNT: 'USD:10', BILLING_MAX_AMOUNT_PER_DAY: 'USD:50', BILLING_AUDIT_LOG: log };
    const told = async (more: Record<string, string>) =>
      (await check(environment(url, { ...limits, ...more }))).stdout.split('\n').slice(1, 4);
    const [most, day, audit] = await told({});
    expect(most).toBe('✓ Largest amount per write: USD:10');
    expect(day).toContain('USD:50, counted from the audit log');
    const line = /^✓ Audit log: \S+, sealed with hashes; its entries refer to these settings as ([\da-f]{32})$/;
    const digest = line.exec(audit!)?.[1];
    const withKey = await told({ BILLING_AUDIT_KEY: 'audit-key-of-the-tests-0123456789' });
    // A secret is no part of the digest, and another limit is.
    expect(withKey[2]).toMatch(new RegExp(`sealed with HMACs of BILLING_AUDIT_KEY; .* ${digest}$`));
    expect((await told({ BILLING_MAX_AMOUNT: 'USD:11' }))[2]).not.toContain(digest);
    const [, shared] = await told({ BILLING_REDIS_URL: 'redis://127.0.0.1:1' });
    expect(shared).toContain('USD:50, counted in Redis');
  });

  const token = 'token-of-the-desk-0001';
  /** With a file of roles, and these bearer tokens. */
  function checkRoles(text: string, tokens: string): Promise<Told> {
    const file = join(folder, 'roles.jsonc');
    writeFileSync(file, text);
    const http = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: tokens };
    return check(environment(url, { ...http, BILLING_ROLES: file }));
  }

  it('reads the file of roles, and says what each role may use or what is wrong', async () => {
    answer = plans;
    const checkWith = (text: string) => checkRoles(text, `desk:${token} role=reader,old:${token}2`);
    const right = await checkWith(
      '{ "roles": { "reader": { "read_only": true }, "shop": { "toolsets": ["add_ons"], "max_amount_per_day": "USD:5", "confirm": "money=always" } } }',
    );
    expect(right.stdout.split('\n').slice(1, 4)).toEqual([
      '✓ Role reader: 29 tools, including 0 writes',
      '✓ Role shop: 2 tools, including 2 writes, at most USD:5 per UTC day, confirmed at least by money=always',
      '! Bearer tokens without a role (refused): old',
    ]);
    expect(right.stdout).toContain('✓ Key: accepted');
    expect(right.stdout).toContain('UTC day: by role');
    const wrong = await checkWith('{ "roles": { "reader": { "toolset": [] } } }');
    expect(wrong.stdout).toMatch(/roles\.jsonc, line 1: role reader: .*"toolset"/);
    const other = await checkWith('{ "roles": { "raeder": {} } }');
    expect(other.stdout).toMatch(/Bearer token 1: .*"reader"/);
    expect([wrong.code, other.code, (wrong.stdout + other.stdout).includes(token)]).toEqual([2, 2, false]);
  });

  it('tells of no bearer token without a role where each has one', async () => {
    answer = plans;
    const { stdout } = await checkRoles('{ "roles": { "reader": {} } }', `desk:${token} role=reader`);
    expect(stdout).toContain('✓ Role reader: ');
    expect(stdout).not.toContain('without a role');
  });
});
