/** The table of paths, row by row, as the client of a bound caller sends them to the embedded service. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Rule, table } from '../../../src/calls/access/bounds/facts/table.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { type Ids, missing, ours, sharedWorld, theirs } from './bounds-world.ts';

const world = sharedWorld();
let bound: Caller;
let callers = 0;
beforeEach(() => {
  callers += 1;
  bound = world.newCaller();
});

async function feeOf(ids: Ids): Promise<string> {
  const answer = await world.send(world.caller(), `GET /fees?external_customer_id=${ids.customer}`);
  const [fee] = answer.ok ? ((answer.body as JsonRecord).fees as JsonRecord[]) : [];
  return String(fee?.svc_id ?? ids.invoice);
}

/** The value of `{id}` by path. */
const idOf: Record<string, (ids: Ids) => string | Promise<string>> = {
  'GET /customers/{customer}/wallets/{id}': ids => ids.walletCode,
  'GET /customers/{customer}/wallets/{wallet_code}/alerts/{id}': ids => ids.walletAlert,
  'GET /wallet_transactions/{id}': ids => ids.transaction,
  'GET /invoices/{id}': ids => ids.invoice,
  'PUT /invoices/{id}': ids => ids.invoice,
  'GET /credit_notes/{id}': ids => ids.creditNote,
  'PUT /credit_notes/{id}': ids => ids.creditNote,
  'GET /payments/{id}': ids => ids.payment,
  'GET /events/{id}': ids => ids.event,
  'GET /fees/{id}': feeOf,
  'GET /plans/{id}': () => 'basic',
  'GET /billable_metrics/{id}': () => 'calls',
};
const queryOf: Record<string, (ids: Ids) => string> = {
  'GET /customers/{customer}/current_usage': ids => `?external_subscription_id=${ids.subscription}`,
  'GET /customers/{customer}/past_usage': ids => `?external_subscription_id=${ids.subscription}`,
  'GET /events': ids => `?external_subscription_id=${ids.subscription}`,
  'GET /fees': ids => `?external_customer_id=${ids.customer}`,
  'GET /customers': ids => `?search_term=${ids.marker}`,
  'GET /subscriptions': ids => `?external_id=${ids.subscription}`,
  'GET /invoices': ids => `?search_term=${ids.number}`,
  'GET /credit_notes': ids => `?search_term=${ids.noteNumber}`,
  'GET /payments': ids => `?invoice_id=${ids.invoice}`,
  'GET /wallets': ids => `?external_customer_id=${ids.customer}`,
  'GET /applied_coupons': ids => `?external_customer_id=${ids.customer}`,
};
const bodyOf: Record<string, (ids: Ids) => object> = {
  'PUT /subscriptions/{subscription}': () => ({ subscription: { name: 'New' } }),
  'POST /subscriptions/{subscription}/alerts': () => ({
    alert: { code: `t${callers}`, alert_type: 'lifetime_usage_amount', thresholds: [{ value: 5 }] },
  }),
  'PUT /wallets/{wallet}': () => ({ wallet: { name: 'New' } }),
  'PUT /invoices/{id}': () => ({ invoice: { payment_status: 'failed' } }),
  'PUT /credit_notes/{id}': () => ({ credit_note: { metadata: { a: 'b' } } }),
  'POST /invoices/preview': ids => ({
    ...{ customer: { external_id: ids.customer }, subscriptions: { external_ids: [ids.subscription] } },
  }),
  'POST /events/estimate_fees': ids => ({
    event: { external_subscription_id: ids.subscription, code: 'gb', properties: { amount: '1' } },
  }),
};

async function requestFor(endpoint: string, ids: Ids): Promise<[endpoint: string, body: unknown]> {
  const id = await (idOf[endpoint]?.(ids) ?? 'x');
  const filled = endpoint
    .replace('{customer}', ids.customer)
    .replace('{subscription}', ids.subscription)
    .replace('{wallet}', ids.wallet)
    .replace('{wallet_code}', ids.walletCode)
    .replace('{id}', id);
  return [`${filled}${queryOf[endpoint]?.(ids) ?? ''}`, bodyOf[endpoint]?.(ids)];
}

/** What is answered, without ids and request ids, and which requests that took. */
async function asked(endpoint: string, ids: Ids) {
  const [target, body] = await requestFor(endpoint, ids);
  const id = await (idOf[endpoint]?.(ids) ?? 'x');
  const from = world.received.length;
  const { requestId: _, ...answer } = await world.send(bound, target, body);
  const plain = (text: string) =>
    [['id', id] as const, ...Object.entries(ids)].reduce((rest, [field, value]) => rest.replaceAll(value, field), text);
  return {
    ok: answer.ok,
    answer: plain(JSON.stringify(answer)),
    requests: world.received.slice(from).sort().map(plain),
  };
}

const rows = Object.entries(table) as [string, Rule][];
const refused = rows.filter(([, { by }]) => by === 'refused');
const shared = rows.filter(([, { by }]) => by === 'shared');
const judged = rows.filter(([, { by }]) => by !== 'refused' && by !== 'shared');
/** The embedded service does not have these. */
const elsewhere = ['GET /subscriptions/{subscription}/entitlements'];

describe('a path of the table', () => {
  it.each(refused)('%s is refused, and nothing is sent', async endpoint => {
    expect(await asked(endpoint, ours)).toMatchObject({
      ok: false,
      answer: expect.stringContaining('account_wide'),
      requests: [],
    });
  });

  it.each(shared)('%s is everybody’s, without counters', async endpoint => {
    world.rewrite((_, body) => JSON.parse(JSON.stringify(body).replace(/"(\w+_count)":0/g, '"$1":417')));
    const { ok, answer } = await asked(endpoint, ours);
    expect(ok, answer).toBe(true);
    expect(answer).not.toMatch(/"(active_subscriptions|customers|draft_invoices|plans)_count"/);
  });

  it.each(judged)('%s answers about an own record', async endpoint => {
    const { ok, answer } = await asked(endpoint, ours);
    expect(ok || elsewhere.includes(endpoint), answer).toBe(true);
    if (ok) expect(answer).not.toMatch(/"(customers|invoices|subscriptions|wallets|payments|fees|events)":\[\]/);
  });

  it.each(judged)('%s: another’s costs and tells as much as a missing one, and nothing is written', async endpoint => {
    const other = await asked(endpoint, theirs);
    bound = world.newCaller();
    const none = await asked(endpoint, missing);
    expect(other).toEqual(none);
    const changing = other.requests.filter(request => !request.startsWith('GET') && !request.includes('/customers/'));
    expect(changing).toEqual([]);
  });

  it.each([
    'GET /customers/acme/invoices?external_customer_id=acme',
    'GET /invoices?customer_external_id=acme',
    'GET /invoices?external_customer_id=acme&external_customer_id=globex',
    'GET /invoices?external_customer_id[]=acme',
    'GET /plans?search_term=globex',
    'GET /customers?plan_code=pro',
    'GET /customers?metadata[__proto__]=x',
    'GET /wallets?metadata[tier]=gold',
    'GET /invoices?metadata=x',
    'GET /subscriptions?self_billed=true',
    'GET /nowhere',
    'GET /customers/acme/nowhere',
    'DELETE /customers/acme',
    'POST /customers',
    'PUT /customers/acme',
    'DELETE /wallets/x',
    'GET /',
    'GET //customers/acme',
  ])('%s fits no row, and is refused', async endpoint => {
    const from = world.received.length;
    expect(await world.send(bound, endpoint)).toMatchObject({ ok: false, error: { code: 'account_wide' } });
    expect(world.received.slice(from)).toEqual([]);
  });
});

describe('a filter narrows the own records of a bound caller', () => {
  it.each([
    ['customers', 'account_type[]=customer', 'account_type[]=partner'],
    ['customers', 'has_customer_type=false', 'has_customer_type=true'],
    ['customers', 'billing_entity_codes[]=both&billing_entity_codes[]=other', 'billing_entity_codes[]=other'],
    ['customers', 'metadata[tier]=', 'metadata[tier]=gold'],
    ['customers', 'has_tax_identification_number=false', 'customer_type=company'],
    ['customers', 'account_type[]=customer', 'states[]=Bergen'],
    ['customers', 'account_type[]=customer', 'zipcodes[]=5003'],
    ['invoices', 'self_billed=false&metadata[tier]=', 'self_billed=true'],
    ['invoices', 'payment_dispute_lost=false', 'metadata[tier]=gold'],
    ['credit_notes', 'self_billed=false&billing_entity_codes[]=both', 'self_billed=true'],
    ['credit_notes', 'amount_from=1', 'reason=duplicated_charge&amount_to=1'],
    ['subscriptions', 'currency=USD&billing_entity_codes[]=both', 'currency=JPY'],
    ['wallets', 'currency=USD&billing_entity_codes[]=both', 'currency=JPY'],
  ])('%s by %s, and not by %s', async (list, some, none) => {
    const owners = async (query: string) => {
      const answer = await world.send(bound, `GET /${list}?${query}`);
      expect(answer).toMatchObject({ ok: true });
      const rows = (answer as { body: Record<string, JsonRecord[]> }).body[list] ?? [];
      return rows.map(row => row.external_customer_id ?? (row.customer as JsonRecord)?.external_id ?? row.external_id);
    };
    expect(new Set(await owners(some))).toEqual(new Set(['acme']));
    expect(await owners(none)).toEqual([]);
  });
});

describe('an id that a proxy could read as another path', () => {
  it.each([
    'GET /customers/acme%2F..%2Fglobex',
    'GET /customers/%2E%2E/current_usage',
    'GET /customers/..',
    'GET /invoices/x%2F..%2F..%2Fcustomers%2Fglobex',
    'GET /invoices/%252e%252e',
    'GET /invoices/a%3Fb',
    'GET /invoices/%E0%A4%A',
    'GET /events/a%5Cb',
    'GET /wallets/%2e/wallet_transactions',
    'GET /subscriptions/acmark-main%2Falerts',
    'GET /customers/acme/wallets/..%2F..%2Fglobex/alerts/low',
    'PUT /invoices/a%2Fb',
    'GET /plans/a%2Fb',
  ])('%s is not sent', async endpoint => {
    const from = world.received.length;
    const answer = await world.send(bound, endpoint, endpoint.startsWith('PUT') ? { invoice: {} } : undefined);
    expect(answer.ok).toBe(false);
    const own = /^GET \/customers\/acme(\/(subscriptions|wallets)\?.*)?$/;
    expect(world.received.slice(from).filter(request => !own.test(request))).toEqual([]);
  });
});

it('a subscription of another customer is refused for current usage as the service refuses a missing one', async () => {
  const usage = (subscription: string) =>
    `GET /customers/${ours.customer}/current_usage?external_subscription_id=${subscription}`;
  for (const [caller, { subscription }] of [
    [bound, theirs],
    [world.caller(), missing],
  ] as const)
    expect(await world.send(caller, usage(subscription))).toMatchObject({
      ok: false,
      error: { status: 405, code: 'no_active_subscription' },
    });
});
