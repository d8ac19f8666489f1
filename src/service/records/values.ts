/** The kinds of values that stored records are made of. */

export { type DecimalText, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';

/** ISO 8601 UTC with three decimals. */
export type InstantText = string;
/** `YYYY-MM-DD`. */
export type DateText = string;
