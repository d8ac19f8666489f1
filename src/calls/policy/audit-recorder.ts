/** Records a write in the audit log, redacted. Without a log every step does nothing. */
import { randomUUID } from 'node:crypto';
import type { ConfirmedBy } from '../../tool/asking.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { UpstreamAnswer } from '../../tool/upstream-answer.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { redactDeep, redactText } from '../../words/redact.ts';
import type { AuditLog } from './audit-log.ts';
import type { DaySum } from './day-limit.ts';
import type { Finding } from './lost-answer.ts';
import type { Plan } from './plan.ts';
import { targetText } from './receipt.ts';

export interface WriteRecorder {
  /**
   * Resolves when the line is on disk; rejects when the log cannot be written. Call the result with the answer. `id` is
   * the write's on all its lines: that of the question that was agreed to, if any. `counted`: by the day's limit.
   */
  begin(call: WriteCall, plan: Plan, decision: ConfirmedBy, id: string, counted?: DaySum): Promise<Completion>;
  /** Records that somebody agreed to the question `id`, before anything is sent. Never rejects. */
  agreed(id: string, named: WriteNames, decision: ConfirmedBy): Promise<void>;
  /**
   * Records a write that was not sent; `id`: of its earlier lines. Never rejects: a log that cannot be written does not
   * change a refusal.
   */
  refused(call: WriteCall, error: OwnError, id?: string): Promise<void>;
  /** How a write is named on its lines. */
  namesOf(call: WriteCall): WriteNames;
}

/** Tool, caller and target as the log names them, redacted, and the digest of the question that was shown. */
interface WriteNames {
  tool: string;
  caller: string;
  target: string;
  question: string | null;
}

interface RecorderParts {
  secretsOf(call: WriteCall): string[];
  /** The digest of the question that the call answers; null where it answers none. */
  shownTo(call: WriteCall): string | null;
  /** The digest of the settings in force. */
  settings: string;
  /** The account's time, where its clock stands still (`--now`). */
  pinned?: Date | undefined;
}

/** False when the outcome could not be recorded. */
export type Completion = (answer: UpstreamAnswer, looked?: Finding['kind']) => Promise<boolean>;

export function createRecorder(
  log: AuditLog | null,
  { secretsOf, shownTo, settings, pinned }: RecorderParts,
): WriteRecorder {
  const namesOf = (call: WriteCall) => ({
    tool: call.tool.name,
    caller: redactText(call.caller.id, secretsOf(call)),
    target: redactText(targetText(call.tool, call.request), secretsOf(call)),
    question: shownTo(call),
  });
  const doNothing = async () => {};
  if (log === null) return { begin: async () => async () => true, refused: doNothing, agreed: doNothing, namesOf };
  const account = pinned && { account_time: pinned.toISOString() };
  const withTime = (id: string, fields: WriteNames) => ({
    time: new Date().toISOString(),
    ...account,
    id,
    ...fields,
    settings,
  });
  const fieldsOf = (id: string, call: WriteCall) => withTime(id, namesOf(call));
  return {
    namesOf,
    async agreed(id, fields, decision) {
      await log.append({ ...withTime(id, fields), event: 'agreed', decision }).catch(() => {});
    },
    async begin(call, plan, decision, id, counted) {
      await log.append({
        ...fieldsOf(id, call),
        event: 'begun',
        method: plan.method,
        path: redactText(plan.path, secretsOf(call)),
        arguments: redactDeep(call.args, secretsOf(call)),
        decision,
        request_id: call.requestId,
        ...(counted && { counted }),
      });
      const started = performance.now();
      return async (answer, looked) => {
        const line = {
          ...fieldsOf(id, call),
          ...outcomeOf(answer, looked),
          duration_ms: Math.round(performance.now() - started),
        };
        return log.append({ event: 'completed', ...line }).then(
          () => true,
          () => false,
        );
      };
    },
    async refused(call, error, id = randomUUID()) {
      const line = { arguments: redactDeep(call.args, secretsOf(call)), decision: error.code };
      await log.append({ ...fieldsOf(id, call), event: 'refused', ...line }).catch(() => {});
    },
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
