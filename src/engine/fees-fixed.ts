/** Fixed charges (§10.5) and the minimum commitment of a plan (§10.6). */
import type Big from 'big.js';
import { costOfUsage, storedPrice } from '../contract/pricing/models/index.ts';
import { asFloat, decimal, fromCents, round, ZERO } from '../contract/pricing/money.ts';
import type { Cost } from '../contract/pricing/types.ts';
import { addDays, countDays, daysBetween, localDate } from './days.ts';
import { addOnItem, commitmentItem, type FeeOwner, type FeesSum, latestFee, newFee } from './fees.ts';
import { unitChanges } from './fixed-charge-units.ts';
import { periodDays } from './periods.ts';
import type {
  AddOnRecord,
  FeeRecord,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  SubscriptionRecord,
} from './records/index.ts';
import type { Bounds, Period, PeriodBasis } from './types.ts';

/** A period and the part of it that is billed. */
export interface BilledSpan {
  basis: PeriodBasis;
  period: Period;
  bounds: Bounds;
  /** The exact start, which the fees of fixed charges show (§7.1). */
  starts_at: InstantText;
}

/** A quantity of a fixed charge and the days of the span in which it holds. */
export interface Quantity {
  units: Big;
  days: number;
}

/**
 * The quantities of a fixed charge in a span, the last one first: the subscription's own, or the plan's. New units hold
 * from the next period, or at once from the day of the change (§3.2, §10.5).
 */
export function fixedChargeQuantities(
  charge: FixedChargeRecord,
  subscription: Pick<SubscriptionRecord, 'fixed_charge_units'>,
  { basis: { timezone }, period, bounds }: BilledSpan,
): Quantity[] {
  const quantities: Quantity[] = [];
  let until = addDays(localDate(bounds.to, timezone), 1);
  for (const { units, changed_at, at_once } of unitChanges(subscription, charge).reverse()) {
    if (changed_at !== null && changed_at >= (at_once ? bounds.to : period.from)) continue;
    const from = changed_at === null || changed_at < bounds.from ? bounds.from : changed_at;
    const since = localDate(from, timezone);
    quantities.push({ units: decimal(units), days: since < until ? daysBetween(since, until) : 0 });
    until = since;
  }
  return quantities;
}

/** What decides the fee of a fixed charge. */
export interface FixedChargeTerms {
  charge: FixedChargeRecord;
  addOn: AddOnRecord;
  /** As `fixedChargeQuantities` gives them. */
  quantities: readonly Quantity[];
  currency: string;
  span: BilledSpan;
  /** Cents that the plan before an upgrade was paid for the same days. */
  paid_cents: number;
}

/** Fee of a fixed charge. If it is prorated, its units are; the last quantity is shown in full (§10.5). */
export function fixedChargeFee(terms: FixedChargeTerms, owner: FeeOwner): FeeRecord {
  const { charge, addOn, quantities, currency, span, paid_cents } = terms;
  const { amount, amount_details } = priceOf(terms);
  return newFee({
    owner,
    item: addOnItem(addOn, charge.invoice_display_name),
    currency,
    amount: amount.minus(fromCents(paid_cents, currency)),
    units: quantities[0]?.units ?? ZERO,
    pay_in_advance: charge.pay_in_advance,
    from_date: span.starts_at,
    to_date: span.bounds.to,
    amount_details,
    fixed_charge_id: charge.id,
  });
}

/** Each quantity weighs units × days ÷ L, 6 decimals. Flat amounts stay whole, and the full units choose the tier. */
function priceOf({ charge, quantities, currency, span }: FixedChargeTerms): Pick<Cost, 'amount' | 'amount_details'> {
  const price = storedPrice(charge.charge_model, charge.properties);
  const units = quantities[0]?.units ?? ZERO;
  if (!charge.prorated) return costOfUsage(price, { units }, currency);
  const length = periodDays(span.period, span.basis);
  const weighed = (full: Big, days: number) => round(full.times(days).div(length), 6);
  const { steps } = price;
  if (steps) {
    const parts = [
      ...steps.unitsIn(units).map(({ tier }) => tier.flat),
      ...quantities.flatMap(({ units: full, days }) =>
        steps.unitsIn(full).map(part => weighed(part.units, days).times(steps.each(part.tier))),
      ),
    ];
    return { amount: parts.reduce((sum, part) => sum.plus(part), ZERO), amount_details: {} };
  }
  const priced = quantities.reduce((sum, quantity) => sum.plus(weighed(quantity.units, quantity.days)), ZERO);
  return costOfUsage(price, { units: priced, full_units: units }, currency);
}

/** The plan before an upgrade, and its fees. */
export interface ReplacedPlan {
  plan: Pick<PlanRecord, 'fixed_charges'>;
  billed_fees: readonly FeeRecord[];
}

/**
 * Cents that an upgrade takes off a prorated pay-in-advance fixed charge: the part, for the days of `span`, of the last fee
 * for the same add-on on the replaced plan, if that fee is for all of these days (§10.5).
 */
export function paidAhead(charge: FixedChargeRecord, span: BilledSpan, { plan, billed_fees }: ReplacedPlan): number {
  if (!charge.prorated || !charge.pay_in_advance) return 0;
  const same = plan.fixed_charges.filter(each => each.add_on_id === charge.add_on_id);
  const ids = new Set<string | null>(same.flatMap(({ id, parent_id }) => [id, parent_id ?? id]));
  const fee = latestFee(billed_fees.filter(each => ids.has(each.fixed_charge_id)));
  if (fee === null || fee.from_date === null || fee.to_date === null) return 0;
  const { timezone } = span.basis;
  const [first, last] = [localDate(fee.from_date, timezone), localDate(fee.to_date, timezone)];
  const [from, to] = [localDate(span.bounds.from, timezone), localDate(span.bounds.to, timezone)];
  if (first > from || last < to) return 0;
  const days = daysBetween(from, addDays(to, 1));
  return Number(
    round(
      decimal(fee.amount_cents)
        .times(days)
        .div(daysBetween(first, addDays(last, 1))),
    ).toFixed(),
  );
}

/**
 * The plan's minimum commitment less the fees of a period (§10.6); null when the fees reach it. Commitment × active days ÷
 * period days is rounded to cents before the fees are subtracted: their cents, and in the precise amount their unrounded
 * amounts. `fees` are the period's plan, usage and fixed charge fees, billed earlier or on the same invoice.
 */
export function commitmentFee(plan: PlanRecord, fees: FeesSum, span: BilledSpan, owner: FeeOwner): FeeRecord | null {
  const commitment = plan.minimum_commitment;
  if (commitment === null) return null;
  const { basis, period, bounds } = span;
  const days = countDays(bounds.from, bounds.to, basis.timezone);
  const committed = round(decimal(commitment.amount_cents).times(days).div(periodDays(period, basis)));
  if (committed.lte(fees.cents)) return null;
  return newFee({
    owner,
    item: commitmentItem(plan, owner.subscription),
    currency: plan.amount_currency,
    amount: fromCents(committed, plan.amount_currency).minus(fees.precise),
    amount_cents: Number(committed.minus(fees.cents).toFixed()),
    units: decimal(1),
    unit_amount: asFloat(fromCents(committed.minus(fees.cents), plan.amount_currency)),
    pay_in_advance: plan.pay_in_advance,
  });
}
