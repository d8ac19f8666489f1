/** A write from its lines to its answer: looks at the records, carries out what may be, and says how it ended. */

import type { ReadAnswer } from '../../definition/api.ts';
import { effectReadOf } from '../../definition/argument-fields.ts';
import type { WriteTool } from '../../definition/define.ts';
import type { ToolError } from '../../definition/failure.ts';
import type { WriteCall } from '../../definition/write-call.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Reading } from '../api/meant.ts';
import { failed, writeOf } from '../call/call.ts';
import { type Call, type ChangingCall, type Outcome, timeFor } from '../call/context.ts';
import { presentWrite } from './answer.ts';
import { saysNo } from './ask/ask.ts';
import { cameBack } from './ask/signed-state.ts';
import type { WriteParts } from './parts.ts';
import type { ChangeSet, Line, Requests, Seen, SetOutcome } from './set.ts';
import { carryOut } from './steps/carry-out.ts';
import { type LookNeeds, lookAfter, lookAt, lookAtAll, writeWith } from './steps/looks.ts';

export interface WriteNeeds extends LookNeeds {
  parts: WriteParts;
  config: Config;
  /** The longest that a read around a write may delay it, in milliseconds. */
  searchMs: number;
  readingFor(call: Call, mostMs: number): Reading;
  /** Adds the ids that may have been meant to the error of a record that was not found. */
  suggest(call: Call, error: ToolError): Promise<ToolError>;
}

/** `lines`: the changes of the call; of a write by itself the call is its one change. */
export async function runWrite(needs: WriteNeeds, call: Call, lines: readonly Line[]): Promise<Outcome> {
  const changes = await seenChanges(needs, call, lines);
  const [only, ...others] = changes;
  const seen: Seen | undefined = others.length === 0 ? only?.seen : undefined;
  // A look that failed leaves the account as it was, whatever the tool does.
  if (seen?.kind === 'refused') return failed(call, await needs.suggest(call, seen.error), 'refused');
  const write = seen?.kind === 'open' ? seen.write : wholeOf(call, lines, needs.config);
  const effect = { before: null as ReadAnswer | null };
  const set: ChangeSet = { write, changes, goesOn: call.args.on_failure === 'continue' };
  const outcome = await carryOut(needs.parts, set, requestsOf(needs, call, effect));
  if (others.length > 0) call.attempts = lines.reduce((sum, line) => sum + line.call.attempts, 0);
  const suggested = await withSuggestion(needs, call, outcome);
  const beside =
    suggested.kind === 'done' ? await besideWrite(needs, call as ChangingCall, write, effect.before) : undefined;
  return presentWrite(needs.config, call, write, suggested, beside);
}

async function seenChanges(needs: WriteNeeds, call: Call, lines: readonly Line[]): Promise<ChangeSet['changes']> {
  const unread = () =>
    lines.map(line => ({
      ...line,
      seen: { kind: 'open' as const, write: writeWith(needs, call, line.call, { kind: 'off' }) },
    }));
  if (saysNo(needs.parts, call.context)) return unread();
  const changes = await lookAtAll(needs, call, lines);
  // A yes whose call was cancelled meanwhile is still put on record; nothing is sent for it.
  const { context, control } = call;
  const answering = cameBack({ ...context, confirmation: control.confirmation }, needs.parts) !== undefined;
  const [only, ...others] = changes;
  const cancelled = context.signal?.aborted && others.length === 0 && only?.seen.kind === 'refused';
  return answering && cancelled ? unread() : changes;
}

/** The set as the question knows it: bound to its changes as they are understood, however they were written. */
function wholeOf(call: Call, lines: readonly Line[], config: Config): WriteCall {
  const changes = lines.map(line => ({ tool: line.call.tool.name, arguments: line.call.args }));
  const args = { changes, on_failure: call.args.on_failure ?? 'stop' };
  // A set is asked about like a write, and sends nothing itself.
  const tool = call.tool as WriteTool;
  return writeOf({ ...call, tool, args, request: { body: { changes } } }, { kind: 'off' }, config);
}

/** `effect.before`: what is read right before a write by itself, to tell its effect. */
function requestsOf(needs: WriteNeeds, call: Call, effect: { before: ReadAnswer | null }): Requests {
  return {
    send: async (line, write) => {
      if (line.call === call) effect.before = await readAround(needs, line.call, write);
      return needs.door.send(line.call, write.known);
    },
    lookAgain: line => lookAt(needs, call, line),
    lookAfter: line => lookAfter(needs, line.call),
  };
}

/** On record as the service said it; the ids are for the next call. */
async function withSuggestion(needs: WriteNeeds, call: Call, outcome: SetOutcome): Promise<SetOutcome> {
  if (outcome.kind === 'failed') return { ...outcome, error: await needs.suggest(call, outcome.error) };
  if (outcome.kind === 'unfit')
    return { ...outcome, error: { ...(await needs.suggest(outcome.line.call, outcome.error)), changed: false } };
  return outcome;
}

/**
 * What is read right before and right after a write, to tell its effect. The write waits for it no longer than for a
 * suggestion, goes on without it, and is never repeated for it.
 */
async function readAround(
  needs: WriteNeeds,
  call: ChangingCall,
  { sight, known }: WriteCall,
): Promise<ReadAnswer | null> {
  const effect = effectReadOf(call.tool.input, call.args);
  if (effect === undefined || known === null || sight !== 'seen') return null;
  // Half of the time is left for the write itself.
  const mostMs = Math.min(needs.searchMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
  const reading = needs.readingFor(call, mostMs);
  // A fault of these reads must not become one of the write.
  return reading(async api => (await effect.read(api, known)) ?? null).catch(() => null);
}

/** Both answers; undefined where there was nothing to read before the write. */
async function besideWrite(needs: WriteNeeds, call: ChangingCall, write: WriteCall, before: ReadAnswer | null) {
  if (before === null) return undefined;
  return { aroundBefore: before, aroundAfter: before.ok ? await readAround(needs, call, write) : before };
}
