/** What a write answers, by how it ended. */

import { accountTime } from '../server/settings/clock.ts';
import type { WriteCall, WriteOutcome } from '../tool/write-call.ts';
import { nothingToChangeSentence } from '../words/change-sentences.ts';
import { asSentence } from '../words/questions.ts';
import { pageOfWrite, proposal, showsPage, withOnPage } from './chat-page.ts';
import type { Call, Outcome } from './context.ts';
import { type AnswerSettings, done, failed, prefixed, presented } from './outcome.ts';
import { requestedFields } from './policy/receipt.ts';

type Ended<Kind extends WriteOutcome['kind']> = Extract<WriteOutcome, { kind: Kind }>;

/** `write` is what was carried out, or would have been; `beside` is what was read right before and after it. */
export function presentWrite(
  settings: AnswerSettings,
  call: Call,
  write: WriteCall,
  outcome: WriteOutcome,
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
  const summary = `Dry run: nothing was changed. ${asRead(plan)}${adviceOn(write)}`;
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

/** What the assistant could send in place of the write, after a space; empty where there is nothing to advise. */
function adviceOn({ tool, args, known }: WriteCall): string {
  // A set has no advice.
  const advice = tool.change?.advice?.(args, known) ?? null;
  return advice === null ? '' : ` ${advice}`;
}

/** The question with its warnings, as a person would read it. */
function asRead({ question, warnings }: { question: string; warnings: readonly string[] }): string {
  return [asSentence(question), ...(warnings.length === 0 ? [] : ['Note:', ...warnings])].join(' ');
}
