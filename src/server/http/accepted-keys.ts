/** The callers whose billing keys the billing API has accepted; only the API knows whether a key is valid. */
import type { Observer } from '../logs/types.ts';

export interface AcceptedCallers {
  /** `credential` is the label of the billing key. */
  has(credential: string): boolean;
}

const most = 20_000;

/** Filled by observing calls: a caller is added after its first call that the billing API answered. */
export function createAccepted(): AcceptedCallers & { observer: Observer } {
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
        if (accepted.size > most) accepted.delete(accepted.values().next().value as string);
      },
    },
  };
}
