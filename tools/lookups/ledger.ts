/**
 * The lines of a statement of account in one currency, and its balance: what the customer owes on finalized invoices. Buying
 * credits is an invoice; prepaid credits and credit notes lower an invoice on the day on which they were applied to it.
 */
import type { CreditNote, Invoice, Payment } from '../../src/contract/shown.ts';
import { isGiven, isText } from '../../src/lib/json.ts';
import { byText } from '../../src/lib/text.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { wholeOf } from '../quotes/totals.ts';
import { isOwed } from './owed-words.ts';
import type { StatementRecords } from './statement-records.ts';

/** In the order in which they stand on one day. */
// biome-ignore format: names
export const lineKinds = [
  'invoice', 'top_up', 'prepaid_credits', 'credit_applied', 'credit_note', 'payment', 'returned', 'paid_unlisted',
  'marked_as_paid', 'voided',
] as const;
export type LineKind = (typeof lineKinds)[number];

export interface StatementLine {
  readonly kind: LineKind;
  readonly svc_id: string | null;
  /** Of the invoice, or of the credit note. */
  readonly number: string | null;
  /** What it adds to what is owed; negative for what it takes off. */
  readonly cents: bigint;
  /** The day from which it counts: where the service keeps none, the last on which it can have been. */
  readonly at: string;
  readonly isDayKnown: boolean;
  /** Of a credit note: what lowers later invoices or is paid out, and so is not in the balance. */
  readonly note?: CreditNote;
}

export interface Ledger {
  /** By day. */
  readonly lines: readonly StatementLine[];
  /** Why no balance can be told; then the lines are what was read. */
  readonly missing: readonly string[];
  /** Balances that the invoices do not have: by how much each is above what is owed on its invoice. */
  readonly differences: readonly { readonly number: string; readonly cents: bigint }[];
  /** Paid on invoices that were voided, which no one owes. */
  readonly paidOnVoided: bigint;
  /** Succeeded payments for invoices that are not counted. */
  readonly uncountedPayments: readonly Payment[];
}

interface Clock {
  readonly zone: string | null;
  /** `2026-03-01`, in the zone. */
  readonly today: string;
}

/** An invoice with what was found for it. */
interface Account {
  readonly invoice: Invoice;
  readonly id: string;
  readonly number: string;
  readonly issued: string;
  readonly total: bigint;
  /** What it says was paid. */
  readonly paidSaid: bigint;
  offset: bigint;
  paid: bigint;
  /** Of payments below zero, such as a chargeback: it is owed again. */
  returned: bigint;
}

export function ledgerOf(records: StatementRecords, currency: string | null, clock: Clock): Ledger {
  const invoices = records.invoices.rows.filter(row => row.currency === currency && isCounted(row));
  const accounts = invoices.map(accountOf).filter(account => account !== null);
  const notes = notesOf(records.credit_notes.rows, accounts);
  const payments = paymentsOf(records.payments.rows, currency, accounts, clock);
  const missing = [
    ...(records.invoices.rows.every(isPlaced) ? [] : ['an invoice has no currency or status']),
    ...(accounts.length < invoices.length ? ['an invoice has no day of issue, number or whole amounts'] : []),
    ...missingLists(records, accounts),
    ...notes.missing,
    ...payments.missing,
  ];
  const charges = accounts.flatMap(account => chargesOf(account));
  if (missing.length > 0) return { ...none, lines: inOrder([...charges, ...notes.lines, ...payments.lines]), missing };
  const settled = accounts.map(account => settledOf(account, clock));
  return {
    lines: inOrder([...charges, ...notes.lines, ...payments.lines, ...settled.flatMap(({ lines }) => lines)]),
    missing,
    differences: settled.flatMap(({ difference }) => difference),
    paidOnVoided: settled.reduce((sum, { paidOnVoided }) => sum + paidOnVoided, 0n),
    uncountedPayments: payments.uncounted,
  };
}

const none = { differences: [], paidOnVoided: 0n, uncountedPayments: [] };

/** Was it issued, and is it the customer who owes it? One that was voided is in a statement twice, and owes nothing. */
export function isCounted({ status, self_billed }: Invoice): boolean {
  return (status === 'finalized' || status === 'voided') && self_billed !== true;
}

/** Does it say whether it is one of the currency's invoices? */
function isPlaced({ currency, status }: Invoice): boolean {
  return isText(currency) && isText(status);
}

export function sumOfLines(lines: readonly StatementLine[]): bigint {
  return lines.reduce((sum, { cents }) => sum + cents, 0n);
}

function accountOf(invoice: Invoice): Account | null {
  const { svc_id: id, number } = invoice;
  const issued = dayOf(invoice.issuing_date, null);
  const total = wholeOf(invoice.total_amount_cents);
  const paidSaid = isGiven(invoice.total_paid_amount_cents) ? wholeOf(invoice.total_paid_amount_cents) : 0n;
  const credits = [invoice.prepaid_credit_amount_cents, invoice.credit_notes_amount_cents];
  const areWhole = credits.every(cents => !isGiven(cents) || wholeOf(cents) !== null);
  if (!id || !number || issued === null || total === null || paidSaid === null || !areWhole) return null;
  return { invoice, id, number, issued, total, paidSaid, offset: 0n, paid: 0n, returned: 0n };
}

/** The invoice in full, and what prepaid credits and credit notes took off before it was to be paid. */
function chargesOf({ invoice, id, number, issued, total }: Account): StatementLine[] {
  const prepaid = wholeOf(invoice.prepaid_credit_amount_cents) ?? 0n;
  const credited = wholeOf(invoice.credit_notes_amount_cents) ?? 0n;
  const line = (kind: LineKind, cents: bigint) => ({ kind, svc_id: id, number, cents, at: issued, isDayKnown: true });
  return [
    line(invoice.invoice_type === 'credit' ? 'top_up' : 'invoice', total + prepaid + credited),
    ...(prepaid === 0n ? [] : [line('prepaid_credits', -prepaid)]),
    ...(credited === 0n ? [] : [line('credit_applied', -credited)]),
  ];
}

/** Lists that were not read whole, unless the invoices themselves say that nothing of it concerns them. */
function missingLists({ invoices, payments, credit_notes }: StatementRecords, accounts: readonly Account[]): string[] {
  const isPaid = ({ invoice, paidSaid }: Account) => paidSaid !== 0n || invoice.payment_status === 'succeeded';
  const isOffset = ({ invoice }: Account) => (wholeOf(invoice.total_offsetted_credit_note_amount_cents) ?? 1n) !== 0n;
  return [
    invoices.missing,
    accounts.some(isPaid) ? payments.missing : null,
    accounts.some(isOffset) ? credit_notes.missing : null,
  ].filter(why => why !== null);
}

/** Credit notes of counted invoices: what was set against the invoice itself counts, once the note was issued. */
function notesOf(rows: readonly CreditNote[], accounts: readonly Account[]) {
  const missing: string[] = [];
  const lines = rows.flatMap((note): StatementLine[] => {
    const account = accounts.find(({ id, number }) =>
      isGiven(note.svc_invoice_id) ? note.svc_invoice_id === id : note.invoice_number === number,
    );
    if (account === undefined) return [];
    const offset = isGiven(note.offset_amount_cents) ? wholeOf(note.offset_amount_cents) : 0n;
    const at = dayOf(note.issuing_date, null);
    if (offset === null || at === null) {
      missing.push('a credit note has no day of issue or whole amount');
      return [];
    }
    account.offset += offset;
    const { svc_id = null, number = null } = note;
    return [{ kind: 'credit_note', svc_id, number, cents: -offset, at, isDayKnown: true, note }];
  });
  return { lines, missing };
}

/** Payments that succeeded; others moved nothing. Each is divided among its invoices as these say that they were paid. */
function paymentsOf(rows: readonly Payment[], currency: string | null, accounts: readonly Account[], { zone }: Clock) {
  const byId = new Map(accounts.map(account => [account.id, account]));
  const byNumber = new Map(accounts.map(account => [account.number, account]));
  const missing: string[] = [];
  const uncounted: Payment[] = [];
  const moved = rows.filter(
    row => row.payment_status === 'succeeded' && (row.amount_currency ?? currency) === currency,
  );
  const linked = moved.flatMap(payment => {
    const [ids, numbers] = [payment.invoice_ids ?? [], payment.invoice_numbers ?? []];
    const paid = (ids.length > 0 ? ids.map(id => byId.get(id)) : numbers.map(number => byNumber.get(number))).filter(
      account => account !== undefined,
    );
    const [cents, at] = [wholeOf(payment.amount_cents), dayOf(payment.created_at, zone)];
    const isOdd = ids.length + numbers.length === 0 || cents === null || at === null;
    if (isOdd || !payment.amount_currency) {
      missing.push('a payment has no invoice, day, currency or whole amount');
      return [];
    }
    if (paid.length > 0) return [{ payment, paid, cents, at }];
    uncounted.push(payment);
    return [];
  });
  // First those of a single invoice: they leave no choice.
  for (const { paid, cents } of [...linked].sort((a, b) => a.paid.length - b.paid.length)) divide(cents, paid);
  const lines = linked.map(
    ({ payment, paid, cents, at }): StatementLine => ({
      kind: cents < 0n ? 'returned' : 'payment',
      svc_id: payment.svc_id ?? null,
      number: paid.map(({ number }) => number).join(', '),
      cents: -cents,
      at,
      isDayKnown: true,
    }),
  );
  return { lines, missing, uncounted };
}

/** First up to what each invoice says was paid, then up to what it comes to; the rest is on the first. */
function divide(cents: bigint, accounts: readonly Account[]): void {
  const [first] = accounts;
  if (cents < 0n) {
    if (first !== undefined) first.returned -= cents;
    return;
  }
  let rest = cents;
  const fill = (room: (account: Account) => bigint) => {
    for (const account of accounts) {
      const part = least(rest, room(account));
      if (part <= 0n) continue;
      account.paid += part;
      rest -= part;
    }
  };
  fill(({ paidSaid, paid }) => paidSaid - paid);
  fill(({ total, offset, paid }) => total - offset - paid);
  if (first !== undefined) first.paid += rest;
}

/** What ended an invoice without a payment, and by what its balance still differs from what is owed on it. */
function settledOf(account: Account, clock: Clock) {
  const { invoice, id, number, issued, total, offset, paid, returned, paidSaid } = account;
  const isVoided = invoice.status === 'voided';
  const due = isOwed(invoice) ? (wholeOf(invoice.total_due_amount_cents) ?? total - offset - paidSaid) : 0n;
  const open = total - offset - paid + returned;
  const unlisted = most(0n, least(open - due, paidSaid - paid));
  const rest = open - unlisted;
  const isClosed = isVoided || invoice.payment_status === 'succeeded';
  // An invoice that was paid keeps its status when a payment is returned: that did not settle it again.
  const closed = isClosed ? most(0n, isVoided ? rest : rest - returned) : 0n;
  const undated = { svc_id: id, number, at: lastDayOf(account, clock), isDayKnown: false };
  const voidedAt = isVoided ? dayOf(invoice.voided_at, clock.zone) : null;
  const dated =
    voidedAt === null ? undated : { ...undated, at: voidedAt < issued ? issued : voidedAt, isDayKnown: true };
  const cents = rest - closed - due;
  return {
    lines: [
      ...(unlisted > 0n ? [{ ...undated, kind: 'paid_unlisted' as const, cents: -unlisted }] : []),
      ...(closed > 0n
        ? [{ ...dated, kind: isVoided ? ('voided' as const) : ('marked_as_paid' as const), cents: -closed }]
        : []),
    ],
    difference: cents === 0n ? [] : [{ number, cents }],
    paidOnVoided: isVoided ? paid - returned + unlisted : 0n,
  };
}

/** The last day on which the invoice can have been marked: it has not changed since. */
function lastDayOf({ invoice, issued }: Account, { zone, today }: Clock): string {
  const changed = dayOf(invoice.updated_at, zone) ?? today;
  const last = changed < today ? changed : today;
  return last > issued ? last : issued;
}

export function dayOf(value: string | null | undefined, zone: string | null): string | null {
  return isoDay(dayNumber(value, zone));
}

/** What was taken off an invoice stands right below it. */
function inOrder(lines: readonly StatementLine[]): StatementLine[] {
  const keyOf = ({ at, kind, number }: StatementLine) => {
    const rank = lineKinds.indexOf(kind);
    const isCharge = rank <= lineKinds.indexOf('credit_applied');
    return isCharge ? [at, '0', number ?? '', String(rank)] : [at, String(rank), number ?? ''];
  };
  return lines
    .map(line => ({ line, key: keyOf(line).join('\0') }))
    .sort((a, b) => byText(a.key, b.key))
    .map(({ line }) => line);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
