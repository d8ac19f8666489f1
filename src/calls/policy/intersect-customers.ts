/** What a proof of customers makes of a caller. Bindings intersect: none widens what an earlier one allowed. */
import { hash } from 'node:crypto';
import type { Caller } from '../../tool/call.ts';
import type { Unbound } from '../../tool/unbound-caller.ts';

/** External ids of customers, each once and sorted. */
export interface Binding {
  customers: readonly string[];
  /** The same for the same customers on every machine; names none of them. */
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

/** The caller with one more proof. One that is not accepted refuses the request, whatever the others prove. */
export function narrowed(caller: Caller, proof: Proof): Caller {
  if (caller.unbound !== undefined && caller.unbound !== 'missing') return caller;
  if ('unbound' in proof) return refusedAs(caller, proof.unbound);
  return boundTo(caller, within(caller.unbound === 'missing' ? caller.allowed : caller.customers, proof));
}

/** The caller whom something besides a proof, such as a role, allows these customers alone. */
export function limitedTo(caller: Caller, binding: Binding): Caller {
  if (caller.unbound !== undefined) return { ...caller, allowed: within(caller.allowed, binding).customers };
  return boundTo(caller, within(caller.customers, binding));
}

/** The customers in both; undefined: all. */
function within(allowed: readonly string[] | undefined, binding: Binding): Binding {
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

/** Nobody's customers are seen even where the reason is not looked at. */
function refusedAs(caller: Caller, unbound: Unbound): Caller {
  return { ...caller, id: credentialOf(caller), customers: [], unbound };
}
