/** One request of a bound caller: what it is judged by, and the steps that several rules share. */

import type { UpstreamAnswer } from '../../../../definition/api.ts';
import { fieldOf, isObject } from '../../../../lib/json.ts';
import type { Upstream } from '../../../api/http/client.ts';
import { namesOthers, namesOtherThan, type Owners, withoutCounters } from '../facts/owners.ts';
import { type Failed, notFound, type SentRequests } from '../facts/refusals.ts';
import type { PathValues, QueryPair } from '../facts/request-target.ts';
import type { ListRule, RecordRule } from '../facts/table.ts';
import type { KnownIds, OwnRecords, WaitingCall } from './own-records.ts';

export type Success = Extract<UpstreamAnswer, { ok: true }>;

export interface JudgedRequest extends WaitingCall {
  /** The client that sends, without a binding. */
  upstream: Upstream;
  /** External ids of the only customers that the caller may see. */
  customerIds: ReadonlySet<string>;
  ownRecords: OwnRecords;
  /** How a refusal of this request is accounted for before anything is sent. */
  unsent: SentRequests;
  values: PathValues;
  query: readonly QueryPair[];
}

/** Sends the call, or another target in its place. */
export function sendCall({ upstream, call, options }: JudgedRequest, target = call.target): Promise<UpstreamAnswer> {
  return upstream.send({ ...call, target }, options);
}

/** The refusal of a path with another's customer, subscription or wallet; null where all are the caller's own. */
export async function refusalOfPath(
  request: JudgedRequest,
  { fresh = false, answerShowsOwner = false } = {},
): Promise<Failed | null> {
  const { values, customerIds, call, unsent } = request;
  if ('customer' in values) {
    const id = values.customer;
    if (id === undefined || !customerIds.has(id)) return notFound(call, 'customer', unsent);
    // Where the answer does not show its owner, the customer's record is read, to see that the path leads to it.
    const known = answerShowsOwner ? null : await request.ownRecords.idsOf('customers', request);
    if (known?.ok === false) return known;
    if (known?.value.owners.has(id) === false) return notFound(call, 'customer', unsent);
  }
  if ('subscription' in values) {
    const owned = await ownsSubscription(request, values.subscription);
    if (!owned.ok) return owned;
    const proved =
      owned.value && !answerShowsOwner
        ? await request.ownRecords.ownsAllWithId(values.subscription ?? '', request, fresh)
        : owned;
    if (!proved.ok) return proved;
    if (!proved.value) return notFound(call, 'subscription', unsent);
  }
  if ('wallet' in values) {
    const id = values.wallet?.toLowerCase();
    const has = ({ svcIds }: KnownIds) => id !== undefined && svcIds.has(id);
    const known = await request.ownRecords.idsOf('wallets', request, has);
    if (!known.ok) return known;
    if (!has(known.value)) return notFound(call, 'wallet', unsent);
  }
  return null;
}

/** Has the customer, or any of them, a subscription with this external id, in any state? */
export async function ownsSubscription(
  request: JudgedRequest,
  id: unknown,
  customer?: string,
): Promise<{ ok: true; value: boolean } | Failed> {
  const has = ({ owners }: KnownIds) => {
    const customersOfId = typeof id === 'string' ? owners.get(id) : undefined;
    return customersOfId !== undefined && (customer === undefined || customersOfId.has(customer));
  };
  const known = await request.ownRecords.idsOf('subscriptions', request, has);
  return known.ok ? { ok: true, value: has(known.value) } : known;
}

/**
 * The answer without counters; where it names another customer, wallet or subscription than the path after all, the refusal
 * of a missing `resource`.
 */
export function answerUnlessOthers(
  { call, customerIds, values }: JudgedRequest,
  answer: Success,
  resource: string,
): UpstreamAnswer {
  if (!namesOthers(answer.body, customerIds) && !namesOtherThan(answer.body, values))
    return { ...answer, body: withoutCounters(answer.body) };
  return notFound(call, resource, answer);
}

/** The record of an answer, in its wrapper or without one; null where there is none. */
export function recordIn(body: unknown, key: string): unknown {
  if (!isObject(body)) return null;
  return Object.hasOwn(body, key) ? fieldOf(body, key) : body;
}

/** The ids that prove the owner of such records; with `enough`, read again where it does not hold. */
export async function ownersFor(
  { owner, by }: Pick<RecordRule | ListRule, 'owner' | 'by'>,
  request: JudgedRequest,
  enough?: (owners: Owners) => boolean,
): Promise<Owners | Failed> {
  const { ownRecords, customerIds, values } = request;
  const customers = values.customer === undefined ? customerIds : new Set([values.customer]);
  const kind = owner === 'svc_wallet_id' || owner === 'event' || owner === 'fee' ? kindProving[owner] : undefined;
  if (kind === undefined) return { customers };
  const known = await ownRecords.idsOf(kind, request, enough && (({ svcIds }) => enough({ customers, svcIds })));
  if (!known.ok) return known;
  const { svcIds } = known.value;
  if (owner !== 'event' || by === 'list') return { customers, svcIds };
  const subscriptions = await ownSubscriptions(request, { again: enough !== undefined });
  return subscriptions.ok ? { customers, svcIds, subscriptions: subscriptions.proved } : subscriptions;
}

/** The records by whose `svc_id` these owners are proved. */
const kindProving = { svc_wallet_id: 'wallets', event: 'customers', fee: 'invoices' } as const;

/** How many lists are merged into one answer, and how many external ids are looked at for one, at most. */
export const mostLists = 50;

/**
 * The external ids of own subscriptions, or the one that is wanted: `proved` are those that no other customer has too.
 * The lists of events and of subscriptions go by that id alone, as do events without the ids of the service. None of more
 * than `mostLists` is proved. `again`: the own ones may have become more.
 */
export async function ownSubscriptions(
  request: JudgedRequest,
  { wanted, again = false }: { wanted?: string | undefined; again?: boolean } = {},
): Promise<{ ok: true; all: string[]; proved: ReadonlySet<string> } | Failed> {
  const { ownRecords } = request;
  const enough = ({ owners }: KnownIds) => !again && (wanted === undefined || owners.has(wanted));
  const known = await ownRecords.idsOf('subscriptions', request, enough);
  if (!known.ok) return known;
  const all = [...known.value.owners.keys()].filter(id => wanted === undefined || id === wanted);
  if (all.length > mostLists) return { ok: true, all, proved: new Set() };
  const checks = await Promise.all(all.map(async id => ({ id, owned: await ownRecords.ownsAllWithId(id, request) })));
  const failed = checks.find(({ owned }) => !owned.ok)?.owned;
  if (failed?.ok === false) return failed;
  return {
    ok: true,
    all,
    proved: new Set(checks.filter(({ owned }) => owned.ok && owned.value).map(({ id }) => id)),
  };
}
