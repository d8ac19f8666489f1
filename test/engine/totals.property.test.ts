import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeeType } from '../../src/contract/enums.ts';
import { decimal } from '../../src/contract/pricing/money.ts';
import { applyCoupons } from '../../src/engine/coupons.ts';
import { taxableCents } from '../../src/engine/fees.ts';
import { totalsOf } from '../../src/engine/totals.ts';
import { runs } from '../support/extent.ts';
import { coupon, fee } from './fee-cases.ts';
import { taxRecord, walletRecord } from './world.ts';

const taxes = fc.subarray([taxRecord('a', '20'), taxRecord('b', '5.5'), taxRecord('c', '0.125')]);
const anyFee = fc
  .record({
    cents: fc.integer({ min: 0, max: 1_000_000 }),
    type: fc.constantFrom('charge', 'subscription', 'commitment'),
    metric: fc.constantFrom(null, 'units', 'seats'),
    plan: fc.constantFrom('plan', 'other'),
    taxes,
  })
  .map(fee);
const anyCoupon = fc
  .record({
    coupon_type: fc.constantFrom('fixed_amount' as const, 'percentage' as const),
    amount_cents: fc.integer({ min: 0, max: 2_000_000 }),
    percentage_rate: fc.constantFrom('0.01', '12.5', '33.333', '99.999', '100', '250'),
    metric_codes: fc.subarray(['units', 'seats']),
    plan_codes: fc.subarray(['plan']),
    full_base: fc.boolean(),
  })
  .map(fields => coupon('any', fields));
const anyWallet = fc
  .record({
    balance_cents: fc.integer({ min: 1, max: 2_000_000 }),
    fee_types: fc.subarray<FeeType>(['charge', 'subscription']),
    billable_metric_codes: fc.subarray(['units']),
  })
  .map(fields => fields);

describe('whatever the fees, coupons, notes and wallets', () => {
  const input = fc.record({
    fees: fc.array(anyFee, { maxLength: 8 }),
    coupons: fc.array(anyCoupon, { maxLength: 4 }),
    notes: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 3 }),
    wallets: fc.array(anyWallet, { maxLength: 3 }),
  });

  it('coupons never take a sub-total, or any fee, below zero', () => {
    fc.assert(
      fc.property(input, ({ fees, coupons }) => {
        const result = applyCoupons(fees, coupons, 'EUR');
        const total = fees.reduce((sum, { record }) => sum + record.amount_cents, 0);
        expect(result.coupons_amount_cents).toBeLessThanOrEqual(total);
        for (const { record } of result.fees) expect(taxableCents(record).gte(0)).toBe(true);
        // What is spread is what is taken, but for the sixth decimal of each share. With a full base less is spread.
        if (coupons.some(each => each.full_base)) return;
        const spread = result.fees.reduce(
          (sum, { record }) => sum.plus(record.precise_coupons_amount_cents),
          decimal(0),
        );
        const gap = spread.minus(result.coupons_amount_cents).abs();
        expect(gap.lte(decimal('0.00001').times(fees.length * coupons.length))).toBe(true);
      }),
      runs(3000),
    );
  });

  it('taxes by fee and by invoice differ by at most one cent for each fee', () => {
    fc.assert(
      fc.property(input, ({ fees, coupons }) => {
        const totals = totalsOf({ currency: 'EUR', fees, coupons, creditNotes: [], wallets: [] });
        const byFee = totals.fees.reduce((sum, { record }) => sum + record.taxes_amount_cents, 0);
        expect(Math.abs(byFee - totals.taxes_amount_cents)).toBeLessThanOrEqual(fees.length);
      }),
      runs(3000),
    );
  });

  it('credit notes and prepaid credits never exceed the total, and the parts add up', () => {
    fc.assert(
      fc.property(input, ({ fees, coupons, notes, wallets }) => {
        const totals = totalsOf({
          currency: 'EUR',
          fees,
          coupons,
          creditNotes: notes.map((cents, i) => ({
            id: `${i}`,
            number: `${i}`,
            balance_amount_cents: cents,
            invoice: null,
          })),
          wallets: wallets.map((fields, i) => walletRecord(`w${i}`, fields)),
        });
        expect(totals.total_amount_cents).toBeGreaterThanOrEqual(0);
        expect(totals.total_amount_cents).toBe(
          totals.fees_amount_cents -
            totals.coupons_amount_cents +
            totals.taxes_amount_cents -
            totals.credit_notes_amount_cents -
            totals.prepaid_credit_amount_cents,
        );
        for (const [id, cents] of totals.paid_by_wallet) {
          expect(cents).toBeLessThanOrEqual(wallets[Number(id.slice(1))]?.balance_cents ?? 0);
        }
      }),
      runs(3000),
    );
  });
});
