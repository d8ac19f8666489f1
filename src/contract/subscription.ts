/** A customer's subscription to a plan (specification, "Subscription"; service-behaviour §3.2, §4). */
import * as z from 'zod';
import {
  activationRuleStatuses,
  activationRuleTypes,
  cancellationReasons,
  terminationCreditNotes,
  terminationInvoices,
} from './enums.ts';
import { cents, currency, day, flag, instant, integer, list, oneOf, text, uuid, writable } from './fields.ts';
import { plan } from './plan.ts';
import {
  appliedSections,
  createdAt,
  paymentMethod,
  purchaseOrderNumber,
  svcId,
  updatedAt,
  usageThreshold,
} from './shared.ts';

export const subscription = z.looseObject({
  svc_id: svcId,
  svc_customer_id: uuid('The customer'),
  external_id: text('Your own id of the subscription'),
  external_customer_id: text('Your own id of the customer'),
  billing_entity_code: writable(text('Code of the billing entity, from the next invoice on'), {}),
  name: writable(text('Name on invoices; default the plan name'), { clears: true }),
  plan_code: text('Plan'),
  plan_amount_cents: cents('Plan fee of an interval, overrides included'),
  plan_amount_currency: currency(),
  status: oneOf('State', 'active', 'pending', 'terminated', 'canceled', 'incomplete (payment-gated start)'),
  billing_time: oneOf('Periods', 'calendar', 'anniversary (from the start date)'),
  subscription_at: writable(instant('Start'), {
    hint: 'Start; pending subscriptions only. A past time activates it',
    label: 'start',
  }),
  started_at: instant('When it became active'),
  activated_at: instant('When its activation rules were met'),
  ending_at: writable(instant('When it ends; null means never'), {
    clears: true,
    hint: 'When it ends, after today',
    label: 'end',
  }),
  canceled_at: instant('When it was canceled before its start'),
  terminated_at: instant('When it was terminated'),
  trial_ended_at: instant('When its trial ended'),
  current_billing_period_started_at: instant('Start of the current usage period'),
  current_billing_period_ending_at: instant('End of the current usage period'),
  previous_plan_code: text('Plan before the last change; null if none'),
  next_plan_code: text('Plan that follows; null if none'),
  downgrade_plan_date: day('When the next plan begins'),
  on_termination_credit_note: oneOf(
    'Unused prepaid days on termination',
    ...terminationCreditNotes,
    'null on arrears plans',
  ),
  on_termination_invoice: oneOf('Last invoice on termination', ...terminationInvoices),
  cancellation_reason: oneOf('Why it was canceled', ...cancellationReasons, 'null'),
  activation_rules: list(
    z.looseObject({
      svc_id: svcId,
      type: oneOf('Rule', ...activationRuleTypes),
      timeout_hours: integer('Hours until it expires'),
      status: oneOf('State', ...activationRuleStatuses),
      expires_at: instant('When it expires'),
      created_at: createdAt,
      updated_at: updatedAt,
    }),
    'What must happen before it becomes active; [{type, timeout_hours}] can be set while it is pending',
  ),
  progressive_billing_disabled: writable(flag('Usage thresholds trigger no invoices'), {
    label: 'progressive billing',
  }),
  consolidate_invoice: writable(flag('Bill it together with other subscriptions'), {
    initially: true,
    label: 'billing together with other subscriptions',
  }),
  purchase_order_number: writable(purchaseOrderNumber, { longest: 255, trimmed: true, clears: true }),
  plan: plan.nullish().describe("Its plan, with overrides; charge ids for a later override are this plan's"),
  applicable_usage_thresholds: list(
    usageThreshold,
    "Thresholds that take effect: its own (`usage_thresholds` sets them, [] removes them), else its plan's",
  ),
  applied_invoice_custom_sections: appliedSections,
  payment_method: paymentMethod,
  created_at: createdAt,
});
