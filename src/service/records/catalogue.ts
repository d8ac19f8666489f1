/** What is sold: metrics, add-ons, plans and their charges, coupons. */
import type {
  AggregationType,
  ChargeModel,
  CouponExpiration,
  CouponFrequency,
  CouponType,
  FeeGrouping,
  FixedChargeModel,
  Interval,
  LifeStatus,
  PrivilegeType,
  RoundingFunction,
  WeightedInterval,
} from '../../contract/enums.ts';
import type { DecimalText, InstantText, Json, JsonObject, Row } from './values.ts';

export interface BillableMetricRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  aggregation_type: AggregationType;
  field_name: string | null;
  expression: string | null;
  recurring: boolean;
  rounding_function: RoundingFunction | null;
  rounding_precision: number | null;
  weighted_interval: WeightedInterval | null;
  filters: { key: string; values: string[] }[];
}

export interface AddOnRecord extends Row {
  code: string;
  name: string;
  invoice_display_name: string | null;
  description: string | null;
  amount_cents: number;
  amount_currency: string;
  tax_codes: string[];
  deleted_at: InstantText | null;
}

export interface ChargeFilterRecord {
  id: string;
  invoice_display_name: string | null;
  properties: JsonObject;
  values: { [key: string]: string[] };
}

/** One usage charge of a plan. Stored inside its plan. */
export interface ChargeRecord {
  id: string;
  code: string;
  parent_id: string | null;
  billable_metric_id: string;
  charge_model: ChargeModel;
  invoiceable: boolean;
  invoice_display_name: string | null;
  pay_in_advance: boolean;
  regroup_paid_fees: FeeGrouping | null;
  prorated: boolean;
  min_amount_cents: number;
  properties: JsonObject;
  filters: ChargeFilterRecord[];
  tax_codes: string[];
  created_at: InstantText;
}

/** One quantity of an add-on that a plan bills every period. Stored inside its plan. */
export interface FixedChargeRecord {
  id: string;
  code: string;
  parent_id: string | null;
  add_on_id: string;
  charge_model: FixedChargeModel;
  invoice_display_name: string | null;
  pay_in_advance: boolean;
  prorated: boolean;
  properties: JsonObject;
  units: DecimalText;
  tax_codes: string[];
  created_at: InstantText;
}

interface MinimumCommitment {
  id: string;
  amount_cents: number;
  invoice_display_name: string | null;
  tax_codes: string[];
  created_at: InstantText;
  updated_at: InstantText;
}

export interface UsageThreshold {
  id: string;
  threshold_display_name: string | null;
  amount_cents: number;
  recurring: boolean;
  created_at: InstantText;
  updated_at: InstantText;
}

export interface Entitlement {
  code: string;
  name: string;
  description: string | null;
  privileges: { code: string; name: string; value_type: PrivilegeType; config: JsonObject; value: Json }[];
}

export interface PlanRecord extends Row {
  code: string;
  parent_id: string | null; // set on the child copy that a subscription's plan override makes
  name: string;
  invoice_display_name: string | null;
  description: string | null;
  interval: Interval;
  amount_cents: number;
  amount_currency: string;
  trial_period: DecimalText; // days
  pay_in_advance: boolean;
  bill_charges_monthly: boolean | null;
  bill_fixed_charges_monthly: boolean | null;
  charges: ChargeRecord[];
  fixed_charges: FixedChargeRecord[];
  minimum_commitment: MinimumCommitment | null;
  usage_thresholds: UsageThreshold[];
  entitlements: Entitlement[];
  tax_codes: string[];
  metadata: { [key: string]: string | null } | null;
  pending_deletion: boolean;
}

export interface CouponRecord extends Row {
  code: string;
  name: string;
  description: string | null;
  coupon_type: CouponType;
  amount_cents: number | null;
  amount_currency: string | null;
  percentage_rate: DecimalText | null;
  frequency: CouponFrequency;
  frequency_duration: number | null;
  reusable: boolean; // may be applied to one customer several times
  plan_codes: string[]; // limited to these plans; empty = not limited
  billable_metric_codes: string[]; // limited to these metrics; empty = not limited
  status: LifeStatus;
  expiration: CouponExpiration;
  expiration_at: InstantText | null;
  terminated_at: InstantText | null;
}

export interface AppliedCouponRecord extends Row {
  coupon_id: string;
  customer_id: string;
  status: LifeStatus;
  amount_cents: number | null; // copied from the coupon, may differ
  amount_cents_remaining: number | null; // fixed amount, `once`: cents not used yet
  amount_currency: string | null;
  percentage_rate: DecimalText | null;
  frequency: CouponFrequency;
  frequency_duration: number | null;
  frequency_duration_remaining: number | null;
  terminated_at: InstantText | null;
}
