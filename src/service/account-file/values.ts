/** Types of the values in an account file's entries. */
import * as z from 'zod';
import { countries, currencies, timezones } from '../../contract/codes.ts';
import {
  documentLocales,
  errorDetailCodes,
  issuingDateAdjustments,
  issuingDateAnchors,
  paymentMethodTypes,
} from '../../contract/enums.ts';
import {
  type Change,
  type Form,
  type StoredValue,
  type Unit,
  type WritableName,
  writableFields,
} from '../../contract/fields.ts';
import { readInstant } from './times.ts';

export const label = z.string().min(1);
/** Optional text; null when it is missing. */
export const text = z.string().nullable().default(null);
export const cents = z.int();
export const positiveCents = z.int().positive();
/** A number of things, or cents, that is not negative. */
export const count = z.int().nonnegative();
export const priority = z.int().min(1).max(50).default(50);
export const flag = (initially: boolean) => z.boolean().default(initially);
export const codes = z.array(label).default([]);
/** The code, external id or number of an entry in the section. */
export const referenceTo = (section: string) => z.string().min(1).meta({ refersTo: section });
/** Codes of entries in another section. */
export const codesOf = (section: string) => z.array(referenceTo(section)).default([]);
export const taxCodes = codesOf('taxes');

/** Several fields of one type. */
export function fields<Value extends z.ZodType, Name extends string>(value: Value, ...names: readonly Name[]) {
  return Object.fromEntries(names.map(name => [name, value])) as Record<Name, Value>;
}

/** A value that may be left out; `absent` says in words what counts then. */
export function optional<Value extends z.ZodType>(value: Value, absent: string) {
  return value.optional().meta({ absent });
}

/** The name under which the page and editors know the kind of a value. */
const named = <Value extends z.ZodType>(id: string, value: Value) => value.meta({ id });

/** Decimal text; an integer is accepted too, a binary fraction is not. */
const decimalOf = (sign: string, integer: z.ZodType<number>) =>
  z
    .union([
      z
        .string()
        .regex(new RegExp(`^${sign}\\d{1,30}(\\.\\d{1,30})?$`), 'must be a decimal number as text, such as "12.5"'),
      integer,
    ])
    .transform(String);
export const decimalValue = named('decimal', decimalOf('-?', z.int()));
/** A decimal that is not negative. */
export const amountValue = named('amount', decimalOf('', count));
export const optionalAmount = amountValue.nullable().default(null);

/** ISO 8601. Times relative to the load (`now-P30D`) are resolved before the file is checked. */
const time = z.string().transform((value, context) => {
  const instantText = readInstant(value);
  if (instantText) return instantText;
  context.addIssue('must be an ISO 8601 date-time with a zone, or relative, such as "now-P30D" or "now/month"');
  return z.NEVER;
});
export const instant = named('time', time);
export const optionalInstant = instant.nullable().default(null);
/** When a coupon, or an application of it, ended. */
export const endInstant = optionalInstant.meta({ absent: 'created_at, when terminated' });
/** A day; a time counts as its day in UTC. */
export const day = named(
  'day',
  time.transform(value => value.slice(0, 10)),
);

/** Text of a long list, which a message does not repeat. */
const oneOf = (id: string, words: readonly string[], example: string) =>
  named(id, z.enum(words, `must be a ${id.replaceAll('_', ' ')} of the interface, such as "${example}"`));
export const currency = oneOf('currency_code', currencies, 'EUR');
const country = oneOf('country_code', countries, 'FR');
export const timezone = oneOf('time_zone', timezones, 'Europe/Paris');
export const locale = z.enum(documentLocales);
export const httpUrl = z.url({ protocol: /^https?$/ });

export const anchor = z.enum(issuingDateAnchors);
export const adjustment = z.enum(issuingDateAdjustments);

export const addressFields = {
  ...fields(text, 'address_line1', 'address_line2', 'city', 'state'),
  country: country.nullable().default(null),
  zipcode: text,
};

export const id = z.uuid().toLowerCase().optional();
/** Every entry may state its id and creation time. The defaults are derived from the entry and the account. */
export const common = { id, created_at: instant.optional() };
export const coded = { ...common, code: label, name: label };

/** An entry of a list of metadata. */
export const pair = (longest: number) => ({ key: z.string().min(1).max(20), value: z.string().max(longest) });
export const keyValues = (longest: number) => z.array(z.strictObject(pair(longest))).max(5);
export function withUniqueKeys<Entry extends z.ZodType<{ key: string }>>(list: z.ZodArray<Entry>) {
  return list.refine(entries => new Set(entries.map(({ key }) => key)).size === entries.length, 'has a key twice');
}

const metadataText = z.string().max(255).nullable();
/** Metadata of plans, wallets and credit notes: up to 50 keys. */
export const metadataEntries = z
  .record(z.string().min(1).max(100), metadataText)
  .refine(value => Object.keys(value).length <= 50, 'must have at most 50 keys');
export const metadataObject = metadataEntries.nullable().default(null);

export const paymentMethod = z
  .strictObject({
    payment_method_type: z.enum(paymentMethodTypes).default('provider'),
    payment_method_id: z.uuid().nullable().default(null),
  })
  .nullable()
  .default(null);

export const sections = {
  skip_invoice_custom_sections: flag(false),
  invoice_custom_section_codes: codesOf('invoice_custom_sections'),
};

export const json = named('json', z.json());
export const jsonObject = z.record(z.string(), json);
export const errorDetails = z
  .array(
    z.strictObject({
      error_code: z.enum(errorDetailCodes),
      details: jsonObject.default({}),
    }),
  )
  .default([]);

/**
 * The writable fields of a resource but those in `apart`: one that null clears is null where it is left out, a switch is
 * as it is initially, and a needed one must be there.
 */
export function writable<Shape extends z.ZodRawShape, Apart extends WritableName<Shape>>(
  resource: z.ZodObject<Shape>,
  apart: readonly Apart[],
): Entries<Shape, Exclude<WritableName<Shape>, Apart>> {
  const fields = writableFields(resource).filter(([name]) => !apart.some(each => each === name));
  const entries = fields.map(([name, { unit, change }]) => {
    const value = plainValues[unit](change);
    if (change.needed) return [name, value];
    if (change.initially !== undefined) return [name, value.default(change.initially)];
    if (unit === 'flag' && !change.clears) return [name, flag(false)];
    return [name, change.clears ? value.nullable().default(null) : value.optional()];
  });
  return Object.fromEntries(entries);
}

type Entries<Shape, Name extends keyof Shape> = {
  [Each in Name]: Shape[Each] extends { change: { clears: true } }
    ? z.ZodDefault<z.ZodNullable<z.ZodType<NonNullable<StoredValue<Shape[Each]>>>>>
    : Shape[Each] extends { unit: 'flag' } | { change: { initially: unknown } }
      ? z.ZodDefault<z.ZodType<StoredValue<Shape[Each]>>>
      : Shape[Each] extends { change: { needed: true } }
        ? z.ZodType<StoredValue<Shape[Each]>>
        : z.ZodOptional<z.ZodType<StoredValue<Shape[Each]>>>;
};

const plainValues: Record<Unit, (change: Change) => z.ZodType> = {
  text({ longest, filled, form }) {
    if (form !== undefined) return forms[form];
    const text = longest === undefined ? z.string() : z.string().max(longest);
    return filled ? text.min(1) : text;
  },
  instant: () => instant,
  cents: withinBounds,
  currency: () => currency,
  flag: () => z.boolean(),
  integer: withinBounds,
};

const forms: Record<Form, z.ZodType> = { country, timezone, email: z.email() };

function withinBounds({ least, most }: Change): z.ZodType {
  const above = least === undefined ? cents : least === 1 ? positiveCents : cents.min(least);
  return most === undefined ? above : above.max(most);
}
