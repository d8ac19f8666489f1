/** How requests of each kind of path are judged (see `table.ts`). */

import { isGiven, isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import { withoutRecord } from '../errors.ts';
import { searchCustomers } from './customers.ts';
import {
  type Judging,
  notTheirs,
  ownersFor,
  ownsSubscription,
  recordIn,
  send,
  unlessOthers,
} from './judged-request.ts';
import { empty, readList } from './listing.ts';
import { isOwn, namesOthers, type Owners, withoutCounters } from './owners.ts';
import { estimate, preview } from './previews.ts';
import { accountWide, type Failed, noActiveSubscription, notFound } from './refusals.ts';
import { type RecordLook, type RecordRule, type Rule, recordRules } from './table.ts';

export function judgeBy(rule: Rule, judging: Judging): Promise<UpstreamAnswer> {
  switch (rule.by) {
    case 'customers':
      return searchCustomers(judging);
    case 'record':
      return readRecord(rule, judging);
    case 'list':
      return readList(rule, judging);
    case 'path':
      return readPath(rule, judging);
    case 'write':
      return write(rule, judging);
    case 'preview':
      return preview(judging);
    case 'estimate':
      return estimate(judging);
    case 'shared':
      return readShared(rule, judging);
    case 'refused':
      return Promise.resolve(accountWide(judging.call, judging.sent));
  }
}

/** Sent, then judged by what comes back: another's record is answered as a missing one. */
async function readRecord(rule: RecordRule, judging: Judging): Promise<UpstreamAnswer> {
  const { call, sent, values } = judging;
  const refused = await notTheirs(judging, { sees: true });
  if (refused) return refused;
  const id = 'id' in values ? values.id : (values.customer ?? values.subscription ?? values.wallet);
  if (id === undefined) return notFound(call, rule.key, sent);
  const before = await ownersFor(rule, judging);
  if ('error' in before) return before;
  const answer = await send(judging);
  if (!answer.ok && (answer.error.status !== 404 || answer.error.code === 'resource_not_found')) return answer;
  const record = answer.ok ? recordIn(answer.body, rule.key) : null;
  const owned = (owners: Owners) => isOwn(record, rule.owner, owners) && isNamed(record, rule.id, id);
  // Again for what may be new: alike for another's record and for a missing one, whose answers must cost the same.
  if (!answer.ok || !owned(before)) {
    const again = await ownersFor(rule, judging, owned);
    if ('error' in again) return again;
    if (!answer.ok || !owned(again)) return notFound(call, rule.key, answer);
  }
  return { ...answer, body: { [rule.key]: withoutCounters(record) } };
}

function isNamed(record: JsonRecord, field: RecordRule['id'], id: string): boolean {
  const found = record[field];
  return typeof found === 'string' && (field === 'svc_id' ? found.toLowerCase() === id.toLowerCase() : found === id);
}

/** Proved by the path; a subscription that the query names must be the customer's. */
async function readPath(rule: Extract<Rule, { by: 'path' }>, judging: Judging): Promise<UpstreamAnswer> {
  const { call, sent, values, query } = judging;
  const refused = await notTheirs(judging);
  if (refused) return refused;
  const resource = 'customer' in values ? 'customer' : 'wallet' in values ? 'wallet' : 'subscription';
  if (Object.values(values).includes(undefined)) return notFound(call, resource, sent);
  if (query.some(({ name }) => /customer/.test(name))) return accountWide(call, sent);
  const named = query.filter(({ name }) => /^external_subscription_id/.test(name));
  for (const { value } of rule.subscription === undefined ? [] : named) {
    const theirs = await ownsSubscription(judging, value, values.customer);
    if (!theirs.ok) return theirs;
    if (theirs.value) continue;
    return rule.subscription === 'empty' ? empty(judging, rule.key) : noActiveSubscription(call, sent);
  }
  const answer = await send(judging);
  return answer.ok ? unlessOthers(judging, answer, resource) : answer;
}

/** Nothing is written to a record whose owner was not proved by a read just before. */
async function write({ key, look }: Extract<Rule, { by: 'write' }>, judging: Judging): Promise<UpstreamAnswer> {
  const { call, bound } = judging;
  const refused =
    look === 'subscription' ? await notTheirs(judging, { fresh: true }) : await notTheirRecord(look, judging);
  if (refused) return refused;
  const answer = await send(judging);
  if (!answer.ok) return answer;
  if (!namesOthers(answer.body, bound)) return { ...answer, body: withoutCounters(answer.body) };
  const error = withoutRecord(call, answer.status, `another ${key.replaceAll('_', ' ')}`);
  return { ok: false, error, requestId: answer.requestId, attempts: answer.attempts };
}

/** Reads the record that would be written. Its error is the write's, which was not sent. */
async function notTheirRecord(look: RecordLook, judging: Judging): Promise<Failed | null> {
  const [target = ''] = judging.call.target.split('?', 1);
  const call = { ...judging.call, effect: 'read', method: 'GET', target, body: undefined } as const;
  const seen = await readRecord(recordRules[look], { ...judging, call, query: [] });
  return seen.ok ? null : seen;
}

/** Plans and billable metrics. Plans of single subscriptions (`parent_id`) are somebody's. */
async function readShared(
  { key, resource }: Extract<Rule, { by: 'shared' }>,
  judging: Judging,
): Promise<UpstreamAnswer> {
  const { call, query, sent, values } = judging;
  if ('id' in values && values.id === undefined) return notFound(call, resource, sent);
  if (!query.every(({ name }) => name === 'page' || name === 'per_page')) return accountWide(call, sent);
  const answer = await send(judging);
  if (!answer.ok) return answer;
  const found = recordIn(answer.body, key);
  const isShared = (record: unknown) => isRecord(record) && !isGiven(record.parent_id);
  if (key === resource) {
    if (!isShared(found)) return notFound(call, resource, answer);
    return { ...answer, body: { [key]: withoutCounters(found) } };
  }
  const listed = Array.isArray(found) ? found : [];
  const rows = listed.filter(isShared).map(withoutCounters);
  const { meta } = isRecord(answer.body) ? answer.body : {};
  // The total would count what was left out; the next page is needed for the other plans.
  const told = rows.length < listed.length && isRecord(meta) ? { ...meta, total_pages: null, total_count: null } : meta;
  return { ...answer, body: { [key]: rows, ...(meta !== undefined && { meta: told }) } };
}
