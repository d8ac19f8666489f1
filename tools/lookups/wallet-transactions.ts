/** The movements of a prepaid wallet (docs/lookups.md §5). */

import * as z from 'zod';
import { codeWords } from '../../src/contract/code-words.ts';
import { transactionStatuses, walletTransactionStatuses } from '../../src/contract/enums.ts';
import { transactionFilters } from '../../src/contract/list-filters.ts';
import type { Wallet, WalletTransaction } from '../../src/contract/shown.ts';
import type { Api, ListGet, ListPageArgs, ReadAnswer } from '../../src/definition/api.ts';
import { fromTime, paging, recordId, toTime } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { filterArguments } from '../../src/definition/field-arguments.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import {
  code,
  count,
  day,
  listed,
  major,
  money,
  named,
  opt,
  phrase,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';
import { movedCents } from '../quotes/exact-cents.ts';
import { type Total, totalsOf } from '../quotes/totals.ts';
import {
  type FilteredRows,
  filteredFields,
  newestNote,
  readFiltered,
  remarked,
  shownFields,
  shownNote,
} from '../records/list-pages.ts';
import { firstInstant, isMoment, isSpan, lastInstant, spanInWords } from '../records/time-filters.ts';
import { zoneOfCustomer } from '../records/written-record.ts';

export const listWalletTransactions = defineLookup({
  name: 'list_wallet_transactions',
  title: 'List wallet transactions',
  toolset: 'wallets',
  endpoint: 'GET /wallets/{svc_id}/wallet_transactions',
  description:
    'Lists the transactions of a wallet, newest first: credits bought, granted, used or voided. amount is money in major units. For balances, use list_wallets.',
  input: z
    .strictObject({
      svc_id: recordId('wallet'),
      status: z.enum(walletTransactionStatuses).describe('Default all').optional(),
      transaction_status: z
        .enum(transactionStatuses)
        .describe('Default all; invoiced means used on an invoice')
        .optional(),
      ...filterArguments(transactionFilters),
      created_at_from: fromTime,
      created_at_to: toTime,
      ...paging,
    })
    .refine(({ created_at_from, created_at_to }) => isSpan(created_at_from, created_at_to), {
      path: ['created_at_from'],
      error: 'is after created_at_to',
    }),
  run: ({ svc_id, created_at_from, created_at_to, page, per_page, all, ...query }, api) =>
    readTransactions(api, svc_id, query, { created_at_from, created_at_to, page, per_page, all }),
  result: 'wallet_transactions',
  answer: 'made list',
  brief: `
    svc_id created_at status?settled transaction_status amount credit_amount?=amount remaining_credit_amount?=amount
    remaining_amount_cents svc_invoice_id name failed_at
  `,
  say: (record: TransactionList, { now }) => describeTransactions(record, now),
});

interface Span extends ListPageArgs {
  created_at_from?: string | undefined;
  created_at_to?: string | undefined;
}

/** What the summary of the transactions reads. */
interface TransactionList {
  readonly wallet_transactions: readonly WalletTransaction[];
  readonly totals?: readonly Total[];
  readonly for_page: { readonly wallet: Wallet };
  readonly for_summary: {
    readonly wallet: Wallet;
    /** Why the wallet is not known; null where it is. */
    readonly unread: string | null;
    readonly covered: number;
    /** The states of those that have not settled. */
    readonly open: readonly string[];
    readonly found: string | null;
    readonly clocks: string | null;
  };
}

const { moved } = codeWords;
/** The API cannot filter by date: this does. The wallet is read next to the list, for its currency and its name. */
async function readTransactions(
  api: Api,
  svc_id: string,
  query: NonNullable<ListGet<'wallet_transactions'>['query']>,
  { created_at_from, created_at_to, ...pages }: Span,
): Promise<ReadAnswer> {
  const get = { key: 'wallet_transactions' as const, path: { svc_id }, query };
  const dated = created_at_from !== undefined || created_at_to !== undefined;
  const [walletRead, list] = await Promise.all([
    api.mayUse('list_wallets') ? api.get('/wallets/{svc_id}', { key: 'wallet', path: { svc_id } }) : null,
    dated
      ? readFiltered(api, transactionsPath, get, pages, spanFilter(created_at_from, created_at_to))
      : api.list(transactionsPath, get, pages),
  ]);
  if (!list.ok) return list;
  const wallet = (walletRead?.ok && walletRead.body.wallet) || {};
  const owner = wallet.external_customer_id;
  const tellsTime = list.rows.length > 0 || [created_at_from, created_at_to].some(isMoment);
  const zone = !owner || !tellsTime ? null : await zoneOfCustomer(api, owner);
  const covered = 'matching' in list ? list.matching : list.rows;
  const settled = covered.filter(({ status }) => status === 'settled');
  const { currency } = wallet;
  const body: TransactionList = {
    wallet_transactions: withLocalTimes(list.rows, ['created_at', 'failed_at'], zone),
    ...('matching' in list ? filteredFields(list) : shownFields(list)),
    ...(typeof currency === 'string' && { totals: sumsOf(settled, currency) }),
    for_page: { wallet: { name: wallet.name, code: wallet.code, currency } },
    for_summary: {
      wallet,
      unread: walletRead === null ? 'list_wallets may not be used' : walletRead.ok ? null : walletRead.error.message,
      covered: covered.length,
      open: covered.flatMap(({ status }) => (status && status !== 'settled' ? [status] : [])),
      found:
        'matching' in list
          ? datedNote(list, [created_at_from, created_at_to], { now: api.now, zone })
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
  const rows = settled.map(row => {
    const cents = movedCents(row, currency);
    const amounts = kinds.map(kind => [`${kind}_amount_cents`, kind === row.transaction_status ? cents : 0]);
    const sums = Object.fromEntries(amounts) as Record<`${(typeof kinds)[number]}_amount_cents`, number | null>;
    return { svc_id: row.svc_id, currency, ...sums };
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
  const at = ({ created_at }: WalletTransaction) => Date.parse(created_at ?? '');
  return { wanted: row => at(row) >= first && at(row) <= last, last: row => at(row) < first };
}

function datedNote(
  list: FilteredRows,
  bounds: readonly (string | undefined)[],
  { now, zone }: { now: Date; zone: string | null },
): string | null {
  const { matching, rows, nextPage, read, stopped } = list;
  const days = spanInWords(bounds, zone, now);
  const early = `only the newest ${count(read, 'transaction')} were checked`;
  if (matching.length === 0)
    return phrase`no transaction created ${days}${remarked(list)}${stopped ? `; ${early}` : null}`;
  const all = `${count(matching.length, 'transaction')} created ${days}${remarked(list)}`;
  const next = nextPage === null ? null : `more on page ${nextPage}`;
  const some = rows.length === matching.length ? null : `${rows.length} on this page`;
  return [all, some, next, stopped ? early : null].filter(part => part !== null).join(', ');
}

/** Transactions that are named as left out. */
const mostLeftOut = 3;

/** `$187.50 used on invoices on 1 Mar`; what has not settled, with its state. The row has its time in the customer's zone. */
function lineOf(row: WalletTransaction, currency: string, now: Date): string {
  const { amount, transaction_status, status, created_at } = row;
  const money = phrase`${major(amount, currency) ?? 'an unknown amount'}${say` ${wordsOf('moved', transaction_status)}`}`;
  const on = opt` on ${day(created_at?.slice(0, 10), now)}`;
  return phrase`${money}${on}${status === 'settled' ? null : say`, ${code(status)}`}`;
}

function describeTransactions({ wallet_transactions, totals, for_summary }: TransactionList, now: Date): string {
  const { wallet, unread, covered, open, found: foundNote, clocks } = for_summary;
  const { name, code: key, svc_id, external_customer_id: customer, currency } = wallet;
  const [total] = totals ?? [];
  const pending = open.filter(state => state === 'pending').length;
  const failed = open.filter(state => state === 'failed').length;
  const settled = covered - open.length;
  const label = named(name, key) ?? code(svc_id);
  const parts = Object.entries(moved).map(([kind, word]) => {
    const cents = total?.[`${kind}_amount_cents`];
    return sign(cents) === 1 ? say`${money(cents, currency)} ${word}` : null;
  });
  return sentences(
    phrase`${label === null ? 'The wallet' : `Wallet ${label}`}${say` of customer ${code(customer)}`}: ${foundNote ?? 'no such transaction'}`,
    currency &&
      newestNote(
        wallet_transactions.map(row => lineOf(row, currency, now)),
        { total: covered },
      ),
    settled > 0 && say`Settled, in ${count(settled, 'transaction')}: ${listed(parts.filter(part => part !== null))}`,
    say`Not included, because the amount is not in whole minor units: ${listed(total?.left_out ?? [], mostLeftOut)}`,
    pending > 0 && `${count(pending, 'is', 'are')} pending and not counted`,
    failed > 0 && `${count(failed, 'failed', 'failed')} and moved nothing`,
    clocks,
    say`There are no totals, because the wallet's currency could not be read (${code(unread)})`,
  );
}
