/** Single records that a write is about, as they are before it. */

import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { only } from '../../src/lib/single-entry.ts';
import type { ReadAnswer, Reads } from '../../src/tool/define.ts';
import { asRecord, asText } from '../../src/words/summary.ts';
import { zoneOf } from '../../src/words/zoned-times.ts';
import { readRows } from './pages.ts';
import { withOwnQuantities } from './quantities.ts';

/** The record itself as the body. */
export async function readOne(
  reads: Reads,
  path: `/${string}`,
  key: string,
  values: Record<string, string>,
): Promise<ReadAnswer> {
  const answer = await reads.get(path, { key, path: values });
  return answer.ok ? { ok: true, body: asRecord(answer.body[key]) } : answer;
}

/** The same with the whole `customer`, whose name and time zone the question says; without one where it cannot be read. */
export async function readWithCustomer(
  reads: Reads,
  path: `/${string}`,
  key: string,
  values: Record<string, string>,
): Promise<ReadAnswer> {
  const answer = await readOne(reads, path, key, values);
  return answer.ok ? { ok: true, body: await withCustomer(reads, answer.body) } : answer;
}

/**
 * The subscription that an update hits, with its plan and `customer`: the only one there is, whatever its status; of
 * several the pending or incomplete one where `status` names it, else the active one (service-behaviour §3.2).
 */
export async function readSubscription(
  reads: Reads,
  external_id: string,
  status: string | undefined,
  quantities = false,
): Promise<ReadAnswer> {
  const found = await readChanged(reads, external_id, status);
  if (!found.ok || !quantities) return found;
  const state = asText(found.body.status) ?? undefined;
  return { ok: true, body: await withOwnQuantities(reads, found.body, external_id, state) };
}

async function readChanged(reads: Reads, external_id: string, status: string | undefined): Promise<ReadAnswer> {
  const query = { external_id, status: [...subscriptionStatuses] };
  const listed = await readRows(reads, '/subscriptions', { key: 'subscriptions', query }, { all: true });
  if (!listed.ok) return listed;
  // A service that does not filter the list answers with others, too.
  const found = listed.rows
    .filter(subscription => (asText(subscription.external_id) ?? external_id) === external_id)
    .map(subscription => asText(subscription.status) ?? 'active');
  // The record's own answer says that there is none, or shows one that the list did not.
  if (found.length === 0) return readSubscriptionIn(reads, external_id, undefined);
  const wanted = status === 'pending' || status === 'incomplete' ? status : 'active';
  // Of a list that was not read to its end, one is not the only one: the record's own answer says whether it is there.
  const whole = listed.nextPage === null && !listed.stopped;
  const hit = whole ? (only(found) ?? found.find(each => each === wanted)) : wanted;
  return hit === undefined ? noneOfSeveral(reads, external_id, wanted) : readSubscriptionIn(reads, external_id, hit);
}

/** The subscription in this status, by default the active one, with its plan and `customer`. */
async function readSubscriptionIn(reads: Reads, external_id: string, status: string | undefined): Promise<ReadAnswer> {
  const path = '/subscriptions/{external_id}';
  const is = status === undefined ? {} : { status };
  const answer = await reads.get(path, { key: 'subscription', path: { external_id }, query: { status }, is });
  if (!answer.ok) return answer;
  return { ok: true, body: await withCustomer(reads, asRecord(answer.body.subscription)) };
}

/**
 * The subscription that a new alert would watch: the one in `status` (by default active, service-behaviour §3.9), with
 * its `alerts` and `current_usage` where this caller may see them and they can be read.
 */
export async function readAlertSubject(
  reads: Reads,
  external_id: string,
  status: string | undefined,
): Promise<ReadAnswer> {
  const [found, alerts] = await Promise.all([
    readSubscriptionIn(reads, external_id, status ?? 'active'),
    reads.mayUse('list_subscription_alerts') ? readAlerts(reads, external_id, status) : null,
  ]);
  if (!found.ok) return found;
  const usage = found.body.status === 'active' && reads.mayUse('get_usage') ? await readUsage(reads, found.body) : null;
  return {
    ok: true,
    body: { ...found.body, ...(alerts !== null && { alerts }), ...(usage !== null && { current_usage: usage }) },
  };
}

async function readAlerts(
  reads: Reads,
  external_id: string,
  subscription_status: string | undefined,
): Promise<JsonRecord[] | null> {
  const list = { key: 'alerts', path: { external_id }, query: { subscription_status } };
  const answer = await readRows(reads, '/subscriptions/{external_id}/alerts', list, { per_page: 100 });
  return answer.ok ? answer.rows : null;
}

async function readUsage(reads: Reads, subscription: JsonRecord): Promise<JsonRecord | null> {
  const [customer, id] = [asText(subscription.external_customer_id), asText(subscription.external_id)];
  if (customer === null || id === null) return null;
  const answer = await reads.get('/customers/{external_customer_id}/current_usage', {
    key: 'customer_usage',
    path: { external_customer_id: customer },
    query: { external_subscription_id: id },
  });
  return answer.ok ? asRecord(answer.body.customer_usage) : null;
}

/** The time zone in which a customer is billed; null where it may not or cannot be read. */
export async function zoneOfCustomer(reads: Reads, external_customer_id: string): Promise<string | null> {
  if (!reads.mayUse('get_customer')) return null;
  const path = '/customers/{external_customer_id}';
  const answer = await reads.get(path, { key: 'customer', path: { external_customer_id } });
  return answer.ok ? zoneOf(answer.body) : null;
}

async function withCustomer(reads: Reads, record: JsonRecord): Promise<JsonRecord> {
  const external_customer_id = asText(record.external_customer_id);
  if (external_customer_id === null || !reads.mayUse('get_customer')) return record;
  const path = '/customers/{external_customer_id}';
  const read = async (): Promise<JsonRecord | null> => {
    const answer = await reads.get(path, { key: 'customer', path: { external_customer_id } });
    return answer.ok ? asRecord(answer.body.customer) : null;
  };
  // Kept, because the record is read again before the write is sent, and the customer is not.
  const customer = await (reads.kept?.(`customer\0${external_customer_id}`, read) ?? read());
  return customer === null ? record : { ...record, customer };
}

/** Several subscriptions share the id, and none of them is in this status. */
function noneOfSeveral({ tool }: Reads, external_id: string, wanted: string): ReadAnswer {
  return {
    ok: false,
    error: {
      status: null,
      code: 'no_match',
      message: `${tool}: several subscriptions have the external id ${JSON.stringify(external_id.slice(0, 80))}, and none of them is ${wanted}`,
      hint: 'Nothing was sent. Check the id with the person; list_subscriptions shows those of a customer.',
      changed: false,
    },
  };
}
