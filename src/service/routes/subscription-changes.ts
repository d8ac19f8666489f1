/** Reads the changes of a subscription update, except the plan. The checks follow the service's order (§3.2). */
import { randomUUID } from 'node:crypto';
import { activationRuleTypes, isOneOf, terminationCreditNotes, terminationInvoices } from '../../contract/enums.ts';
import { subscription as subscriptionResource } from '../../contract/subscription.ts';
import { isGiven } from '../../lib/json.ts';
import { newThresholds } from '../engine/plan-overrides.ts';
import { validation } from '../errors.ts';
import type { ActivationRule, Json, JsonObject, PlanRecord, SubscriptionRecord } from '../records/index.ts';
import { isJsonObject } from '../records/values.ts';
import type { AccountStore } from '../store/store.ts';
import { fieldsOf, isBlank, parseInstant } from './fields.ts';
import { readThresholds } from './plan-overrides.ts';
import { billingEntityId, readPaymentMethod, readSectionChoice } from './references.ts';
import { readWritable } from './writable-fields.ts';

/** Reads the changed fields. Throws 422; 404 `billing_entity_not_found`. */
export async function readSubscriptionChanges(
  account: AccountStore,
  subscription: SubscriptionRecord,
  plan: PlanRecord,
  input: JsonObject,
  now: Date,
): Promise<Partial<SubscriptionRecord>> {
  const changes: Partial<SubscriptionRecord> = { ...readDates(subscription, input, now) };
  Object.assign(changes, readTermination(plan, input));
  if (input.payment_method !== undefined) changes.payment_method = readPaymentMethod(input.payment_method);
  refuseTwoThresholdLists(input);
  const fields = fieldsOf(input);
  const plain: Partial<SubscriptionRecord> = readWritable(fields, subscriptionResource, [
    'billing_entity_code',
    'ending_at',
    'subscription_at',
  ]);
  fields.refuseProblems();
  Object.assign(changes, plain);
  if (isGiven(input.usage_thresholds)) {
    changes.usage_thresholds = newThresholds(readThresholds(input.usage_thresholds), {
      now: now.toISOString(),
      newId: randomUUID,
    });
  }
  if (isGiven(input.activation_rules)) {
    changes.activation_rules = readActivationRules(input.activation_rules, subscription, now.toISOString());
  }
  if (isGiven(input.invoice_custom_section)) {
    Object.assign(changes, await readSectionChoice(account, input.invoice_custom_section));
  }
  if (input.billing_entity_code !== undefined) {
    changes.billing_entity_id = await billingEntityId(account, input.billing_entity_code);
  }
  return changes;
}

function utcDayOf(instant: string): string {
  return instant.slice(0, 10);
}

/**
 * A start is applied only to a pending subscription without a previous one; a start today or earlier activates it.
 * An end must be after today and after the start; null or blank clears the end. Throws 422.
 */
function readDates(subscription: SubscriptionRecord, input: JsonObject, now: Date): Partial<SubscriptionRecord> {
  const changes: Partial<SubscriptionRecord> = {};
  const today = utcDayOf(now.toISOString());
  if (isGiven(input.subscription_at)) {
    const start = parseInstant(input.subscription_at);
    if (start === null) throw validation({ subscription_at: ['invalid_date'] });
    if (subscription.status === 'pending' && subscription.previous_subscription_id === null) {
      changes.subscription_at = start;
      if (utcDayOf(start) <= today) Object.assign(changes, activation(start, now));
    }
  }
  if (input.ending_at !== undefined) {
    changes.ending_at = isBlank(input.ending_at) ? null : parseInstant(input.ending_at);
    const start = utcDayOf(changes.subscription_at ?? subscription.subscription_at);
    const end = changes.ending_at === null ? null : utcDayOf(changes.ending_at);
    const readable = isBlank(input.ending_at) || end !== null;
    if (!readable || (end !== null && (end <= today || end <= start))) {
      throw validation({ ending_at: ['invalid_date'] });
    }
  }
  return changes;
}

function activation(start: string, now: Date): Partial<SubscriptionRecord> {
  return { status: 'active', started_at: start, activated_at: now.toISOString() };
}

/** The credit note choice is kept only for plans that are paid in advance. Throws 422. */
function readTermination(plan: PlanRecord, input: JsonObject): Partial<SubscriptionRecord> {
  const changes: Partial<SubscriptionRecord> = {};
  const creditNote = input.on_termination_credit_note;
  if (!isBlank(creditNote)) {
    if (!isOneOf(terminationCreditNotes, creditNote)) {
      throw validation({ on_termination_credit_note: ['invalid_value'] });
    }
    if (plan.pay_in_advance) changes.on_termination_credit_note = creditNote;
  }
  const invoice = input.on_termination_invoice;
  if (!isBlank(invoice)) {
    if (!isOneOf(terminationInvoices, invoice)) throw validation({ on_termination_invoice: ['invalid_value'] });
    changes.on_termination_invoice = invoice;
  }
  return changes;
}

/** One request may set thresholds of the subscription or of its plan, not both. Throws 422. */
function refuseTwoThresholdLists(input: JsonObject): void {
  const overrides = input.plan_overrides;
  const inPlan = isJsonObject(overrides) && isGiven(overrides.usage_thresholds);
  if (!inPlan || !isGiven(input.usage_thresholds)) return;
  throw validation({
    usage_thresholds: ['incompatible_params'],
    'plan_overrides.usage_thresholds': ['incompatible_params'],
  });
}

/** Rules for a payment before the start of a pending subscription. They are stored, and stay inactive (§16). Throws 422. */
function readActivationRules(value: Json, subscription: SubscriptionRecord, now: string): ActivationRule[] {
  const refused = validation({ activation_rules: ['value_is_invalid'] });
  if (!Array.isArray(value) || subscription.status !== 'pending') throw refused;
  return value.map(entry => {
    if (!isJsonObject(entry) || !isOneOf(activationRuleTypes, entry.type)) throw refused;
    const hours = entry.timeout_hours ?? null;
    if (hours !== null && !(Number.isSafeInteger(hours) && Number(hours) >= 0)) throw refused;
    const times = { expires_at: null, created_at: now, updated_at: now };
    return { svc_id: randomUUID(), type: entry.type, timeout_hours: hours, status: 'inactive', ...times };
  });
}
