/** Who makes a call, and over which connection. */

import type { AskRoute, ClientAbilities } from './asking.ts';
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

/** What a caller may do and see is computed of this (access.ts). */
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
