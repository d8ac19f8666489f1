/** The types of a preview's request (§12.1), which routes/preview-request.ts reads. */
import type { BillingTime } from '../../../contract/enums.ts';
import type { RequestCoupon } from '../../../engine/preview-credits.ts';
import type { Address, CustomerRecord, InstantText } from '../../../engine/records/index.ts';

/** The customer fields that a preview's request may replace; `fields` holds only those that were sent. */
export interface CustomerOverlay {
  external_id: string | null;
  fields: Partial<Address & Pick<CustomerRecord, 'name' | 'currency' | 'tax_identification_number' | 'timezone'>>;
  shipping_address: Address | null;
  integrations: { type: string; code: string | null }[];
}

export interface PreviewRequest {
  plan_code: string | null;
  billing_entity_code: string | null;
  billing_time: BillingTime;
  /** Null: now. `invalid`: it was sent but is not a date-time. */
  subscription_at: InstantText | 'invalid' | null;
  customer: CustomerOverlay | null;
  coupons: RequestCoupon[];
  external_ids: string[];
  /** Code of the plan to change to. */
  target_code: string | null;
  terminated_at: InstantText | 'invalid' | null;
}
