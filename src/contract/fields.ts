/**
 * Kinds of fields for the tolerant reference of the interface's resources: every field may be missing or null, objects
 * may have additional fields, and closed lists are described but not enforced. Never used to refuse a value.
 */
import * as z from 'zod';

/** Text. */
export const text = (meaning: string) => z.string().nullish().describe(meaning);
/** The service's own id of a record. */
export const uuid = (meaning: string) => z.string().nullish().describe(`${meaning} (UUID)`);
/** An instant, ISO 8601 in UTC. */
export const instant = (meaning: string) => z.string().nullish().describe(`${meaning} (ISO 8601, UTC)`);
/** A day. */
export const day = (meaning: string) => z.string().nullish().describe(`${meaning} (YYYY-MM-DD)`);
/** An amount of money in the currency's minor unit. */
export const cents = (meaning: string) => z.number().nullish().describe(`${meaning} (integer, minor unit)`);
/** An exact amount of money in major units. */
export const majorUnits = (meaning: string) =>
  z.string().nullish().describe(`${meaning} (decimal string, major units)`);
/** A quantity, credits, or an exact value whose unit the meaning names. */
export const decimal = (meaning: string) => z.string().nullish().describe(`${meaning} (decimal string)`);
/** A whole number. */
export const integer = (meaning: string) => z.number().nullish().describe(`${meaning} (integer)`);
/** A number that may have decimals. */
export const number = (meaning: string) => z.number().nullish().describe(meaning);
export const flag = (meaning: string) => z.boolean().nullish().describe(meaning);
export const currency = (meaning = 'Currency') => z.string().nullish().describe(`${meaning} (ISO 4217)`);
export const texts = (meaning: string) => z.array(z.string()).nullish().describe(meaning);
export const anything = (meaning: string) => z.looseObject({}).nullish().describe(meaning);
export const record = <T extends z.ZodRawShape>(shape: T, meaning: string) =>
  z.looseObject(shape).nullish().describe(meaning);
export const list = <T extends z.ZodType>(entry: T, meaning: string) => z.array(entry).nullish().describe(meaning);
/** Text with the list of values that the service uses. */
export const oneOf = (meaning: string, ...values: string[]) =>
  z
    .string()
    .nullish()
    .describe(`${meaning}: ${values.join(', ')}`);
