/** Holds a call while the user decides on a page of this server. */
import type { CancelSignal } from '../../../lib/cancel-signal.ts';
import { type CameBack, pageIdOf, signedIn } from './signed-state.ts';
import type { Approvals } from './write-stores.ts';

export interface ApprovalWait {
  /** Milliseconds after which the wait ends, decided or not. */
  forMs: number;
  /** Ends the wait when the client is gone. */
  signal?: CancelSignal | undefined;
  /** Called now and then, so that the client knows that the call is alive. */
  progress?: ((message: string) => void) | undefined;
}

export interface ApprovalWaits {
  /** Resolves when the question is decided, or cannot be any more, or the wait ends. Never rejects. */
  untilDecided(id: string, wait: ApprovalWait): Promise<void>;
  /** Ends every wait now, and every later one at once: the server stops. */
  end(): void;
}

/**
 * How often the store is asked, in milliseconds: the decision may be taken at another machine. Less often the longer a
 * person takes, because many calls may wait.
 */
const soonestMs = 400;
const latestMs = 2000;

/** `progressMs`: how often a client is told that its call is alive. */
export function createApprovalWaits(approvals: Pick<Approvals, 'look'>, progressMs: number): ApprovalWaits {
  const wakeUps = new Set<() => void>();
  let ended = false;
  return {
    async untilDecided(id, { forMs, signal, progress }) {
      const start = performance.now();
      let lastProgress = start;
      let over = false;
      let wakeUp = () => {};
      const stop = () => {
        over = true;
        wakeUp();
      };
      signal?.addEventListener('abort', stop);
      wakeUps.add(stop);
      try {
        while (!ended && !over && signal?.aborted !== true) {
          const standing = await approvals.look(id);
          if (standing === undefined || standing.decision !== undefined) return;
          const now = performance.now();
          const left = start + forMs - now;
          if (left <= 0 || over) return;
          if (now - lastProgress >= progressMs) {
            lastProgress = now;
            progress?.('Waiting for the user to decide on the page');
          }
          const pause = Math.min(latestMs, Math.max(soonestMs, (now - start) / 10));
          await new Promise<void>(resolve => {
            const timer = setTimeout(resolve, Math.min(pause, left));
            wakeUp = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
      } catch {
        // The store does not answer: the answer to the call says so.
      } finally {
        signal?.removeEventListener('abort', stop);
        wakeUps.delete(stop);
      }
    },
    end() {
      ended = true;
      for (const stop of wakeUps) stop();
    },
  };
}

/** Waits while the question that the call answers is open on its page, at most `holdMs` milliseconds. Never rejects. */
export async function untilDecided(
  parts: { key: Uint8Array; waits: ApprovalWaits; linkHoldMs: number },
  { route, signed: text }: CameBack,
  holdMs: number,
  wait: Omit<ApprovalWait, 'forMs'>,
): Promise<void> {
  const signed = signedIn(text, parts.key);
  const left = signed?.u === route ? signed.e - Date.now() : 0;
  if (left <= 0) return;
  const mostMs = route === 'url' ? holdMs : Math.min(holdMs, parts.linkHoldMs);
  await parts.waits.untilDecided(pageIdOf({ id: signed.i, route }, parts), {
    ...wait,
    forMs: Math.min(mostMs, left + 1),
  });
}
