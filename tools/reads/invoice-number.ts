/** Invoices by number, for which the API has no path of its own (docs/lookups.md §4). */
import type { Invoice } from '../../src/contract/shown.ts';
import type { Api } from '../../src/tool/api.ts';
import { recordId } from '../../src/tool/args.ts';
import type { OwnError, ToolError } from '../../src/tool/failure.ts';
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
): Promise<{ ok: true; svc_id: string; zone: string | null } | { ok: false; error: ToolError }> {
  if (isRecordId(idOrNumber)) return { ok: true, svc_id: idOrNumber, zone: null };
  const number = idOrNumber.trim();
  if (!api.mayUse('list_invoices')) return { ok: false, error: withoutSearch(api, number) };
  const list = await api.list('/invoices', { key: 'invoices', query: { search_term: number } }, { all: true });
  if (!list.ok) return list;
  const wanted = number.toLowerCase();
  const exact = list.rows.filter(row => row.number?.toLowerCase() === wanted);
  const ids = exact.flatMap(({ svc_id }) => svc_id || []);
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return { ok: true, svc_id: only, zone: zoneOf(exact[0] ?? null) };
  const where = list.stopped ? `of the newest ${count(list.rows.length, 'invoice')} found by it ` : '';
  const error = {
    status: null,
    code: 'no_match',
    changed: false,
    message: `${api.tool}: ${where}${ids.length === 0 ? (where === '' ? 'no invoice has' : 'none has') : `${ids.length} invoices have`} the number ${quoted(number)}`,
    hint: ids.length > 0 ? `Call again with one svc_id: ${listed(ids, mostNumbers)}.` : nearNumbers(list.rows, wanted),
  } satisfies OwnError;
  return { ok: false, error };
}

/** A search by number is a call of list_invoices, which the caller may not use. */
function withoutSearch({ tool }: Api, number: string): OwnError {
  return {
    status: null,
    code: 'no_match',
    changed: false,
    message: `${tool}: ${quoted(number)} is no svc_id, and invoices cannot be searched by number here, because list_invoices is not available to this caller`,
    hint: 'Ask the person for the svc_id of the invoice.',
  };
}

function nearNumbers(rows: readonly Invoice[], wanted: string): string {
  const near = rows.map(({ number }) => code(number)).filter(number => number?.toLowerCase().includes(wanted));
  const numbers = listed(
    near.filter(number => number !== null),
    mostNumbers,
  );
  if (numbers !== null) return `These numbers contain it: ${numbers}. Call again with the whole number.`;
  return 'list_invoices finds invoices by their customer, dates and amounts.';
}
