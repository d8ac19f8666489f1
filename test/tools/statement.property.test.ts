/**
 * On random accounts in the embedded service, a statement's closing balance is what get_revenue and list_invoices say is owed, to
 * the cent, or it says by what it differs.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Runtime } from '../../src/server/runtime.ts';
import type { AccountContent } from '../../src/service/account-file/read-entries.ts';
import type { AccountFile } from '../../src/service/account-file/schema.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { sameRuns } from '../support/extent.ts';

const digits = { USD: 2, EUR: 2, JPY: 0, KWD: 3 } as const;
type Currency = keyof typeof digits;

/** How an invoice was paid. `unseen`: by a payment that the invoice itself does not show. */
const ways = ['none', 'whole', 'part', 'marked', 'part_marked', 'unlisted', 'unseen'] as const;
const share = fc.integer({ min: 0, max: 4 });
const invoiceOf = fc.record({
  currency: fc.constantFrom<Currency>('USD', 'USD', 'USD', 'EUR', 'JPY', 'KWD'),
  cents: fc.integer({ min: 100, max: 2_000_000 }),
  state: fc.constantFrom('finalized', 'finalized', 'finalized', 'finalized', 'voided', 'draft', 'failed'),
  way: fc.constantFrom(...ways),
  failed: fc.boolean(),
  disputed: fc.boolean(),
  topUp: fc.boolean(),
  /** Quarters of it that wallets paid, and what a credit note of it gives in each way. */
  prepaid: share,
  note: fc.option(fc.record({ credit: share, refund: share, offset: share })),
  usesCredit: fc.boolean(),
  together: fc.boolean(),
  day: fc.integer({ min: 0, max: 70 }),
});
const customersOf = fc.record({
  zone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/Los_Angeles'),
  invoices: fc.array(invoiceOf, { maxLength: 9 }),
  from: fc.integer({ min: 0, max: 70 }),
});
type Customer = typeof customersOf extends fc.Arbitrary<infer Of> ? Of : never;

/** All days have passed. */
const dayAt = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
const major = (cents: number, currency: Currency) => {
  const text = String(cents).padStart(digits[currency] + 1, '0');
  return digits[currency] === 0 ? text : `${text.slice(0, -digits[currency])}.${text.slice(-digits[currency])}`;
};

interface Written {
  file: Required<Pick<AccountFile, 'invoices' | 'payments' | 'credit_notes'>>;
  /** By currency, what payments that no invoice shows take off the balance. */
  unseen: Map<string, number>;
}

/** The customer's entries of an account file. What an invoice owes is computed by the service alone. */
function write({ invoices }: Customer, id: string): Written {
  const file: Written['file'] = { invoices: [], payments: [], credit_notes: [] };
  const unseen = new Map<string, number>();
  /** Credit that is left, by currency. */
  const credits = new Map<string, { number: string; cents: number }>();
  const waiting = new Map<string, { number: string; cents: number }[]>();
  const inTime = [...invoices].sort((a, b) => a.day - b.day);
  for (const [n, one] of inTime.entries()) {
    const { currency, cents, state, way, day } = one;
    const number = `${id}-${n}`;
    const prepaid = state === 'draft' ? 0 : Math.floor((cents * one.prepaid) / 8);
    const credit = one.usesCredit && state === 'finalized' ? credits.get(currency) : undefined;
    const used = credit === undefined ? 0 : Math.min(credit.cents, Math.floor(cents / 4));
    if (credit !== undefined) credits.delete(currency);
    const total = cents - prepaid - used;
    const note = state === 'finalized' || state === 'voided' ? one.note : null;
    const part = (quarters: number) => Math.floor((total * quarters) / 16);
    const offset = note === null ? 0 : part(note.offset);
    const rest = total - offset;
    const isIssued = state === 'finalized' || state === 'voided';
    const paid = !isIssued
      ? 0
      : way === 'whole' || way === 'unlisted'
        ? rest
        : way.startsWith('part')
          ? Math.floor(rest / 3)
          : 0;
    const succeeded = isIssued && ['whole', 'marked', 'part_marked', 'unlisted'].includes(way);
    file.invoices.push({
      external_customer_id: id,
      number,
      currency,
      issuing_date: dayAt(day),
      created_at: `${dayAt(day)}T08:00:00Z`,
      status: state as 'finalized',
      invoice_type: one.topUp ? 'credit' : 'one_off',
      payment_status: succeeded ? 'succeeded' : one.failed ? 'failed' : 'pending',
      fees: [{ type: 'add_on', add_on_code: `in_${currency}`, amount: major(cents, currency) }],
      prepaid_credit_amount_cents: prepaid,
      ...(used > 0 && credit !== undefined && { credit_notes: [{ number: credit.number, amount_cents: used }] }),
      total_paid_amount_cents: paid,
      ...(state === 'voided' && { voided_at: `${dayAt(day + 1)}T23:30:00Z` }),
      ...(one.disputed && { payment_dispute_lost_at: `${dayAt(day)}T10:00:00Z` }),
    });
    const listed = way === 'unlisted' ? 0 : way === 'unseen' && isIssued ? Math.floor(total / 5) : paid;
    if (way === 'unseen' && state === 'finalized') unseen.set(currency, (unseen.get(currency) ?? 0) + listed);
    if (one.together && way === 'whole' && listed > 0)
      waiting.set(currency, [...(waiting.get(currency) ?? []), { number, cents: listed }]);
    else if (listed > 0) file.payments.push(paymentOf([number], listed, day + 2));
    file.payments.push({ ...paymentOf([number], total, day + 1), payment_status: 'failed' });
    const [given, refunded] = note === null ? [0, 0] : [part(note.credit), part(note.refund)];
    if (given + refunded + offset > 0) {
      const items = [{ fee: 0, amount_cents: given + refunded + offset }];
      file.credit_notes.push({
        ...{ invoice_number: number, issuing_date: dayAt(day + 2), items, refund_amount_cents: refunded },
        ...{ offset_amount_cents: offset, credit_amount_cents: given, refund_status: refunded > 0 ? 'pending' : null },
      });
      if (given > 0) credits.set(currency, { number: `${number}-CN001`, cents: given });
    }
  }
  for (const several of waiting.values()) {
    const sum = several.reduce((all, { cents }) => all + cents, 0);
    file.payments.push({
      ...paymentOf(
        several.map(({ number }) => number),
        sum,
        72,
      ),
      payable_type: 'PaymentRequest',
    });
  }
  return { file, unseen };
}

function paymentOf(invoice_numbers: string[], amount_cents: number, day: number) {
  return { invoice_numbers, amount_cents, payment_status: 'succeeded' as const, created_at: `${dayAt(day)}T20:00:00Z` };
}

/** Entries of payments of nothing are none of the file's. */
const paysSomething = ({ amount_cents }: { amount_cents?: number | undefined }) => (amount_cents ?? 0) > 0;

const customers = fc.sample(customersOf, sameRuns(100)).map((customer, n) => {
  const id = `c${n}`;
  return { id, customer, ...write(customer, id) };
});
let service: RunningService;
let runtime: Runtime;
let client: TestClient;
beforeAll(async () => {
  const account: AccountFile = {
    organization: { name: 'Random' },
    billing_entities: [{ code: 'main', name: 'Main', default_currency: 'USD' }],
    add_ons: Object.keys(digits).map(code => ({
      code: `in_${code}`,
      name: code,
      amount_cents: 1,
      amount_currency: code,
    })),
    customers: customers.map(({ id, customer }) => ({
      external_id: id,
      name: `Number ${id}`,
      currency: 'USD',
      timezone: customer.zone,
    })),
    invoices: customers.flatMap(({ file }) => file.invoices),
    payments: customers.flatMap(({ file }) => file.payments).filter(paysSomething),
    credit_notes: customers.flatMap(({ file }) => file.credit_notes),
  };
  service = await startService({ account: account as unknown as AccountContent, onWarning: () => {} });
  runtime = startRuntime(service.baseUrl, { BILLING_API_KEY: service.apiKey });
  client = await connectClient(runtime, '2026-07-28', false);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
  await service.close();
});

const call = async (tool: string, args: JsonRecord) => {
  const { content, isError, text } = await client.call(tool, args);
  expect(isError, text).toBe(false);
  return content;
};
const owedIn = (totals: unknown) =>
  (totals as { total_due_amount_cents?: number }[] | undefined)?.[0]?.total_due_amount_cents ?? 0;

describe('a statement of account', () => {
  it('agrees with get_revenue and list_invoices to the cent, or says by what it does not, on random accounts', async () => {
    let agreeing = 0;
    let differing = 0;
    for (const { id, unseen, customer } of customers) {
      for (const currency of new Set(customer.invoices.map(one => one.currency))) {
        const of = { external_customer_id: id, currency };
        const [statement, list, revenue] = await Promise.all([
          call('get_statement', of),
          call('list_invoices', { ...of, all: true }),
          call('get_revenue', { report: 'receivables', ...of }),
        ]);
        const about = JSON.stringify({ id, currency, invoices: customer.invoices, summary: statement.summary });
        const { owed } = (list.totals ?? {}) as { owed?: unknown };
        expect(statement.owed_now_cents, about).toBe(owedIn(owed));
        expect(statement.owed_now_cents, about).toBe(owedIn(revenue.revenue));
        const closing = Number(statement.closing_balance_cents) + Number(statement.after_to_date_cents ?? 0);
        const difference = closing - Number(statement.owed_now_cents);
        expect(difference, about).toBe(0 - (unseen.get(currency) ?? 0));
        expect(statement.difference_cents ?? 0, about).toBe(difference);
        expect(String(statement.summary).includes('does not match'), about).toBe(difference !== 0);
        if (difference === 0) agreeing += 1;
        else differing += 1;
        const [from_date, to_date] = [dayAt(customer.from), dayAt(customer.from + 3)];
        const [span, next] = await Promise.all([
          call('get_statement', { ...of, from_date, to_date }),
          call('get_statement', { ...of, from_date: dayAt(customer.from + 4) }),
        ]);
        const lines = span.statement as { amount_cents: number }[];
        const moved = lines.reduce((sum, line) => sum + line.amount_cents, 0);
        expect(Number(span.opening_balance_cents) + moved, about).toBe(span.closing_balance_cents);
        expect(next.opening_balance_cents, about).toBe(span.closing_balance_cents);
        expect(Number(next.closing_balance_cents) + Number(next.after_to_date_cents ?? 0), about).toBe(closing);
      }
    }
    expect(agreeing).toBeGreaterThan(customers.length / 2);
    expect(differing).toBeGreaterThan(customers.length / 20);
  });
});
