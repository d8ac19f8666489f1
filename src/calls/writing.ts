/** A write from the look at its record to its outcome: what the person is asked, what was carried out, what the answer says. */

import type { JsonRecord } from '../lib/json.ts';
import { accountTime } from '../server/settings/clock.ts';
import type { Sight, WriteCall, WriteOutcome } from '../tool/call.ts';
import type { ToolError } from '../tool/failure.ts';
import { alreadySo } from '../words/change-sentences.ts';
import { field } from '../words/json-field.ts';
import { asSentence } from '../words/questions.ts';
import { fieldsOf, pageOfWrite, proposal, showsPage, withOnPage } from './chat-page.ts';
import type { Outcome, PipelineParts } from './context.ts';
import { type SeeParts, see, seeAfter } from './look-at-record.ts';
import { done, failed, prefixed, presented } from './outcome.ts';
import { requestedFields } from './policy/receipt.ts';
import type { WritePolicy } from './policy/write.ts';
import { type CallUnderWay, send } from './request.ts';
import type { MayUse } from './upstream/account-reader.ts';

/** Adds ids that may have been meant to the error of a record that was not found. */
export type Guess = (error: ToolError) => Promise<ToolError>;

/** What a write needs beside its call. */
export interface Writing extends SeeParts {
  /** May this caller see what that tool shows? */
  mayRead: MayUse;
}

/** Carries out one write, or says why not. Rejects only because of a bug in this program. */
export async function write(
  around: Writing,
  policy: WritePolicy,
  running: CallUnderWay,
  guess: Guess,
): Promise<Outcome> {
  const { parts, mayRead } = around;
  const { tool, args, control, context, caller, requestId } = running;
  const declines = policy.saysNo(context);
  const looked: Sight = declines ? { kind: 'off' } : await see(around, running, name => mayRead(name, caller));
  // A yes whose call was cancelled meanwhile is still put on record; nothing is sent for it.
  const answering = context.client.reply !== undefined || control.confirmation !== undefined || context.decided;
  const sight: Sight = answering && context.signal?.aborted && looked.kind === 'refused' ? { kind: 'off' } : looked;
  if (sight.kind === 'refused') return failed(running, unsent(await guess(sight.error)), 'refused');
  if (sight.kind === 'seen') running.request = tool.request(args, sight.record);
  const call: WriteCall = {
    ...{ tool, args, requestId, caller },
    request: running.request,
    dryRun: control.dry_run,
    confirmation: control.confirmation,
    ...(context.decided && { decided: context.decided }),
    ...(control.left_out && { leftOut: control.left_out }),
    ...(tool.sees?.room
      ? { known: null, sight: 'off' as const, room: recordOf(sight) }
      : { known: recordOf(sight), sight: sight.kind }),
    client: context.client,
    signal: context.signal,
    now: new Date(),
    accountNow: accountTime(parts.config),
  };
  const look = (): Promise<Sight> => seeAfter(around, running, name => mayRead(name, caller));
  const outcome = await policy.carryOut(call, () => send(parts, running, call.known), look);
  // On record as the service said it; the ids are for the next call.
  const told = outcome.kind === 'failed' ? { ...outcome, error: await guess(outcome.error) } : outcome;
  return concludeWrite(parts, running, told, call);
}

function recordOf(sight: Sight): JsonRecord | null {
  return sight.kind === 'seen' ? sight.record : null;
}

/** A failed look leaves the account as it was, whatever the tool does. */
function unsent(error: ToolError): ToolError {
  return { ...error, changed: false };
}

function concludeWrite(
  parts: PipelineParts,
  running: CallUnderWay,
  outcome: WriteOutcome,
  { known, sight }: WriteCall,
): Outcome {
  const { tool, args } = running;
  const advice = tool.advice?.(args, known) ?? null;
  const advised = advice === null ? '' : ` ${advice}`;
  switch (outcome.kind) {
    case 'ask':
      return outcome;
    case 'failed':
      return failed(running, outcome.error, 'error');
    case 'refused':
    case 'declined':
      return failed(running, outcome.error, outcome.kind);
    case 'idle': {
      const summary = alreadySo(outcome.fields, requestedFields(tool, running.request), known ?? {});
      return done(running, { summary: prefixed(parts, summary), fields: field('changed', 'false') }, 'ok');
    }
    case 'dry_run': {
      const summary = `Dry run: nothing was changed. ${asked(outcome.plan)}${advised}`;
      const fields = field('dry_run', JSON.stringify(outcome.plan));
      const answer = { summary: prefixed(parts, summary), fields };
      return done(running, showsPage(running) ? withOnPage(answer, proposal(running, known)) : answer, 'dry_run');
    }
    case 'needs_token': {
      if (outcome.onPage) return askedOnPage(parts, running, outcome, advised, known);
      const { kind: _, onPage: _onPage, ...needed } = outcome;
      const again = outcome.changed === undefined ? '' : ` ${outcome.changed}`;
      const summary = `Nothing was changed yet.${again} ${asked(outcome)}${advised} Put this question to the person and wait for their answer. Only if they agree, call ${tool.name} again with the same arguments and confirmation set to the token.`;
      const fields = field('confirmation_required', JSON.stringify(needed));
      return done(running, { summary: prefixed(parts, summary), fields }, 'needs_token');
    }
    case 'done': {
      const { body, receipt, question } = outcome;
      const before = sight === 'seen' && known !== null ? { before: known } : {};
      const answer = presented(parts, running, body, { receipt, ...before });
      if (receipt.found !== undefined) answer.fields = `${field('changed', 'true')},${answer.fields}`;
      const told =
        answer.page === undefined
          ? answer
          : withOnPage(answer, {
              question,
              ...before,
              ...pageOfWrite(running, body, known, accountTime(parts.config)),
            });
      return done(running, told, 'ok', receipt.confirmed_by);
    }
  }
}

/** The person decides on the page: the token goes there alone, and the assistant reads that it has to wait. */
function askedOnPage(
  parts: PipelineParts,
  running: CallUnderWay,
  outcome: Extract<WriteOutcome, { kind: 'needs_token' }>,
  advised: string,
  known: JsonRecord | null,
): Outcome {
  const { tool, given } = running;
  const { kind: _, onPage: _onPage, confirmation, ...question } = outcome;
  const summary = `Nothing was changed yet: the person decides on the page that is shown with this answer. ${asked(question)}${advised} Do not call ${tool.name} again for this unless the person says so.`;
  const approval = { ...question, tool: tool.name, title: tool.title, arguments: given, confirmation };
  return done(
    running,
    {
      summary: prefixed(parts, summary),
      fields: field('decided_on_page', JSON.stringify(question)),
      page: fieldsOf({ approval, ...proposal(running, known) }),
    },
    'needs_token',
  );
}

/** The question with its warnings, as a person would see it. */
function asked({ question, warnings }: { question: string; warnings: readonly string[] }): string {
  return [asSentence(question), ...(warnings.length === 0 ? [] : ['Note:', ...warnings])].join(' ');
}
