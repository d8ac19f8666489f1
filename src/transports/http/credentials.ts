/** Reading, comparing and naming the secrets that callers send. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Why a request may not pass, ready to be answered. */
export interface Refusal {
  status: 401 | 403 | 503;
  message: string;
  /** The value of `WWW-Authenticate`. */
  challenge?: string;
}

/** A label for a secret that is safe to print, the same on every machine, and that no second secret shares. */
export function labelOf(kind: string, secret: string): string {
  return `${kind}_${createHash('sha256').update(secret).digest().subarray(0, 16).toString('base64url')}`;
}

/** The credential of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}

/** Compares secrets in a time that tells nothing about where they differ, nor about their length. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
