/** The filters of a list as a tool's arguments, as the contract describes them. */
import * as z from 'zod';
import type { ListFilters } from '../contract/list-filters.ts';
import { cents, currency, date, flag } from './args.ts';

type Names<Filters> = {
  [Name in keyof Filters & string]: Filters[Name] extends { unsent: true }
    ? never
    : Filters[Name] extends { range: string }
      ? `${Name}_from` | `${Name}_to`
      : Name;
}[keyof Filters & string];

type Arguments<Filters> = Record<Names<Filters>, z.ZodOptional<z.ZodType<string | number | boolean>>>;

/** Each of them optional; a range has two, of which the first says what is meant. */
export function filterArguments<Filters extends ListFilters>(filters: Filters): Arguments<Filters> {
  const args = Object.entries(filters).flatMap(([name, { unit, words, hint, range, unsent }]) => {
    const value = words === undefined ? schemas[unit] : z.enum(words);
    const first = (hint === undefined ? value : value.describe(hint)).optional();
    if (unsent) return [];
    return range === undefined
      ? [[name, first]]
      : [
          [`${name}_from`, first],
          [`${name}_to`, value.optional()],
        ];
  });
  return Object.fromEntries(args);
}

/** The names of the ranges, for `ascending`. */
export function rangesOf(filters: ListFilters): string[] {
  return Object.keys(filters).filter(name => filters[name]?.range !== undefined && !filters[name].unsent);
}

const schemas = { word: z.string(), currency, flag, day: date(), cents } satisfies Record<string, z.ZodType>;
