/** This server as an OAuth resource server (MCP authorization specification, RFC 9728): tokens, scopes, metadata. */
import {
  bearerAuthChallengeResponse,
  getOAuthProtectedResourceMetadataUrl,
  OAuthError,
  OAuthErrorCode,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/server';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { issuerAlgorithms } from '../../calls/access/customer-token.ts';
import { everyScope, type Scope } from '../../definition/caller.ts';
import { labelOf, type Refusal } from './credentials.ts';
import { IssuerNeeded } from './key-set.ts';
import type { OAuthSettings } from './settings.ts';

/** Who the caller is, and its scopes. `customers` and `role` are the claims as they came, unchecked. */
type Verdict =
  | { ok: true; id: string; scopes: ReadonlySet<Scope>; customers: unknown; role?: unknown }
  | { ok: false; refusal: Refusal };

/**
 * Checks an access token: signature by one of the keys, issuer, audience, an expiry in the future, and at least one of our
 * scopes. Throws IssuerNeeded where the keys need the issuer.
 */
export async function judgeToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, roleClaim = '' }: OAuthSettings,
  resource: string,
): Promise<Verdict> {
  let payload: JWTPayload;
  try {
    const wanted = { issuer, audience, requiredClaims: ['exp', 'sub'], clockTolerance: 5 };
    ({ payload } = await jwtVerify(token, keys, { ...wanted, algorithms: issuerAlgorithms }));
  } catch (error) {
    if (error instanceof IssuerNeeded) throw error;
    return { ok: false, refusal: refusalFor(error, resource) };
  }
  const granted = grantedScopes(payload);
  if (granted.size === 0) {
    const description = "The token has none of this server's scopes";
    const challenge = scopeChallenge(description, everyScope, resource);
    return { ok: false, refusal: { status: 403, message: `${description}.`, challenge } };
  }
  return {
    ok: true,
    id: labelOf('user', `${payload.iss} ${payload.sub}`),
    scopes: granted,
    customers: payload.billing_customer,
    role: Object.hasOwn(payload, roleClaim) ? payload[roleClaim] : undefined,
  };
}

/** `WWW-Authenticate` of a 401 for a token; with OAuth it points at the metadata (RFC 6750 §3, RFC 9728 §5.1). */
export function tokenChallenge(description: string, resource?: string): string {
  return challenge(new OAuthError(OAuthErrorCode.InvalidToken, description), [], resource);
}

/** `WWW-Authenticate` of a 403, with all scopes that the next token should have. */
export function scopeChallenge(description: string, wanted: readonly Scope[], resource: string): string {
  return challenge(new OAuthError(OAuthErrorCode.InsufficientScope, description), wanted, resource);
}

/**
 * `WWW-Authenticate` of a 401 without a token. By hand, because the SDK's challenges all name an error, and here there is
 * none (RFC 6750 §3.1).
 */
export function signInChallenge(resource: string): string {
  return `Bearer scope="billing:read", resource_metadata="${metadataUrl(resource)}"`;
}

function challenge(error: OAuthError, wanted: readonly Scope[], resource: string | undefined): string {
  const resourceMetadataUrl = resource === undefined ? '' : metadataUrl(resource);
  const answer = bearerAuthChallengeResponse(error, { requiredScopes: [...wanted], resourceMetadataUrl });
  return answer.headers.get('www-authenticate') ?? 'Bearer';
}

/** The address of a resource's metadata: the well-known path goes between host and path (RFC 9728 §3.1). */
export function metadataUrl(resource: string): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resource));
}

/**
 * The protected resource metadata document (RFC 9728 §2). The SDK's builder wants the issuer's endpoints, which are not
 * known here, writes `resource` otherwise than it was set, and leaves out the methods.
 */
export function resourceMetadata(resource: string, issuer: string): OAuthProtectedResourceMetadata {
  return {
    resource,
    authorization_servers: [issuer],
    scopes_supported: [...everyScope],
    bearer_methods_supported: ['header'],
    resource_name: 'usage-billing-mcp',
  };
}

/** Scopes are in `scope` (one string, RFC 9068) or, with some issuers, in `scp` (a list). */
function grantedScopes(payload: JWTPayload): ReadonlySet<Scope> {
  const claim = payload.scope ?? payload.scp;
  const names = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return new Set(everyScope.filter(scope => names.includes(scope)));
}

function refusalFor(error: unknown, resource: string): Refusal {
  if (!(error instanceof errors.JOSEError && tokenFaults.test(error.code))) {
    return { status: 503, message: "The authorization server's keys cannot be read right now. Retry shortly." };
  }
  const description = faultOf(error);
  return { status: 401, message: `${description}.`, challenge: tokenChallenge(description, resource) };
}

/** The codes of all other errors say that the key set is unreachable or malformed, which is not the caller's fault. */
const tokenFaults = /^ERR_(JW[ST]_|JOSE_(ALG_NOT_ALLOWED|NOT_SUPPORTED)|JWKS_(NO|MULTIPLE)_MATCHING_KEY)/;

function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const names: Record<string, string> = { aud: 'audience', iss: 'issuer', exp: 'expiry', sub: 'subject' };
    return `The token's ${names[error.claim] ?? 'claims'} ${error.reason === 'missing' ? 'is missing' : 'is not accepted'}`;
  }
  return 'The token is not valid';
}
