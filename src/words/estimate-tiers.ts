/**
 * The tiers that an estimated event falls into. Estimates have no `amount_details` (service-behaviour §13). But from
 * the charge's tiers, the event's units and its unrounded amount follow the units that were used before, and so the
 * split.
 */

import Big from 'big.js';
import { shownPrice } from '../contract/pricing/models/index.ts';
import type { Steps } from '../contract/pricing/models/model.ts';
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
  const splits = startsOf(steps, units, amount).map(before => splitAt(steps, before, units));
  const [details, ...others] = new Set(splits.map(split => JSON.stringify(steps.details(split))));
  if (details === undefined || others.length > 0) return fee;
  return { ...fee, amount_details: JSON.parse(details) };
}

/** Every number of earlier units at which the event would cost its amount. */
function startsOf(steps: Steps, units: Big, amount: Big): Big[] {
  const cost = (before: Big) => costOf(steps, before.plus(units)).minus(costOf(steps, before));
  const fits = (before: Big) => isSame(cost(before), amount);
  const edges = steps.tiers.flatMap(({ to }) => (to === null ? [] : [to, to.minus(units)])).filter(edge => edge.gt(0));
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

/** Nothing for 0 units, although the first tier counts as reached (§10.3). */
function costOf({ unitsIn, each }: Steps, units: Big): Big {
  if (units.lte(0)) return ZERO;
  return unitsIn(units).reduce((sum, part) => sum.plus(part.units.times(each(part.tier))).plus(part.tier.flat), ZERO);
}

function splitAt({ unitsIn }: Steps, before: Big, units: Big) {
  const held = before.lte(0) ? [] : unitsIn(before);
  return unitsIn(before.plus(units))
    .map(({ tier, units: after }, i) => ({
      tier,
      units: after.minus(held[i]?.units ?? ZERO),
      // The flat amount of a tier that was reached before has been charged already.
      flat: held[i] === undefined ? tier.flat : ZERO,
    }))
    .filter(part => part.units.gt(0));
}
