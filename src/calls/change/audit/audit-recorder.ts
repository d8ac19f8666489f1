/** The lines of a write on the audit log, redacted. Without a log, nothing is recorded. */
import { randomUUID } from 'node:crypto';
import type { ConfirmedBy } from '../../../definition/asking.ts';
import type { OwnError } from '../../../definition/failure.ts';
import type { UpstreamAnswer } from '../../../definition/upstream-answer.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { accountTime } from '../../../words/present-record.ts';
import { redactDeep, redactText } from '../../../words/safe-text.ts';
import { shownTo } from '../ask/signed-state.ts';
import type { DaySum } from '../ask/write-stores.ts';
import type { Finding } from '../fields/lost-answer.ts';
import { targetText } from '../fields/receipt.ts';
import { secretsOf, type WriteParts } from '../parts.ts';
import type { Plan } from '../set.ts';

/** Tool, caller and target as the log names them, redacted, and the digest of the question that was shown. */
interface WriteNames {
  tool: string;
  caller: string;
  target: string;
  question: string | null;
}

/** False when the outcome could not be recorded. */
export type Completion = (answer: UpstreamAnswer, looked?: Finding['kind']) => Promise<boolean>;

/** How a write is named on its lines. */
export function namesOf(parts: Pick<WriteParts, 'key' | 'accountOf'>, write: WriteCall): WriteNames {
  const secrets = secretsOf(write, parts);
  return {
    tool: write.tool.name,
    caller: redactText(write.caller.id, secrets),
    target: redactText(targetText(write.tool, write.request), secrets),
    question: shownTo(write, parts),
  };
}

/** Records that somebody agreed to the question `id`, before anything is sent. Never rejects. */
export async function recordAgreed(parts: WriteParts, id: string, named: WriteNames, decision: ConfirmedBy) {
  await parts.audit?.append({ ...entryOf(parts, id, named), event: 'agreed', decision }).catch(() => {});
}

/**
 * Records a write that was not sent; `id`: of its earlier lines. Never rejects: a log that cannot be written does not
 * change a refusal.
 */
export async function recordRefused(parts: WriteParts, write: WriteCall, error: OwnError, id: string = randomUUID()) {
  if (parts.audit === null) return;
  const line = { arguments: redactDeep(write.args, secretsOf(write, parts)), decision: error.code };
  await parts.audit.append({ ...entryOf(parts, id, namesOf(parts, write)), event: 'refused', ...line }).catch(() => {});
}

/** A write that is about to be sent. */
interface Begun {
  plan: Plan;
  decision: ConfirmedBy;
  /** The write's on all its lines: that of the question that was agreed to, if any. */
  id: string;
  /** What the day's limit counts. */
  counted: DaySum | undefined;
}

/** Resolves when the line is on disk; rejects when the log cannot be written. Call the result with the answer. */
export async function recordBegun(
  parts: WriteParts,
  write: WriteCall,
  { plan, decision, id, counted }: Begun,
): Promise<Completion> {
  const { audit } = parts;
  if (audit === null) return async () => true;
  const secrets = secretsOf(write, parts);
  await audit.append({
    ...entryOf(parts, id, namesOf(parts, write)),
    event: 'begun',
    method: plan.method,
    path: redactText(plan.path, secrets),
    arguments: redactDeep(write.args, secrets),
    decision,
    request_id: write.requestId,
    ...(counted && { counted }),
  });
  const started = performance.now();
  return async (answer, looked) => {
    const line = {
      ...entryOf(parts, id, namesOf(parts, write)),
      ...outcomeOf(answer, looked),
      duration_ms: Math.round(performance.now() - started),
    };
    return audit.append({ event: 'completed', ...line }).then(
      () => true,
      () => false,
    );
  };
}

function entryOf({ settings, settingsDigest }: WriteParts, id: string, named: WriteNames) {
  return {
    time: new Date().toISOString(),
    ...(settings.now !== undefined && { account_time: accountTime(settings).toISOString() }),
    id,
    ...named,
    settings: settingsDigest,
  };
}

function outcomeOf(answer: UpstreamAnswer, looked: Finding['kind'] | undefined) {
  const outcome = answer.ok || looked === 'found' ? 'done' : answer.error.changed === 'unknown' ? 'unknown' : 'failed';
  return {
    outcome: outcome as 'done' | 'failed' | 'unknown',
    status: answer.ok ? answer.status : answer.error.status,
    code: answer.ok ? null : answer.error.code,
    upstream_request_id: answer.requestId,
    attempts: answer.attempts,
    ...(looked && { looked }),
  };
}
