/**
 * Lists of a bound caller: one is read for each customer, or for each subscription. The API's own filter is forced. Rows of
 * others are dropped all the same: the filter did not work then, and the answer has neither a total nor a next list page. For several customers, each list is read from its
 * beginning to the end of the list page, which is cut out of all of them in the API's order.
 */

import type { UpstreamAnswer } from '../../../../definition/api.ts';
import { fieldOf, isGiven, isObject, membersOf, withJsonTexts } from '../../../../lib/json.ts';
import { isOwn, isOwnChange, isUnnamed, type Owners, withoutCounters } from '../facts/owners.ts';
import { accountWide, notFound, tooFar } from '../facts/refusals.ts';
import { type QueryPair, targetOf, valueIn } from '../facts/request-target.ts';
import type { ListRule } from '../facts/table.ts';
import {
  type JudgedRequest,
  mostLists,
  ownersFor,
  ownSubscriptions,
  refusalOfPath,
  type Success,
  sendCall,
} from '../records/judged-request.ts';

interface ListPage {
  page: number;
  size: number;
}

/** How many records are read of each list, at most, where several lists are merged. */
const mostMerged = 1000;
/** The API's own page size (service-behaviour §1.5). */
const defaultPageSize = 100;
const pageNames = ['page', 'per_page'];
const metaFields = ['current_page', 'next_page', 'prev_page', 'total_pages', 'total_count'] as const;

export async function readList(rule: ListRule, request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, customerIds, unsent, values } = request;
  const filter = rule.each === 'subscription' ? 'external_subscription_id' : 'external_customer_id';
  const requestedId = valueIn(request.query, filter);
  const query = request.query.filter(({ name }) => name !== filter);
  if (!isKnownQuery(rule, query) || query.length < request.query.length - (values.customer === undefined ? 1 : 0))
    return accountWide(call, unsent);
  const refusal = await refusalOfPath(request);
  if (refusal) return refusal;
  const owners = await ownersFor(rule, request);
  if ('error' in owners) return owners;
  if (rule.each === 'subscription') return listOfSubscriptions(rule, { ...request, query }, owners, requestedId);
  if (values.customer !== undefined) {
    const answer = await sendCall(request);
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  if (requestedId !== undefined && !customerIds.has(requestedId)) return notFound(call, 'customer', unsent);
  const each = requestedId === undefined ? [...customerIds] : [requestedId];
  return listOfEach(rule, { ...request, query }, owners, { filter, each });
}

/** Of own subscriptions whose external id no other customer has too. */
async function listOfSubscriptions(
  rule: ListRule,
  request: JudgedRequest,
  owners: Owners,
  wanted: string | undefined,
): Promise<UpstreamAnswer> {
  const subscriptions = await ownSubscriptions(request, { wanted });
  if (!subscriptions.ok) return subscriptions;
  const { all, proved } = subscriptions;
  const each = all.length > mostLists ? all : [...proved];
  return listOfEach(rule, request, { ...owners, subscriptions: proved }, { filter: 'external_subscription_id', each });
}

async function listOfEach(
  rule: ListRule,
  request: JudgedRequest,
  owners: Owners,
  { filter, each }: { filter: string; each: readonly string[] },
): Promise<UpstreamAnswer> {
  const { call, unsent, query } = request;
  const listPage = listPageIn(query);
  const [path = ''] = call.target.split('?', 1);
  const [only] = each;
  if (only === undefined) return emptyList(request, rule.key);
  // Fees are counted here, as some may be hidden.
  if (each.length === 1 && rule.owner !== 'fee') {
    const answer = await sendCall(request, targetOf(path, [...query, [filter, only]]));
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  const reach = listPage.page * listPage.size;
  if (reach > mostMerged || each.length > mostLists)
    return tooFar(call, { lists: mostLists, records: mostMerged }, unsent);
  const rest = withoutPage(query);
  const read = rule.owner === 'fee' ? mostMerged : reach;
  const answers = await Promise.all(
    each.map(id => sendCall(request, targetOf(path, [...rest, [filter, id], ['page', 1], ['per_page', read]]))),
  );
  // Some lists of a customer that the account does not have are not empty, but refused (lookups §0).
  const failed = answers.find(answer => !answer.ok && answer.error.code !== 'customer_not_found');
  if (failed) return failed;
  const successes = answers.filter((answer): answer is Success => answer.ok);
  return successes.length === 0 ? emptyList(request, rule.key) : mergedList(rule, owners, successes, listPage);
}

export function emptyList({ query, unsent }: JudgedRequest, key: string): UpstreamAnswer {
  return { ok: true, status: 200, body: listPageOf(key, [], listPageIn(query), 0), plain: true, ...unsent };
}

export function listPageIn(query: readonly QueryPair[]): ListPage {
  const [page, size] = pageNames.map(name => Number(valueIn(query, name)));
  return { page: isCount(page) ? page : 1, size: isCount(size) ? size : defaultPageSize };
}

/** The pairs of a list's query without `page` and `per_page`. */
export function withoutPage(query: readonly QueryPair[]): QueryPair[] {
  return query.filter(({ name }) => !pageNames.includes(name));
}

/** May all these pairs be sent? An unknown one could name another customer, or switch a filter off. */
function isKnownQuery({ filters }: ListRule, query: readonly QueryPair[]): boolean {
  const known = (name: string) =>
    pageNames.includes(name) || filters.has(name.replace(/^(\w+)\[[^[\]]+\]$/, '$1[<key>]'));
  const once = (name: string) => name.endsWith('[]') || query.filter(pair => pair.name === name).length === 1;
  return query.every(({ name }) => known(name) && once(name));
}

/** The answer with own rows alone, and with nothing else than rows and `meta`. */
function judgedList(rule: ListRule, owners: Owners, answer: Success): Success {
  const { rows, meta, filtered } = rowsIn(rule, owners, answer.body);
  const metaWithoutTotal = { ...meta, next_page: null, total_pages: null, total_count: null };
  return { ...answer, body: { [rule.key]: rows, ...(meta && { meta: filtered ? meta : metaWithoutTotal }) } };
}

/** One list page of several lists, each read from its first record. `answers` is not empty. */
function mergedList(rule: ListRule, owners: Owners, answers: readonly Success[], listPage: ListPage): UpstreamAnswer {
  const lists = answers.map(answer => rowsIn(rule, owners, answer.body));
  const rows = lists.reduce<object[]>((merged, list) => mergedRows(rule, merged, list.rows), []);
  const add = (sum: number | null, each: number | null) => (sum === null || each === null ? null : sum + each);
  const total = lists.map(list => list.total).reduce(add, 0);
  const goesOn = rows.length > listPage.page * listPage.size || lists.some(({ meta }) => isGiven(meta?.next_page));
  const more = goesOn && lists.every(({ filtered }) => filtered);
  const first = answers[0] as Success;
  const attempts = answers.reduce((sum, answer) => sum + answer.attempts, 0);
  const plain = answers.every(answer => answer.plain === true);
  return { ...first, attempts, plain, body: listPageOf(rule.key, rows, listPage, total, more) };
}

/** Two sorted lists in one. Each keeps its own order, because the API orders by finer times than it shows. */
function mergedRows(rule: ListRule, a: readonly object[], b: readonly object[]): object[] {
  const [left, right] = [[...a].reverse(), [...b].reverse()];
  const rows: object[] = [];
  for (;;) {
    const [first, second] = [left.at(-1), right.at(-1)];
    if (first === undefined || second === undefined) return [...rows, ...left.reverse(), ...right.reverse()];
    rows.push(compareRows(rule, first, second) <= 0 ? first : second);
    (rows.at(-1) === first ? left : right).pop();
  }
}

/**
 * This list page of a whole list, with `meta` as the API has it. `total` null: it is not known, and `more` says whether
 * records follow those given.
 */
export function listPageOf(
  key: string,
  rows: readonly unknown[],
  { page, size }: ListPage,
  total: number | null,
  more = false,
): object {
  const shown = rows.slice((page - 1) * size, page * size);
  const pages = total === null ? null : Math.ceil(total / size);
  const follows = pages === null ? more : page < pages;
  const meta = {
    current_page: pages === 0 ? 0 : page,
    next_page: follows ? page + 1 : null,
    prev_page: pages !== 0 && page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
  };
  return { [key]: shown, meta };
}

type Meta = Record<(typeof metaFields)[number], number | null>;

/** `filtered`: did the filter work? Otherwise no further list page is told. */
function rowsIn({ key, owner, isLog }: ListRule, owners: Owners, body: unknown) {
  const members = membersOf<typeof key | 'meta'>(body);
  const listed = isLog ? withJsonTexts(members[key]) : members[key];
  const allRows: unknown[] = Array.isArray(listed) ? listed : [];
  const isTheirs = (row: unknown): row is object => (isLog ? isOwnChange(row, owners) : isOwn(row, owner, owners));
  const rows = allRows.filter(isTheirs).map(withoutCounters);
  const meta = metaIn(members.meta);
  // A fee that names no one may be hidden although the filter works: what is told is then the same as without it.
  const isHidden = (row: unknown) => owner === 'fee' && isObject(row) && isUnnamed(row);
  const filtered = allRows.every(row => isTheirs(row) || isHidden(row));
  const counted = owner === 'fee' ? null : meta?.total_count;
  const isWhole = owner !== 'fee' || !isGiven(meta?.next_page);
  return { rows, meta, filtered, total: filtered && isWhole ? (counted ?? rows.length) : null };
}

function metaIn(value: unknown): Meta | undefined {
  if (!isObject(value)) return undefined;
  const members = membersOf<keyof Meta>(value);
  return Object.fromEntries(
    metaFields.map(name => [name, typeof members[name] === 'number' ? members[name] : null]),
  ) as Meta;
}

type Row = { readonly svc_id?: unknown };

/** As the API sorts: by the fields in turn, missing ones last, then by id. */
function compareRows({ sortedBy, oldestFirst }: ListRule, a: Row, b: Row): number {
  for (const field of sortedBy) {
    const [one, other] = [String(fieldOf(a, field) ?? ''), String(fieldOf(b, field) ?? '')];
    if (one !== other) return (one < other ? 1 : -1) * (oldestFirst ? -1 : 1);
  }
  // Rows without such an id stay as the API sorts them.
  return a.svc_id === b.svc_id ? 0 : String(a.svc_id) < String(b.svc_id) ? -1 : 1;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1;
}
