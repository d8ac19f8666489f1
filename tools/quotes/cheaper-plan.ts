/** Which plan of a comparison costs less: by how much, for certain or not, and from which usage. */
import Big from 'big.js';
import { type AssumedUse, courseOf } from './assumed-usage.ts';
import { breakEven, endOfLeast } from './break-even.ts';
import type { Change, ComparedPlan, Figure, PlanRow, QuoteOf, Subject } from './compared-plans.ts';
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

/** Where the cheaper of two plans changes with the units of the first metric, the other usage being as assumed. */
export function changesOf(
  computed: readonly Subject[],
  assumed: readonly AssumedUse[],
  quoteOf: QuoteOf,
  rows: readonly ComparedPlan[],
): Change[] {
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
