/** Which lists are read for a list of a bound caller: one for each customer, or for each subscription. */
import type { UpstreamAnswer } from '../../../../definition/api.ts';
import type { Owners } from '../facts/owners.ts';
import { accountWide, notFound, tooFar } from '../facts/refusals.ts';
import { targetOf, valueIn } from '../facts/request-target.ts';
import type { ListRule } from '../facts/table.ts';
import {
  type JudgedRequest,
  mostLists,
  ownersFor,
  ownSubscriptions,
  refusalOfPath,
  type Success,
  sendCall,
} from '../records/judged-request.ts';
import { isKnownQuery, judgedList, listPageIn, listPageOf, mergedList, mostMerged, withoutPage } from './lists.ts';

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
  if (rule.each === 'subscription') return listOfSubscriptions(rule, { ...request, query }, owners, requestedId);
  if (values.customer !== undefined) {
    const answer = await sendCall(request);
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  if (requestedId !== undefined && !customerIds.has(requestedId)) return notFound(call, 'customer', unsent);
  const each = requestedId === undefined ? [...customerIds] : [requestedId];
  return listOfEach(rule, { ...request, query }, owners, { filter, each });
}

/** Of own subscriptions whose external id no other customer has too. */
async function listOfSubscriptions(
  rule: ListRule,
  request: JudgedRequest,
  owners: Owners,
  wanted: string | undefined,
): Promise<UpstreamAnswer> {
  const subscriptions = await ownSubscriptions(request, { wanted });
  if (!subscriptions.ok) return subscriptions;
  const { all, proved } = subscriptions;
  const each = all.length > mostLists ? all : [...proved];
  return listOfEach(rule, request, { ...owners, subscriptions: proved }, { filter: 'external_subscription_id', each });
}

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
  // Fees are counted here, as some may be hidden.
  if (each.length === 1 && rule.owner !== 'fee') {
    const answer = await sendCall(request, targetOf(path, [...query, [filter, only]]));
    return answer.ok ? judgedList(rule, owners, answer) : answer;
  }
  const reach = listPage.page * listPage.size;
  if (reach > mostMerged || each.length > mostLists)
    return tooFar(call, { lists: mostLists, records: mostMerged }, unsent);
  const rest = withoutPage(query);
  const read = rule.owner === 'fee' ? mostMerged : reach;
  const answers = await Promise.all(
    each.map(id => sendCall(request, targetOf(path, [...rest, [filter, id], ['page', 1], ['per_page', read]]))),
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
