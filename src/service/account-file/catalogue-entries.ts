/** What is measured, sold once or taken off: billable metrics, add-ons and coupons. */
import * as z from 'zod';
import { addOn } from '../../contract/add-on.ts';
import * as enums from '../../contract/enums.ts';
import { parseExpression } from '../../engine/expression.ts';
import { rulesBrokenByMetric } from '../../engine/plan-rules.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';

const metricEntry = z.strictObject({
  ...is.coded,
  description: is.text,
  aggregation_type: z.enum(enums.aggregationTypes),
  field_name: is.text.describe('the event property; needed by all but count_agg'),
  expression: is.text.describe('arithmetic over `event.properties.…`, stored under field_name'),
  recurring: is.flag(false),
  rounding_function: z.enum(enums.roundingFunctions).nullable().default(null),
  rounding_precision: z.int().nullable().default(null),
  weighted_interval: z.enum(enums.weightedIntervals).nullable().default(null),
  filters: z.array(z.strictObject({ key: is.label, values: z.array(is.label).min(1) })).default([]),
});

const addOnEntry = z.strictObject({
  ...is.coded,
  ...is.writable(addOn, ['name']),
  tax_codes: is.taxCodes,
});

const couponEntry = z.strictObject({
  ...is.coded,
  description: is.text,
  coupon_type: z.enum(enums.couponTypes).default('fixed_amount'),
  ...is.fields(is.positiveCents.nullable().default(null), 'amount_cents', 'frequency_duration'),
  amount_currency: is.currency.nullable().default(null),
  percentage_rate: is.optionalAmount,
  frequency: z.enum(enums.couponFrequencies).default('once'),
  reusable: is.flag(true).describe('may be applied to one customer several times'),
  plan_codes: is.codesOf('plans'),
  billable_metric_codes: is.codesOf('billable_metrics'),
  status: z.enum(enums.lifeStatuses).default('active'),
  expiration: z.enum(enums.couponExpirations).default('no_expiration'),
  expiration_at: is.optionalInstant,
  terminated_at: is.endInstant,
});

export const metricList = listOf(metricEntry, builder => entry => {
  const { code, expression } = entry;
  builder.checkRules(rulesBrokenByMetric(entry));
  if (expression) builder.evaluate('expression', () => parseExpression(expression));
  const weighted = entry.aggregation_type === 'weighted_sum_agg' ? 'seconds' : entry.weighted_interval;
  const base = builder.idAndTimes('billable_metric', code, entry);
  builder.add('billable_metrics', code, { ...entry, ...base, weighted_interval: weighted });
});

export const addOnList = listOf(addOnEntry, builder => entry => {
  const base = builder.idAndTimes('add_on', entry.code, entry);
  builder.add('add_ons', entry.code, { ...entry, ...base, deleted_at: null });
});

export const couponList = listOf(couponEntry, builder => entry => {
  const { amount_cents: cents, amount_currency: currency, percentage_rate: rate, frequency } = entry;
  const fixed = entry.coupon_type === 'fixed_amount';
  const base = builder.idAndTimes('coupon', entry.code, entry);
  builder.check(!fixed || cents !== null, 'amount_cents', 'is needed by a fixed amount');
  builder.check(!fixed || currency !== null, 'amount_currency', 'is needed by a fixed amount');
  builder.check(fixed || rate !== null, 'percentage_rate', 'is needed by a percentage');
  const hasDuration = frequency !== 'recurring' || entry.frequency_duration !== null;
  builder.check(hasDuration, 'frequency_duration', 'is needed by a recurring coupon');
  builder.add('coupons', entry.code, { ...entry, ...base, terminated_at: endOf(builder, entry, base.created_at) });
});

/** When a coupon, or an application of it, ended: unless stated, when it was created. */
export function endOf(
  builder: AccountBuilder,
  { status, terminated_at: stated }: { status: enums.LifeStatus; terminated_at: string | null },
  created: string,
  at: readonly (string | number)[] = [],
): string | null {
  const isTerminated = status === 'terminated';
  builder.check(isTerminated || stated === null, [...at, 'terminated_at'], 'is only for a terminated one');
  return stated ?? (isTerminated ? created : null);
}
