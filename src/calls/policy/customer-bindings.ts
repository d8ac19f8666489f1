/**
 * Who is bound to which customers: by the configuration, by a claim of the access token, by a customer token in a header
 * or in a request's `_meta`. Several bindings intersect. Nothing here widens what an earlier binding allowed.
 */

import { isRecord } from '../../lib/json.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Caller } from '../../tool/call.ts';
import type { CustomerTokens, TokenKeys } from './customer-token.ts';
import { type Binding, bindingOf, boundTo, narrowed, type Proof, proofIn } from './intersect-customers.ts';

/** The key of a request's `_meta` that holds a customer token. */
const tokenInMeta = 'usage-billing/customer-token';

/** The settings, as they decide. */
interface BindingRules {
  /** The customers that the configuration names; undefined: it names none. */
  configured: Binding | undefined;
  /** A request without a proof is refused, whatever the configuration names. */
  required: boolean;
}

export interface Bindings {
  /** The caller as the configuration binds it, before anything that its requests prove. */
  configured(caller: Caller): Caller;
  /** The caller with the claim `billing_customer` of its access token; undefined: the token has none. */
  claimed(caller: Caller, claim: unknown): Caller;
  /** The caller with a customer token; undefined when only the token's issuer can decide. */
  known(caller: Caller, token: unknown, now: Date): Caller | Promise<Caller | undefined>;
  /** The same, asking the issuer if needed. */
  asked(caller: Caller, token: unknown, now: Date): Caller | Promise<Caller>;
  /** The caller of a request with this `_meta`. */
  ofRequest(caller: Caller, meta: unknown, now: Date): Caller | Promise<Caller>;
  /** The same rules with these keys for customer tokens, unless the configuration has a key. */
  trusting(keys: TokenKeys): Bindings;
}

type BindingSettings = Pick<Config, 'customer' | 'customerTokenKey'>;

/** `BILLING_CUSTOMER`, and whether a token key makes a proof necessary. */
function bindingRules({ customer, customerTokenKey: key }: BindingSettings): BindingRules {
  const required = key !== undefined || customer?.includes('required') === true;
  const named = customer?.includes('required') ? undefined : customer;
  return { configured: named && bindingOf(named), required };
}

/** Bindings whose customer tokens are signed with `BILLING_CUSTOMER_TOKEN_KEY`, where that is set. */
export function createBindings(settings: BindingSettings): Bindings {
  const { customerTokenKey: secret } = settings;
  const keys = secret === undefined ? undefined : { secret: new TextEncoder().encode(secret) };
  return bindings(bindingRules(settings), keys);
}

function bindings(rules: BindingRules, keys: TokenKeys | undefined): Bindings {
  // Loaded by the first token: the library for them is large.
  let loaded: CustomerTokens | undefined;
  const load = async (trusted: TokenKeys): Promise<CustomerTokens> => {
    const { createCustomerTokens } = await import('./customer-token.ts');
    loaded ??= createCustomerTokens(trusted);
    return loaded;
  };
  const check = async (caller: Caller, token: unknown, now: Date, asking: boolean): Promise<Caller | undefined> => {
    if (keys === undefined) return narrowed(caller, { unbound: 'no_key' });
    const proof = await (loaded ?? (await load(keys))).check(token, now, asking);
    return proof && narrowed(caller, proof);
  };
  const ask = async (caller: Caller, token: unknown, now: Date): Promise<Caller> =>
    (await check(caller, token, now, true)) ?? narrowed(caller, { unbound: 'unavailable' });
  // A conversation sends the same token with every request: what a kept proof made of the same caller is that again.
  const earlier = new WeakMap<Proof, { from: Caller; to: Caller }>();
  const fromKept = (caller: Caller, token: unknown, now: Date): Caller | undefined => {
    const proof = loaded?.kept(token, now);
    if (proof === undefined) return undefined;
    const known = earlier.get(proof);
    if (known?.from === caller) return known.to;
    const to = narrowed(caller, proof);
    earlier.set(proof, { from: caller, to });
    return to;
  };
  const made: Bindings = {
    configured: caller => {
      if (rules.required) return { ...caller, customers: [], unbound: 'missing', allowed: rules.configured?.customers };
      return rules.configured === undefined ? caller : boundTo(caller, rules.configured);
    },
    claimed: (caller, claim) => (claim === undefined ? caller : narrowed(caller, proofIn(claim))),
    known: (caller, token, now) => fromKept(caller, token, now) ?? check(caller, token, now, false),
    asked: (caller, token, now) => fromKept(caller, token, now) ?? ask(caller, token, now),
    ofRequest: (caller, meta, now) =>
      isRecord(meta) && Object.hasOwn(meta, tokenInMeta) ? made.asked(caller, meta[tokenInMeta], now) : caller,
    trusting: other => (keys === undefined ? bindings(rules, other) : made),
  };
  return made;
}
