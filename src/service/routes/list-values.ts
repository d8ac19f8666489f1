/** Single filters of some lists, read in the ways in which only these lists read them (lookups §5 to §11). */
import { isOneOf } from '../../contract/enums.ts';
import type { InstantText } from '../../engine/records/index.ts';
import { parseInstant } from './fields.ts';
import type { ListFilters } from './list-query.ts';

/** The values that are words, sent as `name=` or as `name[]=`; others are ignored. Undefined when none is left. */
export function knownWords<Word extends string>(
  filters: ListFilters,
  name: string,
  words: readonly Word[],
): Word[] | undefined {
  const values = filters.texts(name, 'accepted');
  const known = values?.filter(value => isOneOf(words, value));
  if (known?.length !== values?.length) filters.ignore(name);
  return known?.length ? known : undefined;
}

/** A single word; another value is ignored. */
export function knownWord<Word extends string>(
  filters: ListFilters,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = filters.text(name);
  if (value === undefined || isOneOf(words, value)) return value;
  filters.ignore(name);
  return undefined;
}

/** A single word; another value is refused with the code `value_is_invalid`. */
export function validWord<Word extends string>(
  filters: ListFilters,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const value = filters.text(name);
  if (value === undefined || isOneOf(words, value)) return value;
  filters.refuse(name, 'value_is_invalid');
  return undefined;
}

/** An ISO 8601 date-time, in UTC when it has no offset; another value is refused with the code `invalid_date`. */
export function validInstant(filters: ListFilters, name: string): InstantText | undefined {
  const value = filters.text(name);
  if (value === undefined) return undefined;
  const instant = parseInstant(value);
  if (instant === null) filters.refuse(name, 'invalid_date');
  return instant ?? undefined;
}
