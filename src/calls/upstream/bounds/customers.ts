/**
 * The list of customers for a bound caller. Each of its customers is read by its id, and searched and paged here as the
 * API does it (docs/lookups.md §0, §2): so that neither a total nor a page can tell of others.
 */

import { isRecord, type JsonRecord } from '../../../lib/json.ts';
import type { UpstreamAnswer } from '../../../tool/call.ts';
import type { Judging } from './judged-request.ts';
import { pageIn, pageOf, withoutPage } from './lists.ts';
import { get } from './own-records.ts';
import { isOwn } from './owners.ts';
import { accountWide } from './refusals.ts';
import { type Pair, segmentOf } from './request-target.ts';

const searched = ['name', 'firstname', 'lastname', 'legal_name', 'external_id', 'email'] as const;

export async function searchCustomers(judging: Judging): Promise<UpstreamAnswer> {
  const { upstream, bound, call, query, sent } = judging;
  const matches = matcher(withoutPage(query));
  if (matches === null) return accountWide(call, sent);
  const answers = await Promise.all(
    [...bound].map(async id => ({ id, answer: await get(upstream, judging, `/customers/${segmentOf(id)}`) })),
  );
  const failed = answers.find(({ answer }) => !answer.ok && answer.error.status !== 404)?.answer;
  if (failed) return failed;
  const customers = answers.flatMap(({ id, answer }) => {
    const record = answer.ok && isRecord(answer.body) ? answer.body.customer : undefined;
    return isOwn(record, 'external_id', { customers: new Set([id]) }) ? [record] : [];
  });
  const found = customers.filter(matches).sort(newestFirst);
  const body = pageOf('customers', found, pageIn(query), found.length);
  const attempts = answers.reduce((sum, { answer }) => sum + answer.attempts, 0);
  return { ok: true, status: 200, body, requestId: sent.requestId, attempts };
}

type Matches = (customer: JsonRecord) => boolean;

/** All filters of the query together; null where one is not known. */
function matcher(query: readonly Pair[]): Matches | null {
  const wanted: Matches[] = [];
  const listed = { countries: [] as string[], currencies: [] as string[] };
  for (const { name, value } of query) {
    const metadata = /^metadata\[([^[\]]+)\]$/.exec(name)?.[1];
    if (name === 'search_term') wanted.push(customer => contains(customer, value));
    else if (name === 'external_id') wanted.push(({ external_id }) => external_id === value);
    else if (name === 'countries[]') listed.countries.push(value);
    else if (name === 'currencies[]') listed.currencies.push(value);
    else if (metadata !== undefined) wanted.push(customer => (metadataOf(customer, metadata) ?? '') === value);
    else return null;
  }
  if (listed.countries.length > 0) wanted.push(({ country }) => listed.countries.includes(String(country)));
  if (listed.currencies.length > 0) wanted.push(({ currency }) => listed.currencies.includes(String(currency)));
  return customer => wanted.every(matches => matches(customer));
}

/** Without case; a final sigma equals any other (docs/lookups.md §14). */
function contains(customer: JsonRecord, term: string): boolean {
  const part = folded(term.trim());
  return searched.some(field => typeof customer[field] === 'string' && folded(customer[field]).includes(part));
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function metadataOf({ metadata }: JsonRecord, wanted: string): unknown {
  const entries = Array.isArray(metadata) ? metadata.filter(isRecord) : [];
  return entries.find(({ key }) => key === wanted)?.value;
}

function newestFirst(a: JsonRecord, b: JsonRecord): number {
  const [one, other] = [String(a.created_at ?? ''), String(b.created_at ?? '')];
  if (one !== other) return one < other ? 1 : -1;
  return String(a.svc_id) < String(b.svc_id) ? -1 : 1;
}
