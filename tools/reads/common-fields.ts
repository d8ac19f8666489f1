/** What all rows of a list have in common, said once in place of in each row. */
import { isRecord, type JsonRecord } from '../../src/lib/json.ts';
import type { NamedCustomer } from './customer.ts';

/** Takes the fields with one value in all rows out of the rows, into `shared`. Fewer than two rows keep all fields. */
export function withoutShared(
  rows: readonly JsonRecord[],
  fields: readonly string[],
): { rows: JsonRecord[]; shared: JsonRecord } {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return { rows: [...rows], shared: {} };
  const same = fields.filter(field => {
    const value = JSON.stringify(first[field] ?? false);
    return value !== 'false' && others.every(row => JSON.stringify(row[field]) === value);
  });
  const omitted = new Set(same);
  return {
    rows: rows.map(row => Object.fromEntries(Object.entries(row).filter(([field]) => !omitted.has(field)))),
    shared: Object.fromEntries(same.map(field => [field, withoutNulls(first[field])])),
  };
}

/** `every_row` for the answer, without the customer where the answer names it already; nothing where nothing is shared. */
export function everyRow({ shared }: { shared: JsonRecord }, customer: NamedCustomer | null): JsonRecord {
  const { customer: _, external_customer_id: __, ...others } = shared;
  const every_row = customer === null ? shared : others;
  return Object.keys(every_row).length > 0 ? { every_row } : {};
}

/** A nested record without its nulls, as the rows have it. */
function withoutNulls(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}
