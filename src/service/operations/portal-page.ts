/** The HTML of a customer's portal page. Text from records is escaped; the page loads no other resource. */

import { runtimeZone } from '../../model/codes.ts';
import { currencyDigits } from '../../model/currencies.ts';
import { fromCents } from '../../pricing/money.ts';
import type {
  CustomerRecord,
  InstantText,
  InvoiceRecord,
  PlanRecord,
  SubscriptionRecord,
  WalletRecord,
} from '../records/index.ts';

export interface PortalContent {
  customer: CustomerRecord;
  /** Name of the billing entity, else of the account. */
  company: string;
  timezone: string;
  subscriptions: { subscription: SubscriptionRecord; plan: PlanRecord }[];
  wallets: WalletRecord[];
  invoices: InvoiceRecord[];
}

/** The whole page. */
export function portalPage(content: PortalContent): string {
  const { customer, company } = content;
  const name = customer.name ?? customer.legal_name ?? customer.external_id;
  return page(
    `${name} · ${company}`,
    `<header><p>${escaped(company)}</p><h1>${escaped(name)}</h1>${contactLine(customer)}</header>
<main>
${section('Subscriptions', ['Subscription', 'Price', 'Status', 'Plan', 'Since'], subscriptionRows(content))}
${section('Prepaid credits', ['Wallet', 'Balance', 'Credits', 'Expires'], walletRows(content))}
${section('Recent invoices', ['Number', 'Total', 'Status', 'Issued', 'Due'], invoiceRows(content))}
</main>
<footer><p>Times are in ${escaped(content.timezone)}. This link is valid for 12 hours; do not share it.</p></footer>`,
  );
}

/** A page with one message. */
export function messagePage(title: string, text: string): string {
  return page(title, `<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>`);
}

export const PORTAL_STYLE = `
:root { color-scheme: light dark; --text: #1c2430; --soft: #596273; --line: #d8dde6; --ground: #fff; }
@media (prefers-color-scheme: dark) { :root { --text: #e8ebf0; --soft: #a5afbf; --line: #39414f; --ground: #14181f; } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
header p, footer p, .none { color: var(--soft); margin: 0; }
h1 { margin: .2rem 0; font-size: 1.7rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.15rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .45rem .8rem .45rem 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 600; white-space: normal; min-width: 7rem; overflow-wrap: anywhere; }
.amount { text-align: right; padding-right: 1.6rem; font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
footer { margin-top: 2.5rem; }
`;

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${PORTAL_STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Columns of numbers, aligned at the right. */
const AMOUNTS: ReadonlySet<string> = new Set(['Balance', 'Credits', 'Total']);

/** A section with a table; the first column holds the row headers. Without rows, the text "None.". */
function section(title: string, headings: string[], rows: string[][]): string {
  const id = title.toLowerCase().replaceAll(' ', '-');
  const kind = (column: number): string => (AMOUNTS.has(headings[column] ?? '') ? ' class="amount"' : '');
  const head = headings.map((heading, i) => `<th scope="col"${kind(i)}>${escaped(heading)}</th>`).join('');
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${escaped(first)}</th>${cells.map((cell, i) => `<td${kind(i + 1)}>${escaped(cell)}</td>`).join('')}</tr>`,
  );
  const table =
    rows.length === 0
      ? '<p class="none">None.</p>'
      : `<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}"><table aria-labelledby="${id}"><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escaped(title)}</h2>${table}</section>`;
}

function contactLine(customer: CustomerRecord): string {
  const parts = [customer.email, customer.city, customer.country].filter(part => part !== null && part !== '');
  return parts.length === 0 ? '' : `<p>${escaped(parts.join(' · '))}</p>`;
}

function subscriptionRows({ subscriptions, timezone }: PortalContent): string[][] {
  return subscriptions.map(({ subscription, plan }) => [
    subscription.name ?? subscription.external_id,
    `${money(plan.amount_cents, plan.amount_currency)} ${plan.interval}`,
    subscription.status,
    plan.invoice_display_name ?? plan.name,
    day(subscription.started_at ?? subscription.subscription_at, timezone),
  ]);
}

function walletRows({ wallets, timezone }: PortalContent): string[][] {
  return wallets.map(wallet => [
    wallet.name ?? wallet.code,
    money(wallet.balance_cents, wallet.currency),
    wallet.credits_balance,
    wallet.expiration_at === null ? 'Never' : day(wallet.expiration_at, timezone),
  ]);
}

function invoiceRows({ invoices }: PortalContent): string[][] {
  return invoices.map(invoice => [
    invoice.number,
    money(invoice.total_amount_cents, invoice.currency),
    invoice.status === 'finalized' ? paymentWord(invoice) : invoice.status,
    day(invoice.issuing_date, 'UTC'),
    day(invoice.payment_due_date, 'UTC'),
  ]);
}

function paymentWord(invoice: InvoiceRecord): string {
  if (invoice.payment_status === 'succeeded') return 'paid';
  if (invoice.payment_status === 'failed') return 'payment failed';
  return invoice.payment_overdue ? 'overdue' : 'open';
}

/** Cents as a formatted amount: `$1,250.00`, `¥1,250`, `KWD 1.250`. */
function money(cents: number, currency: string): string {
  const digits = currencyDigits(currency);
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // Text keeps every digit; a number would not.
  return format.format(fromCents(cents, currency).toFixed(digits) as `${number}`);
}

/** `1 Nov 2026`, of an instant in a zone or of a date. */
function day(instant: InstantText, timezone: string): string {
  const parts = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: runtimeZone(timezone) }).format(new Date(instant));
}

const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  // biome-ignore lint/style/noNonNullAssertion: the pattern holds just these characters
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}
