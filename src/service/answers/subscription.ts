import {
  type ActivationRule,
  type PlanRecord,
  type SubscriptionRecord,
  subscriptions,
} from '../../engine/records/index.ts';
import { pick } from '../../engine/records/table.ts';
import type { AccountLists, PlanParts } from '../store/account-lists.ts';
import type { CustomerSource } from './customer.ts';
import { instant, preciseInstant } from './formats.ts';
import { planAnswer } from './plan.ts';
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
export interface OwnPlanParts extends PlanParts {
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
    ...instants(subscription),
    current_billing_period_started_at: instant(currentPeriod?.from ?? null),
    current_billing_period_ending_at: instant(currentPeriod?.to ?? null),
    previous_plan_code: previousPlanCode,
    ...pick(subscription, subscriptions.shown.change),
    on_termination_credit_note: subscription.on_termination_credit_note,
    ...pick(subscription, subscriptions.shown.terms),
    payment_method: paymentMethodAnswer(subscription.payment_method),
    activation_rules: subscription.activation_rules.map(activationRuleAnswer),
    applied_invoice_custom_sections: subscription.skip_invoice_custom_sections
      ? []
      : appliedSectionAnswers(subscription, lists),
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
export function subscriptionListAnswer(
  subscription: SubscriptionRecord,
  relations: Omit<SubscriptionRelations, 'planParts'>,
) {
  const { applied_invoice_custom_sections, ...listed } = subscriptionAnswer(subscription, relations);
  return listed;
}

function activationRuleAnswer(rule: ActivationRule) {
  const { expires_at, created_at, updated_at } = rule;
  return {
    ...rule,
    expires_at: instant(expires_at),
    created_at: instant(created_at),
    updated_at: instant(updated_at),
  };
}

function instants(subscription: SubscriptionSource) {
  return {
    created_at: instant(subscription.created_at),
    subscription_at: instant(subscription.subscription_at),
    started_at: preciseInstant(subscription.started_at),
    activated_at: instant(subscription.activated_at),
    ending_at: instant(subscription.ending_at),
    terminated_at: instant(subscription.terminated_at),
    canceled_at: instant(subscription.canceled_at),
    trial_ended_at: instant(subscription.trial_ended_at),
  };
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
