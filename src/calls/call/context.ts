/** What the steps of a tool call receive and what they return. */

import type { Access } from '../../definition/access.ts';
import type { ApiRequest } from '../../definition/api.ts';
import type { Ask, ClientAbilities, Decided } from '../../definition/asking.ts';
import type { Caller, Sender } from '../../definition/caller.ts';
import type { Control } from '../../definition/check.ts';
import type { AnyTool, Arguments, WriteTool } from '../../definition/define.ts';
import type { CancelSignal } from '../../lib/cancel-signal.ts';
import type { CallRecord, Observer } from '../../server/logs/types.ts';
import type { Durations } from '../../server/settings/durations.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Roles } from '../access/roles/role.ts';
import type { AccountSource, Upstreams } from '../api/account/upstreams.ts';
import type { Upstream } from '../api/http/client.ts';
import type { Endpoint } from '../api/http/request.ts';
import type { ToolAnswer } from './result.ts';

/** What one call has besides its arguments. */
export interface CallContext {
  caller: Caller;
  client: ClientAbilities;
  /** Set where a button on the write's page was pressed. */
  decided?: Decided;
  requestId?: string | undefined;
  signal?: CancelSignal | undefined;
  /** The request's `_meta` and id, for traces. */
  meta?: unknown;
  rpcId?: string | number | undefined;
  /** Tells the client what a long call is waiting for. */
  progress?: ((message: string) => void) | undefined;
}

/** One call under way, after its arguments passed their checks. */
export interface Call {
  tool: AnyTool;
  endpoint: Endpoint;
  args: Arguments;
  /** The arguments as they came, before their check. */
  sentArguments: unknown;
  control: Control;
  request: ApiRequest;
  /** Percent-encoded path and query of the request; empty for a lookup, which makes its own. */
  target: string;
  context: CallContext;
  /** With the key that the requests carry. */
  caller: Sender;
  access: Access;
  requestId: string;
  /** The address of the account's billing API. */
  baseUrl: string;
  upstream: Upstream;
  /** When its time is over, by `performance.now()`: all its requests share one clock. */
  deadline: number;
  /** How many requests it has sent, repetitions included. */
  attempts: number;
}

/** A call of a tool that changes the account. */
export type ChangingCall = Call & { tool: WriteTool };

export function isChanging(call: Call): call is ChangingCall {
  return call.tool.change !== undefined;
}

/** The time that a part of the call may take, in milliseconds: no more than the whole has left. */
export function timeFor(mostMs: number, { deadline }: Pick<Call, 'deadline'>): number {
  return Math.max(0, Math.min(mostMs, deadline - performance.now()));
}

/** Runs a look-up whose signal is aborted after so many milliseconds, or when the call is cancelled. */
export async function withinTime<T>(
  longestMs: number,
  signal: CancelSignal | undefined,
  lookUp: (stop: CancelSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), longestMs);
  const cancel = (): void => stop.abort();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  try {
    return await lookUp(stop.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** How a call ended: with a result, or with a question that the person has to answer first. */
export type Outcome =
  | {
      kind: 'result';
      answer: ToolAnswer;
      record: Pick<CallRecord, 'outcome' | 'code' | 'attempts' | 'confirmedBy'>;
    }
  | Ask;

export interface PipelineParts {
  config: Config;
  durations: Durations;
  account: AccountSource;
  upstreams: Upstreams;
  observer: Observer;
  stateKey: Uint8Array;
  roles?: Roles | undefined;
}
