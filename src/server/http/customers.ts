/** Admission of callers with what binds them to customers: the access token's claim, and X-Billing-Customer-Token. */
import type { Bindings } from '../../calls/access/customer-bindings.ts';
import { type Authenticate, type Callers, createAuthenticator, type Undecided } from './auth.ts';
import type { Admission } from './credentials.ts';
import { createKeySet, IssuerNeeded } from './key-set.ts';
import type { HttpSettings } from './settings.ts';

export const customerHeader = 'x-billing-customer-token';

/**
 * What decides who calls and for which customers, and what binds a caller to the customers that a request's `_meta` proves.
 * Customer tokens are checked with the configured key, else with the authorization server's keys, where there is one. One that is
 * not accepted does not refuse the request: its calls are refused, in results that say what to send.
 */
export function createAdmission(
  settings: HttpSettings,
  runtime: Callers,
): { authenticate: Authenticate; bindings: Bindings } {
  const { oauth } = settings;
  const keySet = oauth && createKeySet(oauth);
  const bindings =
    oauth && keySet
      ? runtime.bindings.trusting({
          issuer: oauth.issuer,
          audience: oauth.audience,
          ...keySet,
          needsIssuer: error => error instanceof IssuerNeeded,
        })
      : runtime.bindings;
  const authenticate = createAuthenticator(settings, runtime, keySet);
  return {
    bindings,
    authenticate: async headers => {
      const admission = await authenticate(headers);
      const token = headers[customerHeader];
      return token === undefined ? admission : withCustomerToken(admission, token, bindings);
    },
  };
}

async function withCustomerToken(
  admission: Admission | Undecided,
  token: unknown,
  bindings: Bindings,
): Promise<Admission | Undecided> {
  const bindAskingIssuer = async (admitted: Admission): Promise<Admission> =>
    admitted.ok ? { ok: true, caller: await bindings.boundAskingIssuer(admitted.caller, token, new Date()) } : admitted;
  if (admission.ok === 'unknown')
    return { ok: 'unknown', decide: async () => bindAskingIssuer(await admission.decide()) };
  if (!admission.ok) return admission;
  const known = bindings.boundByKnownKeys(admission.caller, token, new Date());
  const caller = known instanceof Promise ? await known : known;
  return caller ? { ok: true, caller } : { ok: 'unknown', decide: () => bindAskingIssuer(admission) };
}
