/** One request and its answer, not interpreted: what came back, or what went wrong and whether a byte was sent. */
import type { Dispatcher } from 'undici';
import type { CancelSignal } from '../../../../lib/cancel-signal.ts';
import { only } from '../../../../lib/collections.ts';
import { Deadlines, type OpenRequest } from './deadlines.ts';
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

/** For requests that belong to no account: one timer for all. */
const ofOccasionalRequests = new Deadlines();

/** Never rejects. Resolves at once when the signal aborts or the time is over, and then aborts the request. */
export function exchange(
  dispatcher: Pick<RequestDispatcher, 'dispatch'>,
  request: ExchangeRequest,
  timeoutMs: number,
  signal: CancelSignal | undefined,
  { maxBytes = maxAnswerBytes, deadlines = ofOccasionalRequests }: { maxBytes?: number; deadlines?: Deadlines } = {},
): Promise<ExchangeResult> {
  return new Promise(resolve => {
    const handler = new Handler(resolve, timeoutMs, signal, maxBytes, deadlines);
    if (signal?.aborted) return handler.onAbort();
    try {
      dispatcher.dispatch(request, handler);
    } catch (error) {
      handler.onResponseError(undefined, error as Error);
    }
  });
}

class Handler implements Dispatcher.DispatchHandler, OpenRequest {
  place = -1;
  #resolve: ((result: ExchangeResult) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  #chunks: Buffer[] = [];
  #size = 0;
  readonly deadline: number;
  readonly #signal: CancelSignal | undefined;
  readonly #maxBytes: number;
  readonly #deadlines: Deadlines;
  readonly onAbort = (): void => this.#stop('cancelled', 'ABORTED');

  constructor(
    resolve: (result: ExchangeResult) => void,
    timeoutMs: number,
    signal: CancelSignal | undefined,
    maxBytes: number,
    deadlines: Deadlines,
  ) {
    this.#deadlines = deadlines;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.deadline = performance.now() + timeoutMs;
    deadlines.watch(this);
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

  #settle(result: ExchangeResult): void {
    this.#deadlines.forget(this);
    this.#signal?.removeEventListener('abort', this.onAbort);
    this.#chunks = [];
    this.#resolve?.(result);
    this.#resolve = undefined;
  }
}
