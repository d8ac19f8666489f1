/**
 * The records that the embedded billing service stores: one interface per table, with the API's field names.
 * The engine computes from them, the store persists them, the routes turn them into answers.
 *
 * Conventions
 * - `id` is the record's UUID (answered as `svc_id`); `<resource>_id` links to another record's `id`.
 * - Instants are ISO 8601 UTC text with exactly three decimals (`2026-01-31T23:59:59.000Z`), so text order is time order.
 * - Dates are `YYYY-MM-DD`. Cents are integers in the minor unit. Decimals are text (`"12.5"`), never binary floats.
 * - Rates (`20` for 20 %) are decimal text too; answers show them as JSON numbers.
 */
import type {
  BillingEntityRecord,
  CustomerRecord,
  InvoiceCustomSectionRecord,
  OrganizationRecord,
  TaxRecord,
} from './account.ts';
import type {
  CreditNoteRecord,
  InvoiceRecord,
  ListedFeeRecord,
  PaymentRecord,
  PaymentRequestRecord,
} from './billing.ts';
import type { AddOnRecord, AppliedCouponRecord, BillableMetricRecord, CouponRecord, PlanRecord } from './catalogue.ts';
import type {
  AlertRecord,
  EventRecord,
  SubscriptionRecord,
  WalletRecord,
  WalletTransactionRecord,
  WebhookEndpointRecord,
} from './subscription.ts';

export type * from './account.ts';
export type * from './billing.ts';
export type * from './catalogue.ts';
export type * from './subscription.ts';
export type * from './values.ts';

/** Every stored table, by name. */
export interface Tables {
  organizations: OrganizationRecord;
  billing_entities: BillingEntityRecord;
  taxes: TaxRecord;
  invoice_custom_sections: InvoiceCustomSectionRecord;
  customers: CustomerRecord;
  billable_metrics: BillableMetricRecord;
  add_ons: AddOnRecord;
  plans: PlanRecord;
  subscriptions: SubscriptionRecord;
  wallets: WalletRecord;
  wallet_transactions: WalletTransactionRecord;
  coupons: CouponRecord;
  applied_coupons: AppliedCouponRecord;
  invoices: InvoiceRecord;
  fees: ListedFeeRecord;
  credit_notes: CreditNoteRecord;
  payments: PaymentRecord;
  payment_requests: PaymentRequestRecord;
  alerts: AlertRecord;
  webhook_endpoints: WebhookEndpointRecord;
  events: EventRecord;
}
export type TableName = keyof Tables;
