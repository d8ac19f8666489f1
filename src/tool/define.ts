/**
 * The shape of a tool. A definition holds only what is particular to one operation; registration, annotations, access,
 * confirmation, dry run, receipts, audit, the reference in docs/ and the packaging manifest are derived from it.
 */
import type * as z from 'zod';
import type { MaskedField } from '../contract/masked-fields.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { Effect } from './effect.ts';
import type { ToolError } from './failure.ts';

/** The resource a tool belongs to; `BILLING_TOOLSETS` picks tools by it. */
export const toolsets = [
  'customers',
  'subscriptions',
  'alerts',
  'wallets',
  'invoices',
  'credit_notes',
  'add_ons',
  'plans',
  'events',
  'payments',
  'billing_entities',
  'webhook_endpoints',
  'usage',
  'catalogue',
  'revenue',
] as const;
export type Toolset = (typeof toolsets)[number];

/** One request to the billing API. Path values are raw: the client percent-encodes them. */
export interface ApiRequest {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: JsonRecord;
}

/** The answer to one of the requests of a `fanOut` tool. */
export type FannedAnswer = { key: string } & (
  | { body: unknown; notice?: string }
  | { error: { code: string; message: string; hint: string } }
);

/** One GET of a lookup. Array values of the query are sent with brackets. */
export interface Get extends Pick<ApiRequest, 'path' | 'query'> {
  /** The key that the body must have, with a record or a list. */
  key: string;
  /** Values that the record must have besides the ids of the path, as far as it shows these fields. */
  is?: JsonRecord;
}

/** A body, cleaned of hidden characters; or why there is none. */
export type ReadAnswer =
  /** `altered`: the fields of a single record that held hidden characters. `beside`: what only the summary needs. */
  | { ok: true; body: JsonRecord; notice?: string; altered?: readonly string[]; beside?: JsonRecord }
  | { ok: false; error: ToolError };

/** The reads of one call of a lookup: limited, retried, counted and traced like the call itself. */
export interface Reads {
  /**
   * One GET, for example of `/invoices/{svc_id}`. Never rejects. A path that this installation of the billing API lacks
   * is remembered, and answered `lookup_unavailable`.
   */
  get(path: `/${string}`, get: Get): Promise<ReadAnswer>;
  /** May this caller use that tool? If not, a lookup does not read for this caller what that tool would show. */
  mayUse(tool: string): boolean;
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

/** The account's plans, at least those that were asked for and exist; or why they could not be read. */
export type PlansRead = { plans: JsonRecord[] } | { problem: string };

/** The record of a write as this caller last saw it; null when not seen yet. */
export type Known = JsonRecord | null;

/** Codes that a write names, by the list that knows them, each with the argument that names it. */
export type NamedCodes = Partial<
  Record<'billable_metrics' | 'taxes' | 'plans', readonly { argument: string; code: string }[]>
>;

/** What a summary may use besides the record. */
export interface SummaryContext {
  args: JsonRecord;
  now: Date;
  /** What the service says of its answer beside the body (`X-Service-Notice`). */
  notice?: string;
  /** After a write: the record as it was read for the question; absent where it was not read. */
  before?: JsonRecord;
  /** What was read beside the record, by `beside` of the tool or its lookup; absent where it could not be. */
  beside?: JsonRecord;
}

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  toolset: Toolset;
  effect: Effect;
  /** Does repeating an identical call have no further effect? Defaults to true except for POST writes. */
  idempotent?: boolean;
  /** `PUT /add_ons/{code}`: method and path below /api/v1, path values in braces. */
  endpoint: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  description: string;
  input: Input;
  /** `known`: the record that a write is about, as it was read now, for what is merged into it. */
  request(args: z.output<Input>, known?: JsonRecord): ApiRequest;
  /** The answer's wrapper key (`add_on`), optional in answers. Also the key in `structuredContent`. */
  result: string;
  /**
   * For tools that send several requests at once: the requests, and how their answers become one record. Never for
   * writes.
   */
  fanOut?: {
    /** Reads what the arguments refer to, before the requests; the whole call fails where it cannot be read. */
    prepare?(
      args: z.output<Input>,
      reads: Reads,
    ): Promise<{ ok: true; prepared: JsonRecord } | { ok: false; error: ToolError }>;
    requests(args: z.output<Input>): { key: string; request: ApiRequest }[];
    /** Codes of plans that are looked up in the account's list beside the requests, as `list_plans` shows them. */
    plans(args: z.output<Input>): readonly string[];
    /** `answers` are in the order of the requests. Fails as a whole only when every request failed. */
    combine(
      args: z.output<Input>,
      answers: readonly FannedAnswer[],
      plans: PlansRead,
      prepared?: JsonRecord,
      reads?: Reads,
    ): Promise<JsonRecord>;
  };
  /**
   * For tools that find and list records (docs/lookups.md): makes its own reads in place of `request`. Its body is
   * presented like an answer of the billing API, with the keys beside `result`; `for_summary` holds what only the
   * summary reads.
   */
  lookup?(args: z.output<Input>, reads: Reads): Promise<ReadAnswer>;
  /** How the tool is listed to callers who are bound to customers, where they may ask for less. */
  forBound?: { description: string; input: z.ZodObject };
  /**
   * For reads: what the summary says and the record does not hold, such as the currency of its amounts. It is read
   * after the answer, and delays the result by two seconds at most. The sentence leaves out what could not be read.
   * Reads of other calls are not used for it, so that the same call always says the same.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  beside?(record: any, reads: Reads, context: Pick<SummaryContext, 'args'>): Promise<JsonRecord | null>;
  /** True for lists: the answer is `{ <result>: [...], meta }`. */
  list?: boolean;
  /**
   * One to six short sentences that could be read aloud to a person. `record` is the unwrapped record, for lists
   * `{ <result>, meta }`.
   */
  // biome-ignore lint/suspicious/noExplicitAny: records come from outside and are read tolerantly, field by field
  summary(record: any, context: SummaryContext): string;
  /** Why an answer must not be passed on, as the end of “answered 200, but with …”; null when it may. */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  unfit?(record: any): string | null;
  /**
   * The fields that the default answer keeps, in this order, as a selection (`selection.ts`); `price` is no field, but
   * computed from a charge.
   */
  brief: string;
  /** The fields that it leaves out and names in `more` where a record has them, as a selection. */
  more?: string;
  /** Offers `detail`: `full` for the whole body, or names of fields to add. For tools whose whole answers are long. */
  detail?: boolean;

  /** Updates only: the arguments that select the record. A call with only these is refused: it changes nothing. */
  selectors?: readonly string[];

  // Writes only:
  /**
   * Reads the record that the write is about, before anybody is asked. `read` answers with the record as the body, with
   * its `customer` where name or time zone are needed. `tool` shows the same record: without the right to use it,
   * nothing is read. `room`: the write is about no record yet, and `read` only shows whether there is room for a new
   * one. `moved`: the arguments by which the record is found after a write that changes its code.
   */
  sees?: {
    tool: string;
    read(args: z.output<Input>, reads: Reads): Promise<ReadAnswer>;
    room?: true;
    moved?(args: z.output<Input>): z.output<Input> | null;
  };
  /**
   * After a lost answer to a creation: the new record, in what `sees` has read. Null where it is not there; undefined
   * where what was read cannot show it.
   */
  made?(args: z.output<Input>, seen: JsonRecord): JsonRecord | null | undefined;
  /** The record's kind and id, e.g. `add_on setup`. */
  target?(args: z.output<Input>): { resource: string; id: string };
  /** The question for the person before the write, with names and amounts where known. `now` is the account's time. */
  question?(args: z.output<Input>, known: Known, now?: Date): string;
  /** Warnings about destructive side effects (service-behaviour §3), from the arguments and the known record. */
  warnings?(args: z.output<Input>, known: Known, now?: Date): string[];
  /** What the assistant could send in place of this, said in the answer of a dry run and never in the question. */
  advice?(args: z.output<Input>, known: Known): string | null;
  /** Fields that the service changes by itself, such as balances: they may differ between a question and its answer. */
  moves?: readonly string[];
  /**
   * Why the service could only refuse these values, with the choices; null when it may accept them. Checked before
   * anybody is asked. `known` is the record as it is now, null when it was not seen.
   */
  refuses?(args: z.output<Input>, known: Known, now: Date): { argument: string; message: string } | null;
  /** The codes that the arguments name, by catalogue: unknown ones are refused before anybody is asked. */
  names?(args: z.output<Input>): NamedCodes;
  /**
   * What the write would lose although no argument names it (metric limits of a wallet), in words. Default: nothing.
   */
  drops?(args: z.output<Input>, known: JsonRecord): string[];
  /** Fields of which a write may send a part: the rest stays as it is. */
  keeps?: readonly string[];
  /**
   * The call that restores what the write changed. Default: the selectors and each field's earlier value. `record` is
   * the service's answer.
   */
  revert?(
    args: z.output<Input>,
    known: JsonRecord,
    record: JsonRecord,
  ): { arguments: JsonRecord } | { impossible: string };
  /**
   * A requested field as the record shows it, to compare with what was requested. Default: the body's field of that
   * name.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  shown?(field: string, record: any, requested?: unknown): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: what a definition of any input is called once
export type AnyTool = ToolDefinition<any>;

/** Defines a lookup, which makes its own requests; `endpoint` is the first of them. */
export function defineLookup<Input extends z.ZodObject>(
  definition: Omit<ToolDefinition<Input>, 'effect' | 'request' | 'lookup'> &
    Required<Pick<ToolDefinition<Input>, 'lookup'>>,
): ToolDefinition<Input> {
  return { ...definition, input: onePageOrAll(definition.input), effect: 'read', request: () => ({}) };
}

/** A walk through all list pages begins at the first one: with a later page it would answer the same rows again. */
function onePageOrAll<Input extends z.ZodObject>(input: Input): Input {
  if (!('all' in input.shape)) return input;
  return input.refine(({ all, page }) => all !== true || page === undefined || page === 1, {
    path: ['page'],
    error: 'goes without all: true, which begins at the first record',
  });
}

/** Defines a tool. It only infers the types of the definition. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): ToolDefinition<Input> {
  return definition;
}
