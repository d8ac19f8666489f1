/** The smaller resources, read strictly: see schemas.ts for the rules. */
import { z } from 'zod';
import { addOn as addOnResource } from '../../../src/contract/add-on.ts';
import { billingEntity as billingEntityResource } from '../../../src/contract/billing-entity.ts';
import { shownSchemas } from '../../support/plain-fields.ts';
import {
  address,
  cents,
  country,
  currency,
  decimal,
  flag,
  instant,
  ofUnits,
  onlyWhen,
  openObject,
  orNull,
  preciseInstant,
  tax,
  text,
  timezone,
  uuid,
} from './schemas.ts';

export const addOn = z.strictObject({
  svc_id: uuid,
  code: text,
  ...shownSchemas(addOnResource, ofUnits),
  created_at: instant,
  taxes: z.array(tax),
});

export const billableMetric = z.strictObject({
  svc_id: uuid,
  name: text,
  code: text,
  description: orNull(text, 'not given'),
  field_name: orNull(text, 'not given'),
  expression: orNull(text, 'not given'),
  rounding_function: orNull(z.enum(['round', 'ceil', 'floor']), '§2'),
  weighted_interval: orNull(z.literal('seconds'), '§2'),
  aggregation_type: z.enum([
    'count_agg',
    'sum_agg',
    'max_agg',
    'unique_count_agg',
    'weighted_sum_agg',
    'latest_agg',
    'custom_agg',
  ]),
  recurring: flag,
  created_at: instant,
  rounding_precision: orNull(z.int(), 'not given'),
  filters: z.array(z.strictObject({ key: text, values: z.array(text) })),
});

const subscriptionAlertType = z.enum([
  'current_usage_amount',
  'billable_metric_current_usage_amount',
  'billable_metric_current_usage_units',
  'lifetime_usage_amount',
  'billable_metric_lifetime_usage_units',
]);

const walletAlertType = z.enum([
  'wallet_balance_amount',
  'wallet_credits_balance',
  'wallet_ongoing_balance_amount',
  'wallet_credits_ongoing_balance',
]);

const alert = {
  svc_id: uuid,
  svc_organization_id: uuid,
  external_customer_id: text,
  code: text,
  name: orNull(text, '§3.9'),
  billable_metric: orNull(billableMetric, '§3.9'),
  previous_value: z.number(),
  last_processed_at: orNull(instant, 'not yet'),
  created_at: instant,
  thresholds: z.array(z.strictObject({ code: orNull(text, '§3.9'), recurring: flag, value: decimal })),
};

export const subscriptionAlert = z.strictObject({
  ...alert,
  alert_type: subscriptionAlertType,
  direction: z.literal('increasing'),
  external_subscription_id: text,
  subscription_external_id: text, // §4
  svc_wallet_id: z.null(),
  wallet_code: z.null(),
});

export const walletAlert = z.strictObject({
  ...alert,
  alert_type: walletAlertType,
  direction: z.literal('decreasing'),
  external_subscription_id: orNull(text, '§3.11'),
  subscription_external_id: orNull(text, '§3.11'),
  svc_wallet_id: uuid,
  wallet_code: text,
});

export const billingEntity = z.strictObject({
  ...shownSchemas(billingEntityResource, ofUnits),
  svc_id: uuid,
  code: text,
  name: text,
  default_currency: currency,
  document_locale: text,
  document_numbering: z.enum(['per_customer', 'per_billing_entity']),
  invoice_grace_period: z.int(),
  timezone,
  created_at: instant,
  updated_at: instant,
  document_number_prefix: orNull(text, 'specification'),
  invoice_footer: onlyWhen(text, 'specification'),
  subscription_invoice_issuing_date_anchor: z.enum(['current_period_end', 'next_period_start']),
  subscription_invoice_issuing_date_adjustment: z.enum(['align_with_finalization_date', 'keep_anchor']),
  is_default: flag,
  ...address.shape,
  country: orNull(country, 'specification'),
  email: orNull(z.email(), 'specification'),
  email_settings: z.array(z.enum(['invoice.finalized', 'credit_note.created', 'payment_receipt.created'])),
  logo_url: orNull(z.url(), 'specification'),
});

export const payment = z.strictObject({
  svc_id: uuid,
  svc_customer_id: uuid,
  external_customer_id: text,
  invoice_ids: z.array(uuid),
  svc_payable_id: uuid,
  payable_type: z.enum(['Invoice', 'PaymentRequest']),
  amount_cents: cents,
  amount_currency: currency,
  status: text,
  payment_status: z.enum(['succeeded', 'failed', 'pending', 'processing']),
  type: z.enum(['manual', 'provider']),
  reference: text,
  payment_provider_code: orNull(text, '§3.13'),
  payment_provider_type: orNull(text, '§3.13'),
  external_payment_id: orNull(text, 'specification'),
  provider_payment_id: orNull(text, 'specification'),
  provider_customer_id: orNull(text, '§3.13'),
  next_action: openObject,
  created_at: instant,
  invoice_numbers: z.array(text),
  payment_method_id: orNull(uuid, 'specification'),
});

export const event = z.strictObject({
  transaction_id: text,
  svc_customer_id: orNull(uuid, '§3.19'),
  code: text,
  timestamp: preciseInstant,
  svc_subscription_id: orNull(uuid, '§3.19'),
  external_subscription_id: text,
  svc_id: uuid,
  precise_total_amount_cents: orNull(decimal, '§3.19'),
  properties: openObject,
  created_at: instant,
});

export const webhookEndpoint = z.strictObject({
  svc_id: uuid,
  svc_organization_id: uuid,
  webhook_url: text,
  created_at: instant,
  signature_algo: z.enum(['jwt', 'hmac']),
  // §3.18
  name: orNull(text, 'not given'),
  event_types: orNull(z.array(text), '§3.18'),
});

export const portalLink = z.strictObject({ portal_url: z.url() });
