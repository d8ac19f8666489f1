/**
 * How a fee is priced: from its `amount_details`, else from the price that the plan has today, where either gives exactly
 * the amount of the fee; else its units alone. An average over tiers, packages or days is never told as a price.
 */
import Big from 'big.js';
import { chargeModels, isOneOf } from '../contract/enums.ts';
import { priceCharge } from '../contract/pricing/models/index.ts';
import { toCents } from '../contract/pricing/money.ts';
import type { PriceProperties } from '../contract/pricing/types.ts';
import type { AmountDetails, Charge, EntryIn, Fee, FixedCharge } from '../contract/shown.ts';
import { isGiven } from '../lib/json.ts';
import { big, unsigned } from './money.ts';
import { code, count, major, money, quantity, roughly, say, sign } from './summary.ts';

/** A charge or a fixed charge, as the plan of a subscription has it today. */
export type PlanPrice = Charge | FixedCharge;

const MAX_TIERS = 4;

/** Types of fees that are priced by a plan; others hold the price of a unit. */
const plannedTypes: ReadonlySet<unknown> = new Set(['charge', 'fixed_charge', 'product']);

/** What is said of the price, and the amount that it comes to, in major units and not rounded. */
interface Priced {
  text: string | null;
  total: Big;
}

export function isPlanned({ item }: Fee): boolean {
  return plannedTypes.has(item?.type);
}

/** Is the price of the fee neither in its details nor the amount itself, so that only a plan can tell it? */
export function needsPlan(fee: Fee): boolean {
  const { units, amount_cents, amount_details, pricing_unit_details } = fee;
  const inDetails = [amount_details, pricing_unit_details].some(details => Object.keys(details ?? {}).length > 0);
  const many = sign(units) === 1 && Number(units) !== 1;
  return isPlanned(fee) && many && sign(amount_cents) === 1 && !inDetails;
}

/** The charge or fixed charge of the fee among these; a plan of one subscription alone names the charge it overrides. */
export function planPriceOf(fee: Fee, prices: readonly PlanPrice[]): PlanPrice | null {
  const id = fee.svc_charge_id || fee.svc_fixed_charge_id;
  if (!id) return null;
  return prices.find(({ svc_id }) => svc_id === id) ?? prices.find(price => price.svc_parent_id === id) ?? null;
}

/** `500 × $0.06 + 400 × $0.045`, `900 units`; null where the amount says all. */
export function priceOfFee(fee: Fee, currency: unknown, price: PlanPrice | null): string | null {
  const details = fee.amount_details ?? {};
  const hasDetails = Object.keys(details).length > 0;
  const priced = hasDetails
    ? detailsLine(details, fee, currency, price)
    : price === null
      ? null
      : planLine(fee, price, currency);
  if (priced !== null && comesTo(priced.total, fee, currency, hasDetails)) return priced.text;
  const units = roughly(fee.units);
  const each = unitPrice(fee, currency);
  // One unit at its price is the amount itself.
  if (units === null || (units === '1' && (each === null || each === money(fee.amount_cents, currency)))) return null;
  return each === null ? `${units} units` : `${units} × ${each}`;
}

/** Of a fee that no plan prices. Endless digits are those of a division. */
function unitPrice(fee: Fee, currency: unknown): string | null {
  const exact = isPlanned(fee) ? null : big(fee.precise_unit_amount);
  return exact?.eq(exact.round(8)) ? major(exact.toFixed(), currency) : null;
}

/** To the cent; a price that the fee itself does not hold also to its last decimal, where the fee shows that. */
function comesTo(total: Big, { amount_cents, precise_amount }: Fee, currency: unknown, rounded: boolean): boolean {
  const unit = code(currency);
  if (unit === null || toCents(total, unit) !== amount_cents) return false;
  const precise = rounded ? null : big(precise_amount);
  return precise === null || isSame(precise, total);
}

/** Amounts are shown with 15 decimals. */
function isSame(a: Big, b: Big): boolean {
  return a.minus(b).abs().lt('0.0000000001');
}

/** The arithmetic of the price model, from `amount_details`; null when it has none, or not all of it. */
function detailsLine(details: AmountDetails, fee: Fee, currency: unknown, price: PlanPrice | null): Priced | null {
  const graduated = details.graduated_ranges ?? [];
  if (graduated.length > 0)
    return tiers(graduated, currency, ({ per_unit_amount }) => [
      major(per_unit_amount, currency),
      unsigned(per_unit_amount),
    ]);
  const percentages = details.graduated_percentage_ranges ?? [];
  if (percentages.length > 0)
    return tiers(percentages, currency, ({ rate }) => [say`${quantity(rate)}%`, unsigned(rate)?.div(100) ?? null]);
  if (Number(details.per_package_size) > 0) return packages(details, currency);
  if ('rate' in details) return percentage(details, currency);
  return 'per_unit_amount' in details && 'flat_unit_amount' in details ? volume(details, fee, currency, price) : null;
}

type UsedRange = EntryIn<AmountDetails['graduated_ranges']> & EntryIn<AmountDetails['graduated_percentage_ranges']>;

function tiers(
  ranges: readonly UsedRange[],
  currency: unknown,
  priceOf: (range: UsedRange) => [text: string | null, each: Big | null],
): Priced | null {
  let total = new Big(0);
  for (const range of ranges) {
    const [units, [, each]] = [unsigned(range.units), priceOf(range)];
    if (units === null || each === null) return null;
    total = total.plus(units.times(each)).plus(unsigned(range.flat_unit_amount) ?? 0);
  }
  // A tier without units may have a flat amount alone.
  const used = inUse(ranges).map(range =>
    sign(range.units) === 0 && sign(range.flat_unit_amount) === 1
      ? flat(range, currency).replace(' + ', '')
      : (say`${quantity(range.units)} × ${priceOf(range)[0]}${flat(range, currency)}` ?? ''),
  );
  const rest = used.length - MAX_TIERS;
  return { text: `${used.slice(0, MAX_TIERS).join(' + ')}${rest > 0 ? ` + ${rest} more tiers` : ''}`, total };
}

/** The tiers that units fall into or that have a flat amount; all tiers where there are none of these. */
function inUse(ranges: readonly UsedRange[]): readonly UsedRange[] {
  const used = ranges.filter(({ units, flat_unit_amount }) => sign(units) !== 0 || sign(flat_unit_amount) === 1);
  return used.length > 0 ? used : ranges;
}

function flat({ flat_unit_amount }: UsedRange, currency: unknown): string {
  return sign(flat_unit_amount) === 1 ? (say` + ${major(flat_unit_amount, currency)} flat` ?? '') : '';
}

/** `3 packages of 1,000 at $2.50 after 500 free`. */
function packages(details: AmountDetails, currency: unknown): Priced | null {
  const [paid, size, each] = [details.paid_units, details.per_package_size, details.per_package_unit_amount].map(
    unsigned,
  );
  if (!paid || !size || !each) return null;
  const sold = paid.div(size).round(0, Big.roundUp);
  const free = sign(details.free_units) === 1 ? (say` after ${quantity(details.free_units)} free` ?? '') : '';
  const text = sold.eq(0)
    ? say`0 units beyond ${quantity(details.free_units)} free`
    : `${count(Number(sold.toFixed()), 'package')} of ${quantity(size.toFixed())} at ${major(each.toFixed(), currency)}${free}`;
  return { text, total: sold.times(each) };
}

function percentage(details: AmountDetails, currency: unknown): Priced | null {
  const [paid, rate] = [details.paid_units, details.rate].map(unsigned);
  if (!paid || !rate) return null;
  const events = unsigned(details.fixed_fee_total_amount) ?? new Big(0);
  const [eventCount, each] = [details.paid_events, details.fixed_fee_unit_amount].map(unsigned);
  if (events.gt(0) && !(eventCount && each?.times(eventCount).eq(events))) return null;
  const change = big(details.min_max_adjustment_total_amount) ?? new Big(0);
  const free = sign(details.free_units) === 1 ? (say` (after ${quantity(details.free_units)} free)` ?? '') : '';
  const fixed = events.gt(0)
    ? (say` + ${quantity(details.paid_events)} events × ${major(details.fixed_fee_unit_amount, currency)}` ?? '')
    : '';
  const limits = change.eq(0) ? '' : `, adjusted by ${major(change.toFixed(), currency)} to the limits per transaction`;
  return {
    text: `${quantity(details.rate)}% of ${quantity(details.paid_units)}${free}${fixed}${limits}`,
    total: paid.times(rate).div(100).plus(events).plus(change),
  };
}

/**
 * The details hold an average over all units, of which fewer are priced where they are prorated (service-behaviour §9):
 * it is the price of a unit only where the plan does not prorate. Endless digits are those of a division.
 */
function volume(details: AmountDetails, fee: Fee, currency: unknown, plan: PlanPrice | null): Priced | null {
  const [each, all, units] = [details.per_unit_amount, details.per_unit_total_amount, fee.units].map(unsigned);
  if (!each || !all) return null;
  const total = all.plus(unsigned(details.flat_unit_amount) ?? 0);
  // At no units, the price of one is shown as 0.
  if (units?.eq(0) && all.eq(0) && total.gt(0)) return { text: flat(details, currency).replace(' + ', ''), total };
  const average = plan?.prorated === false ? '' : ' on average';
  const price = each.eq(each.round(8)) ? (say` at ${major(each.toFixed(), currency)}${average}` ?? '') : '';
  const text = `all${say` ${roughly(fee.units)}` ?? ''} units${price} (${major(all.round(8).toFixed(), currency)})`;
  return { text: `${text}${flat(details, currency)}`, total };
}

/** `8 units, $12.00 each, part of the period`. */
function inPart({ units }: Fee, each: string | null): string {
  const unitsText = roughly(units);
  return `${unitsText} ${unitsText === '1' ? 'unit' : 'units'}, ${each} each, part of the period`;
}

/** By the price in the plan; null where units alone do not tell the amount, or the price is not in money. */
function planLine(fee: Fee, price: PlanPrice, currency: unknown): Priced | null {
  const { charge_model: model } = price;
  const properties = propertiesFor(fee, price);
  const units = unsigned(fee.units);
  const inMoney = !('applied_pricing_unit' in price) || Object.keys(price.applied_pricing_unit ?? {}).length === 0;
  const isConverted = Object.keys(fee.pricing_unit_details ?? {}).length > 0;
  if (properties === null || units === null || !inMoney || isConverted) return null;
  if (model === 'standard') return unitsAt(fee, units, unsigned(properties.amount), price.prorated === true, currency);
  if (price.prorated === true || !isOneOf(chargeModels, model) || model === 'dynamic' || model === 'custom')
    return null;
  // Free events, free units and limits are counted event by event, which the fee does not show.
  if (model === 'percentage' && eachEvent.some(name => isGiven(properties[name]))) return null;
  try {
    const events_count = typeof fee.events_count === 'number' ? fee.events_count : 0;
    const { amount_details } = priceCharge(
      { charge_model: model, properties: properties as PriceProperties },
      { units, events_count },
    );
    return detailsLine(amount_details as AmountDetails, fee, currency, price);
  } catch {
    // A price that holds what is no number.
    return null;
  }
}

const eachEvent = [
  'free_units_per_events',
  'free_units_per_total_aggregation',
  'per_transaction_min_amount',
  'per_transaction_max_amount',
] as const;

/** The properties of the fee's filter, else those of the charge; null for a filter that the plan does not have. */
function propertiesFor(fee: Fee, price: PlanPrice) {
  const [id, values] = [fee.svc_charge_filter_id, fee.item?.filters ?? {}];
  if (!id && Object.keys(values).length === 0) return price.properties ?? {};
  const filters = 'filters' in price ? (price.filters ?? []) : [];
  const same = JSON.stringify(values);
  const filter = filters.find(one => (id ? one.svc_id === id : JSON.stringify(one.values ?? {}) === same));
  return filter === undefined ? null : (filter.properties ?? {});
}

function unitsAt(fee: Fee, units: Big, each: Big | null, prorated: boolean, currency: unknown): Priced | null {
  if (each === null) return null;
  const price = major(each.toFixed(), currency);
  const whole = units.times(each);
  const amount = big(fee.precise_amount);
  if (prorated && amount?.lt(whole))
    return isPartOf(fee, units, amount, each) ? { text: inPart(fee, price), total: amount } : null;
  return { text: units.eq(1) ? null : `${roughly(fee.units)} × ${price}`, total: whole };
}

/**
 * Is the amount that of whole units for whole days of a period? Each event's share of the period is rounded up at five
 * decimals (service-behaviour §10.3). Where many events leave that open, the answer is no.
 */
function isPartOf(fee: Fee, units: Big, amount: Big, each: Big): boolean {
  const [from, to] = [fee.from_date, fee.to_date].map(day => Date.parse(day ?? ''));
  const covered = Math.round(((to ?? Number.NaN) - (from ?? Number.NaN)) / DAY);
  if (!Number.isInteger(covered) || covered < 1 || !each.gt(0) || !units.eq(units.round(0))) return false;
  const events = Math.max(typeof fee.events_count === 'number' ? fee.events_count : 1, 1);
  const share = amount.div(each);
  return [covered, ...monthLengths.filter(days => days > covered)].some(days => {
    const most = new Big(events).times(days).div(100_000);
    const excess = share.times(days).minus(share.times(days).round(0, Big.roundDown));
    return most.lt('0.05') && (excess.lte(most) || new Big(1).minus(excess).lt('0.0000001'));
  });
}

const DAY = 86_400_000;
const monthLengths = [28, 29, 30, 31];
