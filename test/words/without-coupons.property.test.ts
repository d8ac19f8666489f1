/** The total without coupons, computed from a preview, beside the embedded service's preview without them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../src/words/money.ts';
import { daily } from '../engine/preview-world.ts';
import type { Records } from '../engine/service-world.ts';
import {
  addOnRecord,
  couponRecord,
  creditNoteRecord,
  fixedChargeRecord,
  taxRecord,
  walletRecord,
} from '../engine/world.ts';
import { runs } from '../support/extent.ts';
import { both, sentence } from './alike.ts';

describe('whatever the plan, taxes, coupons and credits are', () => {
  const cents = fc.integer({ min: 0, max: 20_000 });
  const rates = fc.constantFrom('0', '5.5', '8.875', '19.6', '20');
  const coupon = fc.oneof(
    fc.record({ coupon_type: fc.constant('fixed_amount' as const), amount_cents: fc.integer({ min: 1, max: 9_000 }) }),
    fc.record({
      ...{ coupon_type: fc.constant('percentage' as const), amount_cents: fc.constant(null) },
      percentage_rate: fc.constantFrom('0.3', '10', '33.3', '100'),
    }),
  );
  const account = fc.record({
    price: cents,
    units: fc.constantFrom('0', '1', '3', '7.5'),
    amount: fc.constantFrom('0.01', '0.333', '12'),
    prorated: fc.boolean(),
    rates: fc.tuple(rates, rates, rates),
    coupons: fc.array(coupon, { minLength: 1, maxLength: 3 }),
    limited: fc.boolean(),
    notes: fc.array(fc.integer({ min: 1, max: 3_000 }), { maxLength: 2 }),
    wallet: fc.option(fc.record({ balance: fc.integer({ min: 1, max: 30_000 }), limited: fc.boolean() }), { freq: 1 }),
  });

  /** Without credits the total is told whole: there is one such case in each run. */
  const toldWhole: typeof account extends fc.Arbitrary<infer Account> ? Account : never = {
    ...{ price: 10_000, units: '3', amount: '12', prorated: true, rates: ['20', '5.5', '8.875'] },
    coupons: [{ coupon_type: 'percentage', amount_cents: null, percentage_rate: '10' }],
    ...{ limited: false, notes: [], wallet: null },
  };

  it('each figure is the embedded service’s to the cent', async () => {
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(account, async drawn => {
        const [first, second, third] = drawn.rates.map((rate, n) => taxRecord(`tax-${n}`, rate));
        const { units, prorated, amount } = drawn;
        const seat = fixedChargeRecord('seat', { units, prorated, properties: { amount }, tax_codes: ['tax-2'] });
        const records: Records = {
          taxes: [first!, second!, third!],
          plans: [daily({ amount_cents: drawn.price, fixed_charges: [seat], tax_codes: ['tax-0', 'tax-1'] })],
          add_ons: [addOnRecord('seat')],
          credit_notes: drawn.notes.map((balance, n) => creditNoteRecord(`note-${n}`, balance)),
          wallets: [drawn.wallet].flatMap(wallet =>
            wallet === null
              ? []
              : [
                  walletRecord('main', {
                    balance_cents: wallet.balance,
                    fee_types: wallet.limited ? ['fixed_charge'] : [],
                  }),
                ],
          ),
        };
        const plan_codes = drawn.limited ? ['plan'] : [];
        const coupons = drawn.coupons.map((fields, n) => couponRecord(`c${n}`, { ...fields, plan_codes }));
        const { held, bare } = await both(records, coupons);
        const said = sentence(held) ?? '';
        const money = (value: number) => formatMoney(value, 'EUR');
        if (held.coupons_amount_cents === 0) {
          expect(said).toContain('the same');
          return;
        }
        const sums = `with fees of ${money(bare.fees_amount_cents)} and taxes of ${money(bare.taxes_amount_cents)}`;
        const isWhole = !said.includes('before credits');
        const name = isWhole ? 'total_amount_cents' : 'sub_total_including_taxes_amount_cents';
        const figure = `${money(bare[name])} (${money(bare[name] - held[name])} more), ${sums}`;
        expect(said).toContain(isWhole ? `Without coupons: ${figure}` : `Without coupons, before credits: ${figure}`);
        if (isWhole) whole++;
      }),
      { ...runs(40), examples: [[toldWhole]] },
    );
    expect(whole).toBeGreaterThan(0);
  });
});
