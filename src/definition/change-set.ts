/** A set of changes on its way: what became of each, and what an answer holds of the whole. */
import type { ConfirmedBy } from './asking.ts';

/** `idle`: it was so already, and nothing was sent; `unknown`: it was sent, and no clear answer came. */
type ChangeOutcome = 'done' | 'idle' | 'not_done' | 'unknown';

/** What became of one change. */
export interface ChangeMade {
  /** As the question counts, from 1. */
  readonly number: number;
  readonly tool: string;
  readonly target: string;
  readonly outcome: ChangeOutcome;
  /** Of one that was done, what a user finds the record by: its number or code. */
  readonly record?: string;
  /** Each changed field with its value before and after, in words: `price: $750.00 → $900.00`. */
  readonly changed?: readonly string[];
  /** Why it was not done, or how it is known that it was. */
  readonly why?: string;
  readonly code?: string;
  /** Fields that the service's answer shows otherwise than asked for, and those that it does not show. */
  readonly not_applied?: readonly string[];
  readonly not_shown?: readonly string[];
}

/** The receipt of a set. */
export interface SetReceipt {
  /** The call that takes back all that can be, in reverse order; absent where nothing can. */
  revert?: { tool: string; arguments: object };
  /** Changes that were made and that it does not take back. */
  no_way_back?: readonly { number: number; why: string }[];
  confirmed_by: ConfirmedBy;
  note?: string;
  warnings?: readonly string[];
  request_id: string;
  /** How the settings name the account, and its mode. */
  account?: string;
  account_mode?: 'live' | 'test';
  at: string;
}
