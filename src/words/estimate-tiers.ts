/**
 * The tiers that an estimated event falls into. Estimates have no `amount_details` (service-behaviour §13). But from
 * the charge's tiers, the event's units and its unrounded amount follow the units that were used before, and so the
 * split.
 */

import Big from 'big.js';
import type { Charge, ChargeProperties, EntryIn, Fee } from '../contract/shown.ts';
import { unsigned } from './money.ts';
import { sign } from './summary.ts';

interface Tier {
  /** Units before this tier. */
  from: Big;
  /** Null in the last tier. */
  to: Big | null;
  /** Money for a unit. */
  price: Big;
  flat: Big;
  range: PricedRange;
}

type PricedRange = EntryIn<ChargeProperties['graduated_ranges']> &
  EntryIn<ChargeProperties['graduated_percentage_ranges']>;

/** The units of the event in one tier. */
interface Split extends Pick<PricedRange, 'per_unit_amount' | 'rate'> {
  units: string;
  flat_unit_amount: string;
}

/** Amounts are shown with 15 decimals. */
const TOLERANCE = '0.0000000001';
const MAX_TIERS = 50;

/**
 * The fee of a graduated charge with the units in each tier. `charge` is as the plan has it, null when it is not known. The
 * fee stays as it is where the tiers are not certain.
 */
export function withTiers(fee: Fee, charge: Charge | null): Fee {
  const [units, amount] = [unsigned(fee.units), unsigned(fee.precise_amount)];
  if (units === null || amount === null || !units.gt(0) || sign(fee.amount_cents) === null) return fee;
  const split = charge === null ? null : splitOf(fee, charge, units, amount);
  if (split !== null && split.length > 0) {
    const isGraduated = charge?.charge_model === 'graduated';
    return {
      ...fee,
      amount_details: isGraduated ? { graduated_ranges: split } : { graduated_percentage_ranges: split },
    };
  }
  return fee;
}

function splitOf(fee: Fee, charge: Charge, units: Big, amount: Big): Split[] | null {
  // A filter of a charge has its own tiers, and a plan does not show which filter has which id.
  const filtered = fee.svc_charge_filter_id !== null && fee.svc_charge_filter_id !== undefined;
  const tiers = filtered ? null : tiersOf(charge);
  if (tiers === null) return null;
  const splits = new Map<string, Split[]>();
  for (const before of startsOf(tiers, units, amount)) {
    const split = splitAt(tiers, before, units);
    splits.set(JSON.stringify(split), split);
  }
  const [only, ...others] = splits.values();
  return others.length > 0 ? null : (only ?? null);
}

function tiersOf({ charge_model: model, properties }: Charge): Tier[] | null {
  const percent = model === 'graduated_percentage';
  if (model !== 'graduated' && !percent) return null;
  const ranges: readonly PricedRange[] =
    (percent ? properties?.graduated_percentage_ranges : properties?.graduated_ranges) ?? [];
  if (ranges.length > MAX_TIERS) return null;
  const tiers: Tier[] = [];
  for (const range of ranges) {
    const price = unsigned(percent ? range.rate : range.per_unit_amount);
    const to = range.to_value === null ? null : unsigned(range.to_value);
    const from = tiers.length === 0 ? new Big(0) : tiers.at(-1)?.to;
    if (price === null || !from || (to === null) !== (tiers.length === ranges.length - 1)) return null;
    tiers.push({
      from,
      to,
      price: percent ? price.div(100) : price,
      flat: unsigned(range.flat_amount) ?? new Big(0),
      range,
    });
  }
  return tiers;
}

/** Every number of earlier units at which the event would cost its amount. */
function startsOf(tiers: readonly Tier[], units: Big, amount: Big): Big[] {
  const cost = (before: Big) => priceOf(tiers, before.plus(units)).minus(priceOf(tiers, before));
  const fits = (before: Big) => cost(before).minus(amount).abs().lt(TOLERANCE);
  const edges = tiers.flatMap(({ to }) => (to === null ? [] : [to, to.minus(units)])).filter(edge => edge.gt(0));
  const candidates = [new Big(0), ...edges].sort((a, b) => a.cmp(b));
  const starts = candidates.filter(fits);
  for (const [index, low] of candidates.entries()) {
    // Between two edges the cost is a straight line.
    const high = candidates[index + 1] ?? low.plus(units).plus(1);
    const [first, second] = [low.plus(high.minus(low).div(3)), low.plus(high.minus(low).times(2).div(3))];
    if (!high.gt(low)) continue;
    const slope = cost(second).minus(cost(first));
    if (slope.abs().lt(TOLERANCE)) {
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
function priceOf(tiers: readonly Tier[], units: Big): Big {
  return tiers
    .filter(({ from }) => units.gt(from))
    .reduce(
      (sum, tier) => sum.plus(unitsWithin(tier, new Big(0), units).times(tier.price)).plus(tier.flat),
      new Big(0),
    );
}

function splitAt(tiers: readonly Tier[], before: Big, units: Big): Split[] {
  const after = before.plus(units);
  return tiers
    .map(tier => ({ tier, part: unitsWithin(tier, before, after) }))
    .filter(({ part }) => part.gt(0))
    .map(({ tier, part }) => ({
      units: part.toFixed(),
      per_unit_amount: tier.range.per_unit_amount,
      rate: tier.range.rate,
      // The flat amount of a tier that was reached before has been charged already.
      flat_unit_amount: before.gt(tier.from) ? '0' : tier.flat.toFixed(),
    }));
}

function unitsWithin({ from, to }: Tier, before: Big, after: Big): Big {
  const low = before.gt(from) ? before : from;
  const high = to === null || to.gt(after) ? after : to;
  return high.gt(low) ? high.minus(low) : new Big(0);
}
