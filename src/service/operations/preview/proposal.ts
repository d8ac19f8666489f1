/** The subscription that a preview proposes: as it would be stored, but without id, external id and status (§12.7). */
import type { BillingTime } from '../../../contract/enums.ts';
import type { ScheduledSubject } from '../../../engine/preview-modes.ts';
import type { InstantText, PlanRecord, SubscriptionRecord } from '../../../engine/records/index.ts';
import type { PreviewCustomer } from './records.ts';

export function proposedSubject(
  plan: PlanRecord,
  customer: PreviewCustomer,
  startsAt: InstantText,
  billingTime: BillingTime,
  now: InstantText,
): ScheduledSubject {
  return {
    subscription: {
      ...unstoredFields,
      ...startDates(startsAt, now),
      plan_id: plan.id,
      billing_time: billingTime,
      customer_id: customer.stored?.id ?? '',
    },
    plan,
    timezone: customer.timezone,
    first_started_at: startsAt,
    follows: 'nothing',
    billed_fees: [],
    billed_periods: [],
    scheduled: null,
  };
}

function startDates(startsAt: InstantText, now: InstantText) {
  return { subscription_at: startsAt, started_at: startsAt, created_at: now, updated_at: now };
}

const unstoredFields: Omit<
  SubscriptionRecord,
  'subscription_at' | 'started_at' | 'created_at' | 'updated_at' | 'plan_id' | 'billing_time' | 'customer_id'
> = {
  id: '',
  external_id: '',
  billing_entity_id: null,
  name: null,
  status: 'active',
  ending_at: null,
  terminated_at: null,
  canceled_at: null,
  trial_ended_at: null,
  activated_at: null,
  previous_subscription_id: null,
  next_plan_code: null,
  downgrade_plan_date: null,
  on_termination_credit_note: null,
  on_termination_invoice: 'generate',
  cancellation_reason: null,
  progressive_billing_disabled: false,
  consolidate_invoice: true,
  purchase_order_number: null,
  payment_method: null,
  skip_invoice_custom_sections: false,
  invoice_custom_section_codes: [],
  activation_rules: [],
  usage_thresholds: [],
  fixed_charge_units: {},
};
