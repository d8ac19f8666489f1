/** Counts requests in this process, by a clock that nobody sets: the limiter's own store goes by the time of day. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { Recent } from '../../lib/recent.ts';

interface Window {
  current: number;
  /** Milliseconds of the clock. */
  began: number;
}

type Done = (error: Error | null, result?: { current: number; ttl: number }) => void;

/** A store that keeps the windows of so many callers and addresses, the ones seen last. */
export function rateStore(most: number, now: () => number = () => performance.now()): FastifyRateLimitStoreCtor {
  return class RateStore implements FastifyRateLimitStore {
    readonly #windows = new Recent<Window>(most);

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

    /** Each route counts by itself. */
    child(): FastifyRateLimitStore {
      return new RateStore();
    }
  };
}
