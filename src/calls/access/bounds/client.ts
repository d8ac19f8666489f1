/**
 * The client of a caller who is bound to customers: judges every request by the table before it is sent, and every answer
 * before anything else sees it. Tools, lookups, resources, completion and the looks of writes all go through it.
 */
import { randomUUID } from 'node:crypto';
import type { UpstreamAnswer } from '../../../definition/api.ts';
import { isGiven, isObject, membersOf } from '../../../lib/json.ts';
import type { Upstream } from '../../api/http/client.ts';
import { withoutRecord } from '../../api/http/read-answer.ts';
import { isOwn, namesOthers, type Owners, withoutCounters } from './facts/owners.ts';
import { accountWide, type Failed, noActiveSubscription, notFound } from './facts/refusals.ts';
import { endpointMatcher, queryOf } from './facts/request-target.ts';
import { type RecordLook, type RecordRule, type Rule, recordRules, table } from './facts/table.ts';
import { searchCustomers } from './lists/customer-paths.ts';
import { emptyList, readList } from './lists/lists.ts';
import {
  answerUnlessOthers,
  type JudgedRequest,
  ownersFor,
  ownsSubscription,
  recordIn,
  refusalOfPath,
  sendCall,
} from './records/judged-request.ts';
import { OwnRecords } from './records/own-records.ts';
import { estimate, preview } from './records/previews.ts';

const ruleOf = endpointMatcher(table);

/** `customers`: the external ids of the only customers that the caller may see; none: no one's. */
export function bindUpstream(upstream: Upstream, customers: readonly string[]): Upstream {
  const customerIds: ReadonlySet<string> = new Set(customers);
  const ownRecords = new OwnRecords(upstream, customerIds);
  return {
    // Not async: each further promise would cost a bound caller time that others do not spend.
    send(unjudged, options = {}) {
      const requestId = options.requestId ?? randomUUID();
      // Without the demo's ids for hints, which are others'.
      const call = { ...unjudged, demoIds: undefined };
      const unsent = { requestId, attempts: 0 };
      const [rule, values] = ruleOf(call) ?? [];
      const query = queryOf(call);
      if (rule === undefined || values === undefined || query === null)
        return Promise.resolve(accountWide(call, unsent));
      return judgeBy(rule, {
        upstream,
        call,
        options: { ...options, requestId },
        customerIds,
        ownRecords,
        unsent,
        values,
        query,
      });
    },
  };
}

/** How requests of each kind of path are judged (see `table.ts`). */
function judgeBy(rule: Rule, request: JudgedRequest): Promise<UpstreamAnswer> {
  switch (rule.by) {
    case 'customers':
      return searchCustomers(request);
    case 'record':
      return readRecord(rule, request);
    case 'list':
      return readList(rule, request);
    case 'path':
      return readPath(rule, request);
    case 'write':
      return write(rule, request);
    case 'preview':
      return preview(request);
    case 'estimate':
      return estimate(request);
    case 'shared':
      return readShared(rule, request);
    case 'refused':
      return Promise.resolve(accountWide(request.call, request.unsent));
  }
}

/** Sends the request, then judges the record that comes back: another's is answered as a missing one. */
async function readRecord(rule: RecordRule, request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, unsent, values } = request;
  const refusal = await refusalOfPath(request, { answerShowsOwner: true });
  if (refusal) return refusal;
  const id = 'id' in values ? values.id : (values.customer ?? values.subscription ?? values.wallet);
  if (id === undefined) return notFound(call, rule.key, unsent);
  const earlierOwners = await ownersFor(rule, request);
  if ('error' in earlierOwners) return earlierOwners;
  const answer = await sendCall(request);
  if (!answer.ok && (answer.error.status !== 404 || answer.error.code === 'resource_not_found')) return answer;
  const record = answer.ok ? recordIn(answer.body, rule.key) : null;
  const isOwned = (owners: Owners) => isOwn(record, rule.owner, owners) && isNamed(record, rule.id, id);
  // The owners are read again, as the record may be new: also for a missing one, which must cost as much as another's.
  if (!answer.ok || !isOwned(earlierOwners)) {
    const newerOwners = await ownersFor(rule, request, isOwned);
    if ('error' in newerOwners) return newerOwners;
    if (!answer.ok || !isOwned(newerOwners)) return notFound(call, rule.key, answer);
  }
  return { ...answer, body: { [rule.key]: withoutCounters(record) } };
}

function isNamed(record: object, field: RecordRule['id'], id: string): boolean {
  const recordId = membersOf<typeof field>(record)[field];
  return (
    typeof recordId === 'string' && (field === 'svc_id' ? recordId.toLowerCase() === id.toLowerCase() : recordId === id)
  );
}

/** The path proves the owner; a subscription that the query names must be the customer's. */
async function readPath(rule: Extract<Rule, { by: 'path' }>, request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, unsent, values, query } = request;
  const refusal = await refusalOfPath(request);
  if (refusal) return refusal;
  const resource = 'customer' in values ? 'customer' : 'wallet' in values ? 'wallet' : 'subscription';
  if (Object.values(values).includes(undefined)) return notFound(call, resource, unsent);
  if (query.some(({ name }) => /customer/.test(name))) return accountWide(call, unsent);
  const named = query.filter(({ name }) => /^external_subscription_id/.test(name));
  for (const { value } of rule.subscription === undefined ? [] : named) {
    const theirs = await ownsSubscription(request, value, values.customer);
    if (!theirs.ok) return theirs;
    if (theirs.value) continue;
    return rule.subscription === 'empty' ? emptyList(request, rule.key) : noActiveSubscription(call, unsent);
  }
  const answer = await sendCall(request);
  return answer.ok ? answerUnlessOthers(request, answer, resource) : answer;
}

/** Nothing is written to a record whose owner was not proved by a read just before. */
async function write({ key, look }: Extract<Rule, { by: 'write' }>, request: JudgedRequest): Promise<UpstreamAnswer> {
  const { call, customerIds } = request;
  const refusal =
    look === 'subscription' ? await refusalOfPath(request, { fresh: true }) : await refusalOfRecord(look, request);
  if (refusal) return refusal;
  const answer = await sendCall(request);
  if (!answer.ok) return answer;
  if (!namesOthers(answer.body, customerIds)) return { ...answer, body: withoutCounters(answer.body) };
  const error = withoutRecord(call, answer.status, `another ${key.replaceAll('_', ' ')}`);
  return { ok: false, error, requestId: answer.requestId, attempts: answer.attempts };
}

/** Reads the record that would be written. Where that fails, its error answers the write, which is not sent. */
async function refusalOfRecord(look: RecordLook, request: JudgedRequest): Promise<Failed | null> {
  const [target = ''] = request.call.target.split('?', 1);
  const call = { ...request.call, effect: 'read', method: 'GET', target, body: undefined } as const;
  const answer = await readRecord(recordRules[look], { ...request, call, query: [] });
  return answer.ok ? null : answer;
}

/** Plans and billable metrics, without the plans of single subscriptions (`parent_id`): these are someone's. */
async function readShared(
  { key, resource }: Extract<Rule, { by: 'shared' }>,
  request: JudgedRequest,
): Promise<UpstreamAnswer> {
  const { call, query, unsent, values } = request;
  if ('id' in values && values.id === undefined) return notFound(call, resource, unsent);
  if (!query.every(({ name }) => name === 'page' || name === 'per_page')) return accountWide(call, unsent);
  const answer = await sendCall(request);
  if (!answer.ok) return answer;
  const shared = recordIn(answer.body, key);
  const isShared = (record: unknown) => isObject(record) && !isGiven(membersOf<'parent_id'>(record).parent_id);
  if (key === resource) {
    if (!isShared(shared)) return notFound(call, resource, answer);
    return { ...answer, body: { [key]: withoutCounters(shared) } };
  }
  const listed = Array.isArray(shared) ? shared : [];
  const rows = listed.filter(isShared).map(withoutCounters);
  const { meta } = membersOf<'meta'>(answer.body);
  // The total would count the rows that were left out; the next list page is needed for the other plans.
  const metaOfRows =
    rows.length < listed.length && isObject(meta) ? { ...meta, total_pages: null, total_count: null } : meta;
  return { ...answer, body: { [key]: rows, ...(meta !== undefined && { meta: metaOfRows }) } };
}
