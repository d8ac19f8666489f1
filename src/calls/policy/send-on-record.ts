/** Sends a write that was agreed to: `begun` on record, counted, sent once, `completed` on record, and the receipt. */

import { randomUUID } from 'node:crypto';
import { accountTime } from '../../server/settings/clock.ts';
import type { UpstreamAnswer } from '../../tool/upstream-answer.ts';
import type { Look, Send, WriteCall, WriteOutcome } from '../../tool/write-call.ts';
import { redactText } from '../../words/redact.ts';
import type { Completion, WriteRecorder } from './audit-recorder.ts';
import type { DayLimit } from './day-limit.ts';
import { type Finding, findingOf, inWords } from './lost-answer.ts';
import type { Plan } from './plan.ts';
import type { Confirmed, Questions } from './question.ts';
import { confirmationError } from './question-errors.ts';
import { unwrap, writeReceipt } from './receipt.ts';
import { auditError, unexpectedAnswer } from './refusals.ts';
import { revertOf } from './revert.ts';
import type { Agreements, Carried } from './write-stores.ts';

export interface SendOnRecord {
  /** An agreement is taken up: from here on nobody is told that nothing came of it. Null, or why it cannot be. */
  takeUp(call: WriteCall, confirmed: Confirmed): Promise<WriteOutcome | null>;
  /** `look`: at the record anew, where the outcome is not known. */
  sendOnRecord(call: WriteCall, plan: Plan, confirmed: Confirmed, send: Send, look?: Look): Promise<WriteOutcome>;
  /** Says what came of an agreement: on its page, and in the next question about the same. */
  noteEnd(call: WriteCall, confirmed: Confirmed, outcome: WriteOutcome | { kind: 'partly' }): Promise<void>;
}

export interface SendingNeeds {
  recorder: WriteRecorder;
  agreements: Agreements;
  questions: Questions;
  dayLimit: Pick<DayLimit, 'counted' | 'take'>;
  /** What an agreement is remembered under. */
  bindingOf(call: WriteCall): string;
  /** What must not stand in an error. */
  secretsOf(call: WriteCall): string[];
  /** The account's pinned time, where it has one. */
  clock: { now?: string | undefined };
}

export function createSendOnRecord({
  recorder,
  agreements,
  questions,
  dayLimit,
  bindingOf,
  secretsOf,
  clock,
}: SendingNeeds): SendOnRecord {
  const takeUp: SendOnRecord['takeUp'] = async (call, { answered }) => {
    if (answered === undefined) return null;
    try {
      await agreements.drop(bindingOf(call));
    } catch {
      const reason = 'cannot be taken up, because the store of agreements does not answer';
      return { kind: 'refused', error: confirmationError(call, 'confirmation_unavailable', reason) };
    }
    await questions.noteOnPage(answered, 'sending');
    return null;
  };
  return {
    takeUp,
    async sendOnRecord(call, plan, confirmed, send, look) {
      const { by, answered, record } = confirmed;
      const vain = await takeUp(call, confirmed);
      if (vain !== null) return vain;
      const id = record ?? answered?.id ?? randomUUID();
      let complete: Completion;
      try {
        complete = await recorder.begin(call, plan, by, id, dayLimit.counted(call));
      } catch (error) {
        return { kind: 'refused', error: auditError(call, error) };
      }
      const release = await dayLimit.take(call, id);
      if (typeof release !== 'function') {
        await recorder.refused(call, release, id);
        return { kind: 'refused', error: release };
      }
      const answer = await sendOnce(call, send, secretsOf);
      const finding = await lookFor(call, answer, look);
      const recorded = await complete(answer, finding?.kind);
      if (!answer.ok && finding?.kind !== 'found') {
        if (answer.error.changed === false) await release();
        const hints = [finding && inWords(finding, call), answer.error.hint, !recorded && incompleteLog];
        return { kind: 'failed', error: { ...answer.error, hint: hints.filter(Boolean).join(' ') } };
      }
      const body = answer.ok ? answer.body : bodyOf(call, finding);
      const receipt = writeReceipt({
        ...call,
        body,
        revert: revertOf(call, unwrap(body, call.tool.result)),
        ...(!answer.ok && { found: `found by looking, after the answer was lost (${answer.error.code})` }),
        confirmedBy: by,
        // What was warned of has happened: the summary says what it is now.
        warnings: recorded ? [] : [incompleteLog],
        requestId: answer.requestId,
        at: accountTime(clock),
      });
      return { kind: 'done', body, receipt, question: plan.question };
    },
    async noteEnd(call, { answered }, outcome) {
      if (answered === undefined) return;
      const { changed, code } = outcome.kind === 'failed' ? outcome.error : { changed: false, code: undefined };
      const unsent = outcome.kind === 'refused' || (code === 'cancelled' && changed === false);
      const end = unsent ? 'refused' : changed === 'unknown' ? 'unknown' : outcome.kind;
      await questions.noteOnPage(answered, end as Carried);
      if (unsent) await questions.keepAnswer(answered.id, answered.route, call);
    },
  };
}

/** A fault of this program after that counts as an outcome that is not known. */
function sendOnce(call: WriteCall, send: Send, secretsOf: SendingNeeds['secretsOf']): Promise<UpstreamAnswer> {
  return (async () => send())().catch((error: unknown) =>
    unexpectedAnswer(call, redactText(error instanceof Error ? error.message : String(error), secretsOf(call))),
  );
}

/** One look at the record, where nobody knows whether the write was carried out. Never rejects. */
async function lookFor(call: WriteCall, answer: UpstreamAnswer, look?: Look): Promise<Finding | undefined> {
  if (look === undefined || answer.ok || answer.error.changed !== 'unknown') return undefined;
  // A fault of the look must not hide what the write's own answer says.
  const sight = await (async () => look())().catch(() => ({ kind: 'unseen' as const }));
  return findingOf(call, sight, new Date());
}

/** What the look has found, as an answer would hold it: several records are under their key already. */
function bodyOf({ tool }: WriteCall, finding: Finding | undefined) {
  const record = finding?.kind === 'found' ? finding.record : undefined;
  return tool.list ? record : { [tool.result]: record };
}

const incompleteLog = 'The audit log could not be completed: it shows this write as begun, without its outcome.';
