/** One month against another by customer: the report `changes`, from the invoices of both (docs/lookups.md §4). */
import { definitionsUri } from '../../src/contract/definitions.ts';
import type { Invoice } from '../../src/contract/shown.ts';
import { type Api, isWhole, type ReadAnswer } from '../../src/definition/api.ts';
import { grouped } from '../../src/lib/collections.ts';
import { count, firstOf, joined, money, named } from '../../src/words/summary.ts';
import { monthInWords, monthsOf } from '../quotes/months.ts';
import { exact, totalsOf, wholeOf } from '../quotes/totals.ts';
import { readList, remarked } from '../records/list-pages.ts';
import { customerField, customerNote, ofWhom, readOfCustomer } from '../records/named-customer.ts';
import type { ReportArgs } from './overdue-report.ts';
import { isInvoiced } from './owed-words.ts';

/** Customers on one page of the answer. */
const pageSize = 25;

/** A customer's invoices of the two months in one currency, in minor units, with tax. */
type ChangeRow = ReturnType<typeof changeRows>[number];

/** Which months are compared, the earlier one first: in whichever order they are sent. */
function monthsCompared({ from_month, to_month }: ReportArgs, now: Date): readonly [from: string, to: string] {
  const before = (month: string) => monthsOf(new Date(`${month}-01T00:00:00Z`), 2)[1] ?? month;
  const [thisMonth = '', last = ''] = monthsOf(now, 2);
  const to = to_month ?? (from_month !== undefined && from_month >= last ? thisMonth : last);
  const from = from_month ?? before(to);
  return from === to ? [before(to), to] : from < to ? [from, to] : [to, from];
}

export async function changesReport(args: ReportArgs, api: Api): Promise<ReadAnswer> {
  const { external_customer_id: idOrName, currency, page = 1 } = args;
  const months = monthsCompared(args, api.now);
  const list = await readOfCustomer(api, idOrName, async id => {
    const readMonth = (month: string) => {
      const days = { issuing_date_from: `${month}-01`, issuing_date_to: lastDay(month) };
      const query = { status: ['finalized'], self_billed: false, currency, ...days };
      return readList(api, 'invoices', id, query, { all: true });
    };
    const [from, to] = await Promise.all([readMonth(months[0]), readMonth(months[1])]);
    return !from.ok ? from : !to.ok ? to : { ok: true as const, from, to };
  });
  if (!list.ok) return list;
  const { from, to } = list;
  const isTopUp = ({ invoice_type }: Invoice) => invoice_type === 'credit';
  const old = new Set(from.rows);
  const rows = changeRows(
    [...to.rows, ...from.rows].filter(row => !isTopUp(row) && isInvoiced(row)),
    old,
  );
  const topUps = topUpTotals(
    [...from.rows, ...to.rows].filter(row => isTopUp(row) && isInvoiced(row)),
    old,
  );
  const topUpTexts = topUps.map(
    ({ currency: unit, from_cents, to_cents }) => `${money(from_cents, unit)} → ${money(to_cents, unit)}`,
  );
  const [earlier, later] = months.map(month => monthInWords(month));
  const whose = ofWhom(idOrName, list.customer, [...from.rows, ...to.rows]);
  const isRunning = months[1] === monthsOf(api.now, 1)[0];
  const lastPage = Math.max(Math.ceil(rows.length / pageSize), 1);
  const body = {
    ...customerField(list.customer),
    revenue: rows.slice((page - 1) * pageSize, page * pageSize),
    ...(page < lastPage && { next_page: page + 1 }),
    months,
    ...(topUps.length > 0 && { wallet_top_ups: topUps }),
    report: 'changes',
    definitions: definitionsUri,
    for_export: { rows, fields: changeFields },
    for_summary: [
      rows.length === 0
        ? `Nothing was invoiced${whose} in ${earlier} or ${later}`
        : `Invoiced${whose}, ${earlier} → ${later}${isRunning ? ' so far' : ''}`,
      ...currencySentences(rows),
      topUps.length > 0 && `Wallet top-ups, not included: ${topUpTexts.join(' and ')}`,
      page > lastPage && `No customer is on page ${page}: page ${lastPage} is the last`,
      page < lastPage && `More customers on page ${page + 1}`,
      ...[from, to].map((read, index) =>
        isWhole(read) ? null : `Not all invoices of ${index === 0 ? earlier : later} were read${remarked(read)}`,
      ),
      'Invoiced includes tax, before refunds, and excludes wallet top-ups, drafts, self-billed invoices, and lost disputes',
      customerNote(list.customer),
    ],
  };
  return { ok: true, body };
}

const changeFields = 'external_id name currency change from_cents to_cents difference_cents';

/** One row a customer and currency; in each currency the largest difference first. */
function changeRows(invoices: readonly Invoice[], earlier: ReadonlySet<Invoice>) {
  const keyOf = ({ customer, currency }: Invoice) => JSON.stringify([customer?.external_id ?? null, currency]);
  const rows = grouped(invoices, keyOf).map(group => {
    const { external_id = null, name } = group[0]?.customer ?? {};
    const old = group.filter(row => earlier.has(row));
    const recent = group.filter(row => !earlier.has(row));
    const [from, to] = [sumOf(old), sumOf(recent)];
    return {
      external_id,
      ...(name && name !== external_id && { name }),
      currency: group[0]?.currency ?? '',
      // Invoiced in the later month alone, in the earlier alone, or in both.
      change: old.length === 0 ? 'new' : recent.length === 0 ? 'gone' : 'both',
      from_cents: exact(from),
      to_cents: exact(to),
      difference_cents: exact(to - from),
    };
  });
  const size = ({ difference_cents }: (typeof rows)[number]) => Math.abs(Number(difference_cents));
  return rows.sort((a, b) => (a.currency === b.currency ? size(b) - size(a) : a.currency < b.currency ? -1 : 1));
}

function sumOf(invoices: readonly Invoice[]): bigint {
  return invoices.reduce((sum, { total_amount_cents }) => sum + (wholeOf(total_amount_cents) ?? 0n), 0n);
}

/** `In USD: $100.00 → $130.00, +$30.00: 3 customers in both months +$20.00, 1 new +$20.00, 1 gone −$10.00`. */
function currencySentences(rows: readonly ChangeRow[]): string[] {
  return grouped(rows, ({ currency }) => currency).flatMap(group => {
    const unit = group[0]?.currency ?? '';
    const sum = (field: 'from_cents' | 'to_cents' | 'difference_cents', of: readonly ChangeRow[] = group) =>
      of.reduce((total, row) => total + BigInt(row[field]), 0n);
    const parts = (['both', 'new', 'gone'] as const).map(change => {
      const those = group.filter(row => row.change === change);
      if (those.length === 0) return null;
      const label =
        change === 'both'
          ? count(those.length, 'customer in both months', 'customers in both months')
          : `${those.length} ${change}`;
      return `${label} ${signed(sum('difference_cents', those), unit)}`;
    });
    const largest = group
      .slice(0, 3)
      .map(
        row =>
          `${named(row.name, row.external_id) ?? 'one without an id'} ${signed(BigInt(row.difference_cents), unit)}`,
      );
    return [
      `In ${unit}: ${money(exact(sum('from_cents')), unit)} → ${money(exact(sum('to_cents')), unit)}, ${signed(sum('difference_cents'), unit)}: ${joined(parts, ', ')}`,
      ...(group.length > 1 ? [`Largest differences in ${unit}: ${firstOf(largest)}`] : []),
    ];
  });
}

/** `+$20.00`, `−$10.00`, `±$0.00`. */
function signed(cents: bigint, currency: string): string {
  const size = money(exact(cents < 0n ? -cents : cents), currency) ?? '';
  return `${cents > 0n ? '+' : cents < 0n ? '−' : '±'}${size}`;
}

function topUpTotals(invoices: readonly Invoice[], earlier: ReadonlySet<Invoice>) {
  const sums = invoices.map(row => ({
    ...row,
    from_cents: earlier.has(row) ? row.total_amount_cents : 0,
    to_cents: earlier.has(row) ? 0 : row.total_amount_cents,
  }));
  return totalsOf(sums, ['from_cents', 'to_cents']);
}

function lastDay(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
