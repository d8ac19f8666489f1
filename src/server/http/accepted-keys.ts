/** The billing keys that the billing API has accepted; only the API knows whether a key is valid. */
import type { Observer } from '../logs/types.ts';

const most = 20_000;

/** By the label of the billing key. Filled by observing calls: after a caller's first call that the billing API answered. */
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
        if (accepted.size > most) accepted.delete(accepted.values().next().value as string);
      },
    },
  };
}
