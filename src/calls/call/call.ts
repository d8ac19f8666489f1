/**
 * One call: what its steps receive and return, its time, where it begins and where it ends. At first its tool is loaded, and what
 * its steps need is put together; for a write also what the policy needs. At last its outcome is made: the presented answer, or
 * the error.
 */
import { loadTool } from '../../../tools/load.ts';
import type { ApiRequest } from '../../definition/api.ts';
import type { Ask, ConfirmedBy, NamedAccount } from '../../definition/asking.ts';
import type { Access, Caller, Sender } from '../../definition/caller.ts';
import type { Control } from '../../definition/check.ts';
import { type AnyTool, type Arguments, isAboutNoRecord, type WriteTool } from '../../definition/define.ts';
import { type OwnError, type Refused, refuse, type ToolError } from '../../definition/failure.ts';
import type { Asker, RecordReading, WriteCall } from '../../definition/write-call.ts';
import type { CancelSignal } from '../../lib/cancel-signal.ts';
import type { CallRecord, Observer } from '../../server/logs/types.ts';
import type { Config } from '../../server/settings/settings.ts';
import type { Durations } from '../../server/settings/usual.ts';
import { accountTime } from '../../words/present-record.ts';
import { viewMeta } from '../../words/views/views.ts';
import type { Roles } from '../access/roles/role.ts';
import type { Account, AccountSource, Upstreams } from '../api/account/upstreams.ts';
import type { Upstream } from '../api/http/client.ts';
import { compileEndpoint, PathValueError } from '../api/http/request.ts';
import { errorAnswer, type ToolAnswer } from './result.ts';

/** What is known of a call besides its tool and its account. */
export type Received = Pick<Call, 'sentArguments' | 'context' | 'requestId' | 'access'>;
/** What is known of it once its arguments are checked. */
export type Checked = Pick<Call, 'args' | 'control' | 'request' | 'target'>;

/** Of a call whose arguments were refused. */
export const unchecked: Checked = {
  args: {},
  control: { dry_run: false, confirmation: undefined, detail: undefined },
  request: {},
  target: '',
};

export function beginCall(
  { config, upstreams }: Pick<PipelineParts, 'config' | 'upstreams'>,
  tool: AnyTool,
  account: Account,
  received: Received,
  checked: Checked,
): Call {
  const { baseUrl, apiKey } = account;
  const sender = received.context.caller;
  // The server's own callers have no key until the account is known.
  const caller = sender.apiKey === '' ? { ...sender, apiKey } : sender;
  // Field by field: copying two objects with `...` took a twentieth of a call.
  return {
    tool: answering(tool, checked.request),
    args: checked.args,
    sentArguments: received.sentArguments,
    control: checked.control,
    request: checked.request,
    target: checked.target,
    context: received.context,
    caller,
    access: received.access,
    requestId: received.requestId,
    baseUrl,
    upstream: upstreams.of(baseUrl, caller.apiKey, caller.id, received.access),
    deadline: performance.now() + config.timeoutMs,
    attempts: 0,
  };
}

/** A call that reads in the place of a tool; `args` need no check. Or why no account is known. */
export async function beginReading(
  parts: Pick<PipelineParts, 'config' | 'account' | 'upstreams'>,
  name: string,
  received: Received,
  args: Arguments = {},
): Promise<Call | Refused> {
  const tool = await loadTool(name);
  const account = await parts.account.ready();
  return 'code' in account ? account : beginCall(parts, tool, account, received, { ...unchecked, args });
}

/** The tool as it answers this request: with a list, where the request makes several records. */
function answering(tool: AnyTool, { body }: ApiRequest): AnyTool {
  const result = `${tool.result}s`;
  const makesSeveral = tool.change !== undefined && body !== undefined && result in body;
  return makesSeveral ? { ...tool, result, answer: 'list' } : tool;
}

/** The write as the policy takes it. `reading`: what was seen of its record. */
export function writeOf(
  call: ChangingCall,
  reading: Exclude<RecordReading, { kind: 'refused' }>,
  clock: Pick<Config, 'now'>,
): WriteCall {
  const record = reading.kind === 'read' ? reading.record : null;
  const now = { now: new Date(), accountNow: accountTime(clock) };
  return isAboutNoRecord(call.tool)
    ? { ...call, ...now, known: null, reading: 'none', room: record }
    : { ...call, ...now, known: record, reading: reading.kind };
}

/** Percent-encoded path and query; or why an id cannot be part of a path. */
export function targetOf(tool: AnyTool, request: ApiRequest): string | OwnError {
  try {
    return compileEndpoint(tool.endpoint).target(request);
  } catch (error) {
    if (!(error instanceof PathValueError)) throw error;
    return refuse('invalid_arguments', { case: 'arguments', tool: tool.name, problems: [error] });
  }
}

/** The settings that answers depend on. */
export type AnswerSettings = Pick<Config, 'demo' | 'maxResultTokens' | 'now'> & NamedAccount;

/** A call that was answered. */
export function done(
  { attempts }: Call,
  answer: ToolAnswer,
  outcome: 'ok' | 'dry_run' | 'needs_token',
  confirmedBy?: ConfirmedBy,
): Extract<Outcome, { kind: 'result' }> {
  return { kind: 'result', answer, record: { outcome, code: null, attempts, ...(confirmedBy && { confirmedBy }) } };
}

/** A call that sent something, or looked, and failed. */
export function failed(
  { tool, attempts }: Pick<Call, 'tool' | 'attempts'>,
  error: ToolError,
  outcome: 'error' | 'refused' | 'declined',
): Outcome {
  return { kind: 'result', answer: errorAnswer(tool.effect, error), record: { outcome, code: error.code, attempts } };
}

/** A call that was refused before anything was sent. */
export function refused(tool: AnyTool, error: OwnError): Outcome {
  return failed({ tool, attempts: 0 }, error, 'refused');
}

/** The summary with the words that every answer of the demo begins with. */
export function prefixed({ demo }: AnswerSettings, summary: string): string {
  return demo ? `Demo data: ${summary}` : summary;
}

/** Does the chat draw a page next to the answer? */
export function showsPage({ tool, control, context }: Call): boolean {
  return context.client.shows('buttons') && control.detail !== 'full' && viewMeta(tool.name) !== undefined;
}

/** Adds fields to the page alone: they go into `_meta`, which no model reads. */
export function withOnPage(answer: ToolAnswer, more: object): ToolAnswer {
  return Object.keys(more).length === 0 ? answer : { ...answer, page: { ...answer.page, ...more } };
}

/** What one call has besides its arguments. */
export interface CallContext extends Asker {
  caller: Caller;
  requestId?: string | undefined;
  /** The request's `_meta` and id, for traces. */
  meta?: unknown;
  rpcId?: string | number | undefined;
  /** Tells the client what a long call is waiting for. */
  progress?: ((message: string) => void) | undefined;
}

/** One call under way, after its arguments passed their checks. */
export interface Call {
  tool: AnyTool;
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
  /** Of a write: the values that the user changed in the prompt. */
  edited?: NonNullable<WriteCall['edited']>;
  /** Of a lookup: fields of the answers it read that were not of their type, by path. */
  odd?: readonly string[];
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

/** How a call ended: with a result, or with a question that the user has to answer first. */
export type Outcome =
  | {
      kind: 'result';
      answer: ToolAnswer;
      record: Pick<CallRecord, 'outcome' | 'code' | 'attempts' | 'confirmedBy'>;
      /** The confirmation of corrected values, which their user sees on the page of the link already. */
      corrected?: string;
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
