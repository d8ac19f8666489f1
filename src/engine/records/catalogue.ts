/** What is sold: metrics, add-ons, plans and their charges, coupons. */

import { addOn } from '../../contract/add-on.ts';
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
import type { PriceProperties } from '../../contract/pricing/types.ts';
import type { EntryIn, Plan, RecordIn } from '../../contract/shown.ts';
import {
  columnsOf,
  decimal,
  flag,
  instant,
  int,
  json,
  oneOf,
  orNull,
  type RecordOf,
  row,
  table,
  text,
  type ValuesOf,
} from './table.ts';
import type { DecimalText, InstantText, Json, JsonOf } from './values.ts';

export const billableMetrics = table(
  { ...row, filters: json<{ key: string; values: string[] }[]>() },
  {
    details: {
      name: text,
      code: text,
      description: orNull(text),
      aggregation_type: oneOf<AggregationType>(),
      field_name: orNull(text),
      expression: orNull(text),
      recurring: flag,
      rounding_function: orNull(oneOf<RoundingFunction>()),
      rounding_precision: orNull(int),
      weighted_interval: orNull(oneOf<WeightedInterval>()),
    },
  },
);
export interface BillableMetricRecord extends RecordOf<typeof billableMetrics> {}

export const addOns = table(
  { ...row, tax_codes: json<string[]>(), deleted_at: orNull(instant) },
  {
    // Answers show the code third.
    details: {
      ...columnsOf(addOn, ['description', 'amount_cents', 'amount_currency']),
      code: text,
      ...columnsOf(addOn, ['name', 'invoice_display_name']),
    },
  },
);
export interface AddOnRecord extends RecordOf<typeof addOns> {}

export interface ChargeFilterRecord {
  id: string;
  invoice_display_name: string | null;
  properties: PriceProperties;
  values: { [key: string]: string[] };
}

/** What usage charges and fixed charges share. */
interface PricedRecord {
  id: string;
  code: string;
  parent_id: string | null;
  invoice_display_name: string | null;
  pay_in_advance: boolean;
  prorated: boolean;
  properties: PriceProperties;
  tax_codes: string[];
  created_at: InstantText;
}

/** One usage charge of a plan. Stored inside its plan. */
export interface ChargeRecord extends PricedRecord {
  billable_metric_id: string;
  charge_model: ChargeModel;
  invoiceable: boolean;
  regroup_paid_fees: FeeGrouping | null;
  min_amount_cents: number;
  filters: ChargeFilterRecord[];
}

/** One quantity of an add-on that a plan bills every period. Stored inside its plan. */
export interface FixedChargeRecord extends PricedRecord {
  add_on_id: string;
  charge_model: FixedChargeModel;
  units: DecimalText;
}

export interface MinimumCommitment extends ValuesOf<typeof row> {
  amount_cents: number;
  invoice_display_name: string | null;
  tax_codes: string[];
}

export interface UsageThreshold extends ValuesOf<typeof row> {
  threshold_display_name: string | null;
  amount_cents: number;
  recurring: boolean;
}

type ShownEntitlement = EntryIn<Plan['entitlements']>;
type PrivilegeConfig = RecordIn<EntryIn<ShownEntitlement['privileges']>['config']>;

export interface Entitlement {
  code: string;
  name: string;
  description: string | null;
  privileges: { code: string; name: string; value_type: PrivilegeType; config: JsonOf<PrivilegeConfig>; value: Json }[];
}

export const plans = table(
  {
    ...row,
    trial_period: decimal, // days
    charges: json<ChargeRecord[]>(),
    fixed_charges: json<FixedChargeRecord[]>(),
    minimum_commitment: orNull(json<MinimumCommitment>()),
    usage_thresholds: json<UsageThreshold[]>(),
    entitlements: json<Entitlement[]>(),
    tax_codes: json<string[]>(),
    metadata: orNull(json<{ [key: string]: string | null }>()),
    pending_deletion: flag,
  },
  {
    heading: {
      parent_id: orNull(text), // set on the child copy that a subscription's plan override makes
      name: text,
      code: text,
      invoice_display_name: orNull(text),
      description: orNull(text),
      interval: oneOf<Interval>(),
      amount_cents: int,
      amount_currency: text,
    },
    terms: {
      pay_in_advance: flag,
      bill_charges_monthly: orNull(flag),
      bill_fixed_charges_monthly: orNull(flag),
    },
  },
);
export interface PlanRecord extends RecordOf<typeof plans> {}

/** What coupons and applied coupons share; an applied coupon's values may differ from those of its coupon. */
const price = { amount_cents: orNull(int), amount_currency: orNull(text) };
const frequency = { frequency: oneOf<CouponFrequency>(), frequency_duration: orNull(int) };

export const coupons = table(
  {
    ...row,
    percentage_rate: orNull(decimal),
    status: oneOf<LifeStatus>(),
    expiration: oneOf<CouponExpiration>(),
    expiration_at: orNull(instant),
    terminated_at: orNull(instant),
  },
  {
    heading: { name: text, code: text, description: orNull(text) },
    price,
    frequency,
    kind: { coupon_type: oneOf<CouponType>(), reusable: flag }, // reusable: may be applied to one customer several times
    limits: { plan_codes: json<string[]>(), billable_metric_codes: json<string[]>() }, // empty: not limited
  },
);
export interface CouponRecord extends RecordOf<typeof coupons> {}

export const appliedCoupons = table(
  {
    ...row,
    coupon_id: text,
    customer_id: text,
    status: oneOf<LifeStatus>(),
    amount_cents_remaining: orNull(int), // fixed amount, `once`: cents not used yet
    percentage_rate: orNull(decimal),
    frequency_duration_remaining: orNull(int),
    terminated_at: orNull(instant),
  },
  { price, frequency },
);
export interface AppliedCouponRecord extends RecordOf<typeof appliedCoupons> {}
