/** The plain fields of a resource as a write's arguments, as the contract describes them. */
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
import { cents, country, dateTime, flag, idText, integer, priceCurrency, timezone } from './args.ts';
import { fieldNotes } from './argument-fields.ts';

type Arguments<Shape> = {
  [Name in WritableName<Shape>]: z.ZodOptional<z.ZodType<StoredValue<Shape[Name]>>>;
};

/** Each of them optional, with its bounds; one that null clears is nullable, where tools send that null. */
export function argumentsOf<Shape extends z.ZodRawShape>(resource: z.ZodObject<Shape>): Arguments<Shape> {
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
