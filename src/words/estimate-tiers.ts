/**
 * The tiers that an estimated event falls into. Estimates have no `amount_details` (service-behaviour §13). But from
 * the charge's tiers, the event's units and its unrounded amount follow the units that were used before, and so the
 * split.
 */

import Big from 'big.js';
import { shownPrice } from '../contract/pricing/models/index.ts';
import type { Steps } from '../contract/pricing/models/model.ts';
import type { Tier } from '../contract/pricing/models/tiers.ts';
import type { Charge, Fee } from '../contract/shown.ts';
import { isSame } from '../lib/decimals.ts';
import { unsigned } from './money.ts';
import { sign } from './summary.ts';

const MAX_TIERS = 50;
const ZERO = new Big(0);

/**
 * The fee of a charge whose tiers price their own units, with the units in each. `charge` is as the plan has it, null when it
 * is not known. The fee stays as it is where the tiers are not certain.
 */
export function withTiers(fee: Fee, charge: Charge | null): Fee {
  const [units, amount] = [unsigned(fee.units), unsigned(fee.precise_amount)];
  if (units === null || amount === null || !units.gt(0) || sign(fee.amount_cents) === null) return fee;
  // A filter of a charge has its own tiers, and a plan does not show which filter has which id.
  const price = fee.svc_charge_filter_id ? null : shownPrice(charge?.charge_model, charge?.properties);
  const steps = price?.steps;
  if (steps === undefined || steps.tiers.length > MAX_TIERS) return fee;
  // Here a tier begins where the one before it ends.
  const tiers = steps.tiers.map((tier, i) => ({ ...tier, from: steps.tiers[i - 1]?.to ?? ZERO }));
  const splits = startsOf(tiers, steps, units, amount).map(before => splitAt(tiers, before, units));
  const [details, ...others] = new Set(splits.map(split => JSON.stringify(steps.details(split))));
  if (details === undefined || others.length > 0) return fee;
  return { ...fee, amount_details: JSON.parse(details) };
}

/** Every number of earlier units at which the event would cost its amount. */
function startsOf(tiers: readonly Tier[], steps: Steps, units: Big, amount: Big): Big[] {
  const cost = (before: Big) => priceOf(tiers, steps, before.plus(units)).minus(priceOf(tiers, steps, before));
  const fits = (before: Big) => isSame(cost(before), amount);
  const edges = tiers.flatMap(({ to }) => (to === null ? [] : [to, to.minus(units)])).filter(edge => edge.gt(0));
  const candidates = [ZERO, ...edges].sort((a, b) => a.cmp(b));
  const starts = candidates.filter(fits);
  for (const [index, low] of candidates.entries()) {
    // Between two edges the cost is a straight line.
    const high = candidates[index + 1] ?? low.plus(units).plus(1);
    const [first, second] = [low.plus(high.minus(low).div(3)), low.plus(high.minus(low).times(2).div(3))];
    if (!high.gt(low)) continue;
    const slope = cost(second).minus(cost(first));
    if (isSame(slope, ZERO)) {
      if (fits(first)) starts.push(first);
      continue;
    }
    const start = first.plus(amount.minus(cost(first)).times(second.minus(first)).div(slope)).round(6);
    if (start.gt(low) && start.lt(high) && fits(start)) starts.push(start);
  }
  return starts;
}

/**
 * The units of each tier at its price, and the flat amount of each tier that is reached (§9); nothing for 0 units
 * (§10.3).
 */
function priceOf(tiers: readonly Tier[], { each }: Steps, units: Big): Big {
  return tiers
    .filter(({ from }) => units.gt(from))
    .reduce((sum, tier) => sum.plus(unitsWithin(tier, ZERO, units).times(each(tier))).plus(tier.flat), ZERO);
}

function splitAt(tiers: readonly Tier[], before: Big, units: Big): { tier: Tier; units: Big; flat: Big }[] {
  return tiers
    .map(tier => ({
      tier,
      units: unitsWithin(tier, before, before.plus(units)),
      // The flat amount of a tier that was reached before has been charged already.
      flat: before.gt(tier.from) ? ZERO : tier.flat,
    }))
    .filter(part => part.units.gt(0));
}

function unitsWithin({ from, to }: Tier, before: Big, after: Big): Big {
  const low = before.gt(from) ? before : from;
  const high = to === null || to.gt(after) ? after : to;
  return high.gt(low) ? high.minus(low) : ZERO;
}
