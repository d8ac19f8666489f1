/** Counts requests in this process with a monotonic clock: the limiter's own store uses the time of day. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { Recent } from '../../lib/collections.ts';

type Done = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** A store for the windows of the `most` callers and addresses seen last. */
export function rateStore(most: number, now: () => number = () => performance.now()): FastifyRateLimitStoreCtor {
  return class RateStore implements FastifyRateLimitStore {
    /** `began`: in milliseconds of the clock. */
    readonly #windows = new Recent<{ current: number; began: number }>(most);

    incr(key: string, done: Done, timeWindowMs = 60_000): void {
      const at = now();
      const window = this.#windows.of(key, () => ({ current: 0, began: at }));
      if (at - window.began >= timeWindowMs) {
        window.current = 0;
        window.began = at;
      }
      window.current++;
      done(null, { current: window.current, ttl: timeWindowMs - (at - window.began) });
    }

    /** Each route counts separately. */
    child(): FastifyRateLimitStore {
      return new RateStore();
    }
  };
}
