/** The portal page of one invoice, on screen and on paper: what is to pay, and how the amount comes about. */

import { type Html, html, joined, unbroken } from './html.ts';
import { type BilledInvoice, lineTable } from './invoice-lines.ts';
import {
  addressLines,
  badge,
  bigAmount,
  definitionList,
  documentOf,
  footer,
  nameOf,
  type PortalPageContent,
  section,
  stateOf,
  writeTo,
} from './page.ts';
import { paymentNotices, paymentOf, standingText } from './payments.ts';
import type { Reader } from './reader.ts';

interface InvoiceContent extends BilledInvoice, PortalPageContent {}

export function invoicePage(content: InvoiceContent, reader: Reader): string {
  const { invoice, company, payments } = content;
  const { say, tell } = reader;
  const base = `../../${content.base}`;
  const title = say('invoice', { number: invoice.number });
  const body = html`<nav><a href="${base}">${say('back')}</a><span class="soft">${say('print_hint')}</span></nav>
<header><p>${company}</p><h1>${tell('invoice', { number: unbroken(invoice.number) })}</h1></header>
<main>
${paymentNotices(payments, base, reader)}
<div class="sheet">
${section('amount', heading(content), amountAndState(content, reader))}
<div class="aside">${parties(content, reader)}</div>
${section('lines', say('fees'), lineTable(content, reader))}
${printedNotes(content)}
</div>
</main>
${footer(reader)}`;
  return documentOf(`${title} · ${company}`, reader, body);

  function heading({ invoice: { status }, dueCents }: InvoiceContent): string {
    return status === 'finalized' && dueCents > 0 ? say('to_pay') : say('total');
  }
}

/** The amount that matters, which is what is left to pay or else the total, and the invoice's state. */
function amountAndState({ invoice, dueCents, now, payments, entity }: InvoiceContent, reader: Reader): Html {
  const { say, tell, money, day } = reader;
  const state = stateOf(invoice, now);
  const isOwed = (state === 'open' || state === 'overdue' || state === 'failed') && dueCents > 0;
  const cents = isOwed ? dueCents : invoice.total_amount_cents;
  const payment = paymentOf(invoice.id, payments);
  const underWay = payment?.standing === 'processing' && standingText(payment, reader);
  const elsewhere = isOwed && !payment && html`${say('pay_not_here')} ${writeTo(entity, say)}`;
  const how = underWay || elsewhere;
  return html`<p>${bigAmount(money(cents, invoice.currency))}${badge(state, reader)}
${isOwed && html` <span class="soft">${tell('due_on', { date: day(invoice.payment_due_date) })}</span>`}</p>
${how && html`<p class="soft how">${how}</p>`}
${invoice.self_billed && html`<p class="soft">${say('self_billed')}</p>`}`;
}

function parties({ invoice, customer, entity, company }: InvoiceContent, reader: Reader): Html {
  const { say, day, period } = reader;
  const [first] = invoice.billing_periods;
  const sender = [
    entity?.legal_name || company,
    entity && addressLines(entity, reader),
    entity?.tax_identification_number,
  ];
  const recipient = [customer.legal_name || nameOf(customer), addressLines(customer, reader)];
  const list = definitionList([
    [say('issued'), day(invoice.issuing_date)],
    [say('due'), day(invoice.payment_due_date)],
    [say('period'), first ? period(first.charges_from_datetime, first.charges_to_datetime) : null],
    [say('purchase_order'), invoice.purchase_order_number],
    [say('seller'), joined(sender, html`<br>`)],
    [say('billed_to'), joined([...recipient, customer.tax_identification_number], html`<br>`)],
  ]);
  return section('parties', say('details_of_invoice'), list);
}

/** What is printed on invoices besides: custom sections, the customer's metadata for invoices, and the footer. */
function printedNotes({ invoice, customer, entity }: InvoiceContent): Html {
  const sections = invoice.invoice_custom_sections.map(({ id, display_name, details }) =>
    section(id, display_name ?? '', html`<p class="note">${details}</p>`),
  );
  const printedMetadata = customer.metadata.filter(entry => entry.display_in_invoice);
  const metadata =
    printedMetadata.length > 0 &&
    html`<section>${definitionList(printedMetadata.map(({ key, value }) => [key.replaceAll('_', ' '), value]))}</section>`;
  const last = entity?.invoice_footer && html`<p class="soft note">${entity.invoice_footer}</p>`;
  return html`${sections}${metadata}${last}`;
}
