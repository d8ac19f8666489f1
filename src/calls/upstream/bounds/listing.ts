/** Which lists are read for a list of a bound caller: one for each customer, or for each subscription. */
import type { UpstreamAnswer } from '../../../tool/call.ts';
import { type Answered, type Judging, notTheirs, ownersFor, send } from './judged-request.ts';
import { isKnownQuery, judgedList, mergedList, mostMerged, pageIn, pageOf, withoutPage } from './lists.ts';
import type { Owners } from './owners.ts';
import { accountWide, type Failed, notFound, tooFar } from './refusals.ts';
import { targetOf, valueIn } from './request-target.ts';
import type { ListRule } from './table.ts';

export async function readList(rule: ListRule, judging: Judging): Promise<UpstreamAnswer> {
  const { call, bound, sent, values } = judging;
  const filter = rule.each === 'subscription' ? 'external_subscription_id' : 'external_customer_id';
  const named = valueIn(judging.query, filter);
  const query = judging.query.filter(({ name }) => name !== filter);
  if (!isKnownQuery(rule, query) || query.length < judging.query.length - (values.customer === undefined ? 1 : 0))
    return accountWide(call, sent);
  const refused = await notTheirs(judging);
  if (refused) return refused;
  const owners = await ownersFor(rule, judging);
  if ('error' in owners) return owners;
  if (values.customer !== undefined) {
    const answer = await send(judging);
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  if (named !== undefined && rule.each === undefined && !bound.has(named)) return notFound(call, 'customer', sent);
  const ids =
    rule.each === undefined ? { ok: true as const, value: [...bound] } : await subscriptionIds(judging, named);
  if (!ids.ok) return ids;
  const each = rule.each === undefined && named !== undefined ? [named] : ids.value;
  return listOfEach(rule, { ...judging, query }, owners, { filter, each });
}

/** Own subscriptions whose id is no other customer's too; the list of events does not check it. */
async function subscriptionIds(
  judging: Judging,
  named: string | undefined,
): Promise<{ ok: true; value: string[] } | Failed> {
  const { own } = judging;
  const known = await own.known('subscriptions', judging, ({ owners }) => named === undefined || owners.has(named));
  if (!known.ok) return known;
  const ids = [...known.value.owners.keys()].filter(id => named === undefined || id === named);
  if (ids.length > mostLists) return { ok: true, value: ids };
  const whose = await Promise.all(ids.map(async id => ({ id, all: await own.allOwn(id, judging) })));
  const failed = whose.find(({ all }) => !all.ok)?.all;
  if (failed?.ok === false) return failed;
  return { ok: true, value: whose.filter(({ all }) => all.ok && all.value).map(({ id }) => id) };
}

/** Lists that are merged into one answer, at most. */
const mostLists = 50;

async function listOfEach(
  rule: ListRule,
  judging: Judging,
  owners: Owners,
  { filter, each }: { filter: string; each: readonly string[] },
): Promise<UpstreamAnswer> {
  const { call, sent, query } = judging;
  const wanted = pageIn(query);
  const [path = ''] = call.target.split('?', 1);
  const [only] = each;
  if (only === undefined) return empty(judging, rule.key);
  if (each.length === 1) {
    const answer = await send(judging, targetOf(path, [...query, [filter, only]]));
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  const reach = wanted.page * wanted.size;
  if (reach > mostMerged || each.length > mostLists)
    return tooFar(call, { lists: mostLists, records: mostMerged }, sent);
  const rest = withoutPage(query);
  const answers = await Promise.all(
    each.map(id => send(judging, targetOf(path, [...rest, [filter, id], ['page', 1], ['per_page', reach]]))),
  );
  // Some lists of a customer that the account does not have are not empty, but refused (lookups §0).
  const failed = answers.find(answer => !answer.ok && answer.error.code !== 'customer_not_found');
  if (failed) return failed;
  const found = answers.filter((answer): answer is Answered => answer.ok);
  return found.length === 0 ? empty(judging, rule.key) : mergedList(rule, owners, found, wanted);
}

export function empty({ query, sent }: Judging, key: string): UpstreamAnswer {
  return { ok: true, status: 200, body: pageOf(key, [], pageIn(query), 0), plain: true, ...sent };
}
