/** The recordings in `test/recordings`, and their answers as those of a billing API. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface RecordedAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
  json?: any;
  /** Of a list: its wrapper, and all rows of all pages. */
  list?: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  rows?: any[];
}

/** A billed account. Its paths begin after `/api/v1`; some lists have a query. */
export interface Billed {
  now: string;
  answers: Record<string, RecordedAnswer>;
}

/** A call of a tool in front of a billed account. */
export interface RecordedCall {
  tool: string;
  args: Record<string, unknown>;
  requests: { method: string; url: string; body?: string; status: number; answer: string }[];
}

export interface Given {
  status: number;
  body: object;
}

/** `billed-01`, `calls-01`, `account-01`. */
export function recording<T>(name: string): T {
  const file = new URL(`../recordings/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as T;
}

/**
 * Answers requests as the account of `billed-NN` did: lists by page and by filters that are fields of their rows. Previews,
 * estimates and writes are answered where `calls` sent the same. Everything else is 404.
 */
export function recorded({ answers }: Billed, calls: RecordedCall[] = []) {
  const lists = new Map(Object.entries(answers).filter(([, answer]) => answer.list));
  const sent = calls.flatMap(call => call.requests).filter(({ method }) => method !== 'GET');
  const written = new Map(
    sent.map(({ method, url, body, status, answer }) => [
      keyOf(method, url, body),
      { status, body: JSON.parse(answer) as object },
    ]),
  );
  /** Of a record that only a list holds: payments, webhook endpoints. */
  const rowOf = (path: string): RecordedAnswer | undefined => {
    const [, plural = '', id] = path.split('/');
    const row = lists.get(`/${plural}`)?.rows?.find(each => each.svc_id === id);
    return row && { status: 200, json: { [plural.replace(/s$/, '')]: row } };
  };
  return async (url: URL, request: IncomingMessage): Promise<Given> => {
    if (request.method !== 'GET') {
      return written.get(keyOf(request.method ?? '', url.pathname, await text(request))) ?? missing;
    }
    const path = decodeURIComponent(url.pathname).replace('/api/v1', '');
    const filters = [...url.searchParams].filter(([name]) => name !== 'page' && name !== 'per_page');
    const query = filters.map(([name, value]) => `${name}=${value}`).join('&');
    const whole = query ? `${path}?${query}` : path;
    const list = lists.get(whole) ?? lists.get(path) ?? [...lists].find(([key]) => key.split('?')[0] === path)?.[1];
    if (list && !answers[whole]?.json) return { status: 200, body: pageOf(list, filters, url.searchParams) };
    const single = answers[whole] ?? answers[path] ?? rowOf(path);
    if (single) return { status: single.status, body: single.json };
    const read = calls.flatMap(call => call.requests).find(({ url: asked }) => asked === url.pathname + url.search);
    return read ? { status: read.status, body: JSON.parse(read.answer) } : missing;
  };
}

const missing: Given = { status: 404, body: { status: 404, error: 'Not Found', code: 'object_not_found' } };

/** Bodies that say the same in another order are the same. */
function keyOf(method: string, path: string, body = ''): string {
  return `${method} ${path} ${body === '' ? '' : JSON.stringify(sorted(JSON.parse(body)))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function pageOf({ list = '', rows = [] }: RecordedAnswer, filters: [string, string][], query: URLSearchParams) {
  const wanted = new Map<string, string[]>();
  for (const [key, value] of filters) {
    const name = key.replace(/\[\]$/, '');
    wanted.set(name, [...(wanted.get(name) ?? []), value]);
  }
  const kept = rows.filter(row => [...wanted].every(([name, all]) => !(name in row) || all.includes(`${row[name]}`)));
  const size = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const pages = Math.max(1, Math.ceil(kept.length / size));
  const [next, prev] = [page < pages ? page + 1 : null, page > 1 ? page - 1 : null];
  const meta = { current_page: page, next_page: next, prev_page: prev, total_pages: pages, total_count: kept.length };
  return { [list]: kept.slice((page - 1) * size, page * size), meta };
}
