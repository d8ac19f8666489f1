/** Reads the query of a list: its filters, their conditions, the refusals of wrong values, and ignored keys (lookups §0). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { countries, currencies } from '../../contract/codes.ts';
import { isOneOf } from '../../contract/enums.ts';
import type { ListFilters as Described } from '../../contract/list-filters.ts';
import type { Json, JsonObject, TableName, Tables } from '../../engine/records/index.ts';
import { isIsoDateTime } from '../../lib/iso-dates.ts';
import { notFound, validation } from '../errors.ts';
import { isUuid, queryValue } from '../operations/input.ts';
import { any, type Condition, every, hasMetadata, is, linksTo, not, range } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { parseInstant } from './fields.ts';
import { setNotice } from './notice.ts';

/** What becomes of a scalar `name=` where `name[]=` is expected. */
type Scalar = 'ignored' | 'refused' | 'accepted';

type Sent = { [key: string]: string | string[] };

export type ListFilters = ReturnType<typeof listFilters>;

/**
 * The filters of the request. A key that no filter reads counts as ignored; `page` and `per_page` not, if `paged`. Every method
 * gives undefined for a filter that is absent or blank. Only `finish` throws.
 */
export function listFilters(request: FastifyRequest, { paged = true } = {}) {
  const sent = request.query as Sent;
  const refusals: JsonObject = {};
  const known = new Set(paged ? ['page', 'per_page'] : []);
  const ignored = new Set<string>();

  /** A single text as it was sent. */
  const text = (name: string) => {
    known.add(name);
    return queryValue(request, name) || undefined;
  };
  /** The values as they were sent, so that a refusal names their index. */
  const listOf = (name: string, scalar: Scalar = 'ignored'): string[] => {
    const key = `${name}[]`;
    known.add(key);
    const single = scalar === 'ignored' ? undefined : text(name);
    if (single !== undefined && scalar === 'refused') refuse(name, 'value_is_invalid');
    return [sent[key] ?? single ?? []].flat();
  };
  const distinctOrUndefined = <Value extends string>(values: Value[]) => {
    const distinct = [...new Set(values.filter(value => value !== ''))];
    return distinct.length === 0 ? undefined : distinct;
  };
  /** Notes a refusal. The refusals of a field stay in order. */
  const refuse = (field: string, refusal: string) => {
    refusals[field] = [...((refusals[field] as Json[] | undefined) ?? []), refusal];
  };
  /** The value that `from` makes of a single text. A text that it cannot read is refused, or ignored without a refusal. */
  const readText = <Value>(name: string, refusal: string | null, from: (value: string) => Value | undefined) => {
    const value = text(name);
    const result = value === undefined ? undefined : from(value);
    if (value === undefined || result !== undefined) return result;
    if (refusal === null) ignored.add(name);
    else refuse(name, refusal);
    return undefined;
  };

  return {
    text,
    /** A term to search for, without the blanks around it. */
    term: (name: string) => text(name)?.trim() || undefined,
    /** The different values of `name[]`. By default a scalar is ignored. */
    texts: (name: string, scalar?: Scalar) => distinctOrUndefined(listOf(name, scalar)),
    /** As `texts`; values other than the words are refused by their index. */
    words: <Word extends string>(name: string, words: readonly Word[], scalar?: Scalar) => {
      const values = listOf(name, scalar);
      const wrongIndexes = values.flatMap((value, i) => (value === '' || isOneOf(words, value) ? [] : [String(i)]));
      const refused: JsonObject = Object.fromEntries(wrongIndexes.map(i => [i, [mustBe(words)]]));
      if (wrongIndexes.length > 0) refusals[name] = sent[`${name}[]`] === undefined ? [mustBe(words)] : refused;
      return distinctOrUndefined(values.filter(value => isOneOf(words, value)));
    },
    /** A single word; others are ignored where `refusal` is null, else refused with it, by default `must be one of: …`. */
    word: <Word extends string>(name: string, words: readonly Word[], refusal: string | null = mustBe(words)) =>
      readText(name, refusal, value => (isOneOf(words, value) ? value : undefined)),
    /** `true` or `false`; others are refused with `refusal`, by default `must be one of: true, false`. */
    flag: (name: string, refusal = mustBe(['true', 'false'])) =>
      readText(name, refusal, value => (value === 'true' ? true : value === 'false' ? false : undefined)),
    /** A UUID, in lower case; others are refused with `is in invalid format`. */
    id: (name: string) =>
      readText(name, 'is in invalid format', value => (isUuid(value) ? value.toLowerCase() : undefined)),
    /** `YYYY-MM-DD`; others are ignored. */
    date: (name: string) =>
      readText(name, null, value => (value.length === 10 && isIsoDateTime(value) ? value : undefined)),
    /** An ISO 8601 date-time, in UTC when it has no offset; others are refused with `invalid_date`. */
    instant: (name: string) => readText(name, 'invalid_date', value => parseInstant(value) ?? undefined),
    /** An integer; others are refused with `value_is_invalid`. */
    integer: (name: string) =>
      readText(name, 'value_is_invalid', value => {
        const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
        return Number.isSafeInteger(number) ? number : undefined;
      }),
    /** The pairs of `metadata[key]=value`, the empty values too; a nested value is refused. */
    metadata: () => {
      const pairs: { key: string; value: string }[] = [];
      const nested: JsonObject = {};
      for (const name of Object.keys(sent)) {
        const [, key, rest] = /^metadata\[([^\]]+)\](.*)$/s.exec(name) ?? [];
        if (key === undefined) continue;
        known.add(name);
        if (rest) nested[key] = ['must be a string'];
        else pairs.push({ key, value: queryValue(request, name) ?? '' });
      }
      if (Object.keys(nested).length > 0) refusals.metadata = nested;
      return pairs;
    },
    refuse,
    /** Notes that a key was sent without effect. */
    ignore: (key: string) => ignored.add(key),
    /** Throws 422 with every refusal; else names the keys without effect in a header (routes/notice.ts). */
    finish: (reply: FastifyReply) => {
      if (Object.keys(refusals).length > 0) throw validation(refusals);
      const withoutEffect = [...Object.keys(sent).filter(key => !known.has(key)), ...ignored];
      const sentence = `these query keys had no effect: ${withoutEffect.join(', ')}`;
      setNotice(reply, withoutEffect.length === 0 ? [] : [sentence]);
    },
  };
}

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

/** The ids of the billing entities with the codes. Throws 404. */
export async function billingEntityIds(account: AccountStore, codes: readonly string[]): Promise<string[]> {
  const entities = await account.find('billing_entities', { code: codes });
  if (entities.length < codes.length) throw notFound('billing_entity');
  return entities.map(entity => entity.id);
}

/** Of these billing entities: the record's own, else its customer's. */
export function ofEntities<T extends 'subscriptions' | 'wallets'>(ids: string[]): Condition<T> {
  const inherited = linksTo<'wallets', 'customers'>('customer_id', 'customers', is({ billing_entity_id: ids }));
  return any<'wallets'>(
    is({ billing_entity_id: ids }),
    every(is({ billing_entity_id: null }), inherited),
  ) as Condition<TableName>;
}

function mustBe(words: readonly string[]): string {
  return `must be one of: ${words.join(', ')}`;
}

type Filter = Described[string];

/**
 * The conditions of a list's filters that compare one field with what is sent, as the contract describes them: all but those
 * of billing entities, whose unknown codes are a 404 (`billingEntityIds`).
 */
export function fieldConditions<Table extends TableName>(
  filters: ListFilters,
  described: Described<keyof Tables[Table] & string>,
): Condition<Table>[] {
  return Object.entries(described).flatMap(([name, filter]) =>
    conditionsOf(filters, name, filter),
  ) as Condition<Table>[];
}

function conditionsOf(filters: ListFilters, name: string, filter: Filter): Condition<TableName>[] {
  const { unit, is: field, range: limited, set } = filter;
  if (unit === 'entity') return [];
  if (unit === 'pairs') {
    // An empty value asks for records without the key.
    return filters.metadata().map(({ key, value }) => (value === '' ? not(hasMetadata(key)) : hasMetadata(key, value)));
  }
  if (limited !== undefined) {
    const [from, to] = [`${name}_from`, `${name}_to`].map(bound => sentValue(filters, bound, filter));
    return [range<TableName, 'id'>(limited as 'id', from as string, to as string)];
  }
  const value = sentValue(filters, name, filter);
  if (set === undefined) return [is({ [String(field)]: value })];
  if (value === undefined) return [];
  return [value ? not(is({ [set]: null })) : is({ [set]: null })];
}

function sentValue(filters: ListFilters, name: string, { unit, words, list, wrong }: Filter): unknown {
  const known = words ?? (list ? codes[unit] : undefined);
  if (known !== undefined && wrong === 'ignored') return knownWords(filters, name, known);
  if (known !== undefined && wrong === 'refused') return list ? filters.words(name, known) : filters.word(name, known);
  if (unit === 'flag' && wrong === 'ignored') {
    const [flag] = knownWords(filters, name, ['true', 'false']) ?? [];
    return flag && flag === 'true';
  }
  if (list) return filters.texts(name);
  const read = readers[unit];
  return read === undefined ? filters.text(name) : read(filters, name);
}

/** The words of units that have many. */
const codes: Partial<Record<Filter['unit'], readonly string[]>> = { country: countries, currency: currencies };

/** How a single value is read where it is no plain text. */
const readers: Partial<Record<Filter['unit'], (filters: ListFilters, name: string) => unknown>> = {
  flag: (filters, name) => filters.flag(name),
  day: (filters, name) => filters.date(name),
  cents: (filters, name) => filters.integer(name),
};
