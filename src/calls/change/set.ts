/** A set of changes on its way. A write by itself is a set of one. */
import type { ConfirmedBy } from '../../definition/asking.ts';
import type { ToolError } from '../../definition/failure.ts';
import type { UpstreamAnswer } from '../../definition/upstream-answer.ts';
import type { Sight, WriteCall, WriteOutcome } from '../../definition/write-call.ts';
import type { ChangingCall } from '../call/context.ts';

/** What the person is told. */
export interface Spoken {
  question: string;
  warnings: string[];
}

/** What the person is asked. */
export interface Prompt extends Spoken {
  /** What the write sets, shows or replaces, as it is now, by field; empty where the record was not seen. */
  facts: object;
  /** Each of the facts is of one change of a set: what has changed since falls out, and nobody is asked anew. */
  partly?: boolean;
}

export interface Plan extends Spoken {
  method: string;
  /** The path from the root of the host, as it is sent. */
  path: string;
  body: object | null;
}

/** One change as a call of its tool; `at` counts from 0. */
export interface Line {
  at: number;
  call: ChangingCall;
  /** The path of the record once it has its new code. */
  becomes?: string;
}

/** What is known of a change once its record was looked at. */
export type Seen =
  | { kind: 'open'; write: WriteCall }
  /** It is so already: `why` says how that is known where it is no comparison of fields. */
  | { kind: 'idle'; fields: string[]; why?: string }
  /** It cannot be made. */
  | { kind: 'refused'; error: ToolError };

/** A change that the person is asked about. */
export interface Open extends Line {
  write: WriteCall;
  plan: Plan;
}

/** A change that was judged by itself: it can be made, is made already, or cannot be. */
export type Judged = Open | (Line & { end: Exclude<Seen, { kind: 'open' }> });

/** The changes of a call. */
export interface ChangeSet {
  /** What is asked about and put on record as a whole: of one change the change itself. */
  write: WriteCall;
  changes: readonly (Line & { seen: Seen })[];
  /** Are the other changes still made where one fails? */
  goesOn: boolean;
}

/** The requests that are made for a change. */
export interface Requests {
  /** Sends the change, once. */
  send(line: Line, write: WriteCall): Promise<UpstreamAnswer>;
  /** Looks at its record as it is right before it is sent, because other changes were sent since. */
  lookAgain(line: Line): Promise<Seen>;
  /** Looks at its record after an answer that was lost. */
  lookAfter?(line: Line): Promise<Sight>;
}

/** A change with what became of it. */
export interface Made {
  line: Line;
  end: MadeEnd;
}

/** `unsent`: left out after the person agreed; `fails`: does that end a set which stops at a failure? */
export type MadeEnd =
  | Extract<WriteOutcome, { kind: 'done' | 'failed' | 'refused' }>
  | Extract<Seen, { kind: 'idle' }>
  | { kind: 'unsent'; error: ToolError; fails: boolean };

/** How a set ended. Of one change as a write ends. */
export type SetOutcome =
  | WriteOutcome
  /** Nobody was asked, because this change of several cannot be made. */
  | { kind: 'unfit'; error: ToolError; line: Line }
  /** What became of each of several changes; `confirmed`: absent where there was nothing to send. */
  | { kind: 'several'; all: readonly Made[]; confirmed?: { by: ConfirmedBy } };

export const isOpen = (change: Judged): change is Open => !('end' in change);

/** `changes[3]`, as a refusal names it. */
export const placeOf = (at: number): string => `changes[${at}]`;

/** Does it end a set that stops at a failure? */
export function fails(end: MadeEnd): boolean {
  return end.kind === 'unsent' ? end.fails : end.kind === 'failed' || end.kind === 'refused';
}
