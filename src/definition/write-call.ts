/** A write on its way, or a set of them: the call, what was seen of its record, how it ended, and its receipt. */

import type { CancelSignal } from '../lib/cancel-signal.ts';
import type { ApiRequest } from './api.ts';
import type { Ask, AskRoute, ClientAbilities, ConfirmedBy, Decided, ValueEdit } from './asking.ts';
import type { Access, Sender } from './caller.ts';
import type { Control } from './check.ts';
import type { Arguments, KnownRecord, WriteTool } from './define.ts';
import type { OwnError, ToolError } from './failure.ts';

/** A call of a tool that changes the account, with what was seen of its record. */
export interface WriteCall {
  tool: WriteTool;
  /** Validated arguments, without those of `control`. */
  args: Arguments;
  request: ApiRequest;
  control: Control;
  context: Asker;
  /** The values in `args` that the user changed in the prompt; `prompt`: in which the user did that now, and is asked once more. */
  edited?: { edits: readonly ValueEdit[]; prompt?: { id: string; route: AskRoute } };
  known: KnownRecord;
  /**
   * Was `known` read for this call? `unreadable`: the read failed. `none`: there is nothing to read.
   */
  reading: 'read' | 'unreadable' | 'none';
  /** Of a creation, which is about no record: what was read of the existing ones; null where it could not be read. */
  room?: KnownRecord;
  caller: Sender;
  access: Pick<Access, 'amounts' | 'dayAmounts' | 'confirm' | 'proof'>;
  requestId: string;
  /** Of a change of a set: the digest of the set's question that was answered; null where none was. */
  shown?: string | null;
  now: Date;
  /** The time that answers speak of, where it is pinned for a demo; else `now`. */
  accountNow?: Date;
}

/** Who asks for a write, and hears of it. */
export interface Asker {
  client: ClientAbilities;
  /** Set where a user pressed a button on the write's chat page. */
  decided?: Decided;
  /** Aborted when the client cancels the call, or is gone. */
  signal?: CancelSignal | undefined;
}

/** Part of every write's result: what was asked for, and what the service's answer shows of it. */
export interface Receipt {
  tool: string;
  target: string;
  requested: object;
  applied: string[];
  not_applied: string[];
  not_shown: string[];
  /** Arguments whose null was treated as left out, because every argument was filled in: they keep their values. */
  left_out?: readonly string[];
  /** What the user changed in the prompt: `price from $900.00 to $850.00`. */
  changed_by_user?: readonly string[];
  /** The call that restores what the write changed; absent where the record was not seen before it. */
  revert?: Revert;
  /** How it is known that the write was carried out although its answer was lost: a look at the record showed it. */
  found?: string;
  confirmed_by: ConfirmedBy;
  /** That no user confirmed it. */
  note?: string;
  warnings: string[];
  request_id: string;
  /** How the settings name the account, and its mode. */
  account?: string;
  account_mode?: 'live' | 'test';
  /** When it was carried out, by the account's clock: where that is pinned, the time that it shows. */
  at: string;
}

/** Runs like any write, with its own question. */
export type Revert = { tool?: string; arguments: object } | { impossible: string };

/** A request as it would be sent. */
interface PlannedRequest {
  method: string;
  path: string;
  body: object | null;
}

/** How a write ended. Only `done` and `failed` have sent a request. */
export type WriteOutcome =
  /** `question` is what the user was, or would have been, asked. */
  | { kind: 'done'; body: unknown; receipt: Receipt; question: string }
  | { kind: 'failed'; error: ToolError }
  | { kind: 'refused'; error: ToolError }
  /** Every field has its value already, and nothing would be lost: there is nothing to send. */
  | { kind: 'idle'; fields: string[] }
  | { kind: 'declined'; error: OwnError }
  /** The user changed values in the prompt: the write with these is planned and asked about anew. */
  | { kind: 'edited'; edits: readonly ValueEdit[]; prompt: { id: string; route: AskRoute } }
  | {
      kind: 'dry_run';
      plan:
        | (PlannedRequest & { question: string; warnings: string[] })
        | { question: string; requests: PlannedRequest[] };
    }
  | Ask
  /** `onPage`: only the chat page gets the token; the assistant must not be able to read it. */
  | {
      kind: 'needs_token';
      onPage: boolean;
      question: string;
      warnings: string[];
      confirmation: string;
      expires_at: string;
      /** Why the user is asked again. */
      changed?: string;
      /** The address of the page on which the user decides; `undecided`: it was given before, and is still open. */
      link?: string;
      undecided?: true;
      /** The second look at corrected values, as of `Ask`. */
      corrected?: true;
    };

/** What a look at the record of a write has seen. */
export type RecordReading =
  | { kind: 'read'; record: object }
  | { kind: 'unreadable' | 'none' }
  /** There is no such record, or the key is refused: no one needs to be asked. */
  | { kind: 'refused'; error: ToolError };

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
export interface SetReceipt
  extends Pick<Receipt, 'confirmed_by' | 'note' | 'request_id' | 'account' | 'account_mode' | 'at'> {
  /** The call that takes back all that can be, in reverse order; absent where nothing can. */
  revert?: { tool: string; arguments: object };
  /** Changes that were made and that it does not take back. */
  no_way_back?: readonly { number: number; why: string }[];
  warnings?: readonly string[];
}
