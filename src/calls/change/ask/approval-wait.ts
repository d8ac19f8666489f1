/** Holds a call while the user decides on a page of this server. */
import type { CallContext } from '../../call/call.ts';
import type { Pages } from './agreements.ts';
import { type CameBack, pageIdOf, type SigningOptions } from './signed-state.ts';

/** `signal` ends the wait when the client is gone; `progress` tells now and then that the call is alive. */
export type ApprovalWait = Pick<CallContext, 'signal' | 'progress'>;

export interface ApprovalWaits {
  /**
   * Waits while the question that the call answers is open on its page, at most `holdMs` milliseconds: resolves when it is
   * decided, or cannot be any more, or the wait ends. Never rejects.
   */
  untilDecided(answer: CameBack, holdMs: number, wait: ApprovalWait): Promise<void>;
  /** Ends every wait now, and every later one at once: the server stops. */
  end(): void;
}

/**
 * How often the store is asked, in milliseconds: the decision may be taken at another machine. Less often the longer a
 * person takes, because many calls may wait.
 */
const soonestMs = 400;
const latestMs = 2000;

/** `progressMs`: how often a client is told that its call is alive; `linkHoldMs`: the longest wait for a page behind a link. */
export function createApprovalWaits(
  pages: Pick<Pages, 'look'>,
  { key }: Pick<SigningOptions, 'key'>,
  { progressMs, linkHoldMs }: { progressMs: number; linkHoldMs: number },
): ApprovalWaits {
  const wakeUps = new Set<() => void>();
  let ended = false;
  return {
    async untilDecided({ route, signed }, holdMs, { signal, progress }) {
      const lasts = signed?.u === route ? signed.e - Date.now() : 0;
      if (lasts <= 0) return;
      const forMs = Math.min(route === 'url' ? holdMs : Math.min(holdMs, linkHoldMs), lasts + 1);
      const id = pageIdOf({ id: signed.i, route }, { key });
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
          const standing = await pages.look(id);
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
