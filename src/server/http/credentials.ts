/** Reads, compares and labels the secrets that callers send. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../definition/caller.ts';
import type { ErrorCode } from '../../definition/failure.ts';
import type { Observer } from '../logs/types.ts';

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

const mostAccepted = 20_000;

/**
 * The billing keys that the billing API has accepted, by their labels; only the API knows whether a key is valid. Filled by
 * observing calls: after a caller's first call that the billing API answered.
 */
export function createAccepted(): { has(credential: string): boolean; observer: Observer } {
  const accepted = new Set<string>();
  return {
    has: credential => accepted.has(credential),
    observer: {
      callEnded({ caller, outcome, attempts }) {
        if (outcome !== 'ok' || attempts === 0) return;
        // What follows the label of the key names the customers that the call was bound to (calls/access/intersect-customers.ts).
        const credential = caller.replace(/~.*$/, '');
        if (accepted.has(credential)) return;
        accepted.add(credential);
        if (accepted.size > mostAccepted) accepted.delete(accepted.values().next().value as string);
      },
    },
  };
}
