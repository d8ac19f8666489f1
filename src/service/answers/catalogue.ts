/** What is sold: metrics, add-ons, plans and their charges, coupons. */
import type { PriceProperties } from '../../contract/pricing/types.ts';
import { newestUnits } from '../../engine/fixed-charge-units.ts';
import type { Catalogue } from '../../engine/preview-parts.ts';
import {
  type AddOnRecord,
  type AppliedCouponRecord,
  addOns,
  type BillableMetricRecord,
  billableMetrics,
  type ChargeRecord,
  type CouponRecord,
  coupons,
  type Entitlement,
  type FixedChargeRecord,
  type PlanRecord,
  plans,
  type SubscriptionRecord,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import { byText } from '../../lib/text.ts';
import type { AccountLists } from '../store/account-lists.ts';
import { amount, fields, instants } from './formats.ts';
import { applicableThresholdAnswer, hasEntries, taxAnswers } from './shared.ts';

/** A billable metric with every field of the specification. Its filters come by key, their values sorted (§4). */
export function billableMetricAnswer(metric: BillableMetricRecord) {
  return {
    svc_id: metric.id,
    ...pick(metric, billableMetrics.shown.details),
    filters: metric.filters
      .map(({ key, values }) => ({ key, values: [...values].sort(byText) }))
      .sort((a, b) => byText(a.key, b.key)),
    ...instants(metric, 'created_at'),
  };
}

/** A billable metric as its own endpoints answer it, with three counters that are always 0 (lookups §10). */
export function countedMetricAnswer(metric: BillableMetricRecord) {
  const counters = { active_subscriptions_count: 0, draft_invoices_count: 0, plans_count: 0 };
  return { ...billableMetricAnswer(metric), ...counters };
}

/** An add-on with every field of the specification. */
export function addOnAnswer(addOn: AddOnRecord, lists: AccountLists) {
  return {
    svc_id: addOn.id,
    ...pick(addOn, addOns.shown.details),
    ...instants(addOn, 'created_at'),
    taxes: taxAnswers(addOn.tax_codes, lists),
  };
}

/** A plan with every field of the specification and the extras of §4; commitment and metadata only if present (§3.14). */
export function planAnswer(plan: PlanRecord, parts: Catalogue, lists: AccountLists) {
  const { minimum_commitment: commitment } = plan;
  return {
    svc_id: plan.id,
    ...pick(plan, plans.shown.heading),
    trial_period: Number(plan.trial_period),
    ...pick(plan, plans.shown.terms),
    ...instants(plan, 'created_at'),
    pending_deletion: plan.pending_deletion,
    customers_count: 0,
    active_subscriptions_count: 0,
    draft_invoices_count: 0,
    ...(commitment === null ? {} : { minimum_commitment: commitmentAnswer(commitment, plan, lists) }),
    charges: plan.charges.map(charge => chargeAnswer(charge, parts, lists)),
    fixed_charges: plan.fixed_charges.map(charge => fixedChargeAnswer(charge, parts, lists)),
    taxes: taxAnswers(plan.tax_codes, lists),
    usage_thresholds: plan.usage_thresholds.map(threshold => ({
      svc_id: threshold.id,
      ...applicableThresholdAnswer(threshold),
      ...instants(threshold, 'created_at', 'updated_at'),
    })),
    applicable_usage_thresholds: plan.usage_thresholds.map(applicableThresholdAnswer),
    entitlements: plan.entitlements.map(entitlement => ({ entitlement: entitlementAnswer(entitlement) })),
    ...(hasEntries(plan.metadata) ? { metadata: plan.metadata } : {}),
  };
}

function commitmentAnswer(
  commitment: NonNullable<PlanRecord['minimum_commitment']>,
  plan: PlanRecord,
  lists: AccountLists,
) {
  return {
    svc_id: commitment.id,
    plan_code: plan.code,
    invoice_display_name: commitment.invoice_display_name,
    interval: plan.interval,
    amount_cents: commitment.amount_cents,
    ...instants(commitment, 'created_at', 'updated_at'),
    taxes: taxAnswers(commitment.tax_codes, lists),
  };
}

/** A usage charge of a plan. */
export function chargeAnswer(charge: ChargeRecord, parts: Catalogue, lists: AccountLists) {
  return {
    svc_id: charge.id,
    svc_parent_id: charge.parent_id,
    code: charge.code,
    svc_billable_metric_id: charge.billable_metric_id,
    billable_metric_code: parts.metrics.get(charge.billable_metric_id)?.code ?? null,
    ...instants(charge, 'created_at'),
    ...fields(charge, 'charge_model', 'invoiceable', 'invoice_display_name', 'pay_in_advance', 'regroup_paid_fees'),
    ...fields(charge, 'prorated', 'min_amount_cents'),
    properties: withGroupingKeys(charge.properties),
    filters: charge.filters.map(filter => ({
      svc_id: filter.id,
      charge_code: charge.code,
      invoice_display_name: filter.invoice_display_name,
      properties: withGroupingKeys(filter.properties),
      values: filter.values,
    })),
    accepts_target_wallet: false,
    applied_pricing_unit: null,
    taxes: taxAnswers(charge.tax_codes, lists),
  };
}

/** Answers the grouping keys under both of their names (§3.14). */
function withGroupingKeys(properties: PriceProperties): PriceProperties {
  const keys = properties.pricing_group_keys ?? properties.grouped_by;
  return keys === undefined ? properties : { ...properties, grouped_by: keys, pricing_group_keys: keys };
}

/** A fixed charge of a plan, or of a subscription that has a quantity of its own (§3.2). */
export function fixedChargeAnswer(
  charge: FixedChargeRecord,
  parts: Catalogue,
  lists: AccountLists,
  subscription: Pick<SubscriptionRecord, 'fixed_charge_units'> = { fixed_charge_units: {} },
) {
  return {
    svc_id: charge.id,
    svc_parent_id: charge.parent_id,
    code: charge.code,
    svc_add_on_id: charge.add_on_id,
    add_on_code: parts.add_ons.get(charge.add_on_id)?.code ?? null,
    invoice_display_name: charge.invoice_display_name,
    ...instants(charge, 'created_at'),
    ...fields(charge, 'charge_model', 'pay_in_advance', 'prorated', 'properties'),
    units: amount(newestUnits(subscription, charge)),
    taxes: taxAnswers(charge.tax_codes, lists),
  };
}

/** What a plan entitles to, without the specification's wrapper (§3.14). */
export function entitlementAnswer(entitlement: Entitlement) {
  return {
    ...fields(entitlement, 'code', 'name', 'description'),
    privileges: entitlement.privileges.map(each => fields(each, 'code', 'name', 'value_type', 'config', 'value')),
  };
}

/** A coupon (lookups §10). It has no `status`: it is terminated when `terminated_at` is set. */
export function couponAnswer(coupon: CouponRecord) {
  return {
    svc_id: coupon.id,
    ...pick(coupon, coupons.shown.heading),
    ...couponTerms(coupon),
    ...pick(coupon, coupons.shown.kind),
    limited_plans: coupon.plan_codes.length > 0,
    limited_billable_metrics: coupon.billable_metric_codes.length > 0,
    ...pick(coupon, coupons.shown.limits),
    ...instants(coupon, 'created_at'),
    expiration: coupon.expiration,
    ...instants(coupon, 'expiration_at', 'terminated_at'),
  };
}

/** What a coupon takes off and for how long; an applied coupon may differ from its coupon. */
export function couponTerms(owner: CouponRecord | AppliedCouponRecord) {
  return {
    ...pick(owner, coupons.shown.price),
    percentage_rate: amount(owner.percentage_rate),
    ...pick(owner, coupons.shown.frequency),
  };
}
