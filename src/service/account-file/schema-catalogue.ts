/** Entries of an account file: billing entities, taxes, metrics, add-ons, coupons and plans. */
import * as z from 'zod';
import { addOn } from '../../contract/add-on.ts';
import { billingEntity } from '../../contract/billing-entity.ts';
import * as enums from '../../contract/enums.ts';
import { byKind, planFields, planOverrideFields } from '../../contract/plan-overrides.ts';
import * as is from './values.ts';

export const taxEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  description: is.text,
  rate: is.amountValue.describe('percent'),
  applied_to_organization: is.flag(false),
});

export const sectionEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  description: is.text,
  details: is.text,
  display_name: is.text,
  applied_to_organization: is.flag(false),
});

export const billingEntityEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  default_currency: is.currency.default('USD'),
  document_locale: is.locale.default('en'),
  document_numbering: z.enum(enums.documentNumberings).default('per_customer'),
  document_number_prefix: is.optional(
    z.string().min(1).max(10),
    'three letters of the name and four characters of the id',
  ),
  invoice_grace_period: z.int().nonnegative().default(0),
  invoice_footer: z.string().max(600).nullable().default(null),
  subscription_invoice_issuing_date_anchor: is.anchor.default('next_period_start'),
  subscription_invoice_issuing_date_adjustment: is.adjustment.default('align_with_finalization_date'),
  ...is.writable(billingEntity, []),
  email_settings: z.array(z.enum(enums.emailSettings)).default([]),
  logo_url: is.httpUrl.nullable().default(null),
  tax_codes: is.codes,
});

export const metricEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
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

export const addOnEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  ...is.writable(addOn, ['name']),
  tax_codes: is.codes,
});

export const couponEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  description: is.text,
  coupon_type: z.enum(enums.couponTypes).default('fixed_amount'),
  amount_cents: is.positiveCents.nullable().default(null),
  amount_currency: is.currency.nullable().default(null),
  percentage_rate: is.amountValue.nullable().default(null),
  frequency: z.enum(enums.couponFrequencies).default('once'),
  frequency_duration: z.int().positive().nullable().default(null),
  reusable: is.flag(true).describe('may be applied to one customer several times'),
  plan_codes: is.codes,
  billable_metric_codes: is.codes,
  status: z.enum(enums.lifeStatuses).default('active'),
  expiration: z.enum(enums.couponExpirations).default('no_expiration'),
  expiration_at: is.optionalInstant,
  terminated_at: is.optionalInstant.meta({ absent: 'created_at, when terminated' }),
});

/** plan-rules.ts checks them against the charge model. */
const properties = is.jsonObject.default({}).describe('what the charge model needs');

const chargeFilters = z.array(
  z.strictObject({
    id: z.uuid().toLowerCase().optional(),
    invoice_display_name: is.text,
    properties,
    values: z.record(z.string(), z.array(is.label).min(1)),
  }),
);

const charge = z.strictObject({
  ...is.common,
  code: is.optional(is.label, 'the metric’s code'),
  billable_metric_code: is.label,
  charge_model: z.enum(enums.chargeModels),
  invoiceable: is.flag(true),
  invoice_display_name: is.text,
  pay_in_advance: is.flag(false),
  regroup_paid_fees: z.enum(enums.feeGroupings).nullable().default(null),
  prorated: is.flag(false),
  min_amount_cents: z.int().nonnegative().default(0),
  properties,
  filters: chargeFilters.default([]),
  tax_codes: is.codes,
});

const fixedCharge = z.strictObject({
  ...is.common,
  code: is.optional(is.label, 'the add-on’s code'),
  add_on_code: is.label,
  charge_model: z.enum(enums.fixedChargeModels).default('standard'),
  invoice_display_name: is.text,
  pay_in_advance: is.flag(false),
  prorated: is.flag(false),
  properties,
  units: is.amountValue.default('1'),
  tax_codes: is.codes,
});

const privilege = z.strictObject({
  code: is.label,
  name: is.label,
  value_type: z.enum(enums.privilegeTypes),
  config: is.jsonObject.default({}),
  value: is.json,
});

export const usageThreshold = z.strictObject({
  id: z.uuid().toLowerCase().optional(),
  threshold_display_name: is.text,
  amount_cents: is.positiveCents,
  recurring: is.flag(false),
});

const asInPlan = 'as in the plan';
const dropped = 'dropped, as by an override of the API';
const codes = z.array(is.label);
const droppedCodes = is.optional(codes, dropped);
const ofOverride = {
  cents: is.optional(z.int().nonnegative(), asInPlan),
  currency: is.optional(is.currency, asInPlan),
  prices: is.optional(is.jsonObject, asInPlan).describe('what the charge model needs'),
  days: is.optional(is.amountValue, asInPlan).describe('days'),
  name: is.optional(is.label, asInPlan),
  text: is.optional(z.string().nullable(), asInPlan),
  codes: is.optional(codes, asInPlan),
  metadata: is.optional(is.metadataEntries, asInPlan),
};
const {
  charges: [{ id: _i, billable_metric_id: _b, code: _c, charge_model: _m, tax_codes: _t, ...chargeTerms }],
  fixed_charges: [{ id: _id, units: _u, apply_units_immediately: _a, ...fixedChargeTerms }],
} = planOverrideFields;

/** What a subscription overrides in its plan (service-behaviour §3.2). Quantities of fixed charges: `fixed_charge_units`. */
export const planOverrides = z.strictObject({
  ...byKind(planFields, ofOverride),
  tax_codes: droppedCodes,
  minimum_commitment: is.optional(
    z.strictObject({
      ...byKind(planOverrideFields.minimum_commitment, ofOverride),
      amount_cents: is.optional(is.positiveCents, asInPlan),
    }),
    dropped,
  ),
  charges: is.optional(
    z.array(
      z.strictObject({
        charge_code: is.label,
        ...byKind(chargeTerms, ofOverride),
        filters: is.optional(chargeFilters, asInPlan),
        tax_codes: droppedCodes,
      }),
    ),
    asInPlan,
  ),
  fixed_charges: is.optional(
    z.array(z.strictObject({ fixed_charge_code: is.label, ...byKind(fixedChargeTerms, ofOverride) })),
    asInPlan,
  ),
  usage_thresholds: is.optional(z.array(usageThreshold), asInPlan),
});

export const planEntry = z.strictObject({
  ...is.common,
  code: is.label,
  name: is.label,
  invoice_display_name: is.text,
  description: is.text,
  interval: z.enum(enums.intervals),
  amount_cents: z.int().nonnegative(),
  amount_currency: is.currency,
  trial_period: is.amountValue.default('0').describe('days'),
  pay_in_advance: is.flag(false),
  bill_charges_monthly: z.boolean().nullable().default(null),
  bill_fixed_charges_monthly: z.boolean().nullable().default(null),
  charges: z.array(charge).default([]),
  fixed_charges: z.array(fixedCharge).default([]),
  minimum_commitment: z
    .strictObject({ amount_cents: is.positiveCents, invoice_display_name: is.text, tax_codes: is.codes })
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
  tax_codes: is.codes,
  metadata: is.metadataObject,
  pending_deletion: is.flag(false),
});
