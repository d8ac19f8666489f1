/** What is in the air in one answer: the report `open_items` (docs/lookups.md §4, §5, §7, §8). */
import { definitionsUri } from '../../src/contract/definitions.ts';
import type { Cents, CreditNote, Invoice } from '../../src/contract/shown.ts';
import { type Api, isWhole, type NoAnswer, type ReadAnswer, type Rows, walkFrom } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { dayNumber, isoDay } from '../../src/words/dates.ts';
import { failureReason } from '../../src/words/payment.ts';
import { count, say } from '../../src/words/summary.ts';
import { movedCents } from '../quotes/exact-cents.ts';
import { totalsOf, totalsText } from '../quotes/totals.ts';
import { readList } from '../records/list-pages.ts';
import { customerField, customerNote, knownCustomer, ofWhom } from '../records/named-customer.ts';
import { pendingTopUps } from '../records/wallet-top-ups.ts';
import { failureSentences } from './failures.ts';
import type { ReportArgs } from './overdue-report.ts';
import { isUnderWay } from './pending-payments.ts';

/** In the order of the answer, each with what the sentence calls it. */
const kinds = {
  draft: 'Drafts, which may still change',
  not_issued: 'Not issued yet',
  failed_to_issue: 'Could not be issued',
  refund_pending: 'Refunds not paid out yet',
  refund_failed: 'Refunds that failed',
  payment_under_way: 'Payments under way',
  payment_failed: 'Payments that failed in the last 90 days',
  top_up_unpaid: 'Wallet top-ups not paid yet',
} as const;
type Kind = keyof typeof kinds;

/** Something that is not settled; amounts in minor units. */
interface OpenItem {
  readonly item: Kind;
  readonly number?: string;
  readonly svc_id?: string | null;
  readonly external_id?: string | null;
  readonly currency: string;
  readonly amount_cents: Cents | null;
  /** `2026-03-14`: the issuing date, or the day on which it was made, in UTC. */
  readonly date?: string | null;
  readonly why?: string;
}

const failedLatelyDays = 90;
/** List pages of 100 records that are read of each list. */
const mostPages = 2;
/** Items on one page of the answer. */
const pageSize = 25;

export async function openItemsReport(args: ReportArgs, api: Api): Promise<ReadAnswer> {
  const { external_customer_id: idOrName, currency, page = 1 } = args;
  const about = await knownCustomer(api, idOrName);
  if (!about.ok) return about;
  const { id } = about;
  const parts = await Promise.all([
    partOf(api, 'list_invoices', 'Invoices', () => unissued(api, id)),
    partOf(api, 'list_credit_notes', 'Refunds', () => refunds(api, id)),
    partOf(api, 'list_payments', 'Payments', () => payments(api, id)),
    partOf(api, 'list_wallets', 'Wallet top-ups', () => topUps(api, id)),
  ]);
  const items = parts
    .flatMap(part => part.items)
    .filter(item => currency === undefined || item.currency === currency)
    .sort((a, b) => order.indexOf(a.item) - order.indexOf(b.item));
  const failed = parts.flatMap(part => part.failed);
  const whose = ofWhom(id, about.customer, [{ customer: about.record }]);
  const lastPage = Math.max(Math.ceil(items.length / pageSize), 1);
  const body = {
    ...customerField(about.customer),
    revenue: items.slice((page - 1) * pageSize, page * pageSize),
    ...(page < lastPage && { next_page: page + 1 }),
    report: 'open_items',
    definitions: definitionsUri,
    for_export: { rows: items, fields: itemFields },
    for_summary: [
      items.length === 0
        ? `No open item${whose} was found${say` in ${currency ?? null}` ?? ''}`
        : `${count(items.length, 'open item')}${whose}`,
      ...order.map(kind => {
        const those = items.filter(({ item }) => item === kind);
        return say`${kinds[kind]} (${String(those.length)}): ${totalsText(totalsOf(those, ['amount_cents']), 'amount_cents')}`;
      }),
      ...(await failureSentences(api, failed)),
      ...parts.map(part => part.note),
      page > lastPage && `No item is on page ${page}: page ${lastPage} is the last`,
      page < lastPage && `More items on page ${page + 1}`,
      'Issued invoices that are not paid are in the report receivables',
      customerNote(about.customer),
    ],
  };
  return { ok: true, body };
}

const order = Object.keys(kinds) as Kind[];
const itemFields = 'item number svc_id external_id currency amount_cents date why';

interface Part {
  readonly items: readonly OpenItem[];
  /** Invoices whose failure is to be explained. */
  readonly failed: readonly Invoice[];
  /** Why items may be missing. */
  readonly note: string | null;
}

/** Nothing with the reason, where this caller may not use the tool or the service does not answer. */
async function partOf(api: Api, tool: string, what: string, read: () => Promise<Part | NoAnswer>): Promise<Part> {
  const none = { items: [], failed: [] };
  if (!api.mayUse(tool)) return { ...none, note: `${what} are missing: ${tool} is not available to this caller` };
  const part = await read();
  return 'ok' in part ? { ...none, note: `${what} are missing: ${reasonOf(part.error)}` } : part;
}

const fewPages = () => ({ all: walkFrom(1, mostPages) });

async function unissued(api: Api, id: string | undefined): Promise<Part | NoAnswer> {
  const list = await readList(api, 'invoices', id, { status: ['draft', 'pending', 'failed'] }, fewPages());
  if (!list.ok) return list;
  const kindOf = { draft: 'draft', pending: 'not_issued', failed: 'failed_to_issue' } as const;
  const items = list.rows.flatMap((row): OpenItem[] => {
    const item = kindOf[row.status as keyof typeof kindOf];
    return item === undefined ? [] : [documentItem(item, row, row.total_amount_cents)];
  });
  const failed = list.rows.filter(({ status }) => status === 'failed');
  return { items, failed, note: partial(list, 'invoices') };
}

/** Of an invoice or a credit note. */
function documentItem(item: Kind, document: Invoice | CreditNote, cents: Cents | null | undefined): OpenItem {
  const { number, svc_id, customer, currency, issuing_date } = document;
  return {
    item,
    ...(number && { number }),
    svc_id: svc_id ?? null,
    external_id: customer?.external_id ?? null,
    currency: currency ?? '',
    amount_cents: cents ?? null,
    date: issuing_date ?? null,
  };
}

async function refunds(api: Api, id: string | undefined): Promise<Part | NoAnswer> {
  const states = ['pending', 'failed'] as const;
  const lists = await Promise.all(
    states.map(refund_status => readList(api, 'credit_notes', id, { refund_status }, fewPages())),
  );
  const wrong = lists.find(list => !list.ok);
  if (wrong !== undefined && !wrong.ok) return wrong;
  const items = lists.flatMap((list, index) =>
    (list.ok ? list.rows : [])
      .filter(({ credit_status }) => credit_status !== 'voided')
      .map(row => documentItem(index === 0 ? 'refund_pending' : 'refund_failed', row, row.refund_amount_cents)),
  );
  const notes = lists.map(list => (list.ok ? partial(list, 'credit notes') : null));
  return { items, failed: [], note: notes.find(note => note !== null) ?? null };
}

async function payments(api: Api, id: string | undefined): Promise<Part | NoAnswer> {
  const list = await readList(api, 'payments', id, {}, fewPages());
  if (!list.ok) return list;
  const today = dayNumber(api.now.toISOString()) ?? 0;
  const items = list.rows.flatMap((row): OpenItem[] => {
    const made = dayNumber(row.created_at);
    const isFailed = row.payment_status === 'failed' && made !== null && today - made <= failedLatelyDays;
    if (!isFailed && !isUnderWay(row)) return [];
    const { svc_id, external_customer_id, amount_cents, amount_currency, invoice_numbers } = row;
    const number = (invoice_numbers ?? []).join(', ');
    return [
      {
        item: isFailed ? 'payment_failed' : 'payment_under_way',
        ...(number !== '' && { number }),
        svc_id: svc_id ?? null,
        external_id: external_customer_id ?? null,
        currency: amount_currency ?? '',
        amount_cents: amount_cents ?? null,
        date: isoDay(made),
        ...(isFailed && { why: failureReason(row) }),
      },
    ];
  });
  return { items, failed: [], note: partial(list, 'payments') };
}

async function topUps(api: Api, id: string | undefined): Promise<Part | NoAnswer> {
  const list = await readList(api, 'wallets', id, {}, { per_page: 100 });
  if (!list.ok) return list;
  const active = list.rows.filter(({ status }) => status === 'active');
  const pending = await pendingTopUps(api, active, { ofOneCustomer: id !== undefined });
  const items = (pending?.topUps ?? []).map(
    ({ wallet, transaction }): OpenItem => ({
      item: 'top_up_unpaid',
      svc_id: transaction.svc_id ?? null,
      external_id: wallet.external_customer_id ?? null,
      currency: wallet.currency ?? '',
      amount_cents: movedCents(transaction, wallet.currency ?? ''),
      date: isoDay(dayNumber(transaction.created_at)),
    }),
  );
  const why = pending === null ? 'list_wallet_transactions is not available to this caller' : pending.unread;
  return { items, failed: [], note: say`Wallet top-ups may be missing: ${why}` };
}

function partial(list: Rows, what: string): string | null {
  return isWhole(list) ? null : `Only the newest ${list.rows.length} ${what} were searched`;
}
