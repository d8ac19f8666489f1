/** The total without coupons, computed from a preview, beside the embedded service's preview without them. */
import { describe, expect, it } from 'vitest';
import { previewInvoice } from '../../tools/invoices.ts';
import { daily, preview } from '../engine/preview-world.ts';
import type { Records } from '../engine/service-world.ts';
import { couponRecord, creditNoteRecord, taxRecord, walletRecord } from '../engine/world.ts';
import { factsOf } from '../support/facts.ts';
import { both, sentence } from './alike.ts';

const ten = couponRecord('ten', { coupon_type: 'percentage', amount_cents: null, percentage_rate: '10' });
const vat = { taxes: [taxRecord('vat', '20')], plans: [daily({ tax_codes: ['vat'] })] };

describe('the total without coupons', () => {
  it('keeps credit notes that are used up', async () => {
    const { held } = await both({ ...vat, credit_notes: [creditNoteRecord('note', 500)] }, [ten]);
    expect(factsOf(sentence(held))).toBe('€32.20 · €3.72 · €31.00 · €6.20');
  });

  it.each<[string, Records]>([
    ['credit notes pay everything', { credit_notes: [creditNoteRecord('note', 99_999)] }],
    ['a wallet pays a part', { wallets: [walletRecord('main')] }],
  ])('is told before credits where %s', async (_, credits) => {
    const { held } = await both({ ...vat, ...credits }, [ten]);
    expect(factsOf(sentence(held))).toBe('€37.20 · €3.72 · €31.00 · €6.20');
  });

  it('is told before credits where the coupons leave nothing that credits could pay', async () => {
    const { held } = await both(vat, [couponRecord('all', { amount_cents: 99_999 })]);
    expect(sentence(held)).toMatch(/^Without coupons, before credits: €37.20 \(€37.20 more\)/);
  });

  it('is whole for a customer that is not stored, who has no credits', async () => {
    const coupons = [{ name: 'All', amount_cents: 99_999, amount_currency: 'EUR' }];
    const invoice = await preview(vat, { plan_code: 'plan', subscription_at: '2026-04-01', coupons });
    expect(factsOf(sentence(invoice))).toBe('€37.20 · €37.20 · €31.00 · €6.20');
  });

  it('is the same without a coupon', async () => {
    const { bare } = await both(vat, []);
    expect(sentence(bare)).toBe('Without coupons: the same, because no coupon applied.');
  });

  it('stops at the sub-total where the taxes do not follow from the fees', async () => {
    const { held } = await both(vat, [ten]);
    expect(sentence({ ...held, taxes_amount_cents: 700 })).toBe(
      'Without coupons: €31.00 before tax (€3.10 more); the preview does not show the tax on it.',
    );
  });

  it('is not told unless asked for', async () => {
    const { held } = await both(vat, [ten]);
    expect(previewInvoice.say(held, { args: {}, now: new Date(0) })).not.toContain('Without coupons');
  });
});
