/** What a write answers, by how it ended; of several changes what became of each, and the set that takes back what was made. */

import { chatPageFields } from '../../../tools/chat-pages/chat-page-reads.ts';
import type { ChangeMade, SetReceipt } from '../../definition/change-set.ts';
import type { ToolError } from '../../definition/failure.ts';
import type { WriteCall } from '../../definition/write-call.ts';
import { advised } from '../../definition/write-definition.ts';
import { asSentence, nothingToChangeSentence } from '../../words/changes.ts';
import { accountTime, presentRecord } from '../../words/present-record.ts';
import { cleanDeep, redactDeep } from '../../words/safe-text.ts';
import { type AnswerSettings, done, failed, prefixed, presented, showsPage, withOnPage } from '../call/call.ts';
import type { Call, Outcome } from '../call/context.ts';
import { errorAnswer } from '../call/result.ts';
import type { Confirmed } from './ask/agreements.ts';
import { requestedFields, targetText } from './fields/receipt.ts';
import { fails, type Made, type SetOutcome } from './set.ts';

type Ended<Kind extends SetOutcome['kind']> = Extract<SetOutcome, { kind: Kind }>;

/** `write` is what was carried out, or would have been; `beside` is what was read right before and after it. */
export function presentWrite(
  settings: AnswerSettings,
  call: Call,
  write: WriteCall,
  outcome: SetOutcome,
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
    case 'unfit':
      return failed(call, outcome.error, 'refused');
    case 'several':
      return presentSeveral(settings, call, outcome);
    case 'idle':
      return presentIdle(settings, call, write, outcome);
    case 'dry_run':
      return presentDryRun(settings, call, write, outcome);
    case 'needs_token':
      return outcome.onPage
        ? presentOnPage(settings, call, write, outcome)
        : presentToken(settings, call, write, outcome);
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

/** The assistant has to ask, and brings the token. */
function presentToken(settings: AnswerSettings, call: Call, write: WriteCall, outcome: Ended<'needs_token'>): Outcome {
  const { kind: _, onPage: _onPage, ...needed } = outcome;
  const again = outcome.changed === undefined ? '' : ` ${outcome.changed}`;
  const summary = `Nothing was changed yet.${again} ${asRead(outcome)}${adviceOn(write)} Put this question to the person and wait for their answer. Only if they agree, call ${call.tool.name} again with the same arguments and confirmation set to the token.`;
  const fields = { confirmation_required: needed };
  return done(call, { summary: prefixed(settings, summary), fields }, 'needs_token');
}

/** The person decides on the page: the token goes there alone, and the assistant reads that it has to wait. */
function presentOnPage(settings: AnswerSettings, call: Call, write: WriteCall, outcome: Ended<'needs_token'>): Outcome {
  const { tool, sentArguments } = call;
  const { kind: _, onPage: _onPage, confirmation, ...question } = outcome;
  const summary = `Nothing was changed yet: the person decides on the page that is shown with this answer. ${asRead(question)}${adviceOn(write)} Do not call ${tool.name} again for this unless the person says so.`;
  const approval = { ...question, tool: tool.name, title: tool.title, arguments: sentArguments, confirmation };
  const answer = {
    summary: prefixed(settings, summary),
    fields: { decided_on_page: question },
    page: { approval, ...proposal(call, write.known) },
  };
  return done(call, answer, 'needs_token');
}

function presentDone(
  settings: AnswerSettings,
  call: Call,
  write: WriteCall,
  outcome: Ended<'done'>,
  beside: object | undefined,
): Outcome {
  const { known, sight } = write;
  const { body, receipt, question } = outcome;
  const before: { before?: object } = sight === 'seen' && known !== null ? { before: known } : {};
  const answer = presented(settings, call, body, { receipt, ...before, beside });
  if (receipt.found !== undefined) answer.fields = { changed: true, ...answer.fields };
  if (answer.page === undefined) return done(call, answer, 'ok', receipt.confirmed_by);
  const onPage = { question, ...before, ...pageOfWrite(call, body, known, accountTime(settings)) };
  return done(call, withOnPage(answer, onPage), 'ok', receipt.confirmed_by);
}

/** For the page: the record as it is, and the fields that the write would set. */
function proposal({ tool, request }: Call, known: object | null): object {
  return known === null ? {} : { before: known, proposal: requestedFields(tool, request) };
}

/** What the page of a write draws from the record that was read before it. */
function pageOfWrite({ tool }: Call, body: unknown, known: object | null, now: Date): object {
  return known === null ? {} : chatPageFields(tool.name, body, known, now);
}

/** What the assistant could send in place of the write, after a space; empty where there is nothing to advise. */
function adviceOn({ tool, args, known }: WriteCall): string {
  // A set has no advice.
  return advised(tool.change?.warnings(args, known) ?? [])
    .map(advice => ` ${advice}`)
    .join('');
}

/** The question with its warnings, as a person would read it. */
function asRead({ question, warnings }: { question: string; warnings: readonly string[] }): string {
  return [asSentence(question), ...(warnings.length === 0 ? [] : ['Note:', ...warnings])].join(' ');
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

function rowOf({ line: { at, call }, end }: Made): ChangeMade {
  const row = { number: at + 1, tool: call.tool.name, target: targetText(call.tool, call.request) };
  switch (end.kind) {
    case 'idle':
      return { ...row, outcome: 'idle', ...(end.why !== undefined && { why: end.why }) };
    case 'done': {
      const { found: why, not_applied, not_shown } = end.receipt;
      return {
        ...row,
        outcome: 'done',
        ...(why !== undefined && { why }),
        ...(not_applied.length > 0 && { not_applied }),
        ...(not_shown.length > 0 && { not_shown }),
      };
    }
    case 'unsent':
      return { ...row, outcome: 'not_done', why: end.error.message, code: end.error.code };
    case 'failed':
    case 'refused': {
      const { error } = end;
      const outcome = error.changed === 'unknown' ? 'unknown' : 'not_done';
      return { ...row, outcome, why: withHint(error), code: error.code };
    }
  }
}

function withHint({ message, hint }: ToolError): string {
  return `${message.replace(/([^.!?])$/, '$1.')} ${hint}`;
}

function receiptOf(
  settings: AnswerSettings,
  call: Call,
  all: readonly Made[],
  { by }: Pick<Confirmed, 'by'>,
): SetReceipt {
  const made = all.flatMap(({ line, end }) => (end.kind === 'done' ? [{ line, receipt: end.receipt }] : []));
  const back = made.flatMap(({ receipt: { revert }, line }) =>
    revert === undefined || 'impossible' in revert
      ? []
      : [{ tool: revert.tool ?? line.call.tool.name, arguments: revert.arguments }],
  );
  const lost = made.flatMap(({ receipt: { revert }, line: { at } }) => {
    if (revert === undefined) return [{ number: at + 1, why: 'its record was not seen before' }];
    return 'impossible' in revert ? [{ number: at + 1, why: revert.impossible }] : [];
  });
  const warnings = [...new Set(made.flatMap(({ receipt }) => receipt.warnings))];
  const revert = wayBack(call, back.reverse());
  return {
    ...(revert && { revert }),
    ...(lost.length > 0 && { no_way_back: lost }),
    confirmed_by: by,
    ...(warnings.length > 0 && { warnings }),
    request_id: call.requestId,
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
