/** Subscriptions, and what they override in their plans: a copy of the plan, as the service makes it (§3.2). */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { byKind, planFields, planOverrideFields } from '../../contract/plan-overrides.ts';
import { subscription } from '../../contract/subscription.ts';
import { overriddenPlan, type PlanOverrides } from '../../engine/plan-overrides.ts';
import { rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../engine/plan-rules.ts';
import type { PlanRecord, SubscriptionRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, listOf } from './account-builder.ts';
import { chargeFilters, thresholdsOf, usageThreshold } from './plan-entries.ts';
import * as is from './values.ts';

const asInPlan = <Value extends z.ZodType>(value: Value) => is.optional(value, 'as in the plan');
const orDropped = <Value extends z.ZodType>(value: Value) =>
  is.optional(value, 'dropped, as by an override of the API');
const codes = z.array(is.referenceTo('taxes'));
const ofOverride = {
  cents: asInPlan(is.count),
  currency: asInPlan(is.currency),
  prices: asInPlan(is.jsonObject).describe('what the charge model needs'),
  days: asInPlan(is.amountValue).describe('days'),
  name: asInPlan(is.label),
  text: asInPlan(z.string().nullable()),
  codes: asInPlan(codes),
  metadata: asInPlan(is.metadataEntries),
};
const {
  charges: [{ id: _i, billable_metric_id: _b, code: _c, charge_model: _m, tax_codes: _t, ...chargeTerms }],
  fixed_charges: [{ id: _id, units: _u, apply_units_immediately: _a, ...fixedChargeTerms }],
} = planOverrideFields;

const chargeOverrides = z.strictObject({
  charge_code: is.label,
  ...byKind(chargeTerms, ofOverride),
  filters: asInPlan(chargeFilters),
  tax_codes: orDropped(codes),
});
const fixedChargeOverrides = z.strictObject({
  fixed_charge_code: is.label,
  ...byKind(fixedChargeTerms, ofOverride),
});
const commitmentOverrides = z.strictObject({
  ...byKind(planOverrideFields.minimum_commitment, ofOverride),
  amount_cents: asInPlan(is.positiveCents),
});

/** Quantities of fixed charges: `fixed_charge_units` of the subscription. */
const planOverrides = z.strictObject({
  ...byKind(planFields, ofOverride),
  tax_codes: orDropped(codes),
  minimum_commitment: orDropped(commitmentOverrides),
  charges: asInPlan(z.array(chargeOverrides)),
  fixed_charges: asInPlan(z.array(fixedChargeOverrides)),
  usage_thresholds: asInPlan(z.array(usageThreshold)),
});
type OverridesEntry = z.output<typeof planOverrides>;

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

/** Adds the copy for a subscription, whose key the ids of the copy follow from. */
function addOverriddenPlan(
  builder: AccountBuilder,
  plan: PlanRecord,
  entry: OverridesEntry,
  { key, created }: { key: string; created: string },
): PlanRecord {
  const overrides = overridesOf(builder, plan, entry);
  builder.requireParts();
  let count = 0;
  const newId = () => idOf('plan_override', `${key} ${count++}`);
  const copy = overriddenPlan(plan, overrides, { now: created, newId });
  checkCharges(builder, copy, entry);
  return builder.add('plans', `${plan.code} of the subscription ${key}`, copy, 'plan_overrides');
}

/** Charges are stated by code, and overridden by id. */
function overridesOf(builder: AccountBuilder, plan: PlanRecord, entry: OverridesEntry): PlanOverrides {
  const { charges = [], fixed_charges: fixedCharges = [], usage_thresholds: thresholds, ...others } = entry;
  const idIn = (list: readonly { code: string; id: string }[], code: string, at: readonly (string | number)[]) => {
    const charge = list.find(each => each.code === code);
    builder.require(charge !== undefined, ['plan_overrides', ...at], `is no charge of the plan ${plan.code}`);
    return charge.id;
  };
  return {
    ...others,
    charges: builder.parts(charges, ({ charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.charges, code, ['charges', i, 'charge_code']),
    })),
    fixed_charges: builder.parts(fixedCharges, ({ fixed_charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.fixed_charges, code, ['fixed_charges', i, 'fixed_charge_code']),
    })),
    ...(thresholds && { usage_thresholds: thresholds.map(({ id: _, ...threshold }) => threshold) }),
  };
}

/** The stated charges must be as valid as those of a plan (§9). */
function checkCharges(builder: AccountBuilder, copy: PlanRecord, { charges = [], fixed_charges = [] }: OverridesEntry) {
  for (const [i, { charge_code: code }] of charges.entries()) {
    const charge = copy.charges.find(each => each.code === code);
    const metric = charge && builder.byId('billable_metrics', charge.billable_metric_id);
    if (metric) builder.checkRules(rulesBrokenByCharge(charge, metric), ['plan_overrides', 'charges', i]);
  }
  for (const [i, { fixed_charge_code: code }] of fixed_charges.entries()) {
    const charge = copy.fixed_charges.find(each => each.code === code);
    if (charge) builder.checkRules(rulesBrokenByFixedCharge(charge), ['plan_overrides', 'fixed_charges', i]);
  }
}
