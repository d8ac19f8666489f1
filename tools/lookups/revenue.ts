/** The account's sums: what is overdue, was billed, recurs, was used, was paid (docs/lookups.md §13). */
import * as z from 'zod';
import { definitions, definitionsUri } from '../../src/contract/definitions.ts';
import { invoicePaymentStatuses } from '../../src/contract/enums.ts';
import type { Api, ReadAnswer } from '../../src/definition/api.ts';
import { currency, customerOrName, paging } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { isGiven, ownValue } from '../../src/lib/json.ts';
import { allOf } from '../../src/lib/text.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { code, count, joined, phrase, quantity, say } from '../../src/words/summary.ts';
import { type MonthRow, monthInWords, monthRows, monthsOf, type RowField, zeroMonths } from '../quotes/months.ts';
import { type Total, totalsOf, totalsText } from '../quotes/totals.ts';
import { readList, remarked } from '../records/list-pages.ts';
import { customerField, customerNote, knownCustomer, ofWhom, sayMade } from '../records/named-customer.ts';
import { changesReport } from './month-changes.ts';
import { openItemsReport } from './open-items.ts';
import { type DebtReport, debtReport, monthFields, type ReportArgs, withoutCount } from './overdue-report.ts';

const reports = [
  ...(['overdue', 'receivables', 'gross_revenue', 'mrr', 'invoiced_usage', 'invoice_collection'] as const),
  ...(['changes', 'open_items'] as const),
] as const;
type Report = (typeof reports)[number];
const reportsOfCustomers: ReadonlySet<Report> = new Set([
  ...(['overdue', 'receivables', 'gross_revenue', 'changes', 'open_items'] as const),
]);
const defaultMonths = 12;
const month = z.string().refine(value => /^\d{4}-(0[1-9]|1[0-2])$/.test(value), {
  error: 'must be a month as YYYY-MM, e.g. 2026-01',
});

export const getRevenue = defineLookup({
  name: 'get_revenue',
  title: 'Get revenue',
  toolset: 'revenue',
  endpoint: 'GET /analytics/gross_revenue',
  description:
    'Totals the account by currency: overdue or receivables (also amounts not yet due) by age and customer; billed, recurring, used or collected amounts by month; changes by customer between two months; open_items: drafts, refunds, payments and top-ups not settled. For single invoices, use list_invoices.',
  input: z
    .strictObject({
      report: z.enum(reports).describe('What to total'),
      external_customer_id: customerOrName.describe(
        "Customer's external ID or name; not for mrr, invoiced_usage and invoice_collection",
      ),
      currency: currency.describe('ISO 4217 code, default all').optional(),
      months: z
        .int()
        .refine(months => months >= 1 && months <= 1200, { error: 'must be from 1 (this month) to 1200' })
        .describe(`Months back, this one included, default ${defaultMonths}; for reports by month`)
        .optional(),
      from_month: month.describe('For changes: YYYY-MM, default the month before to_month').optional(),
      to_month: month.describe('For changes: YYYY-MM, default last month').optional(),
      page: paging.page.describe('Page of customers or items, default 1'),
    })
    .superRefine(fitsReport),
  run: async ({ report, ...args }, api) =>
    isDebtReport(report)
      ? debtReport(report, args, api)
      : report === 'changes'
        ? changesReport(args, api)
        : report === 'open_items'
          ? openItemsReport(args, api)
          : monthlyReport(report, args, api),
  result: 'revenue',
  answer: 'made list',
  brief: `
    month code payment_status currency count invoices_count amount_cents total_due_amount_cents not_yet_due_cents?
    days_1_30_cents?
    days_31_60_cents? days_61_90_cents? days_over_90_cents?
    no_due_date_cents? left_out? external_id name change from_cents to_cents difference_cents item number svc_id date why
  `,
  say: sayMade,
});

/** Refuses what the service would ignore silently, and what would make a report say less than it seems to (§13). */
function fitsReport(args: ReportArgs & { report: Report }, context: z.core.$RefinementCtx): void {
  const { report, external_customer_id, months, from_month, to_month, page } = args;
  const refuse = (argument: string, message: string) => context.addIssue({ code: 'custom', path: [argument], message });
  if (external_customer_id !== undefined && !reportsOfCustomers.has(report))
    refuse('external_customer_id', `is for ${allOf(reportsOfCustomers)}: ${report} is of the whole account`);
  if (months !== undefined && (report === 'changes' || report === 'open_items'))
    refuse('months', `is for reports by month${report === 'changes' ? ': send from_month and to_month' : ''}`);
  for (const [name, value] of Object.entries({ from_month, to_month }))
    if (value !== undefined && report !== 'changes') refuse(name, 'is for changes');
  if (from_month !== undefined && to_month !== undefined && from_month >= to_month)
    refuse('from_month', 'must be before to_month');
  if (months !== undefined && isDebtReport(report))
    refuse('months', `would leave older debts out: ${report} has all of them, by age`);
  if (page !== undefined && isMonthly(report))
    refuse('page', 'is for the customers of overdue, receivables and changes, and for open_items');
  if (page !== undefined && external_customer_id !== undefined && report !== 'open_items')
    refuse('page', 'goes without external_customer_id: there is one customer');
}

function isDebtReport(report: Report): report is DebtReport {
  return report === 'overdue' || report === 'receivables';
}

type Monthly = Exclude<Report, DebtReport | 'changes' | 'open_items'>;

function isMonthly(report: Report): report is Monthly {
  return report in monthly;
}

interface MonthlyReport {
  path: `/${string}`;
  key: 'gross_revenues' | 'mrrs' | 'invoiced_usages' | 'invoice_collections';
  /** The fields by which rows of one month and currency differ. */
  by?: readonly RowField[];
  /** The answer in a sentence. `over`: customer and months in words; `months`: the months, the running one first. */
  sentence(rows: readonly MonthRow[], over: string, months: readonly string[]): string | null;
  none: string;
  /** What the figures hold and leave out. */
  limits: string;
}

const monthly: Record<Monthly, MonthlyReport> = {
  gross_revenue: {
    path: '/analytics/gross_revenue',
    key: 'gross_revenues',
    sentence: (rows, over, months) => {
      const all = rows.every(({ month }) => month === months[0]);
      const thisMonth = all ? 'all' : (sumOf(rows, months[0]) ?? 'nothing');
      return phrase`${sum(rows)} billed ${over}${months.length === 1 ? null : `; ${thisMonth} of it this month so far`}`;
    },
    none: 'Nothing was billed',
    limits: definitions.billed.reportSentence,
  },
  mrr: {
    path: '/analytics/mrr',
    key: 'mrrs',
    sentence: (rows, _, [thisMonth = '', lastMonth]) => {
      const ofMonth = (month: string) => sumWithZeros(rows, month);
      const earlier = lastMonth === undefined ? '' : `; ${monthInWords(lastMonth)}: ${ofMonth(lastMonth)}`;
      return `MRR of ${monthInWords(thisMonth)} so far: ${ofMonth(thisMonth)}${earlier}`;
    },
    none: 'There is no MRR',
    limits: definitions.MRR.reportSentence,
  },
  invoiced_usage: {
    path: '/analytics/invoiced_usage',
    key: 'invoiced_usages',
    by: ['code'],
    sentence: (rows, over) => phrase`Usage invoiced ${over}: ${sum(rows)}${say`; most of it ${largestMetric(rows)}`}`,
    none: 'No usage was invoiced',
    limits: definitions['usage invoiced'].reportSentence,
  },
  invoice_collection: {
    path: '/analytics/invoice_collection',
    key: 'invoice_collections',
    by: ['payment_status'],
    sentence: (rows, over) => {
      const parts = invoicePaymentStatuses.map(status => {
        const rowsOfStatus = rows.filter(({ payment_status }) => payment_status === status);
        const paid = { failed: 'failed', succeeded: 'collected' };
        return say`${sum(rowsOfStatus)} ${ownValue(paid, status) ?? wordsOf('invoicePayment', status)}`;
      });
      return say`Of ${sum(rows)} invoiced ${over}: ${joined(parts, '; ')}`;
    },
    none: 'Nothing was invoiced',
    limits: definitions.collected.reportSentence,
  },
};

async function monthlyReport(report: Monthly, args: ReportArgs, api: Api): Promise<ReadAnswer> {
  const { path, key, by, sentence, none, limits } = monthly[report];
  const { currency: only, months = defaultMonths } = args;
  const about = await knownCustomer(api, args.external_customer_id);
  if (!about.ok) return about;
  const query = { currency: only, external_customer_id: about.id, months };
  const isGross = report === 'gross_revenue';
  const collection = monthly.invoice_collection;
  const [answer, topUps, invoiced] = await Promise.all([
    api.get(path, { key, query }),
    isGross ? readTopUps(api, about.id, only, months) : null,
    isGross ? api.get(collection.path, { key: collection.key, query }) : null,
  ]);
  if (!answer.ok) return answer;
  const rows = monthRows(answer.body[key], by).filter(row => only === undefined || row.currency === only);
  const whom = ofWhom(about.id, about.customer, [{ customer: about.record }], 'to');
  const over = `${whom.trimStart()} ${months === 1 ? 'this month so far' : `in the last ${months} months`}`.trimStart();
  const all = monthsOf(api.now, months);
  const zero = zeroMonths(rows, all);
  const sums = report === 'mrr' ? [] : totalsOf(rows, ['amount_cents']).map(withoutCount);
  return {
    ok: true,
    body: {
      ...customerField(about.customer),
      revenue: rows,
      ...(sums.length > 0 && { totals: sums }),
      ...topUps?.fields,
      ...(zero.count > 0 && { zero_months: zero.text }),
      running_month: all[0],
      report,
      definitions: definitionsUri,
      for_export: { rows, fields: monthFields },
      for_summary: [
        say`${rows.length === 0 ? null : sentence(rows, over, all)}, as of today` ??
          phrase`${none}${say` in ${only ?? null}`} ${over}`,
        invoiced?.ok === false &&
          invoiced.error.code !== 'lookup_unavailable' &&
          'Charges outside invoices could not be read',
        outsideInvoices(rows, invoiced?.ok ? monthRows(invoiced.body[collection.key], collection.by) : []),
        rows.length > 0 && zero.count > 0 && `No figures for ${zero.count} of these ${months} months`,
        rows.length > 0 && topUps?.sentence,
        limits,
        customerNote(about.customer),
      ],
    },
  };
}

function sum(rows: readonly MonthRow[]): string | null {
  return totalsText(totalsOf(rows, ['amount_cents']), 'amount_cents');
}

function sumOf(rows: readonly MonthRow[], month: string | undefined): string | null {
  return sum(rows.filter(row => row.month === month));
}

/**
 * The service counts fees that are charged at events outside invoices as billed, without tax. It is at least what is
 * billed beyond the invoices, since refunds are taken off. Null without that, or where the invoices are not known.
 */
function outsideInvoices(billed: readonly MonthRow[], invoiced: readonly MonthRow[]): string | null {
  const less = invoiced.flatMap(row =>
    typeof row.amount_cents === 'number' ? [{ ...row, amount_cents: -row.amount_cents }] : [],
  );
  const known = billed.filter(({ currency }) => invoiced.some(row => row.currency === currency));
  const more = totalsOf([...known, ...less], ['amount_cents']).filter(({ amount_cents }) => Number(amount_cents) > 0);
  return say`At least ${totalsText(more, 'amount_cents')} of it was charged per event outside invoices, without tax`;
}

/**
 * Sums by currency of the same invoices that gross revenue counts, of this month and the ones before it, and a sentence; a
 * failure is told in the sentence.
 */
async function readTopUps(
  api: Api,
  external_customer_id: string | undefined,
  only: string | undefined,
  months: number,
): Promise<{ fields: { wallet_top_ups?: Total[] }; sentence: string }> {
  if (!api.mayUse('list_invoices')) return { fields: {}, sentence: 'Wallet top-ups are included' };
  const issuing_date_from = `${monthsOf(api.now, months).at(-1)}-01`;
  const query = {
    invoice_type: 'credit',
    status: ['finalized'],
    self_billed: false,
    currency: only,
    issuing_date_from,
  };
  const list = await readList(api, 'invoices', external_customer_id, query, { all: true });
  if (!list.ok)
    return {
      fields: {},
      sentence: `Wallet top-ups are included; the amount could not be read: ${reasonOf(list.error)}`,
    };
  const invoices = list.rows.filter(row => !isGiven(row.payment_dispute_lost_at));
  const totals = totalsOf(invoices, ['total_amount_cents']);
  if (totals.length === 0) return { fields: {}, sentence: `None of this is for wallet top-ups${remarked(list)}` };
  const limit = phrase`${list.stopped ? `, of the newest ${quantity(list.rows.length)}` : null}${remarked(list)}`;
  return {
    fields: { wallet_top_ups: totals },
    sentence: `${totalsText(totals, 'total_amount_cents')} of this is for wallet top-ups (${count(invoices.length, 'invoice')}${limit}, before refunds)`,
  };
}

/** The month's sum in each currency of the rows: a month without a row is 0. */
function sumWithZeros(rows: readonly MonthRow[], month: string): string | null {
  const zeros = rows.map(row => ({ ...row, month, amount_cents: 0 }));
  return sumOf([...rows, ...zeros], month);
}

/** `api_calls ($120.00)`; null where there are several currencies, or one metric alone. */
function largestMetric(rows: readonly MonthRow[]): string | null {
  const metrics = [...new Set(rows.map(row => row.code))];
  if (metrics.length < 2 || new Set(rows.map(row => row.currency)).size > 1) return null;
  const sums = metrics.map(metric => ({ metric, rows: rows.filter(row => row.code === metric) }));
  const cents = (those: readonly MonthRow[]) => Number(totalsOf(those, ['amount_cents'])[0]?.amount_cents ?? 0);
  const [largest] = sums.sort((a, b) => cents(b.rows) - cents(a.rows));
  return largest === undefined ? null : say`${code(largest.metric)} (${sum(largest.rows)})`;
}
