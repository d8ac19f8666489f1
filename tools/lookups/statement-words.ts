/** A statement of account in sentences: its balances, what moved them, and whether it agrees with what is owed. */
import type { CreditNote, Invoice } from '../../src/contract/shown.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { formatPeriod } from '../../src/words/dates.ts';
import { timeZoneNote } from '../../src/words/list-time-zone.ts';
import { code, count, day, joined, listed, listedCodes, money, phrase, say, sign } from '../../src/words/summary.ts';
import { exact, totalsOf, totalsText } from '../quotes/totals.ts';
import { type Ledger, type LineKind, lineKinds, type StatementLine, sumOfLines } from './ledger.ts';

export interface Span {
  readonly currency: string | null;
  /** The first day; null for the first record. */
  readonly from: string | null;
  /** The last day that has passed. */
  readonly end: string;
  readonly today: string;
  /** Days after today were meant too. */
  readonly isCut: boolean;
}

export interface Statement extends Span, Ledger {
  /** Of the lines within the span. */
  readonly lines: readonly StatementLine[];
  /** Balances are null where none can be told. */
  readonly opening: bigint | null;
  readonly closing: bigint | null;
  /** What came after the span. */
  readonly later: bigint | null;
  /** Lines after the span that have no day, of invoices from before its end. */
  readonly undated: readonly StatementLine[];
  /** What the invoices say is owed now; null where not all were read, or an amount is no whole number. */
  readonly owed: bigint | null;
  /** Invoices whose amount due is no whole number. */
  readonly unsummed: readonly string[];
  /** Owed invoices with a lost payment dispute. */
  readonly disputed: readonly Invoice[];
}

/** Documents that a sentence names. */
const mostNamed = 3;

export function statementSentences(
  statement: Statement,
  who: string,
  { zone, now }: { zone: string | null; now: Date },
): (string | null | false)[] {
  const { lines, missing } = statement;
  const isTold = missing.length === 0;
  return [
    ...balanceSentences(statement, who, now),
    say`${isTold ? 'Lines' : 'Lines that could be read'}: ${movements(statement)}`,
    ...(isTold ? [owedSentence(statement, now), ...differenceSentences(statement)] : []),
    ...undatedSentences(statement, now),
    ...asideSentences(statement),
    lines.length > 0 && timeZoneNote(zone, true),
  ];
}

function balanceSentences(
  { currency, from, end, today, isCut, opening, closing, missing, lines }: Statement,
  who: string,
  now: Date,
) {
  const span = from === null ? `through ${day(end, now)}` : formatPeriod(from, end, null, now);
  const head = phrase`Statement for ${who}${say` in ${code(currency)}`}, ${span}`;
  if (missing.length > 0 || opening === null || closing === null)
    return [`${head}, without balances, because they could be wrong: ${missing.join('; ')}`];
  const [first, last] = [amount(opening, currency), amount(closing, currency)];
  const opens = from === null ? '' : `opening balance ${first}, `;
  const on = end === today ? '' : `, based on today's records`;
  return [
    `${head}: ${opens}closing balance ${last}${on}`,
    isCut && 'It ends today, because later days have not happened yet',
    lines.length === 0 && 'It has no lines',
  ];
}

/** `$300.00 invoiced on 3 invoices; $187.50 off by prepaid credits on 1; $212.00 paid in 2 payments`. */
function movements({ lines, currency }: Statement): string | null {
  const parts = lineKinds.map(kind => {
    const ofKind = lines.filter(line => line.kind === kind);
    const sum = sumOfLines(ofKind);
    // A credit note that sets nothing against its invoice moves nothing.
    return ofKind.length === 0 || (kind === 'credit_note' && sum === 0n)
      ? null
      : `${amount(isCharge(kind) ? sum : -sum, currency)} ${movedBy[kind](ofKind.length)}`;
  });
  return joined(parts, '; ');
}

function isCharge(kind: LineKind): boolean {
  return kind === 'invoice' || kind === 'top_up' || kind === 'returned';
}

const movedBy: Record<LineKind, (lines: number) => string> = {
  invoice: lines => `invoiced on ${count(lines, 'invoice')}`,
  top_up: lines => `for ${count(lines, 'wallet top-up')}`,
  prepaid_credits: lines => `of prepaid credits applied to ${count(lines, 'invoice')}`,
  credit_applied: lines => `of credit notes applied to ${count(lines, 'later invoice')}`,
  credit_note: lines => `offset against invoices by ${count(lines, 'credit note')}`,
  payment: lines => `paid in ${count(lines, 'payment')}`,
  returned: lines => `returned in ${count(lines, 'negative payment')}, such as a chargeback, and owed again`,
  paid_unlisted: lines => `paid according to ${count(lines, 'invoice')}, with no listed payment, day unknown`,
  marked_as_paid: lines => `marked as paid on ${count(lines, 'invoice')}, day unknown`,
  voided: lines => `voided on ${count(lines, 'invoice')}`,
};

function owedSentence({ end, today, closing, later, owed, unsummed, currency }: Statement, now: Date): string | null {
  if (unsummed.length > 0)
    return say`Not compared with the amount owed: the amount due on ${listedCodes(unsummed, mostNamed)} is not a whole number`;
  if (owed === null || closing === null || later === null) return null;
  const agrees = closing + later === owed;
  const effect = later < 0n ? 'lower' : 'raise';
  const since = later === 0n ? '' : `entries after ${day(end, now)} ${effect} it by ${amount(size(later), currency)}; `;
  const sum = `${since}${owed === 0n ? 'nothing' : amount(owed, currency)} is owed now`;
  if (!agrees) return sum;
  const isSame = end === today && later === 0n;
  return `${sum}, which matches${isSame ? ' the closing balance' : ''} to the cent`;
}

function differenceSentences({ closing, later, owed, differences, uncountedPayments, currency }: Statement) {
  const off = owed === null || closing === null || later === null ? 0n : closing + later - owed;
  const names = differences.map(
    ({ number, cents }) => `${code(number)} (${amount(size(cents), currency)} ${cents > 0n ? 'higher' : 'lower'})`,
  );
  const uncounted = totalsOf(uncountedPayments, ['amount_cents'], 'amount_currency');
  return [
    off === 0n
      ? null
      : `The statement does not match: its balance is ${amount(size(off), currency)} ${off > 0n ? 'higher' : 'lower'}`,
    say`Payments and credit notes differ from the invoice amounts for ${listed(names, mostNamed)}`,
    say`Not counted: ${totalsText(uncounted, 'amount_cents')} paid for invoices that are not issued, self-billed or not listed`,
  ];
}

/** Of lines without a day: where they stand, and what that leaves open. */
function undatedSentences({ lines, undated, end, missing }: Statement, now: Date): (string | null)[] {
  const placed = (some: readonly StatementLine[]) =>
    listed(
      some.map(({ number, at }) => `${code(number) ?? 'one'} by ${day(at, now)}`),
      mostNamed,
    );
  if (missing.length > 0) return [];
  const places = placed(lines.filter(({ isDayKnown }) => !isDayKnown));
  return [
    say`Entries without a known day use the last possible one, when the invoice last changed: ${places}`,
    say`The closing balance includes amounts possibly settled by ${day(end, now)}, on an unknown day: ${placed(undated)}`,
  ];
}

/** What is not in the balance, though it is about the same invoices. */
function asideSentences({ lines, paidOnVoided, disputed, currency }: Statement): (string | null)[] {
  const notes = lines.map(({ note }) => note).filter(note => note !== undefined);
  const ofSum = (field: 'credit_amount_cents' | 'refund_amount_cents', some: readonly CreditNote[]) => {
    const having = some.filter(note => sign(note[field]) === 1);
    return totalsText(totalsOf(having, [field]), field);
  };
  const credited = (isVoided: boolean) =>
    ofSum(
      'credit_amount_cents',
      notes.filter(note => (note.credit_status === 'voided') === isVoided),
    );
  const refunds = notes.filter(note => sign(note.refund_amount_cents) === 1);
  const states = [...new Set(refunds.map(note => wordsOf('refund', note.refund_status) ?? 'in an unknown state'))];
  const lost = totalsText(totalsOf(disputed, ['total_due_amount_cents']), 'total_due_amount_cents');
  return [
    say`Credit notes in this span also gave ${credited(false)} of credit for later invoices, counted when applied`,
    say`Credit of ${credited(true)} was voided; any part not applied by then is lost`,
    say`Refunds of ${ofSum('refund_amount_cents', notes)} (${listed(states)}) are not in the balance`,
    paidOnVoided === 0n
      ? null
      : `${amount(paidOnVoided, currency)} was paid on voided invoices and is not in the balance`,
    say`Of the amount owed, ${lost} is on ${count(disputed.length, 'invoice')} with a lost payment dispute`,
  ];
}

function amount(cents: bigint, currency: string | null): string {
  return money(exact(cents), currency) ?? '';
}

function size(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
