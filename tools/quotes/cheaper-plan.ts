/** Which plan of a comparison costs less: by how much, for certain or not, from which usage, and what all cost at other usage. */
import Big from 'big.js';
import { type AssumedUse, courseOf } from './assumed-usage.ts';
import { breakEven, endOfLeast } from './break-even.ts';
import type { ComparedPlan, Figure, PlanRow, QuoteOf, Subject } from './compared-plans.ts';
import { monthsOf } from './quote.ts';

/** How much more a plan costs than the first one: in cents, or as bounds, of which one that does not exist is null. */
export function differenceOf(
  one: PlanRow,
  base: PlanRow,
  figure: Figure,
  name: 'difference' | 'yearly_difference',
): Partial<ComparedPlan> {
  const difference = Number(one.row[figure]) - Number(base.row[figure]);
  if (!Number.isSafeInteger(difference)) return {};
  if (one === base || [one, base].every(({ lowerBy, higherBy }) => lowerBy === 0 && higherBy === 0))
    return { [`${name}_cents`]: one === base ? 0 : difference };
  return {
    [`${name}_range`]: {
      from_cents: one.lowerBy === null || base.higherBy === null ? null : difference - one.lowerBy - base.higherBy,
      to_cents: one.higherBy === null || base.lowerBy === null ? null : difference + one.higherBy + base.lowerBy,
    },
  };
}

/**
 * The plan whose figure is lowest, whatever was not counted. Null if that is not certain, if currencies differ, if a
 * cost cannot be brought to a year, and if usage is scaled: a list of plans does not say whether a metric is a level,
 * such as seats.
 */
export function cheapestOf(planRows: readonly PlanRow[], figure: Figure): string | null {
  const amount = ({ row }: PlanRow) => Number(row[figure]);
  const [lowest, ...others] = [...planRows].sort((a, b) => amount(a) - amount(b));
  if (lowest === undefined || others.length === 0) return null;
  if (planRows.some(({ scaled }) => scaled)) return null;
  const certain = others.every(
    other =>
      other.row.currency === lowest.row.currency &&
      Number.isSafeInteger(amount(other)) &&
      other.lowerBy !== null &&
      lowest.higherBy !== null &&
      amount(other) - other.lowerBy >= amount(lowest) + lowest.higherBy,
  );
  return certain ? lowest.row.plan_code : null;
}

/** From how many units of the first metric on another of two plans is the cheaper one, the other usage being as assumed. */
export function changesOf(
  computed: readonly Subject[],
  assumed: readonly AssumedUse[],
  quoteOf: QuoteOf,
  rows: readonly ComparedPlan[],
): { billable_metric_code: string; units: number; cheaper_plan_code: string }[] {
  const [first, second] = computed;
  const [varied, ...others] = assumed;
  if (first === undefined || second === undefined || varied === undefined || computed.length > 2) return [];
  if (first.invoice.currency !== second.invoice.currency || first.interval !== second.interval) return [];
  // A number of events belongs to its units: for other units it would not be known.
  if (varied.events !== null || rows.some(({ range }) => range !== undefined)) return [];
  const costs = (subject: Subject, units: number): number | null => {
    const use = { ...varied, units: new Big(units) };
    const quoted = quoteOf(subject, [use, ...others]);
    return quoted.lowerBy !== 0 || quoted.higherBy !== 0 ? null : quoted.sub_total_including_taxes_amount_cents;
  };
  const courses = [first, second].map(({ plan }) => {
    const charges = (plan?.charges ?? []).filter(charge => charge.billable_metric_code === varied.metric);
    return courseOf(charges, varied, others, monthsOf(plan, 'bill_charges_monthly'));
  });
  const course = {
    ends: [
      ...courses.flatMap(({ ends }) => ends),
      ...[first, second].map(subject => endOfLeast(units => costs(subject, units))),
    ],
    packages: courses.flatMap(({ packages }) => packages),
  };
  const difference = (units: number): number | null => {
    const [one, two] = [costs(first, units), costs(second, units)];
    return one === null || two === null ? null : two - one;
  };
  return breakEven(difference, course).map(({ units, plan }) => ({
    billable_metric_code: varied.metric,
    units,
    cheaper_plan_code: (plan === 'first' ? first : second).code,
  }));
}

/** Steps of a line from no usage to twice the assumed one, or beyond the point at which the cheaper plan changes. */
const steps = 24;

/**
 * `{ billable_metric_code, assumed, units, plans }`: each plan's cost in cents, by its code, at each number of units of the
 * first metric, the other usage being as assumed. A plan whose cost is not certain is left out. Null where fewer than two
 * are left, and where a number of events goes with the units, which would not be known for others.
 */
export function costCurve(
  subjects: readonly Subject[],
  [varied, ...others]: readonly AssumedUse[],
  changes: ReturnType<typeof changesOf>,
  quoteOf: QuoteOf,
): object | null {
  if (varied === undefined || varied.events !== null || varied.units.lte(0)) return null;
  const twice = varied.units.times(2);
  // A change that is far off would make the assumed usage too small to see.
  const ends = changes.map(({ units }) => new Big(units).times(1.25).prec(2, Big.roundUp));
  const end = ends.filter(at => at.lte(twice.times(10))).reduce((most, at) => (at.gt(most) ? at : most), twice);
  const units = Array.from({ length: steps + 1 }, (_, step) => end.times(step).div(steps).round(6));
  const lines = subjects.flatMap(subject => {
    const quotes = units.map(at => quoteOf(subject, [{ ...varied, units: at }, ...others]));
    const certain = quotes.every(({ lowerBy, higherBy }) => lowerBy === 0 && higherBy === 0);
    return certain ? [[subject.code, quotes.map(each => each.sub_total_including_taxes_amount_cents)] as const] : [];
  });
  if (lines.length < 2) return null;
  return {
    billable_metric_code: varied.metric,
    assumed: varied.units.toNumber(),
    units: units.map(at => at.toNumber()),
    plans: Object.fromEntries(lines),
  };
}
