/** Plans and subscriptions, read strictly: see schemas.ts for the rules. */
import { z } from 'zod';
import { subscription as subscriptionResource } from '../../../src/contract/subscription.ts';
import { shownSchemas } from '../../support/plain-fields.ts';
import {
  applicableThreshold,
  appliedSection,
  cents,
  currency,
  date,
  decimal,
  flag,
  instant,
  metadataObject,
  ofUnits,
  onlyWhen,
  openObject,
  orNull,
  paymentMethod,
  preciseInstant,
  tax,
  text,
  usageThreshold,
  uuid,
} from './schemas.ts';

const properties = openObject;

const charge = z.strictObject({
  svc_id: uuid,
  svc_billable_metric_id: uuid,
  billable_metric_code: text,
  created_at: instant,
  charge_model: z.enum([
    'standard',
    'graduated',
    'package',
    'percentage',
    'volume',
    'graduated_percentage',
    'custom',
    'dynamic',
  ]),
  invoiceable: flag,
  invoice_display_name: orNull(text, 'not given'),
  pay_in_advance: flag,
  regroup_paid_fees: orNull(z.literal('invoice'), 'specification'),
  prorated: flag,
  min_amount_cents: cents,
  properties,
  filters: z.array(
    z.strictObject({
      // The same id as fee.svc_charge_filter_id.
      svc_id: uuid,
      charge_code: text,
      invoice_display_name: orNull(text, 'not given'),
      properties,
      values: z.record(z.string(), z.array(z.string())),
    }),
  ),
  // §4
  code: text,
  svc_parent_id: orNull(uuid, 'not yet'),
  accepts_target_wallet: flag,
  applied_pricing_unit: z.null(),
  taxes: z.array(tax),
});

const fixedCharge = z.strictObject({
  svc_id: uuid,
  svc_add_on_id: uuid,
  svc_parent_id: orNull(uuid, 'specification'),
  code: text,
  invoice_display_name: orNull(text, 'not given'),
  add_on_code: text,
  created_at: instant,
  charge_model: z.enum(['standard', 'graduated', 'volume']),
  pay_in_advance: flag,
  prorated: flag,
  properties,
  units: decimal,
  taxes: z.array(tax),
});

const privilege = z.strictObject({
  code: text,
  name: text,
  value_type: z.enum(['integer', 'string', 'boolean', 'select']),
  config: openObject,
  value: z.json(),
});

const commitment = z.strictObject({
  svc_id: uuid,
  amount_cents: cents,
  created_at: instant,
  updated_at: instant,
  plan_code: text,
  invoice_display_name: orNull(text, 'not given'),
  interval: text,
  taxes: z.array(tax),
});

export const plan = z.strictObject({
  svc_id: uuid,
  name: text,
  code: text,
  invoice_display_name: orNull(text, 'not given'),
  description: orNull(text, 'not given'),
  interval: z.enum(['weekly', 'monthly', 'quarterly', 'semiannual', 'yearly']),
  amount_cents: cents,
  amount_currency: currency,
  trial_period: z.number(),
  pay_in_advance: flag,
  bill_charges_monthly: orNull(flag, 'specification'),
  bill_fixed_charges_monthly: orNull(flag, 'specification'),
  created_at: instant,
  minimum_commitment: onlyWhen(commitment, '§3.14'),
  charges: z.array(charge),
  fixed_charges: z.array(fixedCharge),
  taxes: z.array(tax),
  usage_thresholds: z.array(usageThreshold),
  entitlements: z.array(
    z.strictObject({
      entitlement: z.strictObject({
        code: text,
        name: text,
        description: orNull(text, 'not given'),
        privileges: z.array(privilege),
      }),
    }),
  ),
  metadata: onlyWhen(metadataObject, '§3.14'),
  // §4
  parent_id: orNull(uuid, '§3.14'),
  pending_deletion: flag,
  applicable_usage_thresholds: z.array(applicableThreshold),
  customers_count: z.literal(0),
  active_subscriptions_count: z.literal(0),
  draft_invoices_count: z.literal(0),
});

/** The billing entity is accepted and not shown (§4). */
const { billing_entity_code: _hidden, ...shownFields } = shownSchemas(subscriptionResource, ofUnits);

export const subscription = z.strictObject({
  svc_id: orNull(uuid, '§12.7'),
  svc_customer_id: orNull(uuid, '§12.4'),
  external_id: orNull(text, '§12.7'),
  external_customer_id: orNull(text, '§12.4'),
  billing_time: z.enum(['calendar', 'anniversary']),
  plan_code: text,
  status: orNull(z.enum(['active', 'pending', 'terminated', 'canceled', 'incomplete']), '§12.7'),
  created_at: instant,
  canceled_at: orNull(instant, 'not yet'),
  started_at: orNull(preciseInstant, 'not yet'),
  terminated_at: orNull(instant, 'not yet'),
  trial_ended_at: orNull(instant, 'not yet'),
  current_billing_period_started_at: orNull(instant, 'not yet'),
  current_billing_period_ending_at: orNull(instant, 'not yet'),
  previous_plan_code: orNull(text, 'specification'),
  next_plan_code: orNull(text, 'specification'),
  downgrade_plan_date: orNull(date, 'not yet'),
  on_termination_credit_note: orNull(z.enum(['credit', 'skip', 'refund', 'offset']), '§2'),
  on_termination_invoice: z.enum(['generate', 'skip']),
  plan_amount_cents: cents,
  plan_amount_currency: currency,
  applied_invoice_custom_sections: z.array(appliedSection),
  payment_method: paymentMethod,
  // §4
  ...shownFields,
  cancellation_reason: orNull(z.enum(['payment_failed', 'timeout']), '§2'),
  activated_at: orNull(instant, 'not yet'),
  activation_rules: z.array(openObject),
});

/** The subscription in the answer to an update (§3.2). */
export const subscriptionWithPlan = subscription.extend({
  plan: plan.omit({ fixed_charges: true, entitlements: true }),
  applicable_usage_thresholds: z.array(applicableThreshold),
});

/** The single subscription (lookups §3). */
export const subscriptionDetail = subscriptionWithPlan.extend({ entitlements: plan.shape.entitlements });

/** A subscription of a list (lookups §3). */
export const listedSubscription = subscription.omit({ applied_invoice_custom_sections: true });
