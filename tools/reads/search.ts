/** Searches of lists by a text that people read (docs/lookups.md §0), however its blanks and letters are written. */
import { asRead, steadyParts, writtenForms } from '../../src/lib/case-folding.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { Get, Reads } from '../../src/tool/define.ts';
import type { ToolError } from '../../src/tool/failure.ts';
import { asRecord, asTexts, quoted } from '../../src/words/summary.ts';
import { type PageArgs, pageOf, type Rows, readRows } from './pages.ts';

/** Records that are read of one search, to compare them here. */
export const mostSearched = 100;

/** Parts of a name that are searched for, one after the other. */
const mostParts = 3;

/** `shared`: a part of the name that more records have than are read, so that names written otherwise may be missing. */
export type Searched = Rows & { shared?: string };

/**
 * Records with the text in one of the fields that the service searches. It compares them as they are stored, so that it is
 * asked for a part that is written in one way only, and the rest is compared here. Where more have that part than one request
 * reads, the next part is asked for, and then both ways to write the letters of a word; after that, the service's own search
 * counts, and the answer says so.
 */
export async function searchRows(
  reads: Reads,
  path: `/${string}`,
  { query, ...get }: Get,
  given: string,
  pages: PageArgs,
  searchedIn: (row: JsonRecord) => string[],
): Promise<Searched | { ok: false; error: ToolError }> {
  const search = (search_term: string, these: PageArgs) =>
    readRows(reads, path, { ...get, query: { search_term, ...query } }, these);
  const text = given.trim();
  const parts = steadyParts(text);
  if (text === '' || parts[0] === text) return search(given, pages);
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length);
  const spelt = words.map(writtenForms).find(forms => forms.length > 1);
  for (const terms of [...parts.slice(0, mostParts).map(part => [part]), ...(spelt === undefined ? [] : [spelt])]) {
    const found = await Promise.all(terms.map(term => search(term, { per_page: mostSearched })));
    const whole = found.filter(answer => answer.ok && isReadOut(answer)) as Rows[];
    if (whole.length < terms.length) continue;
    const wanted = asRead(text);
    const records = new Map(whole.flatMap(({ rows }) => rows).map(row => [row.svc_id ?? row.external_id ?? row, row]));
    const matching = [...records.values()].filter(row => searchedIn(row).some(field => asRead(field).includes(wanted)));
    return pageOf(matching, pages);
  }
  const found = await search(given, pages);
  const shared = parts[0] ?? words[0] ?? text;
  const note = `more than ${mostSearched} share ${quoted(shared)}, so that names with other blanks or letters may be missing: a longer part of the name finds them`;
  return found.ok ? { ...found, shared, remark: found.remark ? `${found.remark}; ${note}` : note } : found;
}

/** Were all records read, whatever the service counts? */
function isReadOut({ rows, nextPage, stopped, total }: Rows): boolean {
  return nextPage === null && !stopped && rows.length >= (total ?? rows.length);
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
