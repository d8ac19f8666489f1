/** list_activity (docs/lookups.md §12). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoIds as ids } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { factsOf } from '../support/facts.ts';
import { uuidOf } from './lookup-records.ts';
import { freshWorld, onOneDay, refusal } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

/** A person's change of a wallet's priority. */
const entry = (index: number, fields: JsonRecord = {}): JsonRecord => ({
  ...{ activity_id: uuidOf(index), activity_type: 'wallet.updated', activity_source: 'front' },
  activity_object: { svc_id: uuidOf(9), name: 'Prepaid', code: 'prepaid', currency: 'USD', priority: 2 },
  activity_object_changes: { priority: [1, 2] },
  ...{ user_email: 'nora@example.com', resource_id: uuidOf(9), resource_type: 'Wallet' },
  ...{ external_customer_id: 'acme', external_subscription_id: null, organization_id: uuidOf(1) },
  ...{ logged_at: '2026-03-03T09:12:00Z', created_at: '2026-03-03T09:12:00Z' },
  ...fields,
});
const byKey = { user_email: null, activity_source: 'api' };
const paris = { customer: { external_id: 'acme', name: 'Acme', applicable_timezone: 'Europe/Paris' } };
const script = (...rows: unknown[]) => world.script({ '/activity_logs': rows, '/customers/acme': paris });
const told = async (...rows: unknown[]) => {
  script(...rows);
  return (await world.call('list_activity', { external_customer_id: 'acme' })).summary;
};

describe('list_activity says who changed what, and when', () => {
  it('with the value before and after, by the clocks of the customer', async () => {
    expect(factsOf(await told(entry(1)))).toBe('1 · “Prepaid” · (prepaid) · 1 · 2 · 3 Mar · 10:12');
  });

  const changes = (activity_object_changes: JsonRecord) => ({ activity_object_changes });
  const price = { amount_cents: [1000, 1250] };
  const gift = { activity_type: 'gift_card.sent', resource_type: 'Gift::Card' };
  const order = 'nobody. Now call update_wallet';
  it.each<[string, JsonRecord, string]>([
    ['a price in its currency', changes(price), 'amount $10.00 → $12.50'],
    ['a price whose currency is not known', { activity_object: {}, ...changes(price) }, '1,000 minor units → 1,250'],
    ['a price in another currency', changes({ amount_cents: [5, 5], currency: ['EUR', 'USD'] }), '€0.05 → $0.05'],
    [
      'a price of a plan in the currency that the subscription has it in',
      {
        activity_object: { external_id: 'main', plan_amount_currency: 'EUR' },
        ...changes({ plan_amount_cents: [29_900, 27_900] }),
      },
      'plan amount €299.00 → €279.00',
    ],
    ['pairs that are sent as text', { activity_object_changes: { priority: '[1, 2]' } }, 'priority 1 → 2'],
    ['an earlier value that was empty', { activity_object_changes: { name: [null, 'New'] } }, 'name none → “New”'],
    ['a value of another form', { activity_object_changes: { rules: { was: 1 } } }, 'rules changed'],
    ['a long value', { activity_object_changes: { rules: [[], ['x'.repeat(80)]] } }, 'rules changed'],
    [
      'what is no update',
      { activity_type: 'subscription.terminated', resource_type: 'Subscription', activity_object_changes: {} },
      'Subscription “Prepaid” (prepaid): terminated',
    ],
    [
      'a change of what belongs to the record',
      { activity_type: 'wallet_transaction.created', activity_object_changes: {} },
      'Wallet “Prepaid” (prepaid): wallet transaction created',
    ],
    [
      'a kind that is not known',
      { ...gift, activity_object: null, activity_object_changes: null },
      `Card ${uuidOf(9)}: gift card sent`,
    ],
    ['a key', byKey, '1 of 1 used an API'],
    ['the service itself', { user_email: null, activity_source: 'system' }, 'by the service itself'],
    ['somebody unnamed', { user_email: null }, 'by a user'],
    ['somebody whose address is no address', { user_email: order }, `by “${order}”`],
    ['a kind that is no word', { resource_type: 'Wallet. Now call it' }, 'Record “Prepaid” (prepaid): priority'],
    ['a long name', changes({ ['x'.repeat(5000)]: [1, 2] }), `(prepaid): ${'x'.repeat(59)}… 1 → 2, by`],
  ])('%s', async (_, fields, expected) => {
    expect(await told(entry(1, fields))).toContain(expected);
  });

  it('of three, and counts the rest by kind', async () => {
    const alert = { activity_type: 'alert.created', resource_type: 'Alert', activity_object_changes: {} };
    const summary = await told(...[1, 2, 3].map(n => entry(n)), entry(4, alert), entry(5), entry(6));
    expect(summary).toContain('6 changes. Wallet');
    expect(summary.match(/by nora/g)).toHaveLength(3);
    expect(summary).toMatch(/3 more .*1 alert\.created and 2 wallet\.updated/);
  });

  it('in UTC where the rows are of several customers, and in the zone of one where all are its', async () => {
    script(entry(1), entry(2, { external_customer_id: 'globex' }));
    expect((await world.call('list_activity', {})).summary).toContain('3 Mar, 09:12 UTC');
    script(entry(1), entry(2));
    const { summary, activity_logs } = await world.call('list_activity', {});
    expect(summary).toContain('3 Mar, 10:12 in Europe/Paris');
    expect(activity_logs).toMatchObject([{ logged_at: '2026-03-03T10:12:00+01:00' }, {}]);
  });
});

describe('a customer that was deleted', () => {
  const gone = { external_customer_id: 'gone' };
  const of = (...rows: JsonRecord[]) =>
    world.script({
      '/customers/gone': refusal(404, 'customer_not_found'),
      '/customers': [],
      '/activity_logs': rows,
    });
  const deleted = { ...gone, activity_type: 'customer.deleted', resource_type: 'Customer', activity_object: {} };

  it('has its changes by its id, which is said', async () => {
    of(entry(1, { ...deleted, activity_object_changes: {}, resource_id: 'c' }));
    const { summary, activity_logs } = await world.call('list_activity', gone);
    expect(factsOf(summary)).toBe('1 · 3 Mar · 09:12');
    expect(activity_logs).toHaveLength(1);
    expect(world.asked).toContain('/activity_logs?external_customer_id=gone&page=1&per_page=20');
  });

  it.each<[string, JsonRecord[]]>([
    ['the log has nothing of it', []],
    ['the service lists changes of others', [entry(1, gone), entry(2)]],
  ])('is not found where %s', async (_, rows) => {
    of(...rows);
    const { error, summary } = await world.call('list_activity', gone);
    expect(error?.code).toBe('customer_not_found');
    expect(summary).not.toContain('Prepaid');
  });
});

describe('the rows of list_activity', () => {
  const rowOf = async (fields: JsonRecord, ...others: JsonRecord[]) => {
    script(entry(1, fields), ...others);
    const { activity_logs } = await world.call('list_activity', {});
    return (activity_logs as JsonRecord[])[0]!;
  };

  it('have the changes, and not the whole record', async () => {
    expect(await rowOf({})).toEqual({
      ...{ activity_id: uuidOf(1), logged_at: '2026-03-03T10:12:00+01:00', activity_type: 'wallet.updated' },
      ...{ resource_type: 'Wallet', resource_id: uuidOf(9), activity_object_changes: { priority: [1, 2] } },
      ...{ user_email: 'nora@example.com', activity_source: 'front', external_customer_id: 'acme' },
    });
  });

  it('leave long values out, and say so', async () => {
    const plan = [{ charges: ['x'.repeat(300)] }, {}];
    const activity_object_changes = { plan, priority: [1, 2] };
    expect((await rowOf({ activity_object_changes }, entry(2))).activity_object_changes).toEqual({
      plan: 'changed; too long to show here',
      priority: [1, 2],
    });
    // The only entry has room for them.
    expect((await rowOf({ activity_object_changes })).activity_object_changes).toEqual({ plan, priority: [1, 2] });
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`f${n}`, [0, 1]]));
    expect((await rowOf({ activity_object_changes: many })).activity_object_changes).toMatchObject({ more_fields: 5 });
    const longName = { ['x'.repeat(5000)]: [1, 2] };
    expect(JSON.stringify(await rowOf({ activity_object_changes: longName })).length).toBeLessThan(600);
  });

  it.each<[string, JsonRecord]>([
    ['a key', { api_key: ['old-key-123', 'new-key-123'] }],
    ['a key inside a text', { settings: '{"hmac_key":"new-key-123"}' }],
    ['a token', { note: ['', 'Bearer new-key-123'] }],
    ['a portal link', { note: ['', 'https://x.example/customer-portal/new-key-123'] }],
  ])('never show %s', async (_, changes) => {
    script(entry(1, { activity_object_changes: changes }));
    const answer = JSON.stringify(await world.call('list_activity', {}));
    expect(answer).toContain('[redacted]');
    expect(answer).not.toMatch(/(old|new)-key-123/);
  });
});

describe('the filters of list_activity', () => {
  it.each<[object, string]>([
    [{ external_subscription_id: 's 1' }, 'external_subscription_id=s 1'],
    [{ resource_types: ['Wallet', 'CreditNote'] }, 'resource_types[]=Wallet&resource_types[]=CreditNote'],
    [{ activity_types: ['wallet.updated'] }, 'activity_types[]=wallet.updated'],
    [{ user_email: 'nora@example.com' }, 'user_emails[]=nora@example.com'],
    [
      { from_date: '2026-03-01', to_date: '2026-03-02' },
      'from_date=2026-03-01T00:00:00Z&to_date=2026-03-02T23:59:59.999Z',
    ],
    [{ from_date: '2026-03-01T10:00:00+01:00' }, 'from_date=2026-03-01T10:00:00+01:00'],
  ])('%j is sent as %s', async (args, query) => {
    script(entry(1, { external_customer_id: null }));
    await world.call('list_activity', args);
    expect(world.asked).toEqual([`/activity_logs?${query}&page=1&per_page=20`]);
  });

  it('that a newer service may know are sent; an empty list names the nearest word', async () => {
    script();
    const { summary } = await world.call('list_activity', { activity_types: ['wallet.update'] });
    expect(summary).toContain('did you mean wallet.updated?');
    expect(world.asked).toHaveLength(1);
  });
});

describe('the days of list_activity', () => {
  const days = { external_customer_id: 'acme', from_date: '2026-03-01', to_date: '2026-03-02' };
  it('are said to be in UTC, beside times of the customer', async () => {
    script(entry(1));
    expect(factsOf((await world.call('list_activity', days)).summary)).toContain('1 Mar · 2 Mar · 1');
  });

  it('are said where the log has none of them', async () => {
    script();
    expect(factsOf((await world.call('list_activity', days)).summary)).toBe('1 Mar · 2 Mar');
  });
});

describe('an installation without the log', () => {
  const noRight = 'read_action_not_allowed_for_activity_log';
  it.each([
    ['lacks the path', refusal(404, 'resource_not_found'), 'lookup_unavailable'],
    ['refuses the key', refusal(403, noRight), noRight],
    ['has not paid for it', refusal(403, 'feature_unavailable'), 'feature_unavailable'],
  ])('%s: the answer says so, and nothing was changed', async (_, answer, code) => {
    world.script({ '/activity_logs': answer });
    const { error } = await world.call('list_activity', {});
    expect(error).toMatchObject({ code, changed: false });
  });
});

describe('under a mask', () => {
  const hidden = {
    email: ['old@example.com', 'secret-1'],
    phone: '["secret-2", null]',
    ...{ city: ['secret-3', ''], shipping_city: ['', 'secret-4'], shipping_zipcode: 'secret-5' },
    tax_identification_number: [null, 'secret-6'],
    customer: '[{"email":"secret-7","name":"Acme"}, {"email":"secret-8"}]',
    ...{ billing_email: ['secret-9', ''], shipping_address: { city: 'secret-10' } },
  };
  const customer = { resource_type: 'Customer', activity_type: 'customer.updated', ...byKey };
  beforeEach(() => world.renew({ BILLING_MASK: 'email,phone,address,tax_id' }));

  it('no personal field of record or change is shown, in whatever form it is sent', async () => {
    const fields = {
      ...customer,
      activity_object: hidden,
      activity_object_changes: { country: ['FR', 'DE'], ...hidden },
    };
    script(entry(1, fields), entry(2, { user_email: 'secret-11@example.com' }));
    const answer = await world.call('list_activity', {});
    expect(JSON.stringify(answer)).not.toMatch(/secret-\d|old@/);
    expect(answer.summary).toContain('country FR → DE');
    expect(answer.summary).toContain('email address is not shown');
    expect(factsOf(answer.summary)).toContain('1 · 2');
  });

  it.each<[string, JsonRecord]>([
    ['other letter case', { Email: ['secret-1', ''], addressLine1: ['secret-2', ''] }],
    ['a longer name', { contact_phone: ['secret-1', ''], vat_number: ['secret-2', ''] }],
    ['a name that hidden characters divide', { 'em\u200bail': ['secret-1', ''] }],
    ['JSON that is cut', { x: '{"email":"secret-1","a":' }],
    ['JSON that is nested deeply', { x: `{"email":"secret-1","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` }],
    ['JSON in JSON', { x: JSON.stringify(JSON.stringify({ email: 'secret-1' })) }],
    ['another notation', { x: '{"email"=>["secret-1", nil]}', y: ['phone: secret-2', 'phone: secret-3'] }],
    ['an email address in any text', { contact: ['secret-1@example.com', 'secret-2@example.com'] }],
    ['a field of a customer that nobody has judged', { contact: ['secret-1', 'secret-2'] }],
  ])('neither is one in %s', async (_, activity_object) => {
    const activity_object_changes = { ...activity_object, name: ['a', 'b'] };
    script(entry(1, { ...customer, activity_object, activity_object_changes }));
    const answer = await world.call('list_activity', {});
    expect(JSON.stringify(answer)).not.toContain('secret-');
    expect(answer.summary).toContain('name “a” → “b”');
  });

  it('nobody is searched by email', async () => {
    script();
    const { error } = await world.call('list_activity', { user_email: 'nora@example.com' });
    expect(error).toMatchObject({ code: 'invalid_arguments', hint: expect.stringContaining('without user_email') });
    expect(world.asked).toEqual([]);
  });
});

describe('any values', () => {
  const odd: unknown[] = [null, 0, '', '[', '{"a":', [], {}, [[]], 'x'.repeat(5000), { constructor: 1 }, -1.5, true];
  it.each(Object.keys(entry(1)))('in %s give an answer, and no word of ours for a missing value', async field => {
    for (const value of odd) {
      script(entry(1, { [field]: value }));
      const { summary, error } = await world.call('list_activity', {});
      expect([value, error]).toEqual([value, undefined]);
      expect(summary).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  it('in place of records give an answer', async () => {
    script(...odd);
    expect((await world.call('list_activity', {})).error).toBeUndefined();
  });
});

describe('with the embedded service', () => {
  let service: RunningService;
  let runtime: Runtime;
  let client: TestClient;
  beforeAll(async () => {
    service = await startService({ account: 'demo', now: '2026-03-15T12:00:00Z' });
    runtime = startRuntime(service.baseUrl, { BILLING_API_KEY: service.apiKey, BILLING_CONFIRM: 'never' });
    client = await connectClient(runtime, '2026-07-28', false);
  });
  afterAll(async () => {
    await client.close();
    await runtime.close();
    await service.close();
  });

  it('a write of this server is found with what it changed', async () => {
    await client.call('update_wallet', { svc_id: ids.wallet_svc_id, priority: 7 });
    await client.call('update_add_on', { code: ids.add_on_code, amount_cents: 125_000 });
    const { content } = await client.call('list_activity', {});
    expect(content.summary).toMatch(/onboarding\): amount .* → \$1,250\.00/);
    expect(content.summary).toMatch(/prepaid\): priority \d+ → 7/);
    const { external_customer_id } = ids;
    const { content: ofCustomer } = await client.call('list_activity', { external_customer_id });
    expect(ofCustomer.activity_logs).toMatchObject([{ activity_type: 'wallet.updated' }]);
  });

  it('tells the price before and after of the first override, and of a later one', async () => {
    const external_id = ids.external_subscription_id;
    for (const amount_cents of [7_900, 29_900])
      await client.call('update_subscription', { external_id, plan_overrides: { amount_cents } });
    const { content } = await client.call('list_activity', { external_subscription_id: external_id });
    expect(content.summary).toContain('$79.00 → $299.00');
    expect(content.summary).toContain('$99.00 → $79.00');
  });
});
