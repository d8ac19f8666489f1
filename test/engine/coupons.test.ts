import { describe, expect, it } from 'vitest';
import { applyCoupons, inOrderOfUse, type UsableCoupon, usableAmount } from '../../src/engine/coupons.ts';
import type { BillableFee } from '../../src/engine/fees.ts';
import { addOns, early, late } from './entries.ts';
import { coupon, fee, percent } from './fee-cases.ts';
import { type Entry, previewOf } from './file-service.ts';
import { ofSubscription } from './service-world.ts';
import { appliedCouponRecord, couponRecord } from './world.ts';

const used = (fees: BillableFee[], coupons: UsableCoupon[]) =>
  applyCoupons(fees, coupons, 'EUR').credits.map(credit => [credit.item.code, credit.amount_cents]);
const shares = (fees: BillableFee[], coupons: UsableCoupon[]) =>
  applyCoupons(fees, coupons, 'EUR').fees.map(({ record }) => record.precise_coupons_amount_cents);

describe('coupons (§11.1)', () => {
  it('go metric-limited first, then plan-limited, then oldest first', () => {
    const order = inOrderOfUse([
      coupon('new', { created_at: '2026-02-01T00:00:00.000Z' }),
      coupon('old'),
      coupon('plan', { plan_codes: ['plan'], created_at: '2026-03-01T00:00:00.000Z' }),
      coupon('metric', { metric_codes: ['units'], created_at: '2026-04-01T00:00:00.000Z' }),
    ]);
    expect(order.map(({ code }) => code)).toEqual(['metric', 'plan', 'old', 'new']);
  });

  it('say why one takes nothing', () => {
    const { skipped } = applyCoupons(
      [fee({ cents: 100 })],
      [
        coupon('usd', { amount_cents: 5, amount_currency: 'USD' }),
        coupon('none'),
        coupon('other', { amount_cents: 5, plan_codes: ['other'] }),
        coupon('all', { amount_cents: 100 }),
        percent('late', '10'),
      ],
      'EUR',
    );
    expect(skipped).toEqual([
      { code: 'usd', reason: 'its amount is in USD, the invoice in EUR' },
      { code: 'none', reason: 'it comes to nothing' },
      { code: 'other', reason: 'nothing was left to take it from' },
      { code: 'late', reason: 'nothing was left to take it from' },
    ]);
  });

  it('limited: the base is what its own fees have left: 50 % of 400', () => {
    const fees = [fee({ cents: 400, type: 'charge', metric: 'units' }), fee({ cents: 600 })];
    expect(used(fees, [percent('a', '50', { metric_codes: ['units'] })])).toEqual([['a', 200]]);
    expect(shares(fees, [percent('a', '50', { metric_codes: ['units'] })])).toEqual(['200.0', '0.0']);
    expect(used(fees, [coupon('a', { amount_cents: 999, metric_codes: ['units'] })])).toEqual([['a', 400]]);
    expect(used(fees, [coupon('a', { amount_cents: 999, plan_codes: ['other'] })])).toEqual([]);
    const ofPlan = [fee({ cents: 5000 }), fee({ cents: 10_065, plan: 'other' })];
    const limited = ['15', '20'].map(rate => percent(rate, rate, { plan_codes: ['plan'] }));
    expect(used(ofPlan, limited)).toEqual([
      ['15', 750],
      ['20', 850],
    ]);
  });

  it('spread over the fees by their part of the base, 5 decimals: 100 × 1 ÷ 3 = 33.33333', () => {
    const fees = [fee({ cents: 100 }), fee({ cents: 100 }), fee({ cents: 100 })];
    expect(shares(fees, [coupon('a', { amount_cents: 100 })])).toEqual(['33.33333', '33.33333', '33.33333']);
  });

  it('a second coupon counts what the first left: 50 × (300 − 75) ÷ (400 − 100) = 37.5', () => {
    const coupons = [
      coupon('a', { amount_cents: 100 }),
      coupon('b', { amount_cents: 50, created_at: '2026-02-01T00:00:00.000Z' }),
    ];
    expect(shares([fee({ cents: 300 }), fee({ cents: 100 })], coupons)).toEqual(['112.5', '37.5']);
  });

  it('used once take the unused rest of their amount, others the whole amount each time', () => {
    const once = appliedCouponRecord(couponRecord('a'));
    expect(usableAmount(once)).toBe(1000);
    expect(usableAmount({ ...once, amount_cents_remaining: 600 })).toBe(600);
    expect(usableAmount({ ...once, amount_cents_remaining: 0 })).toBe(0);
    for (const frequency of ['recurring', 'forever'] as const)
      expect(usableAmount({ ...once, frequency, amount_cents_remaining: 600 })).toBe(1000);
  });
});

describe('coupons (§11.1), through the running service', () => {
  const coupon = (more: Entry) => ({
    code: 'c',
    name: 'c',
    coupon_type: 'fixed_amount',
    amount_currency: 'EUR',
    ...more,
  });
  const half = coupon({ code: 'half', coupon_type: 'percentage', percentage_rate: '50' });

  it('a percentage takes what is left of the sub-total, not of the rounded shares: (300 − 101) × 50 % = 99.5 → 100', async () => {
    // 101 is spread over three fees as 33.66667 each, a hundred-thousandth of a cent too much.
    const plan = {
      amount_cents: 100,
      fixed_charges: [early, late].map(each => ({ ...each, properties: { amount: '1' } })),
    };
    const coupons = [coupon({ amount_cents: 101 }), half];
    const given = { now: '2026-03-01T00:00:00Z', plan, subscription: null, rest: { add_ons: addOns } };
    const { body } = await previewOf(given, { plan_code: 'plan', coupons });
    const credits = body.invoice.credits.map((credit: { amount_cents: number }) => credit.amount_cents);
    expect(credits).toEqual([101, 100]);
    expect(body.invoice.sub_total_excluding_taxes_amount_cents).toBe(99);
  });

  it('stored ones go oldest first, a once-only one with its rest: 3100 − 200 of 500, then 10 % of 2900', async () => {
    const rest = {
      coupons: [
        { code: 'fix', name: 'fix', amount_cents: 500, amount_currency: 'EUR' },
        { code: 'ten', name: 'ten', coupon_type: 'percentage', percentage_rate: '10', frequency: 'forever' },
      ],
    };
    const applied_coupons = [
      { code: 'ten', created_at: '2025-02-02' },
      { code: 'fix', created_at: '2025-02-01', amount_cents_remaining: 200 },
    ];
    const { body } = await previewOf(
      { now: '2026-03-10T00:00:00Z', customer: { applied_coupons }, rest },
      { ...ofSubscription(), coupons: [half] },
    );
    const credits = body.invoice.credits.map((c: { item: { code: string }; amount_cents: number }) => [
      c.item.code,
      c.amount_cents,
    ]);
    expect(credits).toEqual([
      ['fix', 200],
      ['ten', 290],
    ]);
  });
});
