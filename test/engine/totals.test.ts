import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterUse, applyCoupons, type UsableCoupon, usableAmount } from '../../src/service/engine/coupons.ts';
import {
  applyCreditNotes,
  applyPrepaidCredits,
  usableCreditNotes,
  usableWallets,
} from '../../src/service/engine/credits.ts';
import { type BillableFee, newFee, planItem, taxableCents } from '../../src/service/engine/fees.ts';
import { decimal, fromCents } from '../../src/service/engine/money.ts';
import { applicableTaxes, taxFee, taxInvoice } from '../../src/service/engine/taxes.ts';
import { totalsOf } from '../../src/service/engine/totals.ts';
import type { TaxRecord } from '../../src/service/records.ts';
import { appliedCouponRecord, couponRecord, creditNoteRecord, planRecord, taxRecord, walletRecord } from './world.ts';

interface FeeCase {
  cents: number;
  type?: string;
  metric?: string | null;
  plan?: string;
  taxes?: TaxRecord[];
}

function fee({ cents, type = 'subscription', metric = null, plan = 'plan', taxes = [] }: FeeCase): BillableFee {
  const record = newFee({
    owner: { customer: null, subscription: null },
    item: { ...planItem('subscription', planRecord(), null), type },
    currency: 'EUR',
    amount: fromCents(cents, 'EUR'),
    units: decimal(1),
    payInAdvance: false,
    from: null,
    to: null,
  });
  return { record, plan_code: plan, metric_code: metric, taxes };
}

function coupon(code: string, fields: Partial<UsableCoupon> = {}): UsableCoupon {
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

const percent = (code: string, rate: string, fields: Partial<UsableCoupon> = {}) =>
  coupon(code, { coupon_type: 'percentage', percentage_rate: rate, ...fields });
const used = (fees: BillableFee[], coupons: UsableCoupon[]) =>
  applyCoupons(fees, coupons, 'EUR').credits.map(credit => [credit.item.code, credit.amount_cents]);
const shares = (fees: BillableFee[], coupons: UsableCoupon[]) =>
  applyCoupons(fees, coupons, 'EUR').fees.map(({ record }) => record.precise_coupons_amount_cents);

describe('coupons (§11.1)', () => {
  it('go metric-limited first, then plan-limited, then oldest first', () => {
    const fees = [fee({ cents: 1000, type: 'charge', metric: 'units' })];
    const order = used(fees, [
      coupon('new', { amount_cents: 1, created_at: '2026-02-01T00:00:00.000Z' }),
      coupon('old', { amount_cents: 1 }),
      coupon('plan', { amount_cents: 1, plan_codes: ['plan'], created_at: '2026-03-01T00:00:00.000Z' }),
      coupon('metric', { amount_cents: 1, metric_codes: ['units'], created_at: '2026-04-01T00:00:00.000Z' }),
    ]);
    expect(order.map(([code]) => code)).toEqual(['metric', 'plan', 'old', 'new']);
  });

  it('stop when the sub-total is used up: 300 of 500, nothing for the next', () => {
    expect(used([fee({ cents: 300 })], [coupon('a', { amount_cents: 500 }), coupon('b', { amount_cents: 5 })])).toEqual(
      [['a', 300]],
    );
  });

  it('fixed: at most the unused amount, and only in its own currency', () => {
    expect(used([fee({ cents: 300 })], [coupon('a', { amount_cents: 120 })])).toEqual([['a', 120]]);
    expect(used([fee({ cents: 300 })], [coupon('a', { amount_cents: 120, amount_currency: 'USD' })])).toEqual([]);
  });

  it('percentage: of what earlier coupons left, rounded: (1005 − 100) × 10 % = 90.5 → 91', () => {
    const coupons = [
      coupon('a', { amount_cents: 100 }),
      percent('b', '10', { created_at: '2026-02-01T00:00:00.000Z' }),
    ];
    expect(used([fee({ cents: 1005 })], coupons)).toEqual([
      ['a', 100],
      ['b', 91],
    ]);
  });

  it('limited: the base is what its own fees have left: 50 % of 400', () => {
    const fees = [fee({ cents: 400, type: 'charge', metric: 'units' }), fee({ cents: 600 })];
    expect(used(fees, [percent('a', '50', { metric_codes: ['units'] })])).toEqual([['a', 200]]);
    expect(shares(fees, [percent('a', '50', { metric_codes: ['units'] })])).toEqual(['200.0', '0.0']);
    expect(used(fees, [coupon('a', { amount_cents: 999, metric_codes: ['units'] })])).toEqual([['a', 400]]);
    expect(used(fees, [coupon('a', { amount_cents: 999, plan_codes: ['other'] })])).toEqual([]);
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

  it('lives: once and fixed until its amount is used up, the rest staying for the next invoice', () => {
    const applied = appliedCouponRecord(couponRecord('a'));
    expect(usableAmount(applied)).toBe(1000);
    expect(afterUse(applied, 400)).toEqual({ amount_cents_remaining: 600 });
    expect(afterUse({ ...applied, amount_cents_remaining: 600 }, 600)).toEqual({
      amount_cents_remaining: 0,
      status: 'terminated',
    });
  });

  it('lives: once and percentage for one use; recurring for its number of invoices; forever', () => {
    const once = appliedCouponRecord(couponRecord('a', { coupon_type: 'percentage', percentage_rate: '10' }));
    expect(afterUse(once, 5)).toEqual({ status: 'terminated' });
    const recurring = appliedCouponRecord(couponRecord('b', { frequency: 'recurring', frequency_duration: 2 }));
    expect(usableAmount({ ...recurring, amount_cents_remaining: 1 })).toBe(1000);
    expect(afterUse(recurring, 5)).toEqual({ frequency_duration_remaining: 1 });
    expect(afterUse({ ...recurring, frequency_duration_remaining: 1 }, 5)).toEqual({
      frequency_duration_remaining: 0,
      status: 'terminated',
    });
    expect(afterUse(appliedCouponRecord(couponRecord('c', { frequency: 'forever' })), 5)).toEqual({});
  });
});

describe('taxes (§11.2)', () => {
  const [vat, eco, city, state] = [
    taxRecord('vat', '20'),
    taxRecord('eco', '5'),
    taxRecord('city', '1'),
    taxRecord('state', '2'),
  ];
  const known = new Map([vat, eco, city, state].map(tax => [tax.code, tax]));
  const levels = { own: ['vat'], plan: ['eco'], customer: ['city'], billing_entity: ['state'] };
  const codes = (l: typeof levels) => applicableTaxes(l, known).map(tax => tax.code);

  it('are all those of the first level that has any: own, plan, customer, billing entity of the customer', () => {
    expect(codes({ ...levels, own: ['vat', 'eco'] })).toEqual(['vat', 'eco']);
    expect(codes({ ...levels, own: [] })).toEqual(['eco']);
    expect(codes({ ...levels, own: [], plan: [] })).toEqual(['city']);
    expect(codes({ ...levels, own: [], plan: [], customer: [] })).toEqual(['state']);
    expect(codes({ own: [], plan: [], customer: [], billing_entity: [] })).toEqual([]);
  });

  it('of a fee: base 1003 − coupons 3.5; 20 % 199.9 → 200, 5 % 49.975 → 50; together 249.875 → 250; rate 25', () => {
    const one = fee({ cents: 1003, taxes: [vat, eco] });
    const taxed = taxFee({ ...one, record: { ...one.record, precise_coupons_amount_cents: '3.5' } });
    expect(taxed.applied_taxes.map(line => line.amount_cents)).toEqual([200, 50]);
    expect(taxed).toMatchObject({
      taxes_amount_cents: 250,
      taxes_rate: '25.0',
      taxes_precise_amount: '2.49875',
      sub_total_excluding_taxes_amount_cents: 1000,
      sub_total_excluding_taxes_precise_amount_cents: '999.5',
      total_amount_cents: 1250,
    });
  });

  it('of a fee round the sum of the unrounded lines, not the lines: 2 × 0.5 → 1 although each line shows 1', () => {
    const half = [taxRecord('a', '50'), taxRecord('b', '50')];
    const taxed = taxFee(fee({ cents: 1, taxes: half }));
    expect(taxed.applied_taxes.map(line => line.amount_cents)).toEqual([1, 1]);
    expect(taxed.taxes_amount_cents).toBe(1);
  });

  it('of an invoice add the bases first: 3 × 2 cents at 20 % are 1.2 → 1, though each fee’s 0.4 rounds to 0', () => {
    const fees = [1, 2, 3].map(() => fee({ cents: 2, taxes: [vat] }));
    expect(fees.map(one => taxFee(one).taxes_amount_cents)).toEqual([0, 0, 0]);
    const taxes = taxInvoice(fees, 'EUR');
    expect(taxes.taxes_amount_cents).toBe(1);
    expect(taxes.applied_taxes).toMatchObject([{ tax_code: 'vat', amount_cents: 1, base_amount_cents: 6 }]);
  });

  it('weigh the invoice’s rate by base ÷ sub-total, 5 decimals: 20 × 100 ÷ 300 = 6.66667', () => {
    expect(taxInvoice([fee({ cents: 100, taxes: [vat] }), fee({ cents: 200 })], 'EUR').taxes_rate).toBe('6.66667');
  });

  it('weigh by number of fees when the sub-total is 0: 20 × 1 ÷ 2 + 5 × 2 ÷ 2 = 15', () => {
    const fees = [fee({ cents: 0, taxes: [vat, eco] }), fee({ cents: 0, taxes: [eco] })];
    expect(taxInvoice(fees, 'EUR').taxes_rate).toBe('15.0');
  });
});

describe('credit notes (§11.3)', () => {
  it('are finalized, available, of the invoice’s currency, with a balance; oldest first', () => {
    const notes = [
      creditNoteRecord('new', 10, { created_at: '2026-02-01T00:00:00.000Z' }),
      creditNoteRecord('old', 10),
      creditNoteRecord('draft', 10, { status: 'draft' }),
      creditNoteRecord('consumed', 10, { credit_status: 'consumed' }),
      creditNoteRecord('usd', 10, { currency: 'USD' }),
      creditNoteRecord('empty', 0),
    ];
    expect(usableCreditNotes(notes, 'EUR').map(note => note.id)).toEqual(['old', 'new']);
  });

  it('each pay min(balance, remaining total): 70 and 30 of 100', () => {
    const notes = [70, 50].map((cents, i) => ({
      id: `n${i}`,
      number: `N${i}`,
      balance_amount_cents: cents,
      invoice: null,
    }));
    const { credits, amount_cents } = applyCreditNotes(notes, 100, 'EUR');
    expect(credits.map(credit => [credit.amount_cents, credit.before_taxes, credit.item.type])).toEqual([
      [70, false, 'credit_note'],
      [30, false, 'credit_note'],
    ]);
    expect(amount_cents).toBe(100);
  });
});

describe('prepaid credits (§11.4)', () => {
  const NOW = '2026-03-10T00:00:00.000Z';
  const pay = (wallets: Parameters<typeof walletRecord>[1][], fees: BillableFee[], total: number) => {
    const records = usableWallets(
      wallets.map((fields, i) => walletRecord(`w${i}`, fields)),
      'EUR',
      NOW,
    );
    const result = applyPrepaidCredits(records, fees, total);
    return [...result.by_wallet];
  };
  const usage = fee({ cents: 500, type: 'charge', metric: 'units', taxes: [taxRecord('vat', '20')] });
  const fees = [{ ...usage, record: taxFee(usage) }, fee({ cents: 900 })];

  it('come from active wallets with a balance in the currency, by priority, then oldest', () => {
    const wallets = [
      walletRecord('late', { priority: 2 }),
      walletRecord('second', { priority: 1, created_at: '2026-01-01T00:00:00.000Z' }),
      walletRecord('first', { priority: 1 }),
      walletRecord('ended', { status: 'terminated' }),
      walletRecord('expired', { expiration_at: '2026-03-01T00:00:00.000Z' }),
      walletRecord('empty', { balance_cents: 0 }),
      walletRecord('usd', { currency: 'USD' }),
    ];
    expect(usableWallets(wallets, 'EUR', NOW).map(wallet => wallet.id)).toEqual(['first', 'second', 'late']);
  });

  it('pay anything without limits, never more than the total', () => {
    expect(pay([{ balance_cents: 5000 }], fees, 1500)).toEqual([['w0', 1500]]);
    expect(pay([{ balance_cents: 100 }, { balance_cents: 5000 }], fees, 1500)).toEqual([
      ['w0', 100],
      ['w1', 1400],
    ]);
  });

  it('of a wallet limited to a fee type pay those fees with their tax: 500 + 100', () => {
    expect(pay([{ balance_cents: 5000, fee_types: ['charge'] }], fees, 1500)).toEqual([['w0', 600]]);
  });

  it('of a wallet limited to a metric pay its fees only', () => {
    expect(pay([{ balance_cents: 5000, billable_metric_codes: ['units'] }], fees, 1500)).toEqual([['w0', 600]]);
    expect(pay([{ balance_cents: 5000, billable_metric_codes: ['other'] }], fees, 1500)).toEqual([]);
  });

  it('pay what the invoice has left when that is less than the fees', () => {
    expect(pay([{ balance_cents: 5000, fee_types: ['charge'] }], fees, 250)).toEqual([['w0', 250]]);
  });

  it('take the largest group of fees first: the first wallet pays the plan, so the limited one still finds its 600', () => {
    const wallets = [
      { balance_cents: 900, priority: 1 },
      { balance_cents: 5000, fee_types: ['charge'] },
    ];
    expect(pay(wallets, fees, 1500)).toEqual([
      ['w0', 900],
      ['w1', 600],
    ]);
  });

  it('do not pay a fee twice: a second wallet for the same metric finds nothing left', () => {
    const limited = { balance_cents: 5000, billable_metric_codes: ['units'] };
    expect(pay([limited, limited], fees, 1500)).toEqual([['w0', 600]]);
  });
});

describe('totals (§11.5)', () => {
  it('1000 − 100 coupon = 900, + 20 % = 1080, − 80 credit note − 500 prepaid = 500', () => {
    const totals = totalsOf({
      currency: 'EUR',
      fees: [fee({ cents: 1000, taxes: [taxRecord('vat', '20')] })],
      coupons: [coupon('a', { amount_cents: 100 })],
      creditNotes: [{ id: 'n', number: 'N', balance_amount_cents: 80, invoice: null }],
      wallets: [walletRecord('w', { balance_cents: 500 })],
    });
    expect(totals).toMatchObject({
      fees_amount_cents: 1000,
      coupons_amount_cents: 100,
      sub_total_excluding_taxes_amount_cents: 900,
      taxes_amount_cents: 180,
      sub_total_including_taxes_amount_cents: 1080,
      credit_notes_amount_cents: 80,
      prepaid_credit_amount_cents: 500,
      total_amount_cents: 500,
      taxes_rate: '20.0',
    });
  });
});

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
  })
  .map(fields => coupon('any', fields));
const anyWallet = fc
  .record({
    balance_cents: fc.integer({ min: 1, max: 2_000_000 }),
    fee_types: fc.subarray(['charge', 'subscription']),
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
        // What is spread is what is taken, but for the sixth decimal of each share.
        const spread = result.fees.reduce(
          (sum, { record }) => sum.plus(record.precise_coupons_amount_cents),
          decimal(0),
        );
        const gap = spread.minus(result.coupons_amount_cents).abs();
        expect(gap.lte(decimal('0.00001').times(fees.length * coupons.length))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('taxes by fee and by invoice differ by no more cents than there are fees', () => {
    fc.assert(
      fc.property(input, ({ fees, coupons }) => {
        const totals = totalsOf({ currency: 'EUR', fees, coupons, creditNotes: [], wallets: [] });
        const byFee = totals.fees.reduce((sum, { record }) => sum + record.taxes_amount_cents, 0);
        expect(Math.abs(byFee - totals.taxes_amount_cents)).toBeLessThanOrEqual(fees.length);
      }),
      { numRuns: 3000 },
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
      { numRuns: 3000 },
    );
  });
});
