/** A customer's statement of account: opening balance, lines, closing balance, in one currency (docs/lookups.md §4, §7, §8). */

import * as z from 'zod';
import { type ListPageArgs, leavesAsFile } from '../../src/definition/api.ts';
import { currency, customerIdOrName, date } from '../../src/definition/args.ts';
import { defineLookup, type ForExport } from '../../src/definition/define.ts';
import { refuse } from '../../src/definition/failure.ts';
import { isGiven } from '../../src/lib/json.ts';
import { customerName, listed, named, say, sentences } from '../../src/words/summary.ts';
import { zoneOf } from '../../src/words/zoned-times.ts';
import { exact, wholeOf } from '../quotes/totals.ts';
import { customerNote, type ForSummary } from '../records/named-customer.ts';
import { span } from '../records/time-filters.ts';
import { dayOf, isCounted, type Ledger, ledgerOf, sumOfLines } from './ledger.ts';
import { invoiceTotals, isOwed, notCounted } from './owed-words.ts';
import { readStatement, type StatementRecords } from './statement-records.ts';
import { type Span, type Statement, statementSentences } from './statement-words.ts';

interface StatementArgs {
  external_customer_id: string;
  currency?: string | undefined;
  from_date?: string | undefined;
  to_date?: string | undefined;
  all?: ListPageArgs['all'];
}

export const getStatement = defineLookup({
  name: 'get_statement',
  title: 'Get a statement of account',
  toolset: 'invoices',
  endpoint: 'GET /customers/{external_customer_id}/invoices',
  description:
    "Returns a customer's statement of account: opening balance, invoices, top-ups, credits and payments by day, and closing balance, checked against the amount due. For open invoices only, use list_invoices.",
  input: z
    .strictObject({
      external_customer_id: customerIdOrName,
      currency: currency.describe('ISO 4217 code; required if there are several').optional(),
      from_date: date().describe('First day, default the earliest record').optional(),
      to_date: date().describe('Last day, default today').optional(),
    })
    .refine(...span('from_date', 'to_date')),
  async run(args: StatementArgs, api) {
    const read = await readStatement(api, args.external_customer_id, { forFile: leavesAsFile(args) });
    if (!read.ok) return read;
    const zone = zoneOf({ customer: read.profile });
    const today = dayOf(api.now.toISOString(), zone) ?? '';
    const { tool } = api;
    const currencyCodes = currenciesOf(read);
    const chosen = args.currency ?? currencyCodes[0] ?? read.profile.currency ?? null;
    if (args.currency === undefined && currencyCodes.length > 1)
      return {
        ok: false,
        error: refuse('invalid_arguments', { case: 'currency', tool, currencies: listed(currencyCodes) }),
      };
    if (args.from_date !== undefined && args.from_date > today)
      return { ok: false, error: refuse('invalid_arguments', { case: 'from_date', tool, today }) };
    const ledger = ledgerOf(read, chosen, { zone, today });
    const { from_date: from = null, to_date = today } = args;
    const isCut = to_date > today;
    const end = isCut ? today : to_date;
    const statement = statementOf(read, ledger, { currency: chosen, from, end, today, isCut });
    const others = read.invoices.rows.filter(row => row.currency === chosen && !isCounted(row));
    const elsewhere = currencyCodes.filter(each => each !== chosen);
    const { external_id } = read;
    const who = customerName({ ...read.invoices.rows[0]?.customer, ...read.profile });
    const rows = rowsOf(statement);
    const shown = folded(rows, statement).map(withFewNumbers);
    const { opening, closing, later, owed, missing } = statement;
    const difference = owed === null || missing.length > 0 ? 0n : (closing ?? 0n) + (later ?? 0n) - owed;
    return {
      ok: true,
      body: {
        customer: { external_id, ...(who !== null && { name: who }) },
        ...(chosen !== null && { currency: chosen }),
        ...(args.from_date !== undefined && { from_date: args.from_date }),
        to_date: end,
        ...(opening !== null && { opening_balance_cents: exact(opening) }),
        ...(closing !== null && { closing_balance_cents: exact(closing) }),
        ...(isMoney(later) && { after_to_date_cents: exact(later) }),
        ...(owed !== null && { owed_now_cents: exact(owed) }),
        ...(isMoney(difference) && { difference_cents: exact(difference) }),
        statement: shown,
        for_page: { lines: rows },
        for_export: { rows: fileRows(rows, statement), fields: fileFields } satisfies ForExport,
        for_summary: [
          ...statementSentences(statement, named(who, external_id) ?? 'this customer', { zone, now: api.now }),
          shown.length < rows.length &&
            !leavesAsFile(args) &&
            `The first ${rows.length - shown.length + 1} lines are combined into one row. Use a shorter span, or format: csv for all of them`,
          ...notCounted(others, invoiceTotals(others)),
          say`Not included: entries in other currencies (${listed(elsewhere)})`,
          customerNote(read.customer),
        ],
      },
    };
  },
  result: 'statement',
  answer: 'made list',
  brief: `
    date latest_date kind count number amount_cents balance_cents credit_amount_cents? refund_amount_cents? refund_status
    credit_status
  `,
  say: ({ for_summary }: ForSummary) => sentences(...for_summary),
});

const fileFields = `
  svc_id date latest_date kind number currency amount_cents balance_cents credit_amount_cents refund_amount_cents
  refund_status credit_status
`;

interface StatementRow {
  readonly date?: string;
  /** Where the day is not known: the last one that is possible. */
  readonly latest_date?: string;
  readonly kind: string;
  /** How many lines are in this one. */
  readonly count?: number;
  readonly number?: string | null | undefined;
  readonly [field: string]: unknown;
}

function isMoney(cents: bigint | null): cents is bigint {
  return cents !== null && cents !== 0n;
}

/** The currencies of what a statement counts. */
function currenciesOf({ invoices, payments, credit_notes }: StatementRecords): string[] {
  const paid = payments.rows.filter(row => row.payment_status === 'succeeded').map(row => row.amount_currency);
  const all = [...invoices.rows.map(row => row.currency), ...paid, ...credit_notes.rows.map(row => row.currency)];
  return [...new Set(all.filter(isGiven))].sort();
}

/** The statement of a span, and what the invoices say is owed, summed as list_invoices sums it. */
function statementOf(records: StatementRecords, ledger: Ledger, span: Span): Statement {
  const { from, end, currency } = span;
  const invoices = records.invoices.rows.filter(row => row.currency === currency);
  const isTold = ledger.missing.length === 0;
  const sum = (isIn: (day: string) => boolean) =>
    isTold ? sumOfLines(ledger.lines.filter(({ at }) => isIn(at))) : null;
  const [owedTotal] = invoiceTotals(invoices).owed ?? [];
  const { left_out: unsummed = [], total_due_amount_cents: due = 0 } = { ...owedTotal };
  return {
    ...span,
    ...ledger,
    lines: ledger.lines.filter(({ at }) => (from === null || at >= from) && at <= end),
    undated: ledger.lines.filter(
      ({ at, isDayKnown, svc_id }) =>
        at > end &&
        !isDayKnown &&
        ledger.lines.some(line => line.svc_id === svc_id && line.isDayKnown && line.at <= end),
    ),
    opening: sum(at => from !== null && at < from),
    closing: sum(at => at <= end),
    later: sum(at => at > end),
    owed: records.invoices.missing === null && unsummed.length === 0 ? wholeOf(due) : null,
    unsummed,
    disputed: invoices.filter(row => isOwed(row) && isGiven(row.payment_dispute_lost_at)),
  };
}

/** Rows of a longer statement begin with one for all earlier lines. */
const mostRows = 20;

function rowsOf({ lines, opening, currency }: Statement): StatementRow[] {
  let balance = opening;
  return lines.map(({ kind, svc_id, number, cents, at, isDayKnown, note }) => {
    balance = balance === null ? null : balance + cents;
    return {
      ...(isDayKnown ? { date: at } : { latest_date: at }),
      kind,
      svc_id,
      number,
      currency,
      amount_cents: exact(cents),
      ...(balance !== null && { balance_cents: exact(balance) }),
      ...(note !== undefined && {
        credit_amount_cents: note.credit_amount_cents,
        refund_amount_cents: note.refund_amount_cents,
        refund_status: note.refund_status,
        credit_status: note.credit_status === 'voided' ? note.credit_status : null,
      }),
    };
  });
}

function folded(rows: readonly StatementRow[], { lines }: Statement): StatementRow[] {
  const hidden = rows.length > mostRows ? rows.length - mostRows + 1 : 0;
  const last = rows[hidden - 1];
  if (last === undefined) return [...rows];
  const { balance_cents } = last;
  const sum = exact(sumOfLines(lines.slice(0, hidden)));
  const earlier = { kind: 'earlier_lines', count: hidden, amount_cents: sum };
  return [{ ...earlier, ...(balance_cents !== undefined && { balance_cents }) }, ...rows.slice(hidden)];
}

/** Invoices of one payment that its row names; a file and the page name all. */
const mostNumbers = 5;

function withFewNumbers(row: StatementRow): StatementRow {
  const numbers = row.number?.split(', ') ?? [];
  if (numbers.length <= mostNumbers) return row;
  return { ...row, number: `${numbers.slice(0, mostNumbers).join(', ')} and ${numbers.length - mostNumbers} more` };
}

/** A file begins with the opening balance and ends with the closing one. */
function fileRows(rows: readonly StatementRow[], { currency, from, end, opening, closing }: Statement): StatementRow[] {
  const balance = (kind: string, day: string | null, cents: bigint | null): StatementRow[] =>
    cents === null ? [] : [{ ...(day !== null && { date: day }), kind, currency, balance_cents: exact(cents) }];
  return [...balance('opening_balance', from, opening), ...rows, ...balance('closing_balance', end, closing)];
}
