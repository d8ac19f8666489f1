/** The filters of a list as a tool's arguments, as the contract describes them. */
import * as z from 'zod';
import type { ListFilters } from '../contract/list-filters.ts';
import { anyOf } from '../lib/text.ts';
import { cents, country, currency, date, flag, idText } from './args.ts';
import { keyed } from './free-form.ts';
import { wordProblem } from './problems.ts';

type Names<Name extends string, Filter> = Filter extends { range: string } ? `${Name}_from` | `${Name}_to` : Name;

type Value<Filter> = Filter extends { list: true }
  ? string[]
  : Filter extends { unit: keyof NotText }
    ? NotText[Filter['unit']]
    : string;
interface NotText {
  flag: boolean;
  cents: number;
  pairs: Record<string, string>;
}

type Arguments<Filters> = {
  [Name in keyof Filters & string as Names<Name, Filters[Name]>]: z.ZodOptional<z.ZodType<Value<Filters[Name]>>>;
};

/** Each of them optional; a range has two. */
export function filterArguments<Filters extends ListFilters>(filters: Filters): Arguments<Filters> {
  const args = Object.entries(filters).flatMap(
    ([name, { unit, words = [], unlisted, list, hint = anyOf(words), range }]) => {
      const single = words.length === 0 ? schemas[unit] : unlisted ? wordOfUnlisted(words) : z.enum(words);
      const value = list ? z.array(single) : single;
      if (range === undefined) return [[name, value.describe(hint).optional()]];
      return [
        [`${name}_from`, value.describe(`From this ${hint}`).optional()],
        [`${name}_to`, value.describe(`Up to this ${hint}`).optional()],
      ];
    },
  );
  return Object.fromEntries(args) as Arguments<Filters>;
}

/** The names of the ranges, for `ascending`. */
export function rangesOf(filters: ListFilters): string[] {
  return Object.keys(filters).filter(name => filters[name]?.range !== undefined);
}

function wordOfUnlisted(words: readonly string[]) {
  return z.string().refine(value => words.includes(value), { error: issue => wordProblem(words, issue.input) });
}

const metadataKey = z.string().regex(/^[^[\]]+$/, { error: 'must be a metadata key, without brackets' });

const schemas = {
  word: z.string(),
  text: idText(),
  country,
  currency,
  flag,
  day: date(),
  cents,
  entity: idText(),
  pairs: keyed(z.string(), { key: metadataKey }).meta({ listed: { type: 'string', description: 'JSON {key: value}' } }),
} satisfies Record<ListFilters[string]['unit'], z.ZodType>;
