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

/** What makes a tool: the members without a question mark, and of the others those that it needs. */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  /** What assistants call: a verb and what it is about, `update_add_on`. */
  name: string;
  /** The name for people, `Update an add-on`. */
  title: string;
  /** The resource that it belongs to. */
  toolset: Toolset;
  /** What a call does to the account, from which access, questions and the hints to hosts follow. */
  effect: Effect;
  /** Method and path below /api/v1, with path values in braces: `PUT /add_ons/{code}`. */
  endpoint: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  /** What the model reads to choose the tool and to fill in its arguments: when to use it, units, traps. */
  description: string;
  /** The arguments, as a strict object; `dry_run`, `confirmation`, `clear` and `detail` are added where they apply. */
  input: Input;
  /** How the tool is listed to callers who are bound to customers, where they may ask for less. */
  forBound?: { description: string; input: z.ZodObject };
  /** Path, query and body of the one request; `known` is the record of a write as it was read, to merge into it. */
  request(args: z.output<Input>, known?: JsonRecord): ApiRequest;
  /** Several requests at once in place of the one, whose answers become one record. */
  fanOut?: FanOut<Input>;
  /**
   * Reads of its own in place of the one request (docs/lookups.md), whose body is presented like an answer, with its keys
   * beside `result` and with `for_summary`, which only the summary reads.
   */
  lookup?(args: z.output<Input>, reads: Reads): Promise<ReadAnswer>;
  /**
   * What the summary says and the record does not hold (a currency, a name), read anew after the answer of a read, for two
   * seconds at most; the summary leaves out what could not be read.
   */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  beside?(record: any, reads: Reads, context: Pick<SummaryContext, 'args'>): Promise<JsonRecord | null>;
  /** Why an answer must not be passed on, as the end of “answered 200, but with …”; null when it may. */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  unfit?(record: any): string | null;
  /** The key around the record in the service's answer (`add_on`), which may be missing there, and in ours. */
  result: string;
  /** True for lists, which answer `{ <result>: [...], meta }`. */
  list?: boolean;
  /**
   * The fields that the default answer keeps, in this order, as a selection (`selection.ts`); `price` is no field, but
   * computed from a charge.
   */
  brief: string;
  /**
   * Where the whole answer is long: the fields that the default answer leaves out and names, as a selection; the argument
   * `detail` adds them by name, or with `full` the whole body.
   */
  more?: string;
  /** One to six short sentences that could be read aloud; `record` is unwrapped, for lists `{ <result>, meta }`. */
  // biome-ignore lint/suspicious/noExplicitAny: records come from outside and are read tolerantly, field by field
  summary(record: any, context: SummaryContext): string;
  /** Of a tool that changes the account: its question, and what is read, refused and compared for it. */
  write?: WriteDefinition<Input>;
}

/** Several requests at once, none of which changes anything. */
interface FanOut<Input extends z.ZodObject = z.ZodObject> {
  /** Reads what the arguments refer to, before the requests; the whole call fails where it cannot be read. */
  prepare?(
    args: z.output<Input>,
    reads: Reads,
  ): Promise<{ ok: true; prepared: JsonRecord } | { ok: false; error: ToolError }>;
  /** The requests, each with a key that is found again at its answer. */
  requests(args: z.output<Input>): { key: string; request: ApiRequest }[];
  /** Codes of plans that are looked up in the account's list beside the requests, as `list_plans` shows them. */
  plans(args: z.output<Input>): readonly string[];
  /** The record of the answers, which come in the order of the requests; it is not called where all of them failed. */
  combine(
    args: z.output<Input>,
    answers: readonly FannedAnswer[],
    plans: PlansRead,
    prepared?: JsonRecord,
    reads?: Reads,
  ): Promise<JsonRecord>;
}

/** What only writes have. `known` is the record as it is now, null where it was not seen; `now` is the account's time. */
interface WriteDefinition<Input extends z.ZodObject = z.ZodObject> {
  /** The arguments of an update that change nothing by themselves: a call with only these is refused. */
  selectors?: readonly string[];
  /** How the record is read before anybody is asked. */
  look: LookDefinition<Input>;
  /** The question for the person, with names and amounts where known, and without names of arguments. */
  question(args: z.output<Input>, known: Known, now?: Date): string;
  /** Destructive side effects (service-behaviour §3) of these arguments on this record, each as a sentence. */
  warnings(args: z.output<Input>, known: Known, now?: Date): string[];
  /** What the assistant could send in place of this, said in the answer of a dry run and never in the question. */
  advice?(args: z.output<Input>, known: Known): string | null;
  /** Why the service could only refuse these values, with the choices, so that nobody is asked; null when it may accept. */
  refuses?(args: z.output<Input>, known: Known, now: Date): { argument: string; message: string } | null;
  /** The codes that the arguments name, by catalogue: unknown ones are refused before anybody is asked. */
  names?(args: z.output<Input>): NamedCodes;
  /** What is lost although no argument names it, so that the write is sent even where the record has every value. */
  drops?(args: z.output<Input>, known: JsonRecord): string[];
  /** Fields of which a part may be sent, while the rest stays as it is. */
  keeps?: readonly string[];
  /** The arguments that restore what was changed, or why none can; `record` is the service's answer. */
  revert(
    args: z.output<Input>,
    known: JsonRecord,
    record: JsonRecord,
  ): { arguments: JsonRecord } | { impossible: string };
  /** A requested field as the record shows it, to compare the two; undefined where the field of that name shows it. */
  // biome-ignore lint/suspicious/noExplicitAny: see summary
  shown?(field: string, record: any, requested?: unknown): unknown;
}

/**
 * The look at the record of a write. Where the endpoint names no record (`POST /billing_entities`), it only shows whether
 * there is room for a new one.
 */
interface LookDefinition<Input extends z.ZodObject = z.ZodObject> {
  /** The tool that shows the same record: without the right to use it, nothing is read. */
  tool: string;
  /** Answers with the record as the body, with its `customer` where name or time zone are needed. */
  read(args: z.output<Input>, reads: Reads): Promise<ReadAnswer>;
  /** Fields that the service changes by itself, such as balances: they may differ between a question and its answer. */
  moves?: readonly string[];
  /** The arguments by which the record is found after this write has changed its code; null where it keeps the code. */
  renamed?(args: z.output<Input>): z.output<Input> | null;
  /** The record that a creation has made, in what was read: null where it is not there, undefined where that cannot show it. */
  made?(args: z.output<Input>, seen: JsonRecord): JsonRecord | null | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: what a definition of any input is called once
export type AnyTool = ToolDefinition<any>;

/** A tool that changes the account. */
// biome-ignore lint/suspicious/noExplicitAny: see AnyTool
export type WriteTool<Input extends z.ZodObject = any> = ToolDefinition<Input> & {
  effect: 'write' | 'delete';
  write: WriteDefinition<Input>;
};

/** Does the write create a record that belongs to no other, so that its endpoint names none? */
export function isAboutNoRecord({ endpoint }: Pick<AnyTool, 'endpoint'>): boolean {
  return !endpoint.includes('{');
}

/** Defines a tool that changes nothing. It only infers the types of the definition. */
export function defineTool<Input extends z.ZodObject>(
  definition: ToolDefinition<Input> & { effect: 'read' | 'compute'; write?: never },
): ToolDefinition<Input> {
  return definition;
}

/** Defines a tool that changes the account. It only infers the types of the definition. */
export function defineWrite<Input extends z.ZodObject>(definition: WriteTool<Input>): WriteTool<Input> {
  return definition;
}

/** Defines a lookup, which makes its own requests; `endpoint` is the first of them. */
export function defineLookup<Input extends z.ZodObject>(
  definition: Omit<ToolDefinition<Input>, 'effect' | 'request' | 'write'> &
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
