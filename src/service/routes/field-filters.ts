/** The conditions of a list's filters that compare one field with what is sent, as the contract describes them. */
import type { ListFilters as Described } from '../../contract/list-filters.ts';
import type { TableName, Tables } from '../records/index.ts';
import type { Condition } from '../store/store.ts';
import type { ListFilters } from './list-query.ts';

export function fieldConditions<Table extends TableName>(
  filters: ListFilters,
  described: Described<keyof Tables[Table] & string>,
): Condition<Table>[] {
  return Object.entries(described).map(([name, { unit, is, range }]) => {
    const read = readers[unit];
    if (is !== undefined) return { is: { [is]: read(filters, name) } };
    return { range, from: read(filters, `${name}_from`), to: read(filters, `${name}_to`) };
  }) as Condition<Table>[];
}

const readers: Record<Described[string]['unit'], (filters: ListFilters, name: string) => unknown> = {
  word: (filters, name) => filters.text(name),
  currency: (filters, name) => filters.text(name),
  flag: (filters, name) => filters.flag(name),
  day: (filters, name) => filters.date(name),
  cents: (filters, name) => filters.integer(name),
};
