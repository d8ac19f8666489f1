/** A wallet's movements: the newest on the first portal page, all of them on a portal page of their own. */

import { decimal } from '../../../contract/pricing/money.ts';
import type { OngoingBalance } from '../../../engine/ongoing.ts';
import type { InvoiceRecord, WalletRecord, WalletTransactionRecord } from '../../../engine/records/index.ts';
import { type Html, html, joined, unbroken } from './html.ts';
import { bigAmount, documentOf, footer, rows, section } from './page.ts';
import { type Paging, pageLinks } from './paging.ts';
import { type OpenPayment, payOf } from './payments.ts';
import type { Reader } from './reader.ts';

export interface WalletContent {
  wallet: WalletRecord;
  /** What usage leaves of an active wallet. */
  ongoing: OngoingBalance | undefined;
  movements: WalletTransactionRecord[];
  /** The invoices that movements name and the customer may see, by id. */
  invoices: ReadonlyMap<string, InvoiceRecord>;
}

interface WalletHistory extends WalletContent {
  payments: OpenPayment[];
  now: Date;
  base: string;
  paging: Paging;
}

export function walletPage(history: WalletHistory, reader: Reader): string {
  const { wallet, base, paging } = history;
  const { say, money, credits } = reader;
  const title = walletName(wallet, reader);
  const facts = joined([credits(wallet.credits_balance), ...walletFacts(history, reader)], ' · ');
  const balance = html`<p>${bigAmount(money(wallet.balance_cents, wallet.currency))}<span class="soft">${facts}</span></p>`;
  const body = html`<nav><a href="../../${base}">${say('back')}</a></nav><header><h1>${title}</h1></header>
<main>${section('balance', say('balance'), balance)}
${section('history', say('history'), movementRows({ ...history, base: `../../${base}` }, reader))}
${pageLinks(paging, reader)}</main>
${footer(reader)}`;
  return documentOf(title, reader, body);
}

/** The name that the company gave the wallet. Its code is not for customers. */
export function walletName(wallet: WalletRecord, { say }: Reader): string {
  return wallet.name || say('wallets');
}

/** What usage leaves of it, and when it ends or ended: credits that expire are gone at a moment, not at the end of a day. */
export function walletFacts(
  { wallet, ongoing, now }: Pick<WalletHistory, 'wallet' | 'ongoing' | 'now'>,
  { say, tell, money, day, moment }: Reader,
): (Html | string | null)[] {
  const { status, expiration_at, terminated_at, updated_at, balance_cents, currency } = wallet;
  if (status === 'terminated') return [tell('ended', { date: day(terminated_at ?? updated_at) })];
  const left = ongoing?.ongoing_balance_cents ?? balance_cents;
  const ends =
    expiration_at !== null &&
    tell(Date.parse(expiration_at) > now.getTime() ? 'expires' : 'expired', { date: moment(expiration_at) });
  return [
    left === balance_cents ? null : tell('after_usage', { amount: money(left, currency) }),
    ends || say('no_expiry'),
  ];
}

/** What came in and went out, newest first; a top-up that waits for its payment has the way to pay it. */
export function movementRows(
  { wallet, movements, invoices, payments, base }: Omit<WalletHistory, 'ongoing' | 'now' | 'paging'>,
  reader: Reader,
): Html {
  const { say, tell } = reader;
  const entries = movements.map(movement => {
    // A pending or failed movement has no sign: it has moved nothing.
    const arrow = movement.transaction_type === 'inbound' ? '+' : '−';
    const sign = movement.status === 'settled' ? arrow : '';
    const invoice = invoices.get(movement.invoice_id ?? '');
    const kind = say(`movement_${movement.transaction_status}`);
    return {
      name: movement.status === 'settled' ? kind : `${kind}, ${say(`movement_${movement.status}`)}`,
      details: [
        reader.day(movement.settled_at ?? movement.created_at),
        movement.name,
        invoice === undefined
          ? null
          : html`<a href="${base}/invoices/${invoice.id}">${tell('invoice', { number: unbroken(invoice.number) })}</a>`,
      ],
      amount: reader.major(decimal(movement.amount).abs().toFixed(), wallet.currency, sign),
      state: reader.credits(movement.credit_amount),
      action: movement.status === 'pending' && invoice ? payOf(invoice.id, payments, base, reader) : null,
    };
  });
  return rows(entries, '');
}
