/** What portal pages share: the frame, rows, and the words for records. A portal page loads nothing and runs no script. */

import { isOverdue } from '../../answers/invoice.ts';
import type { Address, BillingEntityRecord, CustomerRecord, InvoiceRecord } from '../../records/index.ts';
import { type Html, html } from './html.ts';
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

/** A portal page with one message, such as that a link has expired. */
export function messagePage(reader: Reader, title: 'link_nowhere' | 'link_expired'): string {
  const { say } = reader;
  const body = html`<main class="message"><h1>${say(title)}</h1><p>${say('ask_new_link')}</p></main>`;
  return documentOf(say(title), reader, body);
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
  amount: string;
  /** Below the amount. */
  state?: Html | string | null;
}

/** A list whose amounts stand at the right; it fits the narrowest phone without scrolling sideways. */
export function rows(entries: readonly Row[], emptyText: string): Html {
  if (entries.length === 0) return html`<p class="soft">${emptyText}</p>`;
  return html`<ul class="rows">${entries.map(({ name, details, amount, state }) => {
    const filledDetails = details.filter(detail => detail !== null && detail !== '');
    const text = filledDetails.map((detail, i) => html`${i > 0 && ' · '}${detail}`);
    return html`<li><div><b>${name}</b>${filledDetails.length > 0 && html`<span class="soft">${text}</span>`}</div>
<div class="amount"><b>${amount}</b>${state && html`<span class="soft">${state}</span>`}</div></li>`;
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
  const filled = [address_line1, address_line2, ...place, country && reader.country(country)].filter(Boolean);
  return filled.length === 0 ? null : html`${filled.map((line, i) => html`${i > 0 && html`<br>`}${line}`)}`;
}

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

/** What both the first portal page and that of an invoice get. */
export interface PortalPageContent {
  customer: CustomerRecord;
  entity: BillingEntityRecord | undefined;
  /** Name of the billing entity, else of the account. */
  company: string;
  now: Date;
  /** The last part of the portal link, with which the addresses of portal pages begin. */
  base: string;
  waiting: WaitingPayment[];
}

/** A payment that waits until the customer confirms it at the bank or provider. */
export interface WaitingPayment {
  amountCents: number;
  currency: string;
  numbers: string[];
  /** An http(s) address of the provider. */
  url: string;
}

export function confirmNotice(payments: readonly WaitingPayment[], { say, money }: Reader): Html {
  return html`${payments.map(({ amountCents, currency, numbers, url }) => {
    const amount = money(amountCents, currency);
    const which = say('payment_for', { count: numbers.length, numbers: numbers.join(', ') });
    return html`<div class="notice"><div><b>${say('payment_waits', { amount })}</b><p>${which}</p></div>
<a class="button" href="${url}" rel="noopener noreferrer">${say('confirm_payment')}</a></div>`;
  })}`;
}
