/**
 * Three limits in front of the upstream: its rate limit, a circuit breaker, and the number of requests at a time. `now`
 * is in milliseconds of a monotonic clock: with the time of day, a clock that is set back by an hour would make calls wait
 * for an hour.
 */
import type { CancelSignal } from '../../../lib/cancel-signal.ts';
import type { Headers } from './request.ts';

/** Why a request waits: the service asked for it, its quota is used up, or the last requests of a short window are spread. */
export interface Pause {
  reason: 'asked' | 'used_up' | 'spread';
  /** Milliseconds until the next attempt. */
  ms: number;
  /** Milliseconds that the service named. A read is tried earlier, because a header may be wrong. */
  saidMs: number;
}

/** No header blocks longer than this without one read that tries whether the service answers again. */
const probeMs = 60_000;
/** Requests are spread over windows up to this length alone: over an hour, they would wait although hundreds are left. */
const longestSpreadMs = 10_000;

/** Learns the rate limit of one key from answers, and spreads the last requests of a short window over its time (§1.4). */
export class RateLimiter {
  #blockedUntil = 0;
  #reason: 'asked' | 'used_up' = 'asked';
  #probeAt = 0;
  #probing = false;
  #resetAt = 0;
  #windowMs = 0;
  #remaining = Number.POSITIVE_INFINITY;
  #limit = 0;
  #nextSlot = 0;

  /** True when no known limit delays a request now. */
  idle(now: number): boolean {
    return now >= this.#blockedUntil && now >= this.#resetAt;
  }

  /** Why and how long the next request waits; null counts it as sent. Only a read tries a blocked service again. */
  pause(now: number, isRead = true): Pause | null {
    if (now < this.#blockedUntil) return this.#blocked(now, isRead);
    if (now >= this.#resetAt) return null;
    if (this.#remaining <= 0) {
      this.#block('used_up', this.#resetAt, now);
      return this.#blocked(now, isRead);
    }
    const spreads = this.#windowMs <= longestSpreadMs && this.#remaining <= Math.max(1, this.#limit * 0.1);
    if (spreads && now < this.#nextSlot)
      return { reason: 'spread', ms: this.#nextSlot - now, saidMs: this.#resetAt - now };
    // The last tenth of the window's requests is spread over its remaining time.
    if (spreads) this.#nextSlot = now + (this.#resetAt - now) / this.#remaining;
    this.#remaining--;
    return null;
  }

  #block(reason: 'asked' | 'used_up', until: number, now: number): void {
    if (until <= this.#blockedUntil && now < this.#blockedUntil) return;
    this.#blockedUntil = until;
    this.#reason = reason;
    this.#probeAt = now + probeMs;
  }

  #blocked(now: number, isRead: boolean): Pause | null {
    const saidMs = this.#blockedUntil - now;
    if (isRead && now >= this.#probeAt) {
      this.#probeAt = now + probeMs;
      this.#probing = true;
      return null;
    }
    return { reason: this.#reason, ms: isRead ? Math.min(saidMs, this.#probeAt - now) : saidMs, saidMs };
  }

  /**
   * Reads the headers of an answer. Returns the milliseconds that a 429 asks to wait, undefined when it does not say.
   * `now` is of the same clock as in `pause`; `date` is the time of day, with which instants in headers are compared.
   */
  learn(status: number, headers: Headers, now: number, date: number = now): number | undefined {
    const isProbe = this.#probing && status !== 429;
    this.#probing = false;
    // Whatever a header said before: the service answers again.
    if (isProbe) this.#blockedUntil = 0;
    const remaining = toNumber(headers['x-ratelimit-remaining']);
    const resetIn = waitFrom(headers['x-ratelimit-reset'], date);
    if (remaining !== undefined && resetIn !== undefined) {
      const resetAt = now + resetIn;
      // Answers may arrive out of order: within one window only the lowest count is true.
      const sameWindow = Math.abs(resetAt - this.#resetAt) < 1500 && now < this.#resetAt;
      this.#remaining = sameWindow && !isProbe ? Math.min(this.#remaining, remaining) : remaining;
      this.#windowMs = sameWindow ? Math.max(this.#windowMs, resetIn) : resetIn;
      this.#resetAt = resetAt;
      this.#limit = toNumber(headers['x-ratelimit-limit']) ?? this.#limit;
    }
    if (status !== 429) return undefined;
    const requestedWait = waitFrom(headers['retry-after'], date) ?? resetIn;
    if (requestedWait !== undefined) this.#block('asked', now + requestedWait, now);
    return requestedWait;
  }
}

/** Reads seconds from now, an instant in seconds or milliseconds, or an HTTP date; returns milliseconds from now. */
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

/** What happens before a wait of this length ends. */
export function probeNote(waitMs: number): string {
  return waitMs > probeMs
    ? ' Until then, the server tries a read once per minute, because this time may be wrong.'
    : '';
}

/** A wait, rounded up: `45 s`, `3 min`, `30 days`. */
export function inUnits(ms: number): string {
  const units: [size: number, name: string][] = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'min'],
  ];
  const [size, name] = units.find(([least]) => ms > 2 * least) ?? [1000, 's'];
  return `${Math.max(1, Math.ceil(ms / size))} ${name}`;
}

function toNumber(header: string | string[] | undefined): number | undefined {
  const number = Number(Array.isArray(header) ? header[0] : (header ?? Number.NaN));
  return Number.isFinite(number) ? number : undefined;
}

export type BreakerState = 'open' | 'half_open' | 'closed';

/** Fails fast after many failures in a row, and lets a request through now and then to test the API. */
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

  /** 0 to go ahead, else the milliseconds until the next try. */
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

  /** The request ended without telling anything about the upstream (the client cancelled it). */
  undecided(): void {
    this.#probing = false;
  }

  #become(state: BreakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#changed(state);
  }
}

/** A caller may hold at most this many times the free places: of 32 places one caller gets 24, and 8 stay free. */
const share = 3;

/**
 * At most `limit` requests at a time; further ones queue, up to a bound, and callers take turns. With `fair`, a caller
 * gets another place only while it holds fewer than three times the free places; the queue has the same rule. So one
 * caller with many slow requests leaves places for others, and can still use most places when it is alone.
 */
export class Gate {
  #free: number;
  #room: number;
  readonly #fair: boolean;
  /** Callers with waiting requests; the first one is next. */
  readonly #waiting = new Set<Lane>();

  constructor(limit: number, { fair = false, queue = Math.max(100, limit * 10) } = {}) {
    this.#free = limit;
    this.#room = queue;
    this.#fair = fair;
  }

  /** The access of one caller. */
  lane(): Lane {
    return new Lane(this);
  }

  /** Takes a place for a caller that holds `held` places; false when it may not. */
  take(held: number): boolean {
    if (!this.#allows(held, this.#free)) return false;
    this.#free--;
    return true;
  }

  takeRoom(lane: Lane): boolean {
    if (!this.#allows(lane.queue.size, this.#room)) return false;
    this.#room--;
    this.#waiting.add(lane);
    return true;
  }

  giveRoom(lane: Lane): void {
    this.#room++;
    if (lane.queue.size === 0) this.#waiting.delete(lane);
  }

  give(): void {
    this.#free++;
    for (let admitted = true; admitted && this.#free > 0; ) {
      admitted = false;
      for (const lane of this.#waiting) {
        if (!lane.tryEnter()) continue;
        // Moves the caller to the end; one whose queue is now empty removes itself.
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

/** One caller's access to a gate. */
export class Lane {
  readonly queue = new Set<() => void>();
  readonly #gate: Gate;
  #held = 0;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Takes a place if one is free for this caller now. */
  tryEnter(): boolean {
    if (!this.#gate.take(this.#held)) return false;
    this.#held++;
    return true;
  }

  /** Waits for a place. False when the caller's queue is full, `timeoutMs` is over or the signal aborts. */
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

  /** Gives a place back; call it once for each place taken. */
  leave(): void {
    this.#held--;
    this.#gate.give();
  }

  /** Lets in the request that waits longest. */
  admitNext(): void {
    const [next] = this.queue;
    next?.();
  }
}
