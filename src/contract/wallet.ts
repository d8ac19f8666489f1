/** A prepaid credit balance (specification, "Wallet"; service-behaviour §3.1). */
import * as z from 'zod';
import { feeTypes, intervals, lifeStatuses, topUpMethods, topUpTriggers } from './enums.ts';
import {
  cents,
  currency,
  decimal,
  flag,
  holding,
  instant,
  integer,
  list,
  oneOf,
  record,
  text,
  texts,
  uuid,
  writable,
} from './fields.ts';
import { appliedSections, createdAt, metadataObject, paymentMethod, purchaseOrderNumber, svcId } from './shared.ts';

/** A top-up that recurs (service-behaviour §3.1, "Rule checks"). */
export const walletRule = z.looseObject({
  svc_id: svcId,
  trigger: oneOf('What starts a top-up', ...topUpTriggers),
  method: oneOf('How much is topped up', ...topUpMethods),
  interval: oneOf('How often', ...intervals),
  status: oneOf('State', ...lifeStatuses),
  threshold_credits: decimal('Balance in credits that starts a top-up'),
  target_ongoing_balance: decimal('Balance in credits to reach'),
  paid_credits: decimal('Credits that are bought'),
  granted_credits: decimal('Credits that are given'),
  started_at: writable(instant('When the rule starts'), { clears: true, unsentNull: true }),
  expiration_at: writable(instant('When the rule ends; null means never'), { clears: true, unsentNull: true }),
  grants_target_top_up: writable(flag('Top-ups to the target are free'), {}),
  invoice_requires_successful_payment: writable(flag('Invoice a top-up only after it is paid'), {
    label: 'waiting for payment:',
  }),
  ignore_paid_top_up_limits: writable(flag('Top-ups may exceed the paid top-up limits of the wallet'), {
    label: 'beyond the limits of paid top-ups:',
  }),
  transaction_name: writable(text('Label of the fee on the invoice'), {
    longest: 255,
    filled: true,
    clears: true,
    unsentNull: true,
  }),
  purchase_order_number: writable(text("Purchase order number on top-up invoices; null uses the wallet's"), {
    longest: 255,
    trimmed: true,
    filled: true,
    clears: true,
  }),
  transaction_metadata: list(
    z.looseObject({ key: text('Key'), value: holding('anything', text('Value')) }),
    'Copied to each transaction',
  ),
  payment_method: paymentMethod,
  applied_invoice_custom_sections: appliedSections,
  created_at: createdAt,
});

export const wallet = z.looseObject({
  svc_id: svcId,
  svc_customer_id: uuid('The customer'),
  external_customer_id: text('Your own id of the customer'),
  billing_entity_code: text('Billing entity that invoices top-ups'),
  status: oneOf('State', ...lifeStatuses),
  currency: currency(),
  rate_amount: decimal('Value of one credit in major units'),
  name: writable(text('Name of the wallet'), { clears: true }),
  code: writable(text('Code, unique per customer'), {}),
  priority: writable(integer('1 is used first, 50 last'), { least: 1, most: 50, hint: '1 (used first) to 50' }),
  expiration_at: writable(instant('When the credits expire, in the future; null means never'), {
    clears: true,
    label: 'expiry',
  }),
  credits_balance: decimal('Credits now'),
  balance_cents: cents('Balance now'),
  consumed_credits: decimal('Credits used so far'),
  ongoing_balance_cents: cents('Balance less the usage of the running period'),
  ongoing_usage_balance_cents: cents('Usage of the running period'),
  credits_ongoing_balance: decimal('Credits less the usage of the running period'),
  credits_ongoing_usage_balance: decimal('Usage of the running period in credits'),
  invoice_requires_successful_payment: writable(flag('Invoice top-ups only after they are paid'), {
    label: 'waiting for payment before a top-up is invoiced',
  }),
  paid_top_up_min_amount_cents: writable(cents('Smallest paid top-up; null means no limit'), {
    least: 1,
    clears: true,
    label: 'smallest paid top-up',
  }),
  paid_top_up_max_amount_cents: writable(cents('Largest paid top-up; null means no limit'), {
    least: 1,
    clears: true,
    label: 'largest paid top-up',
  }),
  applies_to: record(
    {
      fee_types: texts(`Kinds of fees it pays: ${feeTypes.join(', ')}; empty is all`),
      billable_metric_codes: texts('Metrics it pays; empty is all'),
    },
    'What the credits may pay',
  ),
  recurring_transaction_rules: list(walletRule, 'Active top-up rules, at most one'),
  metadata: metadataObject,
  purchase_order_number: writable(purchaseOrderNumber, { longest: 255, trimmed: true, clears: true }),
  payment_method: paymentMethod,
  applied_invoice_custom_sections: appliedSections,
  last_balance_sync_at: instant('When the settled balance last changed'),
  last_consumed_credit_at: instant('When credits were last used'),
  terminated_at: instant('When it was terminated'),
  created_at: createdAt,
});
