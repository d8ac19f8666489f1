/** Sums over the records that were read, for each currency by itself: different currencies are never added. */
import type { JsonRecord } from '../lib/json.ts';
import { asInteger, asRecords, asText, listed, money } from '../present/summary.ts';

/** Sums of one currency, in its minor units; `count` records went into them. */
export interface Total {
  currency: string;
  count: number;
  [field: `${string}_cents`]: number | string;
}

/** One entry a currency, by code. Amounts that are no whole number count as 0. A sum beyond 2^53 comes as text. */
export function totalsOf<Field extends `${string}_cents`>(
  rows: readonly JsonRecord[],
  fields: readonly Field[],
  currencyField = 'currency',
): Total[] {
  const totals = new Map<string, { count: number; sums: bigint[] }>();
  for (const row of rows) {
    const currency = asText(row[currencyField]) ?? '';
    const total = totals.get(currency) ?? { count: 0, sums: fields.map(() => 0n) };
    totals.set(currency, total);
    total.count += 1;
    for (const [index, field] of fields.entries()) {
      total.sums[index] = (total.sums[index] ?? 0n) + wholeOf(row[field]);
    }
  }
  return [...totals.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { count, sums }]) => {
      const amounts = fields.map((field, index) => [field, exact(sums[index] ?? 0n)]);
      return { currency, count, ...Object.fromEntries(amounts) };
    });
}

/** Sums of several groups of records, each of one field; groups without a record are left out. */
export type GroupTotals<Group extends string> = Partial<Record<Group, Total[]>>;

export function groupTotals<Group extends string>(
  groups: readonly (readonly [name: Group, rows: readonly JsonRecord[], field: `${string}_cents`])[],
  currencyField = 'currency',
): GroupTotals<Group> {
  const filled = groups.filter(([, rows]) => rows.length > 0);
  const totals = filled.map(([name, rows, field]) => [name, totalsOf(rows, [field], currencyField)]);
  return Object.fromEntries(totals) as GroupTotals<Group>;
}

/** How many records went into the sums. */
export function countOf(totals: readonly Total[]): number {
  return totals.reduce((sum, total) => sum + total.count, 0);
}

/** The totals in an answer that `totalsOf` made, for its summary. */
export function totalsIn(totals: unknown): Total[] {
  return asRecords(totals) as unknown as Total[];
}

/** `$120.00 and €35.00`; null where there is no total. */
export function totalsText(totals: readonly Total[], field: `${string}_cents`): string | null {
  return listed(totals.map(total => money(total[field], total.currency) ?? '').filter(text => text !== ''));
}

/** Amounts beyond 2^53 come as text. */
function wholeOf(value: unknown): bigint {
  return BigInt(typeof value === 'string' && /^-?\d{1,60}$/.test(value) ? value : (asInteger(value) ?? 0));
}

function exact(sum: bigint): number | string {
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : String(sum);
}
