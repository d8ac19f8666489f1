/**
 * Searches of the billing API that also read email addresses (docs/lookups.md §2, §4, §7), without the records that were
 * found by these alone. Total and list pages are counted again: those of the service would tell how many hidden addresses
 * contain the text.
 */

import type { Fields } from '../../../contract/shown.ts';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { refuse } from '../../../definition/failure.ts';
import { folded, holds } from '../../../lib/case-folding.ts';
import { isGiven, isObject, membersOf } from '../../../lib/json.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../api/http/client.ts';
import { listPageOf } from '../bounds/lists/lists.ts';

interface SearchRequest {
  /** The key of the rows. */
  key: string;
  term: string;
  /** Path and query without the list page. */
  target: string;
  page: number;
  perPage: number;
}

type Search = (call: UpstreamCall, request: SearchRequest, options: SendOptions) => Promise<UpstreamAnswer>;
type Success = Extract<UpstreamAnswer, { ok: true }>;

/** How far one search was read. */
interface SearchProgress {
  at: number;
  rows: object[];
  /** The `svc_id` of each row that was kept. */
  seen: Set<unknown>;
  /** The service's list page that comes next; null after the last one. */
  next: number | null;
}

/** Rows of each request. */
const pageSize = 100;
/** Requests for one answer. */
const mostRequests = 10;
/** A later list page goes on from where the one before ended. */
const keptForMs = 60_000;
const mostKept = 20;

/** The search of a call; undefined for every other call. */
export function searchOf({ method, target }: UpstreamCall): SearchRequest | undefined {
  const [path = '', query = ''] = target.split('?');
  const key = /^(?:\/customers\/[^/]+)?\/(customers|invoices|credit_notes)$/.exec(path)?.[1];
  const parameters = new URLSearchParams(query);
  const term = parameters.get('search_term')?.trim();
  if (method !== 'GET' || key === undefined || !term) return undefined;
  const filters = query.split('&').filter(pair => !/^(?:page|per_page)=/.test(pair));
  const page = Number(parameters.get('page') ?? 1);
  const perPage = Number(parameters.get('per_page') ?? 20);
  return { key, term: folded(term), target: `${path}?${filters.join('&')}`, page, perPage };
}

/** The searches of one caller. */
export function createSearch(upstream: Upstream): Search {
  const kept = new Map<string, SearchProgress>();
  return async (call, request, options) => {
    const now = performance.now();
    for (const [target, { at }] of kept) if (now - at > keptForMs || kept.size > mostKept) kept.delete(target);
    const earlier = request.page > 1 ? kept.get(request.target) : undefined;
    const progress: SearchProgress = earlier
      ? { ...earlier, rows: [...earlier.rows], seen: new Set(earlier.seen) }
      : { at: now, rows: [], seen: new Set(), next: 1 };
    const answer = await readOn(upstream, call, request, progress, options);
    if (answer.ok) kept.set(request.target, progress);
    return answer;
  };
}

/** Reads until the list page is full and one row of the next one is known, or until the list has ended. */
async function readOn(
  upstream: Upstream,
  call: UpstreamCall,
  request: SearchRequest,
  progress: SearchProgress,
  options: SendOptions,
): Promise<UpstreamAnswer> {
  const { key, term, target, page, perPage } = request;
  let last: Success | undefined;
  let attempts = 0;
  let plain = true;
  for (let requests = 0; progress.next !== null && progress.rows.length <= page * perPage; requests += 1) {
    if (requests === mostRequests && last)
      return { ...last, ok: false, error: refuse('search_too_wide', { tool: call.tool }), attempts };
    const paged = { ...call, target: `${target}&page=${progress.next}&per_page=${pageSize}` };
    const answer = await upstream.send(paged, options);
    attempts += answer.attempts;
    if (!answer.ok) return { ...answer, attempts };
    const members = membersOf<typeof key | 'meta'>(answer.body);
    const rows: unknown = members[key];
    // Not a list: the tool that reads it says what is wrong with it.
    if (!Array.isArray(rows)) return { ...answer, attempts };
    progress.rows.push(...rows.filter(row => isObject(row) && isVisible[key]?.(row, term) && isNew(progress, row)));
    const { next_page: next } = membersOf<'next_page'>(members.meta);
    progress.next = rows.length > 0 && typeof next === 'number' ? next : null;
    last = answer;
    plain &&= answer.plain === true;
  }
  const { rows, next } = progress;
  const more = rows.length > page * perPage;
  // Only the last list page has the total: before, it would show whether the service has found more than is read.
  const total = next === null && !more ? rows.length : null;
  const body = listPageOf(key, rows, { page, size: perPage }, total, more);
  const { requestId = '' } = options;
  return { ok: true, status: 200, requestId, ...last, body, attempts, plain };
}

type SearchedRow = Fields<'svc_id' | 'number' | 'legal_name' | 'customer'>;

/** A record may come again where rows move while the list is read. */
function isNew({ seen }: SearchProgress, { svc_id }: SearchedRow): boolean {
  const known = seen.has(svc_id);
  if (isGiven(svc_id)) seen.add(svc_id);
  return !known;
}

/**
 * Does a field that is shown hold the term? Only fields that the service searches count: a row with the term in another
 * field would be shown only if its hidden address holds the term too.
 */
const isVisible: Record<string, (row: SearchedRow, term: string) => boolean> = {
  customers: (row, term) => isNamed(row, term) || holds(row.legal_name, term),
  invoices: (row, term) => holds(row.number, term) || row.svc_id === term || isNamed(row.customer, term),
  credit_notes: (row, term) => holds(row.number, term) || holds(row.svc_id, term) || isNamed(row.customer, term),
};

function isNamed(customer: unknown, term: string): boolean {
  const { name, firstname, lastname, external_id } = membersOf<'name' | 'firstname' | 'lastname' | 'external_id'>(
    customer,
  );
  return [name, firstname, lastname, external_id].some(field => holds(field, term));
}
