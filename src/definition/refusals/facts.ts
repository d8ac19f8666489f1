/** What is known where a refusal is made, and goes into its message (refusals.ts). */
import type { AskRoute, ConfirmedBy } from '../asking.ts';

/** Did the account change? `unknown`: a write was sent and no clear answer came back. */
export type Changed = false | 'unknown';

/** Most facts have the tool that was called. */
export interface Tool {
  tool: string;
}

/** A request that may have been sent. `readBack`: how to find out whether a write was carried out. */
export interface Sent extends Tool {
  changed: Changed;
  readBack: string;
}

export interface UnknownCode {
  argument: string;
  code: string;
  what: string;
  near: string | null;
  list: string;
  listedBy: string;
}

export interface AmountFacts {
  argument: string;
  problem: string;
  /** Those that have a limit. */
  currencies: readonly string[];
  /** Could the amount be compared with its limit? */
  judged: boolean;
  /** May the tool take an amount with its currency? */
  together: boolean;
}

export interface DayFacts {
  currency: string;
  /** In words. */
  amount: string;
  limit: string;
  left: { words: string; decimal: string };
  statedBy: string;
  /** When the next day begins: `2026-03-16T00:00:00Z`. */
  next: string;
}

export interface LongQuestion {
  /** What there are too many of. */
  what: 'amounts' | 'prices';
  amounts: number;
  mostAmounts: number;
  characters: number;
  mostCharacters: number;
  /** Of a set: how it can be divided. */
  divided?: string | null;
  /** Of a set: the changes that are too long even alone. */
  alone?: string | null;
}

/** `noLinks`: what the operator can do so that answers can link to a page, where they cannot. */
export interface NoWay {
  routes: readonly AskRoute[];
  typed?: boolean;
  /** The weakest that the caller's role takes. */
  proof: ConfirmedBy;
  noLinks?: string | undefined;
}

/** `another`: the settings that ask in another way than the one that was tried. */
export interface Another {
  another: string | undefined;
}

/** `token`: the same question, to be answered through the assistant, or on the page of its link; `route`: how the next ones are put. */
export interface Unanswered {
  question: string;
  reason: string;
  token: { confirmation: string; link?: string } | undefined;
  route: AskRoute | undefined;
}

/** `decided`: with a button of a page. */
export interface Confirmation extends Tool {
  decided: boolean;
}

export interface UnavailableConfirmation {
  cannotBe: 'requested' | 'checked' | 'used';
  store: 'used confirmations' | 'prompts' | 'approvals';
}

export interface RateFacts {
  reason: 'asked' | 'used_up' | 'spread';
  wait: string;
  said: string;
  note: string;
}

/** `failure`: the code of the failure, such as `ECONNRESET`. */
export interface Failed extends Sent {
  failure: string;
}

/** `credential`: what should name a role. */
export interface Credential {
  credential: string;
}

/** `lister`: the tool that lists such records. */
export interface Lister {
  lister: string;
}

/** `states`: of the subscriptions with this id. */
export interface UnknownSubscription {
  id: string | null;
  status: string | undefined;
  states: string | null;
}

/** A fact of the other invoice, and of the one that it is compared with. */
export interface Compared {
  first: string | null;
  second: string | null;
}

/** `partial`: some of them were not read; `cut`: nor was the whole name searched for. */
export interface SeveralCustomers {
  text: string | null;
  count: number;
  choices: string | null;
  partial: { searched: number; byEmail: boolean; cut: boolean } | null;
}

export interface OthersOfCustomer {
  customer: string | null;
  choices: string | null;
}

/** `ids`: of the invoices that have the number, where there are several; `newest`: how many were searched, where not all. */
export interface UnknownNumber {
  number: string | null;
  ids: { count: number; listed: string | null } | null;
  newest: string | null;
  near: string | null;
}
