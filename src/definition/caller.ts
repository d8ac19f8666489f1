/** Who makes a call, over which connection, and what this caller may do and see. */
import type { ConfirmRules } from '../contract/confirm-levels.ts';
import type { MaskedField } from '../contract/masked-fields.ts';
import type { AskRoute, ClientAbilities, ConfirmedBy } from './asking.ts';
import type { Refused } from './failure.ts';
import type { Unbound } from './refusals/access.ts';

export const everyScope = ['billing:read', 'billing:write', 'billing:delete'] as const;
export type Scope = (typeof everyScope)[number];

/** Who makes a call. Connection pools, budgets, audit lines and remembered records are per caller. */
export interface Caller {
  /** A label that is safe in logs and audit lines: never a key or a token. */
  id: string;
  /** The billing API key that this caller's requests carry. */
  apiKey: string;
  /** Scopes granted over HTTP; null: not restricted. */
  scopes: ReadonlySet<Scope> | null;
  /** The external ids of the only customers that this caller may see; absent: everybody's, empty: no one's. */
  customers?: readonly string[] | undefined;
  /** Why the request proves no customer although it has to: its calls are refused, and `customers` is empty. */
  unbound?: Unbound | undefined;
  /** The only customers that a proof may still bind an unbound caller to; absent: any. */
  allowed?: readonly string[] | undefined;
  /** The label of the credential alone, where `id` names the customers as well. */
  credential?: string | undefined;
  /** The caller's role in `BILLING_ROLES`, by name; absent where there are no roles. */
  role?: string | undefined;
}

/** Of a caller, what a call under way has, to send and to name it: what it may do and see, its access says. */
export type Sender = Pick<Caller, 'id' | 'apiKey' | 'credential'>;

/** What a caller may do and see is computed of this. */
export type Rights = Pick<Caller, 'scopes' | 'customers' | 'unbound' | 'role'> & { id?: string };

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
  /** The approval pages for links in answers. */
  links?: ClientAbilities['links'];
  /** The request id to use upstream and in logs; when absent, each call gets a new one. */
  requestId?: string;
}

/** What one caller may do and see. Computed once for it (calls/access/access.ts); checks ask it and nothing else. */
export interface Access {
  /** May the caller call this tool of the catalogue? The refusal answers a call of a tool that is not listed. */
  allows(tool: string): true | Refused;
  /** The scope that the tool needs and the caller lacks; undefined also for a name that is no tool of the catalogue. */
  missingScope(tool: string): Scope | undefined;
  /**
   * May a write of the caller read the record that this tool shows? Also where the tool itself is not offered, unless the
   * operator excludes it by name.
   */
  mayRead(tool: string): boolean;
  /** Why the request proves no customer although it has to: nothing is read for it. */
  readonly unbound: Unbound | undefined;
  /** The external ids of the only customers whose paths may be asked for; undefined: everybody's, empty: no one's. */
  readonly customers: readonly string[] | undefined;
  /** Personal data that is neither shown nor searched; undefined: none is hidden. */
  readonly hidden: ReadonlySet<MaskedField> | undefined;
  /** The limits of the amounts that its writes may name; each holds for itself, so that the smallest decides. */
  readonly amounts: readonly AmountLimits[];
  /** The limits of what its writes may name in a day, all together; each holds. */
  readonly dayAmounts: readonly AmountLimits[];
  /** How the caller's role wants its writes to be confirmed, besides the setting: the strictest counts. */
  readonly confirm: readonly ConfirmRules[];
  /** The weakest proof with which its writes are confirmed. */
  readonly proof: ConfirmedBy;
  /** Part of the key of what is kept: the same for callers who see the same of an account. */
  readonly view: string;
}

/** What may be named at most, by currency, as decimal text in major units. A currency that is not in it is refused. */
export interface AmountLimits {
  readonly largest: ReadonlyMap<string, string>;
  /** What states the limits, for the words of a refusal: the setting, or a role. */
  readonly statedBy: string;
}

/** What decides how a caller's requests are judged and its answers shortened. */
export type Viewer = Pick<Access, 'customers' | 'hidden' | 'view'>;
