import { describe, expect, it } from 'vitest';
import { taxFee, taxInvoice } from '../../src/engine/taxes.ts';
import { metricEntries, standard, usedOn } from './entries.ts';
import { fee } from './fee-cases.ts';
import { previewOf } from './file-service.ts';
import { taxRecord } from './world.ts';

describe('taxes (§11.2)', () => {
  const [vat, eco] = [taxRecord('vat', '20'), taxRecord('eco', '5')];

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
      total_amount_cents: 1253,
      precise_total_amount: '12.52875',
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

describe('taxes (§11.2), through the running service', () => {
  const taxes = ['10', '5.5', '20'].map(rate => ({ code: `t${rate}`, name: rate, rate }));

  it('of the first level that has any, together: charge 20, plan 10 + 5.5; by tax, base 3100 and 505', async () => {
    const plan = { charges: [{ ...standard, tax_codes: ['t20'] }], tax_codes: ['t10', 't5.5'] };
    const given = {
      now: '2026-03-10T00:00:00Z',
      metrics: [metricEntries.sum],
      plan,
      customer: { tax_codes: ['t20'] },
      events: [usedOn('2026-03-05', '5.05')],
      rest: { taxes },
    };
    const { body } = await previewOf(given);
    const applied = body.invoice.applied_taxes.map(
      (tax: { tax_code: string; amount_cents: number; fees_amount_cents: number }) => [
        tax.tax_code,
        tax.fees_amount_cents,
        tax.amount_cents,
      ],
    );
    expect(applied).toEqual([
      ['t10', 3100, 310],
      ['t5.5', 3100, 171],
      ['t20', 505, 101],
    ]);
    // 310 + 170.5 + 101 = 581.5 → 582
    expect(body.invoice).toMatchObject({ taxes_amount_cents: 582, total_amount_cents: 4187 });
  });
});
