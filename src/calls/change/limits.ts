/**
 * What can end a write before anybody is asked, and the budget of writes that is counted once somebody has agreed. Each step
 * gives how the write ends, or null where it goes on. What is refused stands on the audit log.
 */
import { dateTimesIn } from '../../tool/date-times.ts';
import { type OwnError, refuse } from '../../tool/failure.ts';
import type { WriteCall, WriteOutcome } from '../../tool/write-call.ts';
import { withoutOffset, zoneOf } from '../../words/zoned-times.ts';
import { checkAmounts } from '../policy/amounts.ts';
import { recordRefused } from '../policy/audit-recorder.ts';
import { dayExcess, unjudgedInDay } from '../policy/day-limit.ts';
import { idleFields } from '../policy/idle-write.ts';
import { isAsked } from './ask.ts';
import type { WriteParts } from './parts.ts';
import { beyondReading } from './prompt.ts';
import type { ChangeSet, Judged, Open } from './set.ts';

type Refused = Extract<WriteOutcome, { kind: 'refused' }>;

async function endWith(parts: WriteParts, write: WriteCall, error: OwnError | null): Promise<Refused | null> {
  if (error === null) return null;
  await recordRefused(parts, write, error);
  return { kind: 'refused', error };
}

/** Ends a write that the service could only refuse, and one with a date-time without an offset. */
export function refuseValues(parts: WriteParts, write: WriteCall): Promise<Refused | null> {
  return endWith(parts, write, hopelessValue(write));
}

/** Ends a write where the record has every value already, and nothing would be lost. */
export function endIdle(write: WriteCall): Extract<WriteOutcome, { kind: 'idle' }> | null {
  const fields = idleFields(write);
  return fields === null ? null : { kind: 'idle', fields };
}

/** Ends a write of more money than the setting or the caller's role allows: each change by itself, and all added up. */
export function limitAmounts(
  parts: WriteParts,
  write: WriteCall,
  changes: readonly WriteCall[] = [write],
): Promise<Refused | null> {
  return endWith(parts, write, amountsBeyond(write, changes));
}

/** Ends a write whose question is too long for a person to read. */
export async function limitPrompt(
  parts: WriteParts,
  set: ChangeSet,
  judged: readonly Judged[],
): Promise<Refused | null> {
  return isAsked(parts, set.write) ? endWith(parts, set.write, beyondReading(set, judged)) : null;
}

type DryRun = Extract<WriteOutcome, { kind: 'dry_run' }>;

/** Ends a dry run: with the requests as they would be sent, and the question. */
export function endDryRun({ write, changes }: ChangeSet, question: string, open: readonly Open[]): DryRun | null {
  if (!write.dryRun) return null;
  const [only] = open;
  if (changes.length === 1 && only !== undefined) return { kind: 'dry_run', plan: only.plan };
  const requests = open.map(({ plan: { method, path, body } }) => ({ method, path, body }));
  return { kind: 'dry_run', plan: { question, requests } };
}

/** Ends what the budget of writes or of the day would refuse, so that nobody is asked about it. */
export async function checkBudget(
  parts: WriteParts,
  write: WriteCall,
  changes: readonly WriteCall[],
): Promise<Refused | null> {
  const writes = Math.max(1, changes.length);
  return endWith(
    parts,
    write,
    (await beyondBudget(parts, write, 'wait', writes)) ?? (await dayExcess(parts, write, changes)),
  );
}

/** Counts the write, which somebody has agreed to by now. */
export async function takeBudget(parts: WriteParts, write: WriteCall): Promise<Refused | null> {
  return endWith(parts, write, await beyondBudget(parts, write, 'take'));
}

/** The record as it was read for this call, or what else was. */
function seen({ sight, known, room = null }: WriteCall): object | null {
  return sight === 'seen' ? known : room;
}

function hopelessValue(write: WriteCall): OwnError | null {
  const problem =
    vagueTime(write) ?? write.tool.change.refuses?.(write.args, seen(write), write.accountNow ?? write.now) ?? null;
  return problem && refuse('invalid_arguments', { case: 'value', tool: write.tool.name, ...problem });
}

/** A date-time without an offset: nobody knows which instant it is. */
function vagueTime({ tool, args, known }: WriteCall): { argument: string; message: string } | null {
  for (const { argument, value } of dateTimesIn(tool, args)) {
    const message = withoutOffset(value, zoneOf(known));
    if (message !== null) return { argument, message };
  }
  return null;
}

function amountsBeyond(write: WriteCall, changes: readonly WriteCall[]): OwnError | null {
  for (const limits of write.access.amounts) {
    const verdict = checkAmounts(write, limits, changes);
    if (verdict !== true) return verdict;
  }
  return changes.map(unjudgedInDay).find(error => error !== null) ?? null;
}

async function beyondBudget(
  { stores: { window }, settings: { maxWritesPerMinute: limit } }: WriteParts,
  write: WriteCall,
  step: 'wait' | 'take',
  writes = 1,
): Promise<OwnError | null> {
  const tool = write.tool.name;
  if (writes > limit && writes > 1) return refuse('write_budget', { case: 'set', tool, limit, writes });
  try {
    // Room for so many is room for the last of them.
    const waitMs = await window[step](write.caller.id, limit - (writes - 1));
    const seconds = Math.ceil(waitMs / 1000);
    return waitMs > 0 ? refuse('write_budget', { case: 'wait', tool, limit, seconds }) : null;
  } catch {
    return refuse('write_budget_unavailable', { case: 'writes', tool });
  }
}
