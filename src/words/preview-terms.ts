/** Whose they are: taxes and terms, the day of a start, and what is left of a coupon, for a preview as it was asked for. */
import type { JsonRecord } from '../lib/json.ts';
import { dayNumber, localTime } from './dates.ts';
import { daysOf } from './part-period.ts';
import {
  asInteger,
  asRecord,
  asRecords,
  asText,
  code,
  count,
  day,
  listed,
  money,
  quantity,
  quoted,
  say,
} from './summary.ts';

/**
 * Whose taxes and terms count: for nobody stored those of the default billing entity, and for a stored customer its own,
 * whatever the other arguments say (service-behaviour §12.4). Null for a stored customer without such arguments.
 */
export function explainTerms(invoice: JsonRecord, args: JsonRecord): string | null {
  const customer = asRecord(args.customer);
  const ignored = [
    ...['country', 'state', 'zipcode'].filter(name => asText(customer[name]) !== null),
    ...(asText(args.billing_entity_code) === null ? [] : ['billing_entity_code']),
  ];
  // Only a tax provider goes by the address.
  const counts = asRecords(customer.integration_customers).length === 0;
  const whatever =
    counts && ignored.length > 0 ? `, whatever ${listed(ignored)} say${ignored.length > 1 ? '' : 's'}` : '';
  if (isStored(invoice, args))
    return whatever === ''
      ? null
      : `Taxes and terms go by the plan, the customer and its own billing entity${whatever}`;
  const zone = asText(customer.timezone) === null ? ` and time zone (${zoneOf(invoice) ?? 'UTC'})` : '';
  return `No stored customer was named: taxes (${taxesOf(invoice)}) are the plan's or else, like terms${termOf(invoice)}${zone}, the default billing entity's${whatever}; for others, give customer.external_id`;
}

/** Where a start falls on another day in the zone that counts than was written: that day, and how to get the other. */
export function explainStart(invoice: JsonRecord, args: JsonRecord, now?: Date): string | null {
  const [subscription, ...others] = asRecords(invoice.subscriptions);
  if (args.subscriptions !== undefined || subscription === undefined || others.length > 0) return null;
  const zone = zoneOf(invoice);
  const written = dayNumber(args.subscription_at);
  const starts = dayNumber(subscription.subscription_at, zone);
  if (written === null || starts === null || written === starts) return null;
  const at = localTime(subscription.subscription_at, zone, now);
  const plan = asRecords(invoice.fees).find(fee => asRecord(fee.item).type === 'subscription');
  const days = plan === undefined ? null : daysOf(plan, invoice);
  const first = days === null ? '' : `: its first period has ${count(days, 'day')}`;
  const isFree = asText(asRecord(args.customer).timezone) === null && !isStored(invoice, args);
  const zoned = isFree ? ', or customer.timezone' : '';
  return say`The subscription starts on ${at}${first}; for ${day(args.subscription_at, now)} there, send subscription_at with that zone's offset${zoned}`;
}

/** What is left, for later invoices, of the coupons that the call itself describes; stored ones do not tell. */
export function explainCouponRest(invoice: JsonRecord, args: JsonRecord): string | null {
  const { currency } = invoice;
  const rests = asRecords(args.coupons).map(coupon => {
    const amount = asInteger(coupon.amount_cents);
    const isOnce = (coupon.frequency ?? 'once') === 'once' && (coupon.coupon_type ?? 'fixed_amount') === 'fixed_amount';
    const [used, ...others] = asRecords(invoice.credits).filter(({ item }) => isFrom(asRecord(item), coupon));
    const taken = asInteger(used?.amount_cents);
    if (amount === null || !isOnce || taken === null || others.length > 0 || taken >= amount) return null;
    return say`${money(amount - taken, currency)} of ${quoted(coupon.name) ?? code(coupon.code)}`;
  });
  return say`Left for later invoices: ${listed(rests.filter(rest => rest !== null))}`;
}

/** A coupon without a record, which a stored one would have: the values are those that were sent. */
function isFrom(item: JsonRecord, coupon: JsonRecord): boolean {
  if (item.type !== 'coupon' || asText(item.svc_item_id) !== null) return false;
  return (item.code ?? '') === (coupon.code ?? '') && (coupon.name === undefined || item.name === coupon.name);
}

function isStored(invoice: JsonRecord, args: JsonRecord): boolean {
  return [args.customer, invoice.customer].some(customer => asText(asRecord(customer).external_id) !== null);
}

function taxesOf(invoice: JsonRecord): string {
  const named = asRecords(invoice.applied_taxes).map(
    tax => say`${quoted(tax.tax_name) ?? code(tax.tax_code)} ${quantity(tax.tax_rate)}%`,
  );
  return listed(named.filter(tax => tax !== null)) ?? 'none';
}

function termOf(invoice: JsonRecord): string {
  const days = asInteger(invoice.net_payment_term);
  return days === null ? '' : days === 0 ? ' (due at once)' : ` (due after ${count(days, 'day')})`;
}

function zoneOf(invoice: JsonRecord): string | null {
  return code(asRecord(invoice.customer).applicable_timezone);
}
