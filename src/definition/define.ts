/**
 * The shape of a tool. A definition holds only what is particular to one operation; registration, annotations, access,
 * confirmation, dry run, receipts, audit, the reference in docs/ and the packaging manifest are derived from it.
 */

import type * as z from 'zod';
import type { RecordUnder } from '../contract/answers.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { Api, ApiRequest, ReadAnswer } from './api.ts';

/** The resource a tool belongs to; `BILLING_TOOLS` picks tools by it. */
// biome-ignore format: names
export const toolsets = [
  'customers', 'subscriptions', 'alerts', 'wallets', 'invoices', 'credit_notes', 'add_ons', 'plans', 'events',
  'payments', 'billing_entities', 'webhook_endpoints', 'usage', 'catalogue', 'revenue', 'activity', 'changes',
] as const;
export type Toolset = (typeof toolsets)[number];

/** `compute` is a POST that changes nothing (preview, estimate): read-only to the host, safe to repeat. */
export type Effect = 'read' | 'compute' | 'write' | 'delete';

/** Does a call of a tool with this effect change the account? */
export function changesAccount(effect: Effect | undefined): boolean {
  return effect === 'write' || effect === 'delete';
}

/** Arguments of a call, by name, as far as no schema types them. */
export type Arguments = JsonRecord;

/** What a summary may use besides the record. */
export interface SummaryContext<Beside = object, Before = object, Args = Arguments> {
  args: Args;
  now: Date;
  /** What the service says of its answer next to the body (`X-Service-Notice`). */
  notice?: string;
  /** After a write: the record as it was read for the question; absent where it was not read. */
  before?: Before;
  /** What was read next to the record, by `beside` of the tool or its lookup; absent where it could not be. */
  beside?: Beside;
}

type MadeAnswer = 'made list' | 'made report' | 'made record';

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
  /**
   * What a call does, of a tool that changes nothing: its reads, the last of which or a body of its own is the answer. A body of
   * its own has its keys next to `result`. What only `say` reads is in `for_summary`, what only a chat page or a file has in
   * `for_page` and `for_export`.
   */
  run?(args: z.output<Input>, api: Api): Promise<ReadAnswer>;
  /** The key around the record in the service's answer (`add_on`), which may be missing there, and in ours. */
  result: Result;
  /**
   * What it answers, where that is not one record of the service: `list` is the service's, `{ <result>: [...], meta }`. What is
   * made of several answers has keys of its own next to `result`; the rows of a `made report`, one record, can leave as a file.
   */
  answer?: 'list' | MadeAnswer;
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
  /** Of a tool that changes the account: its question, and what is read, refused and compared for it. */
  change?: ChangeDefinition<Input, Result, Seen>;
}

/** The record of a write as this caller last saw it; null when not seen yet. */
export type KnownRecord = object | null;

/** Codes that a write names, by the list that knows them, each with the argument that names it. */
export type NamedCodes = Partial<
  Record<'billable_metrics' | 'taxes' | 'plans' | 'billing_entities', readonly { argument: string; code: string }[]>
>;

/** The record that a creation has made, in what its look reads: null where it is not there, absent where that cannot show it. */
export const madeRecord = Symbol('made');

/**
 * A sentence of the question; or what it does not say: what the assistant could send instead of this, for the answer of a dry run,
 * and what is lost although no argument names it, so that the write is sent even where the record has every value.
 */
export type Warning = string | { readonly advice: string } | { readonly drops: readonly string[] };

/** Why the service could only refuse a value of this argument; the message follows the argument's name. */
export interface Refusal {
  argument: string;
  message: string;
}

/** How a write is taken back. */
export type WayBack = { arguments: object } | { impossible: string };

/**
 * What only writes have. `known` is the record as it is now, null where it was not seen; `now` is the account's time. `Seen` is
 * the record as the look reads it, so the look comes before what is said of it.
 */
interface ChangeDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Result extends string = string,
  Seen extends object = object,
> {
  /**
   * How the record is read before anyone is asked, with its `customer` where name or time zone are needed, and first the tool that
   * shows the same record: without the right to use it, nothing is read. Where the endpoint names no record
   * (`POST /billing_entities`), it only shows whether there is room for a new one. Last, what is read right before and right
   * after the write to tell its effect: `aroundBefore` and `aroundAfter` of the summary's `beside`; null for nothing.
   */
  look: readonly [
    tool: string,
    read: (args: z.output<Input>, api: Api) => Promise<ReadAnswer<Seen>>,
    around?: (args: z.output<Input>) => ((api: Api, known: Seen) => Promise<ReadAnswer | null>) | null,
  ];
  /** Path, query and body of its request; `known` is the record as it was read, to merge into it. */
  request(args: z.output<Input>, known?: Seen): ApiRequest;
  /** The question for the user, with names and amounts where known, and without names of arguments. */
  prompt(args: z.output<Input>, known: Seen | null, now?: Date): string;
  /** Destructive side effects (service-behaviour §3) of these arguments on this record, each as a sentence, with what the question does not say. */
  warnings(args: z.output<Input>, known: Seen | null, now?: Date): Warning[];
  /** Why the service could only refuse these values, with the choices, so that no one is asked; null when it may accept. */
  refuses?(args: z.output<Input>, known: Seen | null, now: Date): Refusal | null;
  /** The codes that the arguments name, by catalogue: unknown ones are refused before anyone is asked. */
  names?(args: z.output<Input>): NamedCodes;
  /** The arguments that restore what was changed, or why none can; `record` is the service's answer. */
  revert(args: z.output<Input>, known: Seen, record: RecordUnder<Result>): WayBack;
  /** A requested field as the record shows it, to compare the two; undefined where the field of that name shows it. */
  shown?(field: string, record: RecordUnder<Result>, requested?: unknown): unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: what a definition of any input is called once
export type AnyTool = ToolDefinition<any, string, any>;

/** A tool that changes nothing. */
export type ReadTool<Input extends z.ZodObject = z.ZodObject, Result extends string = string> = ToolDefinition<
  Input,
  Result
> & { change?: never } & Required<Pick<ToolDefinition<Input, Result>, 'run'>>;

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

/** The arguments by which a record is found after `new_code` has replaced its code; null where it keeps the code. */
export function argumentsUnderNewCode({ new_code, ...args }: Arguments): Arguments | null {
  return new_code === undefined ? null : { ...args, code: new_code };
}

/** Does it answer with a list? */
export function isList({ answer }: Pick<AnyTool, 'answer'>): boolean {
  return answer === 'list' || answer === 'made list';
}

/** Can the rows of the tool leave as a file? Lists, usage and reports can; what is computed for a question cannot. */
export function exportable(tool: Pick<AnyTool, 'answer' | 'effect'>): boolean {
  return tool.effect === 'read' && (isList(tool) || tool.answer === 'made report');
}

/** Does it make its answer of several ones, with keys of its own? */
export function makesAnswer({ answer }: Pick<AnyTool, 'answer'>): boolean {
  return answer !== undefined && answer !== 'list';
}

/** Does it find records by reads of its own? `BILLING_LOOKUPS` takes it away, and an installation may lack its paths. */
export function isLookup(tool: Pick<AnyTool, 'answer' | 'effect'>): boolean {
  return tool.effect === 'read' && makesAnswer(tool);
}

/** Do its answers name in `more` what they leave out? Of a lookup's list, the argument `detail` names it instead. */
export function namesMore(tool: Pick<AnyTool, 'answer' | 'effect' | 'more'>): boolean {
  return tool.more !== undefined && !(isLookup(tool) && isList(tool));
}

/** Is it the tool that makes several changes, each by a write tool with its own rules? Its `endpoint` stands for their requests. */
export function isSet({ effect, change }: Pick<AnyTool, 'effect' | 'change'>): boolean {
  return changesAccount(effect) && change === undefined;
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
  definition: ReadTool<Input, Result> & { effect: 'read' | 'compute' },
): ReadTool<Input, Result> {
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
  definition: Omit<ToolDefinition<Input, Result>, 'effect' | 'run' | 'change'>,
): ToolDefinition<Input, Result> {
  return { ...definition, effect: 'write' };
}

/** Defines a lookup, which makes its own requests; `endpoint` is the first of them. */
export function defineLookup<Input extends z.ZodObject, Result extends string>(
  definition: Omit<ReadTool<Input, Result>, 'effect' | 'change'> & { answer: MadeAnswer },
): ReadTool<Input, Result> {
  return { ...definition, input: onePageOrAll(definition.input), effect: 'read' };
}

/** A walk through all list pages begins at the first one: with a later page it would answer the same rows again. */
function onePageOrAll<Input extends z.ZodObject>(input: Input): Input {
  if (!('all' in input.shape)) return input;
  return input.refine(({ all, page }) => all !== true || page === undefined || page === 1, {
    path: ['page'],
    error: 'goes without all: true, which begins at the first record',
  });
}

/** What a schema is made of. */
interface SchemaDefinition {
  type: string;
  format?: string;
  innerType?: z.core.$ZodType;
  /** Of a pipe, what goes in. */
  in?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  valueType?: z.core.$ZodType;
  entries?: Record<string, string>;
}

export function definitionOf(schema: z.core.$ZodType): SchemaDefinition {
  return schema._zod.def as SchemaDefinition;
}

/** The definition below optional and nullable wrappers. */
export function unwrapped(schema: z.core.$ZodType): SchemaDefinition {
  const definition = definitionOf(schema);
  if (definition.innerType) return unwrapped(definition.innerType);
  // Of a union, the option that has fields or entries.
  return definition.options?.map(unwrapped).find(({ shape, element }) => shape ?? element) ?? definition;
}
