/**
 * Every lookup against a billing API that fails, that has only the nineteen paths, or that answers odd values: what it
 * says is true. A lookup without a call in `samples` is found missing.
 */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../src/definition/asking.ts';
import { isLookup } from '../../src/definition/define.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { operations, toolDefinitions } from '../../tools/all-tools.ts';
import { type Fault, type Faulty, startFaulty } from '../calls/api/faulty.ts';
import { samples } from '../calls/change/samples.ts';
import { startRuntime } from '../support/clients.ts';
import { lookupBody } from './lookup-bodies.ts';
import { refusal, type Script, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();
const lookups = toolDefinitions.filter(isLookup).map(tool => tool.name);
const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';

/** The calls of a lookup: the sample, and others that read other paths. */
const further: Readonly<Record<string, JsonRecord[]>> = {
  get_invoice: [{ svc_id: 'NW-1' }],
  list_subscriptions: [{}],
  list_invoices: [{}, { all: true }],
  list_wallets: [{}],
  list_credit_notes: [{}],
  list_payments: [{}, { payment_status: ['failed'] }],
  get_usage: [{ external_customer_id: 'acme' }, { ...samples.get_usage, period: 'past' }],
  list_catalogue: [
    ...['add_ons', 'applied_coupons', 'billable_metrics', 'billing_entities', 'taxes', 'webhook_endpoints', 'fees'],
  ].map(kind => ({ kind })),
  get_revenue: ['overdue', 'mrr', 'invoiced_usage', 'invoice_collection'].map(report => ({ report })),
};
const calls = lookups.flatMap(name =>
  [samples[name], ...(further[name] ?? [])].map(args => [name, args] as [string, JsonRecord]),
);

interface Answer extends JsonRecord {
  summary: string;
  error?: { code: string; hint: string; changed: unknown };
}

async function call(runtime: Runtime, tool: string, args: JsonRecord): Promise<Answer> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  return { summary: outcome.answer.summary, ...JSON.parse(JSON.stringify(outcome.answer.fields)) };
}

/** What the reader of an answer would take for a fact: that there is nothing, or that all was read. */
const claims =
  /\b(has no|there (is|are) no|no (customer|subscription|invoice|wallet|payment|event|usage)s?\b|nothing is|exactly one|\d+ of \d+)/i;

/** The whole answer failed, or it names every section that was not read; it never claims what it has not read. */
function isTruthful(answer: Answer): void {
  const { error, summary } = answer;
  if (error === undefined) {
    expect(JSON.stringify(answer)).toMatch(/"not_read":\{"/);
    expect(summary.replaceAll(/has no (GET|path)\b/g, '')).not.toMatch(claims);
  } else {
    expect(error.code).not.toBe('internal_error');
    expect(error.changed).toBe(false);
    expect(Object.keys(answer).sort()).toEqual(['error', 'summary']);
    expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(140);
  }
}

it('every lookup has a call here', () => {
  expect(lookups.filter(name => samples[name] === undefined)).toEqual([]);
  expect(Object.keys(further).filter(name => !lookups.includes(name))).toEqual([]);
});

describe('a billing API that fails every request', () => {
  const hanging = new Set<Fault>(['silent', 'stalled']);
  let faulty: Faulty;
  beforeAll(async () => {
    faulty = await startFaulty();
  });
  afterAll(() => faulty.close());

  it.each<[Fault, RegExp]>([
    ['ok', /^invalid_answer$/],
    ['dropped_after_body', /^connection_lost$/],
    ['reset', /^connection_lost$/],
    ['silent', /^timeout$/],
    ['stalled', /^timeout$/],
    ['truncated', /^connection_lost$/],
    ['html', /^invalid_answer$/],
    ['invalid_json', /^invalid_answer$/],
    ['limited_long', /^(rate_limited|http_429)$/],
    ['refused_422', /./],
    ['error_500', /./],
    ['error_502', /./],
    ['error_503', /./],
    ['html_502', /^http_502$/],
  ])('with %s', async (fault, code) => {
    faulty.choose = () => fault;
    // Nothing else may time out, however busy the machine is.
    const timeout = hanging.has(fault) ? '100' : '600000';
    await Promise.all(
      calls.map(async ([tool, args]) => {
        // A runtime of its own: many failures in a row open the breaker.
        const runtime = startRuntime(faulty.baseUrl, { BILLING_TIMEOUT_MS: timeout }, { limits: { maxRetries: 0 } });
        const answer = await call(runtime, tool, args);
        await runtime.close();
        isTruthful(answer);
        if (answer.error) expect([tool, answer.error.code]).toEqual([tool, expect.stringMatching(code)]);
      }),
    );
  });
});

describe('a billing API with the nineteen paths alone', () => {
  beforeAll(async () => {
    await world.renew();
    const own = operations.map(({ endpoint }) => {
      const [method, path = ''] = endpoint.split(' ');
      return { method, path: new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
    });
    world.script((url, { method }) => {
      if (!own.some(one => one.method === method && one.path.test(url.pathname))) return undefined;
      return lookupBody(url.pathname, { svc_id: id, external_id: 'acme', name: 'Acme' });
    });
  });

  it.each(calls)('%s %j says what is missing, and asks for it once', async (tool, args) => {
    const first = (await world.call(tool, args)) as Answer;
    isTruthful(first);
    if (first.error) {
      expect(first.error.code).toBe('lookup_unavailable');
      expect(first.summary).toMatch(/has no GET \/\S+\.$/);
    }
    const missing = world.asked.length;
    await world.call(tool, args);
    const again = world.asked.slice(missing).map(path => path.split('?')[0]);
    const known = again.filter(path => !/^\/customers\/[^/]+$|\/alerts$|^\/plans$/.test(path ?? ''));
    expect(known).toEqual([]);
  });

  it('answers the nineteen as before', async () => {
    expect((await world.call('get_customer', { external_customer_id: 'acme' })).summary).toContain('“Acme”');
    expect((await world.call('list_plans', {})).error).toBeUndefined();
  });
});

describe('one path that fails among several', () => {
  const record = {
    ...{ svc_id: id, external_id: 'sub-1', name: 'Acme', status: 'active', number: 'NW-1' },
    ...{ month: '2026-11-01T00:00:00.000Z', currency: 'USD', amount_cents: 100, invoices_count: 1 },
  };
  const whole: Script = url => lookupBody(url.pathname, record);
  it.each(calls)('%s %j tells it, or fails as a whole', async (tool, args) => {
    await world.renew();
    world.script(whole);
    await world.call(tool, args);
    const paths = [...new Set(world.asked.map(path => path.split('?')[0] ?? ''))];
    expect(paths).not.toEqual([]);
    for (const path of paths) {
      await world.renew();
      world.script(url =>
        url.pathname === `/api/v1${path}` ? refusal(500, 'internal_server_error') : lookupBody(url.pathname, record),
      );
      const answer = (await world.call(tool, args)) as Answer;
      const told = /internal_server_error|could not be read|not read|unknown/i.test(JSON.stringify(answer));
      // Without the customer's time zone, days are those of UTC, and say so.
      const inUtc =
        ['get_usage', 'list_payments', 'list_subscriptions', 'list_wallets'].includes(tool) &&
        path === '/customers/acme' &&
        !/ in \w+\/|\(\w+\//.test(answer.summary);
      expect([path, told || inUtc]).toEqual([path, true]);
    }
  });
});

describe('odd values', () => {
  const fields = `
    external_id name legal_name status payment_status number currency code units amount amount_cents
    total_amount_cents total_due_amount_cents balance_cents ongoing_balance_cents issuing_date payment_due_date
    created_at from_datetime to_datetime month fees customer charges_usage plan thresholds items metadata credits
    credit_amount timestamp activity_type activity_object activity_object_changes resource_type user_email logged_at
  `
    .trim()
    .split(/\s+/);
  const recordOf = (value: unknown) => Object.fromEntries(fields.map(field => [field, value]));
  it.each<[string, object]>([
    ['nothing', {}],
    ['null', recordOf(null)],
    ['texts', recordOf('x')],
    ['empty texts', recordOf('')],
    ['fractions', recordOf(0.5)],
    ['negative numbers', recordOf(-1)],
    ['decimal texts', recordOf('5000.0')],
    ['numbers too large', recordOf(1e300)],
    ['lists', recordOf([[null]])],
    ['records', recordOf({ a: {} })],
    ['truths', recordOf(true)],
  ])('%s in every field are shown as they are, and said nowhere', async (_, record) => {
    await world.renew();
    world.script(url => lookupBody(url.pathname, record));
    for (const [tool, args] of calls) {
      const answer = (await world.call(tool, args)) as Answer;
      expect([tool, answer.error?.code]).not.toEqual([tool, 'internal_error']);
      expect([tool, answer.summary]).toEqual([tool, expect.stringMatching(/\S/)]);
      expect([tool, answer.summary]).toEqual([tool, expect.not.stringMatching(/undefined|NaN|\bnull\b|\[object/)]);
    }
  });

  it('are named by every answer that is made of them', async () => {
    await world.renew();
    world.script(url => lookupBody(url.pathname, recordOf([[null]])));
    for (const [tool, args] of calls) {
      const { error, summary } = (await world.call(tool, args)) as Answer;
      if (error === undefined) expect([tool, summary]).toEqual([tool, expect.stringContaining('Not readable in the')]);
    }
  });

  it('are named once, by the record that they are in', async () => {
    await world.renew();
    world.script(url => lookupBody(url.pathname, { number: 'NW-1', status: 'finalized', currency: 5 }));
    const { summary } = (await world.call('list_invoices', {})) as Answer;
    expect(summary.split('Not readable').slice(1)).toEqual([" in the service's answer: invoices[0].currency."]);
  });
});
