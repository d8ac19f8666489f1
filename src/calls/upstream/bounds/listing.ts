/** Which lists are read for a list of a bound caller: one for each customer, or for each subscription. */
import type { UpstreamAnswer } from '../../../tool/upstream-answer.ts';
import { type JudgedRequest, ownersFor, refusalOfPath, type Success, sendCall } from './judged-request.ts';
import { isKnownQuery, judgedList, listPageIn, listPageOf, mergedList, mostMerged, withoutPage } from './lists.ts';
import type { Owners } from './owners.ts';
import { accountWide, type Failed, notFound, tooFar } from './refusals.ts';
import { targetOf, valueIn } from './request-target.ts';
import type { ListRule } from './table.ts';

export async function readList(rule: ListRule, request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, customerIds, unsent, values } = request;
  const filter = rule.each === 'subscription' ? 'external_subscription_id' : 'external_customer_id';
  const requestedId = valueIn(request.query, filter);
  const query = request.query.filter(({ name }) => name !== filter);
  if (!isKnownQuery(rule, query) || query.length < request.query.length - (values.customer === undefined ? 1 : 0))
    return accountWide(call, unsent);
  const refusal = await refusalOfPath(request);
  if (refusal) return refusal;
  const owners = await ownersFor(rule, request);
  if ('error' in owners) return owners;
  if (values.customer !== undefined) {
    const answer = await sendCall(request);
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  if (requestedId !== undefined && rule.each === undefined && !customerIds.has(requestedId))
    return notFound(call, 'customer', unsent);
  const ids =
    rule.each === undefined
      ? { ok: true as const, value: [...customerIds] }
      : await subscriptionIds(request, requestedId);
  if (!ids.ok) return ids;
  const filterIds = rule.each === undefined && requestedId !== undefined ? [requestedId] : ids.value;
  return listOfEach(rule, { ...request, query }, owners, { filter, each: filterIds });
}

/** Own subscriptions whose external id no other customer has too: the list of events goes by that id alone. */
async function subscriptionIds(
  request: JudgedRequest,
  requestedId: string | undefined,
): Promise<{ ok: true; value: string[] } | Failed> {
  const { ownRecords } = request;
  const subscriptions = await ownRecords.idsOf(
    'subscriptions',
    request,
    ({ owners }) => requestedId === undefined || owners.has(requestedId),
  );
  if (!subscriptions.ok) return subscriptions;
  const ids = [...subscriptions.value.owners.keys()].filter(id => requestedId === undefined || id === requestedId);
  if (ids.length > mostLists) return { ok: true, value: ids };
  const checks = await Promise.all(ids.map(async id => ({ id, all: await ownRecords.ownsAllWithId(id, request) })));
  const failed = checks.find(({ all }) => !all.ok)?.all;
  if (failed?.ok === false) return failed;
  return { ok: true, value: checks.filter(({ all }) => all.ok && all.value).map(({ id }) => id) };
}

/** How many lists are merged into one answer, at most. */
const mostLists = 50;

async function listOfEach(
  rule: ListRule,
  request: JudgedRequest,
  owners: Owners,
  { filter, each }: { filter: string; each: readonly string[] },
): Promise<UpstreamAnswer> {
  const { call, unsent, query } = request;
  const listPage = listPageIn(query);
  const [path = ''] = call.target.split('?', 1);
  const [only] = each;
  if (only === undefined) return emptyList(request, rule.key);
  if (each.length === 1) {
    const answer = await sendCall(request, targetOf(path, [...query, [filter, only]]));
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  const reach = listPage.page * listPage.size;
  if (reach > mostMerged || each.length > mostLists)
    return tooFar(call, { lists: mostLists, records: mostMerged }, unsent);
  const rest = withoutPage(query);
  const answers = await Promise.all(
    each.map(id => sendCall(request, targetOf(path, [...rest, [filter, id], ['page', 1], ['per_page', reach]]))),
  );
  // Some lists of a customer that the account does not have are not empty, but refused (lookups §0).
  const failed = answers.find(answer => !answer.ok && answer.error.code !== 'customer_not_found');
  if (failed) return failed;
  const successes = answers.filter((answer): answer is Success => answer.ok);
  return successes.length === 0 ? emptyList(request, rule.key) : mergedList(rule, owners, successes, listPage);
}

export function emptyList({ query, unsent }: JudgedRequest, key: string): UpstreamAnswer {
  return { ok: true, status: 200, body: listPageOf(key, [], listPageIn(query), 0), plain: true, ...unsent };
}
