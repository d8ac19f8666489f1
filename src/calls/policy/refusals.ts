/** Why a write was not carried out, with a next step for the assistant. */

import type { OwnError } from '../../tool/failure.ts';
import type { UpstreamAnswer } from '../../tool/upstream-answer.ts';
import type { WriteCall } from '../../tool/write-call.ts';

export function budgetError(call: WriteCall, limit: number, waitMs: number): OwnError {
  const seconds = Math.ceil(waitMs / 1000);
  return {
    status: null,
    code: 'write_budget',
    message: `${call.tool.name} was refused before anything was sent: ${limit} writes a minute are allowed (BILLING_MAX_WRITES_PER_MINUTE).`,
    details: { limit_per_minute: limit, retry_after_seconds: seconds },
    hint:
      limit === 0
        ? 'No write is allowed here at all. Tell the person.'
        : `Wait ${seconds} s, and tell the person why; the operator of this server can raise the limit.`,
    changed: false,
  };
}

/** A set that no minute has room for. */
export function setBudgetError(set: WriteCall, limit: number, writes: number): OwnError {
  return {
    status: null,
    code: 'write_budget',
    message: `${set.tool.name} was refused before anything was sent: it makes ${writes} writes, and ${limit} a minute are allowed (BILLING_MAX_WRITES_PER_MINUTE).`,
    details: { limit_per_minute: limit, writes },
    hint:
      limit === 0
        ? 'No write is allowed here at all. Tell the person.'
        : `Divide it: ${limit} changes a minute at most. The operator of this server can raise the limit.`,
    changed: false,
  };
}

export function budgetStoreError(call: WriteCall): OwnError {
  return {
    status: null,
    code: 'write_budget_unavailable',
    message: `${call.tool.name} was refused before anything was sent: writes cannot be counted, because the shared store does not answer.`,
    hint: 'Try again in a moment; if it stays, the operator has to look at BILLING_REDIS_URL.',
    changed: false,
  };
}

export function dayStoreError(call: WriteCall): OwnError {
  return {
    status: null,
    code: 'write_budget_unavailable',
    message: `${call.tool.name} was refused before anything was sent: what the writes of this day named cannot be added up, because what counts them does not answer.`,
    hint: 'Try again in a moment; if it stays, the operator has to look at BILLING_REDIS_URL, or at BILLING_AUDIT_LOG.',
    changed: false,
  };
}

export function auditError(call: WriteCall, error: unknown): OwnError {
  const reason = (error as NodeJS.ErrnoException).code ?? 'the line could not be written whole';
  return {
    status: null,
    code: 'audit_unavailable',
    message: `${call.tool.name} was refused before anything was sent: the audit log cannot be written (${reason}).`,
    hint: 'Tell the person that the operator has to look at BILLING_AUDIT_LOG. A new attempt is confirmed anew.',
    changed: false,
  };
}

/** A value that the service could only refuse. */
export function valueError(call: WriteCall, { argument, message }: { argument: string; message: string }): OwnError {
  return {
    status: null,
    code: 'invalid_arguments',
    message: `${call.tool.name}: ${argument} ${message}`,
    details: [argument],
    hint: 'Correct the arguments, then call again. Nothing was sent, and nobody was asked.',
    changed: false,
  };
}

/** A fault of our own after the request may have been sent: the outcome is unknown. `reason` is redacted. */
export function unexpectedAnswer(call: WriteCall, reason: string): UpstreamAnswer {
  return {
    ok: false,
    requestId: call.requestId,
    attempts: 1,
    error: {
      status: null,
      code: 'internal_error',
      message: `${call.tool.name} ended unexpectedly after its request may have been sent: ${reason}.`,
      hint: 'Read the record before trying again.',
      changed: 'unknown',
    },
  };
}
