/** The rules for the data of a plan (§9, "Validity of plan data"). */

import * as z from 'zod';
import type { AggregationType, ChargeModel } from '../contract/enums.ts';
import { modelFields, type Need, type PriceField, type PriceFields, priceFields } from '../contract/pricing/fields.ts';
import { ALL_FILTER_VALUES } from '../contract/pricing/filters.ts';
import { mapEntries } from '../lib/collections.ts';
import { valueProblem } from '../lib/value-problems.ts';
import { mayBillMonthly } from './periods.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  FixedChargeRecord,
  PlanRecord,
} from './records/index.ts';

type Path = readonly (string | number)[];

/** A rule that the data break. */
export interface BrokenRule {
  /** Leads to the field inside the charge, plan or metric that was checked. */
  path: Path;
  message: string;
  /** What the service answers; by default `value_is_invalid`. */
  code?: string;
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
const nonEmptyText = z.string().min(1);
const RECURRING: readonly AggregationType[] = ['sum_agg', 'unique_count_agg', 'weighted_sum_agg', 'custom_agg'];

/** An amount inside properties: decimal text (§1.6). */
const amountText = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, 'must be a decimal number as text, such as "0.05"');
const presentationKey = z.strictObject({
  value: nonEmptyText,
  options: z.strictObject({ display_in_invoice: z.boolean().optional() }).optional(),
});
const grouping = {
  grouped_by: z.array(nonEmptyText).describe('the same as pricing_group_keys').optional(),
  pricing_group_keys: z
    .array(nonEmptyText)
    .describe('event properties: one fee for each combination of their values')
    .optional(),
  presentation_group_keys: z
    .array(presentationKey)
    .describe('event properties that divide usage for display; no effect on prices')
    .optional(),
};

/** The properties of each charge model. */
export const propertiesByModel = mapEntries<Readonly<Record<string, Need>>, z.ZodType>(modelFields, (needs, model) => {
  if (model === 'custom') return z.looseObject({});
  const properties = z.strictObject({ ...mapEntries(needs, propertyOf), ...grouping });
  if (model !== 'dynamic') return properties;
  return properties.describe('the price comes with each event, in precise_total_amount_cents');
}) as Readonly<Record<ChargeModel, z.ZodType>>;

function propertyOf(need: Need, name: string): z.ZodType {
  const field = (priceFields as PriceFields)[name];
  if (field === undefined) throw new Error(`no price has a field ${name}`);
  if ('tier' in field)
    return z
      .array(z.strictObject(mapEntries(field.tier, inTier)))
      .min(1)
      .describe(field.meaning);
  const value = need === 'positive' ? z.int().positive().describe(field.meaning) : plainOf(field);
  if (need === null) return value.nullish();
  return typeof need === 'number' ? z._default(value, need) : value;
}

function inTier(field: PriceField, name: string): z.ZodType {
  return name === 'to_value' ? z.int().positive().nullable().describe(field.meaning) : plainOf(field);
}

function plainOf({ form, meaning }: PriceField): z.ZodType {
  return (form === 'integer' ? z.int().nonnegative() : amountText).describe(meaning);
}

/** The rules that a usage charge breaks. */
export function rulesBrokenByCharge(charge: CheckedCharge, metric: BillableMetricRecord): BrokenRule[] {
  const { charge_model: chargeModel, pay_in_advance: inAdvance, prorated } = charge;
  const type = metric.aggregation_type;
  const prorating: readonly ChargeModel[] = inAdvance ? ['standard'] : ['standard', 'volume', 'graduated'];
  const regroups = charge.regroup_paid_fees !== null;
  const rules: [broken: boolean, field: string, message: string][] = [
    [inAdvance && chargeModel === 'volume', 'pay_in_advance', 'volume charges are billed in arrears'],
    [
      inAdvance && !IN_ADVANCE.includes(type),
      'pay_in_advance',
      'only counts, sums and unique counts can be paid in advance',
    ],
    [inAdvance && charge.min_amount_cents > 0, 'min_amount_cents', 'a minimum is for charges in arrears only'],
    [prorated && !metric.recurring, 'prorated', 'only charges on recurring metrics can be prorated'],
    [prorated && type === 'weighted_sum_agg', 'prorated', 'a weighted sum is never prorated'],
    [prorated && !prorating.includes(chargeModel), 'prorated', 'this model cannot be prorated'],
    [type === 'latest_agg' && PERCENTAGES.includes(chargeModel), 'charge_model', 'a latest value takes no percentage'],
    [!charge.invoiceable && !inAdvance, 'invoiceable', 'only charges paid in advance can be left off invoices'],
    [regroups && (charge.invoiceable || !inAdvance), 'regroup_paid_fees', 'needs pay_in_advance and invoiceable false'],
  ];
  return [
    ...rules.flatMap(([broken, field, message]) =>
      brokenIf(broken, [field], `${message} (metric ${metric.code}, model ${chargeModel})`),
    ),
    ...rulesBrokenByProperties(charge),
    ...brokenByFilters(charge, metric),
  ];
}

/** The rules that a usage charge breaks whatever its metric is. */
export function rulesBrokenByProperties({ charge_model, properties, filters }: CheckedCharge): BrokenRule[] {
  return [
    ...brokenByProperties(charge_model, properties, ['properties']),
    ...filters.flatMap((filter, i) =>
      brokenByProperties(charge_model, filter.properties, ['filters', i, 'properties']),
    ),
  ];
}

/** The rules that a fixed charge breaks. */
export function rulesBrokenByFixedCharge(
  charge: Pick<FixedChargeRecord, 'charge_model' | 'pay_in_advance' | 'prorated' | 'properties'>,
): BrokenRule[] {
  const { charge_model: model, pay_in_advance: inAdvance, prorated } = charge;
  return [
    ...brokenIf(inAdvance && model === 'volume', ['pay_in_advance'], 'volume charges are billed in arrears'),
    ...brokenIf(
      inAdvance && prorated && model === 'graduated',
      ['prorated'],
      'graduated charges in advance are not prorated',
      'invalid_charge_model',
    ),
    ...brokenByProperties(charge.charge_model, charge.properties, ['properties']),
  ];
}

/** The rules that a plan breaks, without its charges. */
export function rulesBrokenByPlan(
  plan: Pick<PlanRecord, 'interval' | 'bill_charges_monthly' | 'bill_fixed_charges_monthly'>,
): BrokenRule[] {
  const fields = ['bill_charges_monthly', 'bill_fixed_charges_monthly'] as const;
  return fields.flatMap(field =>
    brokenIf(!!plan[field] && !mayBillMonthly(plan), [field], 'is for yearly and semiannual plans'),
  );
}

/** The rules that a metric breaks. */
export function rulesBrokenByMetric(
  metric: Pick<BillableMetricRecord, 'aggregation_type' | 'field_name' | 'recurring'>,
): BrokenRule[] {
  const type = metric.aggregation_type;
  return [
    ...brokenIf(type !== 'count_agg' && !metric.field_name, ['field_name'], `is needed by ${type}`),
    ...brokenIf(metric.recurring && !RECURRING.includes(type), ['recurring'], `is not for ${type}`),
  ];
}

function brokenByProperties(chargeModel: ChargeModel, properties: object, path: Path): BrokenRule[] {
  const { error } = propertiesByModel[chargeModel].safeParse(properties, { error: valueProblem });
  if (error) {
    return error.issues.map(issue => ({
      path: [...path, ...(issue.path as (string | number)[])],
      message: issue.message,
      code: codeOfIssue(issue),
    }));
  }
  return Object.entries(properties).flatMap(([name, value]) =>
    name.endsWith('_ranges')
      ? brokenByRanges(value, [...path, name]).map(rule => ({ ...rule, code: `invalid_${name}` }))
      : [],
  );
}

/** The service's code for properties of a wrong form (§3.2): `invalid_amount`, `missing_volume_ranges`. */
function codeOfIssue({ path, code }: z.core.$ZodIssue): string {
  const [name, leaf] = [path[0], path.at(-1)];
  if (name === undefined || code === 'unrecognized_keys') return 'value_is_invalid';
  if (path.length === 1) return `${String(name).endsWith('_ranges') ? 'missing' : 'invalid'}_${String(name)}`;
  if (leaf === 'per_unit_amount' || leaf === 'flat_amount') return 'invalid_amount';
  return leaf === 'rate' ? 'invalid_rate' : `invalid_${String(name)}`;
}

/** Ranges start at 0; each starts where the previous one ends, or one unit later; only the last has no end. */
function brokenByRanges(list: { from_value: number; to_value: number | null }[], path: Path): BrokenRule[] {
  return list.flatMap((range, i) => {
    const previous = list[i - 1];
    // After a range without an end, which is reported itself, any start is accepted.
    const endless = previous !== undefined && previous.to_value === null;
    const expected = previous ? Number(previous.to_value) + 1 : 0;
    const follows = endless || range.from_value === expected || (previous && range.from_value === previous.to_value);
    const last = i === list.length - 1;
    const rises = range.to_value === null || range.to_value >= range.from_value;
    return [
      ...brokenIf(!follows, [...path, i, 'from_value'], `must be ${expected}: ranges start at 0 and follow on`),
      ...brokenIf(
        last !== (range.to_value === null),
        [...path, i, 'to_value'],
        'must be null on the last range and on no other',
      ),
      ...brokenIf(!rises, [...path, i, 'to_value'], 'must not be below from_value'),
    ];
  });
}

function brokenByFilters(charge: CheckedCharge, metric: BillableMetricRecord): BrokenRule[] {
  const seen = new Set<string>();
  return charge.filters.flatMap((filter, i) => {
    const path = ['filters', i];
    const valuesAsText = JSON.stringify(Object.entries(filter.values).sort());
    const isRepeated = seen.has(valuesAsText);
    seen.add(valuesAsText);
    return [
      ...brokenIf(Object.keys(filter.values).length === 0, [...path, 'values'], 'must name at least one key'),
      ...Object.entries(filter.values).flatMap(([key, values]) => {
        const at = [...path, 'values', key];
        const declared = metric.filters.find(each => each.key === key)?.values;
        if (!declared) return brokenIf(true, at, `is no filter of the metric ${metric.code}`);
        const unknown = values.filter(value => value !== ALL_FILTER_VALUES && !declared.includes(value));
        return unknown.flatMap(value => brokenIf(true, at, `the metric ${metric.code} does not list "${value}"`));
      }),
      ...brokenIf(isRepeated, [...path, 'values'], 'is there twice'),
    ];
  });
}

function brokenIf(broken: boolean, path: Path, message: string, code?: string): BrokenRule[] {
  return broken ? [{ path, message, ...(code && { code }) }] : [];
}
