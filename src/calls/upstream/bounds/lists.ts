/**
 * Lists of a bound caller. The API's own filter is forced, and rows that are not own ones are dropped all the same: then
 * the filter did not work, and neither the total nor further pages are told. Of several customers each list is read from
 * its beginning to the page's end, and the page is cut out of all of them in the API's order.
 */

import { isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import { isOwn, type Owners, withoutCounters } from './owners.ts';
import { type Pair, valueIn } from './request-target.ts';
import type { ListRule } from './table.ts';

type Answered = Extract<UpstreamAnswer, { ok: true }>;

export interface Page {
  page: number;
  size: number;
}

/** Records that are read of each list, at most, where several are merged. */
export const mostMerged = 1000;
/** The API's own page size (service-behaviour §1.5). */
const usualSize = 100;
const pageNames = ['page', 'per_page'];
const positions = ['current_page', 'next_page', 'prev_page', 'total_pages', 'total_count'] as const;

export function pageIn(query: readonly Pair[]): Page {
  const [page, size] = pageNames.map(name => Number(valueIn(query, name)));
  return { page: isCount(page) ? page : 1, size: isCount(size) ? size : usualSize };
}

/** The pairs of a list's query without its page. */
export function withoutPage(query: readonly Pair[]): Pair[] {
  return query.filter(({ name }) => !pageNames.includes(name));
}

/** May all these pairs be sent? What is not known could name another customer, or switch a filter off. */
export function isKnownQuery({ key, filters }: ListRule, query: readonly Pair[]): boolean {
  const known = (name: string) =>
    filters.has(name) || pageNames.includes(name) || (key === 'invoices' && /^metadata\[[^[\]]+\]$/.test(name));
  const once = (name: string) => name.endsWith('[]') || query.filter(pair => pair.name === name).length === 1;
  return query.every(({ name }) => known(name) && once(name));
}

/** The answer with own rows alone, and with nothing else than rows and position. */
export function judgedList(rule: ListRule, owners: Owners, answer: Answered): Answered {
  const { rows, meta, dropped } = read(rule, owners, answer.body);
  const unknown = { ...meta, next_page: null, total_pages: null, total_count: null };
  return { ...answer, body: { [rule.key]: rows, ...(meta && { meta: dropped ? unknown : meta }) } };
}

/** One page of several lists, each read from its first record. `answers` is not empty. */
export function mergedList(rule: ListRule, owners: Owners, answers: readonly Answered[], wanted: Page): UpstreamAnswer {
  const lists = answers.map(answer => read(rule, owners, answer.body));
  const rows = lists.flatMap(list => list.rows).sort((a, b) => order(rule, a, b));
  const counted = lists.every(({ dropped }) => !dropped);
  const total = counted ? lists.reduce((sum, list) => sum + totalOf(list), 0) : null;
  const first = answers[0] as Answered;
  const attempts = answers.reduce((sum, answer) => sum + answer.attempts, 0);
  const plain = answers.every(answer => answer.plain === true);
  return { ...first, attempts, plain, body: pageOf(rule.key, rows, wanted, total) };
}

/** The rows of this page of a whole list, with the position as the API tells it. `total` null: it is not known. */
export function pageOf(key: string, rows: readonly unknown[], { page, size }: Page, total: number | null): JsonRecord {
  const shown = rows.slice((page - 1) * size, page * size);
  const pages = total === null ? null : Math.ceil(total / size);
  const meta = {
    current_page: pages === 0 ? 0 : page,
    next_page: pages !== null && page < pages ? page + 1 : null,
    prev_page: pages !== 0 && page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
  };
  return { [key]: shown, meta };
}

interface Rows {
  rows: JsonRecord[];
  meta: Record<string, number | null> | undefined;
  dropped: boolean;
}

function read({ key, owner }: ListRule, owners: Owners, body: unknown): Rows {
  const found = isRecord(body) && Array.isArray(body[key]) ? body[key] : [];
  const rows = found.filter(row => isOwn(row, owner, owners)).map(row => withoutCounters(row) as JsonRecord);
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : undefined;
  const numbers = positions.map(name => [name, typeof meta?.[name] === 'number' ? meta[name] : null]);
  return { rows, meta: meta && Object.fromEntries(numbers), dropped: rows.length < found.length };
}

function totalOf({ rows, meta }: Rows): number {
  return meta?.total_count ?? rows.length;
}

/** As the API sorts: by the fields in turn, missing ones last, then by id. */
function order({ newest, oldestFirst }: ListRule, a: JsonRecord, b: JsonRecord): number {
  for (const field of newest) {
    const [one, other] = [String(a[field] ?? ''), String(b[field] ?? '')];
    if (one !== other) return (one < other ? 1 : -1) * (oldestFirst ? -1 : 1);
  }
  return String(a.svc_id) < String(b.svc_id) ? -1 : 1;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1;
}
