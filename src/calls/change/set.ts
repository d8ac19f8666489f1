/**
 * The changes of a set on their way, and what is seen of their records before anyone is asked and after an answer that was lost:
 * which can be made, are made already, or cannot be. A write by itself is a set of one.
 */

import { codeLister } from '../../../tools/listers.ts';
import type { ConfirmLevel } from '../../contract/confirm-levels.ts';
import type { Api, UpstreamAnswer } from '../../definition/api.ts';
import type { ConfirmedBy, EditableValue } from '../../definition/asking.ts';
import {
  type Arguments,
  argumentsUnderNewCode,
  isAboutNoRecord,
  madeRecord,
  type WriteTool,
} from '../../definition/define.ts';
import type { ToolError } from '../../definition/failure.ts';
import type { RecordReading, WriteCall, WriteOutcome } from '../../definition/write-call.ts';
import { isObject } from '../../lib/json.ts';
import type { Door } from '../api/api.ts';
import { isMissingPath } from '../api/availability.ts';
import { unknownCode } from '../api/meant.ts';
import { type Call, type ChangingCall, timeFor, withinTime, writeOf } from '../call/call.ts';
import { shownTo } from './ask/signed-state.ts';
import { compareRequest } from './fields/compare.ts';
import type { WriteParts } from './parts.ts';

/** What the user is told. */
export interface Spoken {
  question: string;
  warnings: string[];
}

/** What the user is asked. */
export interface Prompt extends Spoken {
  /** What the write sets, shows or replaces, as it is now, by field; empty where the record was not seen. */
  facts: object;
  /** Each of the facts is of one change of a set: what has changed since falls out, and no one is asked again. */
  partly?: boolean;
  /** How strictly it is confirmed; absent where the record was not read for it. */
  level?: ConfirmLevel | undefined;
  /** What the user has to type to approve it; absent where a yes is enough. */
  typed?: string | undefined;
  /** The values that the user can correct. */
  values?: readonly EditableValue[];
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

/** A change that the user is asked about. */
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
  lookAfter?(line: Line): Promise<RecordReading>;
}

/** A change with what became of it. */
export interface ChangeResult {
  /** With the write as it was approved, of a change that could be made. */
  line: Line & Partial<Pick<Open, 'write'>>;
  end: ChangeEnd;
}

/** `unsent`: left out after the user agreed; `fails`: does that end a set which stops at a failure? */
export type ChangeEnd =
  | Extract<WriteOutcome, { kind: 'done' | 'failed' | 'refused' }>
  | Extract<Seen, { kind: 'idle' }>
  | { kind: 'unsent'; error: ToolError; fails: boolean };

/** How a set ended. Of one change as a write ends. */
export type SetOutcome =
  | WriteOutcome
  /** No one was asked, because this change of several cannot be made. */
  | { kind: 'invalid_set'; error: ToolError; line: Line }
  /** What became of each of several changes; `confirmed`: absent where there was nothing to send. */
  | { kind: 'several'; all: readonly ChangeResult[]; confirmed?: { by: ConfirmedBy } };

export const isOpen = (change: Judged): change is Open => !('end' in change);

/** `changes[3]`, as a refusal names it. */
export const placeOf = (at: number): string => `changes[${at}]`;

/** Does it end a set that stops at a failure? */
export function fails(end: ChangeEnd): boolean {
  return end.kind === 'unsent' ? end.fails : end.kind === 'failed' || end.kind === 'refused';
}

/** What looks need. */
export interface LookNeeds {
  door: Door;
  /** The longest that a look may take, in milliseconds. */
  lookMs: number;
  parts: Pick<WriteParts, 'key' | 'settings'>;
}

/** So many records are read at a time, so that a set leaves places to other calls. */
const atOnce = 5;

/** `set`: the call whose changes these are; of one change that call itself. */
export async function lookAtAll(needs: LookNeeds, set: Call, lines: readonly Line[]): Promise<ChangeSet['changes']> {
  const readings: RecordReading[] = [];
  for (let from = 0; from < lines.length; from += atOnce) {
    const part = lines.slice(from, from + atOnce);
    readings.push(...(await Promise.all(part.map(({ call }) => readRecord(needs, call)))));
  }
  const changes: (Line & { seen: Seen })[] = [];
  for (const [index, line] of lines.entries())
    changes.push({ ...line, seen: await seenAs(needs, set, line, readings[index] as RecordReading) });
  return changes;
}

/** Looks at the record as it is now. */
export async function lookAt(needs: LookNeeds, set: Call, line: Line): Promise<Seen> {
  return seenAs(needs, set, line, await readRecord(needs, line.call));
}

/** Each change has the time of a call for itself. */
function readRecord(needs: LookNeeds, call: ChangingCall): Promise<RecordReading> {
  call.deadline = performance.now() + needs.parts.settings.timeoutMs;
  call.request = call.tool.change.request(call.args);
  return lookBefore(needs, call);
}

/** The change with what was seen; of a set, a creation or a deletion that happened before is so already. */
async function seenAs(needs: LookNeeds, set: Call, { call }: Line, reading: RecordReading): Promise<Seen> {
  const several = call !== set;
  if (reading.kind === 'refused')
    return (
      (several ? await madeAlready(needs, call, reading.error) : null) ?? {
        kind: 'refused',
        error: { ...reading.error, changed: false },
      }
    );
  const { [madeRecord]: made }: { [madeRecord]?: object | null } = reading.kind === 'read' ? reading.record : {};
  if (several && isObject(made) && isShown(call, made)) return { kind: 'idle', fields: [], why: 'it already exists' };
  return { kind: 'open', write: writeWith(needs, set, call, reading) };
}

/** The write as it is sent to the record that was seen. */
export function writeWith(
  { parts }: Pick<LookNeeds, 'parts'>,
  set: Call,
  call: ChangingCall,
  reading: Exclude<RecordReading, { kind: 'refused' }>,
): WriteCall {
  if (reading.kind === 'read') call.request = call.tool.change.request(call.args, reading.record);
  const write = writeOf(call, reading, parts.settings);
  // The audit log names for each change of a set the one question that was shown.
  return call === set ? write : { ...write, shown: shownTo(set, parts) };
}

/** Is it so already, where no record answers to the id: deleted before, or under its new code? */
async function madeAlready(needs: LookNeeds, call: ChangingCall, error: ToolError): Promise<Seen | null> {
  const { tool, args } = call;
  if (error.code !== `${tool.result}_not_found`) return null;
  if (tool.effect === 'delete') return { kind: 'idle', fields: [], why: 'it does not exist' };
  const renamed = argumentsUnderNewCode(args);
  if (renamed === null) return null;
  const reading = await lookBefore(needs, { ...call, args: renamed });
  const isSo = reading.kind === 'read' && isShown(call, reading.record);
  return isSo ? { kind: 'idle', fields: [], why: 'it already has the new code' } : null;
}

function isShown({ tool, request }: ChangingCall, record: object): boolean {
  const { applied, not_applied } = compareRequest(tool, request, record);
  return applied.length > 0 && not_applied.length === 0;
}

/** Never rejects but for a bug of the tool. Each call reads again: what an earlier call saw may be over. */
async function lookBefore(
  { lookMs, door }: Pick<LookNeeds, 'door' | 'lookMs'>,
  call: ChangingCall,
): Promise<RecordReading> {
  const { tool, args, context, access } = call;
  // Half of the time is left for the write itself, whatever the look takes.
  const mostMs = Math.min(lookMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
  return await withinTime(mostMs, context.signal, async signal => {
    const named = access.mayRead(codeLister) ? (tool.change.names?.(args) ?? {}) : {};
    const namesCodes = Object.values(named).some(codes => codes.length > 0);
    const api = door.of(call, { signal, look: true, keeps: true });
    const [reading, unknown] = await Promise.all([
      look(tool, args, api, () => context.signal?.aborted === true),
      namesCodes ? unknownCode(named, api) : null,
    ]);
    return reading.kind !== 'refused' && unknown !== null ? { kind: 'refused', error: unknown } : reading;
  });
}

/**
 * The same after a write whose outcome is not known, with time of its own, and also for a call that was cancelled:
 * what became of it is put on record.
 */
export async function lookAfter(
  { lookMs, door }: Pick<LookNeeds, 'door' | 'lookMs'>,
  call: ChangingCall,
): Promise<RecordReading> {
  const { tool, args } = call;
  return await withinTime(lookMs, undefined, async signal => {
    const api = door.of(call, { signal, deadline: performance.now() + lookMs, look: true });
    const reading = await look(tool, args, api, () => false);
    const renamed = reading.kind === 'refused' ? argumentsUnderNewCode(args) : null;
    return renamed === null ? reading : await look(tool, renamed, api, () => false);
  });
}

async function look(tool: WriteTool, args: Arguments, api: Api, cancelled: () => boolean): Promise<RecordReading> {
  const [shownBy, read] = tool.change.look;
  if (!api.mayUse(shownBy)) return { kind: 'unreadable' };
  const answer = await read(args, api);
  if (answer.ok) return { kind: 'read', record: answer.body };
  const { error } = answer;
  if (cancelled() || error.code === 'no_match' || error.status === 401) return { kind: 'refused', error };
  // A path that is missing came back as `lookup_unavailable`, with the same status.
  const isMissing = error.status === 404 && error.code !== 'lookup_unavailable' && !isMissingPath(error);
  return isMissing && !isAboutNoRecord(tool) ? { kind: 'refused', error } : { kind: 'unreadable' };
}
