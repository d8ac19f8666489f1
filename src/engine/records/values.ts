/** The kinds of values that stored records are made of. */

import type { Json } from '../../lib/json.ts';

export { type DecimalText, isJsonObject, type Json, type JsonObject, type JsonOf } from '../../lib/json.ts';

/** What the account sends with its events, by names of its own. */
export type EventProperties = { [name: string]: Json };

/** ISO 8601 UTC with three decimals. */
export type InstantText = string;
/** `YYYY-MM-DD`. */
export type DateText = string;
