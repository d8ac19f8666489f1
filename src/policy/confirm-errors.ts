/** Errors of writes that were not confirmed. All say that nothing was sent. */
import type { WriteCall } from '../call/types.ts';
import type { ErrorCode } from '../tool/error-codes.ts';
import type { OwnError } from '../tool/failure.ts';

/** The record changes faster than a person can decide. */
export function restlessError(call: WriteCall, changed: string): OwnError {
  return {
    status: null,
    code: 'record_changed',
    message: `${call.tool.name} was not carried out: ${changed.replace(' Please decide anew.', '')} This was the third time.`,
    hint: 'Nothing was sent. Somebody else is changing this record: tell the person, and try again later if they still want it.',
    changed: false,
  };
}

export function declinedError(call: WriteCall, code: 'declined' | 'cancelled'): OwnError {
  return {
    status: null,
    code,
    message: `${call.tool.name} was not carried out: the person ${code === 'declined' ? 'said no' : 'closed the question'}.`,
    hint: 'Nothing was sent. Do not call it again unless the person asks for it.',
    changed: false,
  };
}

export function unansweredError(call: WriteCall, question: string, reason: string): OwnError {
  return {
    status: null,
    code: 'question_unanswered',
    message: `Nothing was changed: the person could not be asked about ${call.tool.name}. Their chat host offers to put questions, but ${reason}.`,
    details: { question },
    hint: 'Tell the person so, with what was to be changed, and try once more only if they ask for it. Where the host itself asks before every call, whoever runs this server can set BILLING_CONFIRM=never.',
    changed: false,
  };
}

export function confirmationError(call: WriteCall, code: ErrorCode, reason: string): OwnError {
  return {
    status: null,
    code,
    message: `${call.tool.name} was not carried out: the confirmation ${reason}.`,
    hint: call.decided
      ? 'Nothing was sent. Ask the assistant for this change again, to get a new question.'
      : 'Nothing was sent. Call the tool again with the arguments that are wanted and without `confirmation`, to be asked anew.',
    changed: false,
  };
}
