/** Sends one request of a tool call, judges its answer, and tells the client what a long call is waiting for. */

import { demoIdsByResource } from '../contract/demo-id-list.ts';
import { parseBody } from '../contract/parse.ts';
import type { Fields, Odd } from '../contract/shown.ts';
import type { CancelSignal } from '../lib/cancel-signal.ts';
import { only } from '../lib/collections.ts';
import { fieldOf } from '../lib/json.ts';
import type { Config } from '../server/settings/settings.ts';
import type { ApiRequest } from '../tool/reads.ts';
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import type { KnownRecord } from '../tool/write-definition.ts';
import { asRecord, asText, asTexts } from '../words/summary.ts';
import { problemOfAnswer } from './answer-problems.ts';
import type { Call, CallContext } from './context.ts';
import type { Wait } from './upstream/client.ts';
import { withoutRecord } from './upstream/errors.ts';

/** One request of a call: its own, or one of several. */
interface OneRequest {
  request: ApiRequest;
  /** Percent-encoded path and query. */
  target: string;
  /** Ends the request. */
  signal: CancelSignal | undefined;
}

export type SendRequest = (call: Call, one?: OneRequest, seen?: KnownRecord) => Promise<UpstreamAnswer>;

/**
 * Sends a request of a call. Never rejects; a write is sent once (see Upstream.send). `seen` is the record that was read
 * before a write: an answer about another one is an error.
 */
export function createSend(config: DemoSettings): SendRequest {
  const demoIds = demoIdsOf(config);
  return async (call, { request, target, signal } = ownRequest(call), seen = null) => {
    const { tool, endpoint, args, requestId, context, deadline } = call;
    const upstreamCall = {
      tool: tool.name,
      effect: tool.effect,
      method: endpoint.method,
      target,
      body: request.body,
      ids: idsIn(args, request),
      demoIds,
    };
    const onWait = context.progress && ((wait: Wait) => tellWait(context, wait));
    const answer = await call.upstream.send(upstreamCall, { requestId, signal, deadline, onWait });
    call.attempts += answer.attempts;
    if (!answer.ok) return answer;
    const problem = problemOfAnswer(tool, request, seen, answer.body);
    if (problem === null) return { ...answer, body: parsed(answer.body, tool.result) };
    const { status, requestId: id, attempts } = answer;
    return { ok: false, error: withoutRecord(upstreamCall, status, problem), requestId: id, attempts };
  };
}

/** A list may come without its wrapper. */
function parsed(body: unknown, key: string): unknown {
  return Array.isArray(body) ? fieldOf(parseBody({ [key]: body }), key) : parseBody(body as object, key);
}

type DemoSettings = Pick<Config, 'demo' | 'account'>;

/** Ids of the demo account, for the hints of its errors; undefined for any other account. */
export function demoIdsOf({ demo, account }: DemoSettings) {
  return demo && account === undefined ? demoIdsByResource : undefined;
}

function ownRequest({ request, target, context }: Call): OneRequest {
  return { request, target, signal: context.signal };
}

interface IdsInBody extends Fields<'plan_code'> {
  readonly customer?: Fields<'external_id'> | Odd;
  readonly subscriptions?: Fields<'external_ids' | 'plan_code'> | Odd;
}

/** Of the path, and of what the body names: a customer, a subscription, a plan. */
function idsIn(args: Call['args'], request: ApiRequest): Record<string, string> {
  const { customer, subscriptions, plan_code: plan }: IdsInBody = request.body ?? {};
  const { external_ids, plan_code } = asRecord(subscriptions);
  const inBody = {
    external_customer_id: asText(asRecord(customer).external_id),
    external_id: asText(args.external_subscription_id) ?? only(asTexts(external_ids)),
    plan_code: asText(plan_code) ?? asText(plan),
  };
  const entries = Object.entries(inBody).flatMap(([name, id]) => (id === null ? [] : [[name, id]]));
  return { ...Object.fromEntries(entries), ...request.path };
}

function tellWait(context: CallContext, wait: Wait): void {
  if (!context.progress) return;
  const seconds = Math.ceil(wait.ms / 1000);
  if (wait.reason === 'queue') context.progress('Waiting for other calls to finish');
  else if (wait.reason === 'rate_limit') context.progress(`Waiting ${seconds} s for the rate limit of the account`);
  else context.progress('The billing service did not answer as it should; trying again');
}
