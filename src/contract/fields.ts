/**
 * Kinds of fields for the tolerant reference of the interface's resources: every field may be missing or null, objects
 * may have additional fields, and closed lists are described but not enforced. Never used to refuse a value.
 */
import * as z from 'zod';
import type { MaskedField } from './masked-fields.ts';

/** Text. */
export const text = (meaning: string) => inUnit('text', z.string().nullish().describe(meaning));
/** The service's own id of a record. */
export const uuid = (meaning: string) => z.string().nullish().describe(`${meaning} (UUID)`);
/** An instant, ISO 8601 in UTC. */
export const instant = (meaning: string) =>
  holding('instant', inUnit('instant', z.string().nullish().describe(`${meaning} (ISO 8601, UTC)`)));
/** A day. */
export const day = (meaning: string) => holding('day', z.string().nullish().describe(`${meaning} (YYYY-MM-DD)`));
/** An amount of money in the currency's minor unit. */
export const cents = (meaning: string) =>
  holding('cents', inUnit('cents', z.number().nullish().describe(`${meaning} (integer, minor unit)`)));
/** An exact amount of money in major units. */
export const majorUnits = (meaning: string) =>
  holding('decimal', z.string().nullish().describe(`${meaning} (decimal string, major units)`));
/** A quantity, credits, or an exact value whose unit the meaning names. */
export const decimal = (meaning: string) =>
  holding('decimal', z.string().nullish().describe(`${meaning} (decimal string)`));
/** A whole number. */
export const integer = (meaning: string) => inUnit('integer', z.number().nullish().describe(`${meaning} (integer)`));
/** A number that may have decimals. */
export const number = (meaning: string) => z.number().nullish().describe(meaning);
export const flag = (meaning: string) => inUnit('flag', z.boolean().nullish().describe(meaning));
export const currency = (meaning = 'Currency') =>
  inUnit('currency', z.string().nullish().describe(`${meaning} (ISO 4217)`));
export const texts = (meaning: string) => z.array(z.string()).nullish().describe(meaning);
export const anything = (meaning: string) => z.looseObject({}).nullish().describe(meaning);
export const record = <T extends z.ZodRawShape>(shape: T, meaning: string) =>
  z.looseObject(shape).nullish().describe(meaning);
export const list = <T extends z.ZodType>(entry: T, meaning: string) => z.array(entry).nullish().describe(meaning);
/** Text with the list of values that the service uses. */
export const oneOf = (meaning: string, ...values: string[]) =>
  Object.assign(
    z
      .string()
      .nullish()
      .describe(`${meaning}: ${values.join(', ')}`),
    { values },
  );

/** The unit of a field with one plain value. */
export type Unit = 'text' | 'instant' | 'cents' | 'currency' | 'integer' | 'flag';

/** A text that is not any text. */
export type Form = 'country' | 'timezone' | 'email';

/** What a request may send of a field (service-behaviour §3). */
export interface Change {
  /** The bounds of a number. */
  readonly least?: number;
  readonly most?: number;
  /** Characters of a text: what is longer, tools and service refuse. */
  readonly longest?: number;
  /** An empty text is none: tools refuse it, and the service stores null. */
  readonly filled?: true;
  /** Stored without the white space around it. */
  readonly trimmed?: true;
  /** What a text must be. */
  readonly form?: Form;
  /** What a new record has where the request leaves the field out; without it nothing, of a switch no. */
  readonly initially?: string | number | boolean;
  /** Null empties the field; without it the service takes null for a field that is left out. */
  readonly clears?: true;
  /** Tools do not send that null. */
  readonly unsentNull?: true;
  /** Every record has it: the service refuses null and an empty text, and an account file must name it. */
  readonly needed?: true;
  /** The description of the argument, where the meaning of the field does not fit a request. */
  readonly hint?: string;
  /** What a question and a receipt call the field; without it, its name as words. */
  readonly label?: string;
}

/** A field with one plain value that a request may change. */
export type Writable = z.ZodType & { readonly unit: Unit; readonly change: Change };

/** The field, with what a request may send of it: arguments, questions, checks of the service and account files follow. */
export function writable<Field extends z.ZodType & { readonly unit: Unit }, const Sent extends Change>(
  field: Field,
  change: Sent,
): Field & { readonly change: Sent } {
  return Object.assign(field.clone(), { ...marksOf(field), change }) as Field & { readonly change: Sent };
}

/** A field of a customer's record with personal data: the operator can hide it, under this name of `BILLING_MASK`. */
export const masked = <Field extends z.ZodType>(mask: MaskedField, field: Field): Field & Masked =>
  Object.assign(field, { mask });
/** A text of a customer's record that stays as it is. */
export const unmasked = <Field extends z.ZodType>(field: Field): Field & Masked => Object.assign(field, { mask: null });
/** Every text of a customer's record says which. */
export interface Masked {
  readonly mask: MaskedField | null;
}

/** The fields of an object, and those of the objects and lists in it, with their names. */
export function fieldsWithin(object: z.ZodObject): (readonly [name: string, field: z.ZodType])[] {
  return Object.entries(object.shape).flatMap(([name, field]) => {
    const inner = objectIn(field as z.ZodType);
    return [[name, field as z.ZodType] as const, ...(inner ? fieldsWithin(inner) : [])];
  });
}

/** The object type of a field, or of the entries of its list; undefined for other fields. */
export function objectIn(field: unknown): z.ZodObject | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodNullable) return objectIn(field.unwrap());
  if (field instanceof z.ZodArray) return objectIn(field.element);
  return field instanceof z.ZodObject ? field : undefined;
}

/** The names of a resource's writable fields. */
export type WritableName<Shape> = { [Name in keyof Shape]: Shape[Name] extends Writable ? Name : never }[keyof Shape];

/** What a record holds of a writable field: null only where a request may empty it. */
export type StoredValue<Field> = Field extends z.ZodType & { readonly change: { readonly clears: true } }
  ? Exclude<z.output<Field>, undefined>
  : Field extends z.ZodType
    ? NonNullable<z.output<Field>>
    : never;

/** What a record holds of the writable fields of a resource. */
export type StoredValues<Shape> = { [Name in WritableName<Shape>]: StoredValue<Shape[Name]> };

/** The writable fields of a resource, in the order of its description. */
export function writableFields<Shape extends object>(resource: { readonly shape: Shape }) {
  const fields = Object.entries(resource.shape).filter(([, field]) => 'change' in field);
  return fields as unknown as (readonly [name: WritableName<Shape> & string, field: Writable])[];
}

/** What a text or a number holds, where its JSON type does not say it (parse.ts). */
export type Holds = 'decimal' | 'cents' | 'instant' | 'day' | 'anything';

export function holding<Schema extends z.ZodType, const Held extends Holds>(holds: Held, schema: Schema) {
  return Object.assign(schema, { holds });
}

/** What a field has besides its schema, which a copy would lose. */
function marksOf(field: { readonly unit: Unit; readonly holds?: Holds }) {
  return { unit: field.unit, ...(field.holds && { holds: field.holds }) };
}

function inUnit<Schema extends z.ZodType, const One extends Unit>(unit: One, schema: Schema) {
  return Object.assign(schema, { unit });
}
