/** Subscriptions with their plans, and what belongs to them: alerts and usage events. */
import type { Catalogue } from '../../engine/preview-parts.ts';
import {
  type AlertRecord,
  alerts,
  type BillableMetricRecord,
  type EventRecord,
  type PlanRecord,
  type SubscriptionRecord,
  subscriptions,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists } from '../store/account-lists.ts';
import type { CustomerSource } from './account.ts';
import { billableMetricAnswer, planAnswer } from './catalogue.ts';
import { amount, instant, instants, preciseInstant } from './formats.ts';
import { applicableThresholdAnswer, appliedSectionAnswers, paymentMethodAnswer } from './shared.ts';

/** A stored subscription, or the proposed one of a preview, without id, external id and status (§12.7). */
export type SubscriptionSource = Omit<SubscriptionRecord, 'id' | 'external_id' | 'status'> & {
  [Field in 'id' | 'external_id' | 'status']: SubscriptionRecord[Field] | null;
};

export interface SubscriptionRelations {
  customer: CustomerSource;
  plan: PlanRecord;
  previousPlanCode: string | null;
  /** Bounds of the current usage period (§4, §7.3); null when there is none. */
  currentPeriod: { from: string; to: string } | null;
  lists: AccountLists;
  /** Given when the answer shows the plan (subscription update, §3.2). */
  planParts?: OwnPlanParts;
}

/** What the plan of one subscription refers to. `parent`: the catalogue plan that it is a copy of; null when it is none. */
interface OwnPlanParts extends Catalogue {
  parent: PlanRecord | null;
}

/** A subscription with every field of the specification and the extras of §4. */
export function subscriptionAnswer(subscription: SubscriptionSource, relations: SubscriptionRelations) {
  const { customer, plan, previousPlanCode, currentPeriod, lists, planParts } = relations;
  return {
    svc_id: subscription.id,
    external_id: subscription.external_id,
    svc_customer_id: customer.id,
    external_customer_id: customer.external_id,
    name: subscription.name,
    plan_code: plan.code,
    plan_amount_cents: plan.amount_cents,
    plan_amount_currency: plan.amount_currency,
    ...pick(subscription, subscriptions.shown.state),
    ...instants(subscription, 'created_at', 'subscription_at'),
    started_at: preciseInstant(subscription.started_at),
    ...instants(subscription, 'activated_at', 'ending_at', 'terminated_at', 'canceled_at', 'trial_ended_at'),
    current_billing_period_started_at: instant(currentPeriod?.from ?? null),
    current_billing_period_ending_at: instant(currentPeriod?.to ?? null),
    previous_plan_code: previousPlanCode,
    ...pick(subscription, subscriptions.shown.change),
    on_termination_credit_note: subscription.on_termination_credit_note,
    ...pick(subscription, subscriptions.shown.terms),
    payment_method: paymentMethodAnswer(subscription.payment_method),
    activation_rules: subscription.activation_rules.map(rule => ({
      ...rule,
      ...instants(rule, 'expires_at', 'created_at', 'updated_at'),
    })),
    applied_invoice_custom_sections: appliedSectionAnswers(subscription, lists),
    ...(planParts === undefined ? {} : planOf(subscription, plan, planParts, lists)),
  };
}

/** The plan, without fixed charges and entitlements, and the thresholds that take effect (§4). A copy shows its parent's. */
function planOf(subscription: SubscriptionSource, plan: PlanRecord, parts: OwnPlanParts, lists: AccountLists) {
  const { fixed_charges, entitlements, ...shown } = planAnswer(plan, parts, lists);
  const { usage_thresholds: inherited } = parts.parent ?? plan;
  return {
    plan: { ...shown, applicable_usage_thresholds: inherited.map(applicableThresholdAnswer) },
    applicable_usage_thresholds: applicableThresholds(subscription, plan, parts.parent).map(applicableThresholdAnswer),
  };
}

/** The single subscription, with its plan and that plan's entitlements (lookups §3). */
export function subscriptionDetailAnswer(
  subscription: SubscriptionRecord,
  relations: SubscriptionRelations & { planParts: OwnPlanParts },
) {
  const { plan, planParts, lists } = relations;
  const { entitlements } = planAnswer(plan, planParts, lists);
  return { ...subscriptionAnswer(subscription, relations), entitlements };
}

/** A subscription of a list (lookups §3). */
export function subscriptionListAnswer(subscription: SubscriptionRecord, relations: SubscriptionRelations) {
  const { applied_invoice_custom_sections, ...listed } = subscriptionAnswer(subscription, relations);
  return listed;
}

/** The subscription's own thresholds, else its plan's, else those of the plan's parent; none without progressive billing. */
export function applicableThresholds(
  subscription: Pick<SubscriptionSource, 'progressive_billing_disabled' | 'usage_thresholds'>,
  plan: PlanRecord,
  parent: PlanRecord | null,
) {
  if (subscription.progressive_billing_disabled) return [];
  const lists = [subscription, plan, parent].map(owner => owner?.usage_thresholds ?? []);
  return lists.find(thresholds => thresholds.length > 0) ?? [];
}

/**
 * An alert with every field of the specification and the extras of §4.
 * `previous_value` is a number, as the specification states it (the hosted service sends text, §15).
 */
export function alertAnswer(
  alert: AlertRecord,
  organizationId: string,
  externalCustomerId: string,
  metric: BillableMetricRecord | undefined,
  walletCode: string | null,
) {
  return {
    svc_id: alert.id,
    svc_organization_id: organizationId,
    external_customer_id: externalCustomerId,
    external_subscription_id: alert.external_subscription_id,
    subscription_external_id: alert.external_subscription_id,
    svc_wallet_id: alert.wallet_id,
    wallet_code: walletCode,
    billable_metric: metric === undefined ? null : billableMetricAnswer(metric),
    ...pick(alert, alerts.shown.details),
    previous_value: Number(amount(alert.previous_value, 5)),
    ...instants(alert, 'last_processed_at'),
    thresholds: alert.thresholds.map(({ code, value, recurring }) => ({ code, value: amount(value, 5), recurring })),
    ...instants(alert, 'created_at'),
  };
}

/** A usage event. The ids of subscription and customer are null while the subscription is unknown (§3.19). */
export function eventAnswer(event: EventRecord) {
  return {
    svc_id: event.id,
    transaction_id: event.transaction_id,
    svc_customer_id: event.customer_id,
    code: event.code,
    timestamp: preciseInstant(event.timestamp),
    svc_subscription_id: event.subscription_id,
    external_subscription_id: event.external_subscription_id,
    precise_total_amount_cents: amount(event.precise_total_amount_cents ?? null),
    properties: event.properties,
    ...instants(event, 'created_at'),
  };
}
