/** Previews and estimates of a bound caller: every customer and subscription in the body must be an own one. */

import { isGiven, isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import { type Judging, notTheirs, ownsSubscription, send, unlessOthers } from './judged-request.ts';
import { accountWide, type Failed, notFound } from './refusals.ts';

const keysOf = {
  body: 'customer plan_code subscription_at billing_time coupons billing_entity_code subscriptions',
  customer: `external_id name currency address_line1 address_line2 city state country zipcode
    tax_identification_number timezone shipping_address integration_customers`,
  subscriptions: 'external_ids plan_code terminated_at',
  event: 'external_subscription_id code properties precise_total_amount_cents timestamp',
};

/**
 * A preview that names nobody shows plan prices alone, and is let through. What is in the body without being known here
 * could name somebody.
 */
export async function preview(judging: Judging): Promise<UpstreamAnswer> {
  const { call, bound, sent } = judging;
  const body = call.body;
  if (!hasOnly(body, keysOf.body)) return accountWide(call, sent);
  const customer = body.customer ?? {};
  const subscriptions = body.subscriptions ?? {};
  if (!hasOnly(customer, keysOf.customer) || !hasOnly(subscriptions, keysOf.subscriptions))
    return accountWide(call, sent);
  const { external_id } = customer;
  if (isGiven(external_id) && !(typeof external_id === 'string' && bound.has(external_id)))
    return notFound(call, 'customer', sent);
  const ids = subscriptions.external_ids ?? [];
  for (const id of Array.isArray(ids) ? ids : [ids]) {
    const refused = await notOf(judging, id, external_id);
    if (refused) return refused;
  }
  const answer = await send(judging);
  return answer.ok ? unlessOthers(judging, answer, 'subscription') : answer;
}

/** The API looks for the subscription among the named customer's; without one, the id alone must prove it. */
async function notOf(judging: Judging, id: unknown, customer: unknown): Promise<Failed | null> {
  const values = { subscription: typeof id === 'string' ? id : undefined };
  if (typeof customer !== 'string') return notTheirs({ ...judging, values });
  const theirs = await ownsSubscription(judging, id, customer);
  if (!theirs.ok) return theirs;
  return theirs.value ? null : notFound(judging.call, 'subscription', judging.sent);
}

export async function estimate(judging: Judging): Promise<UpstreamAnswer> {
  const { call, sent } = judging;
  const event = hasOnly(call.body, 'event') ? call.body.event : undefined;
  if (!hasOnly(event, keysOf.event)) return accountWide(call, sent);
  const { external_subscription_id: id } = event;
  const refused = await notOf(judging, id, undefined);
  if (refused) return refused;
  const answer = await send(judging);
  return answer.ok ? unlessOthers(judging, answer, 'subscription') : answer;
}

function hasOnly(value: unknown, keys: string): value is JsonRecord {
  const known = keys.split(/\s+/);
  return isRecord(value) && Object.keys(value).every(key => known.includes(key));
}
