/** Fixed charges (§10.5) and the minimum commitment of a plan (§10.6). */
import type Big from 'big.js';
import { priceCharge } from '../../contract/pricing/models/index.ts';
import { decimal, fromCents, round } from '../../contract/pricing/money.ts';
import type {
  AddOnRecord,
  FeeRecord,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  SubscriptionRecord,
} from '../records/index.ts';
import { countDays } from './days.ts';
import { addOnItem, commitmentItem, type FeeOwner, type FeesSum, newFee } from './fees.ts';
import { periodDays } from './periods.ts';
import type { Bounds, Period, PeriodBasis } from './types.ts';

/** A period and the part of it that is billed. */
export interface BilledSpan {
  basis: PeriodBasis;
  period: Period;
  bounds: Bounds;
  /** The exact start, which the fees of fixed charges show (§7.1). */
  starts_at: InstantText;
}

/** Quantity of a fixed charge: the subscription's own, or the plan's (§3.2, §10.5). */
export function fixedChargeUnits(
  charge: FixedChargeRecord,
  subscription: Pick<SubscriptionRecord, 'fixed_charge_units'> | null,
): Big {
  return decimal(subscription?.fixed_charge_units[charge.id] ?? charge.units);
}

/** Fee of a fixed charge. If it is prorated, its amount is; the units are shown in full. */
export function fixedChargeFee(
  charge: FixedChargeRecord,
  addOn: AddOnRecord,
  units: Big,
  currency: string,
  span: BilledSpan,
  owner: FeeOwner,
): FeeRecord {
  // `prorated` is not passed to the model: the amount is prorated below, not the units.
  const { charge_model, properties, code } = charge;
  const price = priceCharge({ charge_model, properties, code }, { units }, currency);
  const amount = charge.prorated ? prorate(price.amount, span) : price.amount;
  return newFee({
    owner,
    item: addOnItem(addOn, charge.invoice_display_name),
    currency,
    amount,
    units,
    payInAdvance: charge.pay_in_advance,
    from: span.starts_at,
    to: span.bounds.to,
    amountDetails: price.amount_details,
    fixedChargeId: charge.id,
  });
}

/**
 * The plan's minimum commitment less the fees of a period (§10.6); null when the fees reach it. Commitment × active days ÷
 * period days is rounded to cents before the fees are subtracted: their cents, and in the precise amount their unrounded
 * amounts. `fees` are the period's plan, usage and fixed charge fees, billed earlier or on the same invoice.
 */
export function commitmentFee(plan: PlanRecord, fees: FeesSum, span: BilledSpan, owner: FeeOwner): FeeRecord | null {
  const commitment = plan.minimum_commitment;
  if (commitment === null) return null;
  const committed = round(prorate(decimal(commitment.amount_cents), span));
  if (committed.lte(fees.cents)) return null;
  return newFee({
    owner,
    item: commitmentItem(plan, owner.subscription),
    currency: plan.amount_currency,
    amount: fromCents(committed, plan.amount_currency).minus(fees.precise),
    amountCents: Number(committed.minus(fees.cents).toFixed()),
    units: decimal(1),
    unitAmount: fromCents(committed.minus(fees.cents), plan.amount_currency),
    payInAdvance: plan.pay_in_advance,
    from: null,
    to: null,
  });
}

function prorate(amount: Big, { basis, period, bounds }: BilledSpan): Big {
  return amount.times(countDays(bounds.from, bounds.to, basis.timezone)).div(periodDays(period, basis));
}
