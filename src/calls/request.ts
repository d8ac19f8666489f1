/** The requests of one tool call, one or several at a time, and the progress messages while the client waits. */

import { demoIdsByResource } from '../contract/demo-id-list.ts';
import { Cancel, type CancelSignal } from '../lib/cancel.ts';
import type { JsonRecord } from '../lib/json.ts';
import { only } from '../lib/single-entry.ts';
import type { Caller, UpstreamAnswer } from '../tool/call.ts';
import type { Control } from '../tool/check.ts';
import type { AnyTool, ApiRequest, FannedAnswer, Known, Reads } from '../tool/define.ts';
import { holdsAnswer, unfitAnswer, unwrap } from '../words/present-record.ts';
import { asRecord, asText, asTexts } from '../words/summary.ts';
import type { CallContext, PipelineParts } from './context.ts';
import { suggestPlans } from './plan-suggestions.ts';
import { otherThanWritten } from './right-record.ts';
import type { AccountReaders } from './upstream/account-reader.ts';
import type { SendOptions, Upstream, Wait } from './upstream/client.ts';
import { withoutRecord } from './upstream/errors.ts';
import type { Endpoint } from './upstream/path.ts';

export interface Operation {
  tool: AnyTool;
  endpoint: Endpoint;
  writes: boolean;
}

/** One call under way, with everything that its steps need. */
export interface CallUnderWay extends Operation {
  args: JsonRecord;
  /** The arguments as they came, before their check. */
  given: unknown;
  control: Control;
  context: CallContext;
  caller: Caller;
  requestId: string;
  request: ApiRequest;
  target: string;
  upstream: Upstream;
  /** When its time is over, by `performance.now()`: all its requests share one clock. */
  deadline: number;
  attempts: number;
}

/** The time that a part of the call may take: no more than the whole has left. */
export function atMost(ms: number, { deadline }: Pick<CallUnderWay, 'deadline'>): number {
  return Math.max(0, Math.min(ms, deadline - performance.now()));
}

/**
 * Sends the request of a call. Never rejects; a write is sent once (see Upstream.send). `seen` is the record that was read
 * before a write: an answer about another one is an error.
 */
export async function send(parts: PipelineParts, running: CallUnderWay, seen: Known = null): Promise<UpstreamAnswer> {
  const { tool, endpoint, target, request, requestId, context } = running;
  const call = {
    tool: tool.name,
    effect: tool.effect,
    method: endpoint.method,
    target,
    body: request.body,
    ids: idsIn(running),
    demoIds: parts.config.demo && parts.config.account === undefined ? demoIdsByResource : undefined,
  };
  const options: SendOptions = {
    requestId,
    signal: context.signal,
    deadline: running.deadline,
    onWait: context.progress && (wait => tell(context, wait)),
  };
  const answer = await running.upstream.send(call, options);
  running.attempts = answer.attempts;
  if (!answer.ok) return answer;
  const wrong = holdsAnswer(tool, answer.body)
    ? (unfitAnswer(tool, answer.body) ?? otherThanWritten(tool, request, seen, unwrap(tool, answer.body)))
    : `a body that holds no ${tool.result.replaceAll('_', ' ')}`;
  if (wrong === null) return answer;
  const { status, requestId: id, attempts } = answer;
  const error = withoutRecord(call, status, wrong);
  return { ok: false, error, requestId: id, attempts };
}

/** Of the path, and of what the body names: a customer, a subscription, a plan. */
function idsIn({ args, request }: CallUnderWay): Record<string, string> {
  const { customer, subscriptions } = request.body ?? {};
  const { external_ids, plan_code } = asRecord(subscriptions);
  const named = {
    external_customer_id: asText(asRecord(customer).external_id),
    external_id: asText(args.external_subscription_id) ?? only(asTexts(external_ids)),
    plan_code: asText(plan_code) ?? asText(request.body?.plan_code),
  };
  const given = Object.entries(named).flatMap(([name, id]) => (id === null ? [] : [[name, id]]));
  return { ...Object.fromEntries(given), ...request.path };
}

/** The answer, with a suggestion where a plan was not found. */
export async function withPlanGuess(
  { durations }: PipelineParts,
  readers: AccountReaders,
  running: CallUnderWay,
  answer: UpstreamAnswer,
): Promise<UpstreamAnswer> {
  const { signal } = running.context;
  const sent = [{ body: running.request.body, answer }];
  const [judged = answer] = await suggestPlans(
    sent,
    stop => readerOf(readers, running, stop),
    atMost(durations.searchMs, running),
    signal,
  );
  return judged;
}

function readerOf(readers: AccountReaders, { caller, context }: CallUnderWay, signal: CancelSignal | undefined) {
  const { meta, rpcId } = context;
  return readers.of({ caller }, { signal, meta, rpcId });
}

/** Several requests of one call at once. Each is retried by itself; failures are kept beside the answers. */
export async function fanOut(
  parts: PipelineParts,
  readers: AccountReaders,
  running: CallUnderWay,
  fan: NonNullable<AnyTool['fanOut']>,
  reads: Reads,
): Promise<UpstreamAnswer> {
  const { context } = running;
  const { signal } = context;
  if (signal === undefined) return fanned(parts, readers, running, fan, reads);
  // Node warns on stderr of a signal with more than ten listeners; each request has one.
  const all = new Cancel();
  const cancel = () => all.abort();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  try {
    running.context = { ...context, signal: all };
    return await fanned(parts, readers, running, fan, reads);
  } finally {
    running.context = context;
    signal.removeEventListener('abort', cancel);
  }
}

async function fanned(
  parts: PipelineParts,
  readers: AccountReaders,
  running: CallUnderWay,
  { prepare, requests, plans, combine }: NonNullable<AnyTool['fanOut']>,
  reads: Reads,
): Promise<UpstreamAnswer> {
  const { args } = running;
  const prepared = await prepare?.(args, reads);
  if (prepared?.ok === false) return { ...prepared, attempts: running.attempts, requestId: running.requestId };
  let finished = 0;
  const wanted = requests(args);
  const codes = plans(args);
  const { signal } = running.context;
  const account = readerOf(readers, running, signal).plans(found => {
    const listed = new Set(found.map(plan => plan.code));
    return codes.every(code => listed.has(code));
  });
  const sent = await Promise.all(
    wanted.map(async ({ key, request }) => {
      const answer = await send(parts, { ...running, request, target: running.endpoint.target(request) });
      running.attempts += answer.attempts;
      finished++;
      running.context.progress?.(`${finished} of ${wanted.length} done`);
      return { key, body: request.body, answer };
    }),
  );
  // The plans are read once, for suggestions too.
  const judged = await suggestPlans(
    sent,
    () => ({ plans: () => account }),
    atMost(parts.durations.searchMs, running),
    signal,
  );
  const answers = sent.map(({ key, answer }, index) => ({ key, answer: judged[index] ?? answer }));
  const failed = answers.map(({ answer }) => answer).filter(answer => !answer.ok);
  if (failed.length === answers.length && failed[0]) return failed[0];
  const kept: FannedAnswer[] = answers.map(({ key, answer }) => {
    if (answer.ok) return { key, body: answer.body, ...(answer.notice && { notice: answer.notice }) };
    const { code, message, hint } = answer.error;
    return { key, error: { code, message, hint } };
  });
  const body = await combine(args, kept, await account, prepared?.found, reads);
  const { attempts, requestId } = running;
  return { ok: true, status: 200, body, attempts, requestId };
}

function tell(context: CallContext, wait: Wait): void {
  if (!context.progress) return;
  const seconds = Math.ceil(wait.ms / 1000);
  if (wait.reason === 'queue') context.progress('Waiting for other calls to finish');
  else if (wait.reason === 'rate_limit') context.progress(`Waiting ${seconds} s for the rate limit of the account`);
  else context.progress('The billing service did not answer as it should; trying again');
}
