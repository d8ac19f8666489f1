/** The callers whose billing keys the billing API has accepted; only the API knows whether a key is valid. */
import type { Observer } from '../../observe/types.ts';

export interface AcceptedCallers {
  has(callerId: string): boolean;
}

const most = 20_000;

/** Filled by observing calls: a caller is added after its first call that the billing API answered. */
export function createAccepted(): AcceptedCallers & { observer: Observer } {
  const accepted = new Set<string>();
  return {
    has: callerId => accepted.has(callerId),
    observer: {
      callEnded({ caller, outcome, attempts }) {
        if (outcome !== 'ok' || attempts === 0 || accepted.has(caller)) return;
        accepted.add(caller);
        if (accepted.size > most) accepted.delete(accepted.values().next().value as string);
      },
    },
  };
}
