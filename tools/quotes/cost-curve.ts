/** What plans cost at other usage than the assumed one, for the lines on the chat page of a comparison. */
import Big from 'big.js';
import type { AssumedUse } from './assumed-usage.ts';
import type { Quote } from './quote.ts';

/** Steps of a line from no usage to twice the assumed one, or beyond the point at which the cheaper plan changes. */
const steps = 24;

/**
 * `{ billable_metric_code, assumed, units, plans }`: each plan's cost in cents, by its code, at each number of units of the
 * first metric, the other usage being as assumed. A plan whose cost is not certain is left out. Null where fewer than two
 * are left, and where a number of events goes with the units, which would not be known for others.
 */
export function costCurve<Plan extends { code: string }>(
  plans: readonly Plan[],
  [varied, ...others]: readonly AssumedUse[],
  breakEven: readonly { readonly units: number }[],
  quote: (plan: Plan, uses: readonly AssumedUse[]) => Quote,
): object | null {
  if (varied === undefined || varied.events !== null || varied.units.lte(0)) return null;
  const twice = varied.units.times(2);
  // A change that is far off would make the assumed usage too small to see.
  const changes = breakEven.map(({ units }) => new Big(units).times(1.25).prec(2, Big.roundUp));
  const end = changes.filter(at => at.lte(twice.times(10))).reduce((most, at) => (at.gt(most) ? at : most), twice);
  const units = Array.from({ length: steps + 1 }, (_, step) => end.times(step).div(steps).round(6));
  const lines = plans.flatMap(plan => {
    const quotes = units.map(at => quote(plan, [{ ...varied, units: at }, ...others]));
    const certain = quotes.every(({ lowerBy, higherBy }) => lowerBy === 0 && higherBy === 0);
    return certain ? [[plan.code, quotes.map(each => each.sub_total_including_taxes_amount_cents)] as const] : [];
  });
  if (lines.length < 2) return null;
  return {
    billable_metric_code: varied.metric,
    assumed: varied.units.toNumber(),
    units: units.map(at => at.toNumber()),
    plans: Object.fromEntries(lines),
  };
}
