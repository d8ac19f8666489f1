/**
 * One request: its target, in which a value from a caller stays one path segment or one query value, whatever it contains; and
 * its exchange with the service, not interpreted: what came back, or what went wrong and whether a byte was sent.
 */

import type { Dispatcher } from 'undici';
import type { ApiRequest } from '../../../definition/api.ts';
import type { CancelSignal } from '../../../lib/cancel-signal.ts';
import { type Listed, Roster } from '../../../lib/collections.ts';
import type { RequestDispatcher } from './wire/request-dispatcher.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A path value that cannot be sent; `message` names it and says why. */
export class PathValueError extends Error {
  readonly argument: string;
  constructor(argument: string, message: string) {
    super(message);
    this.argument = argument;
  }
}

export interface Endpoint {
  method: Method;
  /** What its path names, in order; of each, whether the path ends with it and so leads to that record. */
  ids: readonly { name: string; isLast: boolean }[];
  /** Path below the base, e.g. `/customers/a%2Fb?page=2`. Throws PathValueError. */
  target(request: ApiRequest): string;
}

const compiled = new Map<string, Endpoint>();

/**
 * Parses `GET /customers/{external_customer_id}` once, so that a call only fills in values. Endpoints are written in tools, so
 * that their number is bounded.
 */
export function compileEndpoint(text: string): Endpoint {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const endpoint = parsedEndpoint(text);
  compiled.set(text, endpoint);
  return endpoint;
}

function parsedEndpoint(endpoint: string): Endpoint {
  const blank = endpoint.indexOf(' ');
  const [start = '', ...rest] = endpoint.slice(blank + 1).split('{');
  const values = rest.map(part => {
    const [name = '', after = ''] = part.split('}');
    return { name, after };
  });
  return {
    method: endpoint.slice(0, blank) as Method,
    ids: values.map(({ name, after }, index) => ({ name, isLast: after === '' && index === values.length - 1 })),
    target: ({ path, query }) => {
      let target = start;
      for (const { name, after } of values) target += encodePathValue(name, path?.[name]) + after;
      return query === undefined ? target : target + queryString(query);
    },
  };
}

/**
 * Percent-encodes one path value (service-behaviour §1.7). Dots too, because the service reads a dot in some ids as a
 * format suffix. A value of dots only is refused: URL libraries and proxies resolve it even when it is encoded.
 */
function encodePathValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new PathValueError(name, `${name} must not be empty`);
  if (/^\.+$/.test(value)) throw new PathValueError(name, `${name} must not consist only of dots`);
  if (value.length > 2000) throw new PathValueError(name, `${name} is longer than 2000 characters`);
  return encode(name, value, segmentOf);
}

/** One path value, percent-encoded. Throws URIError for half of a surrogate pair. */
export function segmentOf(value: string): string {
  return encodeURIComponent(value).replace(/[.!'()*]/g, encodeCharacter);
}

const encodeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function encode(name: string, value: string, encoded: (value: string) => string = encodeURIComponent): string {
  try {
    return encoded(value);
  } catch {
    // Half of a surrogate pair cannot be encoded.
    throw new PathValueError(name, `${name} contains a broken character`);
  }
}

/** `?a=1&tags[]=x&tags[]=y&metadata[key]=z`; empty when nothing is set. */
export function queryString(query: NonNullable<ApiRequest['query']>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) {
      for (const item of value) pairs.push(`${encodeURIComponent(name)}[]=${encode(name, item)}`);
    } else if (typeof value === 'object') {
      for (const [key, item] of Object.entries(value))
        pairs.push(`${encode(name, `${name}[${key}]`)}=${encode(name, item)}`);
    } else pairs.push(`${encodeURIComponent(name)}=${encode(name, String(value))}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Splits a base URL into origin and path prefix. `/api/v1`, a sub-path and a trailing slash are optional. */
export function splitBaseUrl(baseUrl: string): { origin: string; prefix: string } {
  const url = new URL(baseUrl);
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, prefix: path.endsWith('/api/v1') ? path : `${path}/api/v1` };
}

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
