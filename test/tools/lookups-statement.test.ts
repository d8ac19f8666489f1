/** get_statement: an account as a ledger, from what its lists say (docs/lookups.md §4, §7, §8). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { answerTokens } from '../support/answer-tokens.ts';
import { factsOf } from '../support/facts.ts';
import { invoiceRow, noteRow, paymentRow, uuidOf } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

const customer = {
  customer: { external_id: 'acme', name: 'Acme', currency: 'USD', applicable_timezone: 'Asia/Tokyo' },
};

type Lists = { [list in 'invoices' | 'payments' | 'credit_notes']?: Scripted };

function account({ invoices = [], payments = [], credit_notes = [] }: Lists): void {
  world.script({
    ...{ '/customers/acme': customer, '/customers/acme/invoices': invoices },
    ...{ '/customers/acme/payments': payments, '/customers/acme/credit_notes': credit_notes },
  });
}

const statement = (args: JsonRecord = {}) => world.call('get_statement', { external_customer_id: 'acme', ...args });
const linesOf = ({ statement: rows }: JsonRecord) =>
  (rows as JsonRecord[]).map(({ date, latest_date, kind, amount_cents, balance_cents }) =>
    [date ?? `by ${latest_date}`, kind, amount_cents, balance_cents].join(' '),
  );

/** Of $200.00, paid in part. */
const partly = { total_paid_amount_cents: 5_000, total_due_amount_cents: 15_000 };
const paid = { payment_status: 'succeeded', total_paid_amount_cents: 20_000, total_due_amount_cents: 0 };
const marked = { payment_status: 'succeeded', updated_at: '2026-03-05T09:00:00Z' };
const noteOf = (fields: JsonRecord) => noteRow(1, { svc_invoice_id: uuidOf(1), ...fields });
const payment = (invoices: number[], amount_cents: number, fields: JsonRecord = {}) =>
  paymentRow(900 + (invoices[0] ?? 0), { invoice_ids: invoices.map(uuidOf), amount_cents, ...fields });

describe('get_statement', () => {
  const dueAgain = { total_paid_amount_cents: 15_000, total_due_amount_cents: 5_000 };
  it.each<[what: string, invoice: JsonRecord, closing: number, owed: number]>([
    ['which the invoice still counts as paid', paid, 5_000, 0],
    ['which the invoice shows as due again', dueAgain, 5_000, 5_000],
  ])('shows a returned payment as owed again, and invents no other: %s', async (_, fields, closing, owed) => {
    const back = payment([1], -5_000, { svc_id: uuidOf(990), created_at: '2026-03-02T16:00:00Z' });
    account({ invoices: [invoiceRow(1, fields)], payments: [payment([1], 20_000), back] });
    const answer = await statement();
    expect(answer).toMatchObject({ closing_balance_cents: closing, owed_now_cents: owed });
    expect(linesOf(answer).map(line => line.split(' ')[1])).toEqual(['invoice', 'payment', 'returned']);
    expect(factsOf(answer.summary)).toContain('$50.00 · 1');
    expect(answer.summary).not.toMatch(/\$50\.00 (paid|marked)/);
    if (closing !== owed) expect(answer.summary).toMatch(/does not match.*\$50\.00 higher/);
  });

  it('goes from the opening balance by its lines to the closing one, which is what is owed', async () => {
    account({
      invoices: [
        invoiceRow(1, partly),
        invoiceRow(2, { issuing_date: '2026-02-20', prepaid_credit_amount_cents: 700, credit_notes_amount_cents: 300 }),
        invoiceRow(3, { issuing_date: '2026-03-01', invoice_type: 'credit', ...paid }),
      ],
      payments: [
        payment([1], 5_000),
        payment([3], 20_000, { created_at: '2026-03-01T16:00:00Z' }),
        payment([2], 9_000, { svc_id: uuidOf(990), payment_status: 'failed' }),
        payment([2], 9_000, { svc_id: uuidOf(991), payment_status: 'processing' }),
      ],
      credit_notes: [noteRow(1, { svc_invoice_id: uuidOf(3), issuing_date: '2026-03-09' })],
    });
    const answer = await statement({ from_date: '2026-02-10' });
    const balances = { opening_balance_cents: 20_000, closing_balance_cents: 35_000, owed_now_cents: 35_000 };
    expect(answer).toMatchObject(balances);
    expect(linesOf(answer)).toEqual([
      '2026-02-10 payment -5000 15000',
      '2026-02-20 invoice 21000 36000',
      '2026-02-20 prepaid_credits -700 35300',
      '2026-02-20 credit_applied -300 35000',
      '2026-03-01 top_up 20000 55000',
      // In Tokyo it is the day after.
      '2026-03-02 payment -20000 35000',
      '2026-03-09 credit_note 0 35000',
    ]);
    expect(factsOf(answer.summary)).toBe(
      '“Acme” · (acme) · 10 Feb · 23 Nov · $200.00 · $350.00 · $210.00 · 1 · $200.00 · 1 · $7.00 · 1 · $3.00 · 1 · $250.00 · 2 · $350.00 · $50.00',
    );
  });

  it('keeps what was marked as paid in a line of its own, on the last day on which that can have been', async () => {
    account({
      invoices: [invoiceRow(1, marked), invoiceRow(2, { ...marked, ...{ total_paid_amount_cents: 500 } })],
      payments: [payment([2], 500)],
    });
    const answer = await statement();
    expect(linesOf(answer)).toEqual([
      '2026-02-01 invoice 20000 20000',
      '2026-02-01 invoice 20000 40000',
      '2026-02-10 payment -500 39500',
      'by 2026-03-05 marked_as_paid -20000 19500',
      'by 2026-03-05 marked_as_paid -19500 0',
    ]);
    expect(factsOf(answer.summary)).toContain('$395.00 · 2');
    expect(answer.summary).toContain('matches the closing balance');
    expect(factsOf(answer.summary)).toContain('ACM-0001-001-001 · 5 Mar · ACM-0001-001-002 · 5 Mar');
  });

  it('says what may have been marked before its end already', async () => {
    account({ invoices: [invoiceRow(1, marked), invoiceRow(2, { ...marked, issuing_date: '2026-03-02' })] });
    const answer = await statement({ to_date: '2026-03-01' });
    expect(answer).toMatchObject({ closing_balance_cents: 20_000, after_to_date_cents: -20_000, owed_now_cents: 0 });
    expect(factsOf(answer.summary)).toContain('1 Mar · ACM-0001-001-001 · 5 Mar');
  });

  const refund = { refund_amount_cents: 1_000, refund_status: 'pending' };
  it.each<[string, Lists, JsonRecord, string[]]>([
    [
      'a voided invoice, and what was paid on it',
      {
        invoices: [invoiceRow(1, { status: 'voided', voided_at: '2026-02-25T20:00:00Z', ...partly })],
        payments: [payment([1], 5_000)],
      },
      { closing_balance_cents: 0, owed_now_cents: 0 },
      ['$150.00 voided on 1 invoice', '$50.00 was paid on voided invoices and is not in the balance'],
    ],
    [
      'one payment for several invoices, of which one was only paid in part',
      {
        invoices: [invoiceRow(1, partly), invoiceRow(2, paid), invoiceRow(3)],
        payments: [payment([1, 2], 25_000, { payable_type: 'PaymentRequest' })],
      },
      { closing_balance_cents: 35_000, owed_now_cents: 35_000 },
      ['$250.00 paid in 1 payment', 'matches the closing balance to the cent'],
    ],
    [
      'a credit note against its invoice, with a refund',
      {
        invoices: [invoiceRow(1, { total_offsetted_credit_note_amount_cents: 4_000, total_due_amount_cents: 16_000 })],
        credit_notes: [noteOf({ offset_amount_cents: 4_000, credit_amount_cents: 0, ...refund })],
      },
      { closing_balance_cents: 16_000, owed_now_cents: 16_000 },
      ['$40.00 offset against invoices by 1 credit note', 'Refunds of $10.00 (not paid out yet) are not in the'],
    ],
    [
      'what an invoice says was paid without a payment',
      { invoices: [invoiceRow(1, partly)] },
      { closing_balance_cents: 15_000, owed_now_cents: 15_000 },
      ['$50.00 paid according to 1 invoice, with no listed payment, day unknown'],
    ],
    [
      'a lost dispute, which stays owed',
      { invoices: [invoiceRow(1, { payment_dispute_lost_at: '2026-03-01T00:00:00.000Z' })] },
      { closing_balance_cents: 20_000, owed_now_cents: 20_000 },
      ['Of the amount owed, $200.00 is on 1 invoice with a lost payment dispute'],
    ],
    [
      'drafts, failed and self-billed invoices, which are named and not counted',
      {
        invoices: [
          invoiceRow(1, { status: 'draft', number: 'D' }),
          invoiceRow(2, { status: 'failed' }),
          invoiceRow(3, { self_billed: true }),
        ],
        payments: [payment([3], 20_000)],
      },
      { closing_balance_cents: 0, owed_now_cents: 0 },
      [
        ...['Not counted: 1 draft of $200.00', '1 failed to issue', '1 self-billed'],
        'Not counted: $200.00 paid for invoices that are not issued, self-billed or not listed',
      ],
    ],
    [
      'a payment that the invoice does not show, which makes a difference that is said',
      { invoices: [invoiceRow(1)], payments: [payment([1], 5_000)] },
      { closing_balance_cents: 15_000, owed_now_cents: 20_000, difference_cents: -5_000 },
      ['The statement does not match: its balance is $50.00 lower', 'for ACM-0001-001-001 ($50.00 lower)'],
    ],
    [
      'credit that was voided, which nobody can use',
      {
        invoices: [invoiceRow(1)],
        credit_notes: [
          noteOf({ credit_status: 'voided', balance_amount_cents: 0 }),
          noteOf({ svc_id: uuidOf(2), credit_amount_cents: 700 }),
        ],
      },
      { closing_balance_cents: 20_000, owed_now_cents: 20_000 },
      ['in this span also gave $7.00 of credit for later invoices', 'Credit of $50.00 was voided; any part'],
    ],
    [
      'an invoice that is dated after today',
      { invoices: [invoiceRow(1, { issuing_date: '2026-12-01' })] },
      { closing_balance_cents: 0, after_to_date_cents: 20_000, owed_now_cents: 20_000 },
      ['raise it by $200.00; $200.00 is owed now'],
    ],
    [
      'an invoice in a payment state that is not known here',
      { invoices: [invoiceRow(1, { payment_status: 'on_hold' })] },
      { closing_balance_cents: 20_000, owed_now_cents: 0, difference_cents: 20_000 },
      ['its balance is $200.00 higher', 'ACM-0001-001-001 ($200.00 higher)'],
    ],
    [
      'three decimals',
      { invoices: [invoiceRow(1, { currency: 'KWD' })] },
      { currency: 'KWD', closing_balance_cents: 20_000 },
      ['closing balance KD 20.000'],
    ],
    ['nothing at all', {}, { currency: 'USD', closing_balance_cents: 0, statement: [] }, ['It has no lines']],
  ])('counts %s', async (_, lists, fields, texts) => {
    account(lists);
    const answer = await statement();
    expect(answer).toMatchObject(fields);
    for (const text of texts) expect(answer.summary).toContain(text);
    if (!('difference_cents' in fields)) expect(answer).not.toHaveProperty('difference_cents');
  });

  const someone = { customer: { external_id: 'zoe', name: 'Zoe' } };
  const ofZoe = payment([1], 500, { external_customer_id: 'zoe' });
  const [missing, forbidden] = [refusal(404, 'resource_not_found'), refusal(403, 'forbidden')];
  const others = (list: string) => `of other customers among the ${list}`;
  const unplaced = 'a payment has no invoice';
  const withSecond = (fields: JsonRecord) => ({ invoices: [invoiceRow(1), invoiceRow(2, fields)] });
  it.each<[string, Lists, string]>([
    ['payments that this installation lacks', { payments: missing }, 'the payments could not be read'],
    ['payments without the right', { payments: forbidden }, 'the payments could not be read'],
    ['credit notes without the right', { credit_notes: forbidden }, 'the credit notes could not be'],
    ['an invoice of another customer', { invoices: [invoiceRow(1, paid), invoiceRow(7, someone)] }, others('invoices')],
    ['a payment of another customer', { payments: [ofZoe] }, others('payments')],
    [
      'a list that its service counts otherwise',
      { payments: { payments: [payment([1], 500)], meta: meta(3) } },
      'some payments may be missing',
    ],
    ['a payment that names no invoice', { payments: [payment([], 500, { invoice_numbers: [] })] }, unplaced],
    ['a payment without a currency', { payments: [payment([1], 20_000, { amount_currency: null })] }, unplaced],
    ['an invoice without a currency', withSecond({ currency: null }), 'an invoice has no currency'],
    ['an invoice without a status', withSecond({ status: null }), 'an invoice has no currency'],
    ['an invoice without an amount', withSecond({ total_amount_cents: 'much' }), 'an invoice has no day'],
    ['a credit note without a day', { credit_notes: [noteOf({ issuing_date: null })] }, 'a credit note has no day'],
  ])('tells no balance with %s', async (_, lists, why) => {
    const offset = { total_offsetted_credit_note_amount_cents: 100 };
    account({ invoices: [invoiceRow(1, { ...paid, ...offset })], payments: [payment([1], 19_900)], ...lists });
    const answer = await statement();
    expect(answer.summary).toContain('without balances');
    expect(answer.summary).toContain(why);
    expect(answer).not.toHaveProperty('closing_balance_cents');
    expect(answer).not.toHaveProperty('difference_cents');
    expect(JSON.stringify(answer)).not.toMatch(/balance_cents|marked as paid|zoe/);
  });

  it.each([null, 'much'])('compares with no sum of what is owed where an amount due is %s', async due => {
    account({ invoices: [invoiceRow(1, { total_due_amount_cents: due }), invoiceRow(2)] });
    const answer = await statement();
    expect(answer).toMatchObject({ closing_balance_cents: 40_000 });
    expect(factsOf(answer.summary)).toContain('ACM-0001-001-001');
    expect(answer.summary).not.toContain('does not agree');
    expect(answer).not.toHaveProperty('owed_now_cents');
    expect(answer).not.toHaveProperty('difference_cents');
  });

  it('tells its balance without payments where the invoices say that there are none', async () => {
    account({ invoices: [invoiceRow(1)], payments: refusal(404, 'resource_not_found') });
    expect(await statement()).toMatchObject({ closing_balance_cents: 20_000, owed_now_cents: 20_000 });
  });

  const ended = { from_date: '2026-03-02', to_date: '2026-03-01' };
  const later = { currency: 'USD', from_date: '2027-01-01' };
  it.each<[string, JsonRecord, string, string]>([
    ['several currencies without one', {}, 'its records are in EUR and', 'as currency'],
    ['a span that ends before it begins', ended, 'get_statement: from_date is after to_date.', 'Nothing was sent'],
    ['a span that has not begun', later, 'get_statement: from_date is after today, 2026-11-23.', 'an earlier date'],
    ['a day that does not exist', { from_date: '2026-02-30' }, 'from_date', 'Nothing was sent'],
  ])('refuses %s', async (_, args, message, hint) => {
    account({ invoices: [invoiceRow(1), invoiceRow(2, { currency: 'EUR' })] });
    const { summary, error } = await statement(args);
    expect(summary).toContain(message);
    expect(error).toMatchObject({ code: 'invalid_arguments', hint: expect.stringContaining(hint) });
  });

  it('counts one currency, and says that there are others', async () => {
    account({
      invoices: [invoiceRow(1), invoiceRow(2, { currency: 'EUR', number: 'E-1' })],
      payments: [payment([2], 500, { amount_currency: 'EUR' })],
    });
    const answer = await statement({ currency: 'EUR', to_date: '2027-01-01' });
    const balance = { closing_balance_cents: 19_500, difference_cents: -500 };
    expect(answer).toMatchObject({ currency: 'EUR', to_date: '2026-11-23', ...balance });
    expect(answer.summary).toContain('It ends today');
    expect(answer.summary).toContain('entries in other currencies (USD)');
  });

  it('folds the earlier lines of a long statement into one, and says no more than it may', async () => {
    const invoices = Array.from({ length: 70 }, (_, n) =>
      invoiceRow(n, {
        issuing_date: new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10),
        updated_at: '2026-06-01T00:00:00Z',
        payment_status: n % 2 ? 'succeeded' : 'pending',
      }),
    );
    account({ invoices });
    const answer = await statement();
    const rows = answer.statement as JsonRecord[];
    expect(rows).toHaveLength(20);
    expect(rows[0]).toEqual({ kind: 'earlier_lines', count: 86, amount_cents: 1_080_000, balance_cents: 1_080_000 });
    expect(rows.reduce((sum, row) => sum + Number(row.amount_cents), 0)).toBe(answer.closing_balance_cents);
    expect(answer.summary).toContain('The first 86 lines');
    expect(answerTokens(JSON.stringify(answer))).toBeLessThanOrEqual(1500);
  });

  it('names a few invoices of a payment for many, and says how many more there are', async () => {
    const all = Array.from({ length: 90 }, (_, n) => n);
    account({ invoices: all.map(n => invoiceRow(n, paid)), payments: [payment(all, 90 * 20_000)] });
    const answer = await statement();
    const last = (answer.statement as JsonRecord[]).at(-1);
    expect(last).toMatchObject({
      kind: 'payment',
      number: expect.stringMatching(/^(ACM-0001-001-00\d, ){4}ACM-0001-001-00\d and 85 more$/),
    });
    expect(answerTokens(JSON.stringify(answer))).toBeLessThanOrEqual(1500);
  });

  it('reads a name, and at most 20 times in all', async () => {
    const page = (url: URL, key: string, row: (n: number) => JsonRecord) => {
      const number = Number(url.searchParams.get('page'));
      const rows = Array.from({ length: 100 }, (_, n) => row(number * 100 + n));
      return { [key]: rows, meta: meta(5_000, { page: number, pages: 50 }) };
    };
    world.script(url => {
      const path = url.pathname.replace('/api/v1', '');
      if (path.startsWith('/customers/Acme')) return refusal(404, 'customer_not_found');
      if (path === '/customers') return [customer.customer];
      if (path === '/customers/acme') return customer;
      if (path.endsWith('/invoices')) return page(url, 'invoices', n => invoiceRow(n, paid));
      if (path.endsWith('/payments')) return page(url, 'payments', n => payment([n], 20_000, { svc_id: uuidOf(n) }));
      return page(url, 'credit_notes', n => noteRow(n));
    });
    const answer = await world.call('get_statement', { external_customer_id: 'Acme' });
    expect(world.asked.length).toBeLessThanOrEqual(20);
    expect(factsOf(answer.summary)).toContain('800 · 2,400 · 600 · 1,800');
    expect(answer.summary).toContain('Found by name: “Acme” (acme)');
    expect(answer).not.toHaveProperty('closing_balance_cents');
  });
});
