/** What logs, metrics and traces are told of calls and of the requests that they make. */
import type { ConfirmedBy } from '../call/types.ts';

/** What a tool call came to, for logs and metrics. */
export interface CallRecord {
  tool: string;
  caller: string;
  requestId: string;
  outcome: 'ok' | 'error' | 'asked' | 'refused' | 'declined' | 'dry_run' | 'needs_token';
  /** The error's code; null when there is none. */
  code: string | null;
  durationMs: number;
  attempts: number;
  /** Who agreed to a write that was done; absent for everything else. */
  confirmedBy?: ConfirmedBy;
}

/** One request to the billing API that is about to be sent. */
export interface AttemptStart {
  /** No other attempt of this process has it. */
  id: number;
  tool: string;
  caller: string;
  requestId: string;
  method: string;
  /** Scheme, host and port of the billing API. */
  origin: string;
  /** 1 for the first try. */
  attempt: number;
}

/** One request to the billing API as it was tried, for metrics and traces. */
export interface AttemptRecord extends AttemptStart {
  /** HTTP status; null when none came. */
  status: number | null;
  durationMs: number;
}

/** A tool call that begins, for traces. Request ids may come from clients: only with the caller they tell calls apart. */
export interface CallStart {
  tool: string;
  caller: string;
  requestId: string;
  /** The id of the JSON-RPC request. */
  rpcId: string | number | undefined;
  /** The request's `_meta`. */
  meta: unknown;
}

/** Who watches calls. Every hook is optional, must not throw, and never sees a key. */
export interface Observer {
  callEnded?(record: CallRecord): void;
  attemptEnded?(record: AttemptRecord): void;
  waiting?(reason: 'rate_limit' | 'retry' | 'queue'): void;
  breakerChanged?(state: 'open' | 'half_open' | 'closed'): void;
  /** Wraps one whole call so that a span can be active around it. */
  around?<T>(call: CallStart, run: () => Promise<T>): Promise<T>;
  /** Headers to add to an upstream request, asked for before each attempt (`traceparent`). */
  upstreamHeaders?(attempt: AttemptStart): Record<string, string> | undefined;
}
