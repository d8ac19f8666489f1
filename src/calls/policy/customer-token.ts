/**
 * Customer tokens: JWTs that say for which customers a request is. Signed with `BILLING_CUSTOMER_TOKEN_KEY` (HS256), or
 * by the authorization server with the keys of its access tokens. Loaded by the first token.
 */
import { hash } from 'node:crypto';
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { Unbound } from '../../tool/unbound-caller.ts';
import { type Proof, proofIn } from './intersect-customers.ts';

/** What signatures are checked with: a shared secret, or an authorization server's keys. Never both for one token. */
export type TokenKeys = { secret: Uint8Array } | IssuerKeys;

interface IssuerKeys {
  issuer: string;
  /** The value that tokens need in `aud`. */
  audience: string;
  /** Finds the key without a request; throws where only the issuer can decide, and `needsIssuer` tells that error. */
  known: JWTVerifyGetKey;
  /** Finds the key, asking the issuer if needed. */
  asked: JWTVerifyGetKey;
  needsIssuer(error: unknown): boolean;
}

export interface CustomerTokens {
  /** What a token proves that was accepted a short while ago; undefined for all others. */
  kept(token: unknown, now: Date): Proof | undefined;
  /** What a token proves. Undefined when only the issuer can decide, and it was not to be asked. Never rejects. */
  check(token: unknown, now: Date, asking: boolean): Promise<Proof | undefined>;
}

/** The signatures that an authorization server may use: no symmetric ones, which anyone with the public keys could make. */
export const issuerAlgorithms: string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
];

/** Seconds by which clocks may differ, and that a token may be valid from now on. */
const clockTolerance = 5;
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
      const found = kept.get(digestOf(token));
      const at = now.getTime();
      return found && at >= found.from && at < found.until ? found.proof : undefined;
    },
    async check(token, now, asking) {
      if (typeof token !== 'string' || token.length > longestToken) return { unbound: 'invalid' };
      try {
        const payload = await verified(token, now, keys, asking);
        const proof = proofOf(payload, now);
        if ('customers' in proof) keep(token, proof, Number(payload.exp), now.getTime());
        return proof;
      } catch (error) {
        if ('issuer' in keys && keys.needsIssuer(error)) return asking ? { unbound: 'unavailable' } : undefined;
        return { unbound: faultOf(error) };
      }
    },
  };
}

async function verified(token: string, now: Date, keys: TokenKeys, asking: boolean): Promise<JWTPayload> {
  const options: JWTVerifyOptions = { currentDate: now, clockTolerance, requiredClaims: ['exp'] };
  if ('secret' in keys) return (await jwtVerify(token, keys.secret, { ...options, algorithms: ['HS256'] })).payload;
  const { issuer, audience, known, asked } = keys;
  const strict = { ...options, issuer, audience, algorithms: issuerAlgorithms };
  return (await jwtVerify(token, asking ? asked : known, strict)).payload;
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
  // Everything else of this kind is a fault of the token; other errors come from reading the keys.
  return error instanceof errors.JOSEError ? 'invalid' : 'unavailable';
}

const claimFaults: Record<string, Unbound> = { exp: 'no_expiry', nbf: 'early', iss: 'issuer', aud: 'audience' };
