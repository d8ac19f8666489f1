/** Previews and estimates of a bound caller: every customer and subscription in the body must be an own one. */

import type { Fields } from '../../../../contract/shown.ts';
import type { UpstreamAnswer } from '../../../../definition/api.ts';
import { isGiven, isObject } from '../../../../lib/json.ts';
import { accountWide, type Failed, notFound } from '../facts/refusals.ts';
import { answerUnlessOthers, type JudgedRequest, ownsSubscription, refusalOfPath, sendCall } from './judged-request.ts';

const keysOf = {
  body: ['customer', 'plan_code', 'subscription_at', 'billing_time', 'coupons', 'billing_entity_code', 'subscriptions'],
  // biome-ignore format: names
  customer: [
    'external_id', 'name', 'currency', 'address_line1', 'address_line2', 'city', 'state', 'country', 'zipcode',
    'tax_identification_number', 'timezone', 'shipping_address', 'integration_customers',
  ],
  subscriptions: ['external_ids', 'plan_code', 'terminated_at'],
  event: ['external_subscription_id', 'code', 'properties', 'precise_total_amount_cents', 'timestamp'],
} as const;

/**
 * A preview that names no one shows plan prices alone, and is let through. A body with a key that is not known here could
 * name someone, and is refused.
 */
export async function preview(request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, customerIds, unsent } = request;
  const body = call.body;
  if (!hasOnly(body, keysOf.body)) return accountWide(call, unsent);
  const customer = body.customer ?? {};
  const subscriptions = body.subscriptions ?? {};
  if (!hasOnly(customer, keysOf.customer) || !hasOnly(subscriptions, keysOf.subscriptions))
    return accountWide(call, unsent);
  const { external_id } = customer;
  if (isGiven(external_id) && !(typeof external_id === 'string' && customerIds.has(external_id)))
    return notFound(call, 'customer', unsent);
  const ids = subscriptions.external_ids ?? [];
  for (const id of Array.isArray(ids) ? ids : [ids]) {
    const refusal = await refusalOfSubscription(request, id, external_id);
    if (refusal) return refusal;
  }
  const answer = await sendCall(request);
  return answer.ok ? answerUnlessOthers(request, answer, 'subscription') : answer;
}

/** With a customer, the API looks among that customer's subscriptions; without one, the id alone must prove the owner. */
async function refusalOfSubscription(request: JudgedRequest, id: unknown, customer: unknown): Promise<Failed | null> {
  const values = { subscription: typeof id === 'string' ? id : undefined };
  if (typeof customer !== 'string') return refusalOfPath({ ...request, values });
  const theirs = await ownsSubscription(request, id, customer);
  if (!theirs.ok) return theirs;
  return theirs.value ? null : notFound(request.call, 'subscription', request.unsent);
}

export async function estimate(request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, unsent } = request;
  const event = hasOnly(call.body, ['event']) ? call.body.event : undefined;
  if (!hasOnly(event, keysOf.event)) return accountWide(call, unsent);
  const { external_subscription_id: id } = event;
  const refusal = await refusalOfSubscription(request, id, undefined);
  if (refusal) return refusal;
  const answer = await sendCall(request);
  return answer.ok ? answerUnlessOthers(request, answer, 'subscription') : answer;
}

function hasOnly<Name extends string>(value: unknown, names: readonly Name[]): value is Fields<Name> {
  const known: readonly string[] = names;
  return isObject(value) && Object.keys(value).every(key => known.includes(key));
}
