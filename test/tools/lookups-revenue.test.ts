/** get_revenue (docs/lookups.md §4, §5, §7, §8, §13). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, noteRow, paymentRow, transactionRow, uuidOf } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

const world = await freshWorld();
onOneDay('2026-04-15T12:00:00Z');

const ask = (report: string, args: object = {}) => world.call('get_revenue', { report, ...args });

/** A page of a list that has a thousand and more, as long as it is read. */
const endless = (row: (index: number) => JsonRecord) => (url: URL) => {
  const page = Number(url.searchParams.get('page'));
  return {
    invoices: Array.from({ length: 100 }, (_, i) => row(page * 100 + i)),
    meta: meta(4000, { page, pages: 40 }),
  };
};
const month = (text: string, amount_cents: unknown, fields: JsonRecord = {}) => ({
  ...{ month: `${text}-01T00:00:00.000Z`, amount_cents, currency: 'USD', ...fields },
});
const late = (index: number, cents: number, payment_due_date: string, customer = 'acme', fields: JsonRecord = {}) =>
  invoiceRow(index, {
    ...{ payment_overdue: true, total_due_amount_cents: cents, payment_due_date },
    ...{ customer: { external_id: customer, name: `${customer} Inc` } },
    ...fields,
  });

describe('overdue', () => {
  it('tells no age of an invoice without a due date', async () => {
    world.script({
      '/invoices': [late(1, 100, '2026-04-14'), late(2, 50, 'none', 'acme', { payment_due_date: null })],
    });
    const answer = await ask('overdue');
    expect(answer.revenue).toEqual([
      { currency: 'USD', count: 2, total_due_amount_cents: 150, days_1_30_cents: 100, no_due_date_cents: 50 },
    ]);
    expect(factsOf(answer.summary)).toContain('$1.00 · 1 · 30 · $0.50');
  });

  it('sums by age, at the bounds of each, and names who owes most', async () => {
    world.script({
      '/invoices': [
        late(1, 100, '2026-04-14'), // 1 day
        late(2, 200, '2026-03-16'), // 30
        late(3, 400, '2026-03-15'), // 31
        late(4, 800, '2026-02-14', 'beta'), // 60
        late(5, 1_600, '2026-02-13', 'beta'), // 61
        late(6, 3_200, '2026-01-15', 'beta'), // 90
        late(7, 6_400, '2026-01-14'), // 91
        late(8, 50, '2026-01-14', 'acme', { currency: 'EUR' }),
      ],
    });
    const answer = await ask('overdue');
    expect(world.asked).toEqual(['/invoices?payment_overdue=true&self_billed=false&page=1&per_page=100']);
    expect(answer.revenue).toEqual([
      { currency: 'EUR', count: 1, total_due_amount_cents: 50, days_over_90_cents: 50 },
      {
        ...{ currency: 'USD', count: 7, total_due_amount_cents: 12_700 },
        ...{ days_1_30_cents: 300, days_31_60_cents: 1_200, days_61_90_cents: 4_800, days_over_90_cents: 6_400 },
      },
    ]);
    expect(answer.customers).toMatchObject([
      { external_id: 'acme', currency: 'USD', count: 4, total_due_amount_cents: 7_100, oldest_due_date: '2026-01-14' },
      { external_id: 'beta', count: 3, total_due_amount_cents: 5_600 },
      { external_id: 'acme', currency: 'EUR', total_due_amount_cents: 50 },
    ]);
    expect(factsOf(answer.summary)).toBe(
      '8 · 2 · €0.50 · $127.00 · €0.50 · 90 · $3.00 · 1 · 30 · $12.00 · 31 · 60 · $48.00 · 61 · 90 · $64.00 · 90 · “acme Inc” · (acme) · $71.00 · 4 · 14 Jan · “acme Inc” · (acme) · €0.50 · 1 · 14 Jan',
    );
  });

  it('is of one customer where one is named, and says when nothing is overdue', async () => {
    world.script({ '/customers/acme/invoices': [] });
    const args = { report: 'overdue', external_customer_id: 'acme', currency: 'USD' };
    const answer = await world.call('get_revenue', args);
    expect(world.asked).toEqual([
      '/customers/acme/invoices?payment_overdue=true&self_billed=false&currency=USD&page=1&per_page=100',
    ]);
    expect(answer.summary).toContain('Nothing is overdue in USD');
    expect(answer.revenue).toEqual([]);
  });

  it.each<[string, Scripted, object[] | undefined, RegExp]>([
    [
      'with the sum that the service reports',
      { overdue_balances: [month('2026-01', '90000.0'), month('2025-12', '10000.5')] },
      [{ currency: 'USD', amount_cents: 100_001 }],
      /1,000 .*\$100\.00 .*\$1,000\.01 .*\$100\.00 overdue for 1–30 days.*“acme Inc” \(acme\)/,
    ],
    [
      'and that the sum of all could not be read',
      refusal(403, 'feature_not_available'),
      undefined,
      /1,000 .*\$100\.00 owed on these.*403 \(feature_not_available\).*\$100\.00 overdue for 1–30 days/,
    ],
  ])('says what more than 1,000 invoices leave out, %s', async (_, balance, totals, said) => {
    const pages = endless(index => late(index, 10, '2026-04-01'));
    world.script(url => (url.pathname.endsWith('/overdue_balance') ? balance : pages(url)));
    const answer = await ask('overdue');
    expect(world.asked).toHaveLength(11);
    expect(world.asked[10]).toBe('/analytics/overdue_balance');
    expect(answer.totals).toEqual(totals);
    expect(answer.summary).toMatch(said);
  });

  it.each([
    ['overdue', 'Nothing is overdue in EUR.'],
    ['gross_revenue', 'Nothing was billed in EUR in the last 12 months.'],
    ['mrr', 'There is no MRR in EUR in the last 12 months.'],
  ])('%s says of one currency alone that there is nothing', async (report, said) => {
    world.script({ '/invoices': [], '/analytics/gross_revenue': [], '/analytics/mrr': [] });
    const answer = await ask(report, { currency: 'EUR' });
    expect(answer.summary.startsWith(said), answer.summary).toBe(true);
  });

  it('says how many of the customers it names', async () => {
    world.script({ '/invoices': Array.from({ length: 7 }, (_, i) => late(i, 100 + i, '2026-04-01', `c${i}`)) });
    const answer = await ask('overdue');
    expect(answer.customers).toHaveLength(5);
    expect(answer).toMatchObject({ customers_shown: '5 of 7', next_page: 2 });
    expect(factsOf(answer.summary)).toContain('7 · 7 · $7.21');
  });

  it('falls back to the report by month where invoices cannot be read, and says why', async () => {
    const report = [month('2026-02', '5000.0', { svc_invoice_ids: ['a', 'b'] })];
    world.script({
      '/invoices': refusal(403, 'read_action_not_allowed_for_invoice'),
      '/analytics/overdue_balance': report,
    });
    const answer = await ask('overdue');
    expect(answer.revenue).toEqual([{ month: '2026-02', currency: 'USD', invoices_count: 2, amount_cents: 5_000 }]);
    expect(factsOf(answer.summary)).toBe(
      '$50.00 · 403 · (read_action_not_allowed_for_invoice) · read_action_not_allowed_for_invoice',
    );
  });
});

describe('receivables', () => {
  const due = (index: number, cents: number, day: string, customer = 'acme', fields: JsonRecord = {}) =>
    late(index, cents, day, customer, { payment_overdue: false, ...fields });

  it('tell what is not yet due and every age, by currency and customer', async () => {
    world.script({
      '/invoices': [
        due(1, 100, '2026-04-15'),
        due(2, 200, '2026-05-01', 'beta', { payment_status: 'failed' }),
        late(3, 400, '2026-03-15', 'beta'),
        // The service has not flagged it yet; of a draft, a paid and a self-billed one nothing is owed.
        due(4, 800, '2026-04-14', 'beta', { currency: 'EUR' }),
        due(5, 7, '2026-04-14', 'beta', { status: 'draft' }),
        due(6, 7, '2026-04-14', 'beta', { payment_status: 'succeeded' }),
        due(7, 7, '2026-04-14', 'beta', { self_billed: true }),
      ],
    });
    const answer = await ask('receivables');
    expect(world.asked).toEqual([
      '/invoices?status[]=finalized&payment_status[]=pending&payment_status[]=failed&self_billed=false&page=1&per_page=100',
    ]);
    expect(answer.revenue).toEqual([
      { currency: 'EUR', count: 1, total_due_amount_cents: 800, days_1_30_cents: 800 },
      {
        ...{ currency: 'USD', count: 3, total_due_amount_cents: 700 },
        ...{ not_yet_due_cents: 300, days_31_60_cents: 400 },
      },
    ]);
    expect(answer.customers).toEqual([
      {
        ...{ external_id: 'beta', name: 'beta Inc', currency: 'EUR', count: 1, total_due_amount_cents: 800 },
        ...{ days_1_30_cents: 800, oldest_due_date: '2026-04-14' },
      },
      {
        ...{ external_id: 'beta', name: 'beta Inc', currency: 'USD', count: 2, total_due_amount_cents: 600 },
        ...{ not_yet_due_cents: 200, days_31_60_cents: 400, oldest_due_date: '2026-03-15' },
      },
      {
        ...{ external_id: 'acme', name: 'acme Inc', currency: 'USD', count: 1, total_due_amount_cents: 100 },
        ...{ not_yet_due_cents: 100, oldest_due_date: '2026-04-15' },
      },
    ]);
    expect(factsOf(answer.summary)).toBe(
      '4 · 2 · €8.00 · $7.00 · self_billed · 1 · €8.00 · 1 · 30 · $3.00 · $4.00 · 31 · 60 · “beta Inc” · (beta) · €8.00 · 1 · 14 Apr · “beta Inc” · (beta) · $6.00 · 2 · 15 Mar',
    );
  });

  it('reach every customer page by page', async () => {
    world.script({ '/invoices': Array.from({ length: 12 }, (_, i) => due(i, 100 + i, '2026-05-01', `c${i}`)) });
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(await ask('receivables', { page }));
    const ids = pages.flatMap(({ customers }) => (customers as JsonRecord[]).map(({ external_id }) => external_id));
    expect(ids).toEqual(Array.from({ length: 12 }, (_, i) => `c${11 - i}`));
    expect(pages.map(({ customers_shown }) => customers_shown)).toEqual(['5 of 12', '5 of 12', '2 of 12', '0 of 12']);
    expect(pages.map(({ next_page }) => next_page)).toEqual([2, 3, undefined, undefined]);
    expect(pages[0]?.summary).toContain('More customers on page 2.');
    expect(pages[3]?.summary).toContain('page 3 is the last');
  });

  it('say how fewer are read where there are more than 1,000, and what is missing without the list', async () => {
    world.script(endless(index => due(index, 10, '2026-04-01')));
    expect((await ask('receivables')).summary).toContain('currency or external_customer_id to read fewer');
    world.script({
      '/invoices': refusal(403, 'read_action_not_allowed_for_invoice'),
      '/analytics/overdue_balance': [month('2026-02', '5000.0')],
    });
    const answer = await ask('receivables');
    expect(answer.report).toBe('overdue');
    expect(answer.summary).toMatch(/ages and customers are missing/);
  });
});

describe('overdue without the list of invoices', () => {
  const report = [month('2026-02', '5000.0', { currency: 'EUR' })];

  it('reads no invoices for a caller that may not list them, and says so', async () => {
    await world.renew({ BILLING_TOOLS: 'revenue' });
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', name: 'Acme Corp' } },
      '/analytics/overdue_balance': report,
      '/invoices': [late(1, 5, '2026-04-01')],
    });
    const answer = await ask('overdue', { external_customer_id: 'acme' });
    const asked = [...world.asked];
    const unknown = await ask('overdue', { external_customer_id: 'none' });
    expect(asked).toEqual(['/customers/acme', '/analytics/overdue_balance?external_customer_id=acme']);
    expect(answer.summary).toMatch(/^€50\.00 .*“Acme Corp” .*list_invoices is not available/);
    expect(unknown.error).toBeDefined();
  });

  it('fails on an installation that has neither path', async () => {
    world.script({});
    const answer = await ask('overdue');
    expect(answer.error?.code).toBe('lookup_unavailable');
    expect(answer.summary).toContain('GET /invoices');
  });
});

describe('the reports by month', () => {
  it('gross revenue: what was charged outside invoices is told apart, where the invoices are known', async () => {
    const row = { month: '2026-04-01T00:00:00.000Z', currency: 'EUR', invoices_count: '1.0' };
    world.script({
      '/analytics/gross_revenue': [{ ...row, amount_cents: 84_628 }],
      '/analytics/invoice_collection': [{ ...row, payment_status: 'succeeded', amount_cents: 37_204 }],
      '/invoices': [],
    });
    expect(factsOf((await ask('gross_revenue', { months: 1 })).summary)).toContain('€846.28 · €474.24');
  });

  it('gross revenue: exact sums over billing entities, rounded half up, top-ups apart', async () => {
    world.script({
      '/analytics/gross_revenue': [
        month('2026-03', 1000.25, { invoices_count: 2, billing_entity_id: 'a' }),
        month('2026-03', 1000.25, { invoices_count: 1, billing_entity_id: 'b' }),
        month('2026-04', 500, { invoices_count: 1, billing_entity_id: 'a' }),
        month('2026-04', null, { invoices_count: 0, billing_entity_id: 'b' }),
        month('2026-04', 300, { invoices_count: 1, currency: 'EUR' }),
      ],
      '/invoices': [
        invoiceRow(1, { invoice_type: 'credit', total_amount_cents: 250 }),
        invoiceRow(2, { invoice_type: 'credit', payment_dispute_lost_at: '2026-04-01T00:00:00Z' }),
      ],
    });
    const answer = await ask('gross_revenue', { months: 3 });
    expect([...world.asked].sort()).toEqual([
      '/analytics/gross_revenue?months=3',
      '/analytics/invoice_collection?months=3',
      '/invoices?invoice_type=credit&status[]=finalized&self_billed=false&issuing_date_from=2026-02-01&page=1&per_page=100',
    ]);
    expect(answer.revenue).toEqual([
      { month: '2026-04', currency: 'USD', invoices_count: 1, amount_cents: 500 },
      { month: '2026-04', currency: 'EUR', invoices_count: 1, amount_cents: 300 },
      { month: '2026-03', currency: 'USD', invoices_count: 3, amount_cents: 2_001 },
    ]);
    expect(answer.totals).toEqual([
      { currency: 'EUR', amount_cents: 300 },
      { currency: 'USD', amount_cents: 2_501 },
    ]);
    expect(answer.wallet_top_ups).toEqual([{ currency: 'USD', count: 1, total_amount_cents: 250 }]);
    expect(factsOf(answer.summary)).toBe('€3.00 · $25.01 · 3 · €3.00 · $5.00 · 1 · 3 · $2.50 · 1');
  });

  it('gross revenue of a customer: the id is looked at first, a failed second read is told', async () => {
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', name: 'Acme Corp' } },
      '/analytics/gross_revenue': [month('2026-04', 900)],
      '/customers/acme/invoices': refusal(500, 'internal_error'),
    });
    const answer = await ask('gross_revenue', { external_customer_id: 'acme' });
    expect(world.asked[0]).toBe('/customers/acme');
    expect(world.asked).toContain('/analytics/gross_revenue?external_customer_id=acme&months=12');
    expect(factsOf(answer.summary)).toContain('$9.00 · “Acme Corp” · (acme) · 12 · 11 · 12 · 500');
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', name: 'Acme Corp' } },
      '/analytics/gross_revenue': [],
      '/customers/acme/invoices': [],
    });
    const nothing = await ask('gross_revenue', { external_customer_id: 'acme' });
    expect(nothing.summary).toMatch(/^Nothing was billed to “Acme Corp”/);
    world.script({ '/customers/none': refusal(404, 'customer_not_found'), '/customers': [] });
    const unknown = await ask('gross_revenue', { external_customer_id: 'none' });
    expect(unknown.error?.code).toBe('customer_not_found');
  });

  const nowhere = { currency: null };
  const row = (month: string, amount_cents: number, fields: JsonRecord = {}) => ({
    ...{ month, currency: 'USD', amount_cents, ...fields },
  });
  it.each<[string, JsonRecord[], string, JsonRecord[]]>([
    [
      'mrr',
      [
        month('2026-02', null, nowhere),
        month('2026-03', '480000.5'),
        month('2026-04', '500000.0'),
        month('2026-05', '1'),
      ],
      'MRR of Apr 2026 so far: $5,000.00; Mar 2026: $4,800.01, as of today.',
      [row('2026-05', 1), row('2026-04', 500_000), row('2026-03', 480_001)],
    ],
    [
      'invoiced_usage',
      [month('2026-03', 700.0, { code: 'tokens' }), month('2026-03', 300.0, { code: 'seats' })],
      'Usage invoiced in the last 12 months: $10.00; most of it tokens ($7.00), as of today.',
      [row('2026-03', 700, { code: 'tokens' }), row('2026-03', 300, { code: 'seats' })],
    ],
    [
      'invoice_collection',
      [
        month('2026-02', 0, { payment_status: null, invoices_count: 0, ...nowhere }),
        month('2026-03', 8000.0, { payment_status: 'succeeded', invoices_count: 8 }),
        month('2026-03', 2000.0, { payment_status: 'pending', invoices_count: 2 }),
      ],
      'Of $100.00 invoiced in the last 12 months: $20.00 not paid yet; $80.00 collected, as of today.',
      [
        row('2026-03', 8_000, { payment_status: 'succeeded', invoices_count: 8 }),
        row('2026-03', 2_000, { payment_status: 'pending', invoices_count: 2 }),
      ],
    ],
  ])('%s: whole cents, the newest month first, and what it leaves out', async (report, listed, said, rows) => {
    world.script({ [`/analytics/${report}`]: listed });
    const answer = await ask(report);
    expect(world.asked[0]).toBe(`/analytics/${report}?months=12`);
    expect(answer.summary.startsWith(said)).toBe(true);
    expect(answer.summary).toMatch(/elf-billed invoices/);
    expect(answer.revenue).toEqual(rows);
    expect('totals' in answer).toBe(report !== 'mrr');
  });

  const euros = { currency: 'EUR' };
  it.each<[what: string, rows: JsonRecord[], months: number, report: string, said: RegExp, zero?: string]>([
    [
      'is 0 in the middle and at both ends',
      [month('2026-03', 700), month('2026-01', 5)],
      ...([5, 'gross_revenue', /nothing of it this month.*3 of these 5 months/] as const),
      '2025-12, 2026-02, 2026-04',
    ],
    [
      'is told with its neighbours as one',
      [month('2026-04', 700)],
      ...([6, 'gross_revenue', /\$7\.00 .* 6 months; all of it/] as const),
      '2025-11 – 2026-03',
    ],
    [
      'is 0 of the currency that other months have',
      [month('2026-04', 100), month('2026-03', 200, euros)],
      ...([2, 'mrr', /Apr 2026 .*€0\.00 and \$1\.00; Mar 2026: €2\.00 and \$0\.00/] as const),
    ],
    [
      'is 0 where it is the running one',
      [month('2026-02', 100)],
      ...([3, 'mrr', /Apr 2026 .*\$0\.00; Mar 2026: \$0\.00.*2 of these 3 months/] as const),
      '2026-03 – 2026-04',
    ],
    ['does not exist where all have rows', [month('2026-04', 700)], 1, 'gross_revenue', /\$7\.00 billed this month so/],
  ])('a month without rows %s', async (_, rows, months, report, said, zero) => {
    world.script({ [`/analytics/${report}`]: rows, '/invoices': [] });
    const answer = await ask(report, { months });
    expect(answer.summary).toMatch(said);
    expect(answer.zero_months).toBe(zero);
    expect(answer).toMatchObject({ report, running_month: '2026-04', definitions: 'billing://definitions' });
  });

  it('says that a report is not in the account’s licence', async () => {
    world.script({ '/analytics/mrr': refusal(403, 'feature_unavailable') });
    const answer = await ask('mrr');
    expect(answer.error).toMatchObject({
      code: 'feature_unavailable',
      hint: expect.stringContaining('does not include'),
    });
  });
});

const of = (external_id: string, total_amount_cents: number, fields: JsonRecord = {}) => ({
  ...{ customer: { external_id, name: external_id }, total_amount_cents, ...fields },
});

describe('changes', () => {
  onOneDay();
  const september = [
    invoiceRow(1, of('kept', 10_000)),
    invoiceRow(2, of('left', 4_000)),
    invoiceRow(3, of('kept', 2_000, { invoice_type: 'credit' })),
    invoiceRow(4, of('kept', 99_900, { payment_dispute_lost_at: '2026-09-09T00:00:00Z' })),
  ];
  const october = [
    invoiceRow(5, of('kept', 7_500)),
    invoiceRow(6, of('kept', 5_000)),
    invoiceRow(7, of('came', 3_000)),
    invoiceRow(8, of('euro', 800, { currency: 'EUR' })),
  ];
  const issued = (rows: JsonRecord[], month: string) => rows.map(row => ({ ...row, issuing_date: `${month}-07` }));
  const script = (url: URL) => {
    const month = url.searchParams.get('issuing_date_from')?.slice(0, 7) ?? '';
    return issued(['2026-09', '2025-02'].includes(month) ? september : october, month);
  };

  it('tells customers in both months, new and gone, currency by currency, and top-ups apart', async () => {
    world.script(script);
    const answer = await ask('changes');
    expect(answer.months).toEqual(['2026-09', '2026-10']);
    const row = (external_id: string, currency: string, change: string, from: number, to: number) => ({
      ...{ external_id, currency, change, from_cents: from, to_cents: to, difference_cents: to - from },
    });
    expect(answer.revenue).toEqual([
      row('euro', 'EUR', 'new', 0, 800),
      row('left', 'USD', 'gone', 4_000, 0),
      row('came', 'USD', 'new', 0, 3_000),
      row('kept', 'USD', 'both', 10_000, 12_500),
    ]);
    expect(factsOf(answer.summary)).toContain('$140.00 · $155.00 · $15.00 · 1 · $25.00 · 1 · $30.00 · 1 · $40.00');
    expect(answer.summary).toContain('1 gone −$40.00');
    expect(answer.wallet_top_ups).toEqual([{ currency: 'USD', count: 1, from_cents: 2_000, to_cents: 0 }]);
    expect(answer.summary).toContain('$20.00 → $0.00');
    const [first, second] = world.asked.map(target => new URLSearchParams(target.split('?')[1]));
    expect(first?.get('issuing_date_to')).toBe('2026-09-30');
    expect(second?.get('issuing_date_to')).toBe('2026-10-31');
    expect(second?.get('status[]')).toBe('finalized');
  });

  it('compares the months that are sent, and calls the running one unfinished', async () => {
    world.script(script);
    const answer = await ask('changes', { from_month: '2025-02', to_month: '2026-11' });
    expect(answer.months).toEqual(['2025-02', '2026-11']);
    expect(world.asked[0]).toContain('issuing_date_to=2025-02-28');
    expect(answer.summary).toContain('so far');
  });

  it('says which month was not read whole', async () => {
    world.script({ '/invoices': { invoices: [invoiceRow(1, of('a', 100))], meta: meta(4000, { pages: 40 }) } });
    const answer = await ask('changes');
    expect(answer.summary).toContain('Not all invoices of Sep 2026');
  });
});

describe('open items', () => {
  onOneDay();
  const wallet = { svc_id: uuidOf(50), external_customer_id: 'acme', currency: 'USD', status: 'active' };
  const topUp = transactionRow(18, { status: 'pending', transaction_status: 'purchased', amount: '25.0' });
  const all = {
    '/invoices': [
      invoiceRow(1, { status: 'draft', total_amount_cents: 500 }),
      invoiceRow(2, { status: 'pending', total_amount_cents: 700 }),
      invoiceRow(3, { status: 'failed', total_amount_cents: 900, currency: 'EUR' }),
    ],
    [`/invoices/${uuidOf(3)}`]: { invoice: invoiceRow(3, { status: 'failed', error_details: [] }) },
    '/credit_notes': [noteRow(4, { refund_amount_cents: 300, refund_status: 'pending' })],
    '/payments': [
      paymentRow(5, { payment_status: 'processing', created_at: '2026-11-20T00:00:00Z' }),
      paymentRow(6, { payment_status: 'failed', created_at: '2026-11-19T00:00:00Z', status: 'card_declined' }),
      paymentRow(7, { payment_status: 'failed', created_at: '2026-01-19T00:00:00Z' }),
      paymentRow(8),
    ],
    '/wallets': [wallet, { ...wallet, svc_id: uuidOf(52), status: 'terminated' }],
    [`/wallets/${uuidOf(50)}/wallet_transactions`]: [topUp],
  };
  const itemsOf = (answer: JsonRecord) =>
    (answer.revenue as JsonRecord[]).map(({ item, amount_cents }) => [item, amount_cents]);

  it('has everything in the air in one answer, with the reason of what failed', async () => {
    world.script(url => {
      const isFailedRefund = url.searchParams.get('refund_status') === 'failed';
      return isFailedRefund ? [] : (all as Record<string, object>)[url.pathname.replace('/api/v1', '')];
    });
    const answer = await ask('open_items');
    expect(itemsOf(answer)).toEqual([
      ['draft', 500],
      ['not_issued', 700],
      ['failed_to_issue', 900],
      ['refund_pending', 300],
      ['payment_under_way', 10_000],
      ['payment_failed', 10_000],
      ['top_up_unpaid', 2_500],
    ]);
    expect(answer.summary).toContain('7 open items.');
    expect(answer.summary).toContain('ACM-0001-001-003 could not be issued');
    expect(JSON.stringify(answer.revenue)).toContain('"why":"the card was declined"');
  });

  it('says what could not be read, instead of that it is not there', async () => {
    world.script({ ...all, '/payments': { status: 500, body: {} }, '/credit_notes': [] });
    const answer = await ask('open_items', { currency: 'EUR' });
    expect(itemsOf(answer)).toEqual([['failed_to_issue', 900]]);
    expect(answer.summary).toContain('Payments are missing');
  });

  it('is of one customer where it is asked for', async () => {
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', name: 'Acme Corp' } },
      ...Object.fromEntries(
        ['invoices', 'credit_notes', 'payments', 'wallets'].map(key => [`/customers/acme/${key}`, []]),
      ),
    });
    const answer = await ask('open_items', { external_customer_id: 'acme' });
    expect(answer.summary).toContain('No open item of “Acme Corp”');
    expect(answer.revenue).toEqual([]);
  });
});
