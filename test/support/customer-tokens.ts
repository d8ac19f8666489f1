/** Customer tokens as the program in front of the server makes them, and as it should not. */
import { type JWTPayload, SignJWT } from 'jose';

export const customerKey = 'customer-token-key-of-the-tests-0123456789';

export interface TokenOptions {
  key?: string;
  alg?: string;
  /** Seconds since 1970; null: no expiry. */
  expires?: number | null;
  notBefore?: number;
}

const seconds = () => Math.floor(Date.now() / 1000);

/** A token with this claim `billing_customer` (undefined: none), valid for five minutes unless it says otherwise. */
export async function customerToken(claim: unknown, options: TokenOptions = {}): Promise<string> {
  const { key = customerKey, alg = 'HS256', expires = seconds() + 300, notBefore } = options;
  const payload: JWTPayload = { ...(claim !== undefined && { billing_customer: claim }) };
  if (expires !== null) payload.exp = expires;
  if (notBefore !== undefined) payload.nbf = notBefore;
  return new SignJWT(payload).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
}

/** The same claims without a signature. */
export function unsigned(token: string): string {
  return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`;
}

/** The same signature under other claims. */
export function tampered(token: string, claim: unknown): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), billing_customer: claim };
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
}
