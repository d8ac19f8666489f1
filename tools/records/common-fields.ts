/** What all rows of a list have in common, said once instead of in each row. */
import type { Fields, Invoice } from '../../src/contract/shown.ts';
import { isObject } from '../../src/lib/json.ts';
import type { NamedCustomer } from './named-customer.ts';

/** Takes the fields with one value in all rows out of the rows, into `shared`. Fewer than two rows keep all fields. */
export function withoutShared<Row extends object>(
  rows: readonly Row[],
  fields: readonly (keyof Row & string)[],
): { rows: Partial<Row>[]; shared: Partial<Row> } {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return { rows: [...rows], shared: {} };
  const same = fields.filter(field => {
    const value = JSON.stringify(first[field] ?? false);
    return value !== 'false' && others.every(row => JSON.stringify(row[field]) === value);
  });
  const omitted = new Set<string>(same);
  // As the rows have it.
  const withoutNulls = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null)) : value;
  return {
    rows: rows.map(row => fieldsOf<Row>(Object.entries(row).filter(([field]) => !omitted.has(field)))),
    shared: fieldsOf<Row>(same.map(field => [field, withoutNulls(first[field])])),
  };
}

/** `every_row` for the answer, without the customer where the answer names it already; nothing where nothing is shared. */
export function everyRow(
  { shared }: { shared: Fields<'customer' | 'external_customer_id'> },
  customer: NamedCustomer | null,
): object {
  const { customer: _, external_customer_id: __, ...others } = shared;
  const every_row = customer === null ? shared : others;
  return Object.keys(every_row).length > 0 ? { every_row } : {};
}

/** Metadata as a list shows it, without the ids and times of its entries; unchanged where it is no list. */
export function keysAndValues(metadata: Invoice['metadata']) {
  return Array.isArray(metadata) ? metadata.map(({ key, value }) => ({ key, value })) : metadata;
}

function fieldsOf<Row>(entries: (readonly [string, unknown])[]): Partial<Row> {
  return Object.fromEntries(entries) as Partial<Row>;
}
