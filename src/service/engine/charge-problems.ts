/** Whether a plan's charges make sense (service-behaviour §9, end): what seed data is checked with. */
import type { BillableMetricRecord, ChargeRecord, FixedChargeRecord, JsonObject } from '../records.ts';
import type { Range } from './models/properties.ts';
import { rangesOf } from './models/properties.ts';

const COUNTABLE_IN_ADVANCE = ['count_agg', 'sum_agg', 'unique_count_agg', 'custom_agg'];
const PRORATED_IN_ARREARS = ['standard', 'volume', 'graduated'];
const FIXED_MODELS = ['standard', 'graduated', 'volume'];
const RANGE_KEYS: { [model: string]: string } = {
  graduated: 'graduated_ranges',
  graduated_percentage: 'graduated_percentage_ranges',
  volume: 'volume_ranges',
};
const DECIMAL = /^\d+(\.\d+)?$/;
const DECIMALS: { [model: string]: string[] } = {
  standard: ['amount'],
  package: ['amount'],
  percentage: ['rate'],
};
const OPTIONAL_DECIMALS: { [model: string]: string[] } = {
  percentage: [
    'fixed_amount',
    'free_units_per_total_aggregation',
    'per_transaction_min_amount',
    'per_transaction_max_amount',
  ],
};
const MODELS = [...Object.keys(RANGE_KEYS), 'standard', 'package', 'percentage', 'dynamic', 'custom'];

/** What is wrong with a usage charge, one sentence each; empty when it is valid. */
export function chargeProblems(charge: ChargeRecord, metric: BillableMetricRecord): string[] {
  const sets = [charge.properties, ...charge.filters.map(filter => filter.properties)];
  return [
    ...(MODELS.includes(charge.charge_model) ? [] : [`charge_model ${charge.charge_model} does not exist`]),
    ...sets.flatMap(properties => propertyProblems(charge.charge_model, properties)),
    ...advanceProblems(charge, metric),
    ...prorationProblems(charge, metric),
    ...filterProblems(charge, metric),
  ];
}

/** The same for a fixed charge. */
export function fixedChargeProblems(charge: FixedChargeRecord): string[] {
  const { charge_model: model } = charge;
  const problems = propertyProblems(model, charge.properties);
  if (!FIXED_MODELS.includes(model)) problems.push(`fixed charges are ${FIXED_MODELS.join(', ')}, not ${model}`);
  if (model === 'volume' && charge.pay_in_advance) problems.push('volume is never paid in advance');
  if (!DECIMAL.test(charge.units)) problems.push('units must be a non-negative decimal text');
  return problems;
}

function propertyProblems(model: string, properties: JsonObject): string[] {
  const problems = [
    ...(DECIMALS[model] ?? []).filter(key => !isDecimal(properties[key])),
    ...(OPTIONAL_DECIMALS[model] ?? []).filter(key => isGiven(properties[key]) && !isDecimal(properties[key])),
  ].map(key => `${key} must be a non-negative decimal text`);
  const whole = (key: string, least: number) => {
    const value = properties[key];
    if (!Number.isInteger(value) || Number(value) < least)
      problems.push(`${key} must be an integer of at least ${least}`);
  };
  if (model === 'package') {
    whole('package_size', 1);
    if (isGiven(properties.free_units)) whole('free_units', 0);
  }
  if (model === 'percentage' && isGiven(properties.free_units_per_events)) whole('free_units_per_events', 0);
  const key = RANGE_KEYS[model];
  return key ? [...problems, ...rangeProblems(properties, key)] : problems;
}

/** Ranges start at 0, follow on, and the last is open. They follow on when each starts at the end before, or one after it. */
function rangeProblems(properties: JsonObject, key: string): string[] {
  const raw = properties[key];
  if (!Array.isArray(raw) || raw.length === 0) return [`${key} must be a list of at least one range`];
  const amounts = key === 'graduated_percentage_ranges' ? ['rate', 'flat_amount'] : ['per_unit_amount', 'flat_amount'];
  const wrong = amounts.filter(name => raw.some(entry => !isDecimal((entry as JsonObject | null)?.[name])));
  if (wrong.length > 0) return wrong.map(name => `${key}: every ${name} must be a non-negative decimal text`);
  const ranges = rangesOf(properties, key);
  const problems: string[] = [];
  if (!ranges[0]?.from.eq(0)) problems.push(`${key} must start at 0`);
  if (ranges.at(-1)?.to !== null) problems.push(`${key}: the last to_value must be null`);
  if (ranges.some((range, i) => i > 0 && !followsOn(ranges[i - 1], range))) problems.push(`${key} must follow on`);
  return problems;
}

function followsOn(before: Range | undefined, range: Range): boolean {
  const end = before?.to;
  if (!end || range.to?.lt(range.from)) return false;
  return range.from.eq(end) || range.from.eq(end.plus(1));
}

function advanceProblems(charge: ChargeRecord, metric: BillableMetricRecord): string[] {
  const problems: string[] = [];
  if (charge.pay_in_advance) {
    if (charge.charge_model === 'volume') problems.push('volume is never paid in advance');
    if (!COUNTABLE_IN_ADVANCE.includes(metric.aggregation_type)) {
      problems.push(`a metric of type ${metric.aggregation_type} is never paid in advance`);
    }
    if (charge.min_amount_cents > 0) problems.push('min_amount_cents is for charges in arrears only');
  } else if (!charge.invoiceable) {
    problems.push('invoiceable false is for charges in advance only');
  }
  if (charge.regroup_paid_fees !== null && (!charge.pay_in_advance || charge.invoiceable)) {
    problems.push('regroup_paid_fees is for charges in advance that are not invoiceable');
  }
  return problems;
}

function prorationProblems(charge: ChargeRecord, metric: BillableMetricRecord): string[] {
  const { charge_model: model } = charge;
  const problems: string[] = [];
  if (model === 'percentage' || model === 'graduated_percentage') {
    if (metric.aggregation_type === 'latest_agg') problems.push(`${model} cannot price a metric of type latest_agg`);
  }
  if (!charge.prorated) return problems;
  if (!metric.recurring) problems.push('only recurring metrics are prorated');
  if (metric.aggregation_type === 'weighted_sum_agg') problems.push('weighted sums are never prorated');
  const allowed = charge.pay_in_advance ? ['standard'] : PRORATED_IN_ARREARS;
  if (!allowed.includes(model)) problems.push(`prorated charges are ${allowed.join(', ')} here, not ${model}`);
  return problems;
}

function filterProblems(charge: ChargeRecord, metric: BillableMetricRecord): string[] {
  const declared = new Set(metric.filters.map(filter => filter.key));
  const unknown = charge.filters.flatMap(filter => Object.keys(filter.values).filter(key => !declared.has(key)));
  return [...new Set(unknown)].map(key => `the metric declares no filter ${key}`);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && DECIMAL.test(value);
}
