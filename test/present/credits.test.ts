/** What previews say of coupons, credit notes and prepaid credits: how much, and why no more. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { explainCredits } from '../../src/words/credits.ts';

const credit = (type: string, name: string | null, svc_item_id: string | null = `id-${name}`) => ({
  item: { type, name, code: name, svc_item_id },
});
const fee = (type: string, code: string, amount_cents: number, more: JsonRecord = {}) => ({
  ...{ item: { type, code }, amount_cents, taxes_rate: 10, precise_coupons_amount_cents: '0.0', ...more },
});
const told = (invoice: JsonRecord) => explainCredits({ currency: 'EUR', ...invoice });

describe('what is taken off', () => {
  it('is nothing, or nothing that the body explains', () => {
    expect(told({ coupons_amount_cents: 0 })).toBeNull();
    expect(told({ credit_notes_amount_cents: 5, coupons_amount_cents: 7 })).toBeNull();
  });

  it('names three coupons and how many more, and only those', () => {
    const credits = [credit('credit_note', 'n'), ...[...'abcde'].map(name => credit('coupon', name))];
    expect(told({ coupons_amount_cents: 500, credits })).toBe('coupons used: “a”, “b”, “c” and 2 more');
  });
});

describe('coupons', () => {
  const coupons = { coupons_amount_cents: 500, credits: [credit('coupon', 'a')] };

  it.each([
    ['give no more where fees are left', 100, '“a” took off all that it allows'],
    ['are as much as the fees', 0, '“a”: all that the charges come to'],
    ['are only named where the rest is unknown', undefined, 'used: “a”'],
  ])('%s', (_, left, note) => {
    expect(told({ ...coupons, sub_total_excluding_taxes_amount_cents: left })).toBe(`coupon ${note}`);
  });

  it('are told as one where there are several', () => {
    const credits = [credit('coupon', 'a'), credit('coupon', 'b')];
    expect(told({ ...coupons, credits, sub_total_excluding_taxes_amount_cents: 1 })).toContain(
      'coupons “a” and “b” took off all that they allow',
    );
  });
});

describe('credit notes', () => {
  const unused = credit('credit_note', '', null);

  it.each([
    ['all that they had, while something is left to pay', 100, [credit('credit_note', 'n')], 'the rest of “n”'],
    ['what was due', 0, [credit('credit_note', 'n')], '“n”, and no more was due'],
    ['the unused part of a plan', 100, [unused], 'for the unused part of the plan'],
    ['that part, of which no more was due', 0, [unused], 'for the unused part of the plan, and no more was due'],
    [
      'that part and a note',
      9,
      [unused, credit('credit_note', 'n')],
      'for the unused part of the plan and the rest of “n”',
    ],
    ['no certain part of a total below 0', -9, [credit('credit_note', 'n')], '“n”'],
  ])('pay %s', (_, total_amount_cents, credits, note) => {
    expect(told({ credit_notes_amount_cents: 500, total_amount_cents, credits })).toBe(
      `credit note${credits.length > 1 ? 's' : ''}: ${note}`,
    );
  });

  it('left something to pay where prepaid credits paid it', () => {
    const invoice = { credit_notes_amount_cents: 5, prepaid_credit_amount_cents: 7, total_amount_cents: 0 };
    expect(told({ ...invoice, credits: [credit('credit_note', 'n')] })).toBe(
      'credit note: the rest of “n”; prepaid credits: no more was due',
    );
  });
});

describe('prepaid credits', () => {
  const paid = (cents: number, fees: JsonRecord[], more: JsonRecord = {}) =>
    told({ prepaid_credit_amount_cents: cents, total_amount_cents: 100, fees, ...more });

  it.each([
    ['usage', 1100, 'usage with tax; the wallet pays nothing else, or was used up'],
    ['usage, to the cent of each fee', 1099, 'usage with tax; the wallet pays nothing else, or was used up'],
    ['the plan fee', 5500, 'the plan fee with tax; the wallet pays nothing else, or was used up'],
    ['any other amount', 1234, 'the wallet pays only some of the charges, or was used up'],
  ])('come to %s', (_, cents, note) => {
    expect(paid(cents, [fee('charge', 'calls', 1000), fee('subscription', 'pro', 5000)])).toBe(
      `prepaid credits: ${note}`,
    );
  });

  it('come to the usage of one metric out of several', () => {
    const fees = [fee('charge', 'calls', 1000), fee('charge', 'seats', 3000), fee('charge', 'calls', 500)];
    expect(paid(1650, fees)).toContain('usage of calls with tax; the wallet pays nothing else, or was used up');
    expect(paid(4950, fees)).toContain('usage with tax; the wallet pays nothing else, or was used up');
  });

  it('are after coupons, where there are any', () => {
    const fees = [fee('charge', 'calls', 1000, { precise_coupons_amount_cents: '100.0' }), fee('charge', 'b', 5000)];
    expect(paid(990, fees, { coupons_amount_cents: 100 })).toContain(
      'usage of calls with tax after coupons; the wallet',
    );
  });

  it('are not told as one of two that fit, nor where a fee is not known', () => {
    const two = [fee('charge', 'calls', 1000), fee('subscription', 'pro', 1000)];
    expect(paid(1100, two)).toContain('the wallet pays only some of the charges, or was used up');
    const alike = [fee('charge', 'calls', 1000), fee('charge', 'seats', 1000)];
    expect(paid(1100, alike)).toContain('the wallet pays only some of the charges, or was used up');
    expect(paid(1100, [fee('charge', 'calls', 1000), fee('other', 'x', 1)])).toContain('pays only some of the charges');
    expect(paid(1100, [fee('charge', 'calls', 1000, { taxes_rate: null })])).toContain('pays only some of the charges');
  });
});
