/** The prompt, its answer, and what came in between. */
import { type AskRoute, type ConfirmedBy, provesAtLeast } from '../asking.ts';
import { cases, type Refusals, type Said, type Sent, sent, type Tool } from './refusal.ts';

/** `noLinks`: what the operator can do so that answers can link to a page, where they cannot. */
interface NoWay {
  routes: readonly AskRoute[];
  typed?: boolean;
  /** The weakest that the caller's role takes. */
  proof: ConfirmedBy;
  noLinks?: string | undefined;
}

/** `another`: the settings that ask in another way than the one that was tried. */
interface Another {
  another: string | undefined;
}

/** `token`: the same question, to be answered through the assistant, or on the page of its link; `route`: how the next ones are put. */
interface Unanswered {
  question: string;
  reason: string;
  token: { confirmation: string; link?: string } | undefined;
  route: AskRoute | undefined;
}

/** `decided`: with a button of a page. */
interface Confirmation extends Tool {
  decided: boolean;
}

interface UnavailableConfirmation {
  cannotBe: 'requested' | 'checked' | 'used';
  store: 'used confirmations' | 'prompts' | 'approvals';
}

export const ofAsking = {
  declined: {
    meaning: 'the user or the chat host declined the write; nothing was sent',
    whatToDo: 'do not call again unless the user asks for it',
    say: cases({
      /** In the field of the form, on the page, or with a button. */
      person: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: the user declined it.`,
        hint: 'Nothing was sent. Do not call it again unless the user asks for it.',
      }),
      host: (facts: Tool & Another) => byHost('the chat host declined it', facts),
    }),
  },
  question_unanswered: {
    meaning: 'the client supports prompts, but returned neither an approval nor a decline; nothing was sent',
    whatToDo: 'follow the hint: if it comes with a token, ask the user in the chat; otherwise tell the user',
    say: ({ tool, question, reason, token, route, another }: Tool & Another & Unanswered) => ({
      message: `Nothing was changed: the user did not answer the ${tool} prompt. The chat host supports prompts, but ${reason}.`,
      details: { question, ...token },
      hint: [
        token === undefined
          ? 'Tell the user. Retry once, and only if the user asks for it.'
          : token.link !== undefined
            ? `Give the user the link, where they approve or decline. Do not open it yourself. Then call ${tool} again with the same arguments and confirmation set to the token. That call waits for the decision.`
            : `Show the question to the user in the chat and wait. Only if the user approves, call ${tool} again with the same arguments and confirmation set to the token.`,
        route === undefined ? '' : `On this connection, later prompts are shown ${routeWords[route]}.`,
        token === undefined && route === undefined ? `The operator can change this: ${settingToChange(another)}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    }),
  },
  cannot_ask: {
    meaning: 'this client supports none of the confirmation methods in `BILLING_ASK`; nothing was sent',
    whatToDo: 'tell the user that no way to confirm works here; the operator can add one to `BILLING_ASK`',
    say: ({ tool, routes, typed, proof, noLinks }: Tool & NoWay) => ({
      message: `${tool} was not carried out: the user must confirm it, and this chat host supports none of the allowed methods (BILLING_ASK=${routes.join(',')}${proof === 'policy' ? '' : `, and the role takes confirmed_by ${proof} or stronger`}).`,
      hint: typed
        ? 'Nothing was sent. Tell the user. This change cannot be undone, so the user must type a text. Only a form (form) or an approval page (url, link) can take it.'
        : `Nothing was sent. Tell the user. ${routes.includes('link') && noLinks !== undefined ? `For links to an approval page, the operator can ${noLinks}. Or the` : 'The'} operator can add a method to BILLING_ASK: ${methodsToAdd(routes, proof)}.`,
    }),
  },
  confirmation_expired: unfitConfirmation('is older than ten minutes'),
  confirmation_invalid: {
    meaning: 'this server did not issue the confirmation for this purpose, or it was altered; nothing was sent',
    whatToDo: 'call again without `confirmation` to get a new prompt',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof invalidConfirmation }) =>
      confirmation(invalidConfirmation[why], facts),
  },
  confirmation_mismatch: unfitConfirmation('is for a different tool, arguments, account or caller'),
  confirmation_used: unfitConfirmation('was already used', 'this call sent nothing'),
  confirmation_unknown: {
    meaning:
      'the confirmation is from another server or from before a restart, and may already have been used; nothing was sent',
    whatToDo: 'call again without `confirmation` to get a new prompt',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof unknownConfirmation }) =>
      confirmation(unknownConfirmation[why], facts),
  },
  confirmation_unavailable: {
    meaning: 'the store of used confirmations is full or not responding; nothing was sent',
    whatToDo: 'call again later without `confirmation` to get a new prompt',
    say: ({ cannotBe, store, ...facts }: Confirmation & UnavailableConfirmation) =>
      confirmation(`cannot be ${cannotBe}, because the store of ${store} is not responding`, facts),
  },
  record_changed: {
    meaning: 'the record changed each time before the user answered; nothing was sent',
    whatToDo: 'someone else is changing the record: tell the user, and retry later',
    say: cases({
      /** It changes faster than the user can decide. `changed`: a sentence that says what. */
      asked: ({ tool, changed }: Tool & { changed: string }) => ({
        message: `${tool} was not carried out: ${changed.replace(' Decide again.', '')} This was the third time.`,
        hint: 'Nothing was sent. Someone else is changing this record. Tell the user, and retry later if the user still wants it.',
      }),
      set: (_: object) => ({
        message: 'It was skipped, because its record changed after the prompt.',
        hint: sendAgain,
      }),
    }),
  },
  record_unseen: {
    meaning: 'the record was read for the prompt, and could not be read again after the answer; nothing was sent',
    whatToDo: 'call again shortly without `confirmation` to get a new prompt',
    say: cases({
      asked: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: the user approved it, but its record could not be read again after the answer.`,
        hint: 'Nothing was sent. If the user still wants it, call it again shortly without `confirmation`. The server then asks the user again.',
      }),
      set: (_: object) => ({
        message: 'It was skipped, because its record could not be read again before sending.',
        hint: sendAgain,
      }),
    }),
  },
  set_stopped: {
    meaning: 'a change in a set was not sent, because an earlier one failed or has an unknown outcome',
    whatToDo: 'fix the cause, then send the same set again; changes already made are skipped',
    say: ({ number }: { number: number }) => ({
      message: `It was not sent, because change ${number} was not carried out.`,
      hint: sendAgain,
    }),
  },
  cancelled: {
    meaning: 'the client canceled the call or closed the prompt without an answer',
    whatToDo: 'call again only if it is still wanted; if a write was sent, read the record first',
    say: cases({
      /** The chat host closed the prompt: the user may not have seen it. */
      host: (facts: Tool & Another) => byHost('the chat host closed the prompt without an answer', facts),
      agreed: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: the user approved it, but the call was already canceled.`,
        hint: 'Nothing was sent. If the user still wants it, call it again. The server then asks the user again.',
      }),
      set: (_: object) => ({
        message: 'The call was canceled before this change was sent.',
        hint: sendAgain,
      }),
      unsent: ({ tool }: Tool) => ({
        message: `${tool}: the client canceled the call before it was sent`,
        hint: 'Call again if it is still wanted.',
      }),
      sent: (facts: Sent) => sent(facts, 'the client canceled the call', 'Call again if it is still wanted.'),
    }),
  },
} satisfies Refusals;

function unfitConfirmation(reason: string, sent = 'nothing was sent') {
  return {
    meaning: `the confirmation ${reason}; ${sent}`,
    whatToDo: 'call again without `confirmation` to get a new prompt',
    say: (facts: Confirmation) => confirmation(reason, facts),
  };
}

function confirmation(reason: string, { tool, decided }: Confirmation): Said {
  return {
    message: `${tool} was not carried out: the confirmation ${reason}.`,
    hint: decided
      ? 'Nothing was sent. Ask the assistant for this change again to get a new prompt.'
      : 'Nothing was sent. To get a new prompt, call the tool again with the arguments you want and without `confirmation`.',
  };
}

/** Methods with at least this proof. A host that can show a form or open a page is asked so by default. */
function methodsToAdd(routes: readonly AskRoute[], proof: ConfirmedBy): string {
  const methods: [ConfirmedBy, string][] = [
    ['person', proof === 'policy' ? '' : 'form for a host that shows forms, url or link with BILLING_HTTP_AUTH=oauth'],
    ['link', routes.includes('link') ? '' : 'link for a user with a browser'],
    ['page', 'buttons for a host that shows pages'],
    ['token', 'token for any host, without proof that a user approved'],
  ];
  return methods.flatMap(([by, words]) => (words !== '' && provesAtLeast(by, proof) ? words : [])).join(', ');
}

/** The chat host answered for the person. */
function byHost(said: string, { tool, another }: Tool & Another): Said {
  return {
    message: `${tool} was not carried out: ${said}.`,
    hint: `Nothing was sent. Do not call it again unless the user asks for it. If the user saw no prompt, this host does not show them: ${settingToChange(another)}`,
  };
}

/** `another`: the settings that ask in another way than the one that was tried. */
function settingToChange(another: string | undefined): string {
  return another !== undefined
    ? `${another} uses another method. If the host itself asks for confirmation, set BILLING_CONFIRM=never.`
    : 'add a method to BILLING_ASK. If the host itself asks for confirmation, set BILLING_CONFIRM=never.';
}

const routeWords: Record<AskRoute, string> = {
  url: 'on a page that this server serves',
  form: 'as a form',
  buttons: 'as a page with buttons in the chat',
  link: 'on a page that the answer links to',
  token: 'through the assistant, with a token',
};

const invalidConfirmation = {
  forged: 'was altered, or this server did not issue it',
  elsewhere: 'was issued for another purpose',
  route: 'uses a method that this server does not allow',
};

const unknownConfirmation = {
  used: 'was issued by another server, or before the store of used confirmations restarted, so it may already have been used',
  asked:
    'belongs to a prompt of another server, or from before the store of prompts restarted, so it cannot be decided',
};

const sendAgain = 'If the user still wants it, send the same set again. The server asks about the remaining changes.';
