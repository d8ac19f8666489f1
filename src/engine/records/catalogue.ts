/** What is sold: metrics, add-ons, plans and their charges, coupons. */

import { addOn } from '../../contract/add-on.ts';
import * as enums from '../../contract/enums.ts';
import type { PriceProperties } from '../../contract/pricing/types.ts';
import type { EntryIn, Plan, RecordIn } from '../../contract/shown.ts';
import * as t from './table.ts';
import type { DecimalText, InstantText, Json, JsonOf } from './values.ts';

export const billableMetrics = t.table(
  { ...t.row, filters: t.json<{ key: string; values: string[] }[]>() },
  {
    details: {
      name: t.text,
      code: t.text,
      description: t.orNull(t.text),
      aggregation_type: t.oneOf(enums.aggregationTypes),
      field_name: t.orNull(t.text),
      expression: t.orNull(t.text),
      recurring: t.flag,
      rounding_function: t.orNull(t.oneOf(enums.roundingFunctions)),
      rounding_precision: t.orNull(t.int),
      weighted_interval: t.orNull(t.oneOf(enums.weightedIntervals)),
    },
  },
);
export interface BillableMetricRecord extends t.RecordOf<typeof billableMetrics> {}

export const addOns = t.table(
  { ...t.row, tax_codes: t.json<string[]>(), deleted_at: t.orNull(t.instant) },
  {
    // Answers show the code third.
    details: {
      ...t.columnsOf(addOn, ['description', 'amount_cents', 'amount_currency']),
      code: t.text,
      ...t.columnsOf(addOn, ['name', 'invoice_display_name']),
    },
  },
);
export interface AddOnRecord extends t.RecordOf<typeof addOns> {}

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
  charge_model: enums.ChargeModel;
  invoiceable: boolean;
  regroup_paid_fees: t.Word<typeof enums.feeGroupings> | null;
  min_amount_cents: number;
  filters: ChargeFilterRecord[];
}

/** One quantity of an add-on that a plan bills every period. Stored inside its plan. */
export interface FixedChargeRecord extends PricedRecord {
  add_on_id: string;
  charge_model: enums.FixedChargeModel;
  units: DecimalText;
}

export interface MinimumCommitment extends t.ValuesOf<typeof t.row> {
  amount_cents: number;
  invoice_display_name: string | null;
  tax_codes: string[];
}

export interface UsageThreshold extends t.ValuesOf<typeof t.row> {
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
  privileges: {
    code: string;
    name: string;
    value_type: t.Word<typeof enums.privilegeTypes>;
    config: JsonOf<PrivilegeConfig>;
    value: Json;
  }[];
}

export const plans = t.table(
  {
    ...t.row,
    trial_period: t.decimal, // days
    charges: t.json<ChargeRecord[]>(),
    fixed_charges: t.json<FixedChargeRecord[]>(),
    minimum_commitment: t.orNull(t.json<MinimumCommitment>()),
    usage_thresholds: t.json<UsageThreshold[]>(),
    entitlements: t.json<Entitlement[]>(),
    tax_codes: t.json<string[]>(),
    metadata: t.orNull(t.json<{ [key: string]: string | null }>()),
    pending_deletion: t.flag,
  },
  {
    heading: {
      parent_id: t.orNull(t.text), // set on the child copy that a subscription's plan override makes
      name: t.text,
      code: t.text,
      invoice_display_name: t.orNull(t.text),
      description: t.orNull(t.text),
      interval: t.oneOf(enums.intervals),
      amount_cents: t.int,
      amount_currency: t.text,
    },
    terms: {
      pay_in_advance: t.flag,
      bill_charges_monthly: t.orNull(t.flag),
      bill_fixed_charges_monthly: t.orNull(t.flag),
    },
  },
);
export interface PlanRecord extends t.RecordOf<typeof plans> {}

/** What coupons and applied coupons share; an applied coupon's values may differ from those of its coupon. */
const price = { amount_cents: t.orNull(t.int), amount_currency: t.orNull(t.text) };
const frequency = { frequency: t.oneOf(enums.couponFrequencies), frequency_duration: t.orNull(t.int) };

export const coupons = t.table(
  {
    ...t.row,
    percentage_rate: t.orNull(t.decimal),
    status: t.oneOf(enums.lifeStatuses),
    expiration: t.oneOf(enums.couponExpirations),
    expiration_at: t.orNull(t.instant),
    terminated_at: t.orNull(t.instant),
  },
  {
    heading: { name: t.text, code: t.text, description: t.orNull(t.text) },
    price,
    frequency,
    kind: { coupon_type: t.oneOf(enums.couponTypes), reusable: t.flag }, // reusable: may be applied to one customer several times
    limits: { plan_codes: t.json<string[]>(), billable_metric_codes: t.json<string[]>() }, // empty: not limited
  },
);
export interface CouponRecord extends t.RecordOf<typeof coupons> {}

export const appliedCoupons = t.table(
  {
    ...t.row,
    coupon_id: t.text,
    customer_id: t.text,
    status: t.oneOf(enums.lifeStatuses),
    amount_cents_remaining: t.orNull(t.int), // fixed amount, `once`: cents not used yet
    percentage_rate: t.orNull(t.decimal),
    frequency_duration_remaining: t.orNull(t.int),
    terminated_at: t.orNull(t.instant),
  },
  { price, frequency },
);
export interface AppliedCouponRecord extends t.RecordOf<typeof appliedCoupons> {}
