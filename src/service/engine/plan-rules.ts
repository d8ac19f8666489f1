/** The rules for the data of a plan (§9, "Validity of plan data"). */

import * as z from 'zod';
import type { AggregationType, ChargeModel } from '../../model/enums.ts';
import { ALL_FILTER_VALUES } from '../../pricing/filters.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  FixedChargeRecord,
  PlanRecord,
} from '../records/index.ts';

type Path = readonly (string | number)[];

/** Names the first broken rule; `path` leads to the field inside the charge, plan or metric that was checked. */
export class PlanRuleBroken extends Error {
  override name = 'PlanRuleBroken';
  readonly path: Path;

  constructor(path: Path, message: string) {
    super(message);
    this.path = path;
  }
}

interface CheckedCharge
  extends Pick<
    ChargeRecord,
    | 'charge_model'
    | 'pay_in_advance'
    | 'min_amount_cents'
    | 'prorated'
    | 'invoiceable'
    | 'regroup_paid_fees'
    | 'properties'
  > {
  filters: Pick<ChargeFilterRecord, 'values' | 'properties'>[];
}

const IN_ADVANCE: readonly AggregationType[] = ['count_agg', 'sum_agg', 'unique_count_agg', 'custom_agg'];
const PERCENTAGES: readonly ChargeModel[] = ['percentage', 'graduated_percentage'];
const label = z.string().min(1);
const RECURRING: readonly AggregationType[] = ['sum_agg', 'unique_count_agg', 'weighted_sum_agg', 'custom_agg'];

/** Amounts inside properties are text (§1.6). */
const amountText = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, 'must be a decimal number as text, such as "0.05"');
const grouping = { grouped_by: z.array(label).optional(), pricing_group_keys: z.array(label).optional() };
const bounds = { from_value: z.int().nonnegative(), to_value: z.int().positive().nullable() };
const ranges = (fields: z.ZodRawShape) => z.array(z.strictObject({ ...bounds, ...fields })).min(1);
const tiers = ranges({ flat_amount: amountText, per_unit_amount: amountText });
const model = (fields: z.ZodRawShape) => z.strictObject({ ...fields, ...grouping });

/** The properties of each charge model. */
export const propertiesByModel: Readonly<Record<ChargeModel, z.ZodType>> = {
  standard: model({ amount: amountText }),
  package: model({
    amount: amountText,
    package_size: z.int().positive(),
    free_units: z.int().nonnegative().default(0),
  }),
  graduated: model({ graduated_ranges: tiers }),
  graduated_percentage: model({
    graduated_percentage_ranges: ranges({ flat_amount: amountText, rate: amountText }),
  }),
  volume: model({ volume_ranges: tiers }),
  percentage: model({
    rate: amountText,
    fixed_amount: amountText.nullish(),
    free_units_per_events: z.int().nonnegative().nullish(),
    free_units_per_total_aggregation: amountText.nullish(),
    per_transaction_min_amount: amountText.nullish(),
    per_transaction_max_amount: amountText.nullish(),
  }),
  dynamic: model({}),
  custom: z.looseObject({}),
};

/** Throws `PlanRuleBroken` at the first rule that a usage charge breaks. */
export function checkCharge(charge: CheckedCharge, metric: BillableMetricRecord): void {
  const { charge_model: chargeModel, pay_in_advance: inAdvance } = charge;
  const rule = (broken: boolean, field: string, message: string) =>
    requireThat(!broken, [field], `${message} (metric ${metric.code}, model ${chargeModel})`);
  const type = metric.aggregation_type;
  rule(inAdvance && chargeModel === 'volume', 'pay_in_advance', 'volume charges are billed in arrears');
  rule(
    inAdvance && !IN_ADVANCE.includes(type),
    'pay_in_advance',
    'only counts, sums and unique counts can be paid in advance',
  );
  rule(inAdvance && charge.min_amount_cents > 0, 'min_amount_cents', 'a minimum is for charges in arrears only');
  rule(charge.prorated && !metric.recurring, 'prorated', 'only charges on recurring metrics can be prorated');
  rule(charge.prorated && type === 'weighted_sum_agg', 'prorated', 'a weighted sum is never prorated');
  const prorating: readonly ChargeModel[] = inAdvance ? ['standard'] : ['standard', 'volume', 'graduated'];
  rule(charge.prorated && !prorating.includes(chargeModel), 'prorated', 'this model cannot be prorated');
  rule(
    type === 'latest_agg' && PERCENTAGES.includes(chargeModel),
    'charge_model',
    'a latest value takes no percentage',
  );
  rule(!charge.invoiceable && !inAdvance, 'invoiceable', 'only charges paid in advance can be left off invoices');
  const regroups = charge.regroup_paid_fees !== null;
  rule(
    regroups && (charge.invoiceable || !inAdvance),
    'regroup_paid_fees',
    'needs pay_in_advance and invoiceable false',
  );
  checkProperties(chargeModel, charge.properties, ['properties']);
  checkFilters(charge, metric);
}

/** Throws `PlanRuleBroken`. */
export function checkFixedCharge(
  charge: Pick<FixedChargeRecord, 'charge_model' | 'pay_in_advance' | 'properties'>,
): void {
  const volumeInAdvance = charge.charge_model === 'volume' && charge.pay_in_advance;
  requireThat(!volumeInAdvance, ['pay_in_advance'], 'volume charges are billed in arrears');
  checkProperties(charge.charge_model, charge.properties, ['properties']);
}

/** Throws `PlanRuleBroken`. */
export function checkPlan(
  plan: Pick<PlanRecord, 'interval' | 'bill_charges_monthly' | 'bill_fixed_charges_monthly'>,
): void {
  for (const field of ['bill_charges_monthly', 'bill_fixed_charges_monthly'] as const) {
    const longPeriod = plan.interval === 'yearly' || plan.interval === 'semiannual';
    requireThat(!plan[field] || longPeriod, [field], 'is for yearly and semiannual plans');
  }
}

/** Throws `PlanRuleBroken`. */
export function checkMetric(metric: Pick<BillableMetricRecord, 'aggregation_type' | 'field_name' | 'recurring'>): void {
  const type = metric.aggregation_type;
  requireThat(type === 'count_agg' || !!metric.field_name, ['field_name'], `is needed by ${type}`);
  requireThat(!metric.recurring || RECURRING.includes(type), ['recurring'], `is not for ${type}`);
}

function checkProperties(chargeModel: ChargeModel, properties: object, path: Path): void {
  const result = propertiesByModel[chargeModel].safeParse(properties);
  if (!result.success) {
    const [issue] = result.error.issues;
    if (issue === undefined) throw result.error;
    throw new PlanRuleBroken([...path, ...(issue.path as (string | number)[])], issue.message);
  }
  for (const [name, value] of Object.entries(properties)) {
    if (name.endsWith('_ranges')) checkRanges(value, [...path, name]);
  }
}

/** Ranges start at 0; each starts where the previous one ends, or one unit later; only the last has no end. */
function checkRanges(list: { from_value: number; to_value: number | null }[], path: Path): void {
  list.forEach((range, i) => {
    const previous = list[i - 1];
    const expected = previous ? Number(previous.to_value) + 1 : 0;
    const follows = range.from_value === expected || (previous && range.from_value === previous.to_value);
    requireThat(!!follows, [...path, i, 'from_value'], `must be ${expected}: ranges start at 0 and follow on`);
    const last = i === list.length - 1;
    requireThat(
      last === (range.to_value === null),
      [...path, i, 'to_value'],
      'must be null on the last range and on no other',
    );
    const rises = range.to_value === null || range.to_value >= range.from_value;
    requireThat(rises, [...path, i, 'to_value'], 'must not be below from_value');
  });
}

function checkFilters(charge: CheckedCharge, metric: BillableMetricRecord): void {
  const seen = new Set<string>();
  charge.filters.forEach((filter, i) => {
    const at = ['filters', i];
    requireThat(Object.keys(filter.values).length > 0, [...at, 'values'], 'must name at least one key');
    for (const [key, values] of Object.entries(filter.values)) {
      const declared = metric.filters.find(each => each.key === key)?.values;
      requireThat(!!declared, [...at, 'values', key], `is no filter of the metric ${metric.code}`);
      const unknown = values.find(value => value !== ALL_FILTER_VALUES && !declared.includes(value));
      requireThat(
        unknown === undefined,
        [...at, 'values', key],
        `the metric ${metric.code} does not list "${unknown}"`,
      );
    }
    const same = JSON.stringify(Object.entries(filter.values).sort());
    requireThat(!seen.has(same), [...at, 'values'], 'is there twice');
    seen.add(same);
    checkProperties(charge.charge_model, filter.properties, [...at, 'properties']);
  });
}

function requireThat(condition: boolean, path: Path, message: string): asserts condition {
  if (!condition) throw new PlanRuleBroken(path, message);
}
