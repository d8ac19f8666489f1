/** One request of a bound caller on its way: what it is judged by, and the steps that several rules share. */

import { isRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../client.ts';
import type { Known, OwnRecords } from './own-records.ts';
import { namesOthers, type Owners, withoutCounters } from './owners.ts';
import { type Failed, notFound, type Sent } from './refusals.ts';
import type { Pair, PathValues } from './request-target.ts';
import type { ListRule, RecordRule } from './table.ts';

export type Answered = Extract<UpstreamAnswer, { ok: true }>;

export interface Judging {
  /** The caller's own client, which sends. */
  upstream: Upstream;
  call: UpstreamCall;
  options: SendOptions;
  /** External ids of the customers. */
  bound: ReadonlySet<string>;
  own: OwnRecords;
  /** For refusals of what was not sent. */
  sent: Sent;
  values: PathValues;
  query: readonly Pair[];
}

/** Sends another request in the place of the call, by default the call itself. */
export function send({ upstream, call, options }: Judging, target = call.target): Promise<UpstreamAnswer> {
  return upstream.send({ ...call, target }, options);
}

/** Does the path name customers, subscriptions and wallets of this caller alone? Null where it does. */
export async function notTheirs(judging: Judging, { fresh = false, sees = false } = {}): Promise<Failed | null> {
  const { values, bound, call, sent } = judging;
  if ('customer' in values) {
    const id = values.customer;
    if (id === undefined || !bound.has(id)) return notFound(call, 'customer', sent);
    // Where the answer does not say whose it is, the customer's own record has said that its path leads to it.
    const known = sees ? null : await judging.own.known('customers', judging);
    if (known?.ok === false) return known;
    if (known?.value.owners.has(id) === false) return notFound(call, 'customer', sent);
  }
  if ('subscription' in values) {
    const whose = await ownsSubscription(judging, values.subscription);
    if (!whose.ok) return whose;
    const all = whose.value && !sees ? await judging.own.allOwn(values.subscription ?? '', judging, fresh) : whose;
    if (!all.ok) return all;
    if (!all.value) return notFound(call, 'subscription', sent);
  }
  if ('wallet' in values) {
    const id = values.wallet?.toLowerCase();
    const has = ({ svcIds }: Known) => id !== undefined && svcIds.has(id);
    const known = await judging.own.known('wallets', judging, has);
    if (!known.ok) return known;
    if (!has(known.value)) return notFound(call, 'wallet', sent);
  }
  return null;
}

/** Has the customer, or any of them, a subscription with this external id, in any state? */
export async function ownsSubscription(
  { own, ...reading }: Judging,
  id: unknown,
  customer?: string,
): Promise<{ ok: true; value: boolean } | Failed> {
  const has = ({ owners }: Known) => {
    const of = typeof id === 'string' ? owners.get(id) : undefined;
    return of !== undefined && (customer === undefined || of.has(customer));
  };
  const known = await own.known('subscriptions', reading, has);
  return known.ok ? { ok: true, value: has(known.value) } : known;
}

/** The answer without counters; that of a missing `resource` where it names another customer after all. */
export function unlessOthers({ call, bound }: Judging, answer: Answered, resource: string): UpstreamAnswer {
  if (!namesOthers(answer.body, bound)) return { ...answer, body: withoutCounters(answer.body) };
  return notFound(call, resource, answer);
}

/** The record of an answer, in its wrapper or without one; null where there is none. */
export function recordIn(body: unknown, key: string): unknown {
  if (!isRecord(body)) return null;
  return Object.hasOwn(body, key) ? body[key] : body;
}

/** What proves the owner of such records. With `enough`, read again where it does not hold. */
export async function ownersFor(
  { owner }: Pick<RecordRule | ListRule, 'owner'>,
  { own, bound, values, ...reading }: Judging,
  enough?: (owners: Owners) => boolean,
): Promise<Owners | Failed> {
  const customers = values.customer === undefined ? bound : new Set([values.customer]);
  if (owner !== 'svc_customer_id' && owner !== 'svc_wallet_id') return { customers };
  const kind = owner === 'svc_customer_id' ? 'customers' : 'wallets';
  const known = await own.known(kind, reading, enough && (({ svcIds }) => enough({ customers, svcIds })));
  return known.ok ? { customers, svcIds: known.value.svcIds } : known;
}
