/** How a user is asked before a write, and what comes back. */

/**
 * The ways of putting a question: an approval page of this server, a form of the chat host, the buttons of a chat page,
 * and a token that the assistant sends back. `BILLING_ASK` lists those in effect.
 */
export const askRoutes = ['url', 'form', 'buttons', 'token'] as const;

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
  shows(route: Exclude<AskRoute, 'token'>): boolean;
  /** How long a call waits for the decision on an approval page, in milliseconds. */
  holdMs: number;
  /** Ways that brought no answer before on this connection; absent where a connection is not remembered. */
  failed?: Set<AskRoute> | undefined;
  /** What came back to an earlier question of this call; undefined on the first entry. */
  reply: Reply | undefined;
  /** Signed state that came back with it; undefined on the first entry. */
  state: string | undefined;
}

/** `page`: a button on the chat page; weaker than `person`, because a host may pass the page's token on. */
export type ConfirmedBy = 'person' | 'page' | 'host' | 'token' | 'policy';

/** What the user chose on the chat page of a write, with the token that the page was given. */
export interface Decided {
  decision: 'approve' | 'decline';
  confirmation: string;
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
}

/** How long a question or a confirmation token is valid. */
export const CONFIRMATION_TTL_MS = 10 * 60_000;

/** The abilities of a client that is asked nothing: for reads, and where no one listens. */
export const nobody: ClientAbilities = { shows: () => false, holdMs: 0, reply: undefined, state: undefined };
