/** The tables of docs/lookups.md with the filters that the contract describes. */
import { type ListFilters, queryNames } from '../../src/contract/list-filters.ts';

/** What is compared, and what becomes of a wrong value. */
const units: Record<ListFilters[string]['unit'], readonly [compared: string, wrong: string]> = {
  word: ['exact', 'empty list'],
  currency: ['exact upper case', '–'],
  flag: ['true/false', 'refused'],
  day: ['`YYYY-MM-DD`, inclusive', '**ignored**: the list comes unfiltered [quirk]'],
  cents: ['integers in cents, inclusive, whatever the currency', 'fatal'],
};

export function filterTable(filters: ListFilters): string {
  const rows = Object.entries(filters).map(([name, filter]) => {
    const { unit, words, hint, is, range, unsent } = filter;
    const names = queryNames({ [name]: filter }).map(each => `\`${each}\``);
    const [compared, wrong] = units[unit];
    const values = [words?.join(', ') ?? compared, words && hint && `(${hint})`, unsent && '; no tool sends it'];
    const field = (is ?? range) === name ? '' : `\`${is ?? range}\`: `;
    return `| ${names.join(', ')} | ${field}${values.filter(Boolean).join(' ').replace(' ;', ';')} | ${wrong} |`;
  });
  return ['| filter | type | wrong value |', '|---|---|---|', ...rows].join('\n');
}
