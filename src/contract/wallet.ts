/** A prepaid credit balance (specification, "Wallet"; service-behaviour §3.1). */
import * as z from 'zod';
import { feeTypes, intervals, lifeStatuses, topUpMethods, topUpTriggers } from './enums.ts';
import { cents, currency, decimal, flag, instant, integer, list, oneOf, record, text, texts, uuid } from './fields.ts';
import { appliedSections, createdAt, metadataObject, paymentMethod, purchaseOrderNumber, svcId } from './shared.ts';

const rule = z.looseObject({
  svc_id: svcId,
  trigger: oneOf('What starts a top-up', ...topUpTriggers),
  method: oneOf('How much is topped up', ...topUpMethods),
  interval: oneOf('How often', ...intervals),
  status: oneOf('State', ...lifeStatuses),
  threshold_credits: decimal('Balance in credits that starts a top-up'),
  target_ongoing_balance: decimal('Balance in credits to reach'),
  paid_credits: decimal('Credits that are bought'),
  granted_credits: decimal('Credits that are given'),
  grants_target_top_up: flag('Top-ups to the target are given, not bought'),
  started_at: instant('Start'),
  expiration_at: instant('End; null is never'),
  invoice_requires_successful_payment: flag('The invoice waits for the payment'),
  ignore_paid_top_up_limits: flag('Top-ups may leave the limits of the wallet'),
  transaction_name: text('Label of the fee on the invoice'),
  transaction_metadata: list(z.looseObject({ key: text('Key'), value: text('Value') }), 'Copied to each transaction'),
  purchase_order_number: purchaseOrderNumber,
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
  name: text('Name'),
  code: text('Code, unique for the customer'),
  priority: integer('1 is used first, 50 last'),
  expiration_at: instant('When the credits expire; null is never'),
  credits_balance: decimal('Credits now'),
  balance_cents: cents('Balance now'),
  consumed_credits: decimal('Credits used so far'),
  ongoing_balance_cents: cents('Balance less the usage of the running period'),
  ongoing_usage_balance_cents: cents('Usage of the running period'),
  credits_ongoing_balance: decimal('Credits less the usage of the running period'),
  credits_ongoing_usage_balance: decimal('Usage of the running period in credits'),
  invoice_requires_successful_payment: flag('Top-up invoices wait for their payment'),
  paid_top_up_min_amount_cents: cents('Smallest paid top-up; null is no limit'),
  paid_top_up_max_amount_cents: cents('Largest paid top-up; null is no limit'),
  applies_to: record(
    {
      fee_types: texts(`Kinds of fees it pays: ${feeTypes.join(', ')}; empty is all`),
      billable_metric_codes: texts('Metrics it pays; empty is all'),
    },
    'What the credits may pay',
  ),
  recurring_transaction_rules: list(rule, 'Active top-up rules, at most one'),
  metadata: metadataObject,
  purchase_order_number: purchaseOrderNumber,
  payment_method: paymentMethod,
  applied_invoice_custom_sections: appliedSections,
  last_balance_sync_at: instant('When the balance was last computed'),
  last_consumed_credit_at: instant('When credits were last used'),
  terminated_at: instant('When it was terminated'),
  created_at: createdAt,
});
