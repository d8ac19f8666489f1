import type { PriceProperties } from '../../contract/pricing/types.ts';
import { newestUnits } from '../../engine/fixed-charge-units.ts';
import {
  type ChargeRecord,
  type Entitlement,
  type FixedChargeRecord,
  type PlanRecord,
  plans,
  type SubscriptionRecord,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists, PlanParts } from '../store/account-lists.ts';
import { amount, instant, rate } from './formats.ts';
import { applicableThresholdAnswer, taxAnswers, usageThresholdAnswer } from './shared.ts';

/** A plan with every field of the specification and the extras of §4; commitment and metadata only if present (§3.14). */
export function planAnswer(plan: PlanRecord, parts: PlanParts, lists: AccountLists) {
  return {
    svc_id: plan.id,
    ...pick(plan, plans.shown.heading),
    trial_period: rate(plan.trial_period),
    ...pick(plan, plans.shown.terms),
    created_at: instant(plan.created_at),
    pending_deletion: plan.pending_deletion,
    customers_count: 0,
    active_subscriptions_count: 0,
    draft_invoices_count: 0,
    ...(plan.minimum_commitment === null
      ? {}
      : { minimum_commitment: commitmentAnswer(plan.minimum_commitment, plan, lists) }),
    charges: plan.charges.map(charge => chargeAnswer(charge, parts, lists)),
    fixed_charges: plan.fixed_charges.map(charge => fixedChargeAnswer(charge, parts, lists)),
    taxes: taxAnswers(plan.tax_codes, lists),
    usage_thresholds: plan.usage_thresholds.map(usageThresholdAnswer),
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
    created_at: instant(commitment.created_at),
    updated_at: instant(commitment.updated_at),
    taxes: taxAnswers(commitment.tax_codes, lists),
  };
}

/** A usage charge of a plan. */
export function chargeAnswer(charge: ChargeRecord, parts: PlanParts, lists: AccountLists) {
  return {
    svc_id: charge.id,
    svc_parent_id: charge.parent_id,
    code: charge.code,
    svc_billable_metric_id: charge.billable_metric_id,
    billable_metric_code: parts.metrics.get(charge.billable_metric_id)?.code ?? null,
    created_at: instant(charge.created_at),
    charge_model: charge.charge_model,
    invoiceable: charge.invoiceable,
    invoice_display_name: charge.invoice_display_name,
    pay_in_advance: charge.pay_in_advance,
    regroup_paid_fees: charge.regroup_paid_fees,
    prorated: charge.prorated,
    min_amount_cents: charge.min_amount_cents,
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
  parts: PlanParts,
  lists: AccountLists,
  subscription: Pick<SubscriptionRecord, 'fixed_charge_units'> = { fixed_charge_units: {} },
) {
  return {
    svc_id: charge.id,
    svc_parent_id: charge.parent_id,
    code: charge.code,
    svc_add_on_id: charge.add_on_id,
    add_on_code: parts.addOns.get(charge.add_on_id)?.code ?? null,
    invoice_display_name: charge.invoice_display_name,
    created_at: instant(charge.created_at),
    charge_model: charge.charge_model,
    pay_in_advance: charge.pay_in_advance,
    prorated: charge.prorated,
    properties: charge.properties,
    units: amount(newestUnits(subscription, charge)),
    taxes: taxAnswers(charge.tax_codes, lists),
  };
}

/** What a plan entitles to, without the specification's wrapper (§3.14). */
export function entitlementAnswer(entitlement: Entitlement) {
  return {
    code: entitlement.code,
    name: entitlement.name,
    description: entitlement.description,
    privileges: entitlement.privileges.map(privilege => ({
      code: privilege.code,
      name: privilege.name,
      value_type: privilege.value_type,
      config: privilege.config,
      value: privilege.value,
    })),
  };
}

/** Does the metadata have any entry? */
export function hasEntries(metadata: { [key: string]: string | null } | null): boolean {
  return metadata !== null && Object.keys(metadata).length > 0;
}
