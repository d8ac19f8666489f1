/**
 * The shape of a tool. A definition holds only what is particular to one operation; registration, annotations, access,
 * confirmation, dry run, receipts, audit, the reference in docs/ and the packaging manifest are derived from it.
 */
import type * as z from 'zod';
import type { RecordUnder } from '../contract/answers.ts';
import type { Plan } from '../contract/shown.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { Api, ApiRequest, ReadAnswer } from './api.ts';
import type { Effect } from './effect.ts';
import type { ToolError } from './failure.ts';
import type { ChangeDefinition } from './write-definition.ts';

/** The resource a tool belongs to; `BILLING_TOOLS` picks tools by it. */
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
  'activity',
  'changes',
] as const;
export type Toolset = (typeof toolsets)[number];

/** The answer to one of the requests of a `fanOut` tool. */
export type FannedAnswer = { key: string } & (
  | { body: unknown; notice?: string }
  | { error: { code: string; message: string; hint: string } }
);

/** The account's plans, at least those that were asked for and exist; or why they could not be read. */
export type PlansRead = { plans: Plan[] } | { problem: string };

/** Arguments of a call, by name, as far as no schema types them. */
export type Arguments = JsonRecord;

/** What a summary may use besides the record. */
export interface SummaryContext<Beside = object, Before = object, Args = Arguments> {
  args: Args;
  now: Date;
  /** What the service says of its answer beside the body (`X-Service-Notice`). */
  notice?: string;
  /** After a write: the record as it was read for the question; absent where it was not read. */
  before?: Before;
  /** What was read beside the record, by `beside` of the tool or its lookup; absent where it could not be. */
  beside?: Beside;
}

/**
 * What makes a tool: the members without a question mark, and of the others those that it needs. `Seen`: the record of a write
 * as its look reads it.
 */
export interface ToolDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Result extends string = string,
  Seen extends object = object,
> {
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
  request(args: z.output<Input>, known?: Seen): ApiRequest;
  /** Several requests at once in place of the one, whose answers become one record. */
  fanOut?: FanOut<Input>;
  /**
   * Reads of its own in place of the one request (docs/lookups.md), whose body is presented like an answer, with its keys
   * beside `result` and with `for_summary`, which only the summary reads, and `for_export`, which only a file has.
   */
  lookup?(args: z.output<Input>, api: Api): Promise<ReadAnswer>;
  /**
   * What the summary says and the record does not hold (a currency, a name), read anew after the answer of a read, for two
   * seconds at most; the summary leaves out what could not be read.
   */
  beside?(record: RecordUnder<Result>, api: Api, context: { args: z.output<Input> }): Promise<object | null>;
  /** Why an answer must not be passed on, as the end of “answered 200, but with …”; null when it may. */
  unfit?(record: RecordUnder<Result>): string | null;
  /** The key around the record in the service's answer (`add_on`), which may be missing there, and in ours. */
  result: Result;
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
  say(record: RecordUnder<Result>, context: SummaryContext<object, object, z.output<Input>>): string;
  /** Of the tool that makes several changes, each by a write tool with its own rules; `endpoint` stands for their requests. */
  set?: true;
  /** Of a tool that changes the account: its question, and what is read, refused and compared for it. */
  change?: ChangeDefinition<Input, Result, Seen>;
}

/** Several requests at once, none of which changes anything. */
interface FanOut<Input extends z.ZodObject = z.ZodObject> {
  /** Reads what the arguments refer to, before the requests; the whole call fails where it cannot be read. */
  prepare?(args: z.output<Input>, api: Api): Promise<{ ok: true; prepared: object } | { ok: false; error: ToolError }>;
  /** The requests, each with a key that is found again at its answer. */
  requests(args: z.output<Input>): { key: string; request: ApiRequest }[];
  /** Codes of plans that are looked up in the account's list beside the requests, as `list_plans` shows them. */
  plans(args: z.output<Input>): readonly string[];
  /** The record of the answers, which come in the order of the requests; it is not called where all of them failed. */
  combine(
    args: z.output<Input>,
    answers: readonly FannedAnswer[],
    plans: PlansRead,
    prepared?: object,
    api?: Api,
  ): Promise<object>;
}

// biome-ignore lint/suspicious/noExplicitAny: what a definition of any input is called once
export type AnyTool = ToolDefinition<any, string, any>;

/** A tool that changes the account. */
export type WriteTool<
  // biome-ignore lint/suspicious/noExplicitAny: see AnyTool
  Input extends z.ZodObject = any,
  Result extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: see AnyTool
  Seen extends object = any,
> = ToolDefinition<Input, Result, Seen> & { effect: 'write' | 'delete'; change: ChangeDefinition<Input, Result, Seen> };

/** Does the write create a record that belongs to no other, so that its endpoint names none? */
export function isAboutNoRecord({ endpoint }: Pick<AnyTool, 'endpoint'>): boolean {
  return !endpoint.includes('{');
}

/** Can the rows of the tool leave as a file? Lists, usage and reports can; what is computed for a question cannot. */
export function exportable({ name, list, effect }: Pick<AnyTool, 'name' | 'list' | 'effect'>): boolean {
  return (list === true || name === 'get_usage') && effect === 'read';
}

/** What a file has of an answer, in `for_export` of its body: where that is missing, the rows of the answer. */
export interface ForExport {
  readonly rows: readonly object[];
  /** The fields of the file, as a selection, where they are not those of the answer. */
  readonly fields?: string;
  /** The kind of record, in the plural, where the answer does not say it. */
  readonly of?: string;
}

/** Defines a tool that changes nothing. It only infers the types of the definition. */
export function defineTool<Input extends z.ZodObject, Result extends string>(
  definition: ToolDefinition<Input, Result> & { effect: 'read' | 'compute'; change?: never },
): ToolDefinition<Input, Result> {
  return definition;
}

/** Defines a tool that changes the account. It only infers the types of the definition. */
export function defineWrite<Input extends z.ZodObject, Result extends string, Seen extends object>(
  definition: WriteTool<Input, Result, Seen>,
): WriteTool<Input, Result, Seen> {
  return definition;
}

/** Defines the tool that makes several changes: it sends no request of its own. */
export function defineSet<Input extends z.ZodObject, Result extends string>(
  definition: Omit<ToolDefinition<Input, Result>, 'effect' | 'request' | 'set' | 'change'>,
): ToolDefinition<Input, Result> {
  return { ...definition, effect: 'write', set: true, request: () => ({}) };
}

/** Defines a lookup, which makes its own requests; `endpoint` is the first of them. */
export function defineLookup<Input extends z.ZodObject, Result extends string>(
  definition: Omit<ToolDefinition<Input, Result>, 'effect' | 'request' | 'change'> &
    Required<Pick<ToolDefinition<Input, Result>, 'lookup'>>,
): ToolDefinition<Input, Result> {
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
