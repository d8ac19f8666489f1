/** What a proof of customers makes of a caller. Bindings intersect: none widens what an earlier one allowed. */
import { createHash } from 'node:crypto';
import type { Caller } from '../call/types.ts';
import type { Unbound } from '../tool/unbound.ts';

/** What a token or claim proves: these customers, or why it proves none. */
export type Proof = { customers: readonly string[] } | { unbound: Unbound };

/** The external ids in a claim: one text or a list of texts, none empty. Undefined where it is neither. */
export function customersIn(claim: unknown): readonly string[] | undefined {
  const list: unknown = typeof claim === 'string' ? [claim] : claim;
  if (!Array.isArray(list) || !list.every(id => typeof id === 'string' && id.trim() !== '')) return undefined;
  return sorted(list);
}

/** The caller with one more proof. One that is not accepted refuses the request, whatever the others prove. */
export function narrowed(caller: Caller, proof: Proof): Caller {
  if (caller.unbound !== undefined && caller.unbound !== 'missing') return caller;
  if ('unbound' in proof) return refusedAs(caller, proof.unbound);
  return boundTo(caller, within(caller.unbound === 'missing' ? caller.allowed : caller.customers, proof.customers));
}

/** The caller whom something besides a proof, such as a role, allows these customers alone. */
export function limitedTo(caller: Caller, customers: readonly string[]): Caller {
  if (caller.unbound !== undefined) return { ...caller, allowed: within(caller.allowed, customers) };
  return boundTo(caller, within(caller.customers, customers));
}

/** The customers in both; undefined: all. */
function within(allowed: readonly string[] | undefined, customers: readonly string[]): readonly string[] {
  return allowed === undefined ? customers : customers.filter(id => allowed.includes(id));
}

/** The label of the credential alone: limits of requests and sign-ins count by it, whatever its requests are bound to. */
export function credentialOf({ id, credential }: Pick<Caller, 'id' | 'credential'>): string {
  return credential ?? id;
}

/** A caller that may see these customers, with an id of its own: what is kept for one binding serves no other. */
export function boundTo(caller: Caller, customers: readonly string[]): Caller {
  const credential = credentialOf(caller);
  return { ...caller, id: `${credential}~${markOf(customers)}`, credential, customers, unbound: undefined };
}

/** Nobody's customers are seen even where the reason is not looked at. */
function refusedAs(caller: Caller, unbound: Unbound): Caller {
  return { ...caller, id: credentialOf(caller), customers: [], unbound };
}

/** The same for the same customers on every machine; names none of them. */
function markOf(customers: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(customers)).digest().subarray(0, 12).toString('base64url');
}

/** The same list for the same customers, whatever their order. */
export function sorted(customers: readonly string[]): readonly string[] {
  return [...new Set(customers)].sort();
}
