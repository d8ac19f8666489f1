/** The table of our own error codes: each can come out of a call, each is explained, and no other can be made. */

import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type AccessSettings, createAccess } from '../../src/calls/access/access.ts';
import { bindUpstream } from '../../src/calls/access/bounds/client.ts';
import type { Roles } from '../../src/calls/access/roles/role.ts';
import { createAccountSource } from '../../src/calls/api/account/upstreams.ts';
import { failureOf, rateLimitedError, withoutRecord } from '../../src/calls/api/http/read-answer.ts';
import { errorAnswer } from '../../src/calls/call/result.ts';
import { memoryStores, type WriteStores } from '../../src/calls/change/ask/write-stores.ts';
import { resultOf } from '../../src/calls/dispatch.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { Scope } from '../../src/definition/caller.ts';
import {
  type ErrorCode,
  type FailureCode,
  type OwnError,
  refusals,
  refuse,
  type ToolError,
  wordsOf,
} from '../../src/definition/failure.ts';
import type { Unbound } from '../../src/definition/refusals/access.ts';
import type { WriteOutcome } from '../../src/definition/write-call.ts';
import { admitInRole } from '../../src/server/http/auth.ts';
import { createMetrics } from '../../src/server/logs/metrics.ts';
import type { CallRecord } from '../../src/server/logs/types.ts';
import { errorPage } from '../../src/server/protocol/error-page.ts';
import { createRuntime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { updateAddOn } from '../../tools/add-ons.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { ofCustomer } from '../../tools/records/named-customer.ts';
import { updateSubscription } from '../../tools/subscriptions.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  countingSend,
  policyWith,
  silent,
  writeCall,
} from '../calls/change/support.ts';
import { apiOf } from '../support/api.ts';
import { serviceError } from '../support/service-error.ts';
import { lookupWorld, meta, type Script } from '../tools/lookup-upstream.ts';

type Policy = ReturnType<typeof policyWith>;

/** Of the whole answer, in the encoding o200k. */
const mostTokens = 140;
const facts = { tool: 'update_add_on', effect: 'write' } as const;
const down = () => Promise.reject(new Error('down'));
const runtime = createRuntime({ config: loadConfig([], {}).config });
afterAll(() => runtime.close());

const errorOf = (outcome: WriteOutcome) => {
  if (!('error' in outcome)) throw new Error(outcome.kind);
  return outcome.error;
};
const access = (settings: AccessSettings, scopes: ReadonlySet<Scope> | null = null, unbound?: Unbound) => {
  const verdict = createAccess(settings, toolDefinitions)({ scopes, unbound }).allows(updateAddOn.name);
  if (verdict === true) throw new Error('allowed');
  return wordsOf(verdict);
};
const role = (name: string) => ({
  name,
  access: { readOnly: true },
  customers: undefined,
});
const twoRoles: Roles = Object.assign(new Map([role('support'), role('finance')].map(one => [one.name, one])), {
  claim: 'billing_role',
});
const inNoRole = (name: string | undefined) => {
  const accessOf = createAccess({ readOnly: false }, toolDefinitions, twoRoles);
  const error = accessOf({ scopes: null, role: name }).allows(updateAddOn.name);
  if (error === true) throw new Error('allowed');
  return wordsOf(error);
};
const write = async (policy: Policy, options?: CallOptions) =>
  errorOf(await policy.carryOut(writeCall(options), countingSend().send));
const failed = (reason: 'timeout' | 'cancelled' | 'too_large' | 'connection', code = '', sent = true) =>
  failureOf(facts, { kind: 'failed', sent, reason, code }, 1000).error;

async function call(args: object) {
  const outcome = await runtime.pipeline.call('get_customer', args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  const { summary: message, fields } = outcome.answer;
  return { ...JSON.parse(JSON.stringify(fields)).error, message } as ToolError;
}

/** One call at a billing API that answers these reads alone. */
async function lookUp(
  tool: string,
  args: object,
  script: Script,
  env: Record<string, string> = {},
): Promise<ToolError> {
  const world = await lookupWorld(env);
  world.script(script);
  const { summary: message, error } = await world.call(tool, args);
  await world.close();
  return { ...error, message } as ToolError;
}

async function asked(policy: Policy): Promise<string> {
  const outcome = await policy.carryOut(writeCall({ client: canBeAsked }), countingSend().send);
  if (outcome.kind !== 'ask') throw new Error(outcome.kind);
  return outcome.state;
}

/** Asks, and answers as the person would; the same policy unless another one is given. */
async function answer(options: CallOptions, action: 'accept' | 'decline' | 'cancel' = 'accept', other?: Policy) {
  const policy = policyWith();
  const client = answered(await asked(policy), action);
  return write(other ?? policy, { client, ...options });
}

const withStores = (stores: Partial<WriteStores>) => policyWith({}, { stores: { ...memoryStores(), ...stores } });

/** How each code comes about: one that is added to the table has to be added here. */
const makers: Record<ErrorCode, () => ToolError | Promise<ToolError>> = {
  invalid_arguments: () => call({}),
  read_only: () => access({ readOnly: true }),
  tool_not_offered: () => access({ readOnly: false, excludeTools: ['update_add_on'] }),
  insufficient_scope: () => access({ readOnly: false }, new Set(['billing:read'])),
  account_wide: async () => {
    const sends = async () => Promise.reject(new Error('sent'));
    const call = { tool: 'list_catalogue', effect: 'read', method: 'GET', target: '/taxes', body: undefined } as const;
    const answer = await bindUpstream({ send: sends }, ['acme']).send(call);
    if (answer.ok) throw new Error('answered');
    return answer.error;
  },
  binding_needed: () => access({ readOnly: false }, null, 'too_long'),
  role_missing: () => inNoRole(undefined),
  role_unknown: () => inNoRole('intern'),
  // It comes out of admission alone: 403 over HTTP.
  role_ambiguous: () => {
    const caller = { id: 'user_a', apiKey: '', scopes: null };
    const admission = admitInRole(caller, ['support', 'finance'], twoRoles, 'this access token');
    if (admission.ok) throw new Error('admitted');
    const { code, message } = admission.refusal;
    return { status: null, code, message, hint: '', changed: false } as ToolError;
  },
  not_configured: () => call({ external_customer_id: 'a' }),
  demo_unavailable: async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    const account = await createAccountSource(loadConfig(['--demo'], {}).config, down).ready();
    lines.mockRestore();
    if (!('code' in account)) throw new Error('started');
    return wordsOf(account);
  },
  amount_limit: () =>
    write(policyWith({ maxAmount: 'USD:1' }), {
      args: { code: 'setup', amount_cents: 101, amount_currency: 'USD' },
    }),
  day_limit: () =>
    write(policyWith({ maxAmountPerDay: 'USD:1' }), {
      args: { code: 'setup', amount_cents: 101, amount_currency: 'USD' },
    }),
  question_too_long: () => {
    const charges = Array.from({ length: 47 }, (_, index) => ({ id: `c${index}`, properties: { amount: '1' } }));
    const args = { external_id: 's', plan_overrides: { charges } };
    return write(policyWith(), { tool: updateSubscription, args, client: canBeAsked });
  },
  write_budget: () => write(policyWith({ maxWritesPerMinute: 0 })),
  write_budget_unavailable: () => write(withStores({ window: { wait: down, take: down } })),
  audit_unavailable: () => write(policyWith({}, { audit: { append: down } })),
  declined: () => answer({}, 'decline'),
  question_unanswered: () => write(policyWith(), { client: silent(undefined) }),
  cannot_ask: () => write(policyWith({ confirm: 'always', ask: ['url', 'form'] })),
  confirmation_expired: () => answer({ now: new Date('2026-03-15T12:10:00Z') }),
  confirmation_invalid: () => write(policyWith(), { client: answered('v1.made.up') }),
  confirmation_mismatch: () => answer({ args: { code: 'setup', amount_cents: 2 } }),
  confirmation_used: async () => {
    const policy = policyWith();
    const client = answered(await asked(policy));
    await policy.carryOut(writeCall({ client }), countingSend().send);
    return write(policy, { client });
  },
  confirmation_unknown: () => answer({}, 'accept', policyWith()),
  confirmation_unavailable: () => write(withStores({ spent: { mark: down, spend: down } }), { client: canBeAsked }),
  record_changed: async () => {
    const policy = policyWith();
    const priced = (amount_cents: number): CallOptions => ({
      ...{ reading: 'read', known: { code: 'setup', amount_currency: 'USD', amount_cents } },
    });
    let client = canBeAsked;
    for (let price = 1; price <= 3; price++) {
      const outcome = await policy.carryOut(writeCall({ client, ...priced(price) }), countingSend().send);
      if (outcome.kind !== 'ask') throw new Error(outcome.kind);
      client = answered(outcome.state);
    }
    return write(policy, { client, ...priced(4) });
  },
  record_unseen: async () => {
    const policy = policyWith();
    const known = { code: 'setup', amount_currency: 'USD', amount_cents: 1 };
    const outcome = await policy.carryOut(
      writeCall({ client: canBeAsked, reading: 'read', known }),
      countingSend().send,
    );
    if (outcome.kind !== 'ask') throw new Error(outcome.kind);
    return write(policy, { client: answered(outcome.state), reading: 'unreadable' });
  },
  set_stopped: () => refuse('set_stopped', { number: 1 }),
  cancelled: () => answer({}, 'cancel'),
  rate_limited: () => rateLimitedError(facts, { reason: 'asked', ms: 1, saidMs: 1 }),
  too_busy: () => refuse('too_busy', { tool: facts.tool }),
  upstream_unavailable: () => refuse('upstream_unavailable', { tool: facts.tool, waitMs: 0 }),
  timeout: () => failed('timeout'),
  dns_failed: () => failed('connection', 'ENOTFOUND'),
  tls_failed: () => failed('connection', 'CERT_HAS_EXPIRED'),
  proxy_failed: () => failed('connection', 'PROXY_407'),
  connection_failed: () => failed('connection', 'ECONNREFUSED', false),
  connection_lost: () => failed('connection', 'ECONNRESET'),
  answer_too_large: () => failed('too_large'),
  invalid_answer: () => withoutRecord(facts, 200, 'an HTML page'),
  lookup_unavailable: () => lookUp('find_customers', {}, {}),
  several_customers: async () => {
    const name = 'Northwind and their daughters in Rotterdam and Antwerp';
    const customers = Array.from({ length: 7 }, (_, i) => ({ external_id: `northwind-in-rotterdam-${i}`, name }));
    const body = { customers, meta: meta(7) };
    const api = apiOf({ tool: 'get_customer_overview', get: async () => ({ ok: true, body }) });
    const missing = { ok: false as const, error: serviceError('customer_not_found', 404) };
    const answer = await ofCustomer(api, 'northwind', async () => missing);
    if (answer.ok) throw new Error('found');
    return answer.error;
  },
  search_too_wide: () => {
    const customers = [{ external_id: 'acme', name: 'Acme', email: 'a@b.example' }];
    const listed = { '/customers': { customers, meta: meta(5000, { page: 1, pages: 5000 }) } };
    return lookUp('find_customers', { search_term: 'example' }, listed, { BILLING_MASK: 'email' });
  },
  no_match: () =>
    lookUp(
      'compare_plans',
      {
        plan_codes: ['pro'],
        usage: 'last_period',
        customer: { external_id: 'northwind-logistics' },
        external_subscription_id: 'northwind-logistics-main',
      },
      { '/customers/northwind-logistics/past_usage': [] },
    ),
  internal_error: async () =>
    errorOf(
      await policyWith().carryOut(writeCall(), () => {
        throw new Error('a bug');
      }),
    ),
};

describe.each(Object.entries(makers))('the code %s', (code, make) => {
  const row = new RegExp(`^\\| \`${code}\` \\| \\S.* \\| \\S.* \\|$`, 'm');

  it('comes out of a call', async () => {
    expect((await make()).code).toBe(code);
  });

  it(`costs at most ${mostTokens} tokens`, async () => {
    const text = JSON.stringify(resultOf(errorAnswer('write', await make())).structuredContent);
    const tokens = countTokens(text);
    console.error(`${String(tokens).padStart(4)} ${text}`);
    expect(tokens).toBeLessThanOrEqual(mostTokens);
  });

  it('is explained in billing://errors and in docs/errors.md', () => {
    expect(errorPage()).toMatch(row);
    expect(readFileSync('docs/errors.md', 'utf8')).toMatch(row);
  });
});

it('the metrics count each code of the table by its name', async () => {
  const { observer, registry } = createMetrics(['list_plans']);
  const record = {
    tool: 'list_plans',
    caller: 'a',
    requestId: 'r',
    outcome: 'error',
    durationMs: 1,
    attempts: 1,
  } as const;
  let code: ErrorCode;
  for (code in refusals) observer.callEnded!({ ...record, code });
  const text = await registry.metrics();
  const counted = [...text.matchAll(/tool_errors_total\{tool="list_plans",code="(\w+)"\} 1/g)].map(([, name]) => name);
  expect(counted.sort()).toEqual(Object.keys(refusals).sort());
});

it('no text of the table breaks a row', () => {
  for (const { meaning, whatToDo } of Object.values(refusals)) expect(meaning + whatToDo).not.toMatch(/[|\n]/);
});

it('a code that is not in the table does not compile', () => {
  // @ts-expect-error a misspelt code is none of ours, and none of the billing API's
  const misspelt: FailureCode = 'conection_failed';
  // @ts-expect-error codes of the billing API come only from its answers
  const api: ToolError['code'] = 'customer_not_found';
  // @ts-expect-error an error of our own has a code of the table, and no status
  const own: OwnError['code'] = 'http_404';
  // @ts-expect-error what observers are told is as closed
  const told: CallRecord['code'] = 'not_in_the_table';
  expect([misspelt, api, own, told].filter(code => code !== null && code in refusals)).toEqual([]);
});
