/** Errors of writes that were not agreed to. All say that nothing was sent. */

import type { AskRoute } from '../../tool/asking.ts';
import type { ErrorCode } from '../../tool/error-codes.ts';
import type { OwnError } from '../../tool/failure.ts';
import type { WriteCall } from '../../tool/write-call.ts';

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

/** A person said no: in the field of the form, on the page, or with a button. */
export function declinedError(call: WriteCall): OwnError {
  return {
    status: null,
    code: 'declined',
    message: `${call.tool.name} was not carried out: the person said no.`,
    hint: 'Nothing was sent. Do not call it again unless the person asks for it.',
    changed: false,
  };
}

/** The chat host answered for the person, or closed the question: nobody knows whether anyone saw it. */
export function hostDeclinedError(
  call: WriteCall,
  action: 'decline' | 'cancel',
  another: string | undefined,
): OwnError {
  const said =
    action === 'decline' ? 'the chat host answered no' : 'the chat host ended the question without an answer';
  return {
    status: null,
    code: action === 'decline' ? 'declined' : 'cancelled',
    message: `${call.tool.name} was not carried out: ${said}.`,
    hint: `Nothing was sent. If the person saw no question, this host does not show them: ${settingToChange(another)} Do not call it again unless the person asks for it.`,
    changed: false,
  };
}

/** The client brought no yes and no no. `token`: the same question, to be answered through the assistant. */
export function unansweredError(
  call: WriteCall,
  question: string,
  reason: string,
  next: { token?: object | undefined; route?: AskRoute | undefined; another: string | undefined },
): OwnError {
  const { token, route, another } = next;
  return {
    status: null,
    code: 'question_unanswered',
    message: `Nothing was changed: there is no answer of the person about ${call.tool.name}. Their chat host offers to put questions, but ${reason}.`,
    details: { question, ...token },
    hint: [
      token === undefined
        ? 'Tell the person so; try once more only if they ask for it.'
        : `Put the question to the person in the chat and wait. Only if they agree, call ${call.tool.name} again with the same arguments and confirmation set to the token.`,
      route === undefined ? '' : `On this connection, further questions are put ${routeWords[route]}.`,
      token === undefined && route === undefined ? `For whoever runs this server: ${settingToChange(another)}` : '',
    ]
      .filter(Boolean)
      .join(' '),
    changed: false,
  };
}

/** None of the ways in force fits this client. */
export function cannotAskError(call: WriteCall, routes: readonly AskRoute[]): OwnError {
  return {
    status: null,
    code: 'cannot_ask',
    message: `${call.tool.name} was not carried out: the person has to agree, and this chat host cannot be asked (BILLING_ASK=${routes.join(',')}).`,
    hint: 'Nothing was sent. Tell the person. Whoever runs this server can add a way to BILLING_ASK: buttons for a host that shows pages, token for any.',
    changed: false,
  };
}

/** It was agreed to, and the call was cancelled before anything was sent. */
export function agreedInVainError(call: WriteCall): OwnError {
  return {
    status: null,
    code: 'cancelled',
    message: `${call.tool.name} was not carried out: it was agreed to, but the call had been cancelled.`,
    hint: 'Nothing was sent. Call it again if the person still wants it: they are asked anew.',
    changed: false,
  };
}

/** It was agreed to by what the record was, and nobody can see whether it still is so. */
export function lostSightError(call: WriteCall): OwnError {
  return {
    status: null,
    code: 'record_unseen',
    message: `${call.tool.name} was not carried out: it was agreed to, but the record could be read when the person was asked, and could not be read again after the answer.`,
    hint: 'Nothing was sent. Call it again in a moment without `confirmation`, if the person still wants it: they are asked anew.',
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

const routeWords: Record<AskRoute, string> = {
  url: 'on a page of this server',
  form: 'as a form',
  buttons: 'with the buttons of a page in the chat',
  token: 'through the assistant, with a token',
};

/** `another`: the settings that ask in another way than the one that was tried. */
function settingToChange(another: string | undefined): string {
  return another !== undefined
    ? `${another} asks in another way; BILLING_CONFIRM=never asks nobody, for a host that asks by itself.`
    : 'add a way to BILLING_ASK, or set BILLING_CONFIRM=never, which asks nobody, where the host asks by itself.';
}
