/** What previews say of coupons, credit notes and prepaid credits: how much, and why no more. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { explainCredits } from '../../src/words/credits.ts';
import { explainUnusedCoupons, withRequestedCoupons } from '../../src/words/requested-coupons.ts';

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
  const taken = (name: string | null, amount_cents?: number) => ({ ...credit('coupon', name), amount_cents });
  const coupons = { coupons_amount_cents: 500, credits: [taken('a', 500)] };

  it.each([
    ['are told with what they took off', 100, [taken('a', 500)], 'coupon “a” took off €5.00'],
    ['are as much as the fees', 0, [taken('a', 500)], 'coupon “a” took off €5.00, the full amount of the charges'],
    ['are only named without an amount', 100, [taken('a')], 'coupon used: “a”'],
    ['each have an amount', 1, [taken('a', 400), taken('b', 100)], 'coupons “a” took off €4.00 and “b” €1.00'],
    ['have no name', 1, [taken(null, 500)], null],
  ])('%s', (_, left, credits, note) => {
    expect(told({ ...coupons, credits, sub_total_excluding_taxes_amount_cents: left })).toBe(note);
  });
});

describe('the coupons that a preview was to use', () => {
  const unnamed = (amount_cents: number) => ({ amount_cents, item: { type: 'coupon', code: null, name: null } });
  const ten = { code: 'coupon0' };
  const preview = (...credits: object[]) => ({ currency: 'EUR', coupons_amount_cents: 2027, credits });

  it('are those of the credits without a code', () => {
    const invoice = withRequestedCoupons(preview(unnamed(2027)), [ten]);
    expect(told(invoice)).toBe('coupon coupon0 took off €20.27');
    expect(explainUnusedCoupons(preview(unnamed(2027)), [ten], undefined)).toBeNull();
  });

  it('are not told apart where only some took something off', () => {
    expect(explainUnusedCoupons(preview(unnamed(2027)), [ten, { code: 'coupon1' }], undefined)).toBe(
      'only 1 of coupon0 and coupon1 took something off; the preview does not say which',
    );
  });

  const now = new Date('2026-10-28T00:00:00Z');
  it.each([
    ['limits to metrics', { billable_metric_codes: ['calls', 'seats'] }, 'it is limited to usage of calls and seats'],
    ['limits to a plan', { plan_codes: ['plan1'], billable_metric_codes: [] }, 'it is limited to plan plan1'],
    ['an expiry', { expiration_at: '2026-10-21T04:00:00Z' }, 'it expired on 21 Oct'],
    ['an end', { terminated_at: '2026-10-20T04:00:00Z' }, 'it ended on 20 Oct'],
    ['another currency', { amount_cents: 100, amount_currency: 'USD' }, 'its amount is in USD, the invoice in EUR'],
    ['no limits', {}, 'the preview does not show why'],
    ['nothing, as it does not exist', null, 'the account has no such coupon'],
  ])('are unused for a reason that the stored coupon tells: %s', (_, coupon, reason) => {
    const stored = new Map([['coupon0', coupon]]);
    expect(explainUnusedCoupons(preview(), [ten], undefined, { stored, now })).toBe(
      `coupon coupon0 was not applied: ${reason}`,
    );
  });
});

describe('credit notes', () => {
  const unused = { item: { type: 'credit_note', name: 'GEN-CD0E-DRAFT', code: null, svc_item_id: null } };
  const note = { item: { type: 'credit_note', name: 'INV-1', code: 'INV-1-CN001', svc_item_id: 'id' } };

  it.each([
    ['all that they had, while something is left to pay', 100, [note], 'credit note INV-1-CN001: used up'],
    ['what was due', 0, [note], 'credit note INV-1-CN001: nothing more was due'],
    ['the unused part of a plan, which the sum tells', 100, [unused], null],
    ['that part in full', 0, [unused], 'credit for the unused part of the plan: nothing more was due'],
    ['that part and a note', 9, [unused, note], 'credit note INV-1-CN001: used up'],
    ['no certain part of a total below 0', -9, [note], 'credit note INV-1-CN001'],
  ])('pay %s', (_, total_amount_cents, credits, sentence) => {
    expect(told({ credit_notes_amount_cents: 500, total_amount_cents, credits })).toBe(sentence);
  });

  it('left something to pay where prepaid credits paid it', () => {
    const invoice = { credit_notes_amount_cents: 5, prepaid_credit_amount_cents: 7, total_amount_cents: 0 };
    expect(told({ ...invoice, credits: [credit('credit_note', 'n')] })).toBe(
      'credit note n: used up; prepaid credits: nothing more was due',
    );
  });
});

describe('prepaid credits', () => {
  const paid = (cents: number, fees: JsonRecord[], more: JsonRecord = {}) =>
    told({ prepaid_credit_amount_cents: cents, total_amount_cents: 100, fees, ...more });

  it.each([
    ['usage', 1100, 'usage with tax; the wallet covers nothing else, or was used up'],
    ['usage, to the cent of each fee', 1099, 'usage with tax; the wallet covers nothing else, or was used up'],
    ['the plan fee', 5500, 'the plan fee with tax; the wallet covers nothing else, or was used up'],
    ['any other amount', 1234, 'the wallet covers only some charges, or was used up'],
  ])('come to %s', (_, cents, note) => {
    expect(paid(cents, [fee('charge', 'calls', 1000), fee('subscription', 'pro', 5000)])).toBe(
      `prepaid credits: ${note}`,
    );
  });

  it('come to the usage of one metric out of several', () => {
    const fees = [fee('charge', 'calls', 1000), fee('charge', 'seats', 3000), fee('charge', 'calls', 500)];
    expect(paid(1650, fees)).toContain('usage of calls with tax; the wallet covers nothing else, or was used up');
    expect(paid(4950, fees)).toContain('usage with tax; the wallet covers nothing else, or was used up');
  });

  it('are after coupons, where there are any', () => {
    const fees = [fee('charge', 'calls', 1000, { precise_coupons_amount_cents: '100.0' }), fee('charge', 'b', 5000)];
    const note = paid(990, fees, { coupons_amount_cents: 100 });
    expect(note).toContain('usage of calls with tax, after coupons; the wallet');
  });

  it('are not told as one of two that fit, nor where a fee is not known', () => {
    const two = [fee('charge', 'calls', 1000), fee('subscription', 'pro', 1000)];
    expect(paid(1100, two)).toContain('the wallet covers only some charges, or was used up');
    const alike = [fee('charge', 'calls', 1000), fee('charge', 'seats', 1000)];
    expect(paid(1100, alike)).toContain('the wallet covers only some charges, or was used up');
    expect(paid(1100, [fee('charge', 'calls', 1000), fee('other', 'x', 1)])).toContain('covers only some charges');
    expect(paid(1100, [fee('charge', 'calls', 1000, { taxes_rate: null })])).toContain('covers only some charges');
  });
});
