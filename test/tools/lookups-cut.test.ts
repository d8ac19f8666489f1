/** Lists of lookups that BILLING_MAX_RESULT_TOKENS cuts: `shown` is what is shown, and going on passes over nothing. */
import { describe, expect, it } from 'vitest';
import {
  invoiceRow,
  noteRow,
  paymentRow,
  subscriptionRow,
  transactionRow,
  uuidOf,
  walletRow,
} from './lookup-records.ts';
import { freshWorld, meta } from './lookup-upstream.ts';

const world = await freshWorld({ BILLING_MAX_RESULT_TOKENS: '900' });

const long = 'x'.repeat(60);
const terminated = { status: 'terminated' };
/** The nth record of each list, with a mark in a field that rows keep. */
type List = [tool: string, args: object, key: string, mark: string, row: (n: number) => object];
const lists: readonly List[] = [
  ['find_customers', {}, 'customers', 'external_id', n => ({ external_id: `c-${n}`, name: long })],
  ['list_subscriptions', {}, 'subscriptions', 'external_id', n => subscriptionRow(`s-${n}`, { name: long })],
  ['list_invoices', {}, 'invoices', 'number', n => invoiceRow(n, { customer: { external_id: long } })],
  ['list_credit_notes', {}, 'credit_notes', 'number', n => noteRow(n)],
  ['list_payments', {}, 'payments', 'svc_id', n => paymentRow(n)],
  ['list_payments', { payment_status: ['succeeded'] }, 'payments', 'svc_id', n => paymentRow(n)],
  ['list_wallets', {}, 'wallets', 'svc_id', n => walletRow(n, { name: long, ...(n % 4 === 0 && terminated) })],
  ...[{}, { created_at_from: '2026-01-01' }].map((span): List => {
    const row = (n: number) => transactionRow(1, { svc_id: uuidOf(n) });
    return ['list_wallet_transactions', { svc_id: uuidOf(1), ...span }, 'wallet_transactions', 'svc_id', row];
  }),
  ['list_events', {}, 'events', 'transaction_id', n => ({ transaction_id: `t-${n}`, code: long })],
  ['list_catalogue', { kind: 'coupons' }, 'coupons', 'code', n => ({ code: `coupon-${n}`, name: long })],
  ['list_catalogue', { kind: 'billing_entities' }, 'billing_entities', 'code', n => ({ code: `e-${n}`, name: long })],
];

const total = 70;

function serve(key: string, row: (n: number) => object): void {
  const all = Array.from({ length: total }, (_, n) => row(n));
  world.script(url => {
    if (!url.pathname.endsWith(`/${key}`)) return undefined;
    const page = Number(url.searchParams.get('page') ?? 1);
    const size = Number(url.searchParams.get('per_page') ?? total);
    const pages = Math.ceil(total / size);
    const rows = all.slice((page - 1) * size, page * size);
    return { [key]: rows, ...(key !== 'billing_entities' && { meta: meta(total, { page, pages }) }) };
  });
}

describe('a list that is cut', () => {
  it.each(lists)('%s %o says how many rows it shows, and where to go on', async (tool, args, key, mark, row) => {
    serve(key, row);
    const wanted = Array.from({ length: total }, (_, n) => row(n) as Record<string, unknown>).filter(
      record => record.status !== 'terminated',
    );
    const seen = new Set<unknown>();
    let next: object | null = key === 'events' ? { page: 2, per_page: 30 } : { page: 2 };
    const skipped = key === 'events' ? 30 : 20;
    const first = wanted.slice(key === 'wallets' ? 15 : skipped);
    for (let calls = 0; next !== null && calls < 60; calls++) {
      const answer = await world.call(tool, { ...args, ...next });
      const rows = answer[tool === 'list_catalogue' ? 'records' : key] as Record<string, unknown>[];
      for (const record of rows) seen.add(record[mark]);
      expect(answer.shown).toMatch(new RegExp(`^${rows.length} of (about )?${total}$`));
      if (answer.per_page !== undefined) {
        const going = `continue with page: ${answer.next_page}, per_page: ${answer.per_page}.`;
        expect(answer.summary.endsWith(going), answer.summary).toBe(true);
      }
      expect(answer.summary).not.toMatch(/\d shown/);
      next =
        answer.next_page === undefined
          ? null
          : { ...next, page: answer.next_page, ...(answer.per_page !== undefined && { per_page: answer.per_page }) };
    }
    expect(first.filter(record => !seen.has(record[mark]))).toEqual([]);
  });

  it('goes on without all where the pages were walked', async () => {
    serve('invoices', n => invoiceRow(n));
    const answer = await world.call('list_invoices', { all: true });
    const rows = answer.invoices as object[];
    expect(rows.length).toBeLessThan(total);
    expect(answer).toMatchObject({ shown: `${rows.length} of ${total}`, next_page: 2, per_page: rows.length });
    expect(answer.summary).toContain(`continue with page: 2, per_page: ${rows.length}`);
    expect(answer.summary).toContain('70 invoices: $14,000.00 invoiced');
  });

  it('cuts one record that is too long by itself, without a way to the whole that does not exist', async () => {
    const plan_codes = Array.from({ length: 900 }, (_, n) => `plan-${n}`);
    world.script({ '/coupons': [{ code: 'big', plan_codes }] });
    const answer = await world.call('list_catalogue', { kind: 'coupons' });
    expect(answer.shown).toBe('1 of 1');
    expect(answer.summary).toMatch(/^1 coupon\. \d+ of 900 plan codes/);
  });

  it('cuts a report without pages, and says what gives less', async () => {
    const months = Array.from({ length: 90 }, (_, n) => new Date(Date.UTC(2010, n, 1)).toISOString());
    world.script({ '/analytics/mrr': months.map(month => ({ month, currency: 'USD', amount_cents: '5000.0' })) });
    const answer = await world.call('get_revenue', { report: 'mrr', months: 240 });
    expect(answer.summary).toMatch(/\d+ of 90 rows/);
  });
});
