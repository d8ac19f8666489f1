/**
 * What the lists and reports of the interface answer (docs/lookups.md), typed like the resources in shown.ts: by the key of
 * the body that holds it.
 */
import type { listPage } from './report-row.ts';
import type { recordSchemas, rowSchemas } from './resources.ts';
import type { Fields, Free, Listed, Shown } from './shown.ts';
import type { chargeUsage } from './usage-period.ts';

/** A coupon (lookups §10). It has no status: it has ended when `terminated_at` is set. */
export type Coupon = RowOf<'coupons'>;
/** A coupon that a customer has (lookups §10). */
export type AppliedCoupon = RowOf<'applied_coupons'>;
export type ChargeUsage = Shown<typeof chargeUsage>;
/** The usage of a charge, or of one of its groups or filters (lookups §6.1). */
export type UsagePart = Omit<ChargeUsage, 'charge' | 'billable_metric'> & {
  readonly values?: Free | null | undefined;
};
/** The usage of one period (lookups §6.1, lookups §6.2). */
export type Usage = RowOf<'usage_periods'>;
/** A month of a report (lookups §13). */
export type ReportRow = RowOf<'mrrs'>;

type Shapes<Schemas> = { readonly [Key in keyof Schemas]: Shown<Schemas[Key]> };
/** `portal_url`: the whole answer to a request for a portal link. */
type SingleRecords = Shapes<typeof recordSchemas> & { readonly customer: Fields<'portal_url'> };
type ListedRecords = Shapes<typeof rowSchemas> & { readonly taxes: Fields<'applied_to_billing_entities_codes'> };

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
