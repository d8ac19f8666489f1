/**
 * Prices for a part of a period, as a preview shows them: how many days of how many, the price of a whole period, and
 * trials (service-behaviour §10.4, §10.5). The body holds neither the plan's interval nor its trial. Both follow from the
 * unrounded amount, the days and the plan's price; where more than one answer fits, the days are not told. Nor does it
 * hold the price of prorated usage: that is told where the model shows it.
 */
import Big from 'big.js';
import { minorUnits } from '../contract/currencies.ts';
import type { JsonRecord } from '../lib/json.ts';
import { dayNumber } from './dates.ts';
import { exactDecimal } from './money.ts';
import { asInteger, asRecord, asRecords, asText, count, major, money, quantity, say, sign } from './summary.ts';

/** Days that are billed, days of the whole period. */
interface Share {
  billed: number;
  whole: number;
}

/**
 * What a previewed fee is for, where that is a part of a period: `plan fee for 17 of 31 days ($29.00 for all 31)`. Null
 * where it is for a whole one or where the body does not tell. `args` are the preview's.
 */
export function explainPart(fee: JsonRecord, invoice: JsonRecord, args: JsonRecord): string | null {
  const { type } = asRecord(fee.item);
  const ends = mayEnd(invoice, args);
  if (type === 'subscription') return partOfPlan(fee, invoice, ends);
  if (type === 'charge') return partOfUsage(fee, invoice);
  return type === 'fixed_charge' && !ends ? partOfFixedCharge(fee, invoice) : null;
}

/** Does a subscription end or change within its period? Its last day is then not the period's. */
function mayEnd(invoice: JsonRecord, args: JsonRecord): boolean {
  const asked = Object.keys(asRecord(args.subscriptions)).some(name => name !== 'external_ids');
  return asked || asRecords(invoice.subscriptions).some(one => asText(one.ending_at) !== null);
}

function partOfPlan(fee: JsonRecord, invoice: JsonRecord, ends: boolean): string | null {
  const price = asInteger(asRecord(fee.amount_details).plan_amount_cents);
  const currency = asText(fee.amount_currency ?? invoice.currency);
  const exact = exactDecimal(fee.precise_amount);
  const covered = daysOf(fee, invoice);
  if (price === null || price <= 0 || currency === null || exact === null || covered === null) return null;
  const full = new Big(price).div(minorUnits(currency));
  if (!exact.lt(full)) return null;
  const all = money(price, currency);
  // On an upgrade the last day is the new plan's (§10.4): the old plan's fee may be nothing without a trial.
  if (exact.eq(0)) return ends ? null : say`plan fee, free in its trial (${all} without)`;
  const found = sharesOf(fee, invoice, ends, full, exact).filter(
    // On an upgrade the day itself is the new plan's (§10.4).
    one => !ends || one.billed >= covered - 1,
  );
  const [share, ...others] = found;
  if (share === undefined || others.length > 0) return say`plan fee for a part of its period (${all} for a whole one)`;
  const trial = !ends && share.billed < covered ? ', after its trial' : '';
  return say`plan fee for ${String(share.billed)} of ${count(share.whole, 'day')}${trial} (${all} for all ${String(share.whole)})`;
}

/** Every share of a period that gives this amount; fewer days billed than covered were days of a trial. */
function sharesOf(fee: JsonRecord, invoice: JsonRecord, ends: boolean, full: Big, exact: Big): Share[] {
  const covered = daysOf(fee, invoice) ?? 0;
  return wholePeriods(fee, invoice, covered, ends).flatMap(whole => {
    const billed = Number(exact.times(whole).div(full).round(0).toFixed());
    const fits = billed > 0 && billed <= covered && same(full.times(billed).div(whole), exact);
    return fits ? [{ billed, whole }] : [];
  });
}

/**
 * A unit price with endless digits is a share of a whole one, which is the only price of few digits that gives it.
 * Prices with details (tiers, packages) are told by these.
 */
function partOfFixedCharge(fee: JsonRecord, invoice: JsonRecord): string | null {
  const shown = exactDecimal(fee.precise_unit_amount);
  const covered = daysOf(fee, invoice);
  if (shown === null || covered === null || Object.keys(asRecord(fee.amount_details)).length > 0) return null;
  if (shown.eq(shown.round(8))) return null;
  const fitting = wholePeriods(fee, invoice, covered, false).flatMap(whole => {
    const price = shown.times(whole).div(covered);
    return same(price.round(6), price) ? [{ whole, price: price.round(6) }] : [];
  });
  const [found, ...others] = fitting;
  if (found === undefined || others.length > 0) return null;
  const each = major(found.price.toFixed(), fee.amount_currency ?? invoice.currency);
  return say`${quantity(fee.units)} for ${String(covered)} of ${count(found.whole, 'day')} (${each} each for all ${String(found.whole)})`;
}

/** Prorated units: fewer are priced than are shown (§8, §9). */
function partOfUsage(fee: JsonRecord, invoice: JsonRecord): string | null {
  const units = exactDecimal(fee.units);
  const price = volumePrice(fee);
  if (units === null || price === null || !price.total.lt(units.times(price.each))) return null;
  const each = major(price.each.toFixed(), fee.amount_currency ?? invoice.currency);
  return say`${quantity(fee.units)} for a part of the period (${each} each for a whole one)`;
}

/** In major units: one unit of a whole period, and all that are billed. */
interface UnitPrice {
  each: Big;
  total: Big;
}

function volumePrice(fee: JsonRecord): UnitPrice | null {
  const { per_unit_amount, per_unit_total_amount, flat_unit_amount } = asRecord(fee.amount_details);
  const [each, total] = [per_unit_amount, per_unit_total_amount].map(exactDecimal);
  return each && total && sign(flat_unit_amount) === 0 ? { each, total } : null;
}

/**
 * Lengths in days of the periods that may end with the fee's last day (where the subscription ends or changes, at it or
 * later) and hold its first: the week, month, quarter, half year and year of the calendar, or, where nothing ends, the days
 * themselves in a first period from its anniversary (§7.1).
 */
function wholePeriods(fee: JsonRecord, invoice: JsonRecord, covered: number, ends: boolean): number[] {
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

function subscriptionOf(fee: JsonRecord, invoice: JsonRecord): JsonRecord | undefined {
  const all = asRecords(invoice.subscriptions);
  // One that a change of plan would start has no id yet, and neither have its fees.
  const own = all.filter(one => one.svc_id === fee.svc_subscription_id);
  return all.length === 1 ? all[0] : own.length === 1 ? own[0] : undefined;
}

/** Days from the fee's first to its last, in the customer's time zone. */
export function daysOf(fee: JsonRecord, invoice: JsonRecord): number | null {
  const first = dayNumber(fee.from_date, zoneOf(invoice));
  const last = dayNumber(fee.to_date, zoneOf(invoice));
  return first === null || last === null || last < first ? null : last - first + 1;
}

function zoneOf(invoice: JsonRecord): unknown {
  return asRecord(invoice.customer).applicable_timezone;
}

/** Amounts are shown with 15 decimals. */
function same(a: Big, b: Big): boolean {
  return a.minus(b).abs().lt('0.0000000001');
}
