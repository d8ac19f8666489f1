/**
 * Who is bound to which customers: by the configuration, by a claim of the access token, by a customer token in a header
 * or in a request's `_meta`. Several bindings intersect. Nothing here widens what an earlier binding allowed.
 */

import type { Caller } from '../../definition/caller.ts';
import { fieldOf, isObject } from '../../lib/json.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { CustomerTokens, TokenKeys } from './customer-token.ts';
import { bindingOf, boundTo, narrowedBy, type Proof, proofIn } from './intersect-customers.ts';

/** The key of a request's `_meta` that holds a customer token. */
const tokenInMeta = 'usage-billing/customer-token';

export interface Bindings {
  /** The caller as the configuration binds it, before anything that its requests prove. */
  configured(caller: Caller): Caller;
  /** The caller with the claim `billing_customer` of its access token; undefined: the token has none. */
  claimed(caller: Caller, claim: unknown): Caller;
  /** The caller with a customer token; undefined when only the token's issuer can decide. */
  boundByKnownKeys(caller: Caller, token: unknown, now: Date): Caller | Promise<Caller | undefined>;
  /** The same, asking the issuer if needed. */
  boundAskingIssuer(caller: Caller, token: unknown, now: Date): Caller | Promise<Caller>;
  /** The caller of a request with this `_meta`. */
  ofRequest(caller: Caller, meta: unknown, now: Date): Caller | Promise<Caller>;
  /** The same rules with these keys for customer tokens, unless the configuration has a key. */
  trusting(keys: TokenKeys): Bindings;
}

type BindingSettings = Pick<Config, 'customer' | 'customerTokenKey'>;

/** The bindings of these settings. Customer tokens are signed with `BILLING_CUSTOMER_TOKEN_KEY`, where that is set. */
export function createBindings(settings: BindingSettings): Bindings {
  const { customerTokenKey: secret } = settings;
  return bindingsBy(settings, secret === undefined ? undefined : { secret: new TextEncoder().encode(secret) });
}

function bindingsBy(settings: BindingSettings, keys: TokenKeys | undefined): Bindings {
  const { customer, customerTokenKey } = settings;
  const needsNames = customer?.includes('required') === true;
  // Whether a request without a proof is refused, whatever the configuration names.
  const required = customerTokenKey !== undefined || needsNames;
  const configured = customer === undefined || needsNames ? undefined : bindingOf(customer);
  // Loaded by the first token: the library for them is large.
  let loaded: CustomerTokens | undefined;
  const load = async (trusted: TokenKeys): Promise<CustomerTokens> => {
    const { createCustomerTokens } = await import('./customer-token.ts');
    loaded ??= createCustomerTokens(trusted);
    return loaded;
  };
  const check = async (caller: Caller, token: unknown, now: Date, askIssuer: boolean): Promise<Caller | undefined> => {
    if (keys === undefined) return narrowedBy(caller, { unbound: 'no_key' });
    const proof = await (loaded ?? (await load(keys))).check(token, now, askIssuer);
    return proof && narrowedBy(caller, proof);
  };
  const ask = async (caller: Caller, token: unknown, now: Date): Promise<Caller> =>
    (await check(caller, token, now, true)) ?? narrowedBy(caller, { unbound: 'unavailable' });
  // A conversation sends the same token with every request: the same caller with a kept proof is bound once.
  const boundByProof = new WeakMap<Proof, { from: Caller; to: Caller }>();
  const fromKept = (caller: Caller, token: unknown, now: Date): Caller | undefined => {
    const proof = loaded?.kept(token, now);
    if (proof === undefined) return undefined;
    const earlier = boundByProof.get(proof);
    if (earlier?.from === caller) return earlier.to;
    const to = narrowedBy(caller, proof);
    boundByProof.set(proof, { from: caller, to });
    return to;
  };
  const bindings: Bindings = {
    configured: caller => {
      if (required) return { ...caller, customers: [], unbound: 'missing', allowed: configured?.customers };
      return configured === undefined ? caller : boundTo(caller, configured);
    },
    claimed: (caller, claim) => (claim === undefined ? caller : narrowedBy(caller, proofIn(claim))),
    boundByKnownKeys: (caller, token, now) => fromKept(caller, token, now) ?? check(caller, token, now, false),
    boundAskingIssuer: (caller, token, now) => fromKept(caller, token, now) ?? ask(caller, token, now),
    ofRequest: (caller, meta, now) =>
      isObject(meta) && Object.hasOwn(meta, tokenInMeta)
        ? bindings.boundAskingIssuer(caller, fieldOf(meta, tokenInMeta), now)
        : caller,
    trusting: other => (keys === undefined ? bindingsBy(settings, other) : bindings),
  };
  return bindings;
}
