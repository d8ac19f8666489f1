/** The movements of a prepaid wallet (docs/lookups.md §5). */

import * as z from 'zod';
import { codeWords } from '../../src/contract/code-words.ts';
import { transactionStatuses, walletTransactionStatuses } from '../../src/contract/enums.ts';
import { transactionFilters } from '../../src/contract/list-filters.ts';
import type { WalletTransaction } from '../../src/contract/shown.ts';
import type { Rows } from '../../src/definition/api.ts';
import { fromTime, paging, recordId, toTime } from '../../src/definition/args.ts';
import { defineLookup } from '../../src/definition/define.ts';
import { filterArguments } from '../../src/definition/field-arguments.ts';
import { wordsOf } from '../../src/words/code-words.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import * as w from '../../src/words/summary.ts';
import { movedCents } from '../quotes/exact-cents.ts';
import { type Total, totalsOf } from '../quotes/totals.ts';
import { chosenPage, newestNote, remarked, shownFields, shownNote } from '../records/list-pages.ts';
import { sayMade } from '../records/named-customer.ts';
import { readOne, zoneOfCustomer } from '../records/one-record.ts';
import { firstInstant, isMoment, lastInstant, span, spanInWords } from '../records/time-filters.ts';

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
    .refine(...span('created_at_from', 'created_at_to')),
  async run({ svc_id, created_at_from, created_at_to, page, per_page, all, ...query }, api) {
    const bounds = [created_at_from, created_at_to];
    const isDated = bounds.some(bound => bound !== undefined);
    const first = created_at_from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(firstInstant(created_at_from));
    const last = created_at_to === undefined ? Number.POSITIVE_INFINITY : Date.parse(lastInstant(created_at_to));
    const timeOf = ({ created_at }: WalletTransaction) => Date.parse(created_at ?? '');
    const pages = { page, per_page, all };
    const get = { key: 'wallet_transactions' as const, path: { svc_id }, query };
    // The wallet is read next to the list, for its currency and its name.
    const [walletRead, list] = await Promise.all([
      api.mayUse('list_wallets') ? readOne(api, 'wallet', svc_id) : null,
      // The API cannot filter by date. Its list begins with the newest: nothing wanted follows a record before the first day.
      isDated
        ? api.list(transactionsPath, get, { all: all || true }, row => timeOf(row) < first)
        : api.list(transactionsPath, get, pages),
    ]);
    if (!list.ok) return list;
    const wallet = walletRead?.ok ? walletRead.body : {};
    const { name, code: key, currency, external_customer_id: owner } = wallet;
    const covered = isDated ? list.rows.filter(row => timeOf(row) >= first && timeOf(row) <= last) : list.rows;
    const shown = isDated ? chosenPage(list, covered, pages) : list;
    const zone = owner && (shown.rows.length > 0 || bounds.some(isMoment)) ? await zoneOfCustomer(api, owner) : null;
    const settled = covered.filter(({ status }) => status === 'settled');
    const totals = typeof currency === 'string' ? sumsOf(settled, currency) : undefined;
    const wallet_transactions = withLocalTimes(shown.rows, ['created_at', 'failed_at'], zone);
    const lines = currency ? wallet_transactions.map(row => lineOf(row, currency, api.now)) : [];
    const label = w.named(name, key) ?? w.code(wallet.svc_id);
    const note = isDated
      ? datedNote(list, covered.length, shown, spanInWords(bounds, zone, api.now))
      : shownNote(list, 'transaction');
    const unread =
      walletRead === null ? 'list_wallets may not be used' : walletRead.ok ? null : walletRead.error.message;
    const sums = Object.entries(moved).map(([kind, word]) => {
      const cents = totals?.[0]?.[`${kind}_amount_cents`];
      return w.sign(cents) === 1 && w.say`${w.money(cents, currency)} ${word}`;
    });
    const numberOf = (state: string) => covered.filter(({ status }) => status === state).length;
    const [pending, failed] = [numberOf('pending'), numberOf('failed')];
    const unsettled = covered.filter(({ status }) => status && status !== 'settled').length;
    return {
      ok: true,
      body: {
        wallet_transactions,
        ...shownFields(shown),
        ...(totals && { totals }),
        for_page: { wallet: { name, code: key, currency } },
        for_summary: [
          w.phrase`${label === null ? 'The wallet' : `Wallet ${label}`}${w.say` of customer ${w.code(owner)}`}: ${note ?? 'no such transaction'}`,
          lines.length > 0 && newestNote(lines, { total: covered.length }),
          covered.length > unsettled &&
            w.say`Settled, in ${w.count(covered.length - unsettled, 'transaction')}: ${w.listed(sums)}`,
          w.say`Not included, because the amount is not in whole minor units: ${w.listed(totals?.[0]?.left_out ?? [], mostLeftOut)}`,
          pending > 0 && `${w.count(pending, 'is', 'are')} pending and not counted`,
          failed > 0 && `${w.count(failed, 'failed', 'failed')} and moved nothing`,
          shown.rows.length > 0 && timeZoneNote(zone),
          w.say`There are no totals, because the wallet's currency could not be read (${w.code(unread)})`,
        ],
      },
    };
  },
  result: 'wallet_transactions',
  answer: 'made list',
  brief: `
    svc_id created_at status?settled transaction_status amount credit_amount?=amount remaining_credit_amount?=amount
    remaining_amount_cents svc_invoice_id name failed_at
  `,
  say: sayMade,
});

const { moved } = codeWords;
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

/** `matching`: how many of the rows that were read are within the span, of which `shown` is a page. */
function datedNote(list: Rows, matching: number, { rows, nextPage }: Rows, days: string): string | null {
  const early = list.stopped && `only the newest ${w.count(list.rows.length, 'transaction')} were checked`;
  if (matching === 0) return w.joined([`no transaction created ${days}${remarked(list)}`, early], '; ');
  return w.joined(
    [
      `${w.count(matching, 'transaction')} created ${days}${remarked(list)}`,
      rows.length < matching && `${rows.length} on this page`,
      nextPage !== null && `more on page ${nextPage}`,
      early,
    ],
    ', ',
  );
}

/** Transactions that are named as left out. */
const mostLeftOut = 3;

/** `$187.50 used on invoices on 1 Mar`; what has not settled, with its state. The row has its time in the customer's zone. */
function lineOf(row: WalletTransaction, currency: string, now: Date): string {
  const { amount, transaction_status, status, created_at } = row;
  const money = w.phrase`${w.major(amount, currency) ?? 'an unknown amount'}${w.say` ${wordsOf('moved', transaction_status)}`}`;
  const on = w.opt` on ${w.day(created_at?.slice(0, 10), now)}`;
  return w.phrase`${money}${on}${status === 'settled' ? null : w.say`, ${w.code(status)}`}`;
}
