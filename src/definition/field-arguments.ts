/** The plain fields of a resource as a write's arguments, and the filters of a list as a tool's, as the contract describes them. */
import * as z from 'zod';
import { isEmailAddress } from '../contract/codes.ts';
import {
  type Change,
  type Form,
  type StoredValue,
  type Unit,
  type WritableName,
  writableFields,
} from '../contract/fields.ts';
import type { ListFilters } from '../contract/list-filters.ts';
import { anyOf } from '../lib/text.ts';
import { cents, country, currency, date, dateTime, flag, idText, integer, priceCurrency, timezone } from './args.ts';
import { fieldNotes } from './argument-fields.ts';
import { keyed } from './free-form.ts';
import { wordProblem } from './problems.ts';

type FieldArguments<Shape> = {
  [Name in WritableName<Shape>]: z.ZodOptional<z.ZodType<StoredValue<Shape[Name]>>>;
};

/** Each of them optional, with its bounds; one that null clears is nullable, where tools send that null. */
export function argumentsOf<Shape extends z.ZodRawShape>(resource: z.ZodObject<Shape>): FieldArguments<Shape> {
  const args = writableFields(resource).map(([name, { unit, change }]) => {
    const { clears, unsentNull, hint } = change;
    const value = withinBounds(schemas[unit](change), change);
    const nullable = clears && !unsentNull ? value.nullable() : value;
    return [name, nullable.describe(hint ?? meaningOf(resource.shape[name])).optional()];
  });
  return Object.fromEntries(args);
}

/** Without what the type of the argument says. */
function meaningOf(field: z.core.$ZodType | undefined): string {
  const { description = '' } = (field && z.globalRegistry.get(field)) ?? {};
  return description.replace(/ \((?:integer|ISO 8601, UTC)\)$|(?<=\()integer, /, '');
}

/** The words of the fields in a question: those whose names do not say enough. */
export function labelsOf(resource: z.ZodObject): Record<string, string> {
  return Object.fromEntries(
    writableFields(resource).flatMap(([name, { change }]) =>
      change.label === undefined ? [] : [[name, change.label]],
    ),
  );
}

/** The fields that null clears. */
export function clearedFields(resource: z.ZodObject): string[] {
  return writableFields(resource).flatMap(([name, { change }]) => (change.clears ? [name] : []));
}

/** The selection with the fields that it and `others` do not name at its end. */
export function withSentFields(selection: string, others: string, resource: z.ZodObject): string {
  const named = new Set(`${selection} ${others}`.match(/\w+/g));
  return [selection, ...writableFields(resource).flatMap(([name]) => (named.has(name) ? [] : [name]))].join(' ');
}

/** A text that null does not clear must say something. */
const schemas: Record<Unit, (change: Change) => z.ZodType> = {
  text: ({ clears, filled, form }) => (form === undefined ? (clears && !filled ? z.string() : idText()) : forms[form]),
  instant: dateTime,
  cents: () => cents,
  currency: () => priceCurrency,
  integer: () => integer,
  flag: () => flag,
};

const forms: Record<Form, z.ZodType> = {
  // The service stores it in capitals (service-behaviour §3.12).
  country: country.clone().register(fieldNotes, { stored: 'capitals' }),
  timezone,
  email: z.string().refine(isEmailAddress, { error: 'must be an email address, e.g. billing@example.com' }),
};

function withinBounds(schema: z.ZodType, { least, most, longest, hint, trimmed }: Change): z.ZodType {
  if (trimmed)
    return withinBounds(
      schema.overwrite(value => String(value).trim()),
      { longest },
    );
  if (longest !== undefined) {
    const error = `must have at most ${longest} characters`;
    return schema.refine(value => [...String(value)].length <= longest, { error });
  }
  if (least === undefined && most === undefined) return schema;
  const fits = (value: unknown) => Number(value) >= (least ?? -Infinity) && Number(value) <= (most ?? Infinity);
  return schema.refine(fits, { error: `must be ${boundsText(least, most, hint)}` });
}

function boundsText(least: number | undefined, most: number | undefined, hint: string | undefined): string {
  if (least === undefined) return `at most ${most}`;
  if (most === undefined) return least === 1 ? 'above 0' : `at least ${least}`;
  return `from ${hint ?? `${least} to ${most}`}`;
}

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

type FilterArguments<Filters> = {
  [Name in keyof Filters & string as Names<Name, Filters[Name]>]: z.ZodOptional<z.ZodType<Value<Filters[Name]>>>;
};

/** Each of them optional; a range has two. */
export function filterArguments<Filters extends ListFilters>(filters: Filters): FilterArguments<Filters> {
  const args = Object.entries(filters).flatMap(
    ([name, { unit, words = [], unlisted, list, hint = anyOf(words), range }]) => {
      const unlistedWord = () =>
        z.string().refine(value => words.includes(value), { error: issue => wordProblem(words, issue.input) });
      const single = words.length === 0 ? filterSchemas[unit] : unlisted ? unlistedWord() : z.enum(words);
      const value = list ? z.array(single) : single;
      if (range === undefined) return [[name, value.describe(hint).optional()]];
      return [
        [`${name}_from`, value.describe(`From this ${hint}`).optional()],
        [`${name}_to`, value.describe(`Up to this ${hint}`).optional()],
      ];
    },
  );
  return Object.fromEntries(args) as FilterArguments<Filters>;
}

/** The names of the ranges, for `ascending`. */
export function rangesOf(filters: ListFilters): string[] {
  return Object.keys(filters).filter(name => filters[name]?.range !== undefined);
}

const metadataKey = z.string().regex(/^[^[\]]+$/, { error: 'must be a metadata key, without brackets' });

const filterSchemas = {
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
