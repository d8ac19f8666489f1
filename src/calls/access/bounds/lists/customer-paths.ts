/**
 * The list of customers for a bound caller. Each of its customers is read by its id; searching and list pages are done
 * here as the API does them (docs/lookups.md §0, §2), so that neither a total nor a list page can tell of others.
 */

import { meets } from '../../../../contract/filter-match.ts';
import { customerFilters, queryNames } from '../../../../contract/list-filters.ts';
import type { Customer } from '../../../../contract/shown.ts';
import type { UpstreamAnswer } from '../../../../definition/api.ts';
import { folded, holds } from '../../../../lib/case-folding.ts';
import { accountWide } from '../facts/refusals.ts';
import type { QueryPair } from '../facts/request-target.ts';
import type { JudgedRequest } from '../records/judged-request.ts';
import { readEachCustomer } from '../records/own-records.ts';
import { listPageIn, listPageOf, withoutPage } from './lists.ts';

const searchedFields = ['name', 'firstname', 'lastname', 'legal_name', 'external_id', 'email'] as const;

export async function searchCustomers(request: JudgedRequest): Promise<UpstreamAnswer> {
  const { upstream, customerIds, call, query, unsent } = request;
  const matches = matcher(withoutPage(query));
  if (matches === null) return accountWide(call, unsent);
  const read = await readEachCustomer(upstream, customerIds, request);
  if (!read.ok) return read;
  const { records, attempts } = read.value;
  const customers: Customer[] = records.map(([, record]) => record);
  const matching = customers.filter(matches).sort(newestFirst);
  const body = listPageOf('customers', matching, listPageIn(query), matching.length);
  return { ok: true, status: 200, body, requestId: unsent.requestId, attempts };
}

type CustomerFilter = (customer: Customer) => boolean;

/** All filters of the query together; null where one is not known. */
function matcher(query: readonly QueryPair[]): CustomerFilter | null {
  const filters: CustomerFilter[] = [];
  const described = new Map<string, string[]>();
  const metadata: Record<string, string> = {};
  for (const { name, value } of query) {
    const key = /^metadata\[([^[\]]+)\]$/.exec(name)?.[1];
    if (name === 'search_term') filters.push(customer => contains(customer, value));
    else if (name === 'external_id') filters.push(({ external_id }) => external_id === value);
    else if (key !== undefined && key !== '__proto__') metadata[key] = value;
    else if (known.has(name))
      described.set(name.replace('[]', ''), [...(described.get(name.replace('[]', '')) ?? []), value]);
    else return null;
  }
  const wanted = { ...Object.fromEntries(described), ...(Object.keys(metadata).length > 0 && { metadata }) };
  const meetsAll = (customer: Customer) =>
    Object.entries(customerFilters).every(([name, filter]) => meets(filter, name, wanted, customer) === true);
  return customer => meetsAll(customer) && filters.every(matches => matches(customer));
}

const known: ReadonlySet<string> = new Set(queryNames(customerFilters));

/** Letter case does not matter; a final sigma equals any other (docs/lookups.md §14). */
function contains(customer: Customer, term: string): boolean {
  const part = folded(term.trim());
  return searchedFields.some(field => holds(customer[field], part));
}

function newestFirst(a: Customer, b: Customer): number {
  const [one, other] = [String(a.created_at ?? ''), String(b.created_at ?? '')];
  if (one !== other) return one < other ? 1 : -1;
  return String(a.svc_id) < String(b.svc_id) ? -1 : 1;
}
