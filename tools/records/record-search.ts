/** Searches lists by a text that a user gives (docs/lookups.md §0), however its blanks and letters are written. */

import type { ListKey, RowOf } from '../../src/contract/answers.ts';
import type { CreditNote, Customer, Fields, Invoice } from '../../src/contract/shown.ts';
import { type Api, type Get, isWhole, type ListPageArgs, type NoAnswer, type Rows } from '../../src/definition/api.ts';
import { asRead, steadyParts, writtenForms } from '../../src/lib/case-folding.ts';
import { isText } from '../../src/lib/json.ts';
import { quoted } from '../../src/words/summary.ts';
import { listPageOf, readList } from './list-pages.ts';

/** So many records of one search are read and compared here. */
export const mostSearched = 100;

/** Parts of a name that are searched for, one after the other. */
const mostParts = 3;

/** `shared`: a part of the name that more records have than are read, so that names written otherwise may be missing. */
export type Searched<Row> = Rows<Row> & { shared?: string };

type SearchQuery = NonNullable<Get['query']> & { readonly search_term?: string | undefined };

/**
 * Records with the text in one of the fields that the service searches; all without one. The service compares blanks and letters
 * exactly. So it is asked for a part of the text that can be written in one way only, and the whole text is compared
 * here. If more records have that part than one request reads, the next part is tried, and then a word in both of its
 * spellings. If that fails too, the service's own search decides, and the answer says so.
 */
export async function searchRows<Key extends ListKey>(
  api: Api,
  key: Key,
  external_customer_id: string | undefined,
  { search_term: searchTerm, ...query }: SearchQuery,
  pages: ListPageArgs,
  searchedIn: (row: RowOf<Key>) => readonly string[],
): Promise<Searched<RowOf<Key>> | NoAnswer> {
  if (searchTerm === undefined) return readList(api, key, external_customer_id, query, pages);
  const search = (search_term: string, these: ListPageArgs) =>
    readList(api, key, external_customer_id, { search_term, ...query }, these);
  const text = searchTerm.trim();
  const parts = steadyParts(text);
  if (text === '' || parts[0] === text) return search(searchTerm, pages);
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length);
  const spelt = words.map(writtenForms).find(forms => forms.length > 1);
  for (const terms of [...parts.slice(0, mostParts).map(part => [part]), ...(spelt === undefined ? [] : [spelt])]) {
    const answers = await Promise.all(terms.map(term => search(term, { per_page: mostSearched })));
    // A remark on the records does not matter here.
    const whole = answers.filter(answer => answer.ok && isWhole({ ...answer, remark: null })) as Rows<RowOf<Key>>[];
    if (whole.length < terms.length) continue;
    const wanted = asRead(text);
    const idOf = ({ svc_id, external_id }: Fields<'svc_id' | 'external_id'>) => svc_id ?? external_id;
    const records = new Map(whole.flatMap(({ rows }) => rows).map(row => [idOf(row as object) ?? row, row]));
    const matching = [...records.values()].filter(row => searchedIn(row).some(field => asRead(field).includes(wanted)));
    const unfiltered = whole.find(answer => answer.unfiltered !== undefined)?.unfiltered;
    return { ...listPageOf(matching, pages), ...(unfiltered !== undefined && { remark: unfiltered }) };
  }
  const list = await search(searchTerm, pages);
  const shared = parts[0] ?? words[0] ?? text;
  const note = `more than ${mostSearched} share ${quoted(shared)}, so that names with other blanks or letters may be missing: a longer part of the name finds them`;
  return list.ok ? { ...list, shared, remark: list.remark ? `${list.remark}; ${note}` : note } : list;
}

/** Customers with the text in a name, id or email address (§2). */
export function searchCustomers(api: Api, query: SearchQuery, pages: ListPageArgs) {
  return searchRows(api, 'customers', undefined, query, pages, row => customerFields(api, row));
}

export function customerFields(
  { hides }: Api,
  { name, legal_name, firstname, lastname, external_id, email }: Customer,
): string[] {
  return [name, legal_name, firstname, lastname, external_id, hides('email') ? null : email].filter(isText);
}

/** The fields of an invoice or credit note that the service searches (§4, §7). */
export function documentFields(
  api: Api,
  { number, svc_id, customer }: Pick<Invoice | CreditNote, 'number' | 'svc_id' | 'customer'>,
): string[] {
  const { legal_name: _, ...others } = customer ?? {};
  return [...[number, svc_id].filter(isText), ...customerFields(api, others)];
}
