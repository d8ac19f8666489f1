/**
 * Searches of the billing API that also read e-mail addresses (docs/lookups.md §2, §4, §7), without the records that were
 * found by these alone. The pages, totals and the next page are counted anew: those of the service would tell how many
 * hidden addresses contain the text.
 */

import { folded } from '../../../lib/case-folding.ts';
import { isGiven, isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import type { OwnError } from '../../../tool/failure.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../client.ts';

interface Searched {
  /** The key of the rows. */
  key: string;
  term: string;
  /** Path and query without the page. */
  target: string;
  page: number;
  perPage: number;
}

type Search = (call: UpstreamCall, searched: Searched, options: SendOptions) => Promise<UpstreamAnswer>;
type Answered = Extract<UpstreamAnswer, { ok: true }>;

/** How far one search was read. */
interface Walk {
  at: number;
  rows: JsonRecord[];
  /** Their svc_id. */
  seen: Set<unknown>;
  /** The service's page that comes next; null after the last one. */
  next: number | null;
}

/** Of each request. */
const pageSize = 100;
/** For one answer. */
const mostRequests = 10;
/** A later page goes on from where the one before ended. */
const keptForMs = 60_000;
const mostKept = 20;

/** The search of a call; undefined for every other call. */
export function searchIn({ method, target }: UpstreamCall): Searched | undefined {
  const [path = '', query = ''] = target.split('?');
  const key = /^(?:\/customers\/[^/]+)?\/(customers|invoices|credit_notes)$/.exec(path)?.[1];
  const given = new URLSearchParams(query);
  const term = given.get('search_term')?.trim();
  if (method !== 'GET' || key === undefined || !term) return undefined;
  const filters = query.split('&').filter(pair => !/^(?:page|per_page)=/.test(pair));
  const page = Number(given.get('page') ?? 1);
  const perPage = Number(given.get('per_page') ?? 20);
  return { key, term: folded(term), target: `${path}?${filters.join('&')}`, page, perPage };
}

/** The searches of one caller. */
export function createSearch(upstream: Upstream): Search {
  const walks = new Map<string, Walk>();
  return async (call, searched, options) => {
    const now = performance.now();
    for (const [target, { at }] of walks) if (now - at > keptForMs || walks.size > mostKept) walks.delete(target);
    const earlier = searched.page > 1 ? walks.get(searched.target) : undefined;
    const walk: Walk = earlier
      ? { ...earlier, rows: [...earlier.rows], seen: new Set(earlier.seen) }
      : { at: now, rows: [], seen: new Set(), next: 1 };
    const answer = await read(upstream, call, searched, walk, options);
    if (answer.ok) walks.set(searched.target, walk);
    return answer;
  };
}

/** Reads until the page is full and one row of the next one is known, or the list has ended. */
async function read(
  upstream: Upstream,
  call: UpstreamCall,
  searched: Searched,
  walk: Walk,
  options: SendOptions,
): Promise<UpstreamAnswer> {
  const { key, term, target, page, perPage } = searched;
  let last: Answered | undefined;
  let attempts = 0;
  let plain = true;
  for (let requests = 0; walk.next !== null && walk.rows.length <= page * perPage; requests += 1) {
    if (requests === mostRequests && last) return { ...last, ok: false, error: tooWide(call), attempts };
    const paged = { ...call, target: `${target}&page=${walk.next}&per_page=${pageSize}` };
    const answer = await upstream.send(paged, options);
    attempts += answer.attempts;
    if (!answer.ok) return { ...answer, attempts };
    const rows = isRecord(answer.body) ? answer.body[key] : undefined;
    // Not a list: whoever asked says what is wrong with it.
    if (!isRecord(answer.body) || !Array.isArray(rows)) return { ...answer, attempts };
    walk.rows.push(...rows.filter(row => isRecord(row) && isVisible[key]?.(row, term) && isNew(walk, row)));
    walk.next = rows.length === 0 ? null : nextPage(answer.body);
    last = answer;
    plain &&= answer.plain === true;
  }
  const body = { [key]: walk.rows.slice((page - 1) * perPage, page * perPage), meta: metaOf(searched, walk) };
  const { requestId = '' } = options;
  return { ok: true, status: 200, requestId, ...last, body, attempts, plain };
}

/** Where the list moves while it is read, a record may come again. */
function isNew({ seen }: Walk, { svc_id }: JsonRecord): boolean {
  const known = seen.has(svc_id);
  if (isGiven(svc_id)) seen.add(svc_id);
  return !known;
}

function nextPage({ meta }: JsonRecord): number | null {
  const next = isRecord(meta) ? meta.next_page : null;
  return typeof next === 'number' ? next : null;
}

/**
 * Does a field that is shown hold the term? Exactly those that the service searches: a row with the term in any other one
 * would be shown only if its hidden address holds it too.
 */
const isVisible: Record<string, (row: JsonRecord, term: string) => boolean> = {
  customers: (row, term) => isNamed(row, term) || holds(row.legal_name, term),
  invoices: (row, term) => holds(row.number, term) || row.svc_id === term || isNamed(row.customer, term),
  credit_notes: (row, term) => holds(row.number, term) || holds(row.svc_id, term) || isNamed(row.customer, term),
};

function isNamed(customer: unknown, term: string): boolean {
  if (!isRecord(customer)) return false;
  const { name, firstname, lastname, external_id } = customer;
  return [name, firstname, lastname, external_id].some(field => holds(field, term));
}

function holds(field: unknown, term: string): boolean {
  return typeof field === 'string' && folded(field).includes(term);
}

/** The total is told on the last page only: before, it would show whether the service has found more than is read. */
function metaOf({ page, perPage }: Searched, { rows, next }: Walk): JsonRecord {
  const more = rows.length > page * perPage;
  const all = next === null && !more ? rows.length : null;
  return {
    current_page: page,
    next_page: more ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: all === null ? null : Math.ceil(all / perPage),
    total_count: all,
  };
}

function tooWide({ tool }: UpstreamCall): OwnError {
  return {
    status: null,
    code: 'search_too_wide',
    message: `${tool}: too many records match in fields that are hidden here, so that the others could not be told from them`,
    hint: 'Call again with a longer part of the name, id or number.',
    changed: false,
  };
}
