/** get_revenue: changes by customer between two months, and what is open (docs/lookups.md §4, §5, §7, §8). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, noteRow, paymentRow, uuidOf } from './lookup-records.ts';
import { meta, onOneDay, sharedWorld } from './lookup-upstream.ts';

onOneDay();
const world = await sharedWorld();

const page = (key: string, ...rows: JsonRecord[]) => ({ [key]: rows, meta: meta(rows.length) });
const of = (external_id: string, total_amount_cents: number, fields: JsonRecord = {}) => ({
  ...{ customer: { external_id, name: external_id }, total_amount_cents, ...fields },
});

describe('get_revenue, changes', () => {
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
    return page('invoices', ...issued(['2026-09', '2025-02'].includes(month) ? september : october, month));
  };

  it('tells customers in both months, new and gone, currency by currency, and top-ups apart', async () => {
    world.script(script);
    const answer = await world.call('get_revenue', { report: 'changes' });
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
    const answer = await world.call('get_revenue', { report: 'changes', from_month: '2025-02', to_month: '2026-11' });
    expect(answer.months).toEqual(['2025-02', '2026-11']);
    expect(world.asked[0]).toContain('issuing_date_to=2025-02-28');
    expect(answer.summary).toContain('so far');
  });

  it('says which month was not read whole', async () => {
    world.script({ '/invoices': { invoices: [invoiceRow(1, of('a', 100))], meta: meta(4000, { pages: 40 }) } });
    const answer = await world.call('get_revenue', { report: 'changes' });
    expect(answer.summary).toContain('Not all invoices of Sep 2026');
  });

  it.each([
    [{ report: 'changes', from_month: '2026-02', to_month: '2026-01' }, 'from_month must be before to_month'],
    [{ report: 'changes', from_month: '2026-13' }, 'from_month must be a month'],
    [{ report: 'changes', months: 2 }, 'send from_month and to_month'],
    [{ report: 'mrr', to_month: '2026-01' }, 'to_month is for changes'],
    [{ report: 'gross_revenue', page: 2 }, 'page is for the customers of'],
  ])('refuses %o before anything is sent', async (args, problem) => {
    world.script({});
    expect((await world.call('get_revenue', args)).summary).toContain(problem);
    expect(world.asked).toEqual([]);
  });
});

describe('get_revenue, open_items', () => {
  const wallet = { svc_id: uuidOf(50), external_customer_id: 'acme', currency: 'USD', status: 'active' };
  const topUp = { svc_id: uuidOf(51), status: 'pending', transaction_status: 'purchased', amount: '25.0' };
  const all = {
    '/invoices': page(
      'invoices',
      invoiceRow(1, { status: 'draft', total_amount_cents: 500 }),
      invoiceRow(2, { status: 'pending', total_amount_cents: 700 }),
      invoiceRow(3, { status: 'failed', total_amount_cents: 900, currency: 'EUR' }),
    ),
    [`/invoices/${uuidOf(3)}`]: { invoice: invoiceRow(3, { status: 'failed', error_details: [] }) },
    '/credit_notes': page('credit_notes', noteRow(4, { refund_amount_cents: 300, refund_status: 'pending' })),
    '/payments': page(
      'payments',
      paymentRow(5, { payment_status: 'processing', created_at: '2026-11-20T00:00:00Z' }),
      paymentRow(6, { payment_status: 'failed', created_at: '2026-11-19T00:00:00Z', status: 'card_declined' }),
      paymentRow(7, { payment_status: 'failed', created_at: '2026-01-19T00:00:00Z' }),
      paymentRow(8),
    ),
    '/wallets': page('wallets', wallet, { ...wallet, svc_id: uuidOf(52), status: 'terminated' }),
    [`/wallets/${uuidOf(50)}/wallet_transactions`]: page('wallet_transactions', {
      ...topUp,
      created_at: '2026-11-18T00:00:00Z',
    }),
  };
  const itemsOf = (answer: JsonRecord) =>
    (answer.revenue as JsonRecord[]).map(({ item, amount_cents }) => [item, amount_cents]);

  it('has everything in the air in one answer, with the reason of what failed', async () => {
    world.script(url => {
      const isFailedRefund = url.searchParams.get('refund_status') === 'failed';
      return isFailedRefund
        ? page('credit_notes')
        : (all as Record<string, object>)[url.pathname.replace('/api/v1', '')];
    });
    const answer = await world.call('get_revenue', { report: 'open_items' });
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
    world.script({ ...all, '/payments': { status: 500, body: {} }, '/credit_notes': page('credit_notes') });
    const answer = await world.call('get_revenue', { report: 'open_items', currency: 'EUR' });
    expect(itemsOf(answer)).toEqual([['failed_to_issue', 900]]);
    expect(answer.summary).toContain('Payments are missing');
  });

  it('is of one customer where it is asked for', async () => {
    world.script({
      '/customers/acme': { customer: { external_id: 'acme', name: 'Acme Corp' } },
      ...Object.fromEntries(
        ['invoices', 'credit_notes', 'payments', 'wallets'].map(key => [`/customers/acme/${key}`, page(key)]),
      ),
    });
    const answer = await world.call('get_revenue', { report: 'open_items', external_customer_id: 'acme' });
    expect(answer.summary).toContain('No open item of “Acme Corp”');
    expect(answer.revenue).toEqual([]);
  });
});
