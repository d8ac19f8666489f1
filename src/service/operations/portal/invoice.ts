/** The portal page of one invoice: what is to pay, and how the amount comes about. */

import { type Html, html } from './html.ts';
import { type BilledInvoice, lineTable } from './invoice-lines.ts';
import {
  addressLines,
  badge,
  confirmNotice,
  definitionList,
  documentOf,
  footer,
  nameOf,
  type PortalPageContent,
  section,
  stateOf,
} from './page.ts';
import type { Reader } from './reader.ts';

interface InvoiceContent extends BilledInvoice, PortalPageContent {}

export function invoicePage(content: InvoiceContent, reader: Reader): string {
  const { invoice, company, base, waiting } = content;
  const { say } = reader;
  const title = say('invoice', { number: invoice.number });
  const body = html`<nav><a href="../../${base}">${say('back')}</a></nav>
<header><p>${company}</p><h1>${title}</h1></header>
<main>
${confirmNotice(waiting, reader)}
<div class="parts"><div>
${section('amount', heading(content), amountAndState(content, reader))}
${section('lines', say('fees'), lineTable(content, reader))}
</div><div>
${parties(content, reader)}
${printedNotes(content)}
</div></div>
</main>
${footer(reader)}`;
  return documentOf(`${title} · ${company}`, reader, body);

  function heading({ invoice: { status }, dueCents }: InvoiceContent): string {
    return status === 'finalized' && dueCents > 0 ? say('to_pay') : say('total');
  }
}

/** The amount that matters, which is what is left to pay or else the total, and the invoice's state. */
function amountAndState({ invoice, dueCents, now }: InvoiceContent, reader: Reader): Html {
  const { say, money, day } = reader;
  const state = stateOf(invoice, now);
  const isOwed = (state === 'open' || state === 'overdue' || state === 'failed') && dueCents > 0;
  const cents = isOwed ? dueCents : invoice.total_amount_cents;
  return html`<p><span class="big">${money(cents, invoice.currency)}</span>${badge(state, reader)}
${isOwed && html` <span class="soft">${say('due_on', { date: day(invoice.payment_due_date) })}</span>`}</p>
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
    [say('seller'), joinedLines(sender)],
    [say('billed_to'), joinedLines([...recipient, customer.tax_identification_number])],
  ]);
  return section('parties', say('details_of_invoice'), list);
}

function joinedLines(parts: readonly (Html | string | null | undefined)[]): Html {
  const filled = parts.filter(part => part !== null && part !== undefined && part !== '');
  return html`${filled.map((part, i) => html`${i > 0 && html`<br>`}${part}`)}`;
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
