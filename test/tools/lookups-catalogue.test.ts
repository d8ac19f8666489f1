/** list_catalogue (docs/lookups.md §10, §11). */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const coupon = (fields: object) => ({
  ...{ svc_id: 'c', name: 'Ten off', code: 'ten', coupon_type: 'fixed_amount', amount_cents: 1000 },
  ...{ amount_currency: 'USD', percentage_rate: null, frequency: 'once', frequency_duration: null, plan_codes: [] },
  ...{ billable_metric_codes: [], expiration: 'no_expiration', expiration_at: null, terminated_at: null },
  ...fields,
});
const applied = (fields: object) => ({
  ...{ svc_id: 'ac', coupon_code: 'ten', coupon_name: 'Ten off', status: 'active', external_customer_id: 'acme' },
  ...{ amount_cents: 1000, amount_cents_remaining: 400, amount_currency: 'USD', percentage_rate: null },
  ...{ frequency: 'once', frequency_duration_remaining: null, expiration_at: null, terminated_at: null, credits: [] },
  ...fields,
});
const fee = (fields: object = {}) => ({
  ...{ svc_id: 'f', item: { type: 'charge', code: 'api_calls', name: 'API calls' }, units: '5.0', amount_cents: 500 },
  ...{ amount_currency: 'USD', payment_status: 'pending', svc_invoice_id: 'i', external_subscription_id: 'sub-1' },
  ...{ created_at: '2026-01-01T00:00:00Z', external_customer_id: 'acme', applied_taxes: [] },
  ...fields,
});

describe('list_catalogue', () => {
  const setup = { code: 'setup', name: 'Setup fee', amount_cents: 125_000, amount_currency: 'USD' };
  const ended = { code: 'ten', name: 'Ten off', amount_cents: 1000, amount_currency: 'USD' };
  const terminated_at = '2026-01-01T00:00:00Z';
  const vat = { code: 'vat', name: 'VAT 20', rate: 20, applied_to_organization: true };
  const applied_to_billing_entities_codes = ['main'];
  const hook = { svc_id: 'w', webhook_url: 'https://a.example/hook', signature_algo: 'hmac', event_types: null };
  const calls = { code: 'api_calls', aggregation_type: 'count_agg' };
  const unused = { active_subscriptions_count: 0, draft_invoices_count: 0, plans_count: 0 };
  it.each<[kind: string, more: object, row: object, summary: string]>([
    [
      'add_ons',
      { svc_id: 'a', taxes: [{ svc_id: 't', code: 'vat', rate: 20, name: 'VAT' }] },
      { ...setup, taxes: [{ code: 'vat', rate: 20 }] },
      '1 add-on: “Setup fee” (setup) $1,250.00.',
    ],
    ['coupons', coupon({ terminated_at }), { ...ended, terminated_at }, 'ten ended on 1 Jan'],
    [
      'billable_metrics',
      { svc_id: 'm', name: 'API calls', field_name: null, recurring: false, ...unused },
      calls,
      '“API calls” (api_calls): number of events',
    ],
    [
      'taxes',
      { svc_id: 't', customers_count: 0 },
      { ...vat, applied_to_billing_entities_codes },
      '1 tax: “VAT 20” (vat) 20%.',
    ],
    ['webhook_endpoints', { name: null }, hook, '1 webhook endpoint: https://a.example/hook.'],
  ])('lists %s in few fields, without counters that are always 0', async (kind, more, row, summary) => {
    world.script({ [`/${kind}`]: [{ ...row, ...more }] });
    const answer = await world.call('list_catalogue', { kind });
    expect(world.asked).toEqual([`/${kind}?page=1&per_page=20`]);
    expect(answer).toMatchObject({ shown: '1 of 1', summary: expect.stringContaining(summary) });
    expect(answer.records).toEqual([row]);
  });

  it('tells the name of an add-on on invoices, where it is another one', async () => {
    const add_ons = Object.entries({ a: 'First day', b: 'Setup', c: null }).map(([code, invoice_display_name]) => ({
      ...{ svc_id: code, code, name: 'Setup', invoice_display_name, amount_cents: 100, amount_currency: 'USD' },
    }));
    world.script({ '/add_ons': add_ons });
    const answer = await world.call('list_catalogue', { kind: 'add_ons' });
    expect(factsOf(answer.summary)).toBe(
      '3 · “Setup” · (a) · $1.00 · “First day” · “Setup” · (b) · $1.00 · “Setup” · (c) · $1.00',
    );
    expect((answer.records as object[]).map(record => 'invoice_display_name' in record)).toEqual([true, false, false]);
  });

  it('says of coupons which have ended, and tells their number alone where they are many', async () => {
    const coupons = [
      ...[{}, {}, {}, { terminated_at: '2026-01-01T00:00:00Z' }],
      ...[{ expiration_at: '2026-01-01T00:00:00Z' }, { expiration_at: '2126-01-01T00:00:00Z' }],
    ].map((fields, n) => coupon({ svc_id: `c-${n}`, ...fields }));
    world.script({ '/coupons': { coupons, meta: meta(40, { pages: 2 }) } });
    expect(factsOf((await world.call('list_catalogue', { kind: 'coupons' })).summary)).toBe(
      '40 · 6 · 2 · “Ten off” · (ten) · $10.00 · “Ten off” · (ten) · $10.00 · “Ten off” · (ten) · $10.00 · 37 · 1 Jan · 1 Jan',
    );
  });

  it.each([
    [
      { frequency: 'recurring', frequency_duration: 1, amount_cents: null, percentage_rate: '100.0' },
      '100% on 1 invoice',
    ],
    [{ frequency: 'recurring', frequency_duration: 5 }, '$10.00 on 5 invoices'],
    [{ frequency: 'recurring', frequency_duration: null }, '$10.00 on several invoices'],
    [
      { frequency: 'forever', billable_metric_codes: ['metric6'], expiration_at: '2027-07-22T06:30:00Z' },
      'usage of metric6, until 22 Jul 2027',
    ],
    [{ frequency: 'once', plan_codes: ['plan1', 'plan2'] }, 'limited to plans plan1 and plan2'],
  ])('says on how many invoices a coupon counts, for what and until when: %j', async (fields, said) => {
    world.script({ '/coupons': [coupon(fields)] });
    const { summary } = await world.call('list_catalogue', { kind: 'coupons' });
    expect(summary).toContain(said);
  });

  it('says what applied coupons are limited to, and counts the uses that took something off', async () => {
    const credits = [
      { amount_cents: 2027, amount_currency: 'USD' },
      { amount_cents: 0, amount_currency: 'USD' },
    ];
    world.script({ '/applied_coupons': [applied({ credits })], '/coupons': [coupon({ plan_codes: ['plan2'] })] });
    const answer = await world.call('list_catalogue', { kind: 'applied_coupons' });
    expect(factsOf(answer.summary)).toBe('1 · “Ten off” · (ten) · $10.00 · plan2 · $4.00 · $20.27');
    expect(answer.records).toMatchObject([{ coupon_code: 'ten', plan_codes: ['plan2'] }]);
  });

  it('says of metrics how they are rounded, and which carry over to the next period', async () => {
    const row = { svc_id: 'm', code: 'metric0', name: 'Metric A', aggregation_type: 'sum_agg' };
    const rows = [
      { ...row, recurring: true, rounding_function: 'ceil', rounding_precision: null },
      { ...row, svc_id: 'n', recurring: false, rounding_function: 'round', rounding_precision: 2 },
    ];
    world.script({ '/billable_metrics': { billable_metrics: rows, meta: meta(2) } });
    expect((await world.call('list_catalogue', { kind: 'billable_metrics' })).summary).toMatch(
      /rounded up .* carried .*rounded to 2 decimals/,
    );
  });

  it('turns the pages of billing entities itself, because their list knows none', async () => {
    const entities = ['main', 'fr', 'de'].map(code => ({
      code,
      name: code.toUpperCase(),
      is_default: code === 'main',
    }));
    world.script({ '/billing_entities': { billing_entities: entities } });
    const first = await world.call('list_catalogue', { kind: 'billing_entities', per_page: 2 });
    expect(first).toMatchObject({
      shown: '2 of 3',
      next_page: 2,
      records: [{ code: 'main', is_default: true }, { code: 'fr' }],
    });
    expect(factsOf(first.summary)).toBe('3 · 2 · 2 · “MAIN” · (main) · “FR” · (fr) · 1');
    const second = await world.call('list_catalogue', { kind: 'billing_entities', per_page: 2, page: 2 });
    expect(second).toMatchObject({ shown: '1 of 3', records: [{ code: 'de' }] });
    expect(world.asked).toEqual(['/billing_entities', '/billing_entities']);
  });

  it('lists the coupons of a customer, found by name, with what they took off', async () => {
    const credits = [
      { amount_cents: 600, amount_currency: 'USD' },
      { amount_cents: 25, amount_currency: 'USD' },
    ];
    world.script({
      '/customers/Acme/applied_coupons': refusal(404, 'customer_not_found'),
      '/customers': [{ external_id: 'acme', name: 'Acme Inc' }],
      '/customers/acme/applied_coupons': [applied({ credits })],
    });
    const answer = await world.call('list_catalogue', { kind: 'applied_coupons', external_customer_id: 'Acme' });
    expect(factsOf(answer.summary)).toBe('“Acme Inc” · (acme) · 1 · “Ten off” · (ten) · $10.00 · $4.00 · 2 · $6.25');
    expect(answer.records).toMatchObject([{ coupon_code: 'ten', status: 'active', amount_cents_remaining: 400 }]);
  });

  it('says that fees of drafts and voided invoices are among the fees, oldest first, and adds nothing up', async () => {
    world.script({
      '/fees': { fees: Array.from({ length: 20 }, (_, n) => fee({ svc_id: `f-${n}` })), meta: meta(134, { pages: 7 }) },
    });
    const answer = await world.call('list_catalogue', { kind: 'fees' });
    expect(factsOf(answer.summary)).toBe('134 · 20 · 2 · 7');
    expect(answer).toMatchObject({ shown: '20 of about 134', next_page: 2 });
    expect(answer).not.toHaveProperty('totals');
    expect((answer.records as object[])[0]).toEqual({
      ...{ created_at: '2026-01-01', item: { code: 'api_calls' }, units: '5.0', amount_cents: 500 },
      ...{ amount_currency: 'USD', payment_status: 'pending', svc_invoice_id: 'i', external_subscription_id: 'sub-1' },
    });
  });

  it.each([
    ['fees', '/fees', fee({ created_at: '2026-01-01T03:00:00Z' }), { created_at: '2025-12-31' }, 'Days are in'],
    [
      'applied_coupons',
      '/customers/acme/applied_coupons',
      applied({ expiration_at: '2026-01-01T03:00:00Z' }),
      { expiration_at: '2025-12-31T22:00:00-05:00' },
      'Times are in',
    ],
  ])('tells the moments of a customer’s %s by the customer’s clocks', async (kind, path, row, told, clocks) => {
    await world.renew();
    world.script({
      [path]: { [kind]: [row], meta: meta(1) },
      '/customers/acme': { customer: { external_id: 'acme', applicable_timezone: 'America/New_York' } },
    });
    const answer = await world.call('list_catalogue', { kind, external_customer_id: 'acme' });
    expect(answer.records).toMatchObject([told]);
    expect(answer.summary).toContain(`${clocks} America/New_York.`);
    expect(world.asked.at(-1)).toBe('/customers/acme');
  });

  it('checks the customer of an empty list of fees', async () => {
    const none = { fees: [], meta: meta(0) };
    world.script({ '/fees': none, '/customers/acme': { customer: { external_id: 'acme' } } });
    const args = { kind: 'fees', external_customer_id: 'acme' };
    expect((await world.call('list_catalogue', args)).summary).toBe('Customer acme: no fee.');
    world.script({
      '/fees': none,
      '/customers/acme': refusal(404, 'customer_not_found'),
      '/customers': [],
    });
    expect((await world.call('list_catalogue', args)).error?.code).toBe('customer_not_found');
    expect(world.asked[0]).toBe('/fees?external_customer_id=acme&page=1&per_page=20');
  });

  it('says which path the installation lacks', async () => {
    world.script({});
    const answer = await world.call('list_catalogue', { kind: 'coupons' });
    expect(answer.error?.code).toBe('lookup_unavailable');
    expect(answer.summary).toContain('has no GET /coupons');
  });
});

describe('whether the coming bill is among the uses left of a coupon', () => {
  const recurring = { frequency: 'recurring', amount_cents_remaining: null };
  const percentage = { amount_cents: null, amount_cents_remaining: null, percentage_rate: '10.0' };
  it.each([
    [{}, '$4.00 left for the next invoice.'],
    [{ amount_cents_remaining: 0 }, 'used up before'],
    [{ ...percentage, frequency: 'once' }, '10% once for acme, for the'],
    [{ ...recurring, frequency_duration_remaining: 2 }, '2 uses left, including the next'],
    [{ ...recurring, frequency_duration_remaining: 1 }, '1 use left, for the next'],
    [{ ...recurring, frequency_duration_remaining: 0 }, 'used up before the next invoice'],
    [{ ...recurring, frequency: 'forever' }, '$10.00 on every invoice for acme.'],
    [{ expiration_at: '2020-01-01T00:00:00Z' }, 'expired before the next invoice'],
    [{ expiration_at: '2999-01-01T00:00:00Z' }, 'it expires first, on 1 Jan 2999'],
    [{ status: 'terminated' }, '$10.00 once for acme, ended.'],
    [{ amount_cents_remaining: null }, '$10.00 once for acme.'],
  ])('%j', async (fields, said) => {
    const coupon = { amount_cents: 1000, amount_currency: 'USD', frequency: 'once', amount_cents_remaining: 400 };
    const applied_coupons = [applied({ ...coupon, ...fields })];
    world.script({ '/applied_coupons': { applied_coupons, meta: meta(1) } });
    expect((await world.call('list_catalogue', { kind: 'applied_coupons' })).summary).toContain(said);
  });
});

describe('filters of one kind', () => {
  it.each([
    [
      { kind: 'fees', external_subscription_id: 'main', billable_metric_code: 'calls', created_at_from: '2026-02-01' },
      '/fees?external_subscription_id=main&billable_metric_code=calls&created_at_from=2026-02-01T00:00:00Z&page=1&per_page=20',
    ],
    [{ kind: 'fees', created_at_to: '2026-02-28' }, '/fees?created_at_to=2026-02-28T23:59:59.999Z&page=1&per_page=20'],
    [
      { kind: 'applied_coupons', status: 'active', coupon_code: 'ten' },
      '/applied_coupons?status=active&coupon_code[]=ten&page=1&per_page=20',
    ],
  ])('of %o are sent to the service', async (args, request) => {
    world.script({ '/fees': [], '/applied_coupons': [] });
    await world.call('list_catalogue', args);
    expect(world.asked).toEqual([request]);
  });
});
