/** One request and its answer, not interpreted: what came back, or what went wrong and whether a byte was sent. */

import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../../../lib/cancel-signal.ts';
import { type Listed, Roster } from '../../../../lib/collections.ts';
import type { RequestDispatcher } from './request-dispatcher.ts';

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

export type ExchangeResult =
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
  dispatcher: Pick<RequestDispatcher, 'dispatch'>,
  request: ExchangeRequest,
  timeoutMs: number,
  signal: CancelSignal | undefined,
  maxBytes = maxAnswerBytes,
): Promise<ExchangeResult> {
  return new Promise(resolve => {
    const handler = new Handler(resolve, timeoutMs, signal, maxBytes);
    if (signal?.aborted) return handler.onAbort();
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.onResponseError(undefined, error as Error);
    }
  });
}

class Handler implements Dispatcher.DispatchHandler, Listed {
  place = -1;
  #resolve: ((result: ExchangeResult) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #chunks: Buffer[] = [];
  #size = 0;
  /** When its time is over, by `performance.now()`. */
  readonly deadline: number;
  readonly #signal: CancelSignal | undefined;
  readonly #maxBytes: number;
  readonly onAbort = (): void => this.#stop('cancelled', 'ABORTED');

  constructor(
    resolve: (result: ExchangeResult) => void,
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
    const [first, second] = this.#chunks;
    const bytes = first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
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

  #settle(result: ExchangeResult): void {
    openRequests.remove(this);
    this.#signal?.removeEventListener('abort', this.onAbort);
    this.#chunks = [];
    this.#resolve?.(result);
    this.#resolve = undefined;
  }
}

const checkEveryMs = 20;
/** The requests without an answer. One timer checks all: under load, a timer for each would cost more than the request. */
const openRequests = new Roster<Handler>();
let checking: NodeJS.Timeout | undefined;

function watch(request: Handler): void {
  openRequests.add(request);
  checking ??= setInterval(endOverdue, checkEveryMs);
}

/** Ends requests whose time is over. */
function endOverdue(): void {
  const now = performance.now();
  for (const request of openRequests.all()) if (request.deadline <= now) request.onDeadline();
  if (openRequests.size > 0) return;
  clearInterval(checking);
  checking = undefined;
}
