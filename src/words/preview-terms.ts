/** What a preview's arguments decide: whose taxes and terms count, the day of a start, the rest of a coupon. */
import type { Coupon } from '../contract/answers.ts';
import type { CreditItem, Customer, Invoice } from '../contract/shown.ts';
import { dayNumber, isoDay, localTime } from './dates.ts';
import { rateOf } from './invoice-arithmetic.ts';
import { big } from './money.ts';
import { daysOf } from './part-period.ts';
import { code, count, day, listed, money, phrase, quoted, say } from './summary.ts';

/** The arguments of a preview, as far as the sentences need them. */
export interface PreviewArguments {
  readonly billing_entity_code?: string | undefined;
  readonly subscription_at?: string | undefined;
  readonly customer?: Customer | undefined;
  readonly subscriptions?: object | undefined;
  readonly coupons?: readonly Coupon[] | undefined;
}

/**
 * Whose taxes and terms count: without a stored customer those of the default billing entity, else the customer's own,
 * whatever the other arguments say (service-behaviour §12.4). Null for a stored customer without such arguments.
 */
export function explainTerms(invoice: Invoice, args: PreviewArguments, taxes = taxesOf(invoice)): string | null {
  const customer = args.customer ?? {};
  const ignored = [
    ...(['country', 'state', 'zipcode'] as const).filter(name => customer[name]),
    ...(args.billing_entity_code ? ['billing_entity_code'] : []),
  ];
  // The address counts only where a tax provider computes the taxes.
  const isIgnored = (customer.integration_customers ?? []).length === 0;
  const ignoredClause = isIgnored && ignored.length > 0 ? phrase`, regardless of ${listed(ignored)}` : '';
  if (isStored(invoice, args))
    return ignoredClause === ''
      ? null
      : `Taxes and terms come from the plan, the customer and its billing entity${ignoredClause}`;
  const { net_payment_term: days = null } = invoice;
  const term = days === null ? '' : days === 0 ? ' (due at once)' : ` (due after ${count(days, 'day')})`;
  const zone = !customer.timezone ? ` and time zone (${zoneOf(invoice) ?? 'UTC'})` : '';
  return `Taxes (${taxes}) come from the plan, else the default billing entity; terms${term}${zone} from that entity${ignoredClause}. For a customer, send customer.external_id`;
}

/** Where the start falls on another day in the customer's zone than was sent: that day, and how to get the one sent. */
export function explainStart(invoice: Invoice, args: PreviewArguments, now?: Date): string | null {
  const [subscription, ...others] = invoice.subscriptions ?? [];
  if (args.subscriptions !== undefined || subscription === undefined || others.length > 0) return null;
  const zone = zoneOf(invoice);
  const sentDay = dayNumber(args.subscription_at);
  const startDay = dayNumber(subscription.subscription_at, zone);
  if (sentDay === null || startDay === null || sentDay === startDay) return null;
  const at = localTime(subscription.subscription_at, zone, now);
  const plan = (invoice.fees ?? []).find(fee => fee.item?.type === 'subscription');
  const days = plan === undefined ? null : daysOf(plan, invoice);
  const first = days === null ? '' : `, and its first period has ${count(days, 'day')}`;
  const canChooseZone = !args.customer?.timezone && !isStored(invoice, args);
  const zoneAdvice = canChooseZone ? ', or customer.timezone' : '';
  return say`The subscription starts on ${at}${first}. To start on ${day(args.subscription_at, now)} there, send subscription_at with that zone's offset${zoneAdvice}`;
}

/** Of a change of plan: the last bill of the old one, and when the new one follows (service-behaviour §12.6). */
export function explainChange(invoice: Invoice, now?: Date): string | null {
  const ending = (invoice.subscriptions ?? []).find(({ next_plan_code }) => next_plan_code);
  const { plan_code: old, next_plan_code: next, downgrade_plan_date, terminated_at } = ending ?? {};
  const from = downgrade_plan_date ?? isoDay(dayNumber(terminated_at, zoneOf(invoice)));
  const isBilled = (invoice.fees ?? []).some(({ item }) => {
    const { type, code: plan } = item ?? {};
    return type === 'subscription' && plan === next;
  });
  return isBilled
    ? say`Plan ${code(next)} replaces ${code(old)} on ${day(from, now)}; this invoice includes both`
    : say`This is the last invoice for plan ${code(old)}. Plan ${code(next)} replaces it on ${day(from, now)}; its plan fee is not included`;
}

/** What is left for later invoices of the coupons that the call itself describes; of stored ones that is not known. */
export function explainCouponRest(invoice: Invoice, args: PreviewArguments): string | null {
  const { currency } = invoice;
  const rests = (args.coupons ?? []).map(coupon => {
    const amount = big(coupon.amount_cents);
    const isOnce = (coupon.frequency ?? 'once') === 'once' && (coupon.coupon_type ?? 'fixed_amount') === 'fixed_amount';
    const [used, ...others] = (invoice.credits ?? []).filter(({ item }) => item && isFrom(item, coupon));
    const taken = big(used?.amount_cents);
    if (amount === null || !isOnce || taken === null || others.length > 0 || taken.gte(amount)) return null;
    return say`${money(amount.minus(taken).toFixed(), currency)} of ${quoted(coupon.name) ?? code(coupon.code)}`;
  });
  return say`Left for later invoices: ${listed(rests)}`;
}

/** Is this item of the preview the coupon that the call describes? Without an id, it is no stored one. */
function isFrom(item: CreditItem, coupon: Coupon): boolean {
  if (item.type !== 'coupon' || item.svc_item_id) return false;
  return (item.code ?? '') === (coupon.code ?? '') && (coupon.name === undefined || item.name === coupon.name);
}

function isStored(invoice: Invoice, args: PreviewArguments): boolean {
  return [args.customer, invoice.customer].some(customer => customer?.external_id);
}

/** None where the answer says so; it may show none. */
export function taxesOf(invoice: Invoice): string {
  if (invoice.applied_taxes === undefined) return 'not shown';
  return listed((invoice.applied_taxes ?? []).map(rateOf)) ?? 'none';
}

function zoneOf(invoice: Invoice): string | null {
  return code(invoice.customer?.applicable_timezone);
}
