/** The way from an invoice's charges to its total. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { explainNoTax, explainPath } from '../../src/words/invoice-arithmetic.ts';

const tax = (tax_name: string, tax_rate: number, amount_cents: number, fees_amount_cents = 42_535) => ({
  ...{ tax_name, tax_rate, amount_cents, fees_amount_cents },
});
const credit = (type: string) => ({ item: { type, name: 'a' } });
const invoice = {
  currency: 'USD',
  fees_amount_cents: 43_535,
  coupons_amount_cents: 1000,
  sub_total_excluding_taxes_amount_cents: 42_535,
  taxes_amount_cents: 3775,
  applied_taxes: [tax('VAT', 8.875, 3775)],
  credit_notes_amount_cents: 15_775,
  prepaid_credit_amount_cents: 19_824,
  credits: [credit('coupon'), credit('credit_note')],
  total_amount_cents: 10_711,
};
const path = (more: JsonRecord = {}) => explainPath({ ...invoice, ...more });

describe('the way to the total', () => {
  it('is one sum, and what pays a part of it', () => {
    expect(path()).toBe(
      'Charges $435.35 − coupon $10.00 + tax $37.75 (“VAT” 8.875%) = $463.10; credit note −$157.75, prepaid −$198.24',
    );
  });

  it('keeps the amount of each of several taxes, and what it is on where that is not everything', () => {
    const applied_taxes = [tax('State', 4, 1701), tax('City', 5, 2074, 41_480)];
    expect(path({ applied_taxes })).toContain('+ taxes $37.75 (“State” 4% $17.01 and “City” 5% of $414.80 = $20.74) =');
  });

  it('leaves out a tax on nothing', () => {
    const applied_taxes = [tax('State', 4, 0, 0), tax('City', 5, 3775)];
    expect(path({ applied_taxes })).toContain('+ tax $37.75 (“City” 5%) =');
  });

  it('tells the credit for the unused part of a plan apart from credit notes', () => {
    const item = { type: 'credit_note', code: null, svc_item_id: null, name: 'GEN-75FE-002-001' };
    const stored = { type: 'credit_note', code: 'GEN-75FE-002-001-CN001', svc_item_id: 'id' };
    const credits = [
      { amount_cents: 9_200, item },
      { amount_cents: 6_575, item: stored },
    ];
    expect(path({ credits })).toContain(
      '; credit for the unused part of the plan −$92.00, credit note −$65.75, prepaid −$198.24',
    );
  });

  it.each<[string, JsonRecord, string | null]>([
    ['charges alone', {}, null],
    ['a tax', { taxes_amount_cents: 200, total_amount_cents: 1200 }, 'Charges $10.00 + tax $2.00 = $12.00'],
    ['credits alone', { prepaid_credit_amount_cents: 400, total_amount_cents: 600 }, 'Charges $10.00; prepaid −$4.00'],
    [
      'what was billed before',
      { coupons_amount_cents: 100, progressive_billing_credit_amount_cents: 300, total_amount_cents: 600 },
      'Charges $10.00 − coupons $1.00 = $9.00; already billed −$3.00',
    ],
    [
      'amounts that do not add up',
      { coupons_amount_cents: 100, taxes_amount_cents: 5, total_amount_cents: 7 },
      'Charges $10.00, coupons $1.00, tax $0.05',
    ],
    ['no fees', { fees_amount_cents: undefined, taxes_amount_cents: 5 }, null],
  ])('of %s', (_, fields, told) => {
    expect(explainPath({ currency: 'USD', fees_amount_cents: 1000, total_amount_cents: 1000, ...fields })).toBe(told);
  });
});

describe('no tax', () => {
  const without = { fees_amount_cents: 100, taxes_amount_cents: 0 };

  it.each<[string, JsonRecord, string | null]>([
    ['is named', { ...without, applied_taxes: [tax('Exempt', 0, 0)] }, 'No tax (“Exempt” 0%)'],
    ['may have no name', { ...without, applied_taxes: [] }, 'No tax'],
    ['is not said of one that rounds to nothing', { ...without, applied_taxes: [tax('VAT', 20, 0)] }, null],
    ['is not said of nothing', { ...without, fees_amount_cents: 0 }, null],
    ['is not said where taxes are not known', { fees_amount_cents: 100 }, null],
  ])('%s', (_, fields, told) => {
    expect(explainNoTax(fields)).toBe(told);
  });
});
