/**
 * How a fee is priced: from its `amount_details`, else from the price that the plan has today, where either gives exactly
 * the amount of the fee; else its units alone. An average over tiers, packages or days is never told as a price.
 */
import Big from 'big.js';
import { costOfUsage, detailsPrice, shownPrice } from '../contract/pricing/models/index.ts';
import type { FeePrice } from '../contract/pricing/models/model.ts';
import { toCents } from '../contract/pricing/money.ts';
import type { AmountDetails, Charge, Fee, FixedCharge } from '../contract/shown.ts';
import { isSame } from '../lib/decimals.ts';
import { big, unsigned } from './money.ts';
import { priceWords } from './price.ts';
import { code, major, money, roughly, sign } from './summary.ts';

/** A charge or a fixed charge, as the plan of a subscription has it today. */
export type PlanPrice = Charge | FixedCharge;

/** Types of fees that are priced by a plan; others hold the price of a unit. */
const plannedTypes: ReadonlySet<unknown> = new Set(['charge', 'fixed_charge', 'product']);

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
  const priced = hasDetails ? detailsLine(details, fee, currency, price) : price && planLine(fee, price, currency);
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

function detailsLine(details: AmountDetails, fee: Fee, currency: unknown, plan: PlanPrice | null): FeePrice | null {
  return detailsPrice(details, priceWords(currency), { units: unsigned(fee.units), isWhole: plan?.prorated === false });
}

/** By the price in the plan; null where units alone do not tell the amount, or the price is not in money. */
function planLine(fee: Fee, plan: PlanPrice, currency: unknown): FeePrice | null {
  const price = shownPrice(plan.charge_model, propertiesFor(fee, plan));
  const units = unsigned(fee.units);
  const inMoney = !('applied_pricing_unit' in plan) || Object.keys(plan.applied_pricing_unit ?? {}).length === 0;
  const isConverted = Object.keys(fee.pricing_unit_details ?? {}).length > 0;
  if (price === null || units === null || !inMoney || isConverted) return null;
  if (price.each !== undefined) return unitsAt(fee, units, price.each, plan.prorated === true, currency);
  if (plan.prorated === true || price.isByEvent) return null;
  const events_count = typeof fee.events_count === 'number' ? fee.events_count : 0;
  const { amount_details } = costOfUsage(price, { units, events_count });
  return detailsLine(amount_details as AmountDetails, fee, currency, plan);
}

/** The properties of the fee's filter, else those of the charge; null for a filter that the plan does not have. */
function propertiesFor(fee: Fee, price: PlanPrice) {
  const [id, values] = [fee.svc_charge_filter_id, fee.item?.filters ?? {}];
  if (!id && Object.keys(values).length === 0) return price.properties ?? {};
  const filters = 'filters' in price ? (price.filters ?? []) : [];
  const same = JSON.stringify(values);
  const filter = filters.find(one => (id ? one.svc_id === id : JSON.stringify(one.values ?? {}) === same));
  return filter === undefined ? null : (filter.properties ?? {});
}

function unitsAt(fee: Fee, units: Big, each: Big, prorated: boolean, currency: unknown): FeePrice | null {
  const price = major(each.toFixed(), currency);
  const whole = units.times(each);
  const amount = big(fee.precise_amount);
  const unitsText = roughly(fee.units);
  if (!prorated || !amount?.lt(whole)) return { text: units.eq(1) ? null : `${unitsText} × ${price}`, total: whole };
  const text = `${unitsText} ${unitsText === '1' ? 'unit' : 'units'} at ${price}, prorated`;
  return isPartOf(fee, units, amount, each) ? { text, total: amount } : null;
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
