/**
 * The steps of a write from the look at its record to its end, in their order. A write by itself is a set of one; each change of
 * several passes the same steps, with one question for all:
 *
 *     judge each → ask once → of each, in order: look again → count → send on record
 *     (`begun` on record, sent once, `completed` on record, and the receipt)
 *
 * What is so already falls out, and so does what has changed since the user was asked.
 */

import { randomUUID } from 'node:crypto';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { namesValues } from '../../../definition/argument-fields.ts';
import { type OwnError, refuse, type ToolError } from '../../../definition/failure.ts';
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { isObject } from '../../../lib/json.ts';
import { redactText } from '../../../words/safe-text.ts';
import { listed } from '../../../words/summary.ts';
import { type Confirmed, giveUp, noteEnd, takeUp } from '../ask/agreements.ts';
import { ask, recordDecline, saysNo } from '../ask/ask.ts';
import { editableValues } from '../ask/edits.ts';
import { cameBack, canonicalJson, digestsOf } from '../ask/signed-state.ts';
import { isAsked } from '../ask/ways-of-asking.ts';
import { type Completion, recordBegun, recordRefused, secretsOf, writeReceipt } from '../audit/receipt.ts';
import { requestedFields } from '../fields/compare.ts';
import { levelOfAll, typedText } from '../fields/kinds.ts';
import { type Finding, findingOf, inWords } from '../fields/lost-answer.ts';
import type { WriteParts } from '../parts.ts';
import {
  type ChangeEnd,
  type ChangeResult,
  type ChangeSet,
  fails,
  isOpen,
  type Judged,
  type Line,
  type Open,
  placeOf,
  type Requests,
  type Seen,
  type SetOutcome,
} from '../set.ts';
import * as limits from './limits.ts';
import { recordOf } from './lines.ts';
import { beyondReading, dropped, factOf, factsOf, planOf, promptOf } from './prompt.ts';

/**
 * Nothing before `sendOnRecord` changes the account, and that sends each change once, and nothing else.
 * Throws PathValueError, before anything happened, for an id that cannot be part of a path.
 */
export async function carryOut(parts: WriteParts, set: ChangeSet, requests: Requests): Promise<SetOutcome> {
  const { write } = set;
  // A user may decline whatever the record shows now, so the record is not read; the question cannot be answered again.
  if (saysNo(parts, write)) return recordDecline(parts, write);
  const changes = await judgeEach(parts, set);
  const open = changes.filter(isOpen);
  // Only rules by kind need the kinds of what the changes name.
  const usual = write.access.confirm.length === 0 && open.length > 0 ? parts.rules.plain : undefined;
  const level = usual ?? levelOfAll(parts, writesOf(open));
  const typed = level === 'typed' ? typedText(parts, writesOf(open), set.changes.length > 1) : undefined;
  const values = set.changes.length > 1 ? [] : writesOf(open).filter(namesValues).flatMap(editableValues);
  const prompt = { ...promptOf(set, changes), level, typed, values };
  const ending =
    endJudged(parts, set, changes) ??
    (await limits.endWith(parts, write, limits.amountsBeyond(write, writesOf(open)))) ??
    (await limits.endWith(parts, write, isAsked(parts, write, level) ? beyondReading(set, changes) : null)) ??
    limits.endDryRun(set, prompt.question, open) ??
    (await limits.endWith(parts, write, await limits.beyondBudgets(parts, write, writesOf(open))));
  if (ending !== null) {
    await giveUp(parts, write, ending);
    return ending;
  }
  const decision = await ask(parts, write, prompt);
  if (decision.kind !== 'confirmed') return decision;
  const making = { parts, set, confirmed: decision, requests };
  const outcome = (await takeUp(parts, write, decision)) ?? (await makeEach(making, changes));
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

/**
 * The write on its record with the plain values that the earlier changes give it, such as a currency. A value that the record
 * shows in another form stays as it was read: where a later prompt depends on it, the look before sending finds the difference.
 */
function foreseen(earlier: readonly Judged[], line: Line, write: WriteCall): WriteCall {
  const { tool, args, known } = write;
  const same = earlier.filter(isOpen).filter(other => recordOf(other.call) === recordOf(line.call));
  if (same.length === 0 || known === null || tool.endpoint.startsWith('POST ')) return write;
  const values = same
    .flatMap(other => Object.entries(requestedFields(other.write.tool, other.write.request)))
    .filter(([, value]) => !isObject(value) && !Array.isArray(value));
  const lost = same.flatMap(({ write: other }) => dropped(other.tool.change.warnings(other.args, known)));
  const record = { ...without(known, lost), ...Object.fromEntries(values) };
  return { ...write, known: record, request: tool.change.request(args, record) };
}

/** The record without what a change drops although no argument names it, such as the metrics that a wallet is limited to. */
function without(record: object, lost: readonly string[]): object {
  if (lost.length === 0) return record;
  const kept = (value: unknown) => (Array.isArray(value) ? value.filter(each => !lost.includes(each)) : value);
  const inner = (value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, kept(each)])) : value;
  return { ...record, ...Object.fromEntries(Object.entries(record).map(([name, value]) => [name, inner(value)])) };
}

/** A change by itself. */
async function judge(parts: WriteParts, { at, call }: Line, seen: Seen): Promise<Judged> {
  if (seen.kind !== 'open') return { at, call, end: seen };
  const { write } = seen;
  const end =
    (await limits.endWith(parts, write, limits.invalidValue(write))) ??
    limits.endIdle(write) ??
    (await limits.endWith(parts, write, limits.amountsBeyond(write)));
  return end === null ? { at, call, write, plan: planOf(parts, write) } : { at, call, end };
}

/** The user is not asked if a change is impossible, or if all are already in effect. */
function endJudged(parts: WriteParts, set: ChangeSet, judged: readonly Judged[]) {
  const ends = judged.flatMap(change => (isOpen(change) ? [] : [change]));
  const [first] = ends;
  if (set.changes.length === 1) return first?.end ?? null;
  // An answer to the question about a set is taken: what cannot be made by now falls out.
  if (cameBack(set.write, parts) !== undefined) return null;
  const rejected = ends.flatMap(({ end, ...line }) => (end.kind === 'refused' ? [{ line, error: end.error }] : []));
  if (ends.length < judged.length || rejected.length > 0) return refuseSet(set, rejected);
  return { kind: 'several' as const, all: ends.map(left) };
}

/** Refuses a set whole, with the first line that cannot be made and the places of the others; null where there is none. */
function refuseSet({ write }: ChangeSet, rejected: readonly { line: Line; error: ToolError }[]): SetOutcome | null {
  const [first, ...others] = rejected;
  if (first === undefined) return null;
  const { line, error } = first;
  const places = others.map(each => placeOf(each.line.at));
  const said =
    places.length === 0 ? error.message : `${error.message.replace(/[.!?]$/, '')}; also refused: ${listed(places, 30)}`;
  return {
    kind: 'invalid_set',
    line,
    error: { ...error, message: `${write.tool.name}: ${placeOf(line.at)}: ${said}` },
  };
}

const left = (change: Exclude<Judged, Open>): ChangeResult => ({ line: change, end: endOf(change) });

/** What falls out after the user agreed: it is so by now, or cannot be made any more. */
function endOf({ end }: Exclude<Judged, Open>): ChangeEnd {
  return end.kind === 'idle' ? end : { kind: 'unsent', error: end.error, fails: true };
}

/** A set whose changes are made, because the user agreed. */
interface Making {
  parts: WriteParts;
  set: ChangeSet;
  confirmed: Confirmed;
  requests: Requests;
}

async function makeEach(
  making: Making,
  changes: readonly Judged[],
): Promise<Extract<SetOutcome, { kind: 'several' }> | Exclude<ChangeEnd, { kind: 'unsent' }>> {
  const [only, ...others] = changes;
  if (only !== undefined && others.length === 0 && isOpen(only)) return send(making, only);
  const all: ChangeResult[] = [];
  for (const change of changes) {
    change.call.context.progress?.(`Change ${change.at + 1} of ${changes.length}`);
    all.push({ line: change, end: await makeNext(making, change, all) });
  }
  return { kind: 'several', all, confirmed: making.confirmed };
}

/** A change of several: looked at again, because others were sent before it, and compared with what was approved. */
async function makeNext(making: Making, change: Judged, earlier: readonly ChangeResult[]): Promise<ChangeEnd> {
  if (!isOpen(change)) return endOf(change);
  const { parts, requests } = making;
  const objection = objectionTo(making, change, earlier);
  if (objection !== null) return leaveOut(parts, change, objection);
  const now = await judge(parts, change, await requests.lookAgain(change));
  if (!isOpen(now)) return endOf(now);
  const [was, is] = [change, now].map(({ write }) => canonicalJson(factsOf(write)));
  if (was === is) return send(making, now, `.${change.at + 1}`);
  const lost = change.write.reading === 'read' && now.write.reading === 'unreadable';
  return leaveOut(parts, now, leftOut(lost ? 'record_unseen' : 'record_changed'));
}

const leftOut = (code: 'record_changed' | 'record_unseen') => refuse(code, { case: 'set' });

/** Why a change that was agreed to is not sent; null where it may be. */
function objectionTo(making: Making, change: Open, earlier: readonly ChangeResult[]): OwnError | null {
  const { parts, set, confirmed } = making;
  const { shown } = confirmed;
  const failure = set.goesOn ? undefined : earlier.find(({ end }) => fails(end));
  if (failure !== undefined) return refuse('set_stopped', { number: failure.line.at + 1 });
  if (set.write.context.signal?.aborted) return refuse('cancelled', { case: 'set' });
  const name = factOf(change);
  // Nothing was shown where no one was asked.
  if (shown === undefined) return null;
  return shown[name] === digestsOf({ [name]: factsOf(change.write) }, parts)[name] ? null : leftOut('record_changed');
}

async function leaveOut(parts: WriteParts, { write }: Open, error: OwnError): Promise<ChangeEnd> {
  await recordRefused(parts, write, error);
  return { kind: 'unsent', error, fails: error.code === 'record_unseen' };
}

/** `part`: of a set, what its place adds to the id of the question on the audit log. */
async function send(making: Making, change: Open, part = ''): Promise<Sent> {
  const { parts } = making;
  const refused = await limits.endWith(parts, change.write, await limits.beyondBudget(parts, change.write, 'take'));
  return refused ?? sendOnRecord(making, change, part);
}

type Sent = Extract<WriteOutcome, { kind: 'done' | 'failed' | 'refused' }>;

async function sendOnRecord({ parts, confirmed, requests }: Making, change: Open, part: string): Promise<Sent> {
  const { write, plan } = change;
  const { by, answered } = confirmed;
  const id = answered ? `${answered.id}${part}` : randomUUID();
  let complete: Completion;
  try {
    complete = await recordBegun(parts, write, { plan, decision: by, id, counted: limits.countedInDay(write) });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    return { kind: 'refused', error: refuse('audit_unavailable', { tool: write.tool.name, reason }) };
  }
  const release = await limits.takeOfDay(parts, write, id);
  if (typeof release !== 'function') {
    await recordRefused(parts, write, release, id);
    return { kind: 'refused', error: release };
  }
  const answer = await sendOnce(parts, change, requests);
  const finding = await lookFor(change, answer, requests);
  const recorded = await complete(answer, finding?.kind);
  if (!answer.ok && finding?.kind !== 'found') {
    if (answer.error.changed === false) await release();
    const hints = [finding && inWords(finding, write), answer.error.hint, !recorded && incompleteLog];
    return { kind: 'failed', error: { ...answer.error, hint: hints.filter(Boolean).join(' ') } };
  }
  const record = finding?.kind === 'found' ? finding.record : undefined;
  // What the look has found, as an answer would hold it: several records are under their key already.
  const foundBody = write.tool.answer ? record : { [write.tool.result]: record };
  const body = answer.ok ? answer.body : foundBody;
  const receipt = writeReceipt(parts, write, {
    body,
    confirmedBy: by,
    requestId: answer.requestId,
    // What was warned of has happened: the summary says what it is now.
    warnings: recorded ? [] : [incompleteLog],
    ...(!answer.ok && {
      found: `confirmed by a check of the account, because the response was lost (${answer.error.code})`,
    }),
  });
  return { kind: 'done', body, receipt, question: plan.question };
}

/** A fault of this program after that counts as an outcome that is not known. */
function sendOnce(parts: WriteParts, change: Open, requests: Requests): Promise<UpstreamAnswer> {
  const { write } = change;
  return (async () => requests.send(change, write))().catch((error: unknown) => {
    const reason = redactText(error instanceof Error ? error.message : String(error), secretsOf(write, parts));
    const { requestId, tool } = write;
    const unexpected = refuse('internal_error', { case: 'sent', tool: tool.name, reason });
    return { ok: false, requestId, attempts: 1, error: unexpected };
  });
}

/** One look at the record, where no one knows whether the write was carried out. Never rejects. */
async function lookFor(change: Open, answer: UpstreamAnswer, requests: Requests): Promise<Finding | undefined> {
  const { lookAfter } = requests;
  if (lookAfter === undefined || answer.ok || answer.error.changed !== 'unknown') return undefined;
  // A fault of the look must not hide what the write's own answer says.
  const reading = await (async () => lookAfter(change))().catch(() => ({ kind: 'unreadable' as const }));
  return findingOf(change.write, reading, new Date());
}

const incompleteLog = 'The audit log is incomplete: it shows that this write began, but not its outcome.';
