/** The four ways of asking: how each shows a question, and what its answer says. All else about a question is the same. */

import type { Ask, AskRoute, ConfirmedBy } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { cutText } from '../../../lib/cut-text.ts';
import { membersOf } from '../../../lib/json.ts';
import { credentialOf } from '../../access/intersect-customers.ts';
import { namesOf } from '../audit/audit-recorder.ts';
import type { WriteParts } from '../parts.ts';
import type { Prompt } from '../set.ts';
import { CONFIRMATION_TTL_MS } from './question-lifetime.ts';
import { type AccountName, bindingOf, digestOf, ofConfirmation } from './signed-state.ts';

/** `message`: the question with its warnings, shown unchanged. */
export type Question = Prompt & { message: string };

/** The question, on its way to the person. `onPage`: the token is for the buttons alone. */
export type Asked =
  | Ask
  | { kind: 'needs_token'; onPage: boolean; confirmation: string; expires_at: string; changed?: string };

/**
 * What came back. `declined` and `cancelled` come from the host, and `silence` is neither yes nor no, with the reason;
 * `empty`: the question was accepted without an answer; `late`: it was shown, and the time ran out. `waiting`: the page is open, and nothing is decided there yet.
 */
export type Answer =
  | { said: 'yes' | 'no' | 'declined' | 'cancelled' | 'waiting' }
  | { said: 'silence'; reason: string; empty?: true; late?: true }
  /** Nobody can decide there any more: why. */
  | { said: 'gone'; error: OwnError };

/** A question that is about to be shown, with its signed text and id. `lead`: why it is asked again. */
interface Showing {
  call: WriteCall;
  question: Question;
  signed: string;
  id: string;
  /** The mark of the store that remembers used questions. */
  store: string;
  lead: string | undefined;
}

interface Way {
  /** What an answer in this way proves. */
  by: ConfirmedBy;
  /** Can the client of this call be asked in this way? */
  fits(call: WriteCall): boolean;
  /** Rejects when the question cannot be kept for its page. */
  show(showing: Showing, parts: WriteParts): Promise<Asked>;
  /** `id`: of the question that was asked; undefined where the signed text is not valid. */
  read(call: WriteCall, id: string | undefined, parts: WriteParts): Promise<Answer>;
}

export const ways: Readonly<Record<AskRoute, Way>> = {
  url: {
    by: 'person',
    fits: ({ client }) => client.shows('url'),
    async show(showing, parts) {
      const { call, question, id, store, lead } = showing;
      const approval = {
        caller: credentialOf(call.caller),
        question: question.question,
        account: inWords(parts.accountOf(call)),
        warnings: lead === undefined ? question.warnings : [lead, ...question.warnings],
        expires: call.now.getTime() + CONFIRMATION_TTL_MS,
        write: {
          binding: bindingOf(call, parts),
          store,
          ...namesOf(parts, call),
          question: digestOf(shownText(question, lead)),
        },
      };
      // Kept longer than it can be decided, so that its page can say how it ended.
      await parts.stores.approvals.open(id, approval, 2 * CONFIRMATION_TTL_MS);
      return { ...asForm(showing), page: id };
    },
    // Accepting only says that the person agreed to open the page.
    async read(call, id, { stores: { approvals } }) {
      const { reply } = call.client;
      const facts = ofConfirmation(call);
      if (reply?.action !== 'accept') return ofHost(reply);
      if (id === undefined) return { said: 'waiting' };
      const standing = await approvals.look(id).catch(() => 'unavailable' as const);
      if (standing === 'unavailable')
        return gone(refuse('confirmation_unavailable', { ...facts, cannotBe: 'checked', store: 'questions' }));
      if (standing === undefined) return gone(refuse('confirmation_unknown', { ...facts, why: 'asked' }));
      switch (standing.decision) {
        case undefined:
          return { said: 'waiting' };
        case 'closed':
          return gone(refuse('confirmation_used', facts));
        default:
          return { said: standing.decision === 'approve' ? 'yes' : 'no' };
      }
    },
  },
  form: {
    by: 'person',
    fits: ({ client }) => client.shows('form'),
    show: async showing => asForm(showing),
    async read({ client: { reply } }) {
      if (reply?.action !== 'accept') return ofHost(reply);
      const { answer } = membersOf<'answer'>(reply.content);
      if (answer === 'yes' || answer === 'no') return { said: answer };
      return { said: 'silence', reason: 'it accepted the question without an answer', empty: true };
    },
  },
  buttons: {
    by: 'page',
    fits: ({ client }) => client.shows('buttons'),
    show: async showing => asToken(showing, true),
    read: async ({ decided }) => ({ said: decided?.decision === 'approve' ? 'yes' : 'no' }),
  },
  token: {
    by: 'token',
    fits: () => true,
    show: async showing => asToken(showing, false),
    read: async () => ({ said: 'yes' }),
  },
};

/** The account as the person may know it. */
function inWords({ baseUrl, name }: AccountName): string {
  if (name !== undefined) return `the ${name} account`;
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** A reply that is no acceptance. */
function ofHost(reply: WriteCall['client']['reply']): Answer {
  switch (reply?.action) {
    case 'decline':
      return { said: 'declined' };
    case 'cancel':
      return { said: 'cancelled' };
    default: {
      if (reply?.action !== 'unanswered') return { said: 'silence', reason: 'it brought no answer' };
      const { reason, late } = reply;
      return { said: 'silence', reason, ...(late && { late }) };
    }
  }
}

const gone = (error: OwnError): Answer => ({ said: 'gone', error });

/** The question with its warnings as a form shows it, and why it is asked again. */
export function shownText({ message }: Pick<Question, 'message'>, lead: string | undefined): string {
  return lead === undefined ? message : `${lead}\n\n${message}`;
}

function asForm({ question, signed, lead }: Showing): Asked {
  return { kind: 'ask', message: shownText(question, lead), title: shortened(question.question), state: signed };
}

function asToken({ call, signed, lead }: Showing, onPage: boolean): Asked {
  const expires_at = new Date(call.now.getTime() + CONFIRMATION_TTL_MS).toISOString();
  return {
    kind: 'needs_token',
    onPage,
    confirmation: signed,
    expires_at,
    ...(lead !== undefined && { changed: lead }),
  };
}

const longestTitle = 120;

/** The first line, whole words of it: hosts show it beside the field. */
function shortened(question: string): string {
  const [line = ''] = question.split('\n');
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle).replace(/\s+\S*$/, '')} …`;
}
