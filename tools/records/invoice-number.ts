/** Invoices by number, for which the API has no path of its own (docs/lookups.md §4). */
import type { Api, NoAnswer } from '../../src/definition/api.ts';
import { recordId } from '../../src/definition/args.ts';
import { refuse } from '../../src/definition/failure.ts';
import { code, count, listed, quoted } from '../../src/words/summary.ts';
import { zoneOf } from '../../src/words/zoned-times.ts';

const mostNumbers = 5;

/** Is it an svc_id rather than a number? */
export function isRecordId(text: unknown): boolean {
  return recordId().safeParse(text).success;
}

/**
 * The svc_id itself, or that of the only invoice with exactly this number, with its customer's time zone. The service's
 * search also finds parts of numbers, and names: these do not count.
 */
export async function invoiceId(
  api: Api,
  idOrNumber: string,
): Promise<{ ok: true; svc_id: string; zone: string | null } | NoAnswer> {
  if (isRecordId(idOrNumber)) return { ok: true, svc_id: idOrNumber, zone: null };
  const number = idOrNumber.trim();
  const { tool } = api;
  const lister = 'list_invoices';
  const named = { tool, lister, number: quoted(number) };
  if (!api.mayUse(lister)) return { ok: false, error: refuse('no_match', { case: 'invoice_search', ...named }) };
  const list = await api.list('/invoices', { key: 'invoices', query: { search_term: number } }, { all: true });
  if (!list.ok) return list;
  const wanted = number.toLowerCase();
  const exact = list.rows.filter(row => row.number?.toLowerCase() === wanted);
  const ids = exact.flatMap(({ svc_id }) => svc_id || []);
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return { ok: true, svc_id: only, zone: zoneOf(exact[0] ?? null) };
  const numbers = list.rows.flatMap(row => code(row.number) ?? []);
  const error = refuse('no_match', {
    case: 'invoice_number',
    ...named,
    near: listed(
      numbers.filter(row => row.toLowerCase().includes(wanted)),
      mostNumbers,
    ),
    newest: list.stopped ? count(list.rows.length, 'invoice') : null,
    ids: ids.length === 0 ? null : { count: ids.length, listed: listed(ids, mostNumbers) },
  });
  return { ok: false, error };
}
