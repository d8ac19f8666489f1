/** Binds a caller to the customers that a proof names. Bindings intersect: none widens what an earlier one allowed. */
import { hash } from 'node:crypto';
import type { Caller } from '../../definition/caller.ts';
import type { Unbound } from '../../definition/refusals/access.ts';

/** External ids of customers, each once and sorted. */
export interface Binding {
  customers: readonly string[];
  /** A digest of the customers: the same on every machine, and naming none of them. */
  mark: string;
}

/** What a token or claim proves: these customers, or why it proves none. */
export type Proof = Binding | { unbound: Unbound };

export function bindingOf(customers: readonly string[]): Binding {
  const sorted = [...new Set(customers)].sort();
  return { customers: sorted, mark: hash('sha256', JSON.stringify(sorted), 'base64url').slice(0, 16) };
}

/** The claim `billing_customer`: one external id or a list of them, none empty. */
export function proofIn(claim: unknown): Proof {
  const list: unknown = typeof claim === 'string' ? [claim] : claim;
  if (!Array.isArray(list) || !list.every(id => typeof id === 'string' && id.trim() !== ''))
    return { unbound: 'claim' };
  return bindingOf(list);
}

/** The caller with one more proof. If it proves no customers, the request is refused, whatever the others prove. */
export function narrowedBy(caller: Caller, proof: Proof): Caller {
  if (caller.unbound !== undefined && caller.unbound !== 'missing') return caller;
  if ('unbound' in proof) return unboundCaller(caller, proof.unbound);
  return boundTo(caller, sharedCustomers(caller.unbound === 'missing' ? caller.allowed : caller.customers, proof));
}

/** The caller with these customers alone, because its role, for example, allows no others. */
export function limitedTo(caller: Caller, binding: Binding): Caller {
  if (caller.unbound !== undefined) return { ...caller, allowed: sharedCustomers(caller.allowed, binding).customers };
  return boundTo(caller, sharedCustomers(caller.customers, binding));
}

/** The customers in both; `allowed` undefined: all. */
function sharedCustomers(allowed: readonly string[] | undefined, binding: Binding): Binding {
  if (allowed === undefined) return binding;
  const shared = binding.customers.filter(id => allowed.includes(id));
  return shared.length === binding.customers.length ? binding : bindingOf(shared);
}

/** The label of the credential alone: limits of requests and sign-ins count by it, whatever its requests are bound to. */
export function credentialOf({ id, credential }: Pick<Caller, 'id' | 'credential'>): string {
  return credential ?? id;
}

/** A caller that may see these customers, with an id of its own: what is kept for one binding serves no other. */
export function boundTo(caller: Caller, { customers, mark }: Binding): Caller {
  const credential = credentialOf(caller);
  return { ...caller, id: `${credential}~${mark}`, credential, customers, unbound: undefined };
}

/** Without customers, so that it sees none even where no one looks at `unbound`. */
function unboundCaller(caller: Caller, unbound: Unbound): Caller {
  return { ...caller, id: credentialOf(caller), customers: [], unbound };
}
