/** Reads the changes of a subscription update, except the plan. The checks follow the service's order (§3.2). */
import { randomUUID } from 'node:crypto';
import { activationRuleTypes, isOneOf, terminationCreditNotes, terminationInvoices } from '../../contract/enums.ts';
import { subscription as subscriptionResource } from '../../contract/subscription.ts';
import type { ActivationRule, Json, JsonObject, PlanRecord, SubscriptionRecord } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { validation } from '../errors.ts';
import { linked } from '../operations/lookups.ts';
import { ownThresholds } from '../operations/plan-overrides.ts';
import type { AccountStore } from '../store/store.ts';
import { type Fields, fieldsOf, isBlank, parseInstant } from './fields.ts';
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
  const changes: Partial<SubscriptionRecord> = readTerms(subscription, plan, input, now);
  if (input.payment_method !== undefined) changes.payment_method = readPaymentMethod(input.payment_method);
  refuseTwoThresholdLists(input);
  const fields = fieldsOf(input);
  const readApart = ['billing_entity_code', 'ending_at', 'subscription_at'] as const;
  Object.assign(changes, readWritable(fields, subscriptionResource, readApart));
  fields.refuseProblems();
  if (isGiven(input.usage_thresholds)) {
    changes.usage_thresholds = ownThresholds(readThresholds(input.usage_thresholds), now);
  }
  if (isGiven(input.activation_rules)) {
    const { payment_provider: provider } = await linked(account, 'customers', subscription.customer_id);
    const at = now.toISOString();
    changes.activation_rules = readActivationRules(input.activation_rules, subscription, provider !== null, at);
  }
  if (isGiven(input.invoice_custom_section)) {
    Object.assign(changes, await readSectionChoice(account, input.invoice_custom_section));
  }
  if (input.billing_entity_code !== undefined) {
    changes.billing_entity_id = await billingEntityId(account, input.billing_entity_code);
  }
  return changes;
}

/** Dates and settings of the termination are one step: their problems are refused together (§1.2). Throws 422. */
function readTerms(subscription: SubscriptionRecord, plan: PlanRecord, input: JsonObject, now: Date) {
  const fields = fieldsOf(input);
  const changes = {
    ...readStart(subscription, fields, input.subscription_at, now),
    ...readEnd(subscription, fields, input, now),
    ...readTermination(plan, fields, input),
  };
  fields.refuseProblems();
  return changes;
}

/** A start is applied only to a pending subscription without a previous one; a start that has passed activates it. */
function readStart(subscription: SubscriptionRecord, fields: Fields, sent: Json | undefined, now: Date) {
  if (sent === undefined) return {};
  const start = strictInstant(sent);
  if (start === null) fields.noteProblem('subscription_at', 'invalid_date');
  const applies = subscription.status === 'pending' && subscription.previous_subscription_id === null;
  if (start === null || !applies) return {};
  if (start > now.toISOString()) return { subscription_at: start };
  return { subscription_at: start, status: 'active' as const, started_at: start, activated_at: start };
}

/** An end must be after today and after the start, each day as it is written; null or blank clears the end. */
function readEnd(subscription: SubscriptionRecord, fields: Fields, input: JsonObject, now: Date) {
  const { ending_at: sent, subscription_at: sentStart } = input;
  if (sent === undefined) return {};
  if (isBlank(sent)) return { ending_at: null };
  const end = strictInstant(sent);
  const movesStart = subscription.status === 'pending' && strictInstant(sentStart) !== null;
  const start = writtenDay(movesStart ? sentStart : subscription.subscription_at);
  const day = writtenDay(sent);
  if (end !== null && day > writtenDay(now.toISOString()) && day > start) return { ending_at: end };
  fields.noteProblem('ending_at', 'invalid_date');
  return {};
}

/** As `parseInstant`, but without blanks and lower-case letters (§3.2). */
function strictInstant(value: Json | undefined): string | null {
  return typeof value === 'string' && /[\sa-z]/.test(value) ? null : parseInstant(value);
}

/** `YYYYMMDD` of a date as it is written, in its own offset. */
function writtenDay(date: Json | undefined): string {
  return String(date).replaceAll('-', '').slice(0, 8);
}

/** The credit note choice is kept only for plans that are paid in advance; null and blank clear it there. */
function readTermination(plan: PlanRecord, fields: Fields, input: JsonObject): Partial<SubscriptionRecord> {
  const changes: Partial<SubscriptionRecord> = {};
  const { on_termination_credit_note: creditNote, on_termination_invoice: invoice } = input;
  if (isBlank(creditNote)) {
    if (creditNote !== undefined && plan.pay_in_advance) changes.on_termination_credit_note = null;
  } else if (!isOneOf(terminationCreditNotes, creditNote)) {
    fields.noteProblem('on_termination_credit_note', 'invalid_value');
  } else if (plan.pay_in_advance) changes.on_termination_credit_note = creditNote;
  if (isBlank(invoice)) return changes;
  if (isOneOf(terminationInvoices, invoice)) changes.on_termination_invoice = invoice;
  else fields.noteProblem('on_termination_invoice', 'invalid_value');
  return changes;
}

/** One request may set thresholds of the subscription or of its plan, not both. Throws 422. */
function refuseTwoThresholdLists(input: JsonObject): void {
  const overrides = input.plan_overrides;
  const inPlan = isJsonObject(overrides) ? overrides.usage_thresholds : undefined;
  if (!isGiven(inPlan) || (Array.isArray(inPlan) && inPlan.length === 0) || !isGiven(input.usage_thresholds)) return;
  throw validation({
    usage_thresholds: ['incompatible_params'],
    'plan_overrides.usage_thresholds': ['incompatible_params'],
  });
}

/**
 * Rules for a payment before the start of a pending subscription. They are stored, and stay inactive (§16). A payment rule
 * needs a customer who pays through a provider. Throws 422 that names every problem.
 */
function readActivationRules(value: Json, { status }: SubscriptionRecord, paysByProvider: boolean, now: string) {
  if (!Array.isArray(value)) throw validation({ activation_rules: ['value_is_invalid'] });
  const { noteProblem, refuseProblems } = fieldsOf({});
  if (status !== 'pending') noteProblem('activation_rules', 'subscription_not_pending');
  const rules = value.map((entry): ActivationRule => {
    const { type, timeout_hours: hours = null } = isJsonObject(entry) ? entry : {};
    if (hours !== null && !(Number.isSafeInteger(hours) && Number(hours) >= 0)) {
      noteProblem('timeout_hours', 'value_must_be_positive_or_zero');
    }
    if (!isOneOf(activationRuleTypes, type)) noteProblem('activation_rules', 'invalid_type');
    else if (!paysByProvider) noteProblem('customer', 'no_default_payment_method');
    const times = { expires_at: null, created_at: now, updated_at: now };
    return { svc_id: randomUUID(), type, timeout_hours: hours, status: 'inactive', ...times } as ActivationRule;
  });
  if (new Set(rules.map(rule => rule.type)).size < rules.length) noteProblem('activation_rules', 'duplicated_type');
  refuseProblems();
  return rules;
}
