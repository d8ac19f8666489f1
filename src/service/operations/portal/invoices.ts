/** A customer's invoices as rows, and the portal page that lists all of them. */

import type { InvoiceRecord } from '../../../engine/records/index.ts';
import { type Html, html, unbroken } from './html.ts';
import { badge, documentOf, footer, rows, section, stateOf } from './page.ts';
import { type Paging, pageLinks } from './paging.ts';
import { type OpenPayment, payOf } from './payments.ts';
import type { Reader } from './reader.ts';

export interface ListedInvoice {
  invoice: InvoiceRecord;
  /** What is left to pay. */
  dueCents: number;
}

interface InvoiceList {
  invoices: ListedInvoice[];
  payments: OpenPayment[];
  base: string;
  now: Date;
  paging: Paging;
}

/** The portal page with one list page of all invoices. */
export function invoicesPage({ invoices, payments, base, now, paging }: InvoiceList, reader: Reader): string {
  const { say } = reader;
  const title = say('all_invoices');
  const list = invoiceRows({ invoices, payments, base: `../${base}`, now }, reader);
  const body = html`<nav><a href="../${base}">${say('back')}</a></nav><header><h1>${title}</h1></header>
<main>${section('invoices', say('invoices'), list)}${pageLinks(paging, reader)}</main>
${footer(reader)}`;
  return documentOf(title, reader, body);
}

/** A row for each invoice, with its date, its state, what is left to pay where a part was paid, and how to pay it. */
export function invoiceRows({ invoices, payments, base, now }: Omit<InvoiceList, 'paging'>, reader: Reader): Html {
  const { say, tell, money, day } = reader;
  const entries = invoices.map(({ invoice, dueCents }) => {
    const state = stateOf(invoice, now);
    const isOwed = state === 'open' || state === 'overdue' || state === 'failed';
    const isPart = isOwed && dueCents !== invoice.total_amount_cents;
    return {
      name: html`<a href="${base}/invoices/${invoice.id}">${unbroken(invoice.number)}</a>`,
      details: [
        day(invoice.issuing_date),
        isOwed ? tell('due_on', { date: day(invoice.payment_due_date) }) : null,
        isPart ? tell('left_to_pay', { amount: money(dueCents, invoice.currency) }) : null,
      ],
      amount: money(invoice.total_amount_cents, invoice.currency),
      state: badge(state, reader),
      action: payOf(invoice.id, payments, base, reader),
    };
  });
  return rows(entries, say('no_invoices'));
}
