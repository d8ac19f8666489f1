/** Admission of callers with what binds them to customers: the access token's claim, and X-Billing-Customer-Token. */
import type { Bindings } from '../../calls/access/customer-bindings.ts';
import type { Runtime } from '../runtime.ts';
import { type Authenticate, createAuthenticator, type Undecided } from './auth.ts';
import type { Admission } from './credentials.ts';
import { createKeySet, IssuerNeeded } from './key-set.ts';
import type { HttpSettings } from './settings.ts';

export const customerHeader = 'x-billing-customer-token';

export interface AdmissionParts {
  /**
   * Decides who calls and for which customers. A customer token that is not accepted does not refuse the request: its
   * calls are refused, in results that say what to send.
   */
  authenticate: Authenticate;
  /** Binds a caller to the customers that a request's `_meta` proves. */
  bindings: Bindings;
}

/** Customer tokens are checked with the configured key, else with the authorization server's keys, where there is one. */
export function createAdmission(
  settings: HttpSettings,
  runtime: Pick<Runtime, 'ownCaller' | 'callerWithKey' | 'bindings'>,
): AdmissionParts {
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
