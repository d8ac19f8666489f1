/** Three brakes in front of the upstream: its rate limit, a circuit breaker, and a bound on requests at a time. */
import type { Headers } from './exchange.ts';

/** Learns the rate limit of one key from answers, and spreads what is left of a window before it runs out (§1.4). */
export class RateLimiter {
  #blockedUntil = 0;
  #resetAt = 0;
  #remaining = Number.POSITIVE_INFINITY;
  #limit = 0;
  #nextSlot = 0;

  /** Milliseconds to wait before the next request; a return of 0 takes the place. */
  pause(now: number): number {
    if (now < this.#blockedUntil) return this.#blockedUntil - now;
    if (now >= this.#resetAt) return 0;
    if (this.#remaining <= 0) return this.#resetAt - now;
    if (this.#remaining > Math.max(1, this.#limit * 0.1)) {
      this.#remaining--;
      return 0;
    }
    // The last tenth of a window is spread over what is left of it.
    if (now < this.#nextSlot) return this.#nextSlot - now;
    this.#nextSlot = now + (this.#resetAt - now) / this.#remaining;
    this.#remaining--;
    return 0;
  }

  /** Reads the headers of an answer. Returns how long a 429 asks to wait, undefined when it does not say. */
  learn(status: number, headers: Headers, now: number): number | undefined {
    const remaining = toNumber(headers['x-ratelimit-remaining']);
    const resetIn = waitFrom(headers['x-ratelimit-reset'], now);
    if (remaining !== undefined && resetIn !== undefined) {
      const resetAt = now + resetIn;
      // Answers overtake each other: within one window only the lowest count is true.
      const sameWindow = Math.abs(resetAt - this.#resetAt) < 1500 && now < this.#resetAt;
      this.#remaining = sameWindow ? Math.min(this.#remaining, remaining) : remaining;
      this.#resetAt = resetAt;
      this.#limit = toNumber(headers['x-ratelimit-limit']) ?? this.#limit;
    }
    if (status !== 429) return undefined;
    const asked = waitFrom(headers['retry-after'], now) ?? resetIn;
    if (asked !== undefined) this.#blockedUntil = Math.max(this.#blockedUntil, now + asked);
    return asked;
  }
}

/** Seconds from now, an instant in seconds or milliseconds, or an HTTP date; as milliseconds from now. */
export function waitFrom(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  if (Number.isFinite(number)) {
    if (number < 0) return 0;
    if (number > 1e12) return Math.max(0, number - now);
    return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
  }
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}

function toNumber(header: string | string[] | undefined): number | undefined {
  const number = Number(Array.isArray(header) ? header[0] : (header ?? Number.NaN));
  return Number.isFinite(number) ? number : undefined;
}

export type BreakerState = 'open' | 'half_open' | 'closed';

/** Fails fast after many failures in a row, and lets one request through from time to time to see whether it is over. */
export class Breaker {
  #failures = 0;
  #openUntil = 0;
  #pauseMs = 0;
  #probing = false;
  #state: BreakerState = 'closed';
  readonly #threshold: number;
  readonly #firstPauseMs: number;
  readonly #changed: (state: BreakerState) => void;

  constructor(changed: (state: BreakerState) => void = () => {}, threshold = 10, firstPauseMs = 2000) {
    this.#changed = changed;
    this.#threshold = threshold;
    this.#firstPauseMs = firstPauseMs;
  }

  /** 0 to go ahead, else milliseconds until it is worth trying again. */
  admit(now: number): number {
    if (this.#state === 'closed') return 0;
    if (now < this.#openUntil) return this.#openUntil - now;
    if (this.#probing) return 1000;
    this.#probing = true;
    this.#become('half_open');
    return 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pauseMs = 0;
    this.#probing = false;
    this.#become('closed');
  }

  failed(now: number): void {
    this.#failures++;
    const probeFailed = this.#state === 'half_open';
    if (!probeFailed && (this.#state === 'open' || this.#failures < this.#threshold)) return;
    this.#probing = false;
    this.#pauseMs = Math.min(30_000, this.#pauseMs === 0 ? this.#firstPauseMs : this.#pauseMs * 2);
    this.#openUntil = now + this.#pauseMs;
    this.#become('open');
  }

  /** The request ended without saying anything about the upstream (the client cancelled it). */
  undecided(): void {
    this.#probing = false;
  }

  #become(state: BreakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed(state);
  }
}

/** At most `limit` at a time; further ones queue in order, up to a bound. */
export class Gate {
  #free: number;
  readonly #bound: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number, bound = Math.max(100, limit * 10)) {
    this.#free = limit;
    this.#bound = bound;
  }

  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** Waits for a place. False when the queue is full, `timeoutMs` is over or the signal aborts. */
  enter(timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#waiting.size >= this.#bound) return Promise.resolve(false);
    return new Promise(resolve => {
      const settle = (entered: boolean): void => {
        this.#waiting.delete(enter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(entered);
      };
      const enter = (): void => settle(true);
      const giveUp = (): void => settle(false);
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp);
      this.#waiting.add(enter);
    });
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free++;
  }
}
