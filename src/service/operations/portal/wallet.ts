/** A wallet's movements: the newest on the first portal page, all of them on a portal page of their own. */

import { decimal } from '../../../contract/pricing/money.ts';
import type { InvoiceRecord, WalletRecord, WalletTransactionRecord } from '../../records/index.ts';
import { type Html, html } from './html.ts';
import { documentOf, footer, rows, section } from './page.ts';
import { type Paging, pageLinks } from './paging.ts';
import type { Reader } from './reader.ts';

interface WalletHistory {
  wallet: WalletRecord;
  movements: WalletTransactionRecord[];
  /** The invoices that movements name and the customer may see, by id. */
  invoices: ReadonlyMap<string, InvoiceRecord>;
  base: string;
  paging: Paging;
}

export function walletPage({ wallet, movements, invoices, base, paging }: WalletHistory, reader: Reader): string {
  const { say, money } = reader;
  const title = walletName(wallet, reader);
  const balance = html`<p><span class="big">${money(wallet.balance_cents, wallet.currency)}</span><span class="soft">${say('credits', { count: wallet.credits_balance })}</span></p>`;
  const body = html`<nav><a href="../../${base}">${say('back')}</a></nav><header><h1>${title}</h1></header>
<main>${section('balance', say('balance'), balance)}
${section('history', say('history'), movementRows(wallet, movements, invoices, `../../${base}`, reader))}
${pageLinks(paging, reader)}</main>
${footer(reader)}`;
  return documentOf(title, reader, body);
}

/** The name that the company gave the wallet. Its code is not for customers. */
export function walletName(wallet: WalletRecord, { say }: Reader): string {
  return wallet.name || say('wallets');
}

/** What came in and went out, newest first. */
export function movementRows(
  wallet: WalletRecord,
  movements: readonly WalletTransactionRecord[],
  invoices: ReadonlyMap<string, InvoiceRecord>,
  base: string,
  reader: Reader,
): Html {
  const { say } = reader;
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
          : html`<a href="${base}/invoices/${invoice.id}">${say('invoice', { number: invoice.number })}</a>`,
      ],
      amount: `${sign}${reader.major(decimal(movement.amount).abs().toFixed(), wallet.currency)}`,
      state: say('credits', { count: movement.credit_amount }),
    };
  });
  return rows(entries, '');
}
