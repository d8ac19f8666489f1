/** Metadata in object form: wallets and credit notes (service-behaviour §3.1, §3.3). */

import type { Json } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { validation } from '../errors.ts';

export type Metadata = { [key: string]: string | null };

const MOST_KEYS = 50;
const LONGEST_KEY = 100;
const LONGEST_VALUE = 255;

/** Reads metadata: at most 50 keys with text or null. Throws 422 on `metadata`. */
export function readMetadata(value: Json): Metadata {
  if (!isJsonObject(value)) throw validation({ metadata: ['value_is_invalid'] });
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== null && typeof entry !== 'string') throw validation({ metadata: ['value_is_invalid'] });
    if (key === '' || [...key].length > LONGEST_KEY || [...(entry ?? '')].length > LONGEST_VALUE) {
      throw validation({ metadata: [key === '' ? 'value_is_invalid' : 'value_is_too_long'] });
    }
  }
  checkCount(value as Metadata);
  return value as Metadata;
}

/** Throws 422 when the metadata has too many keys. */
export function checkCount(metadata: Metadata): void {
  if (Object.keys(metadata).length > MOST_KEYS) throw validation({ metadata: ['invalid_count'] });
}
