/** The customer portal: one page that only shows, in English. It runs no script and loads nothing. */
import { runtimeZone } from '../../contract/codes.ts';
import { currencyDigits } from '../../contract/currencies.ts';
import { decimal, decimalText, fromCents, ZERO } from '../../contract/pricing/money.ts';
import type {
  CustomerRecord,
  InvoiceRecord,
  PlanRecord,
  SubscriptionRecord,
  WalletRecord,
} from '../../engine/records/index.ts';
import { escaped, htmlPage } from '../../lib/html.ts';
import { isOverdue } from '../answers/invoice.ts';
import type { ChargeUsage, PeriodUsage } from '../answers/usage.ts';

export interface PortalContent {
  customer: CustomerRecord;
  /** Name of the billing entity, else of the account. */
  company: string;
  now: Date;
  /** Of all dates on the page. */
  timezone: string;
  subscriptions: { subscription: SubscriptionRecord; plan: PlanRecord }[];
  /** By subscription or plan name; null where it cannot be computed (service-behaviour §16). */
  usage: { name: string; usage: PeriodUsage | null }[];
  /** The newest ones, with what is left to pay of each. */
  invoices: { invoice: InvoiceRecord; dueCents: number }[];
  invoiceCount: number;
  /** The active ones, with what usage leaves of each. */
  wallets: { wallet: WalletRecord; ongoingCents: number }[];
}

interface Row {
  name: string;
  /** Below the name, joined by a dot; empty ones are left out. */
  details: readonly (string | null)[];
  amount?: string;
  /** Below the amount. */
  state?: string;
}

export function portalPage(content: PortalContent): string {
  const { customer, company, subscriptions, usage, invoices, invoiceCount, wallets, now, timezone } = content;
  const name = nameOf(customer);
  const days = daysIn(timezone);
  const older = invoiceCount - invoices.length;
  const body = `<header><p>${escaped(company)}</p><h1>${escaped(name)}</h1></header>
<main>
${section('Customer', [rows([customerRow(customer)])])}
${section('Subscriptions', [rows(subscriptions.map(each => subscriptionRow(each, days)))])}
${section(
  'Usage this period',
  usage.map(each => usagePart(each, days)),
)}
${section('Invoices', [rows(invoices.map(each => invoiceRow(each, now, days))), older > 0 ? soft(`${older} older invoices are not shown.`) : ''])}
${section('Prepaid credits', [rows(wallets.map(each => walletRow(each, now, days)))])}
</main>
<footer>${soft(`This link is valid for 12 hours. Please do not share it. Dates are in the time zone ${timezone}.`)}</footer>`;
  return pageOf(`${name} · ${company}`, body);
}

/** A page with one message, such as that a link has expired. */
export function messagePage(title: string, ...texts: string[]): string {
  const paragraphs = texts.map(text => `<p>${escaped(text)}</p>`).join('');
  return pageOf(title, `<main class="message"><h1>${escaped(title)}</h1>${paragraphs}</main>`);
}

function customerRow(customer: CustomerRecord): Row {
  const { legal_name, email, phone, tax_identification_number: taxNumber } = customer;
  const { address_line1, address_line2, zipcode, city, state, country } = customer;
  const address = [address_line1, address_line2, city, [state, zipcode].filter(Boolean).join(' '), country];
  const details = [email, phone, address.filter(Boolean).join(', '), taxNumber && `tax number ${taxNumber}`];
  return { name: legal_name || nameOf(customer), details };
}

/** The name, else first and last name, else the legal name; the id only where nothing else is known. */
function nameOf({ name, firstname, lastname, legal_name, external_id }: CustomerRecord): string {
  return name || [firstname, lastname].filter(Boolean).join(' ') || legal_name || external_id;
}

const intervals: Readonly<Record<PlanRecord['interval'], string>> = {
  weekly: 'a week',
  monthly: 'a month',
  quarterly: 'a quarter',
  semiannual: 'every six months',
  yearly: 'a year',
};

function subscriptionRow({ subscription, plan }: PortalContent['subscriptions'][number], { day }: Days): Row {
  const { name, ending_at } = subscription;
  const planName = plan.invoice_display_name || plan.name;
  return {
    name: name || planName,
    details: [name ? planName : null, lifeOf(subscription, day), ending_at && `Ends ${day(ending_at)}`],
    amount: money(plan.amount_cents, plan.amount_currency),
    state: intervals[plan.interval],
  };
}

function lifeOf({ status, subscription_at, started_at }: SubscriptionRecord, day: Days['day']): string {
  if (status === 'pending') return `Starts ${day(subscription_at)}`;
  return status === 'incomplete' ? 'Not started yet' : `Active since ${day(started_at ?? subscription_at)}`;
}

/** One row a charge that was used, the largest amount first, and what the period comes to. */
function usagePart({ name, usage }: PortalContent['usage'][number], { period }: Days): string {
  const heading = `<h3>${escaped(name)}</h3>`;
  if (usage === null) return heading + soft('This usage cannot be shown here.');
  const lines = usage.charges
    .filter(({ fees }) => fees.some(fee => fee.amount_cents !== 0 || !decimal(fee.units).eq(0)))
    .sort((a, b) => centsOf(b) - centsOf(a))
    .map(each => ({
      name: each.charge.invoice_display_name || each.metric.name,
      details: [unitsOf(each)],
      amount: money(centsOf(each), usage.currency),
    }));
  const total = { name: 'So far, before tax', details: [], amount: money(usage.amount_cents, usage.currency) };
  return `${heading}${soft(period(usage.from, usage.to))}${rows([...lines, total])}`;
}

function centsOf({ fees }: ChargeUsage): number {
  return fees.reduce((sum, fee) => sum + fee.amount_cents, 0);
}

function unitsOf({ fees }: ChargeUsage): string {
  const units = fees.reduce((sum, fee) => sum.plus(decimal(fee.units)), ZERO);
  return `${quantity(decimalText(units))} ${units.eq(1) ? 'unit' : 'units'}`;
}

function invoiceRow({ invoice, dueCents }: PortalContent['invoices'][number], now: Date, { day }: Days): Row {
  const { number, currency, issuing_date, payment_due_date, total_amount_cents } = invoice;
  const state = stateOf(invoice, now);
  const isOwed = ['Open', 'Overdue', 'Payment failed'].includes(state);
  const left = isOwed && dueCents !== total_amount_cents ? `${money(dueCents, currency)} left to pay` : null;
  return {
    name: number,
    details: [day(issuing_date), isOwed ? `due ${day(payment_due_date)}` : null, left],
    amount: money(total_amount_cents, currency),
    state,
  };
}

/** An overdue invoice with a failed payment is overdue, which says more. */
function stateOf(invoice: InvoiceRecord, now: Date): string {
  if (invoice.status === 'voided') return 'Voided';
  if (invoice.payment_dispute_lost_at !== null) return 'Disputed';
  if (invoice.payment_status === 'succeeded') return 'Paid';
  if (isOverdue(invoice, now)) return 'Overdue';
  return invoice.payment_status === 'failed' ? 'Payment failed' : 'Open';
}

function walletRow({ wallet, ongoingCents }: PortalContent['wallets'][number], now: Date, { moment }: Days): Row {
  const { name, balance_cents, credits_balance, currency, expiration_at } = wallet;
  const isUsed = ongoingCents !== balance_cents;
  const isPast = expiration_at !== null && Date.parse(expiration_at) <= now.getTime();
  return {
    name: name || 'Prepaid credits',
    details: [
      isUsed ? `${money(ongoingCents, currency)} left after usage so far` : null,
      expiration_at === null ? 'Does not expire' : `${isPast ? 'Expired' : 'Expires'} ${moment(expiration_at)}`,
    ],
    amount: money(balance_cents, currency),
    state: `${quantity(credits_balance)} credits`,
  };
}

function money(cents: number, currency: string): string {
  const digits = currencyDigits(currency);
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  // Text keeps every digit; a number would not.
  return new Intl.NumberFormat('en', format).format(fromCents(cents, currency).toFixed(digits) as `${number}`);
}

function quantity(text: string): string {
  return new Intl.NumberFormat('en', { maximumFractionDigits: 15 }).format(text as `${number}`);
}

type Days = ReturnType<typeof daysIn>;

function daysIn(timezone: string) {
  const parts = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const zone = { timeZone: runtimeZone(timezone) };
  const local = new Intl.DateTimeFormat('en-GB', { ...parts, ...zone });
  // A date without a time is the same in every zone.
  const plain = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
  const clock = new Intl.DateTimeFormat('en-GB', { ...parts, ...zone, hour: '2-digit', minute: '2-digit' });
  return {
    /** `1 Nov 2026`, of an instant in the page's zone, or of a date. */
    day: (instant: string) => (instant.includes('T') ? local : plain).format(new Date(instant)),
    /** `1 Nov 2026, 19:00`: credits that expire are gone at a moment, not at the end of a day. */
    moment: (instant: string) => clock.format(new Date(instant)),
    /** `1–30 Nov 2026`. */
    period: (from: string, to: string) => local.formatRange(new Date(from), new Date(to)),
  };
}

function section(title: string, parts: readonly string[]): string {
  const content = parts.join('') || soft('None.');
  return `<section><h2>${title}</h2>${content}</section>`;
}

/** A list whose amounts stand at the right; it fits the narrowest phone without scrolling sideways. Empty for no rows. */
function rows(entries: readonly Row[]): string {
  if (entries.length === 0) return '';
  const items = entries.map(({ name, details, amount, state }) => {
    const text = details.filter(Boolean).join(' · ');
    const right = amount === undefined ? '' : `<div class="amount"><b>${escaped(amount)}</b>${soft(state)}</div>`;
    return `<li><div><b>${escaped(name)}</b>${soft(text)}</div>${right}</li>`;
  });
  return `<ul>${items.join('\n')}</ul>`;
}

function soft(text: string | undefined): string {
  return text ? `<p class="soft">${escaped(text)}</p>` : '';
}

function pageOf(title: string, body: string): string {
  return htmlPage({ language: 'en', title: escaped(title), style: PORTAL_STYLE, body });
}

/** In the colours of the browser's theme; its hash is in the page's content policy. */
export const PORTAL_STYLE = `
:root { color-scheme: light dark; --soft: light-dark(#566071, #a9b2c1); --line: light-dark(#d8dde6, #39414f); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1.25rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
  color: light-dark(#1c2430, #e8ebf0); background: light-dark(#fff, #181d24); }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .4rem; font-size: 1.1rem; }
h3 { margin: .9rem 0 .2rem; font-size: 1rem; }
p { margin: .2rem 0; }
header p, .soft { color: var(--soft); font-size: .9rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; border-top: 1px solid var(--line); }
li > div { flex: 1 1 8rem; min-width: 0; }
li > .amount { flex: none; margin-left: auto; text-align: right; white-space: nowrap; }
footer { margin-top: 1.5rem; }
`;
