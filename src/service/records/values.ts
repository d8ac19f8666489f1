/** The kinds of values that stored records are made of. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** Decimal number as text. */
export type DecimalText = string;
/** ISO 8601 UTC with three decimals. */
export type InstantText = string;
/** `YYYY-MM-DD`. */
export type DateText = string;

export interface Row {
  id: string;
  created_at: InstantText;
  updated_at: InstantText;
}

export interface Address {
  address_line1: string | null;
  address_line2: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  zipcode: string | null;
}

/** Whether a value is an object, neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
