/** Prepaid wallets and their movements (docs/lookups.md §5). */

import * as z from 'zod';
import { codeWords } from '../../src/contract/code-words.ts';
import { lifeStatuses, transactionStatuses, walletTransactionStatuses } from '../../src/contract/enums.ts';
import { transactionFilters, walletFilters } from '../../src/contract/list-filters.ts';
import { fromCents, toCents } from '../../src/contract/pricing/money.ts';
import type { Fields, TopUpRule, Wallet, WalletTransaction } from '../../src/contract/shown.ts';
import { only } from '../../src/lib/collections.ts';
import { customerOrName, dayOrTime, paging, recordId } from '../../src/tool/args.ts';
import { defineLookup, type SummaryContext } from '../../src/tool/define.ts';
import { filterArguments } from '../../src/tool/filter-arguments.ts';
import type { ReadAnswer, Reads } from '../../src/tool/reads.ts';
import { exactDecimal } from '../../src/words/money.ts';
import {
  asInteger,
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  count,
  listed,
  money,
  named,
  quantity,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';
import { runDay } from '../../src/words/wallet-words.ts';
import { momentIn, onDay } from '../../src/words/zoned-times.ts';
import { customerField, customerNote, type NamedCustomer, readOfCustomer } from '../reads/customer.ts';
import { type FilteredRows, filteredFields, readFiltered } from '../reads/filtered-list.ts';
import { timeZoneNote, withLocalTimes } from '../reads/list-time-zone.ts';
import {
  isWhole,
  type ListGet,
  type ListPageArgs,
  listPath,
  readRows,
  remarked,
  shownFields,
  shownNote,
} from '../reads/pages.ts';
import { firstInstant, isMoment, isSpan, lastInstant, spanInWords } from '../reads/time-filters.ts';
import { type Total, totalsIn, totalsOf, totalsText } from '../reads/totals.ts';
import { unlistedNote } from '../reads/unlisted-values.ts';
import { zoneOfCustomer } from '../reads/written-record.ts';
import { describeWallet } from '../wallets.ts';

export const listWallets = defineLookup({
  name: 'list_wallets',
  title: 'List wallets',
  toolset: 'wallets',
  endpoint: 'GET /wallets',
  description:
    'Active prepaid wallets, of a customer or all: what is left, now and after usage so far, expiry, limits, top-up rules.',
  input: z.strictObject({
    external_customer_id: customerOrName,
    ...filterArguments(walletFilters),
    ...paging,
  }),
  async lookup({ external_customer_id, page, per_page, all, ...query }, reads) {
    const list = await readOfCustomer(reads, external_customer_id, customer =>
      readWallets(reads, customer, query, { page, per_page, all }),
    );
    if (!list.ok) return list;
    const { wallets, for_summary } = list.body;
    const rows = asRecords(wallets);
    const dated = rows.some(wallet => asText(wallet.expiration_at) !== null);
    const alone = only(rows);
    const tellsTime =
      dated || (alone === null ? rows.length === 0 && asRecord(for_summary).ended != null : tellsMoments(alone));
    const id = list.customer?.external_id ?? external_customer_id;
    const zone = !tellsTime || id === undefined ? null : await zoneOfCustomer(reads, id);
    const body = {
      ...customerField(list.customer),
      ...list.body,
      wallets: withLocalTimes(rows, ['expiration_at'], zone),
    };
    return { ok: true, body, beside: { zone } };
  },
  result: 'wallets',
  list: true,
  brief: `
    svc_id external_customer_id code name?=code currency rate_amount?1.0 balance_cents ongoing_balance_cents
    expiration_at applies_to{fee_types billable_metric_codes} paid_top_up_min_amount_cents paid_top_up_max_amount_cents
    recurring_transaction_rules{trigger interval threshold_credits method target_ongoing_balance paid_credits?
    granted_credits? expiration_at}
  `,
  summary: (record: WalletList, { args, now, beside }: SummaryContext<Fields<'zone'>>) =>
    describeWallets(asRecord(record), args, { now, zone: asText(beside?.zone) }),
});

export const listWalletTransactions = defineLookup({
  name: 'list_wallet_transactions',
  title: 'List wallet transactions',
  toolset: 'wallets',
  endpoint: 'GET /wallets/{svc_id}/wallet_transactions',
  description: "A wallet's movements, newest first. invoiced: used on an invoice. amount: money, in major units.",
  input: z
    .strictObject({
      svc_id: recordId().describe("Wallet's"),
      status: z.enum(walletTransactionStatuses).optional(),
      transaction_status: z.enum(transactionStatuses).optional(),
      ...filterArguments(transactionFilters),
      created_at_from: dayOrTime.optional(),
      created_at_to: dayOrTime.optional(),
      ...paging,
    })
    .refine(({ created_at_from, created_at_to }) => isSpan(created_at_from, created_at_to), {
      path: ['created_at_from'],
      error: 'is after created_at_to',
    }),
  lookup: ({ svc_id, created_at_from, created_at_to, page, per_page, all, ...query }, reads) =>
    readTransactions(reads, svc_id, query, { created_at_from, created_at_to, page, per_page, all }),
  result: 'wallet_transactions',
  list: true,
  brief: `
    svc_id created_at status?settled transaction_status amount credit_amount?=amount remaining_credit_amount?=amount
    svc_invoice_id name failed_at
  `,
  summary: (record: TransactionList) => describeTransactions(asRecord(record)),
});

/** What the summary of the wallets reads. */
interface WalletList extends Fields<'totals' | 'terminated'> {
  readonly wallets?: readonly Wallet[];
  readonly customer?: NamedCustomer;
  readonly for_summary?: { readonly none: boolean; readonly pages: string | null; readonly ended: Wallet | null };
}

/** The API cannot filter the list by status: terminated wallets are read too, and only counted. */
async function readWallets(
  reads: Reads,
  customer: string | undefined,
  query: NonNullable<ListGet<'wallets'>['query']>,
  pages: ListPageArgs,
) {
  const { path, values } = listPath('wallets', customer);
  const list = await readRows(reads, path, { key: 'wallets', path: values, query }, pages);
  if (!list.ok) return list;
  const active = list.rows.filter(wallet => wallet.status !== 'terminated');
  const terminated = list.rows.length - active.length;
  const whole = isWhole(list) && (pages.page ?? 1) === 1;
  const shown = list.stopped || active.length === 0 ? list : { ...list, rows: active };
  const body: WalletList = {
    // The customer is known where one was asked for.
    wallets: customer === undefined ? active : active.map(({ external_customer_id: _, ...wallet }) => wallet),
    ...shownFields(list, active.length),
    ...(terminated > 0 && { terminated }),
    totals: totalsOf(active, ['balance_cents', 'ongoing_balance_cents']),
    for_summary: {
      none: list.rows.length === 0 && (list.total ?? 0) === 0 && remarked(list) === '',
      pages: whole ? null : shownNote(shown, 'wallet'),
      ended: newestEnded(list.rows),
    },
  };
  return { ok: true as const, body };
}

function newestEnded(wallets: readonly Wallet[]): Wallet | null {
  const ended = wallets.filter(wallet => wallet.status === 'terminated');
  const at = (wallet: Wallet) => Date.parse(asText(wallet.terminated_at) ?? '') || 0;
  return ended.sort((a, b) => at(b) - at(a))[0] ?? null;
}

type ListArguments = Fields<'external_customer_id' | 'currency'>;

/** The time now, and the customer's time zone; null if it was not read. */
interface Clock {
  now: Date;
  zone: string | null;
}

function describeWallets(record: WalletList, args: ListArguments, clock: Clock): string {
  const wallets = asRecords(record.wallets);
  const { pages } = asRecord(record.for_summary);
  const totals = totalsIn(record.totals);
  const customer = asRecord(record.customer).external_id ?? args.external_customer_id;
  const terminated = asInteger(record.terminated) ?? 0;
  const ended =
    terminated > 0 && `${count(terminated, 'wallet that has ended is', 'wallets that have ended are')} not shown`;
  const customerLine = customerNote(record.customer);
  const wallet = only(wallets);
  if (wallet !== null) return sentences(customerLine, ...oneWallet(wallet, customer, clock), ended, asText(pages));
  if (wallets.length === 0)
    return sentences(customerLine, noWallets(record, code(customer), args, clock), asText(pages));
  return sentences(
    customerLine,
    unlistedNote(wallets, 'status', lifeStatuses),
    `${count(wallets.length, 'active wallet')}${say` of ${code(customer)}` ?? ''} hold ${totalsText(totals, 'balance_cents') ?? 'unknown amounts'}`,
    say`After the usage so far ${totalsText(totals, 'ongoing_balance_cents')} will be left`,
    overdrawn(wallets),
    expiring(wallets, clock),
    ended,
    asText(pages),
  );
}

/** Whether the words for this wallet hold moments: when its figures were computed, when its rules run and end. */
function tellsMoments({ last_balance_sync_at, recurring_transaction_rules: rules }: Wallet): boolean {
  return asText(last_balance_sync_at) !== null || asRecords(rules).some(rule => rule.trigger !== 'threshold');
}

function oneWallet(wallet: Wallet, customer: unknown, { now, zone }: Clock): (string | null)[] {
  const { recurring_transaction_rules: rules, ...rest } = wallet;
  const { currency } = wallet;
  const smallest = money(wallet.paid_top_up_min_amount_cents, currency);
  const largest = money(wallet.paid_top_up_max_amount_cents, currency);
  const limits = [say`at least ${smallest}`, say`at most ${largest}`].filter(limit => limit !== null);
  return [
    describeWallet({ external_customer_id: customer, ...rest }, now, zone),
    ...asRecords(rules).map(rule => ruleInWords(rule, wallet, { now, zone })),
    say`Paid top-ups are ${listed(limits)}`,
    say`These figures are of ${momentIn(wallet.last_balance_sync_at, zone, now)}`,
  ];
}

const eachInterval: Readonly<Record<string, string>> = {
  weekly: 'each week',
  monthly: 'each month',
  quarterly: 'each quarter',
  semiannual: 'each half-year',
  yearly: 'each year',
};

/** `Top-up rule: when 20 credits are left after usage, 100 credits are bought`; null for one that is not understood. */
function ruleInWords(rule: TopUpRule, wallet: Wallet, { now, zone }: Clock): string | null {
  const when =
    rule.trigger === 'threshold'
      ? say`when ${quantity(rule.threshold_credits)} credits are left after usage`
      : say`${eachInterval[String(rule.interval)] ?? null}${runDay(rule, wallet, zone)}`;
  const credits = [
    sign(rule.paid_credits) === 1 && say`${quantity(rule.paid_credits)} credits are bought`,
    sign(rule.granted_credits) === 1 && say`${quantity(rule.granted_credits)} credits are granted`,
  ].filter(part => typeof part === 'string');
  const how =
    rule.method === 'target'
      ? say`credits are ${rule.grants_target_top_up === true ? 'granted' : 'bought'} up to ${quantity(rule.target_ongoing_balance)}`
      : listed(credits);
  return say`Top-up rule: ${when}, ${how}${say` (it ends ${onDay(rule.expiration_at, zone, now)})` ?? ''}`;
}

/** No wallet at all, or none that is active; null for a list page beyond the last one. */
function noWallets(
  record: WalletList,
  customer: string | null,
  { currency }: ListArguments,
  { now, zone }: Clock,
): string | null {
  const terminated = asInteger(record.terminated);
  const { none, ended, pages } = asRecord(record.for_summary);
  const subject = `${say`Customer ${customer}` ?? 'The account'} has no`;
  const kind = `wallet${say` in ${code(currency)}` ?? ''}`;
  if (none === true) return `${subject} ${kind}`;
  if (terminated === null) return null;
  const { name, code: key, svc_id, terminated_at } = asRecord(ended);
  const newest = say`, the last of them ${named(name, key ?? svc_id)}${say` ${onDay(terminated_at, zone, now)}` ?? ''}`;
  const where = pages === null ? '' : ' among those read';
  return `${subject} active ${kind}${where}; ${terminated} ${terminated === 1 ? 'has' : 'have'} ended${newest ?? ''}`;
}

function overdrawn(wallets: readonly Wallet[]): string | null {
  const names = wallets
    .filter(wallet => sign(wallet.ongoing_balance_cents) === -1)
    .map(wallet => `${labelOf(wallet)} (${money(wallet.ongoing_balance_cents, wallet.currency) ?? ''})`);
  return say`Usage of the running period exceeds ${listed(names, 4)}`;
}

function expiring(wallets: readonly Wallet[], { now, zone }: Clock): string | null {
  const dated = wallets
    .map(wallet => ({ wallet, at: Date.parse(asText(wallet.expiration_at) ?? '') }))
    .filter(({ at }) => at > now.getTime());
  const next = dated.sort((a, b) => a.at - b.at)[0];
  return next === undefined
    ? null
    : say`The next to expire is ${labelOf(next.wallet)}, ${onDay(next.wallet.expiration_at, zone, now)}`;
}

function labelOf({ name, code: key, svc_id, external_customer_id: customer }: Wallet): string {
  return `${named(name, key) ?? code(svc_id) ?? 'one'}${say` of ${code(customer)}` ?? ''}`;
}

interface Span extends ListPageArgs {
  created_at_from?: string | undefined;
  created_at_to?: string | undefined;
}

/** What the summary of the transactions reads. */
interface TransactionList extends Fields<'wallet_transactions' | 'totals'> {
  readonly for_summary?: { readonly wallet: Wallet } & Fields<'unread' | 'covered' | 'open' | 'found' | 'clocks'>;
}

const { moved } = codeWords;
/** The API cannot filter by date: this does. The wallet is read beside the list, for its currency and its name. */
async function readTransactions(
  reads: Reads,
  svc_id: string,
  query: NonNullable<ListGet<'wallet_transactions'>['query']>,
  { created_at_from, created_at_to, ...pages }: Span,
): Promise<ReadAnswer> {
  const get = { key: 'wallet_transactions' as const, path: { svc_id }, query };
  const dated = created_at_from !== undefined || created_at_to !== undefined;
  const [walletRead, list] = await Promise.all([
    reads.mayUse('list_wallets') ? reads.get('/wallets/{svc_id}', { key: 'wallet', path: { svc_id } }) : null,
    dated
      ? readFiltered(reads, transactionsPath, get, pages, spanFilter(created_at_from, created_at_to))
      : readRows(reads, transactionsPath, get, pages),
  ]);
  if (!list.ok) return list;
  const wallet = walletRead?.ok ? asRecord(walletRead.body.wallet) : {};
  const owner = asText(wallet.external_customer_id);
  const tellsTime = list.rows.length > 0 || [created_at_from, created_at_to].some(isMoment);
  const zone = owner === null || !tellsTime ? null : await zoneOfCustomer(reads, owner);
  const covered = 'matching' in list ? list.matching : list.rows;
  const settled = covered.filter(({ status }) => status === 'settled');
  const { currency } = wallet;
  const body: TransactionList = {
    wallet_transactions: withLocalTimes(list.rows, ['created_at', 'failed_at'], zone),
    ...('matching' in list ? filteredFields(list) : shownFields(list)),
    ...(typeof currency === 'string' && {
      totals: sumsOf(settled, currency),
    }),
    for_summary: {
      wallet,
      unread: walletRead === null ? 'list_wallets may not be used' : walletRead.ok ? null : walletRead.error.message,
      covered: covered.length,
      open: covered.map(({ status }) => status).filter(status => status !== 'settled'),
      found:
        'matching' in list
          ? datedNote(list, [created_at_from, created_at_to], { now: reads.now, zone })
          : shownNote(list, 'transaction'),
      clocks: list.rows.length > 0 ? timeZoneNote(zone) : null,
    },
  };
  return { ok: true, body };
}

const transactionsPath = '/wallets/{svc_id}/wallet_transactions';

/** Sums by the kind of movement, of the kinds that occur. */
function sumsOf(settled: readonly WalletTransaction[], currency: string): Total[] {
  const kinds = (Object.keys(moved) as (keyof typeof moved)[]).filter(kind =>
    settled.some(row => row.transaction_status === kind),
  );
  const rows = settled.map(({ svc_id, amount, transaction_status }) => {
    const exact = exactDecimal(amount);
    // The service rounds what credits are worth (service-behaviour §6): no amount has a fraction of a minor unit.
    const rounded = exact === null ? null : toCents(exact, currency);
    const cents = rounded !== null && exact?.eq(fromCents(rounded, currency)) ? rounded : null;
    const amounts = kinds.map(kind => [`${kind}_amount_cents`, kind === transaction_status ? cents : 0]);
    const sums = Object.fromEntries(amounts) as Fields<`${(typeof kinds)[number]}_amount_cents`>;
    return { svc_id, currency, ...sums };
  });
  return totalsOf(
    rows,
    kinds.map(kind => `${kind}_amount_cents` as const),
  );
}

/** The list begins with the newest: nothing wanted follows a record before the first day. */
function spanFilter(
  from: string | undefined,
  to: string | undefined,
): Parameters<typeof readFiltered<'wallet_transactions'>>[4] {
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(firstInstant(from));
  const last = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(lastInstant(to));
  const at = ({ created_at }: WalletTransaction) => Date.parse(asText(created_at) ?? '');
  return { wanted: row => at(row) >= first && at(row) <= last, last: row => at(row) < first };
}

function datedNote(list: FilteredRows, bounds: readonly (string | undefined)[], { now, zone }: Clock): string | null {
  const { matching, rows, nextPage, read, stopped } = list;
  const days = spanInWords(bounds, zone, now);
  const early = `the newest ${count(read, 'transaction')} alone were looked at, older ones not`;
  if (matching.length === 0)
    return `no transaction ${days} by created_at${remarked(list)}${stopped ? `; ${early}` : ''}`;
  const all = `${count(matching.length, 'transaction')} ${days} by created_at${remarked(list)}`;
  const next = nextPage === null ? null : `page: ${nextPage} has more`;
  const some = rows.length === matching.length ? null : `${rows.length} on this page`;
  return [all, some, next, stopped ? early : null].filter(part => part !== null).join(', ');
}

/** Transactions that are named as left out. */
const mostLeftOut = 3;

function describeTransactions(record: TransactionList): string {
  const { wallet, unread, covered, open, found: foundNote, clocks } = asRecord(record.for_summary);
  const { name, code: key, svc_id, external_customer_id: customer, currency } = asRecord(wallet);
  const [total] = totalsIn(record.totals);
  const states = asTexts(open);
  const pending = states.filter(state => state === 'pending').length;
  const failed = states.filter(state => state === 'failed').length;
  const settled = (asInteger(covered) ?? 0) - states.length;
  const label = named(name, key) ?? code(svc_id);
  const parts = Object.entries(moved).map(([kind, word]) => {
    const cents = total?.[`${kind}_amount_cents`];
    return sign(cents) === 1 ? say`${money(cents, currency)} ${word}` : null;
  });
  return sentences(
    `${label === null ? 'The wallet' : `Wallet ${label}`}${say` of customer ${code(customer)}` ?? ''}: ${asText(foundNote) ?? 'no such transaction'}`,
    settled > 0 && say`Settled, in ${count(settled, 'transaction')}: ${listed(parts.filter(part => part !== null))}`,
    say`Not in it, because the amount is no whole number of minor units: ${listed(asTexts(total?.left_out), mostLeftOut)}`,
    pending > 0 && `${count(pending, 'is', 'are')} pending and not counted`,
    failed > 0 && `${count(failed, 'failed', 'failed')} and moved nothing`,
    asText(clocks),
    say`Nothing is added up, because the wallet's currency could not be read (${code(unread)})`,
  );
}
