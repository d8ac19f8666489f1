import { expect, it } from 'vitest';
import type { AppliedCouponRecord, CouponRecord, InvoiceRecord } from '../../../src/engine/records/index.ts';
import {
  addOnRecord,
  appliedCouponRecord,
  couponRecord,
  customerRecord,
  entityRecord,
  invoiceRecord,
  metricRecord,
  planRecord,
  taxRecord,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, onDatabase } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const created = (day: number) => ({ created_at: at(day), updated_at: at(day) });

const coupon = (code: string, day: number, fields: Partial<CouponRecord> = {}) =>
  couponRecord(code, { ...created(day), ...fields });
const limited = (day: number) => ({ expiration: 'time_limit' as const, expiration_at: at(day) });
const ended = { status: 'terminated' as const, terminated_at: at(6) };
const percentage = {
  ...{ coupon_type: 'percentage' as const, amount_cents: null, amount_currency: null, percentage_rate: '12.50' },
  ...{ frequency: 'recurring' as const, frequency_duration: 3 },
};

const a = coupon('a', 1);
const b = coupon('b', 2, percentage);
const applied = (id: string, day: number, of: CouponRecord, fields: Partial<AppliedCouponRecord> = {}) =>
  appliedCouponRecord(of, { id, ...created(day), ...fields });

const credit = (id: string, cents: number, of: CouponRecord, appliedId?: string) => ({
  ...{ id, amount_cents: cents, amount_currency: 'EUR', before_taxes: true, invoice: null },
  item: { item_id: of.id, type: 'coupon' as const, code: of.code, name: of.name },
  ...(appliedId === undefined ? {} : { applied_coupon_id: appliedId }),
});
const invoice = (id: string, day: number, credits: InvoiceRecord['credits'], fields: Partial<InvoiceRecord> = {}) =>
  invoiceRecord([], { id, ...created(day), credits, coupons_amount_cents: 1, payment_status: 'failed', ...fields });

const records = {
  taxes: [
    { ...taxRecord('vat', '20'), id: 'vat', name: 'B', ...created(1), description: 'Value added' },
    { ...taxRecord('old', '5.5'), id: 'old', name: 'B', ...created(2) },
    { ...taxRecord('none', '0'), id: 'none', name: 'b', ...created(3), applied_to_organization: true },
    { ...taxRecord('first', '1'), id: 'first', name: 'A', ...created(1) },
  ],
  invoice_custom_sections: [true, false].map(applied_to_organization => ({
    ...{ id: `section ${applied_to_organization}`, code: `section-${applied_to_organization}`, name: 'Section' },
    ...{ description: null, details: 'Text', display_name: null, applied_to_organization, ...created(1) },
  })),
  billing_entities: [
    entityRecord({ id: 'z', code: 'zulu', is_default: false, tax_codes: ['vat', 'old'], ...created(2) }),
    entityRecord({ tax_codes: ['vat'], ...created(2) }),
    entityRecord({
      id: 'first',
      code: 'first',
      is_default: false,
      logo_url: 'data:image/png;base64,AA',
      ...created(1),
    }),
  ],
  add_ons: [
    addOnRecord('x', { ...created(1), tax_codes: ['vat'] }),
    addOnRecord('y', created(2)),
    addOnRecord('w', created(2)),
    addOnRecord('gone', { deleted_at: at(4) }),
  ],
  billable_metrics: [metricRecord('m', created(2)), metricRecord('l', created(2)), metricRecord('n', created(3))],
  plans: [planRecord(), planRecord({ id: 'child', parent_id: 'plan' })],
  coupons: [
    a,
    b,
    coupon('c', 3, limited(9)),
    coupon('d', 4, { ...limited(8), plan_codes: ['plan'], reusable: false, description: 'For plans' }),
    coupon('e', 5, { ...ended, billable_metric_codes: ['m'] }),
    coupon('f', 2),
  ],
  customers: [
    customerRecord(),
    customerRecord({ id: 'beta', external_id: 'beta' }),
    customerRecord({ id: 'gone', external_id: 'gone', deleted_at: at(5) }),
  ],
  applied_coupons: [
    applied('1', 1, a, { amount_cents_remaining: 400, amount_cents: 900 }),
    applied('2', 2, a),
    applied('3', 2, b, { customer_id: 'beta', frequency_duration_remaining: 2 }),
    applied('4', 3, b, { ...ended, amount_cents_remaining: 7 }),
    applied('5', 4, a, { customer_id: 'gone' }),
  ],
  invoices: [
    invoice('late', 3, [credit('c3', 30, a, '1')]),
    invoice('early', 2, [credit('c1', 10, a, '1'), credit('c2', 20, a, '2'), credit('b1', 5, b)]),
    invoice('beta', 2, [credit('b2', 6, b)], { customer_id: 'beta' }),
    invoice('hidden', 1, [credit('c4', 40, a, '1')], { status: 'generating' }),
  ],
  webhook_endpoints: ['https://b.test', 'https://a.test/x', 'https://a.test'].map((webhook_url, n) => ({
    ...{ id: `hook-${n}`, webhook_url, signature_algo: 'jwt' as const, name: null, event_types: null, ...created(1) },
  })),
};

onDatabase('the catalogue', database, records, account => {
  it.each([
    ['add-ons that are not deleted', '/add_ons', 'w y x'],
    ['a page of add-ons', '/add_ons?page=2&per_page=1', 'y'],
    ['coupons: active, without limit, next to expire', '/coupons', 'b f a d c e'],
    ['a page of coupons', '/coupons?page=2&per_page=4', 'c e'],
    ['metrics', '/billable_metrics', 'n l m'],
    ['a page of metrics', '/billable_metrics?page=3&per_page=1', 'm'],
    ['taxes by name, in the order of bytes', '/taxes', 'first old vat none'],
    ['a page of taxes', '/taxes?page=2&per_page=3', 'none'],
    ['webhook endpoints by address', '/webhook_endpoints', 'hook-2 hook-1 hook-0'],
    ['a page of webhook endpoints', '/webhook_endpoints?page=2&per_page=2', 'hook-0'],
  ])('lists %s', async (_, path, expected) => {
    expect(await account.ids(path)).toBe(expected);
  });

  it.each([
    ['add_ons', 'add_on'],
    ['coupons', 'coupon'],
    ['billable_metrics', 'billable_metric'],
    ['taxes', 'tax'],
    ['plans', 'plan'],
  ])('answers each of the %s alone in the form of the list', async (plural, single) => {
    const listed: { code: string }[] = (await account.get(`/${plural}`)).body[plural];
    expect(listed.length).toBeGreaterThan(0);
    for (const each of listed) {
      expect((await account.get(`/${plural}/${each.code}`)).body).toEqual({ [single]: each });
    }
    expect(await account.refusal(`/${plural}/nothing`)).toEqual(missing(single));
  });

  it.each([
    ['add_ons', 'gone'],
    ['billing_entities', 'nothing'],
  ])('has no /%s/%s', async (plural, code) => {
    expect(await account.refusal(`/${plural}/${code}`)).toEqual(
      missing(plural === 'add_ons' ? 'add_on' : 'billing_entity'),
    );
  });

  it('reads the plan itself, not the copy of a subscription', async () => {
    expect((await account.get('/plans/plan')).body.plan).toMatchObject({ svc_id: 'plan', parent_id: null });
  });

  it('names the keys that have no effect', async () => {
    for (const path of [
      '/add_ons',
      '/coupons',
      '/billable_metrics',
      '/taxes',
      '/webhook_endpoints',
      '/billing_entities',
      '/plans',
    ]) {
      expect(await account.notice(`${path}?search_term=x`)).toContain('no effect: search_term');
    }
    expect(await account.notice('/plans?page=1&per_page=2')).toBeUndefined();
    expect(await account.notice('/billing_entities?page=1')).toContain('no effect: page');
  });

  it('shows what a coupon takes, how often, and from what', async () => {
    const { coupons } = (await account.get('/coupons')).body;
    const none = { svc_id: 'd', name: 'Coupon d', code: 'd', description: 'For plans' };
    expect(coupons[3]).toEqual({
      ...none,
      ...{ coupon_type: 'fixed_amount', amount_cents: 1000, amount_currency: 'EUR', percentage_rate: null },
      ...{ frequency: 'once', frequency_duration: null, reusable: false },
      ...{ limited_plans: true, limited_billable_metrics: false, plan_codes: ['plan'], billable_metric_codes: [] },
      ...{ created_at: '2026-01-04T00:00:00Z', expiration: 'time_limit', expiration_at: '2026-01-08T00:00:00Z' },
      terminated_at: null,
    });
    expect(coupons[0]).toMatchObject({ percentage_rate: '12.5', amount_cents: null, frequency_duration: 3 });
    expect(coupons[5]).toMatchObject({ terminated_at: '2026-01-06T00:00:00Z', limited_billable_metrics: true });
    expect(coupons.some((each: object) => 'status' in each)).toBe(false);
  });

  it('shows which billing entities apply a tax', async () => {
    const { taxes } = (await account.get('/taxes')).body;
    const counters = { add_ons_count: 0, charges_count: 0, commitments_count: 0, customers_count: 0, plans_count: 0 };
    expect(taxes[2]).toEqual({
      ...{ svc_id: 'vat', name: 'B', code: 'vat', rate: 20, description: 'Value added' },
      ...{ applied_to_organization: true, applied_to_billing_entities_codes: ['main', 'zulu'], ...counters },
      created_at: '2026-01-01T00:00:00Z',
    });
    const applies = taxes.map(
      (tax: { applied_to_organization: boolean; applied_to_billing_entities_codes: string[] }) => [
        tax.applied_to_organization,
        tax.applied_to_billing_entities_codes,
      ],
    );
    expect(applies).toEqual([
      [false, []],
      [false, ['zulu']],
      [true, ['main', 'zulu']],
      [false, []],
    ]);
  });

  it('counts nothing on metrics', async () => {
    const { billable_metrics: metrics } = (await account.get('/billable_metrics')).body;
    const counters = { active_subscriptions_count: 0, draft_invoices_count: 0, plans_count: 0 };
    for (const metric of metrics) expect(metric).toMatchObject(counters);
  });

  it('lists billing entities without pages, oldest first; only the single one has taxes and sections', async () => {
    const { body } = await account.get('/billing_entities?per_page=1');
    expect(Object.keys(body)).toEqual(['billing_entities']);
    expect(body.billing_entities.map((each: { svc_id: string }) => each.svc_id)).toEqual(['first', 'entity', 'z']);
    const sections = [];
    for (const listed of body.billing_entities) {
      const { billing_entity: whole } = (await account.get(`/billing_entities/${listed.code}`)).body;
      const { taxes, selected_invoice_custom_sections: selected, ...rest } = whole;
      expect(rest).toEqual(listed);
      sections.push([taxes, selected].map(list => list.map(({ code }: { code: string }) => code)));
    }
    expect(sections).toEqual([
      [[], []],
      [['vat'], ['section-true']],
      [['vat', 'old'], []],
    ]);
    const { id } = account.account.organization;
    expect(body.billing_entities[0].logo_url).toMatch(/^http/);
    expect(body.billing_entities[0].logo_url.endsWith(`/billing-entity-logos/${id}/first`)).toBe(true);
  });
});

onDatabase('the lists of applied coupons', database, records, account => {
  it.each([
    ['newest first, then by id; none of deleted customers', '/applied_coupons', '4 2 3 1'],
    ['a customer’s', '/applied_coupons?external_customer_id=acme', '4 2 1'],
    ['an unknown customer’s', '/applied_coupons?external_customer_id=nobody', ''],
    ['a deleted customer’s', '/applied_coupons?external_customer_id=gone', ''],
    ['a customer’s, below the customer', '/customers/beta/applied_coupons', '3'],
    ['a status', '/applied_coupons?status=terminated', '4'],
    ['another status', '/applied_coupons?status=active', '2 3 1'],
    ['an unknown status is ignored', '/applied_coupons?status=used', '4 2 3 1'],
    ['a coupon', '/applied_coupons?coupon_code[]=a', '2 1'],
    ['several coupons', '/applied_coupons?coupon_code[]=a&coupon_code[]=b', '4 2 3 1'],
    ['an unknown coupon', '/applied_coupons?coupon_code[]=x', ''],
    ['a scalar for a list is ignored', '/applied_coupons?coupon_code=a', '4 2 3 1'],
    ['filters together', '/customers/acme/applied_coupons?coupon_code[]=b&status=terminated', '4'],
    ['a page', '/applied_coupons?page=2&per_page=2', '3 1'],
  ])('%s', async (_, path, expected) => {
    expect(await account.ids(path)).toBe(expected);
  });

  it('an unknown or deleted customer is an error below the customer', async () => {
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/customers/${id}/applied_coupons`)).toEqual(missing('customer'));
    }
  });

  it('each says where it was used, oldest invoice first, not on hidden ones', async () => {
    const { applied_coupons: listed } = (await account.get('/applied_coupons')).body;
    const credits = listed.map((each: { credits: { svc_id: string }[] }) => each.credits.map(used => used.svc_id));
    expect(credits).toEqual([['b1'], ['c2'], ['b2'], ['c1', 'c3']]);
    expect(listed[3]).toEqual({
      ...{ svc_id: '1', svc_coupon_id: 'a', coupon_code: 'a', coupon_name: 'Coupon a', coupon_description: null },
      ...{
        coupon_status: 'active',
        coupon_deleted_at: null,
        svc_customer_id: 'customer',
        external_customer_id: 'acme',
      },
      ...{ status: 'active', amount_cents: 900, amount_cents_remaining: 400, amount_currency: 'EUR' },
      ...{ percentage_rate: null, frequency: 'once', frequency_duration: null, frequency_duration_remaining: null },
      ...{ expiration_at: null, created_at: '2026-01-01T00:00:00Z', terminated_at: null },
      credits: [
        {
          ...{ svc_id: 'c1', amount_cents: 10, amount_currency: 'EUR', before_taxes: true },
          item: { svc_item_id: 'a', type: 'coupon', code: 'a', name: 'Coupon a', description: null },
          invoice: { svc_id: 'early', payment_status: 'failed' },
        },
        expect.objectContaining({ svc_id: 'c3', invoice: { svc_id: 'late', payment_status: 'failed' } }),
      ],
    });
  });

  it('what remains of an amount is shown only where it is used once', async () => {
    const { applied_coupons: listed } = (await account.get('/applied_coupons')).body;
    expect(listed[0]).toMatchObject({ amount_cents_remaining: null, terminated_at: '2026-01-06T00:00:00Z' });
    expect(listed[2]).toMatchObject({
      ...{ amount_cents_remaining: null, percentage_rate: '12.5', frequency: 'recurring' },
      ...{ frequency_duration: 3, frequency_duration_remaining: 2 },
    });
  });

  it('keys without effect are named', async () => {
    const notice = await account.notice('/applied_coupons?status=used&coupon_code=a');
    expect(notice).toContain('no effect: coupon_code, status');
  });
});
