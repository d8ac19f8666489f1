/** What portal pages share: the frame, rows, and the words for records. A portal page loads nothing and runs no script. */

import type { Address, BillingEntityRecord, CustomerRecord, InvoiceRecord } from '../../../engine/records/index.ts';
import { isOverdue } from '../../answers/invoice.ts';
import { type Html, html, joined, type Part, plain } from './html.ts';
import type { OpenPayment } from './payments.ts';
import type { Reader } from './reader.ts';
import { PORTAL_STYLE } from './style.ts';

/** A whole document. */
export function documentOf(title: string, reader: Reader, body: Html): string {
  return html`<!doctype html>
<html lang="${reader.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: PORTAL_STYLE }}</style>
</head>
<body>
${body}
</body>
</html>
`.html;
}

/** A portal page with one message, such as that a link has expired. `back`: the address of the overview. */
export function messagePage(reader: Reader, title: Label, texts: readonly Part[], back?: string): string {
  const { say } = reader;
  const wayBack = back !== undefined && html`<p><a href="${back}">${say('back')}</a></p>`;
  const body = html`<main class="message"><h1>${say(title)}</h1>${texts.map(text => html`<p>${text}</p>`)}${wayBack}</main>`;
  return documentOf(say(title), reader, body);
}

export type Label = Parameters<Reader['say']>[0];

/** What this is, for whoever opens the service's address in a browser. `address`: that of its interface. */
export function homePage(reader: Reader, address: string): string {
  const { say, tell } = reader;
  return messagePage(reader, 'home_title', [
    say('home_what'),
    tell('home_api', { address: html`<code>${address}</code>` }),
    say('home_portal'),
  ]);
}

/** The footer of a portal page: how long the link lasts, and in which time zone the dates are. */
export function footer({ say, timezone }: Reader): Html {
  return html`<footer><p>${say('link_private')} ${say('dates_in', { zone: timezone.replaceAll('_', ' ') })}</p></footer>`;
}

/** A part of a portal page, with a heading of its own. */
export function section(id: string, title: string, ...content: Parameters<typeof html>[1][]): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`;
}

export interface Row {
  name: Html | string;
  /** Below the name, joined by a dot; empty ones are left out. */
  details: readonly (Html | string | null)[];
  amount: Html | string;
  /** Below the amount. */
  state?: Html | string | null;
  /** Below both: what the customer can do. */
  action?: Html | null;
}

/** A list whose amounts stand at the right; it fits the narrowest phone without scrolling sideways. */
export function rows(entries: readonly Row[], emptyText: string): Html {
  if (entries.length === 0) return html`<p class="soft">${emptyText}</p>`;
  return html`<ul class="rows">${entries.map(({ name, details, amount, state, action }) => {
    const text = joined(details, ' · ');
    return html`<li><div><b>${name}</b>${text.html !== '' && html`<span class="soft">${text}</span>`}</div>
<div class="amount"><b>${amount}</b>${state && html`<span class="soft">${state}</span>`}</div>${action && html`<div class="action">${action}</div>`}</li>`;
  })}</ul>`;
}

/** A definition list without its empty entries. */
export function definitionList(entries: readonly (readonly [term: string, value: Html | string | null])[]): Html {
  const filled = entries.filter(([, value]) => value !== null && value !== '');
  return html`<dl>${filled.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** As people write it: the name, else first and last name, else the legal name; the id only where nothing else is known. */
export function nameOf(customer: CustomerRecord): string {
  return customer.name || personOf(customer) || customer.legal_name || customer.external_id;
}

/** `Nora Lund`; empty where neither name is known. */
export function personOf({ firstname, lastname }: CustomerRecord): string {
  return [firstname, lastname].filter(Boolean).join(' ');
}

/** Countries whose addresses have the city first: `Brooklyn, NY 11201`. Elsewhere the code stands before it. */
const CITY_FIRST: ReadonlySet<string | null> = new Set(['US', 'CA', 'AU', 'NZ', 'GB', 'IE', 'IN']);

/** An address in lines, the country in the reader's language; null where there is none. */
export function addressLines(address: Address, reader: Reader): Html | null {
  const { address_line1, address_line2, zipcode, city, state, country } = address;
  const region = [state, zipcode].filter(Boolean).join(' ');
  const place = CITY_FIRST.has(country)
    ? [[city, region].filter(Boolean).join(', ')]
    : [[zipcode, city].filter(Boolean).join(' '), state];
  const lines = joined([address_line1, address_line2, ...place, country && reader.country(country)], html`<br>`);
  return lines.html === '' ? null : lines;
}

/** The amount that matters on a page; a long one is smaller on a phone, so that it stays whole. */
export function bigAmount(amount: Html): Html {
  const { length } = plain(amount).html;
  return html`<span class="${length > LONGEST_BIG ? 'big long' : 'big'}">${amount}</span>`;
}

const LONGEST_BIG = 13;

type InvoiceState = 'voided' | 'disputed' | 'paid' | 'overdue' | 'failed' | 'open';

/** The state of an invoice that customers see. An overdue one with a failed payment is overdue, which says more. */
export function stateOf(invoice: InvoiceRecord, now: Date): InvoiceState {
  if (invoice.status === 'voided') return 'voided';
  if (invoice.payment_dispute_lost_at !== null) return 'disputed';
  if (invoice.payment_status === 'succeeded') return 'paid';
  if (isOverdue(invoice, now)) return 'overdue';
  return invoice.payment_status === 'failed' ? 'failed' : 'open';
}

export function badge(state: InvoiceState, { say }: Reader): Html {
  return html`<span class="badge ${state}">${say(`state_${state}`)}</span>`;
}

/** Whom to write to; nothing where the company has no address for that. */
export function writeTo(entity: BillingEntityRecord | undefined, say: Reader['say']): string | null {
  return entity?.email ? say('write_to', { email: entity.email }) : null;
}

/** What both the first portal page and that of an invoice get. */
export interface PortalPageContent {
  customer: CustomerRecord;
  entity: BillingEntityRecord | undefined;
  /** Name of the billing entity, else of the account. */
  company: string;
  now: Date;
  /** The last part of the portal link, with which the addresses of portal pages begin. */
  base: string;
  payments: OpenPayment[];
}
