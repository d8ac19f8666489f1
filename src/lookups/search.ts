/** Searches of lists by a text that people read (docs/lookups.md §0), however its blanks and letters are written. */
import { asRead, steadyPart } from '../lib/folded.ts';
import type { JsonRecord } from '../lib/json.ts';
import { asRecord, asTexts } from '../present/summary.ts';
import type { Get, Reads } from '../tool/define.ts';
import type { ToolError } from '../tool/failure.ts';
import { isWhole, type PageArgs, pageOf, type Rows, readRows } from './pages.ts';

/** Records that are read of one search, to compare them here. */
export const mostSearched = 100;

/**
 * Records with the text in one of the fields that the service searches. It compares them as they are stored, so that it is
 * asked for a part that is written in one way only, and the rest is compared here. Where more have that part than one request
 * reads, or there is no such part, both ways to write the letters are asked for; after that, the service's own search counts.
 */
export async function searchRows(
  reads: Reads,
  path: `/${string}`,
  { query, ...get }: Get,
  given: string,
  pages: PageArgs,
  searchedIn: (row: JsonRecord) => string[],
): Promise<Rows | { ok: false; error: ToolError }> {
  const search = (search_term: string, these: PageArgs) =>
    readRows(reads, path, { ...get, query: { search_term, ...query } }, these);
  const text = given.trim();
  const part = steadyPart(text);
  const forms = [text.normalize('NFC'), text.normalize('NFD')];
  const tries = part === text ? [] : [[part], forms[0] === forms[1] ? [''] : forms];
  for (const terms of tries.filter(([term]) => term !== '')) {
    const found = await Promise.all(terms.map(term => search(term, { per_page: mostSearched })));
    const whole = found.filter(answer => answer.ok && isWhole(answer)) as Rows[];
    if (whole.length < terms.length) continue;
    const wanted = asRead(text);
    const records = new Map(whole.flatMap(({ rows }) => rows).map(row => [row.svc_id ?? row.external_id ?? row, row]));
    const matching = [...records.values()].filter(row => searchedIn(row).some(field => asRead(field).includes(wanted)));
    return pageOf(matching, pages);
  }
  return search(given, pages);
}

/** Customers with the text in a name, id or e-mail address (§2). */
export function searchCustomers(reads: Reads, given: string, query: Get['query'], pages: PageArgs) {
  return searchRows(reads, '/customers', { key: 'customers', query }, given, pages, row => customerFields(reads, row));
}

export function customerFields(
  { hides }: Reads,
  { name, legal_name, firstname, lastname, external_id, email }: JsonRecord,
): string[] {
  return asTexts([name, legal_name, firstname, lastname, external_id, hides('email') ? null : email]);
}

/** The fields of an invoice or credit note that the service searches (§4, §7). */
export function documentFields(reads: Reads, { number, svc_id, customer }: JsonRecord): string[] {
  const { legal_name: _, ...others } = asRecord(customer);
  return [...asTexts([number, svc_id]), ...customerFields(reads, others)];
}
