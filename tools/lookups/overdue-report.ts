import { definitions, definitionsUri } from '../../src/contract/definitions.ts';
import type { Customer } from '../../src/contract/shown.ts';
import { type Api, isWhole, type ListPageArgs, type ReadAnswer, walkFrom } from '../../src/definition/api.ts';
import { reasonOf, type ToolError } from '../../src/definition/failure.ts';
import { count, opt, phrase, say } from '../../src/words/summary.ts';
import { monthRows } from '../quotes/months.ts';
import { type Total, totalsOf, totalsText } from '../quotes/totals.ts';
import { readList } from '../records/list-pages.ts';
import {
  customerField,
  customerNote,
  knownCustomer,
  type NamedCustomer,
  ofWhom,
  readOfCustomer,
} from '../records/named-customer.ts';
import { ageing, ageSentence, type DebtorPage, debtorSentence, debtorsOf, isOverdue, isOwed } from './owed-words.ts';

/** Sums of months: how many rows are in them says nothing. */
type Sums = Pick<Total, 'currency' | 'left_out' | `${string}_cents`>;

export interface ReportArgs {
  external_customer_id?: string | undefined;
  currency?: string | undefined;
  /** Of reports by month: so many, the running one included. */
  months?: number | undefined;
  /** `2026-01`; by default the month before `to_month`. */
  from_month?: string | undefined;
  /** By default the last whole month in UTC. */
  to_month?: string | undefined;
  /** Of the customers, or of the open items. */
  page?: number | undefined;
  /** For a file, more invoices are read; its customers are those of one walk, so that no sum is divided. */
  all?: ListPageArgs['all'];
}

/** What a report about debts reads, and how it says so. */
const debtReports = {
  overdue: {
    query: { payment_overdue: true },
    counts: isOverdue,
    invoice: 'overdue invoice',
    none: 'Nothing is overdue',
    noneListed: 'No overdue invoice was listed',
    ages: 'Overdue',
    limits: definitions.overdue.reportSentence,
  },
  receivables: {
    query: { status: ['finalized'], payment_status: ['pending', 'failed'] },
    counts: isOwed,
    invoice: 'unpaid invoice',
    none: 'Nothing is owed',
    noneListed: 'No unpaid invoice was listed',
    ages: 'Owed',
    limits: definitions.outstanding.reportSentence,
  },
} as const;
export type DebtReport = keyof typeof debtReports;

/**
 * The answer has a row for each currency, with its ages. If the invoices cannot be read, it has a row for each month of
 * due dates, of what is overdue alone.
 */
export async function debtReport(report: DebtReport, args: ReportArgs, api: Api): Promise<ReadAnswer> {
  const { external_customer_id: idOrName, currency, page, all } = args;
  const pages = { all: typeof all === 'object' ? walkFrom(1, all.pages) : true };
  const { query: reportQuery, counts, ...words } = debtReports[report];
  if (!api.mayUse('list_invoices')) return byMonth(report, args, api, 'list_invoices is not available to this caller');
  const query = { ...reportQuery, self_billed: false, currency };
  const list = await readOfCustomer(api, idOrName, id => readList(api, 'invoices', id, query, pages));
  if (!list.ok)
    return isAboutCustomer(list.error) ? list : byMonth(report, args, api, reasonOf(list.error), list.error);
  const invoices = list.rows.filter(counts);
  const inCurrency = opt` in ${currency ?? null}`;
  const rows = ageing(invoices, api.now);
  const of = ofWhom(idOrName, list.customer, invoices);
  const whole = list.stopped ? await wholeSum(report, api, idOrName, list.customer, currency) : null;
  const owing = idOrName === undefined ? debtorsOf(invoices, api.now, page) : null;
  const debtors = owing?.debtors ?? [];
  const customers = idOrName === undefined ? customersOf(invoices.map(({ customer }) => customer ?? {})) : 0;
  const namedCount = customersOf(debtors);
  const whose = idOrName === undefined ? say` of ${count(customers, 'customer')}` : of;
  const body = {
    ...customerField(list.customer),
    revenue: rows,
    ...((debtors.length > 1 || (page ?? 1) > 1) && { customers: debtors }),
    ...(namedCount < customers && { customers_shown: `${namedCount} of ${customers}` }),
    ...(owing !== null && owing.nextPage !== null && { next_page: owing.nextPage }),
    ...whole?.fields,
    report,
    definitions: definitionsUri,
    for_export: { rows: debtorsOf(invoices, api.now).all, fields: debtorFields },
    for_summary: [
      invoices.length === 0
        ? `${isWhole(list) ? words.none : words.noneListed}${inCurrency}${ofWhom(idOrName, list.customer, invoices, 'from')}`
        : phrase`${list.stopped ? 'the newest ' : null}${count(invoices.length, words.invoice)}${whose}: ${totalsText(rows, 'total_due_amount_cents')} owed${isWhole(list) ? ' in all' : ' on these'}`,
      list.remark ?? null,
      ...(whole?.sentences ?? []),
      ...ageSentences(rows, list.stopped ? 'Of these' : words.ages),
      ...(owing === null ? [] : debtorSentences(owing, page ?? 1, list.stopped ? 'most of these' : 'most', api.now)),
      words.limits,
      customerNote(list.customer),
    ],
  };
  return { ok: true, body };
}

/** What a file has of a month. */
export const monthFields = 'month currency code payment_status invoices_count amount_cents';
/** What a file has of a customer with debts, in one currency. */
const debtorFields = `
  external_id name currency count oldest_due_date total_due_amount_cents not_yet_due_cents days_1_30_cents
  days_31_60_cents days_61_90_cents days_over_90_cents no_due_date_cents left_out
`;

function customersOf(records: readonly Pick<Customer, 'external_id'>[]): number {
  return new Set(records.map(({ external_id }) => external_id)).size;
}

function ageSentences(rows: readonly Total[], label: string): (string | null)[] {
  const since = label === 'Overdue' ? 'for' : 'overdue for';
  return rows.map(row => say`${label}${rows.length > 1 ? ` in ${row.currency}` : ''}: ${ageSentence(row, since)}`);
}

/** The largest debtor of each currency, on the first page; and where the others are. */
function debtorSentences(
  { debtors, countByCurrency, nextPage, lastPage }: DebtorPage,
  page: number,
  label: string,
  now: Date,
): (string | null)[] {
  const largest = [...countByCurrency].map(([currency, customers]) => {
    const debtor = page === 1 ? debtors.find(one => one.currency === currency) : undefined;
    const sentence = debtor === undefined ? null : debtorSentence(debtor, now);
    return customers === 1 ? sentence : say`${label}${countByCurrency.size > 1 ? ` in ${currency}` : ''}: ${sentence}`;
  });
  const pages =
    page > lastPage
      ? `No customer is on page ${page}: page ${lastPage} is the last`
      : nextPage === null
        ? null
        : `more customers on page ${nextPage}`;
  return [...largest, pages];
}

/** For more invoices than one call reads: the sum that the service reports. */
async function wholeSum(
  report: DebtReport,
  api: Api,
  idOrName: string | undefined,
  customer: NamedCustomer | null,
  currency?: string,
) {
  const part = 'Older invoices were not read and are missing from the ages and customers';
  // The service reports what is overdue alone.
  if (report === 'receivables')
    return { fields: {}, sentences: [`${part}: filter by currency or external_customer_id to read fewer`] };
  const answer = await readReport(api, customer?.external_id ?? idOrName, currency);
  if (!answer.ok)
    return { fields: {}, sentences: [part, `The sum of all could not be read: ${reasonOf(answer.error)}`] };
  const totals = totalsOf(answer.rows, ['amount_cents']);
  const sum = say`In total, ${totalsText(totals, 'amount_cents')} is overdue according to the service's report as of today`;
  return { fields: { totals: totals.map(withoutCount) }, sentences: [part, sum] };
}

/** The service's own report by month of due dates, with the reason why ages are missing. */
async function byMonth(
  report: DebtReport,
  args: ReportArgs,
  api: Api,
  why: string,
  error?: ToolError,
): Promise<ReadAnswer> {
  const { external_customer_id: idOrName, currency } = args;
  const known = await knownCustomer(api, idOrName);
  if (!known.ok) return { ok: false, error: error ?? known.error };
  const answer = await readReport(api, known.id, currency);
  if (!answer.ok) return { ok: false, error: error ?? answer.error };
  const totals = totalsOf(answer.rows, ['amount_cents']);
  const from = ofWhom(known.id, known.customer, [{ customer: known.record }], 'from');
  const body = {
    ...customerField(known.customer),
    revenue: answer.rows,
    ...(totals.length > 0 && { totals: totals.map(withoutCount) }),
    report: 'overdue',
    definitions: definitionsUri,
    for_export: { rows: answer.rows, fields: monthFields },
    for_summary: [
      say`${totalsText(totals, 'amount_cents')} overdue${from}, as of today, by the month of the due date` ??
        phrase`Nothing is overdue${say` in ${currency ?? null}`}${from}, as of today`,
      `${report === 'overdue' ? 'Ages and customers are' : 'What is not yet due, ages and customers are'} missing: ${why}`,
      debtReports.overdue.limits,
      customerNote(known.customer),
    ],
  };
  return { ok: true, body };
}

/** All months: with `months` older debts would be left out (§13). */
async function readReport(api: Api, external_customer_id: string | undefined, currency: string | undefined) {
  const query = { external_customer_id, currency };
  const answer = await api.get('/analytics/overdue_balance', { key: 'overdue_balances', query });
  return answer.ok ? { ok: true as const, rows: monthRows(answer.body.overdue_balances) } : answer;
}

export function withoutCount({ count: _, ...sums }: Total): Sums {
  return sums;
}

function isAboutCustomer({ code }: ToolError): boolean {
  return code === 'customer_not_found' || code === 'several_customers';
}
