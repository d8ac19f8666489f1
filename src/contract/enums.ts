/** The values of the fields that can hold only a few words (specification; service-behaviour §2 to §4). */

import { codeWords } from './code-words.ts';
import { modelFields } from './pricing/fields.ts';

/** Whether a value from outside is one of the words. */
export function isOneOf<Word extends string>(words: readonly Word[], value: unknown): value is Word {
  return words.some(word => word === value);
}

export const chargeModels = codesOf(modelFields);
export type ChargeModel = (typeof chargeModels)[number];
export const fixedChargeModels = ['standard', 'graduated', 'volume'] as const;
export type FixedChargeModel = (typeof fixedChargeModels)[number];
/** `regroup_paid_fees` of charges; null where fees are not grouped. */
export const feeGroupings = ['invoice'] as const;
/** Of plans, and of top-ups by the calendar. */
export const intervals = codesOf(codeWords.interval);
export type Interval = (typeof intervals)[number];
export const privilegeTypes = ['integer', 'string', 'boolean', 'select'] as const;

export const aggregationTypes = codesOf(codeWords.aggregation);
export type AggregationType = (typeof aggregationTypes)[number];
export const roundingFunctions = ['round', 'ceil', 'floor'] as const;
export const weightedIntervals = ['seconds'] as const;

/** Status of coupons, applied coupons, wallets and top-up rules. */
export const lifeStatuses = codesOf(codeWords.life);
export type LifeStatus = (typeof lifeStatuses)[number];

export const couponTypes = ['fixed_amount', 'percentage'] as const;
export type CouponType = (typeof couponTypes)[number];
export const couponFrequencies = codesOf(codeWords.frequency);
export const couponExpirations = ['no_expiration', 'time_limit'] as const;

export const accountTypes = ['customer', 'partner'] as const;
export const customerTypes = ['company', 'individual'] as const;
/** `finalize_zero_amount_invoice` of customers. */
export const zeroAmountChoices = ['inherit', 'skip', 'finalize'] as const;

export const documentLocales = ['en', 'fr', 'nb', 'de', 'it', 'es', 'sv', 'pt-BR', 'zh-TW'] as const;
export type DocumentLocale = (typeof documentLocales)[number];
export const documentNumberings = ['per_customer', 'per_billing_entity'] as const;
export const issuingDateAnchors = ['current_period_end', 'next_period_start'] as const;
export const issuingDateAdjustments = ['align_with_finalization_date', 'keep_anchor'] as const;
export const emailSettings = ['invoice.finalized', 'credit_note.created', 'payment_receipt.created'] as const;
export type EmailSetting = (typeof emailSettings)[number];

export const subscriptionStatuses = codesOf(codeWords.subscription);
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
export const billingTimes = ['calendar', 'anniversary'] as const;
export type BillingTime = (typeof billingTimes)[number];
/** `on_termination_credit_note`; null on plans that are paid in arrears. */
export const terminationCreditNotes = codesOf(codeWords.creditNoteAtEnd);
/** `on_termination_invoice`. */
export const terminationInvoices = codesOf(codeWords.invoiceAtEnd);
export const cancellationReasons = codesOf(codeWords.cancellation);

export const activationRuleTypes = ['payment'] as const;
export const activationRuleStatuses = codesOf(codeWords.activationRule);

export const topUpTriggers = ['interval', 'threshold'] as const;
export const topUpMethods = ['fixed', 'target'] as const;
export const walletTransactionStatuses = codesOf(codeWords.transaction);
export const walletTransactionSources = codesOf(codeWords.source);
/** `transaction_status` of wallet transactions: what kind of movement it is. */
export const transactionStatuses = codesOf(codeWords.moved);
/** `transaction_type` of wallet transactions: its direction. */
export const transactionTypes = ['inbound', 'outbound'] as const;

export const subscriptionAlertTypes = [
  'current_usage_amount',
  'billable_metric_current_usage_amount',
  'billable_metric_current_usage_units',
  'lifetime_usage_amount',
  'billable_metric_lifetime_usage_units',
] as const;
export type SubscriptionAlertType = (typeof subscriptionAlertTypes)[number];
export const walletAlertTypes = [
  'wallet_balance_amount',
  'wallet_credits_balance',
  'wallet_ongoing_balance_amount',
  'wallet_credits_ongoing_balance',
] as const;
export type WalletAlertType = (typeof walletAlertTypes)[number];
export const alertTypes = [...subscriptionAlertTypes, ...walletAlertTypes] as const;
export type AlertType = (typeof alertTypes)[number];
export const alertDirections = ['increasing', 'decreasing'] as const;
export type AlertDirection = (typeof alertDirections)[number];

export const feeTypes = codesOf(codeWords.fee);
export type FeeType = (typeof feeTypes)[number];
/** The kind of record that a fee's item is. */
export const itemTypes = ['BillableMetric', 'AddOn', 'WalletTransaction', 'Subscription'] as const;
export const feePaymentStatuses = ['pending', 'succeeded', 'failed', 'refunded'] as const;

export const invoiceTypes = [
  'subscription',
  'add_on',
  'credit',
  'one_off',
  'advance_charges',
  'progressive_billing',
] as const;
/** The statuses in which an invoice is shown. */
export const shownInvoiceStatuses = ['draft', 'finalized', 'voided', 'failed', 'pending'] as const;
/** Those that an answer may have: newer installations also show drafts that were deleted. */
export const invoiceAnswerStatuses = [...shownInvoiceStatuses, 'deleted'] as const;
export const invoiceStatuses = codesOf(codeWords.invoice);
export type InvoiceStatus = (typeof invoiceStatuses)[number];
export const invoicePaymentStatuses = codesOf(codeWords.invoicePayment);
export type InvoicePaymentStatus = (typeof invoicePaymentStatuses)[number];
export const invoicingReasons = [
  'subscription_starting',
  'subscription_periodic',
  'subscription_terminating',
  'in_advance_charge',
  'in_advance_charge_periodic',
  'progressive_billing',
] as const;
export type InvoicingReason = (typeof invoicingReasons)[number];
/** What a credit on an invoice comes from. */
export const creditTypes = ['coupon', 'credit_note', 'invoice'] as const;
/** Problems of customers, invoices and credit notes with taxes or generation. */
export const errorDetailCodes = codesOf(codeWords.problem);

export const creditNoteStatuses = ['finalized', 'draft'] as const;
export const creditNoteReasons = codesOf(codeWords.creditNoteReason);
export const creditStatuses = codesOf(codeWords.credit);
export const refundStatuses = codesOf(codeWords.refund);

export const payableTypes = ['Invoice', 'PaymentRequest'] as const;
export const paymentStatuses = codesOf(codeWords.payment);
export type PaymentStatus = (typeof paymentStatuses)[number];
export const paymentTypes = ['manual', 'provider'] as const;
export const paymentMethodTypes = ['provider', 'manual'] as const;
/** Means of payment that a provider may take. */
// biome-ignore format: names
export const providerPaymentMethods = [
  'card', 'sepa_debit', 'us_bank_account', 'bacs_debit', 'link', 'boleto', 'crypto', 'customer_balance',
] as const;

export const signatureAlgorithms = codesOf(codeWords.signature);

/** Where a change came from: a request with an API key, a user in the service's own pages, or the service itself. */
export const activitySources = ['api', 'front', 'system'] as const;
/** `resource_type` of changes. AddOn and Alert are the embedded service's: its log has every write. */
export const activityResourceTypes: readonly string[] = [
  ...['AddOn', 'Alert', 'BillableMetric', 'BillingEntity', 'Coupon', 'CreditNote', 'Customer', 'Entitlement::Feature'],
  ...['Invoice', 'Order', 'OrderForm', 'PaymentReceipt', 'PaymentRequest', 'Plan', 'Product', 'ProductCategory'],
  ...['ProductFilter', 'Quote', 'RateCard', 'Subscription', 'Wallet'],
];
const activities = {
  add_on: 'updated deleted',
  alert: 'created',
  applied_coupon: 'created deleted',
  billable_metric: 'created updated deleted',
  billing_entities: 'created updated deleted',
  coupon: 'created updated deleted',
  credit_note: 'created generated updated refund_failure',
  customer: 'created updated deleted',
  email: 'sent',
  feature: 'created updated deleted',
  invoice: `drafted ready_to_finalize failed created one_off_created paid_credit_added generated updated
    payment_status_updated payment_overdue payment_failure voided deleted regenerated`,
  order: 'created executed',
  order_form: 'created signed file_uploaded expired voided',
  payment: 'recorded',
  payment_receipt: 'created generated',
  payment_request: 'created',
  plan: 'created updated deleted',
  product: 'created updated deleted',
  product_category: 'created updated deleted',
  product_filter: 'created updated deleted',
  quote: 'created updated approved voided version_created',
  rate_card: 'created updated deleted',
  subscription: 'started updated incomplete canceled terminated',
  wallet: 'created updated',
  wallet_transaction: 'created updated payment_failure',
} as const;
/** `activity_type`: what was done to what. */
export const activityTypes: readonly string[] = Object.entries(activities).flatMap(([resource, actions]) =>
  actions.split(/\s+/).map(action => `${resource}.${action}`),
);

/** The values of an enum of which a table tells more: code-words.ts has their words. */
function codesOf<Code extends string>(table: Readonly<Record<Code, unknown>>): readonly Code[] {
  return Object.keys(table) as Code[];
}
