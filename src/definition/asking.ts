/** How a user is asked before a write, and what comes back. */

/**
 * The ways of putting a question: an approval page of this server that the chat host opens, a form of the chat host, the
 * buttons of a chat page, a link to an approval page in the answer, and a token that the assistant sends back.
 * `BILLING_ASK` lists those in effect.
 */
export const askRoutes = ['url', 'form', 'buttons', 'link', 'token'] as const;

export type AskRoute = (typeof askRoutes)[number];

/** What an observer counts. `declined_at_once`: within a second, faster than a user reads. */
export type Heard = 'yes' | 'no' | 'declined' | 'declined_at_once' | 'cancelled' | 'empty' | 'unanswered';

/** What came back from the client to a question. */
export type Reply =
  | { action: 'accept' | 'decline' | 'cancel'; content?: object }
  /** The client offers elicitation but brought no answer; `reason` says why, in our own words. `late`: it put
   *  the question, and the user took too long. */
  | { action: 'unanswered'; reason: string; late?: true };

/** What the client of this call can do, in either protocol era. */
export interface ClientAbilities {
  /** Does the client declare this way of putting a question, and can we reach it? A token works with every client. */
  shows(route: Exclude<AskRoute, 'link' | 'token'>): boolean;
  /** The approval pages that an answer can link to, or why there are none; absent where no one could open them. */
  links?: PageLinks | { missing: string } | undefined;
  /** How long a call waits for the decision on an approval page, in milliseconds. */
  holdMs: number;
  /** Ways that brought no answer before on this connection; absent where a connection is not remembered. */
  failed?: Set<AskRoute> | undefined;
  /** What came back to an earlier question of this call; undefined on the first entry. */
  reply: Reply | undefined;
  /** Signed state that came back with it; undefined on the first entry. */
  state: string | undefined;
}

/** Approval pages of this server, for links in answers. */
export interface PageLinks {
  /** What a decision there proves, also by `url`: `person` where the page asks for a sign-in at an issuer. */
  by: 'person' | 'link';
  /** The address of the page of this id; rejects where no page can be served. */
  addressOf(id: string): Promise<string>;
  /** Called when the page can be opened, so that the server may open it for the user. */
  shown?(id: string): Promise<void>;
}

/**
 * From the strongest to the weakest. `person`: a form of the chat host, or a page behind a sign-in at an issuer. `page`: a
 * button on the chat page, whose token a host may pass on. `link`: a click on any other page of this server, which an
 * agent with the credential, or with a browser of its own, can make as well.
 */
export const proofs = ['person', 'page', 'link', 'host', 'token', 'policy'] as const;

export type ConfirmedBy = (typeof proofs)[number];

export function provesAtLeast(by: ConfirmedBy, least: ConfirmedBy): boolean {
  return proofs.indexOf(by) <= proofs.indexOf(least);
}

/** What a yes proves where it is not given on an approval page, of which `PageLinks` says it. */
export const proofOffPages = { form: 'person', buttons: 'page', token: 'token' } as const;

/** The loosest level with which a write has at least this proof; of `policy`, any. */
export function levelFor(least: ConfirmedBy): 'auto' | 'always' | undefined {
  return least === 'policy' ? undefined : provesAtLeast('host', least) ? 'auto' : 'always';
}

/** What receipts and the audit log say besides `token`: it proves only that the assistant saw the prompt. */
export const confirmationNotes: { readonly [By in ConfirmedBy]?: { note: string } } = {
  token: { note: 'not confirmed by a user' },
};

/** What the user chose on the chat page of a write, with the token that the page was given. */
export interface Decided {
  decision: 'approve' | 'decline';
  confirmation: string;
}

/** A value that the user can correct before saying yes. */
export interface EditableValue {
  /** Of its field in the form. */
  name: string;
  /** Of the argument that has it. */
  path: string;
  label: string;
  /** The label with the unit. */
  title: string;
  /** A currency, `credits`, or `date`. */
  unit: string;
  /** The present value, of money in major units. */
  text: string;
}

/** A value that the user changed in the prompt; `value` as the argument has it, `from` and `to` in words. */
export interface ValueEdit {
  path: string;
  value: string | number;
  label: string;
  from: string;
  to: string;
}

/** A question that the client puts to the user; `page` is the id of its approval page, where the client opens one. */
export interface Ask {
  kind: 'ask';
  message: string;
  /** The question alone and short, for the title of a form's field. */
  title: string;
  state: string;
  page?: string;
  /** A form has a field for the text that the message names, which the user types to approve. */
  typed?: true;
  /** A form has a field for each of these values, which the user can correct. */
  values?: readonly EditableValue[];
  /** The second look at values that were changed on a page, which its user sees already. */
  corrected?: true;
}

/** How long a question or a confirmation token is valid. */
export const CONFIRMATION_TTL_MS = 10 * 60_000;

/** The abilities of a client that is asked nothing: for reads, and where no one listens. */
export const nobody: ClientAbilities = { shows: () => false, holdMs: 0, reply: undefined, state: undefined };

/** What the settings call the account. */
export interface NamedAccount {
  accountLabel?: string | undefined;
  accountMode?: 'live' | 'test' | undefined;
}
