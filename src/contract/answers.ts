/**
 * What the lists and reports of the interface answer (docs/lookups.md), typed like the resources in shown.ts: by the key of
 * the body that holds it.
 */
import type { appliedCoupon, coupon } from './coupon.ts';
import type { listPage, reportRow } from './report-row.ts';
import type {
  ActivityLog,
  AddOn,
  Alert,
  BillableMetric,
  BillingEntity,
  Charge,
  CreditNote,
  Customer,
  Event,
  Fee,
  Fields,
  FixedCharge,
  Free,
  Invoice,
  Listed,
  Payment,
  Plan,
  Shown,
  Subscription,
  Tax,
  Wallet,
  WalletTransaction,
  WebhookEndpoint,
} from './shown.ts';
import type { chargeUsage, lifetimeUsage, usagePeriod } from './usage-period.ts';

/** A coupon (lookups §10). It has no status: it has ended when `terminated_at` is set. */
export type Coupon = Shown<typeof coupon>;
/** A coupon that a customer has (lookups §10). */
export type AppliedCoupon = Shown<typeof appliedCoupon>;
export type ChargeUsage = Shown<typeof chargeUsage>;
/** The usage of a charge, or of one of its groups or filters (lookups §6.1). */
export type UsagePart = Omit<ChargeUsage, 'charge' | 'billable_metric'> & {
  readonly values?: Free | null | undefined;
};
/** The usage of one period (lookups §6.1, lookups §6.2). */
export type Usage = Shown<typeof usagePeriod>;
type LifetimeUsage = Shown<typeof lifetimeUsage>;
/** A month of a report (lookups §13). */
export type ReportRow = Shown<typeof reportRow>;

/** Records of single reads, by the key of their body. */
interface SingleRecords {
  add_on: AddOn;
  alert: Alert;
  billable_metric: BillableMetric;
  billing_entity: BillingEntity;
  credit_note: CreditNote;
  /** `portal_url`: the whole answer to a request for a portal link. */
  customer: Customer & Fields<'portal_url'>;
  customer_usage: Usage;
  event: Event;
  fee: Fee;
  invoice: Invoice;
  lifetime_usage: LifetimeUsage;
  payment: Payment;
  plan: Plan;
  subscription: Subscription;
  wallet: Wallet;
  wallet_transaction: WalletTransaction;
  webhook_endpoint: WebhookEndpoint;
}

/** Records of lists, by the key of their body. */
interface ListedRecords {
  activity_logs: ActivityLog;
  add_ons: AddOn;
  alerts: Alert;
  applied_coupons: AppliedCoupon;
  billable_metrics: BillableMetric;
  billing_entities: BillingEntity;
  charges: Charge;
  coupons: Coupon;
  credit_notes: CreditNote;
  customers: Customer;
  events: Event;
  fees: Fee;
  fixed_charges: FixedCharge;
  gross_revenues: ReportRow;
  invoice_collections: ReportRow;
  invoiced_usages: ReportRow;
  invoices: Invoice;
  mrrs: ReportRow;
  overdue_balances: ReportRow;
  payments: Payment;
  plans: Plan;
  subscriptions: Subscription;
  taxes: Tax & Fields<'applied_to_billing_entities_codes'>;
  usage_periods: Usage;
  wallet_transactions: WalletTransaction;
  wallets: Wallet;
  webhook_endpoints: WebhookEndpoint;
}

export type RecordKey = keyof SingleRecords;
export type ListKey = keyof ListedRecords;
export type RecordOf<Key extends RecordKey> = SingleRecords[Key];
export type RowOf<Key extends ListKey> = ListedRecords[Key];

/** Which list page an answer is (service-behaviour §1.5). */
export type ListPage = Shown<typeof listPage>;

/** The body of any answer. */
export type Body = { readonly [Key in RecordKey]?: RecordOf<Key> | null | undefined } & {
  readonly [Key in ListKey]?: Listed<RowOf<Key>>;
} & { readonly meta?: ListPage | null | undefined };

/** The record that a summary is about, by the key of the answer; of a list its body. */
export type RecordUnder<Result> = Result extends RecordKey ? RecordOf<Result> : Result extends ListKey ? Body : object;
