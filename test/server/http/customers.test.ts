/** Customer tokens over HTTP: where they are sent, what they bind, what is refused, and what still works without one. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { Unbound } from '../../../src/definition/refusals/access.ts';
import { customerKey, customerToken, tampered } from '../../support/customer-tokens.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { answersWith, listening } from '../../support/listening.ts';
import { both, places } from './support/customers.ts';
import { type CallOptions, callLegacy, callModern, initialize, planCodes, requestLegacy } from './support/messages.ts';
import { ownServer, sharedServer } from './support/serve.ts';

const credential = 'token-of-the-desk-0001';
const desk: CallOptions = { headers: { authorization: `Bearer ${credential}` } };
const env = {
  BILLING_HTTP_AUTH: 'token',
  BILLING_HTTP_TOKENS: `desk:${credential}`,
  BILLING_CUSTOMER_TOKEN_KEY: customerKey,
};
const eras = { modern: callModern, older: callLegacy };
const sent: string[] = [];
const folder = temporaryFolder();
// No user is there to open a link, for which a call would wait.
const server = sharedServer(['--confirm', 'always', '--ask', 'form,token'], {
  ...env,
  BILLING_AUDIT_LOG: join(folder, 'audit.jsonl'),
});
let acme: string;
let globex: string;

beforeAll(async () => {
  acme = await customerToken(demoIds.external_customer_id);
  globex = await customerToken('globex');
  sent.push(acme, globex);
});
beforeEach(() => {
  server.viewers.length = 0;
});

const codeOf = ({ result }: { result: { structuredContent: { error?: { code: string } } } }) =>
  result.structuredContent.error?.code ?? 'ok';

describe.each(Object.entries(places))('a customer token in %s', (_place, put) => {
  describe.each(Object.entries(eras))('of a client of the %s protocol', (_era, call) => {
    const plans = (token: string) => call(server.url, 'list_plans', {}, both(desk, put(token)));

    it('binds the call to its customers, under an id of their own', async () => {
      expect(codeOf(await plans(acme))).toBe('ok');
      expect(server.viewers).not.toEqual([]);
      for (const viewer of server.viewers) {
        expect(viewer).toEqual({
          id: expect.stringMatching(/^token_desk~[\w-]{16}$/),
          customers: [demoIds.external_customer_id],
        });
      }
    });

    it('that is not accepted refuses the call before anything is sent, and is not repeated', async () => {
      const seconds = Math.floor(Date.now() / 1000);
      const refused: [Promise<string>, RegExp][] = [
        [customerToken('acme', { expires: seconds - 60 }), /has expired/],
        [customerToken('acme', { notBefore: seconds + 60 }), /is not valid yet/],
        [customerToken('acme', { expires: seconds + 7200 }), /more than an hour/],
        [customerToken({ secret_claim: 'hooli' }), /billing_customer/],
        [customerToken('acme', { key: 'x'.repeat(40) }), /is not valid here/],
        [Promise.resolve(tampered(acme, 'globex')), /is not valid here/],
        [Promise.resolve('made-up'), /is not valid here/],
      ];
      for (const [made, reason] of refused) {
        const token = await made;
        sent.push(token);
        const answer = await plans(token);
        expect([answer.status, codeOf(answer)]).toEqual([200, 'binding_needed']);
        expect(answer.result.structuredContent.summary).toMatch(reason);
        expect(JSON.stringify(answer.body)).not.toMatch(/hooli/);
        if (token.length > 20) expect(JSON.stringify(answer.body)).not.toContain(token);
      }
      expect(server.viewers).toEqual([]);
    });
  });
});

describe('a request with several bindings', () => {
  it('is bound to the customers that all of them name', async () => {
    const inHeader = await customerToken(['globex', 'hooli', 'initech']);
    const inMeta = await customerToken(['initech', 'globex', 'acme']);
    await callModern(server.url, 'list_plans', {}, both(desk, places.header(inHeader), places._meta(inMeta)));
    expect(server.viewers.map(({ customers }) => customers)).toContainEqual(['globex', 'initech']);
    expect(new Set(server.viewers.map(({ id }) => id)).size).toBe(1);
  });

  it('is refused when one of them is not accepted', async () => {
    for (const options of [
      both(desk, places.header(acme), places._meta('made-up')),
      both(desk, places.header('made-up'), places._meta(acme)),
    ]) {
      expect(codeOf(await callLegacy(server.url, 'list_plans', {}, options))).toBe('binding_needed');
    }
    expect(server.viewers).toEqual([]);
  });

  it('stays within the customers of the configuration', async () => {
    const own = await ownServer([], { ...env, BILLING_CUSTOMER: 'globex,hooli' });
    const token = await customerToken(['acme', 'hooli']);
    expect(codeOf(await callLegacy(own.url, 'list_plans', {}, both(desk, places.header(token))))).toBe('ok');
    expect(own.viewers.map(({ customers }) => customers)).toContainEqual(['hooli']);
    expect(codeOf(await callLegacy(own.url, 'list_plans', {}, desk))).toBe('binding_needed');
  });
});

describe('a client that sends no customer token', () => {
  it('connects, lists tools, and learns from each call what is missing', async () => {
    const opened = await requestLegacy(server.url, 'initialize', initialize.params, desk);
    expect(opened.result.serverInfo.name).toBe('usage-billing-mcp');
    expect((await requestLegacy(server.url, 'ping', {}, desk)).result).toEqual({});
    const { tools } = (await requestLegacy(server.url, 'tools/list', {}, desk)).result;
    expect(tools.map(({ name }: { name: string }) => name)).toContain('get_customer');
    for (const call of Object.values(eras)) {
      const named = { external_customer_id: demoIds.external_customer_id };
      const { result } = await call(server.url, 'get_customer', named, desk);
      expect(result).toMatchObject({
        isError: true,
        structuredContent: {
          summary: expect.stringContaining('has no customer token'),
          error: { code: 'binding_needed', changed: false, hint: expect.stringContaining('X-Billing-Customer-Token') },
        },
      });
    }
  });

  it('sees the same list of tools as one that sends one', async () => {
    const listed = async (options: CallOptions) => (await requestLegacy(server.url, 'tools/list', {}, options)).result;
    expect(await listed(desk)).toEqual(await listed(both(desk, places._meta(acme))));
    expect(await listed(desk)).toEqual(await listed(both(desk, places.header(acme))));
  });

  it('reads no resource of the account, completes nothing and gets no prompt, and reads what is no account data', async () => {
    const read = (uri: string) => requestLegacy(server.url, 'resources/read', { uri }, desk);
    for (const uri of [
      'billing://plans',
      `billing://customers/${demoIds.external_customer_id}`,
      `billing://customers/${demoIds.external_customer_id}/overview`,
    ]) {
      expect((await read(uri)).body.error.message, uri).toMatch(/has no customer token/);
    }
    expect((await read('billing://errors')).result.contents[0].text).toContain('binding_needed');
    const completed = await requestLegacy(server.url, 'completion/complete', planCodes, desk);
    expect(completed.result.completion.values).toEqual([]);
    const prompt = { name: 'customer_briefing', arguments: { external_customer_id: 'acme' } };
    expect((await requestLegacy(server.url, 'prompts/get', prompt, desk)).body.error.message).toMatch(
      /has no customer token/,
    );
    expect(server.viewers).toEqual([]);
  });
});

describe.each(Object.entries(places))('with a customer token in %s', (_place, put) => {
  it('resources, completion and prompts are bound as tools are', async () => {
    const options = both(desk, put(acme));
    const plans = await requestLegacy(server.url, 'resources/read', { uri: 'billing://plans' }, options);
    expect(plans.result.contents[0].text).toContain('"plans"');
    const completed = await requestLegacy(server.url, 'completion/complete', planCodes, options);
    expect(completed.result.completion.values.length).toBeGreaterThan(0);
    const prompt = async (name: string) =>
      (await requestLegacy(server.url, 'prompts/get', { name, arguments: { external_customer_id: 'x' } }, options))
        .body;
    expect((await prompt('customer_briefing')).result.messages.length).toBeGreaterThan(0);
    expect((await prompt('chase_overdue_invoices')).error.message).toMatch(/^Unknown prompt "chase_overdue_invoices"/);
    const bound = new Set(server.viewers.map(({ customers }) => String(customers)));
    expect([...bound]).toEqual([demoIds.external_customer_id]);
  });
});

describe('of two conversations under one credential', () => {
  const update = { svc_id: demoIds.wallet_svc_id, name: 'Mine' };

  it('neither can use a confirmation that the other was given', async () => {
    const first = await callLegacy(server.url, 'update_wallet', update, both(desk, places.header(acme)));
    const { confirmation } = first.result.structuredContent.confirmation_required;
    const confirmed = { ...update, confirmation };
    const stolen = await callLegacy(server.url, 'update_wallet', confirmed, both(desk, places.header(globex)));
    expect(codeOf(stolen)).not.toBe('ok');
    expect(stolen.result.structuredContent.error.changed).toBe(false);
    expect(codeOf(await callLegacy(server.url, 'update_wallet', confirmed, desk))).toBe('binding_needed');
    const renewed = await customerToken(demoIds.external_customer_id, { expires: Math.floor(Date.now() / 1000) + 90 });
    const own = await callLegacy(server.url, 'update_wallet', confirmed, both(desk, places._meta(renewed)));
    expect(codeOf(own)).toBe('ok');
  });

  it("neither can answer the other's question", async () => {
    const asking = { capabilities: { elicitation: {} } };
    const plan = { ...update, name: 'Asked' };
    const question = await callModern(server.url, 'update_wallet', plan, both(desk, places._meta(acme), asking));
    const answered = { state: question.result.requestState, action: 'accept' as const };
    const answer = (...options: CallOptions[]) =>
      callModern(server.url, 'update_wallet', plan, { ...both(desk, asking, ...options), answered });
    expect(codeOf(await answer())).toBe('binding_needed');
    expect((await answer(places._meta(globex))).result.structuredContent.error.changed).toBe(false);
    expect(codeOf(await answer(places._meta(acme)))).toBe('ok');
  });

  it('requests count together: the limit is that of the credential', async () => {
    const own = await ownServer(['--rate-limit', '3'], env);
    const statuses = [];
    for (const token of ['acme', 'globex', 'hooli', 'initech']) {
      const options = both(desk, places.header(await customerToken(token)));
      statuses.push((await callLegacy(own.url, 'list_plans', {}, options)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

it('callers with their own billing key count by the key once the billing API has accepted it', async () => {
  const api = await listening(answersWith('{"plans":[],"meta":{}}'));
  onTestFinished(api.close);
  const account = { BILLING_BASE_URL: api.url, BILLING_CUSTOMER_TOKEN_KEY: customerKey };
  const own = await ownServer(['--rate-limit', '2'], { BILLING_HTTP_AUTH: 'api-key', ...account });
  const status = async (key: string) => {
    const headers = { 'x-billing-api-key': key, ...places.header(acme).headers };
    return (await callLegacy(own.url, 'list_plans', {}, { headers })).status;
  };
  // The first request counts for the address, the others for the key: three in all, where two are allowed of each.
  expect([await status('key-one'), await status('key-one'), await status('key-one')]).toEqual([200, 200, 200]);
});

it('no token is in the log, the audit log, the metrics or an answer', async () => {
  for (const [at, put] of Object.values(places).entries()) {
    const change = { svc_id: demoIds.wallet_svc_id, priority: at + 3 };
    const set = (more: object) =>
      callLegacy(server.url, 'update_wallet', { ...change, ...more }, both(desk, put(acme)));
    const { confirmation } = (await set({})).result.structuredContent.confirmation_required;
    expect(codeOf(await set({ confirmation }))).toBe('ok');
  }
  const audit = await readFile(join(folder, 'audit.jsonl'), 'utf8');
  const metrics = await (await fetch(server.url.replace('/mcp', '/metrics'))).text();
  expect(audit).toMatch(/"caller":"token_desk~[\w-]{16}"/);
  expect(server.lines.length).toBeGreaterThan(20);
  for (const token of sent.filter(text => text.length > 20)) {
    for (const part of token.split('.').filter(text => text.length > 8)) {
      for (const text of [audit, metrics, ...server.lines]) expect(text).not.toContain(part);
    }
  }
});

it('a customer token is refused, not ignored, where the server has no key to check it', async () => {
  const { BILLING_CUSTOMER_TOKEN_KEY: _, ...keyless } = env;
  const own = await ownServer([], keyless);
  const plans = async (options: CallOptions) => codeOf(await callLegacy(own.url, 'list_plans', {}, options));
  expect(await plans(desk)).toBe('ok');
  for (const put of Object.values(places)) expect(await plans(both(desk, put(acme)))).toBe('binding_needed');
});

it('a plain read with a token in the header takes the shortcut past the SDK, as without one', async () => {
  const type = async (options: CallOptions) =>
    (await callLegacy(server.url, 'list_plans', {}, options)).headers.get('content-type');
  expect(await type(both(desk, places.header(acme)))).toMatch(/^application\/json/);
  expect(await type(both(desk, places._meta(acme)))).toMatch(/^text\/event-stream/);
});

describe('docs/customer-data.md', () => {
  const text = readFileSync('docs/customer-data.md', 'utf8');

  it('has a program whose tokens are accepted', async () => {
    const [, program = ''] = /```js\n(import \{ SignJWT \}[\s\S]*?)```/.exec(text) ?? [];
    const jose = pathToFileURL(createRequire(import.meta.url).resolve('jose')).href;
    const file = join(folder, 'token.mjs');
    await writeFile(file, program.replace("'jose'", JSON.stringify(jose)));
    const print = `import(${JSON.stringify(file)}).then(async m => console.log(await m.customerToken('acme')))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', print], {
      env: { BILLING_CUSTOMER_TOKEN_KEY: customerKey },
    });
    const options = both(desk, places.header(stdout.trim()));
    expect(codeOf(await callLegacy(server.url, 'list_plans', {}, options))).toBe('ok');
    expect(server.viewers[0]?.customers).toEqual(['acme']);
  });

  it('lists every reason for which a customer token is rejected', () => {
    const reasons: Record<Unbound, string> = {
      ...{ missing: 'no token', invalid: 'no JWT', expired: 'an expired token', early: '`nbf` in the future' },
      ...{ no_expiry: 'no `exp`', too_long: '`exp` more than an hour', issuer: 'another `iss`', audience: 'no `aud`' },
      ...{ claim: '`billing_customer` claim that is', no_key: 'without a key', unavailable: 'unavailable keys' },
    };
    const [, list = ''] = text.split('The error names the reason:');
    for (const words of Object.values(reasons)) expect(list.split('\n\n')[1]).toContain(words);
  });
});
