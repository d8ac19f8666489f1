/**
 * Three brakes in front of the upstream: its rate limit, a circuit breaker, and a bound on requests at a time. `now` is
 * in milliseconds of a clock that nobody sets: by the time of day, an hour set back would be an hour to wait.
 */
import type { CancelSignal } from '../lib/cancel.ts';
import type { Headers } from './exchange.ts';

/** Learns the rate limit of one key from answers, and spreads what is left of a window before it runs out (§1.4). */
export class RateLimiter {
  #blockedUntil = 0;
  #resetAt = 0;
  #remaining = Number.POSITIVE_INFINITY;
  #limit = 0;
  #nextSlot = 0;

  /** Is nothing known that limits a request now? */
  idle(now: number): boolean {
    return now >= this.#blockedUntil && now >= this.#resetAt;
  }

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

  /**
   * Reads the headers of an answer. Returns how long a 429 asks to wait, undefined when it does not say. `now` is of the
   * clock that `pause` is asked by; `date`, the time of day, is what instants in headers are held against, where it is
   * another one.
   */
  learn(status: number, headers: Headers, now: number, date: number = now): number | undefined {
    const remaining = toNumber(headers['x-ratelimit-remaining']);
    const resetIn = waitFrom(headers['x-ratelimit-reset'], date);
    if (remaining !== undefined && resetIn !== undefined) {
      const resetAt = now + resetIn;
      // Answers overtake each other: within one window only the lowest count is true.
      const sameWindow = Math.abs(resetAt - this.#resetAt) < 1500 && now < this.#resetAt;
      this.#remaining = sameWindow ? Math.min(this.#remaining, remaining) : remaining;
      this.#resetAt = resetAt;
      this.#limit = toNumber(headers['x-ratelimit-limit']) ?? this.#limit;
    }
    if (status !== 429) return undefined;
    const asked = waitFrom(headers['retry-after'], date) ?? resetIn;
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

  get closed(): boolean {
    return this.#state === 'closed';
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

/** One caller's way through a gate. */
export interface Lane {
  /** Takes a place if there is one for this caller now. */
  tryEnter(): boolean;
  /** Waits for a place. False when the caller's queue is full, `timeoutMs` is over or the signal aborts. */
  enter(timeoutMs: number, signal: CancelSignal | undefined): Promise<boolean>;
  /** Gives a place back; once for each that was taken. */
  leave(): void;
}

/** How many times the free places a caller may hold where there are others: of 32 places 24 go to one, 8 stay free. */
const share = 3;

/**
 * At most `limit` requests at a time; further ones queue, up to a bound, and callers take turns. Where `fair`, a caller
 * gets another place only while it holds fewer than three times what is free, and the same goes for the queue: however
 * many slow requests it makes, others find places, and it can still use most of them when nobody else is there.
 */
export class Gate {
  #free: number;
  #room: number;
  readonly #fair: boolean;
  /** Callers with waiting requests, whose turn is next first. */
  readonly #waiting = new Set<CallerLane>();

  constructor(limit: number, { fair = false, queue = Math.max(100, limit * 10) } = {}) {
    this.#free = limit;
    this.#room = queue;
    this.#fair = fair;
  }

  /** The way through for one caller. */
  lane(): Lane {
    return new CallerLane(this);
  }

  /** May one who holds so many places take another? */
  take(held: number): boolean {
    if (!this.#allows(held, this.#free)) return false;
    this.#free--;
    return true;
  }

  takeRoom(lane: CallerLane): boolean {
    if (!this.#allows(lane.queue.size, this.#room)) return false;
    this.#room--;
    this.#waiting.add(lane);
    return true;
  }

  giveRoom(lane: CallerLane): void {
    this.#room++;
    if (lane.queue.size === 0) this.#waiting.delete(lane);
  }

  give(): void {
    this.#free++;
    for (let admitted = true; admitted && this.#free > 0; ) {
      admitted = false;
      for (const lane of this.#waiting) {
        if (!lane.tryEnter()) continue;
        // To the end of the line; a caller whose queue is empty now leaves it by itself.
        this.#waiting.delete(lane);
        this.#waiting.add(lane);
        lane.admitNext();
        admitted = true;
        break;
      }
    }
  }

  #allows(held: number, free: number): boolean {
    return free > 0 && (!this.#fair || held === 0 || held < share * free);
  }
}

class CallerLane implements Lane {
  readonly queue = new Set<() => void>();
  readonly #gate: Gate;
  #held = 0;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  tryEnter(): boolean {
    if (!this.#gate.take(this.#held)) return false;
    this.#held++;
    return true;
  }

  enter(timeoutMs: number, signal: CancelSignal | undefined): Promise<boolean> {
    if (signal?.aborted || !this.#gate.takeRoom(this)) return Promise.resolve(false);
    return new Promise(resolve => {
      const settle = (entered: boolean): void => {
        this.queue.delete(enter);
        this.#gate.giveRoom(this);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(entered);
      };
      const enter = (): void => settle(true);
      const giveUp = (): void => settle(false);
      const timer = setTimeout(giveUp, timeoutMs);
      signal?.addEventListener('abort', giveUp);
      this.queue.add(enter);
    });
  }

  leave(): void {
    this.#held--;
    this.#gate.give();
  }

  /** Lets in whoever waits longest. */
  admitNext(): void {
    const [next] = this.queue;
    next?.();
  }
}
