/**
 * What the lists and reports of the interface answer (docs/lookups.md), typed like the resources in shown.ts: by the key of
 * the body that holds it.
 */
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
  Odd,
  Payment,
  Plan,
  Subscription,
  Tax,
  Wallet,
  WalletTransaction,
  WebhookEndpoint,
} from './shown.ts';

type Terms = Fields<'amount_cents' | 'amount_currency' | 'percentage_rate' | 'frequency' | 'frequency_duration'>;

/** A coupon (lookups §10). It has no status: it has ended when `terminated_at` is set. */
export type Coupon = Terms &
  Fields<
    | 'svc_id'
    | 'name'
    | 'code'
    | 'description'
    | 'coupon_type'
    | 'reusable'
    | 'plan_codes'
    | 'billable_metric_codes'
    | 'expiration'
    | 'expiration_at'
    | 'terminated_at'
    | 'created_at'
  >;

/** A coupon that a customer has (lookups §10). */
export interface AppliedCoupon
  extends Terms,
    Fields<
      | 'svc_id'
      | 'svc_coupon_id'
      | 'coupon_code'
      | 'coupon_name'
      | 'external_customer_id'
      | 'status'
      | 'amount_cents_remaining'
      | 'frequency_duration_remaining'
      /** The limits of the coupon, which the list of coupons shows. */
      | 'plan_codes'
      | 'billable_metric_codes'
      | 'expiration_at'
      | 'terminated_at'
      | 'created_at'
    > {
  readonly credits?: Listed<Fields<'svc_id' | 'amount_cents' | 'amount_currency'>>;
}

/** The usage of a charge, or of one of its groups or filters (lookups §6.1). */
export interface UsagePart
  extends Fields<
    'units' | 'total_aggregated_units' | 'events_count' | 'amount_cents' | 'invoice_display_name' | 'grouped_by'
  > {
  /** Null for events that match no filter. */
  readonly values?: Free | Odd;
  readonly filters?: Listed<UsagePart>;
  readonly grouped_usage?: Listed<UsagePart>;
  readonly presentation_breakdowns?: Fee['presentation_breakdowns'];
}

export interface ChargeUsage extends UsagePart {
  readonly charge?: Fields<'svc_id' | 'code' | 'charge_model' | 'invoice_display_name'> | Odd;
  readonly billable_metric?: Fields<'svc_id' | 'name' | 'code' | 'aggregation_type'> | Odd;
}

/** The usage of one period (lookups §6.1, lookups §6.2). */
export interface Usage
  extends Fields<
    | 'from_datetime'
    | 'to_datetime'
    | 'issuing_date'
    | 'currency'
    | 'amount_cents'
    | 'taxes_amount_cents'
    | 'total_amount_cents'
    | 'svc_invoice_id'
  > {
  readonly charges_usage?: Listed<ChargeUsage>;
}

/** The usage of a subscription since its start (lookups §6.3). */
type LifetimeUsage = Fields<
  'external_historical_usage_amount_cents' | 'invoiced_usage_amount_cents' | 'current_usage_amount_cents'
>;

/** A month of a report (lookups §13). */
export type ReportRow = Fields<
  'month' | 'currency' | 'amount_cents' | 'invoices_count' | 'svc_invoice_ids' | 'code' | 'payment_status'
>;

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
export type ListPage = Fields<'current_page' | 'next_page' | 'prev_page' | 'total_pages' | 'total_count'>;

/** The body of any answer. */
export type Body = { readonly [Key in RecordKey]?: RecordOf<Key> | Odd } & {
  readonly [Key in ListKey]?: Listed<RowOf<Key>>;
} & { readonly meta?: ListPage | Odd };

/** The record that a summary is about, by the key of the answer; of a list its body. */
export type RecordUnder<Result> = Result extends RecordKey ? RecordOf<Result> : Result extends ListKey ? Body : object;
