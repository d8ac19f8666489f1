/** Sends one call's request to the billing API: waits, retries, gives up, and reports whether anything changed. */

import { randomUUID } from 'node:crypto';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import type { Effect } from '../../../definition/define.ts';
import { changesAccount } from '../../../definition/define.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { CancelSignal } from '../../../lib/cancel-signal.ts';
import { version } from '../../../lib/version.ts';
import type { AttemptStart, Observer } from '../../../server/logs/types.ts';
import { isPlainJson, safeError, type UncheckedError } from '../../../words/safe-text.ts';
import type { CallFacts } from './hints.ts';
import type { Breaker, Lane, RateLimiter } from './limits.ts';
import {
  createRenaming,
  failureOf,
  type IdPrefix,
  judgeAnswer,
  noticeOf,
  type Renaming,
  rateLimitedError,
} from './read-answer.ts';
import type { Method } from './request.ts';
import { type ExchangeRequest, type ExchangeResult, exchange } from './request.ts';
import type { Connections } from './wire/connections.ts';

export interface UpstreamCall extends CallFacts {
  tool: string;
  effect: Effect;
  method: Method;
  /** Percent-encoded path and query below `/api/v1`. */
  target: string;
  body: unknown;
}

export interface Wait {
  reason: 'rate_limit' | 'retry' | 'queue';
  ms: number;
}

export interface SendOptions {
  requestId?: string;
  signal?: CancelSignal | undefined;
  /** When the whole call ends, of which this may be one request of several, by `performance.now()`. */
  deadline?: number | undefined;
  /** Called before each wait that is long enough to be noticed. */
  onWait?: ((wait: Wait) => void) | undefined;
}

export interface Upstream {
  /** Never rejects. A write is carried out at most once; a read is repeated while there is time. */
  send(call: UpstreamCall, options?: SendOptions): Promise<UpstreamAnswer>;
}

export interface ClientParts {
  connect: () => Connections | Promise<Connections>;
  /** Scheme, host and port, for traces. */
  origin: string;
  /** The caller, as named in logs. */
  caller: string;
  prefix: string;
  apiKey: string;
  timeoutMs: number;
  maxRetries: number;
  limiter: RateLimiter;
  breaker: Breaker;
  gate: Lane;
  idPrefix: IdPrefix;
  observer: Observer;
}

/** Statuses after which a repeatable request is tried again. */
const retryable = new Set([429, 502, 503, 504]);
const firstBackoffMs = 200;
const longestBackoffMs = 5000;
let attemptsOfProcess = 0;

export function createClient(parts: ClientParts): Upstream {
  const fixedHeaders = ['authorization', `Bearer ${parts.apiKey}`, 'user-agent', `usage-billing-mcp/${version}`];
  fixedHeaders.push('accept', 'application/json');
  const sendingParts = { ...parts, renaming: createRenaming(parts.idPrefix) };
  return { send: (call, options = {}) => new Sending(sendingParts, fixedHeaders, call, options).run() };
}

type SendingParts = ClientParts & { renaming: Renaming };

/** One call's request, with its waits and attempts. */
class Sending {
  readonly #parts: SendingParts;
  readonly #call: UpstreamCall;
  readonly #options: SendOptions;
  readonly #requestId: string;
  readonly #request: ExchangeRequest;
  readonly #deadline: number;
  readonly #repeatable: boolean;
  #attempts = 0;

  constructor(parts: SendingParts, fixedHeaders: readonly string[], call: UpstreamCall, options: SendOptions) {
    this.#parts = parts;
    this.#call = call;
    this.#options = options;
    this.#requestId = options.requestId ?? randomUUID();
    this.#deadline = Math.min(options.deadline ?? Number.POSITIVE_INFINITY, performance.now() + parts.timeoutMs);
    this.#repeatable = !changesAccount(call.effect);
    const headers = [...fixedHeaders, 'x-request-id', this.#requestId];
    let body: string | null = null;
    if (call.body !== undefined) {
      headers.push('content-type', 'application/json');
      body = JSON.stringify(parts.renaming.outgoing(call.body));
    }
    this.#request = { method: call.method, path: parts.prefix + call.target, headers, body };
  }

  async run(): Promise<UpstreamAnswer> {
    for (;;) {
      // A request without time left for its answer is not sent: no one would know what it did.
      if (this.#attempts === 0 && this.#timeLeft() <= 0)
        return this.#fail(refuse('timeout', { case: 'unsent', tool: this.#call.tool }));
      const refused = this.#turnIsFree() ? undefined : await this.#waitForTurn();
      if (refused) return this.#fail(refused);
      const exchanged = await this.#attempt();
      const backoff = this.#backoff(exchanged);
      if (backoff === undefined || backoff.ms >= this.#timeLeft()) return this.#conclude(exchanged);
      if (!(await this.#wait(backoff))) return this.#conclude(exchanged);
    }
  }

  /** Passes rate limit, breaker and gate when none of them makes the call wait. */
  #turnIsFree(): boolean {
    const { limiter, breaker, gate } = this.#parts;
    return breaker.closed && limiter.idle(performance.now()) && gate.tryEnter();
  }

  /** Waits for rate limit, breaker and gate; an error when this call cannot pass, and then nothing has been sent. */
  async #waitForTurn(): Promise<OwnError | undefined> {
    const { limiter, breaker, gate } = this.#parts;
    const { tool } = this.#call;
    const cancelled = () => refuse('cancelled', { case: 'unsent', tool });
    const pauseNow = () => limiter.pause(performance.now(), this.#repeatable);
    for (let pause = pauseNow(); pause !== null; pause = pauseNow()) {
      if (pause.ms >= this.#timeLeft()) return rateLimitedError(this.#call, pause);
      if (!(await this.#wait({ reason: 'rate_limit', ms: pause.ms }))) return cancelled();
    }
    if (!gate.tryEnter()) {
      this.#announce({ reason: 'queue', ms: 0 });
      if (!(await gate.enter(this.#timeLeft(), this.#options.signal))) {
        return this.#options.signal?.aborted ? cancelled() : refuse('too_busy', { tool });
      }
    }
    const pause = breaker.admit(performance.now());
    if (pause === 0) return undefined;
    gate.leave();
    return refuse('upstream_unavailable', { tool, waitMs: pause });
  }

  async #attempt(): Promise<ExchangeResult> {
    const { gate, breaker, limiter, observer } = this.#parts;
    const { signal } = this.#options;
    const started = performance.now();
    this.#attempts++;
    try {
      const connecting = this.#parts.connect();
      const connections = connecting instanceof Promise ? await connecting : connecting;
      const dispatcher = this.#repeatable ? connections.reads : connections.writes;
      const start: AttemptStart = {
        id: ++attemptsOfProcess,
        tool: this.#call.tool,
        caller: this.#parts.caller,
        requestId: this.#requestId,
        method: this.#call.method,
        origin: this.#parts.origin,
        attempt: this.#attempts,
      };
      // A trace adds headers to this attempt.
      const extra = observer.upstreamHeaders?.(start);
      const { headers } = this.#request;
      const traced = extra
        ? { ...this.#request, headers: [...headers, ...Object.entries(extra).flat()] }
        : this.#request;
      const exchanged = await exchange(dispatcher, traced, this.#attemptTime(), signal);
      const now = performance.now();
      if (exchanged.kind === 'answer') {
        this.#retryAfter = limiter.learn(exchanged.status, exchanged.headers, now, Date.now());
        if (exchanged.status === 502 || exchanged.status === 503 || exchanged.status === 504) breaker.failed(now);
        else breaker.succeeded();
      } else if (exchanged.reason === 'cancelled') breaker.undecided();
      else if (exchanged.reason === 'too_large') breaker.succeeded();
      else breaker.failed(now);
      const status = exchanged.kind === 'answer' ? exchanged.status : null;
      observer.attemptEnded?.({ ...start, status, durationMs: now - started });
      return exchanged;
    } finally {
      gate.leave();
    }
  }

  #retryAfter: number | undefined;

  /** A request that may be repeated leaves time for another attempt; any other may use all the time left. */
  #attemptTime(): number {
    const left = Math.max(1, this.#timeLeft());
    const mayRepeat = this.#repeatable && this.#attempts <= this.#parts.maxRetries;
    return mayRepeat ? Math.max(Math.min(left, 250), left * 0.6) : left;
  }

  /** How long to wait before the next attempt; undefined when there is none. */
  #backoff(exchanged: ExchangeResult): Wait | undefined {
    if (this.#attempts > this.#parts.maxRetries || !this.#mayRepeat(exchanged)) return undefined;
    const ceiling = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (this.#attempts - 1));
    const jittered = Math.random() * ceiling;
    if (exchanged.kind === 'answer' && exchanged.status === 429) {
      // Jitter on top of the requested wait, so that callers with the same wait do not return at the same time.
      const requestedWait = this.#retryAfter;
      return {
        reason: 'rate_limit',
        ms: requestedWait === undefined ? jittered : requestedWait + Math.random() * firstBackoffMs,
      };
    }
    return { reason: 'retry', ms: jittered };
  }

  #mayRepeat(exchanged: ExchangeResult): boolean {
    if (exchanged.kind === 'answer') {
      if (!retryable.has(exchanged.status)) return false;
      if (exchanged.status === 429) return !exchanged.text.includes('too_many_provider_requests');
      return this.#repeatable;
    }
    if (exchanged.reason === 'cancelled' || exchanged.reason === 'too_large') return false;
    if (exchanged.code.startsWith('PROXY_4')) return false;
    if (permanentFailures.has(exchanged.code) || exchanged.code.startsWith('ERR_TLS_')) return false;
    return this.#repeatable || !exchanged.sent;
  }

  /** False when the client cancelled during the wait. */
  #wait(wait: Wait): Promise<boolean> {
    this.#announce(wait);
    const { signal } = this.#options;
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise(resolve => {
      const settle = (done: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        resolve(done);
      };
      const cancel = (): void => settle(false);
      // A timer may fire a millisecond early by the clock; the rest would then need a second, useless wait.
      const timer = setTimeout(() => settle(true), Math.ceil(wait.ms) + 1);
      signal?.addEventListener('abort', cancel);
    });
  }

  #announce(wait: Wait): void {
    this.#parts.observer.waiting?.(wait.reason);
    this.#options.onWait?.(wait);
  }

  #conclude(exchanged: ExchangeResult): UpstreamAnswer {
    const answer = this.#judge(exchanged);
    this.#parts.observer.answered?.(this.#call, answer);
    return answer;
  }

  #judge(exchanged: ExchangeResult): UpstreamAnswer {
    if (exchanged.kind === 'failed') return this.#fail(failureOf(this.#call, exchanged, this.#parts.timeoutMs).error);
    const judged = judgeAnswer(this.#call, exchanged, this.#parts.renaming, this.#parts.apiKey);
    if ('error' in judged) return this.#fail(judged.error);
    const { status, body } = judged;
    const plain = isPlainJson(exchanged.text);
    const notice = noticeOf(exchanged.headers, this.#parts.apiKey);
    const answer = { ok: true, status, body, requestId: this.#requestId, attempts: this.#attempts, plain } as const;
    return notice === undefined ? answer : { ...answer, notice };
  }

  /** A refusal of the service may repeat anything, the key included. */
  #fail(failure: UncheckedError): UpstreamAnswer {
    const error = safeError(failure, [this.#parts.apiKey]);
    return { ok: false, error, requestId: this.#requestId, attempts: this.#attempts };
  }

  #timeLeft(): number {
    return this.#deadline - performance.now();
  }
}

/** Codes of failures that another attempt cannot fix. */
const permanentFailures = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UND_ERR_INVALID_ARG',
]);
