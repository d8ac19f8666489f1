/** A bound caller who asks for another's record gets exactly the refusal of a missing one. */

import { insteadOfAccount } from '../../../../../tools/refused-arguments.ts';
import type { UpstreamAnswer } from '../../../../definition/api.ts';
import { refuse, type ToolError } from '../../../../definition/failure.ts';
import { ownValue } from '../../../../lib/json.ts';
import { safeError } from '../../../../words/safe-text.ts';
import type { UpstreamCall } from '../../../api/http/client.ts';
import { judgeAnswer } from '../../../api/http/read-answer.ts';

export type Failed = Extract<UpstreamAnswer, { ok: false }>;

/** The requests that were sent for an answer that is not the service's own. */
export interface SentRequests {
  requestId: string;
  /** How many were sent. */
  attempts: number;
}

/** The refusal of a missing record, as the service words it (service-behaviour §1.2). `resource`: `invoice`, `customer` … */
export function notFound(call: UpstreamCall, resource: string, sent: SentRequests): Failed {
  return refusalOf(call, 404, { status: 404, error: 'Not Found', code: `${resource}_not_found` }, sent);
}

/** The refusal of current usage for a subscription that is missing, another customer's or not active (lookups §6.1). */
export function noActiveSubscription(call: UpstreamCall, sent: SentRequests): Failed {
  return refusalOf(call, 405, { status: 405, error: 'Method Not Allowed', code: 'no_active_subscription' }, sent);
}

function refusalOf(call: UpstreamCall, status: number, body: object, sent: SentRequests): Failed {
  const answer = { kind: 'answer' as const, status, headers: {}, text: JSON.stringify(body) };
  const judged = judgeAnswer(call, answer, undefined);
  if (!('error' in judged)) throw new Error(`${status} is no refusal`);
  return failed(safeError(judged.error, []), sent);
}

/** `sent` may be an answer, of which nothing else is passed on. */
function failed(error: ToolError, { requestId, attempts }: SentRequests): Failed {
  return { ok: false, error, requestId, attempts };
}

/** The request is about the whole account, or about no one in particular: nothing is sent. */
export function accountWide({ tool }: UpstreamCall, sent: SentRequests): Failed {
  return failed(refuse('account_wide', { tool, instead: ownValue(insteadOfAccount, tool) }), sent);
}

/** The refusal of a list of several customers that is too long to be put together here. */
export function tooFar({ tool }: UpstreamCall, most: { lists: number; records: number }, sent: SentRequests): Failed {
  return failed(refuse('invalid_arguments', { case: 'merged', tool, ...most }), sent);
}
