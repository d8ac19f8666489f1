/**
 * The steps of a write from the look at its record to its end, in their order. A write by itself is a set of one; each change of
 * several passes the same steps, with one question for all:
 *
 *     judge each → ask once → of each, in order: look again → count → send on record
 *
 * What is so already falls out, and so does what has changed since the person was asked.
 */
import { type OwnError, refuse, type ToolError } from '../../../definition/failure.ts';
import { listed } from '../../../words/summary.ts';
import { type Confirmed, giveUp, noteEnd, takeUp } from '../ask/agreements.ts';
import { ask, isAnswering, saysNo, takeNo } from '../ask/ask.ts';
import { canonicalJson, digestsOf } from '../ask/signed-state.ts';
import { recordRefused } from '../audit/audit-recorder.ts';
import type { WriteParts } from '../parts.ts';
import {
  type ChangeSet,
  fails,
  isOpen,
  type Judged,
  type Line,
  type Made,
  type MadeEnd,
  type Open,
  placeOf,
  type Requests,
  type Seen,
  type SetOutcome,
} from '../set.ts';
import { checkBudget, endDryRun, endIdle, limitAmounts, limitPrompt, refuseValues, takeBudget } from './limits.ts';
import { foreseen } from './looks.ts';
import { factOf, factsOf, planOf, promptOf } from './prompt.ts';
import { sendOnRecord } from './send.ts';

/**
 * Nothing before `sendOnRecord` changes the account, and that sends each change once, and nothing else.
 * Throws PathValueError, before anything happened, for an id that cannot be part of a path.
 */
export async function carryOut(parts: WriteParts, set: ChangeSet, requests: Requests): Promise<SetOutcome> {
  const { write } = set;
  // A person may decline whatever the record shows now, so the record is not read; the question cannot be answered again.
  if (saysNo(parts, write)) return takeNo(parts, write);
  const changes = await judgeEach(parts, set);
  const open = changes.filter(isOpen);
  const prompt = promptOf(set, changes);
  const ending =
    endJudged(parts, set, changes) ??
    (await limitAmounts(parts, write, writesOf(open))) ??
    (await limitPrompt(parts, set, changes)) ??
    endDryRun(set, prompt.question, open) ??
    (await checkBudget(parts, write, writesOf(open)));
  if (ending !== null) {
    await giveUp(parts, write, ending);
    return ending;
  }
  const decision = await ask(parts, write, prompt);
  if (decision.kind !== 'confirmed') return decision;
  const outcome = (await takeUp(parts, write, decision)) ?? (await makeEach(parts, set, changes, decision, requests));
  await noteEnd(parts, write, decision, outcome.kind === 'several' ? outcome.all.map(({ end }) => end) : [outcome]);
  return outcome;
}

const writesOf = (open: readonly Open[]) => open.map(({ write }) => write);

/** Each change is judged against its record as the earlier changes of the set leave it. */
async function judgeEach(parts: WriteParts, { changes }: ChangeSet): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { seen, ...line } of changes) {
    const now = seen.kind === 'open' ? { ...seen, write: foreseen(judged, line, seen.write) } : seen;
    judged.push(await judge(parts, line, now));
  }
  return judged;
}

/** A change by itself. */
async function judge(parts: WriteParts, { at, call }: Line, seen: Seen): Promise<Judged> {
  if (seen.kind !== 'open') return { at, call, end: seen };
  const { write } = seen;
  const end = (await refuseValues(parts, write)) ?? endIdle(write) ?? (await limitAmounts(parts, write));
  return end === null ? { at, call, write, plan: planOf(parts, write) } : { at, call, end };
}

/** Nobody is asked where a change cannot be made, or where all are so already. */
function endJudged(parts: WriteParts, set: ChangeSet, judged: readonly Judged[]) {
  const ends = judged.flatMap(change => (isOpen(change) ? [] : [change]));
  const [first] = ends;
  if (set.changes.length === 1) return first?.end ?? null;
  // An answer to the question about a set is taken: what cannot be made by now falls out.
  if (isAnswering(parts, set.write)) return null;
  const unfit = ends.flatMap(({ end, ...line }) => (end.kind === 'refused' ? [{ line, error: end.error }] : []));
  if (ends.length < judged.length || unfit.length > 0) return unfitSet(set, unfit);
  return { kind: 'several' as const, all: ends.map(left) };
}

/** Refuses a set whole, with the first line that cannot be made and the places of the others; null where there is none. */
function unfitSet({ write }: ChangeSet, unfit: readonly { line: Line; error: ToolError }[]): SetOutcome | null {
  const [first, ...others] = unfit;
  if (first === undefined) return null;
  const { line, error } = first;
  const places = others.map(each => placeOf(each.line.at));
  const said =
    places.length === 0 ? error.message : `${error.message.replace(/[.!?]$/, '')}; refused too: ${listed(places, 30)}`;
  return { kind: 'unfit', line, error: { ...error, message: `${write.tool.name}: ${placeOf(line.at)}: ${said}` } };
}

const left = (change: Exclude<Judged, Open>): Made => ({ line: change, end: endOf(change) });

/** What falls out after the person agreed: it is so by now, or cannot be made any more. */
function endOf({ end }: Exclude<Judged, Open>): MadeEnd {
  return end.kind === 'idle' ? end : { kind: 'unsent', error: end.error, fails: true };
}

async function makeEach(
  parts: WriteParts,
  set: ChangeSet,
  changes: readonly Judged[],
  confirmed: Confirmed,
  requests: Requests,
): Promise<Extract<SetOutcome, { kind: 'several' }> | Exclude<MadeEnd, { kind: 'unsent' }>> {
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0 && isOpen(only)) return send(parts, only, confirmed, requests);
  const all: Made[] = [];
  for (const change of changes) {
    change.call.context.progress?.(`Change ${change.at + 1} of ${changes.length}`);
    all.push({ line: change, end: await makeNext(parts, set, change, confirmed, all, requests) });
  }
  return { kind: 'several', all, confirmed };
}

/** A change of several: looked at again, because others were sent before it, and compared with what was approved. */
async function makeNext(
  parts: WriteParts,
  set: ChangeSet,
  change: Judged,
  confirmed: Confirmed,
  earlier: readonly Made[],
  requests: Requests,
): Promise<MadeEnd> {
  if (!isOpen(change)) return endOf(change);
  const objection = objectionTo(parts, set, change, confirmed, earlier);
  if (objection !== null) return leaveOut(parts, change, objection);
  const now = await judge(parts, change, await requests.lookAgain(change));
  if (!isOpen(now)) return endOf(now);
  const [was, is] = [change, now].map(({ write }) => canonicalJson(factsOf(write)));
  if (was === is) return send(parts, now, confirmed, requests, `.${change.at + 1}`);
  const lost = change.write.sight === 'seen' && now.write.sight === 'unseen';
  return leaveOut(parts, now, leftOut(lost ? 'record_unseen' : 'record_changed'));
}

const leftOut = (code: 'record_changed' | 'record_unseen') => refuse(code, { case: 'set' });

/** Why a change that was agreed to is not sent; null where it may be. */
function objectionTo(
  parts: WriteParts,
  set: ChangeSet,
  change: Open,
  { shown }: Confirmed,
  earlier: readonly Made[],
): OwnError | null {
  const failure = set.goesOn ? undefined : earlier.find(({ end }) => fails(end));
  if (failure !== undefined) return refuse('set_stopped', { number: failure.line.at + 1 });
  if (set.write.signal?.aborted) return refuse('cancelled', { case: 'set' });
  const name = factOf(change);
  // Nothing was shown where nobody was asked.
  if (shown === undefined) return null;
  return shown[name] === digestsOf({ [name]: factsOf(change.write) }, parts)[name] ? null : leftOut('record_changed');
}

async function leaveOut(parts: WriteParts, { write }: Open, error: OwnError): Promise<MadeEnd> {
  await recordRefused(parts, write, error);
  return { kind: 'unsent', error, fails: error.code === 'record_unseen' };
}

/** `part`: of a set, what its place adds to the id of the question on the audit log. */
async function send(
  parts: WriteParts,
  change: Open,
  { by, answered }: Confirmed,
  { send, lookAfter }: Requests,
  part = '',
): Promise<Exclude<MadeEnd, { kind: 'unsent' }>> {
  const { write, plan } = change;
  const id = answered && `${answered.id}${part}`;
  return (
    (await takeBudget(parts, write)) ??
    (await sendOnRecord(
      parts,
      { write, plan, by, id },
      () => send(change, write),
      lookAfter && (() => lookAfter(change)),
    ))
  );
}
