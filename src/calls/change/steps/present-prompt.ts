/** How an answer shows a question that is not yet decided: to the assistant, with a link, or with the buttons of a chat page. */
import type { WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { asSentence } from '../../../words/changes.ts';
import { type AnswerSettings, type Call, done, type Outcome, prefixed } from '../../call/call.ts';
import { accountFields } from '../audit/receipt.ts';
import { requestedFields } from '../fields/compare.ts';
import { advised } from './prompt.ts';

type NeedsToken = Extract<WriteOutcome, { kind: 'needs_token' }>;

export function presentPrompt(settings: AnswerSettings, call: Call, write: WriteCall, outcome: NeedsToken): Outcome {
  if (outcome.onPage) return presentOnPage(settings, call, write, outcome);
  const { kind: _, onPage: _onPage, undecided: _undecided, corrected, ...needed } = outcome;
  const summary = prefixed(settings, `Nothing was changed yet${nextStep(call, write, outcome)}`);
  const answer = { summary, fields: { confirmation_required: needed } };
  return { ...done(call, answer, 'needs_token'), ...(corrected && { corrected: needed.confirmation }) };
}

/**
 * Without a link, the assistant has to ask, and brings the token. With one, the user decides on a page of this server, which only
 * the user opens; the next call waits for that.
 */
function nextStep({ tool }: Call, write: WriteCall, outcome: NeedsToken): string {
  const { link, undecided, changed } = outcome;
  const again = `call ${tool.name} again with the same arguments and confirmation set to the token`;
  if (undecided)
    return `: the user has not decided on ${link}. If the user still wants this, ${again}. That call waits for the decision.`;
  const question = `.${changed === undefined ? '' : ` ${changed}`} ${asRead(outcome)}${adviceOn(write)}`;
  return link === undefined
    ? `${question} Show this question to the user and wait for the answer. Only if the user approves, ${again}.`
    : `${question} Give the user this link, where they approve or decline: ${link} Do not open it yourself. Then ${again}. That call waits for the decision.`;
}

/** The user decides on the page: the token goes there alone, and the assistant reads that it has to wait. */
function presentOnPage(settings: AnswerSettings, call: Call, write: WriteCall, outcome: NeedsToken): Outcome {
  const { tool, sentArguments } = call;
  const { kind: _, onPage: _onPage, confirmation, ...question } = outcome;
  const summary = `Nothing was changed yet: the user decides on the page shown with this answer. ${asRead(question)}${adviceOn(write)} Do not call ${tool.name} again for this unless the user asks for it.`;
  const approval = {
    ...question,
    tool: tool.name,
    title: tool.title,
    arguments: sentArguments,
    confirmation,
    ...accountFields(settings),
  };
  const answer = {
    summary: prefixed(settings, summary),
    fields: { decided_on_page: question },
    page: { approval, ...proposal(call, write.known) },
  };
  return done(call, answer, 'needs_token');
}

/** For the page: the record as it is, and the fields that the write would set. */
export function proposal({ tool, request }: Call, known: object | null): object {
  return known === null ? {} : { before: known, proposal: requestedFields(tool, request) };
}

/** What the assistant could send instead of the write, after a space; empty where there is nothing to advise. */
export function adviceOn({ tool, args, known }: WriteCall): string {
  // A set has no advice.
  return advised(tool.change?.warnings(args, known) ?? [])
    .map(advice => ` ${advice}`)
    .join('');
}

/** The question with its warnings, as a user would read it. */
export function asRead({ question, warnings }: { question: string; warnings: readonly string[] }): string {
  return [asSentence(question), ...(warnings.length === 0 ? [] : ['Note:', ...warnings])].join(' ');
}
