/**
 * What can end a write before anybody is asked, and the budget of writes that is counted once somebody has agreed. Each step
 * gives how the write ends, or null where it goes on. What is refused stands on the audit log.
 */
import { dateTimesIn } from '../../tool/date-times.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall, WriteOutcome } from '../../tool/write-call.ts';
import { withoutOffset, zoneOf } from '../../words/zoned-times.ts';
import { checkAmounts, checkSum } from './amounts.ts';
import type { WriteRecorder } from './audit-recorder.ts';
import type { DayLimit } from './day-limit.ts';
import { idleFields } from './idle-write.ts';
import { beyondReading, type Plan } from './plan.ts';
import { budgetError, budgetStoreError, setBudgetError, valueError } from './refusals.ts';
import type { WriteStores } from './write-stores.ts';

/** How the write ends here; null where it goes on. */
type Ending = WriteOutcome | null;

export interface BeforeAsking {
  /** Ends a write that the service could only refuse, and one with a date-time without an offset. */
  refuseValues(call: WriteCall): Promise<Ending>;
  /** Ends a write where the record has every value already, and nothing would be lost. */
  endIdle(call: WriteCall): Ending;
  /** Ends a write of more money than the setting or the caller's role allows. */
  limitAmounts(call: WriteCall): Promise<Ending>;
  /** Ends a write whose question is too long for a person to read. */
  limitQuestion(call: WriteCall, plan: Plan): Promise<Ending>;
  endDryRun(call: WriteCall, plan: Plan): Ending;
  /** Ends a write, or a set of several, that the budget of writes or of the day would refuse, so that nobody is asked about it. */
  checkBudget(call: WriteCall, changes?: readonly WriteCall[]): Promise<Ending>;
  /** Ends a set whose amounts, added up, are more money than a write may name. */
  limitSum(set: WriteCall, changes: readonly WriteCall[]): Promise<Ending>;
  /** Ends a set whose question is too long to read. */
  limitSet(set: WriteCall, tooLong: () => OwnError | null): Promise<Ending>;
  /** Counts the write, which somebody has agreed to by now. */
  takeBudget(call: WriteCall): Promise<Ending>;
}

/** What the steps judge by. */
export interface WriteRules {
  /** Is somebody shown our question? */
  isAsked(call: WriteCall): boolean;
  maxWritesPerMinute: number;
  /** The writes of the last minute. */
  window: WriteStores['window'];
  dayLimit: Pick<DayLimit, 'judge' | 'check'>;
  recorder: Pick<WriteRecorder, 'refused'>;
}

export function createBeforeAsking(rules: WriteRules): BeforeAsking {
  const { recorder, dayLimit } = rules;
  const refuse = async (call: WriteCall, error: OwnError | null): Promise<Ending> => {
    if (error === null) return null;
    await recorder.refused(call, error);
    return { kind: 'refused', error };
  };
  return {
    refuseValues: call => refuse(call, hopelessValue(call)),
    endIdle(call) {
      const fields = idleFields(call);
      return fields === null ? null : { kind: 'idle', fields };
    },
    limitAmounts: call => refuse(call, amountBeyondLimits(call) ?? dayLimit.judge(call)),
    limitQuestion: (call, plan) => refuse(call, rules.isAsked(call) ? beyondReading(call, plan) : null),
    endDryRun: ({ dryRun }, plan) => (dryRun ? { kind: 'dry_run', plan } : null),
    limitSum: (set, changes) => refuse(set, sumBeyondLimits(set, changes)),
    limitSet: (set, tooLong) => refuse(set, rules.isAsked(set) ? tooLong() : null),
    checkBudget: async (call, changes = [call]) =>
      refuse(
        call,
        (await beyondBudget(call, 'wait', rules, Math.max(1, changes.length))) ?? (await dayLimit.check(call, changes)),
      ),
    takeBudget: async call => refuse(call, await beyondBudget(call, 'take', rules)),
  };
}

/** The record as it was read for this call, or what else was. */
function seen({ sight, known, room = null }: WriteCall): object | null {
  return sight === 'seen' ? known : room;
}

function hopelessValue(call: WriteCall): OwnError | null {
  const problem =
    vagueTime(call) ?? call.tool.change.refuses?.(call.args, seen(call), call.accountNow ?? call.now) ?? null;
  return problem === null ? null : valueError(call, problem);
}

/** A date-time without an offset: nobody knows which instant it is. */
function vagueTime({ tool, args, known }: WriteCall): { argument: string; message: string } | null {
  for (const { argument, value } of dateTimesIn(tool, args)) {
    const message = withoutOffset(value, zoneOf(known));
    if (message !== null) return { argument, message };
  }
  return null;
}

function amountBeyondLimits(call: WriteCall): OwnError | null {
  for (const limits of call.access.amounts) {
    const verdict = checkAmounts(call, limits);
    if (verdict !== true) return verdict;
  }
  return null;
}

function sumBeyondLimits(set: WriteCall, changes: readonly WriteCall[]): OwnError | null {
  for (const limits of set.access.amounts) {
    const verdict = checkSum(set, changes, limits);
    if (verdict !== true) return verdict;
  }
  return null;
}

async function beyondBudget(
  call: WriteCall,
  step: 'wait' | 'take',
  { window, maxWritesPerMinute: limit }: WriteRules,
  writes = 1,
): Promise<OwnError | null> {
  if (writes > limit && writes > 1) return setBudgetError(call, limit, writes);
  try {
    // Room for so many is room for the last of them.
    const waitMs = await window[step](call.caller.id, limit - (writes - 1));
    return waitMs > 0 ? budgetError(call, limit, waitMs) : null;
  } catch {
    return budgetStoreError(call);
  }
}
