/**
 * What can end a write before anyone is asked, and the budget of writes that is counted once someone has agreed. Most give
 * the error that refuses the write, or null where it goes on; `endWith` records it in the audit log and ends the write.
 */
import Big from 'big.js';
import { dateTimesIn } from '../../../definition/argument-fields.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';
import { isFilled, isNothing } from '../../../words/default-fields.ts';
import { withoutOffset, zoneOf } from '../../../words/zoned-times.ts';
import { added, type DaySum, dayMs, dayOf, type Sums } from '../ask/write-stores.ts';
import { namesOf, recordRefused } from '../audit/receipt.ts';
import { checkAmounts, inWords, sumOfAmounts } from '../fields/amounts.ts';
import { compareRequest, earlierFields, requestedFields } from '../fields/compare.ts';
import type { WriteParts } from '../parts.ts';
import type { ChangeSet, Open } from '../set.ts';
import { dropped } from './prompt.ts';

type Refused = Extract<WriteOutcome, { kind: 'refused' }>;

/** Ends a write with this error, which stands on the audit log; null where there is none. */
export async function endWith(parts: WriteParts, write: WriteCall, error: OwnError | null): Promise<Refused | null> {
  if (error === null) return null;
  await recordRefused(parts, write, error);
  return { kind: 'refused', error };
}

/** Ends a write where the record has every value already, and nothing would be lost. */
export function endIdle(write: WriteCall): Extract<WriteOutcome, { kind: 'idle' }> | null {
  const fields = idleFields(write);
  return fields === null ? null : { kind: 'idle', fields };
}

type DryRun = Extract<WriteOutcome, { kind: 'dry_run' }>;

/** Ends a dry run: with the requests as they would be sent, and the question. */
export function endDryRun({ write, changes }: ChangeSet, question: string, open: readonly Open[]): DryRun | null {
  if (!write.control.dry_run) return null;
  const [only] = open;
  if (changes.length === 1 && only !== undefined) return { kind: 'dry_run', plan: only.plan };
  const requests = open.map(({ plan: { method, path, body } }) => ({ method, path, body }));
  return { kind: 'dry_run', plan: { question, requests } };
}

/** Why the service could only refuse the write, or which date-time has no offset; null where neither is so. */
export function invalidValue(write: WriteCall): OwnError | null {
  const { tool, args, reading, known, room = null, accountNow = write.now } = write;
  const seen = reading === 'read' ? known : room;
  const problem = ambiguousTime(write) ?? tool.change.refuses?.(args, seen, accountNow) ?? null;
  return problem && refuse('invalid_arguments', { case: 'value', tool: tool.name, ...problem });
}

/** A date-time without an offset: no one knows which instant it is. */
function ambiguousTime({ tool, args, known }: WriteCall): { argument: string; message: string } | null {
  for (const { argument, value } of dateTimesIn(tool, args)) {
    const message = withoutOffset(value, zoneOf(known));
    if (message !== null) return { argument, message };
  }
  return null;
}

/**
 * The refusal of more money than the setting or the caller's role allows, each change by itself and all added up, or of
 * amounts that the day's limit cannot judge; null where there is none.
 */
export function amountsBeyond(write: WriteCall, changes: readonly WriteCall[] = [write]): OwnError | null {
  for (const limits of write.access.amounts) {
    const verdict = checkAmounts(write, limits, changes);
    if (verdict !== true) return verdict;
  }
  const sums = changes.flatMap(change => change.access.dayAmounts.map(limits => sumOfAmounts(change, limits)));
  return sums.find(sum => 'code' in sum) ?? null;
}

/** The refusal by the budget of writes or of the day, before anyone is asked; null where there is none. */
export async function beyondBudgets(
  parts: WriteParts,
  write: WriteCall,
  changes: readonly WriteCall[],
): Promise<OwnError | null> {
  const writes = Math.max(1, changes.length);
  return (await beyondBudget(parts, write, 'wait', writes)) ?? (await dayExcess(parts, write, changes));
}

/** `take` counts the write, which someone has agreed to by then. */
export async function beyondBudget(
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

/** The requested fields, when the record has every value already and the write would lose nothing; else null. */
function idleFields(call: Pick<WriteCall, 'tool' | 'args' | 'request' | 'known' | 'reading'>): string[] | null {
  const { tool, args, request, known, reading } = call;
  if (reading !== 'read' || known === null || tool.effect !== 'write' || tool.endpoint.startsWith('POST ')) return null;
  if (dropped(tool.change.warnings(args, known)).length > 0) return null;
  const { applied, not_applied, not_shown } = compareRequest(tool, request, known, 'idle');
  if (not_applied.length + not_shown.length > 0) return null;
  // What is replaced as a whole must not hold more than is sent.
  const earlier = earlierFields(tool, request, known);
  const requested = requestedFields(tool, request);
  const holds = (field: string): boolean => replacesAll(fieldOf(requested, field), fieldOf(earlier, field));
  return applied.every(holds) ? applied : null;
}

/** Does the value, which compares as equal, hold every part of the earlier one? */
function replacesAll(value: unknown, earlier: unknown): boolean {
  if (Array.isArray(earlier)) return Array.isArray(value) && earlier.every((entry, at) => holdsEntry(value, entry, at));
  if (!isObject(earlier)) return true;
  return (
    isObject(value) &&
    // An entry's id counts only where it is sent: without one, the same entry is stored again.
    Object.keys(earlier).every(key =>
      Object.hasOwn(value, key) ? replacesAll(fieldOf(value, key), fieldOf(earlier, key)) : key === 'id',
    )
  );
}

/** An entry that is sent with an id keeps what it does not name; one without is stored again, with nothing else. */
function holdsEntry(values: readonly unknown[], entry: unknown, at: number): boolean {
  if (!isObject(entry)) return values.includes(entry);
  const sent = values[at];
  if (!isObject(sent)) return false;
  const { id, svc_id } = membersOf<'id' | 'svc_id'>(sent);
  if (id !== undefined || svc_id !== undefined) return true;
  return Object.keys(entry).every(
    key =>
      Object.hasOwn(sent, key) ||
      storedOnly.test(key) ||
      !isFilled(fieldOf(entry, key)) ||
      isNothing(fieldOf(entry, key)),
  );
}

/** Fields of a stored entry that no write sets. */
const storedOnly = /^(?:id|status|created_at|updated_at|svc_.+)$/;

/*
 * `BILLING_MAX_AMOUNT_PER_DAY`: what the writes of one caller may name in a day (UTC), all together. A write is counted once
 * its first line is on the audit log and before it is sent, and given back where it surely changed nothing.
 */

/** What the write counts; undefined where no day's limit holds, or where it names no amount. */
export function countedInDay(write: WriteCall): DaySum | undefined {
  const [limits] = write.access.dayAmounts;
  const sums = limits === undefined ? undefined : sumOfAmounts(write, limits);
  if (sums === undefined || 'code' in sums || sums.size === 0) return undefined;
  const amounts = Object.fromEntries([...sums].map(([currency, amount]) => [currency, amount.toFixed()]));
  return { day: dayOf(write.now), amounts };
}

/** Why the amounts of all changes together do not fit into the day; counts nothing. */
async function dayExcess(parts: WriteParts, write: WriteCall, changes: readonly WriteCall[]): Promise<OwnError | null> {
  const counted = changes.map(countedInDay).filter(sum => sum !== undefined);
  if (counted.length === 0) return null;
  const amounts = counted.reduce((sums, sum) => added(sums, sum.amounts), {} as Sums);
  const before = await parts.stores.days.look(namesOf(parts, write).caller, write.now).catch(() => null);
  return before === null ? unknownSum(write) : excess(write, amounts, before);
}

/** Gives the amounts back. Never rejects: else they stay counted. */
type Release = () => Promise<void>;

/** Counts the write's amounts; or why they do not fit. `id`: as on the audit log. */
export async function takeOfDay(parts: WriteParts, write: WriteCall, id: string): Promise<Release | OwnError> {
  const counted = countedInDay(write);
  if (counted === undefined) return async () => {};
  const { days } = parts.stores;
  const { caller } = namesOf(parts, write);
  const { day, amounts } = counted;
  const fits = (before: Sums) => excess(write, amounts, { day, amounts: before }) === null;
  const sum = await days.take({ caller, id, amounts, now: write.now, fits }).catch(() => null);
  if (sum === null) return unknownSum(write);
  if (sum.taken) return () => days.release(caller, { day: sum.day, amounts }).catch(() => {});
  return excess(write, amounts, sum) ?? unknownSum(write);
}

function unknownSum({ tool }: WriteCall): OwnError {
  return refuse('write_budget_unavailable', { case: 'day', tool: tool.name });
}

/** The refusal of a write that does not fit; null where it does. */
function excess(call: WriteCall, amounts: Sums, { day, amounts: before }: DaySum): OwnError | null {
  for (const { largest, statedBy } of call.access.dayAmounts) {
    for (const [currency, amount] of Object.entries(amounts)) {
      const limit = new Big(largest.get(currency) ?? 0);
      const rest = limit.minus(before[currency] ?? 0);
      if (rest.gte(amount)) continue;
      const left = rest.lt(0) ? new Big(0) : rest;
      return refuse('day_limit', {
        tool: call.tool.name,
        currency,
        statedBy,
        amount: inWords(new Big(amount), currency),
        limit: inWords(limit, currency),
        left: { words: inWords(left, currency), decimal: left.toFixed() },
        next: `${dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + dayMs))}T00:00:00Z`,
      });
    }
  }
  return null;
}
