/** Suggestions for plan codes that were not found: what a person calls a plan is often almost its code. */

import type { Fields, Odd } from '../contract/shown.ts';
import type { CancelSignal } from '../lib/cancel-signal.ts';
import { closest } from '../lib/nearest-word.ts';
import type { ApiRequest } from '../tool/api.ts';
import type { UpstreamAnswer } from '../tool/upstream-answer.ts';
import { asRecord } from '../words/summary.ts';
import { withinTime } from './context.ts';
import type { AccountReader } from './upstream/account-reader.ts';

/** A suggestion is read as our own words, so only text that looks like a code may become one. */
export const plainCode = /^[\p{L}\p{N}_.:-]{1,60}$/u;

/** An answer with the body of its request. */
interface Exchange {
  body: ApiRequest['body'];
  answer: UpstreamAnswer;
}

/**
 * Puts `Did you mean "studio"?` into the hint of each `plan_not_found`, for reads and computations. Makes one look-up
 * however many plans are missing; when it fails, nothing changes. Never rejects.
 */
export async function suggestPlans(
  exchanges: readonly Exchange[],
  readerFor: (signal: CancelSignal) => Pick<AccountReader, 'plans'>,
  longestMs: number,
  signal?: CancelSignal,
): Promise<UpstreamAnswer[]> {
  const missing = exchanges.some(({ answer }) => !answer.ok && answer.error.code === 'plan_not_found');
  const codes = missing && !signal?.aborted ? await planCodes(readerFor, longestMs, signal) : [];
  return exchanges.map(({ answer, body }) => {
    if (answer.ok || answer.error.code !== 'plan_not_found') return answer;
    const guess = nearestPlan(body ?? {}, codes);
    return guess === null
      ? answer
      : { ...answer, error: { ...answer.error, hint: `Did you mean "${guess}"? list_plans shows all plan codes.` } };
  });
}

interface PlanInBody extends Fields<'plan_code'> {
  readonly subscriptions?: Fields<'plan_code'> | Odd;
}

function nearestPlan({ subscriptions, plan_code }: PlanInBody, codes: readonly string[]): string | null {
  const target = asRecord(subscriptions).plan_code ?? plan_code;
  if (typeof target !== 'string') return null;
  const guess = closest(target, codes);
  return guess === target ? null : guess;
}

async function planCodes(
  readerFor: (signal: CancelSignal) => Pick<AccountReader, 'plans'>,
  longestMs: number,
  signal: CancelSignal | undefined,
): Promise<string[]> {
  const answer = await withinTime(longestMs, signal, stop => readerFor(stop).plans(() => true));
  const plans = 'plans' in answer ? answer.plans : [];
  return plans.map(plan => String(plan.code ?? '')).filter(code => plainCode.test(code));
}
