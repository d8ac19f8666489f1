/** The tables of docs/lookups.md with the filters that the contract describes. */
import { type ListFilters, queryNames } from '../../src/contract/list-filters.ts';

type Filter = ListFilters[string];

/** What is compared, and what becomes of a wrong value. */
const units: Record<Filter['unit'], readonly [compared: string, wrong: string]> = {
  word: ['exact', 'empty list'],
  text: ['exact', '–'],
  country: ['two-letter code, exact case', '–'],
  currency: ['exact upper case', '–'],
  flag: ['true/false', 'refused'],
  day: ['`YYYY-MM-DD`, inclusive', '**ignored**: the list comes unfiltered [quirk]'],
  cents: ['integers in cents, inclusive, whatever the currency', 'fatal'],
  entity: ['codes', '404'],
  pairs: ['exact value, all keys must match; an empty value: without that key', 'a nested value is refused'],
};

export function filterTable(filters: ListFilters): string {
  const rows = Object.entries(filters).map(([name, filter]) => {
    const names = queryNames({ [name]: filter }).map(each => `\`${each}\``);
    return `| ${names.join(', ')} | ${fieldOf(name, filter)}${valuesOf(filter)} | ${filter.wrong ?? units[filter.unit][1]} |`;
  });
  return ['| filter | type | wrong value |', '|---|---|---|', ...rows].join('\n');
}

/** The field, where the filter's name is another one. */
function fieldOf(name: string, { is, range, set, unit }: Filter): string {
  const field = is ?? range ?? set ?? (unit === 'entity' ? 'billing_entity_code' : name);
  return field === name ? '' : `\`${field}\`: `;
}

function valuesOf({ unit, words, hint, list, set, onlyTrue }: Filter): string {
  const values = words?.join(', ') ?? (set === undefined ? units[unit][0] : 'true: has a value, false: has none');
  const parts = [
    list && unit !== 'entity' && 'any of: ',
    values,
    words && hint && ` (${hint})`,
    onlyTrue && '; **`false` is read as true** [quirk] ▶ only ever send `true`',
  ];
  return parts.filter(part => typeof part === 'string').join('');
}
