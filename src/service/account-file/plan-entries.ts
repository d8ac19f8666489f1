/** Plans, with their charges, commitments and thresholds. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { mayBillMonthly } from '../../engine/periods.ts';
import {
  rulesBrokenByCharge,
  rulesBrokenByFixedCharge,
  rulesBrokenByPlan,
  rulesBrokenByProperties,
} from '../../engine/plan-rules.ts';
import type { PlanRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import * as is from './values.ts';

/** plan-rules.ts checks them against the charge model. */
const properties = is.jsonObject.default({}).describe('what the charge model needs');

export const chargeFilters = z.array(
  z.strictObject({
    id: is.id,
    invoice_display_name: is.text,
    properties,
    values: z.record(z.string(), z.array(is.label).min(1)),
  }),
);

const charge = z.strictObject({
  ...is.common,
  code: is.optional(is.label, 'the metric’s code'),
  billable_metric_code: is.referenceTo('billable_metrics'),
  charge_model: z.enum(enums.chargeModels),
  invoiceable: is.flag(true),
  invoice_display_name: is.text,
  ...is.fields(is.flag(false), 'pay_in_advance', 'prorated'),
  regroup_paid_fees: z.enum(enums.feeGroupings).nullable().default(null),
  min_amount_cents: is.count.default(0),
  properties,
  filters: chargeFilters.default([]),
  tax_codes: is.taxCodes,
});

const fixedCharge = z.strictObject({
  ...is.common,
  code: is.optional(is.label, 'the add-on’s code'),
  add_on_code: is.referenceTo('add_ons'),
  charge_model: z.enum(enums.fixedChargeModels).default('standard'),
  invoice_display_name: is.text,
  ...is.fields(is.flag(false), 'pay_in_advance', 'prorated'),
  properties,
  units: is.amountValue.default('1'),
  tax_codes: is.taxCodes,
});

const privilege = z.strictObject({
  code: is.label,
  name: is.label,
  value_type: z.enum(enums.privilegeTypes),
  config: is.jsonObject.default({}),
  value: is.json,
});

export const usageThreshold = z.strictObject({
  id: is.id,
  threshold_display_name: is.text,
  amount_cents: is.positiveCents,
  recurring: is.flag(false),
});

const planEntry = z.strictObject({
  ...is.coded,
  ...is.fields(is.text, 'invoice_display_name', 'description'),
  interval: z.enum(enums.intervals),
  amount_cents: is.count,
  amount_currency: is.currency,
  trial_period: is.amountValue.default('0').describe('days'),
  pay_in_advance: is.flag(false),
  ...is.fields(z.boolean().nullable().default(null), 'bill_charges_monthly', 'bill_fixed_charges_monthly'),
  charges: z.array(charge).default([]),
  fixed_charges: z.array(fixedCharge).default([]),
  minimum_commitment: z
    .strictObject({ amount_cents: is.positiveCents, invoice_display_name: is.text, tax_codes: is.taxCodes })
    .nullable()
    .default(null),
  usage_thresholds: z.array(usageThreshold).default([]),
  entitlements: z
    .array(
      z.strictObject({
        code: is.label,
        name: is.label,
        description: is.text,
        privileges: z.array(privilege).default([]),
      }),
    )
    .default([]),
  tax_codes: is.taxCodes,
  metadata: is.metadataObject,
  pending_deletion: is.flag(false),
});
type PlanEntry = z.output<typeof planEntry>;

export const planList = listOf(planEntry, builder => entry => {
  const base = builder.idAndTimes('plan', entry.code, entry);
  const times = { created_at: base.created_at, updated_at: base.updated_at };
  const commitment = entry.minimum_commitment;
  builder.checkRules(rulesBrokenByPlan(entry));
  const fixed = fixedCharges(builder, entry, base.created_at);
  builder.add('plans', entry.code, {
    ...entry,
    ...base,
    ...monthlyBilling(entry),
    parent_id: null,
    charges: charges(builder, entry, base.created_at),
    fixed_charges: fixed,
    minimum_commitment: commitment && { id: idOf('commitment', entry.code), ...commitment, ...times },
    usage_thresholds: thresholdsOf(entry, entry.code, times),
  });
});

/** The thresholds of a plan or a subscription. */
export function thresholdsOf<Times extends object>(
  { usage_thresholds: thresholds }: { usage_thresholds: z.output<typeof usageThreshold>[] },
  key: string,
  times: Times,
) {
  return thresholds.map((each, i) => ({ ...each, id: each.id ?? idOf('usage_threshold', `${key} ${i}`), ...times }));
}

/** False unless stated where the period is long; null on all other plans (§3.14). */
function monthlyBilling(entry: PlanEntry) {
  const stated = (flag: boolean | null) => (mayBillMonthly(entry) ? (flag ?? false) : null);
  return {
    bill_charges_monthly: stated(entry.bill_charges_monthly),
    bill_fixed_charges_monthly: stated(entry.bill_fixed_charges_monthly),
  };
}

function charges(builder: AccountBuilder, entry: PlanEntry, created: string): PlanRecord['charges'] {
  const codes = new Set<string>();
  return builder.parts(entry.charges, ({ billable_metric_code: metricCode, ...charge }, i) => {
    const at = ['charges', i];
    const code = charge.code ?? metricCode;
    builder.check(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    const metric = builder.find('billable_metrics', metricCode);
    builder.checkRules(metric ? rulesBrokenByCharge(charge, metric) : rulesBrokenByProperties(charge), at);
    const id = charge.id ?? idOf('charge', `${entry.code} ${code}`);
    return {
      ...charge,
      id,
      code,
      parent_id: null,
      billable_metric_id: builder.get('billable_metrics', metricCode).id,
      filters: charge.filters.map((filter, n) => ({ ...filter, id: filter.id ?? idOf('charge_filter', `${id} ${n}`) })),
      created_at: charge.created_at ?? created,
    };
  });
}

function fixedCharges(builder: AccountBuilder, entry: PlanEntry, created: string): PlanRecord['fixed_charges'] {
  const codes = new Set<string>();
  return builder.parts(entry.fixed_charges, ({ add_on_code: addOnCode, ...charge }, i) => {
    const at = ['fixed_charges', i];
    const code = charge.code ?? addOnCode;
    builder.check(!codes.has(code), [...at, 'code'], `"${code}" is there twice in this plan`);
    codes.add(code);
    builder.checkRules(rulesBrokenByFixedCharge(charge), at);
    return {
      ...charge,
      id: charge.id ?? idOf('fixed_charge', `${entry.code} ${code}`),
      code,
      parent_id: null,
      add_on_id: builder.get('add_ons', addOnCode).id,
      created_at: charge.created_at ?? created,
    };
  });
}
