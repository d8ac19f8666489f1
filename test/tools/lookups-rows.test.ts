/** A record counts once, whatever the pages and totals of the service are; a sum names what it leaves out. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, noteRow, paymentRow, transactionRow, uuidOf, walletRow } from './lookup-records.ts';
import { freshWorld, meta, onOneDay } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const invoices = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => invoiceRow(from + n));

/** One page a request, in this order; the last one again for further requests. */
function pages(key: string, ...answers: { rows: JsonRecord[]; meta: object }[]): void {
  let asked = 0;
  world.script(url => {
    if (!url.pathname.endsWith(`/${key}`)) return undefined;
    const { rows, meta } = answers[Math.min(asked++, answers.length - 1)] ?? { rows: [], meta: {} };
    return { [key]: rows, meta };
  });
}

describe('a record that comes twice', () => {
  it('counts once where one was created while the pages were read', async () => {
    pages(
      'invoices',
      { rows: invoices(0, 100), meta: meta(150, { pages: 2 }) },
      { rows: invoices(99, 150), meta: meta(151, { page: 2, pages: 2 }) },
    );
    const answer = await world.call('list_invoices', { all: true });
    expect(answer).toMatchObject({
      shown: '150 of an unknown number',
      totals: { invoiced: [{ count: 150, total_amount_cents: 3_000_000 }] },
    });
    expect(answer.summary).toMatch(/^150 .*1 record appeared twice .*151.*\$30,000\.00/);
  });

  it('is told where one was deleted meanwhile, and another passed over', async () => {
    const notes = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => noteRow(from + n));
    pages(
      'credit_notes',
      { rows: notes(0, 100), meta: meta(150, { pages: 2 }) },
      { rows: notes(101, 150), meta: meta(149, { page: 2, pages: 2 }) },
    );
    const { summary } = await world.call('list_credit_notes', { all: true });
    expect(summary).toMatch(/149 .*the list changed during the read.*\$7,450\.00/);
  });

  it('ends the reading where the service ignores the page', async () => {
    pages('invoices', { rows: invoices(0, 100), meta: meta(300, { pages: 3 }) });
    const answer = await world.call('list_invoices', { all: true });
    expect(world.asked).toHaveLength(2);
    expect(answer).toMatchObject({ shown: '100 of about 300', totals: { invoiced: [{ count: 100 }] } });
    expect(answer).not.toHaveProperty('next_page');
    expect(answer.summary).toMatch(/300 .*100 .*page 2 had the same records/);
  });

  it('is told where a later page is answered with the first one', async () => {
    pages('invoices', { rows: invoices(0, 20), meta: meta(45, { pages: 3 }) });
    const answer = await world.call('list_invoices', { page: 2 });
    expect(answer).not.toHaveProperty('next_page');
    expect(factsOf(answer.summary)).toContain('45 · 20 · 1 · 2 · 20');
  });

  it('counts once in a report, in sums by days, and in a filter of our own', async () => {
    const overdue = (n: number) => invoiceRow(n, { payment_overdue: true });
    pages('invoices', { rows: [overdue(1), overdue(1), overdue(2)], meta: meta(3) });
    expect(factsOf((await world.call('get_revenue', { report: 'overdue' })).summary)).toContain(
      '2 · 1 · $400.00 · 1 · 3',
    );
    pages('payments', { rows: [paymentRow(1), paymentRow(1)], meta: meta(2) });
    expect(factsOf((await world.call('list_payments', { payment_status: ['succeeded'] })).summary)).toBe(
      '1 · $100.00 · (1) · ACM-0001-001-001 · $100.00 · 10 Feb · 1 · 1 · 2',
    );
    const moves = [transactionRow(20), transactionRow(20)];
    world.script(url => (url.pathname.endsWith('/wallet_transactions') ? moves : { wallet: walletRow(1) }));
    const args = { svc_id: uuidOf(1), created_at_from: '2026-11-01' };
    expect((await world.call('list_wallet_transactions', args)).totals).toEqual([
      { currency: 'USD', count: 1, granted_amount_cents: 1000 },
    ]);
  });
});

describe('a total that the rows contradict', () => {
  it.each([-1, 0, 3])('is told as that of the service, and no sum is of all: %i with ten rows', async total => {
    pages('invoices', { rows: invoices(0, 10), meta: meta(total) });
    const answer = await world.call('list_invoices', {});
    expect(answer.shown).toBe('10 of an unknown number');
    expect(answer.summary).toMatch(new RegExp(`^10 .*counts ${total}\\).* \\$2,000\\.00`));
  });

  it.each<[tool: string, args: object, key: string, said: string]>([
    ['find_customers', {}, 'customers', '0 customers (the service counts 3).'],
    ['list_subscriptions', {}, 'subscriptions', '0 subscriptions (the service counts 3).'],
    ['list_wallets', {}, 'wallets', '0 wallets (the service counts 3)'],
    ['list_catalogue', { kind: 'coupons' }, 'coupons', '0 coupons (the service counts 3).'],
  ])('does not let %s say that there is none', async (tool, args, key, said) => {
    pages(key, { rows: [], meta: meta(3) });
    const { summary } = await world.call(tool, args);
    expect(summary).toContain(said);
    expect(summary).not.toMatch(/\b(has|there is) no\b/i);
  });
});

it('an overview says of which of its lists the service counts otherwise, and not that there is nothing', async () => {
  const list = (key: string, rows: JsonRecord[], total: number) => ({
    [`/customers/acme/${key}`]: { [key]: rows, meta: meta(total) },
  });
  world.script({
    '/customers/acme': { customer: { external_id: 'acme', name: 'Acme', currency: 'USD' } },
    ...list('subscriptions', [], 3),
    ...list('wallets', [], 3),
    ...list('credit_notes', [], 0),
    ...list(
      'invoices',
      [invoiceRow(1), invoiceRow(1), invoiceRow(2, { number: 'ODD-1', total_due_amount_cents: 0.5 })],
      -1,
    ),
  });
  const { summary } = await world.call('get_customer_overview', { external_customer_id: 'acme' });
  expect(factsOf(summary)).toBe(
    '“Acme” · (acme) · $200.00 · ODD-1 · 2 · list_credit_notes · 3 · 3 · 1 · 1 · 2 · total_due_amount_cents',
  );
});

describe('an amount that is no whole number', () => {
  const odd = { number: 'ODD-1' };
  it.each([12.5, '12.5', null, undefined])('%o is left out of the sum, by name', async total_amount_cents => {
    pages('invoices', {
      rows: [invoiceRow(1), invoiceRow(2, { ...odd, total_amount_cents, total_due_amount_cents: total_amount_cents })],
      meta: meta(2),
    });
    const answer = await world.call('list_invoices', {});
    const sum = { currency: 'USD', count: 1, left_out: ['ODD-1'] };
    expect(answer.totals).toMatchObject({
      invoiced: [{ ...sum, total_amount_cents: 20_000 }],
      owed: [{ ...sum, total_due_amount_cents: 20_000 }],
    });
    expect(factsOf(answer.summary)).toContain('2 · $200.00 · ODD-1');
  });

  it('leaves no sum where there is no other', async () => {
    pages('invoices', { rows: [invoiceRow(1, { ...odd, total_due_amount_cents: 0.5 })], meta: meta(1) });
    const answer = await world.call('list_invoices', {});
    expect(answer.totals).toMatchObject({ owed: [{ currency: 'USD', count: 0, left_out: ['ODD-1'] }] });
    expect(answer.summary).toContain('an unknown amount of ODD-1');
  });

  it('is named in the sums of ages, of payments, of credit, of wallets and of months', async () => {
    const late = { payment_overdue: true };
    pages('invoices', {
      rows: [invoiceRow(1, late), invoiceRow(2, { ...late, ...odd, total_due_amount_cents: '1e3' })],
      meta: meta(2),
    });
    const overdue = await world.call('get_revenue', { report: 'overdue' });
    expect(overdue.revenue).toMatchObject([{ count: 1, left_out: ['ODD-1'], total_due_amount_cents: 20_000 }]);
    expect(overdue.summary).toContain('$200.00 without ODD-1');
    pages('payments', { rows: [paymentRow(1), paymentRow(2, { amount_cents: '100.5' })], meta: meta(2) });
    expect((await world.call('list_payments', {})).summary).toContain(`$100.00 without ${uuidOf(2)} (`);
    pages('credit_notes', { rows: [noteRow(1), noteRow(2, { ...odd, balance_amount_cents: 1.5 })], meta: meta(2) });
    expect((await world.call('list_credit_notes', {})).summary).toContain('$50.00 without ODD-1');
    const wallets = [walletRow(1, { balance_cents: 500 }), walletRow(2, { code: 'bad', balance_cents: 0.5 })];
    pages('wallets', { rows: wallets, meta: meta(2) });
    expect((await world.call('list_wallets', {})).summary).toContain('$5.00 without bad');
    const months = [['2026-11', 500] as const, ['2026-10', 'much'] as const].map(([month, amount_cents]) => ({
      ...{ month: `${month}-01T00:00:00Z`, currency: 'USD', amount_cents },
    }));
    world.script({ '/analytics/invoiced_usage': months });
    const used = await world.call('get_revenue', { report: 'invoiced_usage' });
    expect(used.totals).toEqual([{ currency: 'USD', left_out: ['2026-10'], amount_cents: 500 }]);
    expect(used.summary).toContain('$5.00 without 2026-10');
  });

  it('of a wallet’s movement is named by the id of that', async () => {
    const moves = ['10.0', 'ten', '10.005'].map((amount, n) => transactionRow(n + 1, { amount }));
    world.script(url => (url.pathname.endsWith('/wallet_transactions') ? moves : { wallet: walletRow(9) }));
    const { summary } = await world.call('list_wallet_transactions', { svc_id: uuidOf(9) });
    expect(summary).toContain('$10.00 granted');
    expect(summary).toContain(`${uuidOf(102)} and ${uuidOf(103)}`);
  });
});

it.each<[tool: string, args: object]>([
  ['list_invoices', { all: true }],
  ['list_payments', { invoice_id: 'NW-1', payment_status: ['failed'], external_customer_id: 'Acme' }],
  ['get_revenue', { report: 'overdue', external_customer_id: 'Acme' }],
  ['get_revenue', { report: 'gross_revenue' }],
  ['list_wallet_transactions', { svc_id: uuidOf(1), created_at_to: '2020-01-01' }],
])('%s %o makes at most 20 reads of an account without end, and says that there is more', async (tool, args) => {
  const row = (key: string, n: number): JsonRecord =>
    key === 'invoices'
      ? invoiceRow(n, { ...(n === 1 && { number: 'NW-1' }), payment_overdue: true, invoice_type: 'credit' })
      : paymentRow(n, { created_at: '2026-11-01T00:00:00Z' });
  world.script(url => {
    const key = url.pathname.split('/').at(-1) ?? '';
    const page = Number(url.searchParams.get('page') ?? 1);
    if (key === 'customers') return { customers: [{ svc_id: 'c', external_id: 'acme', name: 'Acme' }], meta: meta(1) };
    if (url.pathname.includes('/customers/Acme')) return { status: 404, body: { code: 'customer_not_found' } };
    if (key === 'gross_revenue') return { gross_revenues: [{ month: '2026-11-01', currency: 'USD', amount_cents: 5 }] };
    if (!['invoices', 'payments', 'wallet_transactions'].includes(key)) return undefined;
    const rows = Array.from({ length: 100 }, (_, n) => row(key, page * 1000 + n - 999));
    return { [key]: rows, meta: meta(99_999, { page, pages: 1000 }) };
  });
  const { summary } = await world.call(tool, args);
  expect(world.asked.length).toBeLessThanOrEqual(20);
  expect(summary).toMatch(/\b(the newest|only the first) (1,000|400)\b/i);
});
