/** One request and its answer, not interpreted: what came back, or what went wrong and whether a byte was sent. */
import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../lib/cancel.ts';
import { type Listed, Roster } from '../../lib/roster.ts';
import { only } from '../../lib/single-entry.ts';
import type { Way } from './request-dispatcher.ts';

/** Larger answers are refused: no record of this API comes near this size. */
export const maxAnswerBytes = 10 * 1024 * 1024;

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as it is, percent-encoded by the caller. */
  path: string;
  /** Name, value, name, value … */
  headers: string[];
  body: string | null;
}

export type Headers = Record<string, string | string[] | undefined>;

export type Exchanged =
  | { kind: 'answer'; status: number; headers: Headers; text: string }
  | {
      kind: 'failed';
      /** False only when it is certain that nothing of the request was sent. */
      sent: boolean;
      reason: 'timeout' | 'cancelled' | 'too_large' | 'connection';
      /** The system's or undici's code: ECONNREFUSED, ENOTFOUND, UND_ERR_SOCKET … */
      code: string;
    };

/** Never rejects. Resolves at once when the signal aborts or the time is over, and then aborts the request. */
export function exchange(
  way: Pick<Way, 'dispatch'>,
  request: ExchangeRequest,
  timeoutMs: number,
  signal: CancelSignal | undefined,
  maxBytes: number = maxAnswerBytes,
): Promise<Exchanged> {
  return new Promise(resolve => {
    const handler = new Handler(resolve, timeoutMs, signal, maxBytes);
    if (signal?.aborted) return handler.onAbort();
    try {
      way.dispatch(request, handler);
    } catch (error) {
      handler.onResponseError(undefined, error as Error);
    }
  });
}

class Handler implements Dispatcher.DispatchHandler, Listed {
  place = -1;
  #resolve: ((result: Exchanged) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #chunks: Buffer[] = [];
  #size = 0;
  readonly deadline: number;
  readonly #signal: CancelSignal | undefined;
  readonly #maxBytes: number;
  readonly onAbort = (): void => this.#stop('cancelled', 'ABORTED');

  constructor(
    resolve: (result: Exchanged) => void,
    timeoutMs: number,
    signal: CancelSignal | undefined,
    maxBytes: number,
  ) {
    this.#resolve = resolve;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.deadline = performance.now() + timeoutMs;
    watch(this);
    signal?.addEventListener('abort', this.onAbort);
  }

  onDeadline(): void {
    this.#stop('timeout', 'TIMEOUT');
  }

  /** Called before the first byte is written; a request that was given up while it queued ends here, unsent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#resolve === undefined) controller.abort(new Error('given up'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = headers;
    if (Number(headers['content-length']) > this.#maxBytes) this.#stop('too_large', 'TOO_LARGE');
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#stop('too_large', 'TOO_LARGE');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const bytes = only(this.#chunks) ?? Buffer.concat(this.#chunks);
    this.#settle({ kind: 'answer', status: this.#status, headers: this.#headers, text: bytes.toString('utf8') });
  }

  onResponseError(_controller: unknown, error: Error): void {
    const code = String((error as NodeJS.ErrnoException).code ?? error.name);
    this.#settle({ kind: 'failed', sent: this.#controller !== undefined, reason: 'connection', code });
  }

  #stop(reason: 'timeout' | 'cancelled' | 'too_large', code: string): void {
    this.#settle({ kind: 'failed', sent: this.#controller !== undefined, reason, code });
    this.#controller?.abort(new Error(code));
  }

  #settle(result: Exchanged): void {
    running.remove(this);
    this.#signal?.removeEventListener('abort', this.onAbort);
    this.#chunks = [];
    this.#resolve?.(result);
    this.#resolve = undefined;
  }
}

/** Requests under way. One timer checks them all: under load, a timer for each would cost more than the request. */
const running = new Roster<Handler>();
const lookEveryMs = 20;
let looking: NodeJS.Timeout | undefined;

function watch(handler: Handler): void {
  running.add(handler);
  looking ??= setInterval(look, lookEveryMs);
}

function look(): void {
  const now = performance.now();
  for (const handler of running.all()) if (handler.deadline <= now) handler.onDeadline();
  if (running.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}
