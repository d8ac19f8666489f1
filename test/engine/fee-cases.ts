import type { FeeType } from '../../src/contract/enums.ts';
import { decimal, fromCents } from '../../src/contract/pricing/money.ts';
import type { UsableCoupon } from '../../src/engine/coupons.ts';
import { type BillableFee, newFee, planItem } from '../../src/engine/fees.ts';
import type { TaxRecord } from '../../src/engine/records/index.ts';
import { planRecord } from './world.ts';

export interface FeeCase {
  cents: number;
  type?: FeeType;
  metric?: string | null;
  plan?: string;
  taxes?: TaxRecord[];
}

/** A fee of `cents` cents, for cases with coupons and taxes. */
export function fee({ cents, type = 'subscription', metric = null, plan = 'plan', taxes = [] }: FeeCase): BillableFee {
  const record = newFee({
    owner: { customer: null, subscription: null },
    item: { ...planItem(planRecord(), null), type },
    currency: 'EUR',
    amount: fromCents(cents, 'EUR'),
    units: decimal(1),
  });
  return { record, plan_code: plan, metric_code: metric, taxes };
}

/** A fixed coupon of 0, unless `fields` say otherwise. */
export function coupon(code: string, fields: Partial<UsableCoupon> = {}): UsableCoupon {
  return {
    coupon_id: code,
    code,
    name: code,
    coupon_type: 'fixed_amount',
    amount_cents: 0,
    amount_currency: 'EUR',
    percentage_rate: null,
    metric_codes: [],
    plan_codes: [],
    created_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}

export const percent = (code: string, rate: string, fields: Partial<UsableCoupon> = {}) =>
  coupon(code, { coupon_type: 'percentage', percentage_rate: rate, ...fields });
