/** What a tool reads with: requests, and the answers to them. */

import type { Body, ListKey, RecordKey } from '../contract/answers.ts';
import type { MaskedField } from '../contract/masked-fields.ts';
import type { ToolError } from './failure.ts';

/** One request to the billing API. Path values are raw: the client percent-encodes them. */
export interface ApiRequest {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined>;
  body?: object;
}

/** One GET of a lookup. Arrays in the query are sent as `name[]=value`, objects as `name[key]=value`. */
export interface Get extends Pick<ApiRequest, 'path' | 'query'> {
  /** The key that the body must have, with a record or a list. */
  key: RecordKey | ListKey;
  /** Values that the record must have besides the ids of the path, as far as it shows these fields. */
  is?: object;
}

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

/** A body, cleaned of hidden characters; or why there is none. */
export type ReadAnswer<Answer = object> =
  /** `altered`: the fields of a single record that held hidden characters. `beside`: what only the summary needs. */
  | { ok: true; body: Answer; notice?: string; altered?: readonly string[]; beside?: object }
  | { ok: false; error: ToolError };

/** The reads of one call of a lookup: limited, retried, counted and traced like the call itself. */
export interface Reads {
  /**
   * One GET, for example of `/invoices/{svc_id}`. Never rejects. A path that this installation of the billing API lacks
   * is remembered, and answered `lookup_unavailable`.
   */
  get(path: `/${string}`, get: Get): Promise<ReadAnswer<Body>>;
  /** An invoice as it would be now: `POST /invoices/preview`, which stores nothing. Answers as `get` does. */
  preview(body: object): Promise<ReadAnswer<Body>>;
  /** May this caller use that tool? If not, a lookup does not read for this caller what that tool would show. */
  mayUse(tool: string): boolean;
  /** May this caller see the records of its own customers alone? */
  readonly bound: boolean;
  /** Is this personal data hidden from this caller, and thus not searched? */
  hides(field: MaskedField): boolean;
  /** The name of the tool that reads, for messages. */
  readonly tool: string;
  readonly now: Date;
  /** How many reads this call has left, so that a walk through a list can end in time. */
  left?(): number;
  /**
   * Before a write: what `read` gives, kept for a minute under this name, for each account and key; a null is not kept.
   * Used for lists, and for a customer's name and zone: these may be a minute old.
   */
  kept?<T>(name: string, read: () => Promise<T | null>): Promise<T | null>;
}
