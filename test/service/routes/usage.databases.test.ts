/** Current, past and lifetime usage of invented accounts (lookups §6); the demo account's answers are in ../contract. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventRecord, FeeRecord, InvoiceRecord, SubscriptionRecord } from '../../../src/engine/records/index.ts';
import { type Records, type World, world } from '../../engine/service-world.ts';
import {
  chargeRecord,
  customerRecord,
  eventRecord,
  invoiceRecord,
  metricRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
  taxRecord,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';

const { name, missing, fresh } = await withDatabase();
const NOW = '2026-03-10T12:00:00.000Z';

const metrics = [
  metricRecord('zeta', { name: 'alpha calls', aggregation_type: 'count_agg', field_name: null }),
  metricRecord('units', { name: 'Beta units' }),
  metricRecord('gigabytes', { name: 'Charlie' }),
  metricRecord('unused', { name: 'delta' }),
  metricRecord('own', { name: 'Own', aggregation_type: 'custom_agg' }),
];
const eu = { id: 'eu', invoice_display_name: 'Europe', properties: { amount: '2' }, values: { region: ['eu'] } };
const asia = { id: 'asia', invoice_display_name: null, properties: { amount: '3' }, values: { region: ['asia'] } };
const charges = [
  // 1.005 a unit, at least 100.00: the minimum is not in usage.
  chargeRecord('units', {
    properties: { amount: '1.005' },
    filters: [eu, asia],
    min_amount_cents: 10_000,
    tax_codes: ['vat'],
  }),
  chargeRecord('gigabytes', {
    properties: { amount: '0.1', pricing_group_keys: ['cloud'] },
    pay_in_advance: true,
    tax_codes: ['half'],
  }),
  chargeRecord('zeta', { charge_model: 'package', properties: { amount: '5', package_size: 2, free_units: 0 } }),
  chargeRecord('unused', { invoice_display_name: 'Nothing here' }),
];
const plan = planRecord({ charges, tax_codes: ['none'] });
const at = (day: string) => `2026-${day}T08:00:00.000Z`;
const used: Pick<EventRecord, 'code' | 'timestamp' | 'properties'>[] = [
  { code: 'units', timestamp: at('03-02'), properties: { value: 3, region: 'eu' } },
  { code: 'units', timestamp: at('03-03'), properties: { value: '1.5', region: 'us' } },
  // Of the running period although it lies ahead; then one of the period before, one of the next.
  { code: 'units', timestamp: at('03-30'), properties: { value: 2 } },
  { code: 'units', timestamp: at('02-28'), properties: { value: 100 } },
  { code: 'units', timestamp: at('04-01'), properties: { value: 100 } },
  { code: 'gigabytes', timestamp: at('03-04'), properties: { value: 10, cloud: 'b' } },
  { code: 'gigabytes', timestamp: at('03-05'), properties: { value: 25, cloud: 'a' } },
  { code: 'gigabytes', timestamp: at('03-05'), properties: { value: 5 } },
  { code: 'zeta', timestamp: at('03-06'), properties: {} },
  { code: 'zeta', timestamp: at('03-07'), properties: {} },
  { code: 'zeta', timestamp: at('03-08'), properties: {} },
];
// In advance: 12 units at the peak, before 3 were taken back.
const usedInParts: EventRecord['properties'][] = [
  { value: 2, cloud: 'a', tier: 'gold' },
  { value: 6, cloud: 'a' },
  { value: 4, cloud: 'b', tier: 'gold' },
  { value: -3, cloud: 'a' },
];
const events = [
  ...used.map((fields, n) => eventRecord(n, fields)),
  ...usedInParts.map((properties, n) =>
    eventRecord(100 + n, { timestamp: at(`03-0${n + 2}`), properties, external_subscription_id: 'divided' }),
  ),
];

const others: Partial<SubscriptionRecord>[] = [
  { id: 'custom', external_id: 'custom', plan_id: 'custom' },
  { id: 'yearly', external_id: 'yearly', plan_id: 'yearly', subscription_at: '2026-03-05T10:00:00.000Z' },
  { id: 'ended', external_id: 'ended', status: 'terminated', terminated_at: '2026-02-10T00:00:00.000Z' },
  { id: 'pending', external_id: 'pending', status: 'pending', started_at: null },
  { id: 'divided', external_id: 'divided', plan_id: 'divided' },
  { id: 'theirs', external_id: 'theirs', customer_id: 'other' },
];
const usageFee = (cents: number, fields: Partial<FeeRecord>) =>
  storedFee(cents, {
    item: { ...storedFee(0).item, type: 'charge', code: 'units', grouped_by: {} },
    charge_id: 'charge-units',
    events_count: 1,
    units: '2.5',
    total_aggregated_units: '2.5',
    ...fields,
  });
const period = (month: string, end: string, fields: object = {}) => ({
  subscription_id: 'subscription',
  external_subscription_id: 'sub',
  plan_id: 'plan',
  subscription_from_datetime: `${month}-01T00:00:00.000Z`,
  subscription_to_datetime: `${end}T23:59:59.999Z`,
  charges_from_datetime: `${month}-01T00:00:00.000Z`,
  charges_to_datetime: `${end}T23:59:59.999Z`,
  invoicing_reason: 'subscription_periodic' as const,
  ...fields,
});
const invoice = (id: string, fees: FeeRecord[], fields: Partial<InvoiceRecord>) =>
  invoiceRecord(
    fees.map((fee, n) => ({ ...fee, id: `${id} ${n}` })),
    { id, number: id, ...fields },
  );
const invoices = [
  invoice(
    'january',
    [
      storedFee(10_000, { taxes_amount_cents: 2000, precise_coupons_amount_cents: '500.0' }),
      usageFee(400, { charge_filter_id: 'eu', units: '2', taxes_amount_cents: 80 }),
      usageFee(101, { units: '1', events_count: 2, taxes_amount_cents: 20 }),
      usageFee(9499, { units: '1', events_count: 0, true_up_parent_fee_id: 'fee' }),
      usageFee(70, { charge_id: 'charge-zeta', item: { ...storedFee(0).item, type: 'charge', code: 'zeta' } }),
      usageFee(9, { subscription_id: 'theirs' }),
    ],
    { issuing_date: '2026-02-01', billing_periods: [period('2026-01', '2026-01-31')] },
  ),
  invoice('february', [usageFee(250, { from_date: '2026-02-01T00:00:00.000Z' })], {
    status: 'draft',
    billing_periods: [period('2026-02', '2026-02-28')],
  }),
  // Billed in advance: of the running period.
  invoice('march', [usageFee(55, { from_date: '2026-03-01T00:00:00.000Z' })], {
    billing_periods: [period('2026-03', '2026-03-31', { invoicing_reason: 'in_advance_charge' })],
  }),
  invoice('start', [storedFee(1)], {
    billing_periods: [period('2025-12', '2025-12-31', { invoicing_reason: 'subscription_starting' })],
  }),
  invoice('void', [usageFee(5000, {})], { status: 'voided', billing_periods: [period('2025-11', '2025-11-30')] }),
  invoice('last', [usageFee(60, { subscription_id: 'ended' })], {
    subscription_ids: ['ended'],
    billing_periods: [
      period('2026-02', '2026-02-10', {
        subscription_id: 'ended',
        external_subscription_id: 'ended',
        invoicing_reason: 'subscription_terminating',
      }),
    ],
  }),
];
const threshold = (amount_cents: number, recurring = false) => ({
  ...{ id: `t${amount_cents}`, threshold_display_name: null, amount_cents, recurring },
  ...{ created_at: NOW, updated_at: NOW },
});
const records: Records = {
  customers: [customerRecord(), customerRecord({ id: 'other', external_id: 'other' })],
  billable_metrics: metrics,
  taxes: [taxRecord('vat', '20'), taxRecord('half', '0.5'), taxRecord('none', '0')],
  plans: [
    plan,
    planRecord({ id: 'custom', code: 'custom', charges: [chargeRecord('own'), chargeRecord('units')] }),
    planRecord({
      id: 'divided',
      code: 'divided',
      charges: [
        chargeRecord('units', {
          pay_in_advance: true,
          properties: { amount: '1', presentation_group_keys: [{ value: 'cloud' }, { value: 'tier' }] },
        }),
      ],
    }),
    planRecord({ id: 'yearly', code: 'yearly', interval: 'yearly', bill_charges_monthly: true }),
  ],
  subscriptions: [{}, ...others].map(subscriptionRecord),
  events,
  invoices,
};

describe.skipIf(missing)(`usage on ${name}`, () => {
  let opened: World;
  beforeAll(async () => {
    opened = await world(records, NOW, await fresh());
  });
  afterAll(() => opened?.close());

  const current = async (query = '', subscription = 'sub', customer = 'acme') =>
    opened.get(`/customers/${customer}/current_usage?external_subscription_id=${subscription}${query}`);
  /** Metric, units and cents of each charge. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  const shown = ({ charges_usage }: { charges_usage: any[] }): string =>
    charges_usage.map(each => `${each.billable_metric.code} ${each.units} ${each.amount_cents}`).join(', ');

  describe('current (lookups §6.1)', () => {
    // units eu 3 × 2.00 = 600, tax 20 % 120; other 3.5 × 1.005 = 351.75 → 352, tax 70.4 → 70. gigabytes a 250, tax 0.5 %
    // 1.25 → 1; b 100, tax 0.5 → 1; none 50, tax 0.25 → 0. calls 3 of packages of 2: 1000.
    it('is that of the running period, each charge by its metric’s name, each fee taxed and rounded', async () => {
      const { status, body } = await current();
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['customer_usage']);
      const { charges_usage, ...usage } = body.customer_usage;
      expect(usage).toEqual({
        from_datetime: '2026-03-01T00:00:00Z',
        to_datetime: '2026-03-31T23:59:59Z',
        issuing_date: '2026-03-31',
        currency: 'EUR',
        amount_cents: 600 + 352 + 250 + 100 + 50 + 1000,
        taxes_amount_cents: 120 + 70 + 1 + 1,
        total_amount_cents: 2352 + 192,
        svc_invoice_id: null,
      });
      expect(shown(body.customer_usage)).toBe('zeta 3.0 1000, units 6.5 952, gigabytes 40.0 400, unused 0.0 0');
      expect(charges_usage[0]).toEqual({
        units: '3.0',
        total_aggregated_units: '3.0',
        events_count: 3,
        amount_cents: 1000,
        amount_currency: 'EUR',
        pricing_unit_details: null,
        charge: { svc_id: 'charge-zeta', code: 'charge-zeta', charge_model: 'package', invoice_display_name: null },
        billable_metric: { svc_id: 'zeta', name: 'alpha calls', code: 'zeta', aggregation_type: 'count_agg' },
        filters: [],
        grouped_usage: [],
        presentation_breakdowns: [],
      });
      expect(charges_usage[3]).toMatchObject({
        ...{ events_count: 0, total_aggregated_units: '0.0', filters: [], grouped_usage: [] },
        charge: { invoice_display_name: 'Nothing here' },
      });
    });

    it('shows one entry per filter, without usage too, and one for the rest', async () => {
      const { body } = await current('&billable_metric_code=units');
      const figures = { pricing_unit_details: null, presentation_breakdowns: [] };
      expect(body.customer_usage.charges_usage[0].filters).toEqual([
        {
          ...{ ...figures, units: '3.0', total_aggregated_units: '3.0', events_count: 1, amount_cents: 600 },
          ...{ invoice_display_name: 'Europe', values: { region: ['eu'] } },
        },
        {
          ...{ ...figures, units: '0.0', total_aggregated_units: '0.0', events_count: 0, amount_cents: 0 },
          ...{ invoice_display_name: null, values: { region: ['asia'] } },
        },
        {
          ...{ ...figures, units: '3.5', total_aggregated_units: '3.5', events_count: 2, amount_cents: 352 },
          ...{ invoice_display_name: null, values: null },
        },
      ]);
    });

    it('shows each group, one without the property too', async () => {
      const { body } = await current('&charge_id=charge-gigabytes');
      expect(body.customer_usage.charges_usage[0].grouped_usage[0]).toEqual({
        units: '25.0',
        total_aggregated_units: '25.0',
        events_count: 1,
        amount_cents: 250,
        pricing_unit_details: null,
        grouped_by: { cloud: 'a' },
        filters: [],
        presentation_breakdowns: [],
      });
      const groups = body.customer_usage.charges_usage[0].grouped_usage;
      expect(groups.map((group: { grouped_by: object }) => group.grouped_by)).toEqual([
        { cloud: 'a' },
        { cloud: 'b' },
        { cloud: null },
      ]);
    });

    it.each<[string, string, number, number]>([
      // [query, charges, total cents, tax cents]
      ['&apply_taxes=false', 'zeta 3.0 1000, units 6.5 952, gigabytes 40.0 400, unused 0.0 0', 2352, 0],
      ['&charge_id=charge-units', 'units 6.5 952', 952, 190],
      ['&filter_by_charge_id=charge-units', 'units 6.5 952', 952, 190],
      ['&charge_code=charge-zeta', 'zeta 3.0 1000', 1000, 0],
      ['&filter_by_charge_code=charge-zeta', 'zeta 3.0 1000', 1000, 0],
      ['&billable_metric_code=unused', 'unused 0.0 0', 0, 0],
      ['&filter_by_metric_code=unused', 'unused 0.0 0', 0, 0],
      // The first filter wins, whatever the order in the query.
      ['&billable_metric_code=unused&charge_code=charge-zeta&charge_id=charge-units', 'units 6.5 952', 952, 190],
      // One group: charges that are not grouped by the key have none.
      ['&group[cloud]=b', 'zeta 0.0 0, units 0.0 0, gigabytes 10.0 100, unused 0.0 0', 100, 1],
      ['&group[cloud]=a&group[cloud]=b&charge_id=charge-gigabytes', 'gigabytes 35.0 350', 350, 2],
      ['&group[cloud][]=a&group[cloud][]=b&charge_id=charge-gigabytes', 'gigabytes 35.0 350', 350, 2],
      [`&group=${encodeURIComponent('{"cloud":["a","b"]}')}&charge_id=charge-gigabytes`, 'gigabytes 35.0 350', 350, 2],
      // Without the property.
      [`&group=${encodeURIComponent('{"cloud":null}')}&charge_id=charge-gigabytes`, 'gigabytes 5.0 50', 50, 0],
      ['&group[cloud]=null&charge_id=charge-gigabytes', 'gigabytes 0.0 0', 0, 0],
      ['&group[cloud]=a&group[region]=eu&charge_id=charge-gigabytes', 'gigabytes 0.0 0', 0, 0],
      // All groups priced as one: 4.00, tax 2.
      ['&skip_grouping=true&charge_id=charge-gigabytes', 'gigabytes 40.0 400', 400, 2],
    ])('%s', async (query, expected, cents, taxes) => {
      const { status, body } = await current(query);
      expect(status).toBe(200);
      expect(shown(body.customer_usage)).toEqual(expected);
      expect(body.customer_usage).toMatchObject({
        ...{ amount_cents: cents, taxes_amount_cents: taxes, total_amount_cents: cents + taxes },
      });
    });

    it('has no groups when grouping is skipped, and only those asked for with `group`', async () => {
      const groups = async (query: string) =>
        (await current(`&charge_id=charge-gigabytes${query}`)).body.customer_usage.charges_usage[0].grouped_usage;
      expect(await groups('&skip_grouping=true')).toEqual([]);
      expect(await groups('&group[cloud]=b')).toMatchObject([{ grouped_by: { cloud: 'b' }, units: '10.0' }]);
      expect(await groups('&group[cloud]=unknown')).toEqual([]);
    });

    it('begins with the subscription; a yearly plan that bills usage monthly has months', async () => {
      const { body } = await current('', 'yearly');
      expect(body.customer_usage).toMatchObject({
        from_datetime: '2026-03-05T10:00:00Z',
        issuing_date: '2026-12-31',
        charges_usage: [],
        amount_cents: 0,
      });
    });

    it.each([
      // Each request also has the later offences.
      ['no such customer', 'nobody', 'sub', '&full_usage=true&charge_id=none', 404, 'customer_not_found'],
      ['no subscription', 'acme', '', '&full_usage=true&charge_id=none', 405, 'no_active_subscription'],
      ['an unknown subscription', 'acme', 'none', '&full_usage=true', 405, 'no_active_subscription'],
      ['another customer’s', 'acme', 'theirs', '', 405, 'no_active_subscription'],
      ['a terminated one', 'acme', 'ended', '', 405, 'no_active_subscription'],
      ['a pending one', 'acme', 'pending', '', 405, 'no_active_subscription'],
      ['full usage', 'acme', 'sub', '&full_usage=true&charge_id=none', 405, 'full_usage_not_allowed'],
      ['no such charge', 'acme', 'sub', '&charge_id=none', 404, 'charge_not_found'],
      ['a metric without charge', 'acme', 'sub', '&billable_metric_code=own', 404, 'charge_not_found'],
      ['custom aggregation', 'acme', 'custom', '', 422, 'out_of_scope'],
      ['a group that is no JSON object', 'acme', 'sub', '&group=[1]', 422, 'validation_errors'],
      ['parts by no JSON list', 'acme', 'sub', '&filter_by_presentation={}', 422, 'validation_errors'],
      ['parts by no text', 'acme', 'sub', '&filter_by_presentation=["a",1]', 422, 'validation_errors'],
      ['parts by no JSON', 'acme', 'sub', '&filter_by_presentation=cloud', 422, 'validation_errors'],
    ])('refuses %s', async (_, customer, subscription, query, status, code) => {
      expect((await current(query, subscription, customer)).body).toMatchObject({ status, code });
    });

    it('computes the other charges of a plan with one that is never computed', async () => {
      const { body } = await current('&charge_code=charge-units', 'custom');
      expect(shown(body.customer_usage)).toBe('units 0.0 0');
    });

    it.each<[string, string, [object, string][]]>([
      [
        'every part',
        '',
        [
          [{ cloud: 'a', tier: 'gold' }, '2.0'],
          [{ cloud: 'a', tier: null }, '3.0'],
          [{ cloud: 'b', tier: 'gold' }, '4.0'],
        ],
      ],
      [
        'the parts by one key, put together',
        '&filter_by_presentation=["cloud","none"]',
        [
          [{ cloud: 'a' }, '5.0'],
          [{ cloud: 'b' }, '4.0'],
        ],
      ],
      ['none by a key that the charge has not', '&filter_by_presentation=["none"]', []],
    ])('shows of a divided charge %s, and the price of the whole', async (_name, query, parts) => {
      const { body, headers } = await current(query, 'divided');
      const [charge] = body.customer_usage.charges_usage;
      expect(charge).toMatchObject({ units: '9.0', amount_cents: 1200 });
      const expected = parts.map(([presentation_by, units]) => ({ presentation_by, units }));
      expect(charge.presentation_breakdowns).toEqual(expected);
      expect(headers).not.toHaveProperty('x-service-notice');
    });

    it('names ignored query keys in the notice', async () => {
      const { headers } = await current('&charge=units&group[a]=1&filter_by_presentation=[]&per_page=5');
      expect(headers['x-service-notice']).toContain('no effect: charge, per_page');
      expect((await current('&charge_code=charge-units')).headers).not.toHaveProperty('x-service-notice');
    });

    it('is never projected', async () => {
      expect((await opened.get('/customers/acme/projected_usage')).body).toEqual({
        ...{ status: 403, error: 'Forbidden', code: 'projected_usage_not_enabled' },
      });
    });
  });

  describe('past (lookups §6.2)', () => {
    const past = (query = 'external_subscription_id=sub', customer = 'acme') =>
      opened.get(`/customers/${customer}/past_usage?${query}`);
    const ids = (body: { usage_periods: { svc_invoice_id: string }[] }) =>
      body.usage_periods.map(each => each.svc_invoice_id);

    it('is one entry per invoiced period, newest first; the totals are of all the invoice’s fees', async () => {
      const { status, body } = await past();
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(['usage_periods', 'meta']);
      expect(ids(body)).toEqual(['february', 'january']);
      const { charges_usage, ...january } = body.usage_periods[1];
      expect(january).toEqual({
        from_datetime: '2026-01-01T00:00:00Z',
        to_datetime: '2026-01-31T23:59:59Z',
        issuing_date: '2026-02-01',
        currency: 'EUR',
        svc_invoice_id: 'january',
        amount_cents: 10_000 + 400 + 101 + 9499 + 70 + 9,
        taxes_amount_cents: 2100,
        total_amount_cents: 20_079 + 2100,
      });
      // Without the true-up and the other subscription's fee.
      expect(shown(body.usage_periods[1])).toBe('zeta 2.5 70, units 3.0 501');
      expect(charges_usage[1].filters).toMatchObject([
        { values: { region: ['eu'] }, units: '2.0', amount_cents: 400, events_count: 1 },
        { values: { region: ['asia'] }, units: '0.0', amount_cents: 0, events_count: 0 },
        { values: null, units: '1.0', amount_cents: 101, events_count: 2 },
      ]);
    });

    it('of one metric keeps the totals', async () => {
      const { body } = await past('external_subscription_id=sub&billable_metric_code=zeta');
      expect(body.usage_periods[1].amount_cents).toBe(20_079);
      expect(body.usage_periods.map(shown)).toEqual(['', 'zeta 2.5 70']);
    });

    it('has pages; periods_count takes the place of per_page', async () => {
      const second = { current_page: 2, next_page: null, prev_page: 1, total_pages: 2, total_count: 2 };
      for (const query of ['per_page=1', 'periods_count=1', 'periods_count=1&per_page=50']) {
        const { body } = await past(`external_subscription_id=sub&page=2&${query}`);
        expect([ids(body), body.meta]).toEqual([['january'], second]);
      }
      expect(ids((await past('external_subscription_id=sub&periods_count=1')).body)).toEqual(['february']);
      expect(ids((await past('external_subscription_id=sub&periods_count=many')).body)).toHaveLength(2);
    });

    it('includes terminated subscriptions', async () => {
      const { body } = await past('external_subscription_id=ended');
      expect(ids(body)).toEqual(['last']);
      expect(shown(body.usage_periods[0])).toBe('units 2.5 60');
    });

    it.each([
      ['nobody', 'sub'],
      ['acme', 'none'],
      ['acme', 'theirs'],
      ['other', 'sub'],
    ])('is empty for customer %s and subscription %s', async (customer, subscription) => {
      const { status, body } = await past(`external_subscription_id=${subscription}`, customer);
      expect(status).toBe(200);
      expect(body.usage_periods).toEqual([]);
      expect(body.meta).toMatchObject({ current_page: 0, total_count: 0 });
    });

    it('needs a subscription and a known metric, also for an unknown customer', async () => {
      expect((await past('billable_metric_code=none', 'nobody')).body).toMatchObject({
        ...{ status: 422, error_details: { external_subscription_id: ['value_is_mandatory'] } },
      });
      const unknown = await past('external_subscription_id=sub&billable_metric_code=none', 'nobody');
      expect(unknown.body).toMatchObject({ status: 404, code: 'billable_metric_not_found' });
    });
  });

  describe('lifetime (lookups §6.3)', () => {
    const lifetime = (id: string) => opened.get(`/subscriptions/${id}/lifetime_usage`);

    // Invoiced: 400 + 101 + 9499 + 70 in January, 250 in February; the 55 of March are in the running period's 2352.
    it('adds what was invoiced and what is running, nothing twice', async () => {
      const { body } = await lifetime('sub');
      const { svc_id, ...usage } = body.lifetime_usage;
      expect(svc_id).toMatch(/^[0-9a-f-]{36}$/);
      expect(usage).toEqual({
        svc_subscription_id: 'subscription',
        external_subscription_id: 'sub',
        external_historical_usage_amount_cents: 0,
        invoiced_usage_amount_cents: 10_320,
        current_usage_amount_cents: 2352,
        from_datetime: '2026-01-01T00:00:00Z',
        to_datetime: '2026-03-10T12:00:00Z',
      });
    });

    it('ends with the subscription', async () => {
      expect((await lifetime('ended')).body.lifetime_usage).toMatchObject({
        ...{ invoiced_usage_amount_cents: 60, current_usage_amount_cents: 0, to_datetime: '2026-02-10T00:00:00Z' },
      });
    });

    // Lifetime usage 12,672: above 10,000; 12,672 ÷ 50,000 = 0.25344. With the step of 1,000 above 10,000: 13,000 next.
    it.each([
      [
        [threshold(50_000), threshold(10_000)],
        [
          [10_000, 1, '2026-02-20T00:00:00Z'],
          [50_000, 0.25344, null],
        ],
      ],
      [
        [threshold(10_000), threshold(1000, true)],
        [
          [10_000, 1, '2026-02-20T00:00:00Z'],
          [13_000, 0.97477, null],
        ],
      ],
      [[], undefined],
    ])('with thresholds %#', async (usage_thresholds, expected) => {
      const applied = { created_at: '2026-02-20T00:00:00.000Z', usage_threshold: { amount_cents: 10_000 } };
      await opened.account.update('invoices', 'february', { applied_usage_thresholds: [applied] });
      await opened.account.update('plans', 'plan', { usage_thresholds });
      const { usage_thresholds: answered } = (await lifetime('sub')).body.lifetime_usage;
      expect(answered?.map(Object.values)).toEqual(expected);
    });

    it.each([
      ['none', 'subscription_not_found'],
      ['pending', 'lifetime_usage_not_found'],
    ])('of %s: %s', async (id, code) => {
      expect((await lifetime(id)).body).toEqual({ status: 404, error: 'Not Found', code });
    });
  });
});
