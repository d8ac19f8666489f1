/** What logs, metrics and traces receive about calls and about their requests. */

import type { UpstreamAnswer } from '../../definition/api.ts';
import type { AskRoute, ConfirmedBy, Heard } from '../../definition/asking.ts';
import type { FailureCode } from '../../definition/failure.ts';

/** The result of a tool call, for logs and metrics. */
export interface CallRecord {
  tool: string;
  caller: string;
  requestId: string;
  outcome: 'ok' | 'error' | 'asked' | 'refused' | 'declined' | 'dry_run' | 'needs_token';
  /** The error's code; null when there is none. */
  code: FailureCode | null;
  durationMs: number;
  attempts: number;
  /** Who agreed to a write that was done; otherwise absent. */
  confirmedBy?: ConfirmedBy;
}

/** One request to the billing API that is about to be sent. */
export interface AttemptStart {
  /** Unique in this process. */
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

/** One request to the billing API that has ended, for metrics and traces. */
export interface AttemptRecord extends AttemptStart {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  durationMs: number;
}

/** A tool call that begins, for traces. Clients may choose request ids, so a call is identified by id and caller. */
export interface CallStart {
  tool: string;
  caller: string;
  requestId: string;
  /** The id of the JSON-RPC request. */
  rpcId: string | number | undefined;
  /** The request's `_meta`. */
  meta: unknown;
}

/** Observes calls. Every hook is optional, must not throw, and never gets a key. */
export interface Observer {
  callEnded?(record: CallRecord): void;
  attemptEnded?(record: AttemptRecord): void;
  /** An answer of the billing API, as the call gets it. */
  answered?(request: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; target: string }, answer: UpstreamAnswer): void;
  waiting?(reason: 'rate_limit' | 'retry' | 'queue'): void;
  /** An answer to a question about a write, by the way in which it was put. */
  heard?(route: AskRoute, heard: Heard): void;
  breakerChanged?(state: 'open' | 'half_open' | 'closed'): void;
  /** Wraps one whole call so that a span can be active around it. */
  around?<T>(call: CallStart, run: () => Promise<T>): Promise<T>;
  /** Headers to add to an upstream request, requested before each attempt (`traceparent`). */
  upstreamHeaders?(attempt: AttemptStart): Record<string, string> | undefined;
}
