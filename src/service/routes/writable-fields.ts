/** Reads the plain fields of a resource from a body, as the contract describes them. */
import type * as z from 'zod';
import { countries, currencies, isEmailAddress, timezones } from '../../contract/codes.ts';
import {
  type Change,
  type Form,
  type StoredValue,
  type StoredValues,
  type Unit,
  type WritableName,
  writableFields,
} from '../../contract/fields.ts';
import { type Fields, isBlank, parseInstant } from './fields.ts';

/**
 * The writable fields that the body has, but those in `apart`. Null empties those that it may empty, and is ignored in
 * others. Notes what cannot be read, and an empty value of a needed field, as a problem of the field.
 */
export function readWritable<Shape extends z.ZodRawShape, Apart extends WritableName<Shape>>(
  fields: Fields,
  resource: z.ZodObject<Shape>,
  apart: readonly Apart[],
): Changes<Shape, Exclude<WritableName<Shape>, Apart>> {
  const changes: Record<string, FieldValue> = {};
  for (const [name, { unit, change }] of writableFields(resource)) {
    if (apart.some(each => each === name)) continue;
    const value = readers[unit](fields, name, change);
    if (change.needed && value !== undefined && isBlank(value)) fields.noteProblem(name, 'value_is_mandatory');
    else if (value !== undefined && (value !== null || change.clears)) changes[name] = value;
  }
  return changes as Changes<Shape, Exclude<WritableName<Shape>, Apart>>;
}

/** What a new record holds of them where nothing is sent: switches are off, and the others empty. */
export function initialValues<Shape extends z.ZodRawShape>(resource: z.ZodObject<Shape>): StoredValues<Shape> {
  const values = writableFields(resource).map(([name, { unit, change }]) => [
    name,
    change.initially ?? (unit === 'flag' && !change.clears ? false : null),
  ]);
  return Object.fromEntries(values) as StoredValues<Shape>;
}

/** The writable fields of a new record: where the body has none, what such a record has at first. */
export function readNew<Shape extends z.ZodRawShape>(
  fields: Fields,
  resource: z.ZodObject<Shape>,
): StoredValues<Shape> {
  return { ...initialValues(resource), ...readWritable(fields, resource, []) } as StoredValues<Shape>;
}

type FieldValue = string | number | boolean | null | undefined;

type Changes<Shape, Name extends keyof Shape> = { [Each in Name]?: StoredValue<Shape[Each]> };

const readers: Record<Unit, (fields: Fields, name: string, change: Change) => FieldValue> = {
  text(fields, name, { longest: max, filled, trimmed, form }) {
    const text = fields.text(name, { trimmed, ...(max !== undefined && { max }) });
    if (typeof text !== 'string') return text;
    if (form === undefined) return filled || trimmed ? text || null : text;
    return readForm(fields, name, text, form) ?? undefined;
  },
  cents: readInteger,
  currency(fields, name) {
    const word = fields.word(name, currencies);
    if (word === null) fields.noteProblem(name, 'value_is_invalid');
    return word ?? undefined;
  },
  integer: readInteger,
  flag: (fields, name) => fields.boolean(name),
  instant(fields, name) {
    const text = fields.text(name);
    const instant = typeof text === 'string' ? parseInstant(text) : text;
    if (instant === null && text !== null) fields.noteProblem(name, 'invalid_date');
    return instant ?? (text === null ? null : undefined);
  },
};

/** A text of a form as it is stored; null for another text, which is refused with this code. */
const forms: Record<Form, { read(text: string): string | null; problem: string }> = {
  country: { read: text => among(countries, text.toUpperCase()), problem: 'not_a_valid_country_code' },
  timezone: { read: text => among(timezones, text), problem: 'invalid_timezone' },
  email: { read: text => emailOf(text.trim()), problem: 'invalid_email_format' },
};

/** The text as it is stored. Notes one of another form, and gives null. */
export function readForm(fields: Fields, name: string, text: string, form: Form): string | null {
  const { read, problem } = forms[form];
  const value = read(text);
  if (value === null) fields.noteProblem(name, problem);
  return value;
}

/** An empty text stands for no address. */
function emailOf(text: string): string | null {
  return text === '' || isEmailAddress(text) ? text : null;
}

function among(words: readonly string[], text: string): string | null {
  return words.includes(text) ? text : null;
}

function readInteger(fields: Fields, name: string, { least: min, most: max }: Change): FieldValue {
  return fields.integer(name, { ...(min !== undefined && { min }), ...(max !== undefined && { max }) });
}
