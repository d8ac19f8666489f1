/** Authentication: each mode turns a request's headers into a caller, or into a refusal with its challenge. */
import type { IncomingHttpHeaders } from 'node:http';
import type { JWTVerifyGetKey } from 'jose';
import { inRole, type Role, type Roles } from '../../calls/access/roles/role.ts';
import type { Caller } from '../../definition/caller.ts';
import { type ErrorCode, refusalText, refuse as refuseCall } from '../../definition/failure.ts';
import type { Runtime } from '../runtime.ts';
import { type Admission, bearerToken, labelOf, type Refusal, sameSecret } from './credentials.ts';
import { IssuerNeeded, type KeySet } from './key-set.ts';
import { judgeToken, signInChallenge, tokenChallenge } from './oauth.ts';
import type { HttpSettings } from './settings.ts';

/** A decision that needs the issuer; made only after the request has been counted. */
export interface Undecided {
  ok: 'unknown';
  decide(): Promise<Admission>;
}

/** Decides by the headers alone, without any request of its own; never throws for a bad credential. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<Admission | Undecided>;

/** Callers with the server's own billing key, and callers with their own. */
export type Callers = Pick<Runtime, 'ownCaller' | 'callerWithKey' | 'bindings'>;

/**
 * The authentication of the configured mode. `api-key` uses the caller's own billing key and nothing else; the other
 * modes use the server's key for the billing API, and never pass on what the caller sent.
 */
export function createAuthenticator(
  settings: HttpSettings,
  callers: Callers,
  keySet: KeySet | undefined,
): Authenticate {
  switch (settings.auth) {
    case 'none':
      return async () => admit(callers.ownCaller('local'));
    case 'token':
      return staticTokens(settings, callers);
    case 'api-key':
      return ownKeys(callers);
    case 'oauth':
      return oauthTokens(settings, callers, keySet);
  }
}

const admit = (caller: Caller): Admission => ({ ok: true, caller });
const refuse = (refusal: Refusal): Admission => ({ ok: false, refusal });

/**
 * The caller in the role that its credential names: a text, or a list in which exactly one is a role of the file, because
 * issuers list every group of a user. Never guesses among several. With roles, no one is admitted without one: 403, with a code.
 */
export function admitInRole(
  caller: Caller,
  claimed: unknown,
  roles: Roles | undefined,
  credential: 'this bearer token' | 'this access token',
): Admission {
  if (roles === undefined) return admit(caller);
  const roleOrCode = roleOf(claimed, roles);
  if (typeof roleOrCode !== 'string') return admit(inRole(caller, roleOrCode));
  const message = refusalText(refuseCall(roleOrCode, { case: 'admission', credential }));
  return refuse({ status: 403, code: roleOrCode, message });
}

function roleOf(claimed: unknown, roles: Roles): Role | Extract<ErrorCode, `role_${string}`> {
  const names: unknown[] = [claimed ?? []].flat();
  if (names.length === 0) return 'role_missing';
  const known = [...roles.values()].filter(({ name }) => names.includes(name));
  return known.length > 1 ? 'role_ambiguous' : (known[0] ?? 'role_unknown');
}

function staticTokens({ tokens, roles }: HttpSettings, callers: Callers): Authenticate {
  // Made once for each token: neither its role nor a configured binding changes later.
  const admissions = new Map(
    tokens.map(token => {
      const caller = callers.ownCaller(`token_${token.name}`);
      return [token, admitInRole(caller, token.role, roles, 'this bearer token')];
    }),
  );
  return async headers => {
    const sent = bearerToken(headers.authorization);
    if (sent === undefined) {
      return refuse({ status: 401, message: 'Send a bearer token in Authorization.', challenge: 'Bearer' });
    }
    // Every token is compared, so that the time does not tell which one almost matched.
    let match: Admission | undefined;
    for (const [{ token }, admission] of admissions) if (sameSecret(sent, token)) match ??= admission;
    if (!match) {
      const challenge = tokenChallenge('The token is unknown');
      return refuse({ status: 401, message: 'The bearer token is unknown.', challenge });
    }
    return match;
  };
}

function ownKeys(callers: Callers): Authenticate {
  return async headers => {
    const key = headers['x-billing-api-key'];
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,512}$/.test(key)) {
      return refuse({
        status: 401,
        message: 'Send your own billing API key in X-Billing-Api-Key.',
        challenge: 'ApiKey header="X-Billing-Api-Key"',
      });
    }
    return admit(callers.callerWithKey(labelOf('key', key), key));
  };
}

function oauthTokens(settings: HttpSettings, callers: Callers, keySet: KeySet | undefined): Authenticate {
  if (!settings.oauth || !keySet) throw new Error('OAuth needs an issuer');
  const resource = settings.publicUrl ?? settings.oauth.audience;
  const { oauth, roles } = settings;
  const admissionBy = async (token: string, keys: JWTVerifyGetKey): Promise<Admission> => {
    const verdict = await judgeToken(token, keys, oauth, resource);
    if (!verdict.ok) return verdict;
    const caller = callers.bindings.claimed(callers.ownCaller(verdict.id, verdict.scopes), verdict.customers);
    return admitInRole(caller, verdict.role, roles, 'this access token');
  };
  return async headers => {
    const sent = bearerToken(headers.authorization);
    if (sent === undefined) {
      const message = 'Sign in: send an access token in Authorization.';
      return refuse({ status: 401, message, challenge: signInChallenge(resource) });
    }
    return admissionBy(sent, keySet.byKnownKeys).catch((error: unknown): Undecided => {
      if (!(error instanceof IssuerNeeded)) throw error;
      return { ok: 'unknown', decide: () => admissionBy(sent, keySet.askingIssuer) };
    });
  };
}
