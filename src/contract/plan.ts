/** A plan: its prices and charges (specification, "Plan"; service-behaviour §3.14, §9). */
import * as z from 'zod';
import {
  aggregationTypes,
  chargeModels,
  fixedChargeModels,
  intervals,
  privilegeTypes,
  roundingFunctions,
  weightedIntervals,
} from './enums.ts';
import {
  anything,
  cents,
  currency,
  flag,
  holding,
  integer,
  list,
  number,
  oneOf,
  record,
  text,
  texts,
  uuid,
} from './fields.ts';
import { chargeProperties, createdAt, metadataObject, svcId, tax, updatedAt, usageThreshold } from './shared.ts';

const charge = z.looseObject({
  svc_id: svcId,
  svc_parent_id: uuid('The charge of the parent plan that this one overrides; null on a parent'),
  code: text('Code of the charge'),
  svc_billable_metric_id: uuid('The metric'),
  billable_metric_code: text('Code of the metric'),
  charge_model: oneOf('Price model', ...chargeModels),
  invoiceable: flag('Put on invoices; false only with pay_in_advance'),
  invoice_display_name: text('Name on invoices'),
  pay_in_advance: flag('Billed at each event; otherwise at the end of the period'),
  regroup_paid_fees: oneOf('Grouping of fees paid in advance', 'null', 'invoice'),
  prorated: flag('Priced by the part of the period'),
  min_amount_cents: cents('Least amount of a period'),
  properties: chargeProperties,
  filters: list(
    z.looseObject({
      svc_id: svcId,
      charge_code: text('Code of the charge'),
      invoice_display_name: text('Name on invoices'),
      properties: chargeProperties,
      values: anything('Event property to its list of values'),
    }),
    'Other prices for events with certain properties',
  ),
  taxes: list(tax, "The charge's own taxes"),
  accepts_target_wallet: flag('Events may name the wallet that pays'),
  applied_pricing_unit: record(
    {
      code: text('Its code'),
      conversion_rate: holding('decimal', text('What one unit costs in the currency of the plan, decimal')),
    },
    'Pricing unit of its prices; null where they are money',
  ),
  created_at: createdAt,
});

const fixedCharge = z.looseObject({
  svc_id: svcId,
  svc_add_on_id: uuid('The add-on'),
  svc_parent_id: uuid('The fixed charge it overrides; null on a parent'),
  code: text('Code'),
  add_on_code: text('Code of the add-on'),
  invoice_display_name: text('Name on invoices'),
  charge_model: oneOf('Price model', ...fixedChargeModels),
  pay_in_advance: flag('Billed at the start of the period'),
  prorated: flag('Priced by the part of the period'),
  properties: chargeProperties,
  units: holding(
    'decimal',
    z.union([z.number(), z.string()]).nullish().describe('Quantity (integer, or decimal string on some installations)'),
  ),
  taxes: list(tax, 'Its own taxes'),
  created_at: createdAt,
});

const entitlementFields = {
  code: text('Code of the feature'),
  name: text('Name'),
  description: text('Description'),
  privileges: list(
    z.looseObject({
      code: text('Code'),
      name: text('Name'),
      value_type: oneOf('Kind of value', ...privilegeTypes),
      config: record({ select_options: texts('Choices of a select') }, 'Settings'),
      value: z.unknown().optional().describe('Value, by value_type'),
    }),
    'What is allowed',
  ),
};

export const plan = z.looseObject({
  svc_id: svcId,
  parent_id: uuid('The plan it overrides for one subscription; null on a parent'),
  name: text('Name'),
  code: text('Unique code, shared with overriding plans'),
  invoice_display_name: text('Name on invoices'),
  description: text('Description'),
  interval: oneOf('How often it is billed', ...intervals),
  amount_cents: cents('Plan fee of an interval'),
  amount_currency: currency(),
  trial_period: number('Days of trial, may be fractional'),
  pay_in_advance: flag('The plan fee is billed at the start of the interval'),
  bill_charges_monthly: flag('Usage of longer intervals is billed monthly; null where it makes no difference'),
  bill_fixed_charges_monthly: flag(
    'Fixed charges of longer intervals are billed monthly; null where it makes no difference',
  ),
  minimum_commitment: record(
    {
      svc_id: svcId,
      amount_cents: cents('Least total of an interval'),
      invoice_display_name: text('Name on invoices'),
      interval: text('Interval'),
      plan_code: text('Plan'),
      taxes: list(tax, 'Its own taxes'),
      created_at: createdAt,
      updated_at: updatedAt,
    },
    'Least spending; absent when there is none',
  ),
  charges: list(charge, 'Usage prices, one a metric and model'),
  fixed_charges: list(fixedCharge, 'Fixed quantities of add-ons'),
  taxes: list(tax, "The plan's own taxes; without any, the customer's apply"),
  usage_thresholds: list(usageThreshold, 'Amounts of usage that make an invoice'),
  applicable_usage_thresholds: list(usageThreshold, 'The thresholds that take effect'),
  entitlements: list(
    z.looseObject({ ...entitlementFields, entitlement: record(entitlementFields, 'The feature, where it is wrapped') }),
    'Features that come with the plan',
  ),
  metadata: metadataObject,
  pending_deletion: flag('About to be deleted'),
  customers_count: integer('Always 0'),
  active_subscriptions_count: integer('Always 0'),
  draft_invoices_count: integer('Always 0'),
  created_at: createdAt,
});

/** Defined in this file because a plan's charges set prices for a metric's values. */
export const billableMetric = z.looseObject({
  svc_id: svcId,
  name: text('Name'),
  code: text('Unique code, sent with every event'),
  description: text('Description'),
  field_name: text('Event property that is aggregated'),
  expression: text('Arithmetic that computes the property'),
  aggregation_type: oneOf('How events add up', ...aggregationTypes),
  recurring: flag('Its value carries over to the next period'),
  rounding_function: oneOf('Rounding', ...roundingFunctions, 'null'),
  rounding_precision: integer('Decimals to round to'),
  weighted_interval: oneOf('Interval of a weighted sum', ...weightedIntervals),
  filters: list(
    z.looseObject({ key: text('Event property'), values: texts('Its values') }),
    'Properties that charges can tell apart',
  ),
  created_at: createdAt,
});
