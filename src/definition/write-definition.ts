/** What only the definition of a write has: its look at the record, its question, and what is refused and compared. */

import type * as z from 'zod';
import type { RecordUnder } from '../contract/answers.ts';
import type { Api, ApiRequest, ReadAnswer } from './api.ts';

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

/** How a write is taken back. */
type WayBack = { arguments: object } | { impossible: string };

/**
 * What only writes have. `known` is the record as it is now, null where it was not seen; `now` is the account's time. `Seen` is
 * the record as the look reads it, so the look comes before what is said of it.
 */
export interface ChangeDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Result extends string = string,
  Seen extends object = object,
> {
  /**
   * How the record is read before anyone is asked, with its `customer` where name or time zone are needed, and first the tool that
   * shows the same record: without the right to use it, nothing is read. Where the endpoint names no record
   * (`POST /billing_entities`), it only shows whether there is room for a new one.
   */
  look: readonly [tool: string, read: (args: z.output<Input>, api: Api) => Promise<ReadAnswer<Seen>>];
  /** Path, query and body of its request; `known` is the record as it was read, to merge into it. */
  request(args: z.output<Input>, known?: Seen): ApiRequest;
  /** The question for the user, with names and amounts where known, and without names of arguments. */
  prompt(args: z.output<Input>, known: Seen | null, now?: Date): string;
  /** Destructive side effects (service-behaviour §3) of these arguments on this record, each as a sentence, with what the question does not say. */
  warnings(args: z.output<Input>, known: Seen | null, now?: Date): Warning[];
  /** Why the service could only refuse these values, with the choices, so that no one is asked; null when it may accept. */
  refuses?(args: z.output<Input>, known: Seen | null, now: Date): { argument: string; message: string } | null;
  /** The codes that the arguments name, by catalogue: unknown ones are refused before anyone is asked. */
  names?(args: z.output<Input>): NamedCodes;
  /** The arguments that restore what was changed, or why none can; `record` is the service's answer. */
  revert(args: z.output<Input>, known: Seen, record: RecordUnder<Result>): WayBack;
  /** A requested field as the record shows it, to compare the two; undefined where the field of that name shows it. */
  shown?(field: string, record: RecordUnder<Result>, requested?: unknown): unknown;
}
