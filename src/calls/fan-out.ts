/** Several requests of one call at once: each is retried by itself, and failures are kept beside the answers. */

import { setMaxListeners } from 'node:events';
import type { CancelSignal } from '../lib/cancel-signal.ts';
import type { AnyTool, FannedAnswer } from '../tool/define.ts';
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import type { Door } from './api/api.ts';
import { type Call, timeFor } from './context.ts';
import { suggestPlans } from './plan-suggestions.ts';
import type { AccountReader } from './upstream/account-reader.ts';

type FanOut = NonNullable<AnyTool['fanOut']>;

/** What a call with several requests needs beside itself. */
export interface FanOutNeeds {
  door: Door;
  /** Reads the account's plans, for as long as the signal is not aborted. */
  planReader: (call: Call, signal: CancelSignal | undefined) => Pick<AccountReader, 'plans'>;
  /** The longest that a suggestion may delay the answer, in milliseconds. */
  searchMs: number;
}

export async function sendSeveral(needs: FanOutNeeds, call: Call, fanOut: FanOut): Promise<UpstreamAnswer> {
  const { signal } = call.context;
  if (signal === undefined) return sendAll(needs, call, fanOut, undefined);
  const all = new AbortController();
  // Node would warn on stderr of a signal with more than ten listeners; each request has one.
  setMaxListeners(0, all.signal);
  const cancel = () => all.abort();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  try {
    return await sendAll(needs, call, fanOut, all.signal);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function sendAll(
  { door, planReader, searchMs }: FanOutNeeds,
  call: Call,
  { prepare, requests, plans, combine }: FanOut,
  signal: CancelSignal | undefined,
): Promise<UpstreamAnswer> {
  const { args, requestId } = call;
  const reads = door.of(call, { signal, counted: true });
  const prepared = await prepare?.(args, reads);
  if (prepared?.ok === false) return { ...prepared, attempts: call.attempts, requestId };
  let finished = 0;
  const wanted = requests(args);
  const codes = plans(args);
  const account = planReader(call, signal).plans(listed => {
    const known = new Set(listed.map(plan => plan.code));
    return codes.every(code => known.has(code));
  });
  const sent = await Promise.all(
    wanted.map(async ({ key, request }) => {
      const answer = await door.send(call, { request, target: call.endpoint.target(request), signal });
      finished++;
      call.context.progress?.(`${finished} of ${wanted.length} done`);
      return { key, body: request.body, answer };
    }),
  );
  // The plans are read once, for suggestions too.
  const withHints = await suggestPlans(sent, () => ({ plans: () => account }), timeFor(searchMs, call), signal);
  const answers = sent.map(({ key, answer }, index) => ({ key, answer: withHints[index] ?? answer }));
  const failed = answers.map(({ answer }) => answer).filter(answer => !answer.ok);
  if (failed.length === answers.length && failed[0]) return failed[0];
  const body = await combine(args, answers.map(kept), await account, prepared?.prepared, reads);
  return { ok: true, status: 200, body, attempts: call.attempts, requestId };
}

function kept({ key, answer }: { key: string; answer: UpstreamAnswer }): FannedAnswer {
  if (answer.ok) return { key, body: answer.body, ...(answer.notice && { notice: answer.notice }) };
  const { code, message, hint } = answer.error;
  return { key, error: { code, message, hint } };
}
