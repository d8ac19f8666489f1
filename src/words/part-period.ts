/**
 * Prices for a part of a period, as a preview shows them: how many days of how many, the price of a whole period, and
 * trials (service-behaviour §10.4, §10.5). The preview holds neither the plan's interval nor its trial. Both follow
 * from the unrounded amount, the days and the plan's price; where more than one interval fits, the days are not said.
 */

import type Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import type { Fee, Invoice, Subscription } from '../contract/shown.ts';
import { isSame } from '../lib/decimals.ts';
import { dayNumber } from './dates.ts';
import { big } from './money.ts';
import { count, major, money, quantity, say } from './summary.ts';

/**
 * What a previewed fee is for, where that is a part of a period: `plan fee for 17 of 31 days ($29.00 for all 31)`. Null
 * where it is for a whole period or the preview does not show it. `args` are those of the preview.
 */
export function explainPart(
  fee: Fee,
  invoice: Invoice,
  { subscriptions = {} }: { readonly subscriptions?: object | undefined },
): string | null {
  const { type } = fee.item ?? {};
  // A subscription may end or change within its period: then the last day of a fee may not be that of the period.
  const asksForChange = Object.keys(subscriptions).some(name => name !== 'external_ids');
  const ends = asksForChange || (invoice.subscriptions ?? []).some(one => one.ending_at);
  if (type === 'subscription') return partOfPlan(fee, invoice, ends);
  return type === 'fixed_charge' && !ends ? partOfFixedCharge(fee, invoice) : null;
}

function partOfPlan(fee: Fee, invoice: Invoice, ends: boolean): string | null {
  const price = big(fee.amount_details?.plan_amount_cents);
  const currency = fee.amount_currency ?? invoice.currency;
  const amount = big(fee.precise_amount);
  const covered = daysOf(fee, invoice);
  if (!price?.gt(0) || !currency || amount === null || covered === null) return null;
  const fullAmount = price.div(minorUnits(currency));
  if (!amount.lt(fullAmount)) return null;
  const wholePrice = money(price.toFixed(), currency);
  // After an upgrade the last day belongs to the new plan (§10.4): the old plan's fee may be 0 without a trial.
  if (amount.eq(0)) return ends ? null : say`plan fee, free during the trial (${wholePrice} otherwise)`;
  const shares = sharesOf(fee, invoice, ends, fullAmount, amount);
  // The day of an upgrade belongs to the new plan (§10.4).
  const [share, ...others] = shares.filter(one => !ends || one.billed >= covered - 1);
  if (share === undefined || others.length > 0)
    return say`plan fee for part of the period (${wholePrice} for a full one)`;
  const trial = !ends && share.billed < covered ? ', after the trial' : '';
  return say`plan fee for ${String(share.billed)} of ${count(share.whole, 'day')}${trial} (${wholePrice} for all ${String(share.whole)})`;
}

/**
 * Every share of a period that gives this amount: of its `whole` days, `billed` were billed. Days that the fee covers and does
 * not bill were days of a trial.
 */
function sharesOf(fee: Fee, invoice: Invoice, ends: boolean, fullAmount: Big, amount: Big) {
  const covered = daysOf(fee, invoice) ?? 0;
  return wholePeriods(fee, invoice, covered, ends).flatMap(whole => {
    const billed = Number(amount.times(whole).div(fullAmount).round(0).toFixed());
    const fits = billed > 0 && billed <= covered && isSame(fullAmount.times(billed).div(whole), amount);
    return fits ? [{ billed, whole }] : [];
  });
}

/**
 * The price for a whole period: the only price of few digits that gives the amount for a part of the units. Prices with
 * details (tiers, packages) are explained by these.
 */
function partOfFixedCharge(fee: Fee, invoice: Invoice): string | null {
  const [units, amount] = [big(fee.units), big(fee.precise_amount)];
  const covered = daysOf(fee, invoice);
  if (units === null || amount === null || covered === null || Object.keys(fee.amount_details ?? {}).length > 0)
    return null;
  // The units of a part have six decimals, and the price is that of a whole period (§10.5).
  const fitting = wholePeriods(fee, invoice, covered, false).flatMap(whole => {
    const share = units.times(covered).div(whole).round(6);
    const price = share.gt(0) ? amount.div(share) : null;
    return price !== null && isSame(price.round(6), price) ? [{ whole, price: price.round(6) }] : [];
  });
  if (fitting.some(({ whole }) => whole === covered)) return null;
  const [period, ...others] = fitting;
  if (period === undefined || others.length > 0) return null;
  const each = major(period.price.toFixed(), fee.amount_currency ?? invoice.currency);
  return say`${quantity(fee.units)} for ${String(covered)} of ${count(period.whole, 'day')} (${each} each for all ${String(period.whole)})`;
}

/**
 * Lengths in days of the periods that the fee may be a part of. They begin by the fee's first day, and end with its
 * last day; where the subscription may end or change, also later. By the calendar these are the week, month, quarter,
 * half year and year. From the anniversary, the first period has just the days of the fee, where nothing ends (§7.1).
 */
function wholePeriods(fee: Fee, invoice: Invoice, covered: number, ends: boolean): number[] {
  const billingTime = subscriptionOf(fee, invoice)?.billing_time;
  if (billingTime === 'anniversary') return ends ? [] : [covered];
  const last = dayNumber(fee.to_date, zoneOf(invoice));
  if (billingTime !== 'calendar' || last === null) return [];
  return calendarPeriods(last)
    .filter(({ from, next }) => (ends || next === last + 1) && from <= last + 1 - covered)
    .map(({ from, next }) => next - from);
}

/** The week, month, quarter, half year and year of a day, as counts of days; each ends the day before `next`. */
function calendarPeriods(day: number): { from: number; next: number }[] {
  const date = new Date(day * DAY);
  const monday = day - ((date.getUTCDay() + 6) % 7);
  const months = [1, 3, 6, 12].map(length => {
    const first = date.getUTCMonth() - (date.getUTCMonth() % length);
    const at = (month: number) => Date.UTC(date.getUTCFullYear(), month, 1) / DAY;
    return { from: at(first), next: at(first + length) };
  });
  return [{ from: monday, next: monday + 7 }, ...months];
}

const DAY = 86_400_000;

function subscriptionOf(fee: Fee, invoice: Invoice): Subscription | undefined {
  const all = invoice.subscriptions ?? [];
  // A subscription that a change of plan would start has no id yet, and its fees have none either.
  const sameId = all.filter(one => one.svc_id === fee.svc_subscription_id);
  return all.length === 1 ? all[0] : sameId.length === 1 ? sameId[0] : undefined;
}

/** Days from the fee's first to its last, in the customer's time zone. */
export function daysOf(fee: Fee, invoice: Invoice): number | null {
  const [first = null, last = null] = [fee.from_date, fee.to_date].map(day => dayNumber(day, zoneOf(invoice)));
  return first === null || last === null || last < first ? null : last - first + 1;
}

function zoneOf(invoice: Invoice): unknown {
  return invoice.customer?.applicable_timezone;
}
