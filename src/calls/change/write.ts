/**
 * A write from its lines to its answer: looks at the records, carries out what may be, and says how it ended; of several changes
 * what became of each, and the set that takes back what was made.
 */

import { chatPageFields } from '../../../tools/chat-pages/chat-page-reads.ts';
import type { ReadAnswer } from '../../definition/api.ts';
import { confirmationNotes } from '../../definition/asking.ts';
import type { WriteTool } from '../../definition/define.ts';
import type { ChangeMade, SetReceipt, WriteCall } from '../../definition/write-call.ts';
import type { Config } from '../../server/settings/settings.ts';
import { changedIn } from '../../words/changed-fields.ts';
import { nothingToChangeSentence } from '../../words/changes.ts';
import { accountTime, presentRecord, unwrap } from '../../words/present-record.ts';
import { cleanDeep, redactDeep } from '../../words/safe-text.ts';
import { withIdSuggestion } from '../api/meant.ts';
import {
  type AnswerSettings,
  type Call,
  type ChangingCall,
  done,
  failed,
  type Outcome,
  prefixed,
  showsPage,
  timeFor,
  withOnPage,
  writeOf,
} from '../call/call.ts';
import { errorAnswer, type ToolAnswer } from '../call/result.ts';
import type { Confirmed } from './ask/agreements.ts';
import { saysNo } from './ask/ask.ts';
import { cameBack } from './ask/signed-state.ts';
import { accountFields, targetText } from './audit/receipt.ts';
import { requestedFields } from './fields/compare.ts';
import type { WriteParts } from './parts.ts';
import {
  type ChangeResult,
  type ChangeSet,
  fails,
  type Line,
  type LookNeeds,
  lookAfter,
  lookAt,
  lookAtAll,
  type Requests,
  type Seen,
  type SetOutcome,
  writeWith,
} from './set.ts';
import { carryOut } from './steps/carry-out.ts';
import { adviceOn, asRead, presentPrompt, proposal } from './steps/present-prompt.ts';

export interface WriteNeeds extends LookNeeds {
  parts: WriteParts;
  /** The longest that a read around a write may delay it, in milliseconds. */
  searchMs: number;
}

/** `lines`: the changes of the call; of a write by itself the call is its one change. Nothing was sent of an edited one. */
export async function runLines(needs: WriteNeeds, call: Call, lines: readonly Line[]): Promise<Outcome | Edited> {
  const changes = await seenChanges(needs, call, lines);
  const [only, ...others] = changes;
  const seen: Seen | undefined = others.length === 0 ? only?.seen : undefined;
  // A look that failed leaves the account as it was, whatever the tool does.
  if (seen?.kind === 'refused') return failed(call, await withIdSuggestion(needs.door, call, seen.error), 'refused');
  const write = seen?.kind === 'open' ? seen.write : wholeOf(call, lines, needs.parts.settings);
  const effect = { before: null as ReadAnswer | null };
  const set: ChangeSet = { write, changes, goesOn: call.args.on_failure === 'continue' };
  const outcome = await carryOut(needs.parts, set, requestsOf(needs, call, effect));
  if (outcome.kind === 'edited') return outcome;
  if (others.length > 0) call.attempts = lines.reduce((sum, line) => sum + line.call.attempts, 0);
  const suggested = await withSuggestion(needs, call, outcome);
  const beside =
    suggested.kind === 'done' ? await besideWrite(needs, call as ChangingCall, write, effect.before) : undefined;
  return presentWrite(needs.parts.settings, call, write, suggested, beside);
}

async function seenChanges(needs: WriteNeeds, call: Call, lines: readonly Line[]): Promise<ChangeSet['changes']> {
  const unread = () =>
    lines.map(line => ({
      ...line,
      seen: { kind: 'open' as const, write: writeWith(needs, call, line.call, { kind: 'none' }) },
    }));
  if (saysNo(needs.parts, call)) return unread();
  const changes = await lookAtAll(needs, call, lines);
  const [only, ...others] = changes;
  const cancelled = call.context.signal?.aborted && others.length === 0 && only?.seen.kind === 'refused';
  // A confirmation whose call was cancelled meanwhile is still recorded; nothing is sent for it.
  return cancelled && cameBack(call, needs.parts) !== undefined ? unread() : changes;
}

/** The set as the question knows it: bound to its changes as they are understood, however they were written. */
function wholeOf(call: Call, lines: readonly Line[], config: Config): WriteCall {
  const changes = lines.map(line => ({ tool: line.call.tool.name, arguments: line.call.args }));
  const args = { changes, on_failure: call.args.on_failure ?? 'stop' };
  // A set is asked about like a write, and sends nothing itself.
  const tool = call.tool as WriteTool;
  return writeOf({ ...call, tool, args, request: { body: { changes } } }, { kind: 'none' }, config);
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
async function withSuggestion(needs: WriteNeeds, call: Call, outcome: Shown): Promise<Shown> {
  if (outcome.kind === 'failed') return { ...outcome, error: await withIdSuggestion(needs.door, call, outcome.error) };
  if (outcome.kind === 'invalid_set')
    return {
      ...outcome,
      error: { ...(await withIdSuggestion(needs.door, outcome.line.call, outcome.error)), changed: false },
    };
  return outcome;
}

/**
 * What is read right before and right after a write, to tell its effect. The write waits for it no longer than for a
 * suggestion, goes on without it, and is never repeated for it.
 */
async function readAround(
  needs: WriteNeeds,
  call: ChangingCall,
  { reading, known }: WriteCall,
): Promise<ReadAnswer | null> {
  const readEffect = call.tool.change.look[2]?.(call.args) ?? null;
  if (readEffect === null || known === null || reading !== 'read') return null;
  // Half of the time is left for the write itself.
  const mostMs = Math.min(needs.searchMs, timeFor(Number.POSITIVE_INFINITY, call) / 2);
  // A fault of these reads must not become one of the write.
  return needs.door.beside(call, api => readEffect(api, known), mostMs).catch(() => null);
}

/** Both answers; undefined where there was nothing to read before the write. */
async function besideWrite(needs: WriteNeeds, call: ChangingCall, write: WriteCall, before: ReadAnswer | null) {
  if (before === null) return undefined;
  return { aroundBefore: before, aroundAfter: before.ok ? await readAround(needs, call, write) : before };
}

type Ended<Kind extends SetOutcome['kind']> = Extract<SetOutcome, { kind: Kind }>;
type Edited = Ended<'edited'>;
type Shown = Exclude<SetOutcome, Edited>;

/** `write` is what was carried out, or would have been; `beside` is what was read right before and after it. */
function presentWrite(
  settings: AnswerSettings,
  call: Call,
  write: WriteCall,
  outcome: Shown,
  beside?: object,
): Outcome {
  switch (outcome.kind) {
    case 'ask':
      return outcome;
    case 'failed':
      return failed(call, outcome.error, 'error');
    case 'refused':
    case 'declined':
      return failed(call, outcome.error, outcome.kind);
    case 'invalid_set':
      return failed(call, outcome.error, 'refused');
    case 'several':
      return presentSeveral(settings, call, outcome);
    case 'idle':
      return presentIdle(settings, call, write, outcome);
    case 'dry_run':
      return presentDryRun(settings, call, write, outcome);
    case 'needs_token':
      return presentPrompt(settings, call, write, outcome);
    case 'done':
      return presentDone(settings, call, write, outcome, beside);
  }
}

function presentIdle(settings: AnswerSettings, call: Call, { known }: WriteCall, { fields }: Ended<'idle'>): Outcome {
  const summary = nothingToChangeSentence(fields, requestedFields(call.tool, call.request), known ?? {});
  return done(call, { summary: prefixed(settings, summary), fields: { changed: false } }, 'ok');
}

function presentDryRun(settings: AnswerSettings, call: Call, write: WriteCall, { plan }: Ended<'dry_run'>): Outcome {
  const said = 'warnings' in plan ? asRead(plan) : plan.question;
  const summary = `Dry run: nothing was changed. ${said}${adviceOn(write)}`;
  const answer = { summary: prefixed(settings, summary), fields: { dry_run: plan } };
  const shown = showsPage(call) ? withOnPage(answer, proposal(call, write.known)) : answer;
  return done(call, shown, 'dry_run');
}

function presentDone(
  config: AnswerSettings,
  call: Call,
  write: WriteCall,
  outcome: Ended<'done'>,
  beside: object | undefined,
): Outcome {
  const { known, reading } = write;
  const { body, receipt, question } = outcome;
  const before = reading === 'read' && known !== null ? known : undefined;
  const { tool, args, odd, control } = call;
  const { detail } = control;
  const page = showsPage(call);
  const answer: ToolAnswer = presentRecord(tool, body, { args, odd, detail, page, config, receipt, before, beside });
  if (receipt.found !== undefined) answer.fields = { changed: true, ...answer.fields };
  if (answer.page === undefined) return done(call, answer, 'ok', receipt.confirmed_by);
  const drawn = known === null ? {} : chatPageFields(tool.name, body, known, accountTime(config));
  const onPage = { question, ...(before && { before }), ...drawn };
  return done(call, withOnPage(answer, onPage), 'ok', receipt.confirmed_by);
}

function presentSeveral(settings: AnswerSettings, call: Call, { all, confirmed }: Ended<'several'>): Outcome {
  const rows = all.map(rowOf);
  const changes = cleanDeep(redactDeep(rows)) as ChangeMade[];
  const isMade = rows.some(({ outcome }) => outcome === 'done');
  const receipt = confirmed && isMade ? receiptOf(settings, call, all, confirmed) : undefined;
  const fields = isMade ? { changes, ...(receipt && { receipt }) } : { changed: false, changes };
  const { summary } = presentRecord(call.tool, { changes }, { args: call.args, config: settings, fields });
  const failure = isMade ? undefined : (all.find(({ end }) => fails(end)) ?? all.find(({ end }) => 'error' in end));
  if (failure === undefined || !('error' in failure.end)) return done(call, { summary, fields }, 'ok', confirmed?.by);
  // Nothing was made: a failure as that of a write alone, with all its changes.
  const { error } = failure.end;
  const whole = errorAnswer(call.tool.effect, error);
  const outcome = failure.end.kind === 'failed' ? 'error' : 'refused';
  const answer = { ...whole, summary, fields: { ...whole.fields, changes } };
  return { kind: 'result', answer, record: { outcome, code: error.code, attempts: call.attempts } };
}

function rowOf({ line: { at, call, write }, end }: ChangeResult): ChangeMade {
  const row = { number: at + 1, tool: call.tool.name, target: targetText(call.tool, call.request) };
  switch (end.kind) {
    case 'idle':
      return { ...row, outcome: 'idle', ...(end.why !== undefined && { why: end.why }) };
    case 'done': {
      const { found: why, not_applied, not_shown } = end.receipt;
      return {
        ...row,
        outcome: 'done',
        ...(write && changedIn(write, unwrap(call.tool.result, end.body))),
        ...(why !== undefined && { why }),
        ...(not_applied.length > 0 && { not_applied }),
        ...(not_shown.length > 0 && { not_shown }),
      };
    }
    case 'unsent':
      return { ...row, outcome: 'not_done', why: end.error.message, code: end.error.code };
    case 'failed':
    case 'refused': {
      const { changed, message, hint, code } = end.error;
      const outcome = changed === 'unknown' ? 'unknown' : 'not_done';
      return { ...row, outcome, why: `${message.replace(/([^.!?])$/, '$1.')} ${hint}`, code };
    }
  }
}

function receiptOf(
  settings: AnswerSettings,
  call: Call,
  all: readonly ChangeResult[],
  { by }: Pick<Confirmed, 'by'>,
): SetReceipt {
  const made = all.flatMap(({ line, end }) => (end.kind === 'done' ? [{ line, receipt: end.receipt }] : []));
  const back = made.flatMap(({ receipt: { revert }, line }) =>
    revert === undefined || 'impossible' in revert
      ? []
      : [{ tool: revert.tool ?? line.call.tool.name, arguments: revert.arguments }],
  );
  const lost = made.flatMap(({ receipt: { revert }, line: { at } }) => {
    if (revert === undefined) return [{ number: at + 1, why: 'its record was not read before' }];
    return 'impossible' in revert ? [{ number: at + 1, why: revert.impossible }] : [];
  });
  const warnings = [...new Set(made.flatMap(({ receipt }) => receipt.warnings))];
  const revert = wayBack(call, back.reverse());
  return {
    ...(revert && { revert }),
    ...(lost.length > 0 && { no_way_back: lost }),
    confirmed_by: by,
    ...confirmationNotes[by],
    ...(warnings.length > 0 && { warnings }),
    request_id: call.requestId,
    ...accountFields(settings),
    at: accountTime(settings).toISOString(),
  };
}

/** The last change is taken back first. One alone is a call of its tool. */
function wayBack({ tool }: Call, back: readonly { tool: string; arguments: object }[]): SetReceipt['revert'] {
  const [first, ...others] = back;
  if (first === undefined || others.length === 0) return first;
  const changes = back.map(change => ({ tool: change.tool, arguments: JSON.stringify(change.arguments) }));
  return { tool: tool.name, arguments: { changes } };
}
