/** Entries of an account file: customers, subscriptions, wallets and alerts. */
import * as z from 'zod';
import * as enums from '../../contract/enums.ts';
import { subscription } from '../../contract/subscription.ts';
import { wallet, walletRule } from '../../contract/wallet.ts';
import { planOverrides, usageThreshold } from './schema-catalogue.ts';
import * as is from './values.ts';

const appliedCoupon = z.strictObject({
  ...is.common,
  code: is.label,
  status: z.enum(enums.lifeStatuses).default('active'),
  amount_cents: is.optional(is.positiveCents, 'the coupon’s'),
  amount_cents_remaining: is.optional(
    z.int().nonnegative().nullable(),
    'the whole amount, of a coupon that is used once',
  ),
  percentage_rate: is.optional(is.amountValue, 'the coupon’s'),
  frequency: is.optional(z.enum(enums.couponFrequencies), 'the coupon’s'),
  frequency_duration: is.optional(z.int().positive().nullable(), 'the coupon’s'),
  frequency_duration_remaining: is.optional(z.int().nonnegative().nullable(), 'the whole duration'),
  terminated_at: is.optionalInstant.meta({ absent: 'created_at, when terminated' }),
});

const shippingAddress = z.strictObject(is.addressFields).nullable().default(null);

export const customerEntry = z.strictObject({
  ...is.common,
  ...is.addressFields,
  external_id: is.label,
  billing_entity_code: is.optional(is.label, 'the first billing entity'),
  name: is.text,
  firstname: is.text,
  lastname: is.text,
  email: is.text,
  phone: is.text,
  url: is.text,
  logo_url: is.text,
  legal_name: is.text,
  legal_number: is.text,
  tax_identification_number: is.text,
  account_type: z.enum(enums.accountTypes).default('customer'),
  customer_type: z.enum(enums.customerTypes).nullable().default(null),
  currency: is.currency.nullable().default(null),
  timezone: is.timezone.nullable().default(null),
  net_payment_term: z.int().nonnegative().nullable().default(null),
  finalize_zero_amount_invoice: z.enum(enums.zeroAmountChoices).default('inherit'),
  ...is.sections,
  external_salesforce_id: is.text,
  shipping_address: shippingAddress,
  invoice_grace_period: z.int().nonnegative().nullable().default(null),
  document_locale: is.locale.nullable().default(null),
  subscription_invoice_issuing_date_anchor: is.anchor.nullable().default(null),
  subscription_invoice_issuing_date_adjustment: is.adjustment.nullable().default(null),
  payment_provider: is.text,
  payment_provider_code: is.text,
  provider_customer_id: is.text,
  provider_sync: z.boolean().nullable().default(null),
  provider_payment_methods: z.array(z.enum(enums.providerPaymentMethods)).default([]),
  metadata: is
    .withUniqueKeys(
      z
        .array(
          z.strictObject({
            key: z.string().min(1).max(20),
            value: z.string().max(255),
            display_in_invoice: is.flag(false),
          }),
        )
        .max(5),
    )
    .default([]),
  tax_codes: is.codes,
  integration_customers: z.array(is.jsonObject).default([]),
  error_details: is.errorDetails,
  applied_coupons: z.array(appliedCoupon).default([]),
});

const activationRule = z.strictObject({
  ...is.common,
  type: z.enum(enums.activationRuleTypes),
  timeout_hours: z.int().nonnegative().nullable().default(null),
  status: z.enum(enums.activationRuleStatuses).default('inactive'),
  expires_at: is.optionalInstant,
});

export const subscriptionEntry = z.strictObject({
  ...is.common,
  external_id: is.label,
  external_customer_id: is.label,
  plan_code: is.label,
  billing_entity_code: is.optional(is.label, 'the customer’s'),
  name: is.text,
  status: z.enum(enums.subscriptionStatuses).default('active'),
  billing_time: z.enum(enums.billingTimes).default('calendar'),
  subscription_at: is.instant,
  started_at: is.optionalInstant.meta({ absent: 'subscription_at, once started' }),
  ending_at: is.optionalInstant,
  terminated_at: is.optionalInstant,
  canceled_at: is.optionalInstant,
  trial_ended_at: is.optionalInstant,
  previous_plan_code: is
    .optional(is.label, 'none')
    .describe('the terminated subscription of the same external id on that plan'),
  next_plan_code: is.label.nullable().default(null),
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

const keyValues = z
  .array(z.strictObject({ key: z.string().min(1).max(20), value: z.string().max(100) }))
  .max(5)
  .default([]);

const topUpRule = z.strictObject({
  ...is.common,
  trigger: z.enum(enums.topUpTriggers),
  method: z.enum(enums.topUpMethods).default('fixed'),
  interval: z.enum(enums.intervals).nullable().default(null),
  status: z.enum(enums.lifeStatuses).default('active'),
  threshold_credits: is.amountValue.nullable().default(null),
  paid_credits: is.amountValue.default('0'),
  granted_credits: is.amountValue.default('0'),
  target_ongoing_balance: is.amountValue.nullable().default(null),
  ...is.writable(walletRule, []),
  transaction_metadata: keyValues,
  payment_method: is.paymentMethod,
  ...is.sections,
});

const walletTransaction = z.strictObject({
  ...is.common,
  invoice_number: is.optional(is.label, 'none'),
  credit_note_number: is.optional(is.label, 'none'),
  voided_invoice_number: is.optional(is.label, 'none'),
  status: z.enum(enums.walletTransactionStatuses).default('settled'),
  source: z.enum(enums.walletTransactionSources).default('manual'),
  transaction_status: z.enum(enums.transactionStatuses),
  transaction_type: is.optional(z.enum(enums.transactionTypes), 'follows from transaction_status'),
  credit_amount: is.amountValue,
  remaining_credit_amount: is.amountValue.nullable().default(null),
  invoice_requires_successful_payment: is.flag(false),
  metadata: keyValues,
  priority: z.int().min(1).max(50).default(50),
  name: is.text,
  settled_at: is.optionalInstant,
  failed_at: is.optionalInstant,
  payment_method: is.paymentMethod,
  purchase_order_number: is.text,
  invoice_custom_section_codes: is.codes,
});

export const walletEntry = z.strictObject({
  ...is.common,
  external_customer_id: is.label,
  billing_entity_code: is.optional(is.label, 'the customer’s'),
  code: is.optional(is.label, 'made from the name'),
  name: is.text,
  status: z.enum(enums.lifeStatuses).default('active'),
  currency: is.optional(is.currency, 'the customer’s'),
  rate_amount: is.amountValue.default('1').describe('what one credit is worth, in major units'),
  priority: z.int().min(1).max(50).default(50),
  credits_balance: is.amountValue.default('0'),
  consumed_credits: is.amountValue.default('0'),
  ...is.writable(wallet, ['name', 'code', 'priority', 'expiration_at']),
  applies_to: z
    .strictObject({
      fee_types: z.array(z.enum(enums.feeTypes)).default([]),
      billable_metric_codes: is.codes,
    })
    .default({ fee_types: [], billable_metric_codes: [] }),
  recurring_transaction_rules: z.array(topUpRule).default([]),
  transactions: z.array(walletTransaction).default([]),
  payment_method: is.paymentMethod,
  ...is.sections,
  metadata: is.metadataObject,
  expiration_at: is.optionalInstant,
  last_balance_sync_at: is.optionalInstant,
  last_consumed_credit_at: is.optionalInstant,
  terminated_at: is.optionalInstant,
});

export const alertEntry = z.strictObject({
  ...is.common,
  external_subscription_id: is.optional(is.label, 'the alert is of a wallet'),
  external_customer_id: is.optional(is.label, 'the alert is of a subscription'),
  wallet_code: is.optional(is.label, 'the alert is of a subscription'),
  code: is.label,
  name: is.text,
  alert_type: z.enum(enums.alertTypes),
  billable_metric_code: is.optional(is.label, 'none').describe('for the types `billable_metric_…`'),
  previous_value: is.optional(is.decimalValue, '0; of a wallet its balance'),
  last_processed_at: is.optionalInstant,
  thresholds: z
    .array(
      z.strictObject({
        code: is.text,
        value: is.decimalValue,
        recurring: is.flag(false),
      }),
    )
    .min(1)
    .max(20),
});
