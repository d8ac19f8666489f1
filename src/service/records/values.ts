/** The kinds of values that stored records are made of. */

export { type DecimalText, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

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
