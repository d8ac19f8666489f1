/** Reads, compares and labels the secrets that callers send. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../definition/caller.ts';
import type { ErrorCode } from '../../definition/failure.ts';

/** Why a request is refused, as the answer needs it. */
export interface Refusal {
  status: 401 | 403 | 503;
  message: string;
  /** The code of a refusal that a program may want to tell apart. */
  code?: ErrorCode;
  /** The value of `WWW-Authenticate`. */
  challenge?: string;
}

export type Admission = { ok: true; caller: Caller } | { ok: false; refusal: Refusal };

/** A label for a secret: safe to print, the same on every machine, different for every secret. */
export function labelOf(kind: string, secret: string): string {
  return `${kind}_${createHash('sha256').update(secret).digest().subarray(0, 16).toString('base64url')}`;
}

/** The credential of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '')?.[1];
}

/** Compares secrets in a time that depends neither on where they differ nor on their length. */
export function sameSecret(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
