/** The conditions of a list's filters that compare one field with what is sent, as the contract describes them. */
import { countries, currencies } from '../../contract/codes.ts';
import type { ListFilters as Described } from '../../contract/list-filters.ts';
import type { TableName, Tables } from '../../engine/records/index.ts';
import { type Condition, is, not, range } from '../store/conditions.ts';
import { knownWords, type ListFilters, metadataConditions } from './list-query.ts';

type Filter = Described[string];

/** All but those of billing entities, whose unknown codes are a 404 (`billingEntityIds`). */
export function fieldConditions<Table extends TableName>(
  filters: ListFilters,
  described: Described<keyof Tables[Table] & string>,
): Condition<Table>[] {
  return Object.entries(described).flatMap(([name, filter]) =>
    conditionsOf(filters, name, filter),
  ) as Condition<Table>[];
}

function conditionsOf(filters: ListFilters, name: string, filter: Filter): Condition<TableName>[] {
  const { unit, is: field, range: limited, set } = filter;
  if (unit === 'entity') return [];
  if (unit === 'pairs') return metadataConditions(filters.metadata());
  if (limited !== undefined) {
    const [from, to] = [`${name}_from`, `${name}_to`].map(bound => sentValue(filters, bound, filter));
    return [range<TableName, 'id'>(limited as 'id', from as string, to as string)];
  }
  const value = sentValue(filters, name, filter);
  if (set === undefined) return [is({ [String(field)]: value })];
  if (value === undefined) return [];
  return [value ? not(is({ [set]: null })) : is({ [set]: null })];
}

function sentValue(filters: ListFilters, name: string, { unit, words, list, wrong }: Filter): unknown {
  const known = words ?? (list ? codes[unit] : undefined);
  if (known !== undefined && wrong === 'ignored') return knownWords(filters, name, known);
  if (known !== undefined && wrong === 'refused') return list ? filters.words(name, known) : filters.word(name, known);
  if (unit === 'flag' && wrong === 'ignored') return knownFlag(filters, name);
  if (list) return filters.texts(name);
  const read = readers[unit];
  return read === undefined ? filters.text(name) : read(filters, name);
}

function knownFlag(filters: ListFilters, name: string): boolean | undefined {
  const value = knownWords(filters, name, ['true', 'false'])?.[0];
  return value === undefined ? undefined : value === 'true';
}

/** The words of units that have many. */
const codes: Partial<Record<Filter['unit'], readonly string[]>> = { country: countries, currency: currencies };

/** How a single value is read where it is no plain text. */
const readers: Partial<Record<Filter['unit'], (filters: ListFilters, name: string) => unknown>> = {
  flag: (filters, name) => filters.flag(name),
  day: (filters, name) => filters.date(name),
  cents: (filters, name) => filters.integer(name),
};
