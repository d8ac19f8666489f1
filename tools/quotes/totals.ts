/** Sums over the records that were read, for each currency by itself: different currencies are never added. */
import type { Cents } from '../../src/contract/shown.ts';
import { isGiven, isText } from '../../src/lib/json.ts';
import { code, listed, money } from '../../src/words/summary.ts';

/** Sums of one currency, in its minor units; `count` records are in them. If `count` is 0, there are no sums. */
export interface Total {
  currency: string;
  count: number;
  /** Records that are in none of the sums: an amount of theirs is no whole number of minor units. */
  left_out?: string[];
  [field: `${string}_cents`]: number | string;
}

type Texts<Name extends string> = { readonly [Field in Name]?: string | null | undefined };
type CurrencyFields = Texts<'currency' | 'amount_currency'>;
/** A misspelt field is an error: the sum would be without all records. */
type CentsField<Row> = Extract<keyof Row, `${string}_cents`>;

/** One entry a currency, by code. A sum beyond 2^53 comes as text. */
export function totalsOf<Row extends Named & CurrencyFields>(
  rows: readonly Row[],
  fields: readonly CentsField<Row>[],
  currencyField: keyof CurrencyFields = 'currency',
): Total[] {
  const totals = new Map<string, { count: number; sums: bigint[]; left_out: string[] }>();
  for (const row of rows) {
    const currency = row[currencyField] ?? '';
    const total = totals.get(currency) ?? { count: 0, sums: fields.map(() => 0n), left_out: [] };
    totals.set(currency, total);
    const amounts = fields
      .map(field => wholeOf(row[field] as Cents | null | undefined))
      .filter(amount => amount !== null);
    if (amounts.length < fields.length) {
      total.left_out.push(nameOf(row));
      continue;
    }
    total.count += 1;
    total.sums = amounts.map((amount, index) => amount + (total.sums[index] ?? 0n));
  }
  return [...totals.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { count, sums, left_out }]) => ({
      currency,
      count,
      ...(left_out.length > 0 && { left_out }),
      ...(count > 0 && Object.fromEntries(fields.map((field, index) => [field, exact(sums[index] ?? 0n)]))),
    }));
}

/** Sums of several groups of records, each of one field; groups without a record are left out. */
export type GroupTotals<Group extends string> = Partial<Record<Group, Total[]>>;

export function groupTotals<Group extends string, Row extends Named & CurrencyFields>(
  groups: readonly (readonly [name: Group, rows: readonly Row[], field: CentsField<Row>])[],
  currencyField: keyof CurrencyFields = 'currency',
): GroupTotals<Group> {
  const filled = groups.filter(([, rows]) => rows.length > 0);
  const totals = filled.map(([name, rows, field]) => [name, totalsOf(rows, [field], currencyField)]);
  return Object.fromEntries(totals) as GroupTotals<Group>;
}

/** How many records there are, with those left out of the sums. */
export function countOf(totals: readonly Total[]): number {
  return totals.reduce((sum, { count, left_out = [] }) => sum + count + left_out.length, 0);
}

/** `$120.00 and €35.00 without NW-3 (its amount is no whole number)`; null where there is no total. */
export function totalsText(totals: readonly Total[], field: `${string}_cents`): string | null {
  return listed(totals.map(total => totalText(total, field)).filter(text => text !== ''));
}

function totalText({ currency, left_out = [], ...sums }: Total, field: `${string}_cents`): string {
  const sum = money(sums[field], currency);
  const names = listed(
    left_out.map(name => code(name) ?? ''),
    mostNamed,
  );
  if (names === null) return sum ?? '';
  const why = left_out.length === 1 ? 'its amount is not a whole number' : 'their amounts are not whole numbers';
  return sum === null ? `an unknown amount of ${names} (${why})` : `${sum} without ${names} (${why})`;
}

/** Records that a sentence names as left out. */
const mostNamed = 3;

type Named = Texts<'number' | 'code' | 'external_id' | 'svc_id' | 'month' | 'from_datetime'>;

/** What a user finds the record by. */
function nameOf({ number, code: key, external_id, svc_id, month, from_datetime }: Named): string {
  // Most rows are no periods: what is in this field of theirs is not parsed.
  const from = isText(from_datetime) ? from_datetime.slice(0, 10) : null;
  return [number, key, external_id, svc_id, month, from].find(isText) ?? 'one without an id';
}

/** Amounts beyond 2^53 come as text; null for what is no whole number. */
export function wholeOf(cents: Cents | null | undefined): bigint | null {
  if (!isGiven(cents)) return null;
  const isWhole = typeof cents === 'string' ? /^-?\d{1,60}$/.test(cents) : Number.isSafeInteger(cents);
  return isWhole ? BigInt(cents) : null;
}

/** For an answer: beyond 2^53 as text. */
export function exact(sum: bigint): number | string {
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : String(sum);
}
