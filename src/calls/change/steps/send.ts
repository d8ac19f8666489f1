/** Sends a write that was agreed to: `begun` on record, counted, sent once, `completed` on record, and the receipt. */

import { randomUUID } from 'node:crypto';
import type { ConfirmedBy } from '../../../definition/asking.ts';
import { refuse } from '../../../definition/failure.ts';
import type { UpstreamAnswer } from '../../../definition/upstream-answer.ts';
import type { Look, Send, WriteCall, WriteOutcome } from '../../../definition/write-call.ts';
import { accountTime } from '../../../words/present-record.ts';
import { redactText } from '../../../words/safe-text.ts';
import { type Completion, recordBegun, recordRefused } from '../audit/audit-recorder.ts';
import { type Finding, findingOf, inWords } from '../fields/lost-answer.ts';
import { revertOf, unwrap, writeReceipt } from '../fields/receipt.ts';
import { secretsOf, type WriteParts } from '../parts.ts';
import type { Open } from '../set.ts';
import { countedInDay, takeOfDay } from './limits.ts';

type Sent = Extract<WriteOutcome, { kind: 'done' | 'failed' | 'refused' }>;

/** What is sent, and who agreed; `id`: of the question that was agreed to, if any. */
interface Agreed extends Pick<Open, 'write' | 'plan'> {
  by: ConfirmedBy;
  id: string | undefined;
}

/** `look`: at the record anew, where the outcome is not known. */
export async function sendOnRecord(
  parts: WriteParts,
  { write, plan, by, id = randomUUID() }: Agreed,
  send: Send,
  look?: Look,
): Promise<Sent> {
  let complete: Completion;
  try {
    complete = await recordBegun(parts, write, { plan, decision: by, id, counted: countedInDay(write) });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    return { kind: 'refused', error: refuse('audit_unavailable', { tool: write.tool.name, reason }) };
  }
  const release = await takeOfDay(parts, write, id);
  if (typeof release !== 'function') {
    await recordRefused(parts, write, release, id);
    return { kind: 'refused', error: release };
  }
  const answer = await sendOnce(parts, write, send);
  const finding = await lookFor(write, answer, look);
  const recorded = await complete(answer, finding?.kind);
  if (!answer.ok && finding?.kind !== 'found') {
    if (answer.error.changed === false) await release();
    const hints = [finding && inWords(finding, write), answer.error.hint, !recorded && incompleteLog];
    return { kind: 'failed', error: { ...answer.error, hint: hints.filter(Boolean).join(' ') } };
  }
  const body = answer.ok ? answer.body : bodyOf(write, finding);
  const receipt = writeReceipt({
    ...write,
    body,
    revert: revertOf(write, unwrap(body, write.tool.result)),
    ...(!answer.ok && { found: `found by looking, after the answer was lost (${answer.error.code})` }),
    confirmedBy: by,
    // What was warned of has happened: the summary says what it is now.
    warnings: recorded ? [] : [incompleteLog],
    requestId: answer.requestId,
    at: accountTime(parts.settings),
  });
  return { kind: 'done', body, receipt, question: plan.question };
}

/** A fault of this program after that counts as an outcome that is not known. */
function sendOnce(parts: WriteParts, write: WriteCall, send: Send): Promise<UpstreamAnswer> {
  return (async () => send())().catch((error: unknown) => {
    const reason = redactText(error instanceof Error ? error.message : String(error), secretsOf(write, parts));
    const { requestId, tool } = write;
    const unexpected = refuse('internal_error', { case: 'sent', tool: tool.name, reason });
    return { ok: false, requestId, attempts: 1, error: unexpected };
  });
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
  return tool.answer ? record : { [tool.result]: record };
}

const incompleteLog = 'The audit log could not be completed: it shows this write as begun, without its outcome.';
