/**
 * Arguments that several tools share. Formats and long closed lists are checked here rather than in the JSON schema,
 * where a date-time pattern alone costs two hundred tokens; refusals name the fix.
 */
import * as z from 'zod';
import { tierLists } from '../contract/charge-prices.ts';
import { countries, currencies, timezones } from '../contract/codes.ts';
import { meantCountry, meantCurrency, meantTimezone, realTimezone } from '../contract/codes-meant.ts';
import { paymentMethodTypes } from '../contract/enums.ts';
import { isIsoDateTime } from '../lib/iso-dates.ts';
import { isRecord, type JsonRecord, ownValue } from '../lib/json.ts';
import { anyOf, quotedValue } from '../lib/text.ts';
import { fieldNotes } from './argument-fields.ts';
import { keyed } from './free-form.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_PATH_VALUE = 1000;

/** A caller's own id or code that becomes part of a path. */
export function pathText() {
  return z
    .string()
    .refine(value => pathProblem(value) === null, { error: issue => pathProblem(String(issue.input)) ?? '' });
}

/** A caller's own id or code that is sent in a body. */
export function idText() {
  return z.string().refine(value => value.trim() !== '', { error: 'must not be empty' });
}

/** The service's own id of a record, of this kind. */
export function recordId(kind = 'record') {
  const id = z.string().refine(value => UUID.test(value), {
    error:
      'must be a UUID, as svc_id in answers (like 5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba), not a code, name or number',
  });
  return id.describe(`svc_id (UUID) of the ${kind}`);
}

/** ISO 8601, listed as `format: date-time`. */
export function dateTime() {
  return z
    .string()
    .refine(isIsoDateTime, {
      error: 'must be a valid ISO 8601 date-time with a zone, e.g. 2026-01-31T23:59:59Z',
    })
    .meta({ format: 'date-time' });
}

/** A day, `2026-01-31`. */
export function date() {
  return z
    .string()
    .refine(value => /^\d{4}-\d{2}-\d{2}$/.test(value) && isIsoDateTime(value), {
      error: 'must be a valid date as YYYY-MM-DD, e.g. 2026-01-31',
    })
    .meta({ format: 'date' });
}

/** For `superRefine`: of each of these names, `<name>_from` must not be after or above `<name>_to`. */
export function ascending(...names: readonly string[]) {
  return (args: Record<string, unknown>, context: z.core.$RefinementCtx): void => {
    for (const name of names) {
      const [from, to] = [args[`${name}_from`], args[`${name}_to`]] as (string | number | undefined)[];
      if (from === undefined || to === undefined || from <= to) continue;
      context.addIssue({
        code: 'custom',
        path: [`${name}_from`],
        message: `${from} is after or above ${name}_to, ${to}`,
      });
    }
  };
}

/** A bound of a filter by time: a day or a date-time, listed as plain text. */
export const dayOrTime = z.string().refine(isIsoDateTime, {
  error: 'must be a valid ISO 8601 date or date-time, e.g. 2026-01-31 or 2026-01-31T23:59:59Z',
});

/** The bounds of a range of time. */
export const fromTime = dayOrTime.describe('From this day or time, ISO 8601').optional();
export const toTime = dayOrTime.describe('Up to this day or time, ISO 8601').optional();

/** A word of a long closed list, checked here to keep it out of the JSON schema. `meant` suggests the right word. */
function oneOf(kind: string, values: readonly string[], meant: (word: string) => string | null, example: string) {
  const set = new Set(values);
  return z.string().refine(value => set.has(value), {
    error: issue => {
      const near = meant(String(issue.input));
      return `${quotedValue(issue.input)} is not a ${kind}${near === null ? `, e.g. ${example}` : `: did you mean ${near}?`}`;
    },
  });
}

/** With a reason where the list has another name, or a neighbour, of the zone that was meant. */
function listedTimezone(word: string): string | null {
  const [listed, real] = [meantTimezone(word), realTimezone(word)];
  return listed === null || real === null || real === listed ? listed : `${listed}, listed for the clock of ${real}`;
}

/** A word of a short list, which the description names; `meant` maps other words that people use to these. */
export function wordOf(values: readonly string[], meant: Readonly<Record<string, string>> = {}) {
  const choices = anyOf(values);
  return z
    .string()
    .refine(value => values.includes(value), {
      error: issue => {
        const near = ownValue(meant, String(issue.input).trim().toLowerCase());
        return `must be ${choices}, not ${quotedValue(issue.input)}${near === undefined ? '' : `: send ${near} instead`}`;
      },
    })
    .register(fieldNotes, { words: values })
    .describe(choices);
}

/** A text of at most `most` characters. */
export function textUpTo(most: number) {
  return z.string().refine(value => [...value].length <= most, { error: `is longer than ${most} characters` });
}

export const currency = oneOf('known currency code', currencies, meantCurrency, 'USD or EUR (ISO 4217)');
/** The currency of the amounts next to it. */
export const priceCurrency = currency.clone().register(fieldNotes, { amount: 'currency', stored: 'capitals' });
export const country = oneOf('known country code', countries, meantCountry, 'FR or US (ISO 3166, two letters)');
export const timezone = oneOf('known time zone', timezones, listedTimezone, 'UTC or Europe/Paris');
export const text = z.string();
export const flag = z.boolean();
/** Next to `metadata` that replaces what is stored. */
export const mergesMetadata = flag
  .describe('Keep the metadata not sent; default false')
  .optional()
  .register(fieldNotes, { changes: false });
/** A decimal number that is sent as text. */
const decimal = z
  .string()
  .regex(/^-?\d{1,30}(\.\d{1,30})?$/, { error: 'must be a decimal number as text, e.g. "10.5"' })
  .register(fieldNotes, { decimal: true });
/** A number of a wallet's credits. */
export const credits = decimal.clone().register(fieldNotes, { decimal: true, amount: 'credits' });
/** What a pricing unit costs. */
export const conversionRate = decimal
  .clone()
  .refine(rate => /[1-9]/.test(rate) && !rate.startsWith('-'), { error: 'must be above 0' })
  .register(fieldNotes, { decimal: true, amount: 'rate' });
/** Money in the minor unit. */
export const cents = z.int().register(fieldNotes, { amount: 'money' });
/** Money that usage must reach before something happens; it spends nothing. */
export const thresholdCents = z.int().register(fieldNotes, { amount: 'threshold' });
/** A whole number that is neither money nor a quantity: days, a priority. */
export const integer = z.int().register(fieldNotes, { amount: 'other' });
/** A number of hours. */
export const hours = integer.refine(value => value >= 0, { error: 'must be 0 or more' });

/** Digits that a binary number always keeps. */
const exactDigits = 15;

/** A decimal number as text, or as a JSON number: one with more digits was rounded before it came here. */
export const decimalOrNumber = z.union([
  decimal,
  z.number().refine(keepsDigits, { error: 'has more than 15 digits, so it may have been rounded: send it as text' }),
]);

/** A quantity as text or number that is sent as a JSON number. */
export const sentAsNumber = decimalOrNumber
  .refine(keepsDigits, { error: 'has more than 15 digits' })
  .register(fieldNotes, { amount: 'count' });

function keepsDigits(value: string | number): boolean {
  const [digits = ''] = String(value).split('e');
  return digits.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length <= exactDigits;
}

export const texts = z.array(z.string());

/** How payment is taken: `provider` with a stored method's id, or `manual`. */
export const paymentMethod = z
  .strictObject({
    payment_method_type: text.describe(anyOf(paymentMethodTypes)).optional(),
    payment_method_id: text.describe('Stored method, for provider').optional(),
  })
  .describe('How its invoices are paid');

/** Which custom sections an invoice has. */
export const customSection = z
  .strictObject({
    skip_invoice_custom_sections: flag.optional(),
    invoice_custom_section_codes: texts.optional(),
  })
  .describe('Custom sections on its invoices');

export const address = {
  address_line1: text.optional(),
  address_line2: text.optional(),
  city: text.optional(),
  state: text.optional(),
  country: country.optional(),
  zipcode: text.optional(),
};

/** Text keys and values; null, which is not listed, stands for an empty value. At most 50 keys (service-behaviour §3.1). */
export const metadata = keyed(z.string().nullable().meta({ quietNull: true })).superRefine((entries, context) => {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
  const keys = Object.keys(entries);
  if (keys.length > 50) refuse('has more than 50 keys');
  if (keys.includes('')) refuse('has an empty key');
  if (keys.some(key => [...key].length > 100)) refuse('has a key of more than 100 characters');
  if (Object.values(entries).some(value => value !== null && [...value].length > 255))
    refuse('has a value of more than 255 characters');
});

/** The lists of tiers that hold text, which some hosts send, each with its tiers: null where the text is not JSON of plain tiers. */
function tiersSentAsText(properties: JsonRecord): [name: string, tiers: unknown[] | null][] {
  return tierLists.flatMap((name): [string, unknown[] | null][] => {
    const sent = ownValue(properties, name);
    const holdsText = typeof sent === 'string' || (Array.isArray(sent) && sent.some(tier => typeof tier === 'string'));
    return holdsText ? [[name, readTiers(sent)]] : [];
  });
}

function readTiers(sent: unknown): unknown[] | null {
  try {
    const list: unknown = typeof sent === 'string' ? JSON.parse(sent) : sent;
    const tiers = Array.isArray(list) ? list.map(tier => (typeof tier === 'string' ? JSON.parse(tier) : tier)) : null;
    const isPlain = (tier: unknown) =>
      isRecord(tier) &&
      !Object.hasOwn(tier, '__proto__') &&
      Object.values(tier).every(value => typeof value !== 'object' || value === null);
    return tiers?.every(isPlain) ? tiers : null;
  } catch {
    return null;
  }
}

/** The price settings of a charge; their shape depends on its charge model, so they are passed on unchanged. */
export const properties = z
  .record(z.string(), z.unknown())
  .superRefine((entries, context) => {
    for (const [name, tiers] of tiersSentAsText(entries))
      if (tiers === null) context.addIssue({ code: 'custom', path: [name], message: 'must be a list of tiers' });
  })
  .overwrite(entries => {
    const tiers = tiersSentAsText(entries);
    return tiers.length === 0 ? entries : { ...entries, ...Object.fromEntries(tiers) };
  })
  .register(fieldNotes, { amount: 'prices' });

/** The properties of an event, as its metric needs them: texts, numbers and whatever else is sent. */
export const eventProperties = keyed(z.unknown(), { listedValue: { anyOf: [{ type: 'string' }, { type: 'number' }] } });

/** The bounds of list pages are checked here, which keeps them out of the JSON schema. */
export const page = z
  .int()
  .refine(page => page >= 1, { error: issue => `starts at 1, not ${quotedValue(issue.input)}` })
  .describe('Page number, default 1')
  .optional();
export const perPage = z
  .int()
  .refine(size => size >= 1, { error: issue => `must be at least 1, not ${quotedValue(issue.input)}` })
  .describe('Records per page, default 100')
  .optional();

/** Which list page of a lookup, or all of them. */
export const paging = {
  page,
  per_page: z
    .int()
    .refine(size => size >= 1 && size <= 100, { error: 'must be from 1 to 100; all: true reads up to 1,000 records' })
    .describe('1 to 100, default 20')
    .optional(),
  all: flag.describe('Read all pages, up to 1,000 records').optional(),
};

/** A caller's own ID of a subscription that becomes part of a path. */
export const subscriptionId = pathText().describe('Your external ID of the subscription');
/** The same as a filter, or in a body. */
export const ofSubscription = idText().describe('Your external ID of the subscription');
/** The customer of a lookup (tools/records/named-customer.ts). */
export const customerIdOrName = pathText().describe("Customer's external ID or name");
export const customerOrName = customerIdOrName.describe("Customer's external ID or name; default all").optional();

function pathProblem(value: string): string | null {
  if (value.trim() === '') return 'must not be empty';
  if (/^\.+$/.test(value)) return 'consists only of dots, which a URL cannot contain; send the full ID or code';
  if (value.length > MAX_PATH_VALUE) return `is longer than ${MAX_PATH_VALUE} characters; send only the ID or code`;
  return value.isWellFormed() ? null : 'contains a broken character (half of a surrogate pair)';
}
