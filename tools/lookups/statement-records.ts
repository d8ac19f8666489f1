/** What a statement of account is made of: all invoices, payments and credit notes of one customer (docs/lookups.md §4, §7, §8). */
import type { ListKey, RowOf } from '../../src/contract/answers.ts';
import type { CreditNote, Customer, Invoice, Payment } from '../../src/contract/shown.ts';
import { type Api, isWhole, type Rows, walkFrom, walkPageSize } from '../../src/definition/api.ts';
import { reasonOf, refuse, type ToolError } from '../../src/definition/failure.ts';
import { count, quantity } from '../../src/words/summary.ts';
import { remarked } from '../records/list-pages.ts';
import { type OfCustomer, ofCustomer } from '../records/named-customer.ts';
import { readShown } from '../records/one-record.ts';

/** The rows of one list; `missing`: why rows of it may be missing, in words. */
interface Records<Row> {
  readonly rows: readonly Row[];
  readonly missing: string | null;
}

export interface StatementRecords {
  readonly ok: true;
  readonly external_id: string;
  /** Empty where it may not or cannot be read: days are in UTC then. */
  readonly profile: Customer;
  readonly invoices: Records<Invoice>;
  readonly payments: Records<Payment>;
  readonly credit_notes: Records<CreditNote>;
}

const lists = {
  invoices: { tool: 'list_invoices', what: 'invoices', pages: 8 },
  payments: { tool: 'list_payments', what: 'payments', pages: 6 },
  credit_notes: { tool: 'list_credit_notes', what: 'credit notes', pages: 3 },
} as const satisfies Partial<Record<ListKey, object>>;
type StatementList = keyof typeof lists;

/** A file is made of more reads than an answer. */
const pagesOfFile = 3;

/**
 * At most 17 list pages, the customer, and three reads for a name. The lists are read without filters, so that nothing
 * depends on what the service makes of one.
 */
export function readStatement(
  api: Api,
  idOrName: string,
  { forFile }: { forFile: boolean },
): Promise<OfCustomer<StatementRecords>> {
  return ofCustomer(api, idOrName, async external_id => {
    const read = <Key extends StatementList>(key: Key) => readList(api, external_id, key, forFile);
    const invoices = await read('invoices');
    if (!invoices.ok) return invoices;
    const [payments, credit_notes, profile] = await Promise.all([
      read('payments'),
      read('credit_notes'),
      readShown(api, 'customer', external_id),
    ]);
    return {
      ok: true,
      external_id,
      profile: profile ?? {},
      invoices: recordsOf('invoices', invoices, row => row.customer?.external_id, external_id),
      payments: recordsOf('payments', payments, row => row.external_customer_id, external_id),
      credit_notes: recordsOf('credit_notes', credit_notes, row => row.customer?.external_id, external_id),
    };
  });
}

type ListRead<Row> = Rows<Row> | { ok: false; error: ToolError };

async function readList<Key extends StatementList>(
  api: Api,
  external_customer_id: string,
  key: Key,
  forFile: boolean,
): Promise<ListRead<RowOf<Key>>> {
  const { tool: reader, pages } = lists[key];
  if (!api.mayUse(reader))
    return { ok: false, error: refuse('tool_not_offered', { case: 'statement', tool: api.tool, reader }) };
  const get = { key, path: { external_customer_id } };
  const walk = walkFrom(1, forFile ? pages * pagesOfFile : pages);
  return api.list(`/customers/{external_customer_id}/${key}`, get, { all: walk, readsKept: 0 });
}

/** The rows of this customer; a list that held another's, or does not say that it is whole, may lack some. */
function recordsOf<Row extends object>(
  key: StatementList,
  list: ListRead<Row>,
  ownerOf: (row: Row) => Customer['external_id'],
  external_id: string,
): Records<Row> {
  const { what, pages } = lists[key];
  if (!list.ok) return { rows: [], missing: `the ${what} could not be read (${reasonOf(list.error)})` };
  const rows = list.rows.filter(row => (ownerOf(row) ?? external_id) === external_id);
  const others = list.rows.length - rows.length;
  if (others > 0)
    return { rows, missing: `the service listed ${count(others, 'record')} of other customers among the ${what}` };
  if (isWhole(list) && list.total !== null) return { rows, missing: null };
  const isOfAnswer = list.rows.length <= pages * walkPageSize;
  const more = isOfAnswer ? ` (with format: csv up to ${quantity(pages * pagesOfFile * walkPageSize)})` : '';
  const read = list.stopped
    ? `only the newest ${quantity(rows.length)} of the ${what} were read${more}`
    : `some ${what} may be missing`;
  return { rows, missing: `${read}${remarked(list)}` };
}
