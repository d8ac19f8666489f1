/**
 * Customer tokens: JWTs that say for which customers a request is. Signed with `BILLING_CUSTOMER_TOKEN_KEY` (HS256), or
 * by the authorization server with the keys of its access tokens. Loaded by the first token.
 */
import { hash } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { Unbound } from '../../definition/refusals/access.ts';
import { type Proof, proofIn } from './intersect-customers.ts';

/** The keys that signatures are checked with: a shared secret or those of an authorization server, never both. */
export type TokenKeys = { secret: Uint8Array } | IssuerKeys;

interface IssuerKeys {
  issuer: string;
  /** The value that tokens need in `aud`. */
  audience: string;
  /** Finds the key without a request; throws where only the issuer can decide, and `needsIssuer` tells that error. */
  byKnownKeys: JWTVerifyGetKey;
  /** Finds the key, asking the issuer if needed. */
  askingIssuer: JWTVerifyGetKey;
  needsIssuer(error: unknown): boolean;
}

export interface CustomerTokens {
  /** What a token proves, if it was accepted a short while ago; undefined for any other token. */
  kept(token: unknown, now: Date): Proof | undefined;
  /** What a token proves. Undefined when only the issuer can decide, and `askIssuer` is false. Never rejects. */
  check(token: unknown, now: Date, askIssuer: boolean): Promise<Proof | undefined>;
}

const algorithmNames = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519';
/** The signatures that an authorization server may use. None is symmetric: anyone with the public keys could make it. */
export const issuerAlgorithms: string[] = algorithmNames.split(' ');

/** Seconds by which clocks may differ. */
const clockTolerance = 5;
/** Seconds from now for which a token may be valid. */
const longestLife = 60 * 60;

const longestToken = 8192;
/** Checked tokens are kept by digest, for a few minutes at most, so that a key that is withdrawn ends its tokens. */
const keptForMs = 5 * 60_000;
const mostKept = 10_000;

export function createCustomerTokens(keys: TokenKeys): CustomerTokens {
  const kept = new Map<string, { proof: Proof; from: number; until: number }>();
  const keep = (token: string, proof: Proof, exp: number, at: number) => {
    kept.set(digestOf(token), { proof, from: at, until: Math.min((exp + clockTolerance) * 1000, at + keptForMs) });
    if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
  };
  return {
    kept(token, now) {
      if (typeof token !== 'string' || token.length > longestToken) return undefined;
      const entry = kept.get(digestOf(token));
      const at = now.getTime();
      return entry && at >= entry.from && at < entry.until ? entry.proof : undefined;
    },
    async check(token, now, askIssuer) {
      if (typeof token !== 'string' || token.length > longestToken) return { unbound: 'invalid' };
      try {
        const payload = await verifiedPayload(token, now, keys, askIssuer);
        const proof = proofOf(payload, now);
        if ('customers' in proof) keep(token, proof, Number(payload.exp), now.getTime());
        return proof;
      } catch (error) {
        if ('issuer' in keys && keys.needsIssuer(error)) return askIssuer ? { unbound: 'unavailable' } : undefined;
        return { unbound: faultOf(error) };
      }
    },
  };
}

async function verifiedPayload(token: string, now: Date, keys: TokenKeys, askIssuer: boolean): Promise<JWTPayload> {
  const options: JWTVerifyOptions = { currentDate: now, clockTolerance, requiredClaims: ['exp'] };
  if ('secret' in keys) return (await jwtVerify(token, keys.secret, { ...options, algorithms: ['HS256'] })).payload;
  const { issuer, audience } = keys;
  const strict = { ...options, issuer, audience, algorithms: issuerAlgorithms };
  return (await jwtVerify(token, askIssuer ? keys.askingIssuer : keys.byKnownKeys, strict)).payload;
}

function proofOf({ exp = 0, billing_customer: claim }: JWTPayload, now: Date): Proof {
  if (exp - now.getTime() / 1000 > longestLife + clockTolerance) return { unbound: 'too_long' };
  return proofIn(claim);
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

function faultOf(error: unknown): Unbound {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return claimFaults[error.claim] ?? 'invalid';
  // Any other error of the library is a fault of the token; all others come from reading the keys.
  return error instanceof errors.JOSEError ? 'invalid' : 'unavailable';
}

const claimFaults: Record<string, Unbound> = { exp: 'no_expiry', nbf: 'early', iss: 'issuer', aud: 'audience' };
