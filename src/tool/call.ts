/** Types shared by the parts of one tool call: the caller, the billing API's answer, the error. */

import type { MaskedField } from '../contract/masked-fields.ts';
import type { CancelSignal } from '../lib/cancel-signal.ts';
import type { JsonRecord } from '../lib/json.ts';
import type { ApiRequest, Known, WriteTool } from './define.ts';
import type { OwnError, ToolError } from './failure.ts';
import type { Unbound } from './unbound-caller.ts';

export type Scope = 'billing:read' | 'billing:write' | 'billing:delete';

/** Who makes a call. Connection pools, budgets, audit lines and remembered records are per caller. */
export interface Caller {
  /** A label that is safe in logs and audit lines: never a key or a token. */
  id: string;
  /** The billing API key that this caller's requests carry. */
  apiKey: string;
  /** Scopes granted over HTTP; null: not restricted. */
  scopes: ReadonlySet<Scope> | null;
  /** The external ids of the only customers that this caller may see; absent: everybody's, empty: nobody's. */
  customers?: readonly string[] | undefined;
  /** Why the request proves no customer although it has to: its calls are refused, and `customers` is empty. */
  unbound?: Unbound | undefined;
  /** The only customers that a proof may still bind an unbound caller to; absent: any. */
  allowed?: readonly string[] | undefined;
  /** The label of the credential alone, where `id` names the customers as well. */
  credential?: string | undefined;
  /** The caller's role in `BILLING_ROLES`, by name; absent where there are no roles. */
  role?: string | undefined;
  /** Personal data that answers to this caller leave out; absent: none. */
  mask?: ReadonlySet<MaskedField> | undefined;
}

/** What decides which tools a caller may use. */
export type Rights = Pick<Caller, 'scopes' | 'customers' | 'unbound' | 'role'>;

/** What decides what a caller's requests may see, besides the key that they carry. */
export type Viewer = Pick<Caller, 'id' | 'customers' | 'mask'>;

/** A connection (stdio) or a request (HTTP), as the runtime sees it. */
export interface Connection {
  caller: Caller;
  /** The caller of one of its requests, where requests may differ in who sent them and what their `_meta` proves. */
  callerOf?: (request: { authInfo?: unknown; meta?: unknown }) => Caller | Promise<Caller>;
  /** False where the transport cannot send questions, even if the client could answer them (stateless legacy HTTP). */
  canBeAsked?: boolean;
  /**
   * Ways of asking that brought no answer; absent where a connection is not remembered (requests without a session).
   */
  failed?: Set<AskRoute>;
  /** The address of the approval page with this id; absent where there are no such pages (stdio). */
  pageOf?: (id: string) => string;
  /** The request id to use upstream and in logs; when absent, each call gets a new one. */
  requestId?: string;
}

/** The service's answer to one request, after all retries. */
export type UpstreamAnswer =
  | {
      ok: true;
      status: number;
      body: unknown;
      requestId: string;
      attempts: number;
      /** True when no text of the body holds a hidden character. */
      plain?: boolean;
      /** What the service says of its answer beside the body, in one line without the key. */
      notice?: string;
      /** Of a lookup: what only the summary needs. */
      beside?: JsonRecord;
    }
  | { ok: false; error: ToolError; requestId: string; attempts: number };

/**
 * The ways of putting a question: an approval page of this server, a form of the chat host, the buttons of a chat page,
 * and a token that the assistant sends back. `BILLING_ASK` lists those in force.
 */
export const askRoutes = ['url', 'form', 'buttons', 'token'] as const;
export type AskRoute = (typeof askRoutes)[number];

/** What an observer counts. `declined_at_once`: within a second, faster than a person reads. */
export type Heard = 'yes' | 'no' | 'declined' | 'declined_at_once' | 'cancelled' | 'empty' | 'unanswered';

/** What came back from the client to a question. */
export type Reply =
  | { action: 'accept' | 'decline' | 'cancel'; content?: JsonRecord }
  /** The client offers elicitation but brought no answer; `reason` says why, in our own words. `late`: it put
   *  the question, and the person took too long. */
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

/** A write or delete whose arguments passed their checks. */
export interface WriteCall {
  tool: WriteTool;
  /** Validated arguments, without `dry_run`, `confirmation` and `detail`. */
  args: JsonRecord;
  request: ApiRequest;
  dryRun: boolean;
  /** The confirmation token sent back in mode `always`. */
  confirmation: string | undefined;
  /** Set where a person pressed a button on the write's chat page. */
  decided?: Decided;
  /** Arguments whose null was treated as left out although it could have cleared the field. */
  leftOut?: readonly string[];
  known: Known;
  /**
   * Was `known` read for this call? `unseen`: it should have been, and could not be. `off`: there is nothing to read.
   */
  sight: 'seen' | 'unseen' | 'off';
  /** Of a creation, which is about no record: what was read of the existing ones; null where it could not be read. */
  room?: Known;
  client: ClientAbilities;
  /** Aborted when the client cancels the call, or is gone. */
  signal?: CancelSignal | undefined;
  caller: Caller;
  requestId: string;
  now: Date;
  /** The time that answers speak of, where it is pinned for a demo; else `now`. */
  accountNow?: Date;
}

/** `page`: a button on the chat page; weaker than `person`, because a host may pass the page's token on. */
export type ConfirmedBy = 'person' | 'page' | 'host' | 'token' | 'policy';

/** What the person chose on the chat page of a write, with the token that the page was given. */
export interface Decided {
  decision: 'approve' | 'decline';
  confirmation: string;
}

/** Part of every write's result: what was asked for, and what the service's answer shows of it. */
export interface Receipt {
  tool: string;
  target: string;
  requested: JsonRecord;
  applied: string[];
  not_applied: string[];
  not_shown: string[];
  /** Arguments whose null was treated as left out, because every argument was filled in: they keep their values. */
  left_out?: readonly string[];
  /** The call that restores what the write changed; absent where the record was not seen before it. */
  revert?: Revert;
  /** How it is known that the write was carried out although its answer was lost: a look at the record showed it. */
  found?: string;
  confirmed_by: ConfirmedBy;
  warnings: string[];
  request_id: string;
  /** When it was carried out, by the account's clock: where that is pinned, the time that it shows. */
  at: string;
}

/** Runs like any write, with its own question. */
export type Revert = { tool?: string; arguments: JsonRecord } | { impossible: string };

/** A question that the client puts to the person; `page` is the id of its approval page, where the client opens one. */
export interface Ask {
  kind: 'ask';
  message: string;
  /** The question alone and short, for the title of a form's field. */
  title: string;
  state: string;
  page?: string;
}

/** How a write ended. Only `done` and `failed` have sent a request. */
export type WriteOutcome =
  /** `question` is what the person was, or would have been, asked. */
  | { kind: 'done'; body: unknown; receipt: Receipt; question: string }
  | { kind: 'failed'; error: ToolError }
  | { kind: 'refused'; error: OwnError }
  /** Every field has its value already, and nothing would be lost: there is nothing to send. */
  | { kind: 'idle'; fields: string[] }
  | { kind: 'declined'; error: OwnError }
  | {
      kind: 'dry_run';
      plan: { method: string; path: string; body: JsonRecord | null; question: string; warnings: string[] };
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
      /** Why the person is asked anew. */
      changed?: string;
    };

/** What a look at the record of a write has seen. */
export type Sight =
  | { kind: 'seen'; record: JsonRecord }
  | { kind: 'unseen' | 'off' }
  /** There is no such record, or the key is refused: nobody needs to be asked. */
  | { kind: 'refused'; error: ToolError };

/** Sends the write's own request, once. */
export type Send = () => Promise<UpstreamAnswer>;
/** Looks at the record anew, after an answer that was lost. */
export type Look = () => Promise<Sight>;
