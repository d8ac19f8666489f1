/** list_payments (docs/lookups.md §8). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, paymentRow, uuidOf } from './lookup-records.ts';
import { freshWorld, meta, refusal } from './lookup-upstream.ts';

const world = await freshWorld();

const listOf = (...payments: JsonRecord[]) => ({ payments, meta: meta(payments.length) });
const failed = { payment_status: 'failed', status: 'declined' };

/** 250 payments, newest first; every tenth failed. */
function paged(url: URL) {
  const page = Number(url.searchParams.get('page'));
  const size = Number(url.searchParams.get('per_page'));
  const all = Array.from({ length: 250 }, (_, i) => paymentRow(i, i % 10 === 0 ? failed : {}));
  const pages = Math.ceil(250 / size);
  return { payments: all.slice((page - 1) * size, page * size), meta: meta(250, { page, pages }) };
}

describe('list_payments', () => {
  it('sums what succeeded apart from what failed or waits', async () => {
    world.script({
      '/customers/acme/payments': [
        paymentRow(1),
        paymentRow(2, failed),
        paymentRow(3, { payment_status: 'processing', amount_currency: 'EUR' }),
        paymentRow(4, { type: 'manual', reference: 'wire 7', payment_provider_code: null }),
      ],
    });
    const answer = await world.call('list_payments', { external_customer_id: 'acme' });
    expect(factsOf(answer.summary)).toBe(
      '4 · $200.00 · (2) · $100.00 · (1) · €100.00 · (1) · ACM-0001-001-001 · $100.00 · 10 Feb · ACM-0001-001-002 · $100.00 · 10 Feb · ACM-0001-001-003 · €100.00 · 10 Feb · 1',
    );
    expect(answer.totals).toMatchObject({ succeeded: [{ currency: 'USD', count: 2, amount_cents: 20_000 }] });
    expect(answer.every_row).toEqual({ external_customer_id: 'acme' });
    expect((answer.payments as JsonRecord[])[3]).toEqual({
      ...{ svc_id: uuidOf(4), created_at: '2026-02-10T09:00:00Z', amount_cents: 10_000, amount_currency: 'USD' },
      ...{ payment_status: 'succeeded', invoice_numbers: ['ACM-0001-001-004'], type: 'manual', reference: 'wire 7' },
    });
  });

  const newYork = { customer: { external_id: 'acme', applicable_timezone: 'America/New_York' } };
  /** At 03:00 UTC it is the day before in New York, 22:00. */
  const atNight = (count: number) =>
    Array.from({ length: count }, (_, n) => paymentRow(n, { created_at: '2026-02-10T03:00:00Z' }));
  const told = async (script: object, args: object) => {
    world.script(script as Record<string, object>);
    const { payments, summary } = await world.call('list_payments', args);
    const shown = new Set((payments as JsonRecord[]).map(({ created_at }) => created_at));
    return { shown: [...shown], clocks: /(Times|Days) are in [^.]+/.exec(summary)?.[0], asked: world.asked };
  };
  const ofAcme = '/customers/acme/payments?page=1&per_page=20';

  it.each([
    ['whole', 12, '2026-02-09T22:00:00-05:00', 'Times are in America/New_York'],
    ['as days in a longer list', 13, '2026-02-09', 'Days are in America/New_York'],
  ])('of one customer tells moments by the customer’s clocks, with one more read: %s', async (_, count, at, clocks) => {
    const script = { '/customers/acme/payments': atNight(count), '/customers/acme': newYork };
    const answer = await told(script, { external_customer_id: 'acme' });
    expect(answer).toEqual({ shown: [at], clocks, asked: [ofAcme, '/customers/acme'] });
  });

  it.each([
    ['of one that was found by name', { external_customer_id: 'Acme' }, 'Times are in America/New_York'],
    ['of an invoice that was found by its number', { invoice_id: 'ACM-0001-001-003' }, 'Times are in America/New_York'],
  ])('tells moments by the customer’s clocks %s', async (_, args, clocks) => {
    const script = {
      '/customers/Acme/payments': refusal(404, 'customer_not_found'),
      '/customers': [{ external_id: 'acme', name: 'Acme' }],
      '/invoices': [{ ...invoiceRow(3), ...newYork }],
      '/payments': atNight(1),
      '/customers/acme/payments': atNight(1),
      '/customers/acme': newYork,
    };
    expect(await told(script, args)).toMatchObject({ shown: ['2026-02-09T22:00:00-05:00'], clocks });
  });

  it.each([
    ['of all customers', {}, '/payments', 12, '2026-02-10T03:00:00Z', 'Days are in UTC', []],
    ['of all customers, as days', {}, '/payments', 13, '2026-02-10', 'Days are in UTC', []],
    ...[{}, refusal(500, 'internal_error')].map(
      (customer, at) =>
        [
          ['of a customer without a zone', 'of a customer who cannot be read'][at]!,
          ...[{ external_customer_id: 'acme' }, '/customers/acme/payments', 13, '2026-02-10', 'Days are in UTC'],
          ...[['/customers/acme'], customer],
        ] as const,
    ),
  ] as [string, object, string, number, string, string | undefined, string[], object?][])(
    'tells moments in UTC, which it says, %s',
    async (_, args, path, count, at, clocks, read, customer = {}) => {
      const script = { [path]: listOf(...atNight(count)), '/customers/acme': { customer } };
      const answer = await told(script, args);
      expect(answer).toMatchObject({ shown: [at], clocks });
      expect(new Set(answer.asked.slice(1))).toEqual(new Set(read));
    },
  );

  it('filters by state here, over all pages, and says so', async () => {
    world.script(paged);
    const answer = await world.call('list_payments', { payment_status: ['failed'], per_page: 10 });
    expect(world.asked).toEqual([1, 2, 3].map(page => `/payments?page=${page}&per_page=100`));
    expect(factsOf(answer.summary)).toBe(
      '25 · 10 · 2 · 25 · $2,500.00 · (25) · ACM-0001-001-000 · $100.00 · 10 Feb · ACM-0001-001-010 · $100.00 · 10 Feb · ACM-0001-001-020 · $100.00 · 10 Feb · 22 · 250',
    );
    expect(answer).toMatchObject({ shown: '10 of 25', next_page: 2 });
    const last = await world.call('list_payments', { payment_status: ['failed'], per_page: 10, page: 3 });
    expect(last).toMatchObject({ shown: '5 of 25' });
    expect((last.payments as JsonRecord[]).map(({ svc_id }) => svc_id)).toEqual([200, 210, 220, 230, 240].map(uuidOf));
    expect(last).not.toHaveProperty('next_page');
    const all = await world.call('list_payments', { payment_status: ['failed', 'succeeded'], all: true });
    expect((all.payments as object[]).length).toBeGreaterThan(100);
    expect(all.shown).toBe(`${(all.payments as object[]).length} of 250`);
  });

  it('says where it stopped when there are too many to filter', async () => {
    world.script(url => {
      const page = Number(url.searchParams.get('page'));
      const payments = Array.from({ length: 100 }, (_, i) => paymentRow(page * 100 + i, i === 0 ? failed : {}));
      return { payments, meta: meta(4000, { page, pages: 40 }) };
    });
    const answer = await world.call('list_payments', { payment_status: ['failed'] });
    expect(world.asked).toHaveLength(10);
    expect(factsOf(answer.summary)).toContain('1,000 · 4,000');
    expect(answer.shown).toBe('10 of an unknown number');
  });

  it('sends the invoice, and refuses what the service would not', async () => {
    world.script({ '/payments': [] });
    const answer = await world.call('list_payments', { invoice_id: uuidOf(3) });
    expect(world.asked).toEqual([`/payments?invoice_id=${uuidOf(3)}&page=1&per_page=20`]);
    expect(answer.summary).toBe('No such payment was found.');
    expect(factsOf((await world.call('list_payments', { payment_status: ['failed'] })).summary)).toBe('0');
    expect((await world.call('list_payments', {})).summary).toBe('No payment was found.');
  });

  it('takes the number of an invoice in place of its svc_id', async () => {
    world.script({ '/invoices': [invoiceRow(3), invoiceRow(31)], '/payments': [paymentRow(1)] });
    await world.call('list_payments', { invoice_id: 'ACM-0001-001-003' });
    expect(world.asked[1]).toBe(`/payments?invoice_id=${uuidOf(3)}&page=1&per_page=20`);
    const none = await world.call('list_payments', { invoice_id: 'ACM-0001-001-004' });
    expect(none.error?.code).toBe('no_match');
  });

  it('passes on a lacking permission with its name', async () => {
    world.script({ '/payments': refusal(403, 'read_action_not_allowed_for_payment') });
    const answer = await world.call('list_payments', {});
    expect(answer.error?.hint).toContain('“read payment”');
  });

  it('tells of failed payments alone what the provider says, in rows and in words', async () => {
    world.script({
      '/payments': [
        paymentRow(1, { status: 'captured' }),
        paymentRow(2, { payment_status: 'failed', status: 'insufficient_funds' }),
        paymentRow(3, { payment_status: 'failed', status: 'failed' }),
        paymentRow(4, { payment_status: 'failed', status: null }),
      ],
    });
    const answer = await world.call('list_payments', {});
    expect(factsOf(answer.summary)).toContain(
      '4 · $100.00 · (1) · $300.00 · (3) · ACM-0001-001-001 · $100.00 · 10 Feb · ACM-0001-001-002 · $100.00 · 10 Feb · ACM-0001-001-003 · $100.00 · 10 Feb · 1 · ACM-0001-001-004',
    );
    expect(answer.summary).toContain('too little money');
    expect((answer.payments as JsonRecord[]).map(({ status }) => status)).toEqual([
      ...[undefined, 'insufficient_funds', undefined, undefined],
    ]);
  });
});
