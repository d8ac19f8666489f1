/** The question to the person, its answer, and what came in between. */
import type { AskRoute } from '../asking.ts';
import type { Another, Confirmation, Sent, Tool, Unanswered, UnavailableConfirmation } from './facts.ts';
import { cases, type Refusals, type Said, sent } from './refusal.ts';

export const ofAsking = {
  declined: {
    meaning: 'the person, or the chat host, said no to the write; nothing was sent',
    whatToDo: 'do not call again unless the person asks for it',
    say: cases({
      /** In the field of the form, on the page, or with a button. */
      person: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: the person said no.`,
        hint: 'Nothing was sent. Do not call it again unless the person asks for it.',
      }),
      host: (facts: Tool & Another) => byHost('the chat host answered no', facts),
    }),
  },
  question_unanswered: {
    meaning: 'the client offers to put questions to the person, and brought no yes and no no; nothing was sent',
    whatToDo: 'do what the hint says: put the question yourself where it comes with a token; else tell the person',
    say: ({ tool, question, reason, token, route, another }: Tool & Another & Unanswered) => ({
      message: `Nothing was changed: there is no answer of the person about ${tool}. Their chat host offers to put questions, but ${reason}.`,
      details: { question, ...token },
      hint: [
        token === undefined
          ? 'Tell the person so; try once more only if they ask for it.'
          : `Put the question to the person in the chat and wait. Only if they agree, call ${tool} again with the same arguments and confirmation set to the token.`,
        route === undefined ? '' : `On this connection, further questions are put ${routeWords[route]}.`,
        token === undefined && route === undefined ? `For whoever runs this server: ${settingToChange(another)}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    }),
  },
  cannot_ask: {
    meaning: 'no way of asking the person that is in force fits this client; nothing was sent',
    whatToDo: 'tell the person; the operator can add a way to `BILLING_ASK`',
    say: ({ tool, routes }: Tool & { routes: readonly AskRoute[] }) => ({
      message: `${tool} was not carried out: the person has to agree, and this chat host cannot be asked (BILLING_ASK=${routes.join(',')}).`,
      hint: 'Nothing was sent. Tell the person. Whoever runs this server can add a way to BILLING_ASK: buttons for a host that shows pages, token for any.',
    }),
  },
  confirmation_expired: {
    meaning: 'the confirmation is older than ten minutes; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) => confirmation('is older than ten minutes', facts),
  },
  confirmation_invalid: {
    meaning: 'the confirmation was not issued by this server for this purpose, or was altered; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof invalidConfirmation }) =>
      confirmation(invalidConfirmation[why], facts),
  },
  confirmation_mismatch: {
    meaning: 'the confirmation is for another tool, other arguments, another account or caller; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) =>
      confirmation('was given for another tool, other arguments, another account or caller', facts),
  },
  confirmation_used: {
    meaning: 'the confirmation has been used already; nothing was sent by this call',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) => confirmation('has been used already', facts),
  },
  confirmation_unknown: {
    meaning:
      'the confirmation comes from another server or from before a restart, and may have been used; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof unknownConfirmation }) =>
      confirmation(unknownConfirmation[why], facts),
  },
  confirmation_unavailable: {
    meaning: 'the store of used confirmations does not answer or is full; nothing was sent',
    whatToDo: 'call again later without `confirmation`, to be asked anew',
    say: ({ cannotBe, store, ...facts }: Confirmation & UnavailableConfirmation) =>
      confirmation(`cannot be ${cannotBe}, because the store of ${store} does not answer`, facts),
  },
  record_changed: {
    meaning: 'the record changed each time before the person had answered; nothing was sent',
    whatToDo: 'somebody else is changing it: tell the person, and try again later',
    say: cases({
      /** It changes faster than a person can decide. `changed`: a sentence that says what. */
      asked: ({ tool, changed }: Tool & { changed: string }) => ({
        message: `${tool} was not carried out: ${changed.replace(' Please decide anew.', '')} This was the third time.`,
        hint: 'Nothing was sent. Somebody else is changing this record: tell the person, and try again later if they still want it.',
      }),
      set: (_: object) => ({
        message: 'Its record changed since this was asked, so it was left out.',
        hint: sendAgain,
      }),
    }),
  },
  record_unseen: {
    meaning:
      'the record was read when the person was asked, and could not be read again after the answer; nothing was sent',
    whatToDo: 'call again in a moment without `confirmation`: the person is asked anew',
    say: cases({
      asked: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: it was agreed to, but the record could be read when the person was asked, and could not be read again after the answer.`,
        hint: 'Nothing was sent. Call it again in a moment without `confirmation`, if the person still wants it: they are asked anew.',
      }),
      set: (_: object) => ({
        message: 'The service did not show its record again before it was sent, so it was left out.',
        hint: sendAgain,
      }),
    }),
  },
  set_stopped: {
    meaning: 'a change of a set was not sent, because one before it failed or has an unknown outcome',
    whatToDo: 'fix the cause, then send the same set again: changes already in effect are skipped',
    say: ({ number }: { number: number }) => ({
      message: `It was not sent, because change ${number} was not carried out.`,
      hint: sendAgain,
    }),
  },
  cancelled: {
    meaning: 'the client cancelled the call, or ended the question without an answer',
    whatToDo: 'call again only if it is still wanted; for a write that was sent, read the record first',
    say: cases({
      /** The chat host closed the question: nobody knows whether anyone saw it. */
      host: (facts: Tool & Another) => byHost('the chat host ended the question without an answer', facts),
      agreed: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: it was agreed to, but the call had been cancelled.`,
        hint: 'Nothing was sent. Call it again if the person still wants it: they are asked anew.',
      }),
      set: (_: object) => ({
        message: 'The call was cancelled before this change was sent.',
        hint: sendAgain,
      }),
      unsent: ({ tool }: Tool) => ({
        message: `${tool}: the client cancelled the call before it was sent`,
        hint: 'Call again if it is still wanted.',
      }),
      sent: (facts: Sent) => sent(facts, 'the client cancelled the call', 'Call again if it is still wanted.'),
    }),
  },
} satisfies Refusals;

function confirmation(reason: string, { tool, decided }: Confirmation): Said {
  return {
    message: `${tool} was not carried out: the confirmation ${reason}.`,
    hint: decided
      ? 'Nothing was sent. Ask the assistant for this change again, to get a new question.'
      : 'Nothing was sent. Call the tool again with the arguments that are wanted and without `confirmation`, to be asked anew.',
  };
}

/** The chat host answered for the person. */
function byHost(said: string, { tool, another }: Tool & Another): Said {
  return {
    message: `${tool} was not carried out: ${said}.`,
    hint: `Nothing was sent. If the person saw no question, this host does not show them: ${settingToChange(another)} Do not call it again unless the person asks for it.`,
  };
}

/** `another`: the settings that ask in another way than the one that was tried. */
function settingToChange(another: string | undefined): string {
  return another !== undefined
    ? `${another} asks in another way; BILLING_CONFIRM=never asks nobody, for a host that asks by itself.`
    : 'add a way to BILLING_ASK, or set BILLING_CONFIRM=never, which asks nobody, where the host asks by itself.';
}

const routeWords: Record<AskRoute, string> = {
  url: 'on a page of this server',
  form: 'as a form',
  buttons: 'with the buttons of a page in the chat',
  token: 'through the assistant, with a token',
};

const invalidConfirmation = {
  forged: 'was not issued by this server, or was altered',
  elsewhere: 'was issued for something else',
  route: 'is of a way of asking that is not in force',
};

const unknownConfirmation = {
  used: 'was issued on another server, or before the store of used confirmations was started anew, so that it may have been used already',
  asked:
    'was asked for on another server, or before the store of questions was started anew, so that nobody can decide',
};

const sendAgain = 'Send the same set again if the person still wants it: they are asked about what is left.';
