/** The one door to the billing API: what a call reads and sends with, and the answers that come back. */
import type { Body, ListKey, RecordKey, RowOf } from '../contract/answers.ts';
import type { MaskedField } from '../contract/masked-fields.ts';
import type { ToolError } from './failure.ts';

/** One request to the billing API. Path values are raw: the client percent-encodes them. */
export interface ApiRequest {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined>;
  body?: object;
}

/** One GET. Arrays in the query are sent as `name[]=value`, objects as `name[key]=value`. */
export interface Get extends Pick<ApiRequest, 'path' | 'query'> {
  /** The key that the body must have, with a record or a list. */
  key: RecordKey | ListKey;
  /** Values that the record must have besides the ids of the path, as far as it shows these fields. */
  is?: object;
  /** Why an answer must not be passed on, as the end of “answered 200, but with …”; null when it may. */
  rejectReason?(record: object): string | null;
}

/** The GET of a list. */
export type ListGet<Key extends ListKey> = Get & { key: Key };

/** A walk through a list, page by page of 100 records. */
export interface ListWalk {
  readonly from: number;
  /** How many list pages it reads at most. */
  readonly pages: number;
  /** What identifies the last row of the walk that this one continues: its rows follow that one, wherever it is by now. */
  readonly after?: string | undefined;
  /** What identifies the last row that was read. The walk sets it. */
  last?: string | undefined;
  /** How the list moved since the walk before, as a sentence. The walk sets it. */
  moved?: string | undefined;
  /** The list page that follows the last one that was read; null at the end of the list. The walk sets it. */
  next: number | null;
}

/** Which list pages are read. */
export interface ListPageArgs {
  page?: number | undefined;
  per_page?: number | undefined;
  /** Read all list pages, from the first one on; or as this walk says. */
  all?: boolean | ListWalk | undefined;
  /** A walk with `all` stops early enough to leave the call so many reads for what follows; 4 unless told. */
  readsKept?: number;
}

/** What was read of a list. */
export interface Rows<Row = object> {
  ok: true;
  /** Each record once. */
  rows: Row[];
  /** How many records the filters match; null where the service does not say, or its rows contradict what it says. */
  total: number | null;
  /** The next list page; null after the last one. */
  nextPage: number | null;
  /** The total may be up to 30 minutes old (docs/lookups.md §0), and is told as "about". */
  about?: boolean;
  /** `all` was asked for, and the walk ended before the last page. */
  stopped: boolean;
  /** Why rows may be missing or wrong: the list changed, the service ignores `page` or a filter, or it counts otherwise. */
  remark?: string | null;
  /** Of the remark, what it says of filters. */
  unfiltered?: string;
}

/** Why there is no answer. */
export type NoAnswer = { ok: false; error: ToolError };

/** A body, cleaned of hidden characters; or why there is none. */
export type ReadAnswer<Answer = object> =
  /** `altered`: the fields of a single record that held hidden characters. `beside`: what only the summary needs. */
  { ok: true; body: Answer; notice?: string; altered?: readonly string[]; beside?: object } | NoAnswer;

/** The requests of one call: limited, retried, judged, counted and traced like the call itself. None of them rejects. */
export interface Api {
  /**
   * One GET, for example of `/invoices/{svc_id}`. A path that this installation of the billing API lacks is remembered, and
   * answered `lookup_unavailable`.
   */
  get(path: `/${string}`, get: Get): Promise<ReadAnswer<Body>>;
  /**
   * A list: one page of it, or with `all` the pages of a walk, usually the first 10, up to 1,000 records, without rows that do
   * not meet the filters of the query. A row that `isLast` ends the walk. If one request fails, there are no rows at all.
   */
  list<Key extends ListKey>(
    path: `/${string}`,
    get: ListGet<Key>,
    pages: ListPageArgs,
    isLast?: (row: RowOf<Key>) => boolean,
  ): Promise<Rows<RowOf<Key>> | NoAnswer>;
  /** An invoice as it would be now: `POST /invoices/preview`, which stores nothing. */
  preview(body: object): Promise<ReadAnswer<Body>>;
  /** The request of the tool's own endpoint. */
  send(request: ApiRequest): Promise<ReadAnswer<Body>>;
  /** Reads what an answer can do without, for two seconds at most, and not as attempts of the call. Null where it cannot be read. */
  beside<T>(read: (api: Api) => Promise<T>): Promise<T | null>;
  /** Tells the client how far a long call is. */
  tell(message: string): void;
  /** May this caller use that tool? If not, a lookup does not read for this caller what that tool would show. */
  mayUse(tool: string): boolean;
  /** May this caller see the records of its own customers alone? */
  readonly bound: boolean;
  /** Is this personal data hidden from this caller, and thus not searched? */
  hides(field: MaskedField): boolean;
  /** Did the caller ask for this field of the answer by `detail`? With `full` for every one. */
  asks(field: string): boolean;
  /** The name of the tool that reads, for messages. */
  readonly tool: string;
  readonly now: Date;
  /** How many reads this call has left, so that a walk through a list can end in time. */
  left(): number;
  /** Milliseconds until the time of this call is over. */
  timeLeft(): number;
  /**
   * What `read` gives. Before a write it is kept for a minute under this name, for each account and key; a null is not kept.
   * Used for lists, and for a customer's name and zone: these may be a minute old.
   */
  kept<T>(name: string, read: () => Promise<T | null>): Promise<T | null>;
}

/** A walk through all list pages that no one says more of: up to 1,000 records. */
const usualPages = 10;
/** A walk for a file or a resource. */
export const longWalkPages = 50;
/** Rows in each request of a walk. */
export const walkPageSize = 100;

/** A walk from this list page on; `after`: behind the row that a walk before it read last. */
export function walkFrom(from: number, pages = usualPages, after?: string): ListWalk {
  return { from, pages, next: null, ...(after !== undefined && { after }) };
}

/** Do the rows leave as a file? Then no answer holds them. */
export function leavesAsFile({ all }: ListPageArgs): boolean {
  return typeof all === 'object';
}

/** Are these all records that the filters match, as far as can be told? */
export function isWhole({ rows, nextPage, total, stopped, remark = null }: Rows): boolean {
  return nextPage === null && !stopped && remark === null && rows.length >= (total ?? rows.length);
}

/** The service's answer to one request, after all retries. */
export type UpstreamAnswer =
  | {
      ok: true;
      status: number;
      body: unknown;
      requestId: string;
      attempts: number;
      /** True when no text of the body holds a hidden character. */
      plain?: boolean;
      /** What the service says of its answer next to the body, in one line without the key. */
      notice?: string;
    }
  | { ok: false; error: ToolError; requestId: string; attempts: number };
