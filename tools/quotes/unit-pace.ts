/**
 * How much the usage of a subscription will cost if units go on as so far: through tiers, packages and volume prices, anew in
 * each period (service-behaviour §9). Charges at one price a unit grow evenly, and need none of this.
 */
import Big from 'big.js';
import type { ChargeUsage, UsagePart } from '../../src/contract/answers.ts';
import { minorUnits } from '../../src/contract/currencies.ts';
import { costOfUsage, shownPrice } from '../../src/contract/pricing/models/index.ts';
import type { Price } from '../../src/contract/pricing/models/model.ts';
import type { Charge } from '../../src/contract/shown.ts';
import { unsigned } from '../../src/words/money.ts';
import { feesOf } from './usage-parts.ts';

/** More fees than these would take long to follow. */
const mostFees = 30;

const modelsWithSteps: ReadonlySet<unknown> = new Set([
  ...['graduated', 'graduated_percentage', 'package', 'percentage', 'volume'],
]);

/** Usage so far of a fee whose price has steps. */
export interface SteppedFee {
  /** As the usage shows it, before tax. */
  readonly cents: number;
  /** Cents before tax at so many times the units so far, not rounded. */
  at(times: Big): Big;
}

export function hasSteps({ charge }: ChargeUsage): boolean {
  return modelsWithSteps.has(charge?.charge_model);
}

/** The fees of these charges that have steps, priced as the plan has it; those that come to another amount are left out. */
export function steppedFees(parts: readonly ChargeUsage[], plan: readonly Charge[], currency: string): SteppedFee[] {
  const fees = parts.filter(hasSteps).flatMap(part => {
    const charge = plan.find(({ svc_id }) => svc_id !== undefined && svc_id === part.charge?.svc_id);
    const isPlain = charge?.prorated !== true && Object.keys(charge?.applied_pricing_unit ?? {}).length === 0;
    return charge === undefined || !isPlain ? [] : feesOf(part).map(fee => feeAt(fee, charge, currency));
  });
  const known = fees.filter(fee => fee !== null);
  return known.length > mostFees ? [] : known;
}

function feeAt(
  { figures, filter }: { figures: UsagePart; filter: unknown },
  charge: Charge,
  currency: string,
): SteppedFee | null {
  const same = JSON.stringify(filter);
  const priced = filter === null ? charge : charge.filters?.find(one => JSON.stringify(one.values ?? {}) === same);
  const price = shownPrice(charge.charge_model, priced?.properties);
  const [units, cents] = [unsigned(figures.units), figures.amount_cents];
  if (price === null || units === null || !units.gt(0) || typeof cents !== 'number') return null;
  const events = typeof figures.events_count === 'number' ? figures.events_count : null;
  const at = (times: Big) => centsAt(price, units.times(times), events && events * Number(times.toFixed()), currency);
  const now = at(new Big(1));
  return now?.minus(cents).abs().lt(1) ? { cents, at: times => at(times) ?? now.times(times) } : null;
}

/** Null where units and events do not decide the price. */
function centsAt(price: Price, units: Big, events: number | null, currency: string): Big | null {
  if (!units.gt(0)) return new Big(0);
  const usage = price.usageOf?.(units, events === null ? null : Math.round(events)) ?? { units };
  return typeof usage === 'string' ? null : costOfUsage(price, usage, currency).amount.times(minorUnits(currency));
}

/**
 * Cents with tax that the fees cost from now to a time (both in milliseconds). The period began so many milliseconds before
 * now; the next ones begin at `next`, with the length of it.
 */
export function growthOf(
  fees: readonly SteppedFee[],
  { now, passed, next, length }: { now: number; passed: number; next: number; length: number },
  withTax: (cents: Big) => Big,
): (at: number) => Big {
  const sum = (time: number) => fees.reduce((cents, fee) => cents.plus(fee.at(new Big(time).div(passed))), new Big(0));
  const [before, whole] = [sum(passed), sum(length)];
  return at => {
    if (at < next) return withTax(sum(passed + at - now).minus(before));
    const periods = Math.floor((at - next) / length);
    const rest = at - next - periods * length;
    return withTax(
      sum(next - now + passed)
        .minus(before)
        .plus(whole.times(periods))
        .plus(sum(rest)),
    );
  };
}
