/** The analytics of an invented account (lookups §13), with figures by hand. The clock stands at 10 March 2026. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CreditNoteRecord,
  FeeRecord,
  InvoiceRecord,
  PlanRecord,
  SubscriptionRecord,
} from '../../../src/engine/records/index.ts';
import { type Records, type World, world } from '../../engine/service-world.ts';
import {
  creditNoteRecord,
  customerRecord,
  entityRecord,
  invoiceRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';

const { name, missing, fresh } = await withDatabase();
const NOW = '2026-03-10T12:00:00.000Z';

const usageFee = (code: string, cents: number, created_at: string, fields: Partial<FeeRecord> = {}) =>
  storedFee(cents, { item: { ...storedFee(0).item, type: 'charge', code }, created_at, ...fields });

/** Finalized and not yet paid, of `issuing_date`, due in the far future. */
const invoice = (id: string, issuing_date: string, fees: FeeRecord[], fields: Partial<InvoiceRecord> = {}) =>
  invoiceRecord(
    fees.map((fee, n) => ({ ...fee, id: `${id} ${n}`, created_at: fee.created_at ?? `${issuing_date}T00:00:00.000Z` })),
    {
      ...{ id, number: id, issuing_date, payment_due_date: '2030-01-01', payment_status: 'pending' },
      ...fields,
    },
  );
const total = (cents: number, fields: Partial<InvoiceRecord> = {}) => ({ total_amount_cents: cents, ...fields });
const yearly = {
  subscription_id: 'yearly',
  from_date: '2025-03-01T00:00:00.000Z',
  to_date: '2026-02-28T23:59:59.999Z',
};

const invoices = [
  invoice(
    'a',
    '2026-01-31',
    [storedFee(1000, { taxes_amount_cents: 200, precise_coupons_amount_cents: '33.33333' })],
    total(1150),
  ),
  invoice('b', '2026-01-01', [], total(500, { billing_entity_id: 'second', payment_status: 'succeeded' })),
  invoice('c', '2026-01-15', [], total(70, { currency: 'USD', customer_id: 'deleted', payment_status: 'failed' })),
  invoice('d', '2026-01-20', [storedFee(3000)], total(3000, { payment_status: 'succeeded' })),
  invoice('e', '2026-03-31', [storedFee(11, { subscription_id: 'weekly' })], total(11)),
  invoice('f', '2026-02-28', [storedFee(120_000, yearly)], total(120_000)),
  // In no report but invoiced usage.
  invoice(
    'draft',
    '2026-03-01',
    [storedFee(9), usageFee('calls', 40, '2026-03-01T00:00:00.000Z')],
    total(49, { status: 'draft' }),
  ),
  invoice('void', '2026-03-01', [usageFee('calls', 2, '2026-03-02T00:00:00.000Z')], total(2, { status: 'voided' })),
  // In none at all.
  invoice(
    'self',
    '2026-03-01',
    [storedFee(9), usageFee('calls', 9, NOW)],
    total(9, { self_billed: true, payment_due_date: '2026-02-01' }),
  ),
  invoice(
    'lost',
    '2026-03-01',
    [storedFee(9), usageFee('calls', 9, NOW)],
    total(9, { payment_dispute_lost_at: NOW, payment_due_date: '2026-02-01' }),
  ),
  invoice(
    'open',
    '2026-03-01',
    [usageFee('calls', 9, NOW)],
    total(9, { status: 'open', payment_due_date: '2026-02-01' }),
  ),
  // Before the account was created, and after this month.
  invoice('early', '2025-12-31', [storedFee(5), usageFee('calls', 5, '2025-12-31T23:59:59.999Z')], total(5)),
  invoice('late', '2026-04-01', [storedFee(5)], total(5)),
  // Usage, and debts.
  invoice(
    'g',
    '2026-02-10',
    [
      usageFee('calls', 300, '2026-02-10T00:00:00.000Z', { precise_coupons_amount_cents: '0.00001' }),
      usageFee('calls', 100, '2026-02-28T23:59:59.999Z', { precise_coupons_amount_cents: '25.5' }),
      usageFee('calls', 100, '2026-02-27T00:00:00.000Z', { precise_coupons_amount_cents: '25.5' }),
      usageFee('seats', 900, '2026-02-10T00:00:00.000Z'),
    ],
    total(1000, { payment_due_date: '2026-03-09', total_paid_amount_cents: 100 }),
  ),
  invoice('today', '2026-02-10', [], total(1, { payment_due_date: '2026-03-10' })),
  invoice('paid', '2026-02-10', [], total(1, { payment_due_date: '2026-02-01', payment_status: 'succeeded' })),
  invoice('failed', '2026-02-10', [], total(600, { payment_due_date: '2026-03-01', payment_status: 'failed' })),
  invoice('older', '2026-02-10', [], total(8, { payment_due_date: '2026-01-05', customer_id: 'deleted' })),
];
const note = (id: string, invoice_id: string, fields: Partial<CreditNoteRecord>) =>
  creditNoteRecord(id, 0, { invoice_id, ...fields });
const subscription = (id: string): SubscriptionRecord => subscriptionRecord({ id, external_id: id, plan_id: id });
const plan = (code: 'weekly' | 'yearly', fields: Partial<PlanRecord> = {}) =>
  planRecord({ code, interval: code, ...fields });
const records: Records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'second', code: 'second', is_default: false })],
  customers: [customerRecord(), customerRecord({ id: 'deleted', external_id: 'gone', deleted_at: NOW })],
  plans: [planRecord(), plan('weekly'), plan('yearly', { pay_in_advance: false })],
  subscriptions: [subscriptionRecord(), subscription('weekly'), subscription('yearly')],
  invoices,
  credit_notes: [
    note('refund-1', 'a', { refund_amount_cents: 100, offset_amount_cents: 50 }),
    note('refund-2', 'a', { refund_amount_cents: 7 }),
    note('draft', 'a', { refund_amount_cents: 1000, status: 'draft' }),
    note('offset', 'failed', { offset_amount_cents: 150 }),
    note('draft offset', 'failed', { offset_amount_cents: 1, status: 'draft' }),
  ],
};
const month = (n: number) => `2026-0${n}-01T00:00:00.000Z`;

describe.skipIf(missing)(`analytics on ${name}`, () => {
  let opened: World;
  beforeAll(async () => {
    opened = await world(records, NOW, await fresh());
    // Reports begin with January.
    await opened.account.update('organizations', opened.account.organization.id, {
      created_at: '2026-01-20T00:00:00.000Z',
    });
  });
  afterAll(() => opened?.close());

  const report = async (path: string) => {
    const { status, body, headers } = await opened.get(`/analytics/${path}`);
    expect(status).toBe(200);
    // No `meta`.
    expect(Object.keys(body)).toHaveLength(1);
    return { rows: Object.values(body)[0] as { [field: string]: unknown }[], key: Object.keys(body)[0], headers };
  };
  /** Each row as its month and the values of these fields. */
  const values = async (path: string, ...fields: string[]) =>
    (await report(path)).rows.map(row => [String(row.month).slice(0, 7), ...fields.map(field => row[field])]);

  describe('gross revenue', () => {
    const revenue = (query = '') =>
      values(`gross_revenue${query}`, 'currency', 'billing_entity_id', 'amount_cents', 'invoices_count');
    // January, EUR: 1150 − 100 − 7 + 3000. February: 120,000 + 1000 + 1 + 1 + 600 + 8.
    const all = [
      ['2026-01', 'EUR', 'entity', 4043, 2],
      ['2026-01', 'EUR', 'second', 500, 1],
      ['2026-01', 'USD', 'entity', 70, 1],
      ['2026-02', 'EUR', 'entity', 121_610, 6],
      ['2026-03', 'EUR', 'entity', 11, 1],
    ];

    it('is what was billed less what was refunded, by month, currency and entity', async () => {
      expect(await revenue()).toEqual(all);
      const { key, rows } = await report('gross_revenue');
      expect([key, rows[2]]).toEqual([
        'gross_revenues',
        { month: month(1), amount_cents: 70, currency: 'USD', invoices_count: 1, billing_entity_id: 'entity' },
      ]);
    });

    it.each([
      ['?months=1', all.slice(4)],
      ['?months=0', all.slice(4)],
      ['?months=many', all.slice(4)],
      ['?months=', all],
      ['?months=2', all.slice(3)],
      // Before the account was created.
      ['?months=4', [['2025-12', 'EUR', 'entity', 5, 1], ...all]],
      ['?currency=usd', all.slice(2, 3)],
      ['?currency=XXX', []],
      ['?billing_entity_code=second', all.slice(1, 2)],
      [
        '?external_customer_id=gone',
        [
          ['2026-01', 'USD', 'entity', 70, 1],
          ['2026-02', 'EUR', 'entity', 8, 1],
        ],
      ],
      ['?external_customer_id=gone&currency=EUR&months=3', [['2026-02', 'EUR', 'entity', 8, 1]]],
      ['?external_customer_id=nobody', []],
    ])('%s', async (query, expected) => expect(await revenue(query)).toEqual(expected));

    it('is not filtered by an unknown entity, and says so', async () => {
      const { headers } = await report('gross_revenue?billing_entity_code=none&month=1&page=2');
      expect(headers['x-service-notice']).toContain('no effect: month, page, billing_entity_code');
      expect(await revenue('?billing_entity_code=none')).toEqual(all);
    });
  });

  describe('overdue balance', () => {
    // Paid, lost, self-billed and hidden invoices owe nothing, nor does one that is due today. March: 600 − 150 + 1000 − 100.
    const [january, march] = [
      { amount_cents: '8.0', svc_invoice_ids: ['older'] },
      { amount_cents: '1350.0', svc_invoice_ids: ['failed', 'g'] },
    ];
    const common = { currency: 'EUR', billing_entity_id: 'entity' };

    it('is what is due since yesterday or longer, by the month of the due date', async () => {
      const { key, rows } = await report('overdue_balance');
      expect(key).toBe('overdue_balances');
      expect(rows).toEqual([
        { month: month(1), ...january, ...common },
        { month: month(3), ...march, ...common },
      ]);
    });

    it.each([
      ['?months=2', [march]],
      ['?currency=eur', [january, march]],
      ['?currency=usd', []],
      ['?external_customer_id=gone', [january]],
      ['?billing_entity_code=second', []],
    ])('%s', async (query, expected) => {
      const { rows } = await report(`overdue_balance${query}`);
      expect(rows).toHaveLength(expected.length);
      expect(rows).toMatchObject(expected);
    });
  });

  describe('monthly recurring revenue', () => {
    const mrr = (query = '') => values(`mrr${query}`, 'amount_cents', 'currency');
    // January: 1000 − 33.33333 + 200 + 3000, and a month of the year that was billed in February: 365 days less a minute
    // ÷ 30.44 = 11.99077876 months, 120,000 ÷ that = 10,007.690273383320745. March: one week of 11 × 4.33.
    const [january, february, march] = [
      ['2026-01', '14174.356943383320745', 'EUR'],
      ['2026-02', '10007.690273383320745', 'EUR'],
      ['2026-03', '47.63', 'EUR'],
    ];

    it('is what plan fees come to in each month', async () => {
      expect(await mrr()).toEqual([january, february, march]);
      expect((await report('mrr?months=1')).key).toBe('mrrs');
      expect((await report('mrr?months=1')).rows).toEqual([
        { month: month(3), amount_cents: '47.63', currency: 'EUR' },
      ]);
    });

    it('has null for a month without, unless one currency is wanted', async () => {
      const year = await mrr('?months=14');
      expect(year).toHaveLength(14);
      // The rest of the year: 120,000 − 11 × 10,007.69027338 = 9915.406992783471810.
      expect(year.slice(0, 2)).toEqual([
        ['2025-02', null, null],
        ['2025-03', '9915.40699278347181', 'EUR'],
      ]);
      expect((await mrr('?months=14&currency=eur')).slice(0, 1)).toEqual([['2025-03', '9915.40699278347181', 'EUR']]);
      expect(await mrr('?currency=usd')).toEqual([]);
      expect(await mrr('?billing_entity_code=second&months=2')).toEqual([
        ['2026-02', null, null],
        ['2026-03', null, null],
      ]);
    });
  });

  describe('invoiced usage', () => {
    const usage = (query = '') => values(`invoiced_usage${query}`, 'code', 'currency', 'amount_cents');
    // March: a draft's 40, a voided invoice's 2. February: 300 + 100 + 100 − 0.00001 − 25.5 − 25.5.
    const all = [
      ['2026-03', 'calls', 'EUR', 42],
      ['2026-02', 'seats', 'EUR', 900],
      ['2026-02', 'calls', 'EUR', 448.99999],
    ];

    it('is what usage fees come to less their coupons, by the month in which they were made', async () => {
      expect(await usage()).toEqual(all);
      const { key, rows } = await report('invoiced_usage');
      expect([key, rows[0]]).toEqual([
        'invoiced_usages',
        { month: month(3), code: 'calls', currency: 'EUR', amount_cents: 42 },
      ]);
    });

    it.each([
      ['?months=1', all.slice(0, 1)],
      ['?months=4', [...all, ['2025-12', 'calls', 'EUR', 5]]],
      ['?currency=eur', all],
      ['?currency=usd', []],
      ['?billing_entity_code=second', []],
    ])('%s', async (query, expected) => expect(await usage(query)).toEqual(expected));
  });

  describe('invoice collection', () => {
    const collection = (query = '') =>
      values(`invoice_collection${query}`, 'payment_status', 'currency', 'invoices_count', 'amount_cents');
    const all = [
      ['2026-01', 'failed', 'USD', 1, 70],
      ['2026-01', 'pending', 'EUR', 1, 1150],
      ['2026-01', 'succeeded', 'EUR', 2, 3500],
      ['2026-02', 'failed', 'EUR', 1, 600],
      ['2026-02', 'pending', 'EUR', 4, 121_009],
      ['2026-02', 'succeeded', 'EUR', 1, 1],
      ['2026-03', 'pending', 'EUR', 1, 11],
    ];
    const none = (of: string) => [of, null, null, 0, 0];

    it('is the invoices by month, payment status and currency', async () => {
      expect(await collection()).toEqual(all);
      const { key, rows } = await report('invoice_collection?months=1');
      expect([key, rows]).toEqual([
        'invoice_collections',
        [{ month: month(3), payment_status: 'pending', invoices_count: 1, amount_cents: 11, currency: 'EUR' }],
      ]);
    });

    it.each([
      ['?months=5', [none('2025-11'), ['2025-12', 'pending', 'EUR', 1, 5], ...all]],
      ['?currency=usd', [['2026-01', 'failed', 'USD', 1, 70], none('2026-02'), none('2026-03')]],
      [
        '?billing_entity_code=second&months=3',
        [['2026-01', 'succeeded', 'EUR', 1, 500], none('2026-02'), none('2026-03')],
      ],
    ])('%s', async (query, expected) => expect(await collection(query)).toEqual(expected));
  });

  it('refuses usage analytics by name', async () => {
    const { status, body } = await opened.get('/analytics/usage');
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'out_of_scope', error_details: { usage_analytics: [expect.any(String)] } });
  });
});
