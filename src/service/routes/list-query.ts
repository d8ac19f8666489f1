/** Reads the query of a list: its filters, the refusals of wrong values, and which keys were ignored (lookups §0). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOneOf } from '../../contract/enums.ts';
import type { InstantText, Json, JsonObject, TableName } from '../../engine/records/index.ts';
import { isIsoDateTime } from '../../lib/iso-dates.ts';
import { notFound, validation } from '../errors.ts';
import { isUuid, queryValue } from '../operations/input.ts';
import { any, type Condition, every, hasMetadata, is, linksTo, not } from '../store/conditions.ts';
import type { AccountStore } from '../store/store.ts';
import { parseInstant } from './fields.ts';
import { setNotice } from './notice.ts';

/** What becomes of a scalar `name=` where `name[]=` is expected. */
type Scalar = 'ignored' | 'refused' | 'accepted';

/** Every method gives undefined for a filter that is absent or blank. Only `finish` throws. */
export interface ListFilters {
  /** A single text as it was sent. */
  text(name: string): string | undefined;
  /** A term to search for, without the blanks around it. */
  term(name: string): string | undefined;
  /** The different values of `name[]`. By default a scalar is ignored. */
  texts(name: string, scalar?: Scalar): string[] | undefined;
  /** As `texts`; values other than the words are refused by their index. */
  words<Word extends string>(name: string, words: readonly Word[], scalar?: Scalar): Word[] | undefined;
  /** A single word; others are ignored where `refusal` is null, else refused with it, by default `must be one of: …`. */
  word<Word extends string>(name: string, words: readonly Word[], refusal?: string | null): Word | undefined;
  /** `true` or `false`; others are refused with `refusal`, by default `must be one of: true, false`. */
  flag(name: string, refusal?: string): boolean | undefined;
  /** A UUID, in lower case; others are refused with `is in invalid format`. */
  id(name: string): string | undefined;
  /** `YYYY-MM-DD`; others are ignored. */
  date(name: string): string | undefined;
  /** An ISO 8601 date-time, in UTC when it has no offset; others are refused with `invalid_date`. */
  instant(name: string): InstantText | undefined;
  /** An integer; others are refused with `value_is_invalid`. */
  integer(name: string): number | undefined;
  /** The pairs of `metadata[key]=value`, the empty values too; a nested value is refused. */
  metadata(): { key: string; value: string }[];
  /** Notes a refusal. The refusals of a field stay in order. */
  refuse(field: string, refusal: string): void;
  /** Notes that a key was sent without effect. */
  ignore(key: string): void;
  /** Throws 422 with every refusal; else names the keys without effect in a header (routes/notice.ts). */
  finish(reply: FastifyReply): void;
}

type Sent = { [key: string]: string | string[] };

/** The filters of the request. A key that no filter reads counts as ignored; `page` and `per_page` not, if `paged`. */
export function listFilters(request: FastifyRequest, { paged = true } = {}): ListFilters {
  const sent = request.query as Sent;
  const refusals: JsonObject = {};
  const known = new Set(paged ? ['page', 'per_page'] : []);
  const ignored = new Set<string>();

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
    term: name => text(name)?.trim() || undefined,
    texts: (name, scalar) => distinctOrUndefined(listOf(name, scalar)),
    words: (name, words, scalar) => {
      const values = listOf(name, scalar);
      const wrongIndexes = values.flatMap((value, i) => (value === '' || isOneOf(words, value) ? [] : [String(i)]));
      const refused: JsonObject = Object.fromEntries(wrongIndexes.map(i => [i, [mustBe(words)]]));
      if (wrongIndexes.length > 0) refusals[name] = sent[`${name}[]`] === undefined ? [mustBe(words)] : refused;
      return distinctOrUndefined(values.filter(value => isOneOf(words, value)));
    },
    word: (name, words, refusal = mustBe(words)) =>
      readText(name, refusal, value => (isOneOf(words, value) ? value : undefined)),
    flag: (name, refusal = mustBe(['true', 'false'])) =>
      readText(name, refusal, value => (value === 'true' ? true : value === 'false' ? false : undefined)),
    id: name => readText(name, 'is in invalid format', value => (isUuid(value) ? value.toLowerCase() : undefined)),
    date: name => readText(name, null, value => (value.length === 10 && isIsoDateTime(value) ? value : undefined)),
    instant: name => readText(name, 'invalid_date', value => parseInstant(value) ?? undefined),
    integer: name =>
      readText(name, 'value_is_invalid', value => {
        const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
        return Number.isSafeInteger(number) ? number : undefined;
      }),
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
    ignore: key => ignored.add(key),
    finish: reply => {
      if (Object.keys(refusals).length > 0) throw validation(refusals);
      const withoutEffect = [...Object.keys(sent).filter(key => !known.has(key)), ...ignored];
      setNotice(
        reply,
        withoutEffect.length === 0 ? [] : [`these query keys had no effect: ${withoutEffect.join(', ')}`],
      );
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

/** The ids of the billing entities with the codes; undefined without codes. Throws 404. */
export async function billingEntityIds(
  account: AccountStore,
  codes: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (codes === undefined) return undefined;
  const entities = await account.find('billing_entities', { code: codes });
  if (entities.length < codes.length) throw notFound('billing_entity');
  return entities.map(entity => entity.id);
}

/** Of these billing entities: the record's own, else its customer's. */
export function ofEntities<T extends 'subscriptions' | 'wallets'>(ids: readonly string[] | undefined): Condition<T> {
  if (ids === undefined) return every();
  const inherited = linksTo<'wallets', 'customers'>('customer_id', 'customers', is({ billing_entity_id: ids }));
  return any<'wallets'>(
    is({ billing_entity_id: ids }),
    every(is({ billing_entity_id: null }), inherited),
  ) as Condition<TableName>;
}

/** Records that have all these pairs of metadata; an empty value asks for records without the key. */
export function metadataConditions<T extends TableName>(
  pairs: readonly { key: string; value: string }[],
): Condition<T>[] {
  return pairs.map(({ key, value }) => (value === '' ? not(hasMetadata(key)) : hasMetadata(key, value)));
}

function mustBe(words: readonly string[]): string {
  return `must be one of: ${words.join(', ')}`;
}
