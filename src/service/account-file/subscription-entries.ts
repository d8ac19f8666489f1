/** Subscriptions. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { subscription } from '../../contract/subscription.ts';
import type { PlanRecord, SubscriptionRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import { addOverriddenPlan, planOverrides } from './override-entries.ts';
import { thresholdsOf, usageThreshold } from './plan-entries.ts';
import * as is from './values.ts';

const activationRule = z.strictObject({
  ...is.common,
  type: z.enum(enums.activationRuleTypes),
  timeout_hours: is.count.nullable().default(null),
  status: z.enum(enums.activationRuleStatuses).default('inactive'),
  expires_at: is.optionalInstant,
});

const subscriptionEntry = z.strictObject({
  ...is.common,
  external_id: is.label,
  external_customer_id: is.referenceTo('customers'),
  plan_code: is.referenceTo('plans'),
  billing_entity_code: is.optional(is.referenceTo('billing_entities'), 'the customer’s'),
  name: is.text,
  status: z.enum(enums.subscriptionStatuses).default('active'),
  billing_time: z.enum(enums.billingTimes).default('calendar'),
  subscription_at: is.instant,
  started_at: is.optionalInstant.meta({ absent: 'subscription_at, once started' }),
  ...is.fields(is.optionalInstant, 'ending_at', 'terminated_at', 'canceled_at', 'trial_ended_at'),
  previous_plan_code: is
    .optional(is.referenceTo('plans'), 'none')
    .describe('the terminated subscription of the same external id on that plan'),
  next_plan_code: is.referenceTo('plans').nullable().default(null),
  downgrade_plan_date: is.day.nullable().default(null),
  on_termination_credit_note: is.optional(z.enum(enums.terminationCreditNotes).nullable(), 'none'),
  on_termination_invoice: z.enum(enums.terminationInvoices).default('generate'),
  cancellation_reason: z.enum(enums.cancellationReasons).nullable().default(null),
  ...is.writable(subscription, ['name', 'billing_entity_code', 'ending_at', 'subscription_at']),
  payment_method: is.paymentMethod,
  ...is.sections,
  usage_thresholds: z.array(usageThreshold).default([]),
  activation_rules: z.array(activationRule).default([]).describe('shown as stated: no start waits for a payment'),
  plan_overrides: is.optional(planOverrides, 'the plan as it is'),
  fixed_charge_units: z.record(is.label, is.amountValue).default({}).describe('units by fixed charge code'),
});
type SubscriptionEntry = z.output<typeof subscriptionEntry>;

export const subscriptionList = listOf(subscriptionEntry, builder => entry => {
  const earlier = builder.records.subscriptions.filter(other => other.external_id === entry.external_id);
  const key = earlier.length > 0 ? `${entry.external_id} ${earlier.length + 1}` : entry.external_id;
  const isTwin = entry.status === 'active' && earlier.some(({ status }) => status === 'active');
  builder.check(!isTwin, 'external_id', `there is an active subscription "${entry.external_id}" already`);
  builder.check(entry.status !== 'terminated' || !!entry.terminated_at, 'terminated_at', 'is needed');
  builder.check(entry.status !== 'canceled' || !!entry.canceled_at, 'canceled_at', 'is needed');
  builder.add('subscriptions', key, subscriptionOf(builder, entry, key));
});

function subscriptionOf(builder: AccountBuilder, entry: SubscriptionEntry, key: string): SubscriptionRecord {
  const {
    external_customer_id: customerId,
    plan_code: planCode,
    billing_entity_code: entityCode,
    previous_plan_code: previousPlan,
    plan_overrides: overrides,
    ...fields
  } = entry;
  const soldPlan = builder.get('plans', planCode);
  // An overridden copy of the plan has the same fixed charges.
  for (const code of Object.keys(entry.fixed_charge_units)) {
    const isKnown = soldPlan.fixed_charges.some(each => each.code === code);
    builder.check(isKnown, ['fixed_charge_units', code], `is no fixed charge of ${soldPlan.code}`);
  }
  const customer = builder.get('customers', customerId);
  const hasStarted = entry.status === 'active' || entry.status === 'terminated';
  // A subscription that has not started was created before its start; by default when the customer was.
  const created = entry.created_at ?? (hasStarted ? entry.subscription_at : customer.created_at);
  const base = builder.idAndTimes('subscription', key, { ...entry, created_at: created });
  const times = { created_at: base.created_at, updated_at: base.updated_at };
  const previous = previousPlan === undefined ? null : previousSubscription(builder, entry, previousPlan);
  const copyFor = { key, created: base.created_at };
  const plan = overrides === undefined ? soldPlan : addOverriddenPlan(builder, soldPlan, overrides, copyFor);
  const started = entry.started_at ?? (hasStarted ? entry.subscription_at : null);
  return {
    ...fields,
    ...base,
    customer_id: customer.id,
    plan_id: plan.id,
    billing_entity_id: entityCode === undefined ? null : builder.get('billing_entities', entityCode).id,
    started_at: started,
    activated_at: started,
    previous_subscription_id: previous?.id ?? null,
    // Made without a name, it has an empty one (§3.2).
    name: entry.name ?? '',
    on_termination_credit_note: plan.pay_in_advance ? (entry.on_termination_credit_note ?? null) : null,
    activation_rules: entry.activation_rules.map(({ id, ...rule }, i) => ({
      ...times,
      ...rule,
      svc_id: id ?? idOf('activation_rule', `${key} ${i}`),
    })),
    usage_thresholds: thresholdsOf(entry, key, times),
    fixed_charge_units: unitsOf(entry, plan),
  };
}

/** The stated units, by the ids of the fixed charges. */
function unitsOf({ fixed_charge_units: units }: SubscriptionEntry, plan: PlanRecord): { [id: string]: string } {
  const quantityById = plan.fixed_charges.flatMap(({ id, code }) => {
    const quantity = units[code];
    return quantity === undefined ? [] : [[id, quantity] as const];
  });
  return Object.fromEntries(quantityById);
}

function previousSubscription(builder: AccountBuilder, entry: SubscriptionEntry, planCode: string): SubscriptionRecord {
  const { external_id: externalId } = entry;
  const plan = builder.get('plans', planCode);
  const previous = builder.records.subscriptions.find(
    other =>
      other.external_id === externalId &&
      [other.plan_id, builder.byId('plans', other.plan_id).parent_id].includes(plan.id),
  );
  const problem = `no earlier subscription "${externalId}" is on ${planCode}`;
  return builder.present('subscriptions', previous, 'previous_plan_code', problem);
}
