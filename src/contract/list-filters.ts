/**
 * Filters of lists that compare one field of the records with what is sent (docs/lookups.md), as tools list them. Callers who
 * are bound to customers may send them too: they only narrow a list of records that these callers may see.
 */
import { invoiceTypes } from './enums.ts';

interface Filter<Field> {
  /**
   * What is sent. A word that the service does not know lets nothing through. How tools, service and docs read a unit stands
   * in src/tool/filter-arguments.ts, src/service/routes/field-filters.ts and scripts/docs/filters.ts.
   */
  readonly unit: 'word' | 'currency' | 'flag' | 'day' | 'cents';
  readonly words?: readonly string[];
  /** What a model must know of the value, in a tool's schema. */
  readonly hint?: string;
  /** The field that equals the value. */
  readonly is?: Field;
  /** In place of `is`: the field that is within `<name>_from` and `<name>_to`. */
  readonly range?: Field;
  /** The service takes it, and no tool sends it. */
  readonly unsent?: true;
}

/** Filters by name; `Field` is a field of the records. */
export type ListFilters<Field extends string = string> = Readonly<Record<string, Filter<Field>>>;

/** Of invoices (§4). */
export const invoiceFilters = {
  invoice_type: { unit: 'word', words: invoiceTypes, is: 'invoice_type', hint: 'credit: wallet top-up' },
  issuing_date: { unit: 'day', range: 'issuing_date' },
  amount: { unit: 'cents', range: 'total_amount_cents', hint: 'Cents' },
  currency: { unit: 'currency', is: 'currency' },
  self_billed: { unit: 'flag', is: 'self_billed', unsent: true },
} as const satisfies ListFilters;

/** Of credit notes (§7). */
export const creditNoteFilters = {
  issuing_date: { unit: 'day', range: 'issuing_date' },
  currency: { unit: 'currency', is: 'currency' },
  amount: { unit: 'cents', range: 'total_amount_cents', unsent: true },
} as const satisfies ListFilters;

/** The names in the query: a range has two. */
export function queryNames(filters: ListFilters): string[] {
  return Object.entries(filters).flatMap(([name, { range }]) =>
    range === undefined ? [name] : [`${name}_from`, `${name}_to`],
  );
}
