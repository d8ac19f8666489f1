import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { presentRecord } from '../../src/present/record.ts';
import { checkArguments } from '../../src/tool/check.ts';
import type { FannedAnswer } from '../../src/tool/define.ts';
import { comparePlans } from '../../tools/compare-plans.ts';

const priced = (key: string, cents: number, changes: JsonRecord = {}): FannedAnswer => ({
  key,
  body: {
    invoice: {
      currency: 'USD',
      sub_total_including_taxes_amount_cents: cents,
      total_amount_cents: cents,
      taxes_amount_cents: 0,
      ...changes,
    },
  },
});
const compare = (answers: FannedAnswer[], args: JsonRecord = {}) => {
  const record = comparePlans.fanOut?.combine(
    { plan_codes: answers.map(answer => answer.key), ...args } as never,
    answers,
  ) as JsonRecord;
  return { record, summary: comparePlans.summary(record, { args, now: new Date(0) }) };
};

describe('compare_plans', () => {
  it('requests a preview of each plan with everything else unchanged', () => {
    const requests = comparePlans.fanOut?.requests({ plan_codes: ['a', 'b'], billing_time: 'anniversary' });
    expect(requests).toEqual([
      { key: 'a', request: { body: { billing_time: 'anniversary', plan_code: 'a' } } },
      { key: 'b', request: { body: { billing_time: 'anniversary', plan_code: 'b' } } },
    ]);
  });

  it('names the coupons that were not applied to a plan', () => {
    const limited = { ...priced('b', 4_000), notice: 'coupon w was not applied: limited to plan a' };
    const used = { credits: [{ item: { type: 'coupon', code: 'w' } }] };
    const { record, summary } = compare([priced('a', 5_000, used), limited], { coupons: [{ code: 'w' }] });
    expect(record.comparison).toMatchObject([
      expect.not.objectContaining({ coupons_not_applied: expect.anything() }),
      { coupons_not_applied: 'coupon w was not applied: limited to plan a' },
    ]);
    expect(summary).toContain('$10.00 less than a; coupon w was not applied: limited to plan a.');
  });

  const covering = (from_date: string, to_date: string): JsonRecord => ({
    fees: [
      { item: { type: 'subscription' }, from_date, to_date },
      { item: { type: 'charge' }, from_date: '2025-01-01T00:00:00Z', to_date: '2025-01-31T23:59:59Z' },
    ],
  });
  const restOfMonth = covering('2026-11-22T00:00:00Z', '2026-11-30T23:59:59Z');
  const restOfYear = covering('2026-11-22T00:00:00Z', '2026-12-31T23:59:59Z');

  it('says first that partial periods are compared, and which days', () => {
    const { record, summary } = compare([priced('a', 5_000, restOfMonth), priced('b', 4_000, restOfMonth)], {
      customer: { external_id: 'acme' },
    });
    expect(summary).toMatch(
      /^Compared are first invoices alone for customer acme \(22 – 30 Nov 2026 \(UTC\)\), which may cover part of a period: over a whole one the order of the plans can be another\./,
    );
    expect((record.comparison as JsonRecord[])[0]).toMatchObject({ covers: '22 – 30 Nov 2026 (UTC)' });
    expect(record).toMatchObject({ customer: 'acme', cheapest_plan_code: 'b', baseline_plan_code: 'a' });
  });

  it('names no cheapest plan where the first invoices cover different days, and gives the days of each', () => {
    const { record, summary } = compare([priced('monthly', 3_000, restOfMonth), priced('yearly', 10_900, restOfYear)]);
    expect(record).not.toHaveProperty('cheapest_plan_code');
    expect(summary).toContain('(monthly: 22 – 30 Nov 2026 (UTC) and yearly: 22 Nov – 31 Dec 2026 (UTC))');
    expect(summary).not.toMatch(/lowest|least/);
  });

  it('gives differences from the first plan and says which first invoice is lowest', () => {
    const { record, summary } = compare([priced('studio', 10_000), priced('starter', 2_900), priced('scale', 12_500)]);
    expect((record.comparison as JsonRecord[]).map(plan => plan.difference_cents)).toEqual([0, -7_100, 2_500]);
    expect(record.cheapest_plan_code).toBe('starter');
    expect(summary).toContain('Plan starter costs least by its first invoice.');
    expect(summary).toContain('Plan starter: $29.00 with tax, $71.00 less than studio');
    expect(summary).toContain('Plan scale: $125.00 with tax, $25.00 more than studio');
  });

  it('compares amounts before credits, which could make every plan look free, and says what is left to pay', () => {
    const { record, summary } = compare([
      priced('a', 5_000, { total_amount_cents: 0 }),
      priced('b', 4_000, { total_amount_cents: 0 }),
    ]);
    expect(record.cheapest_plan_code).toBe('b');
    expect(summary).toContain('$0.00 to pay after credits');
  });

  it.each([undefined, null])('does not say what is left to pay where the total is %s', total_amount_cents => {
    const { summary } = compare([priced('a', 5_000, { total_amount_cents }), priced('b', 4_000)]);
    expect(summary).toContain('Plan a: $50.00 with tax.');
    expect(summary).not.toMatch(/null|undefined/);
  });

  it('gives the customer, the first and the lowest plan to the assistant and the page', () => {
    const { record } = compare([priced('a', 5_000), priced('b', 4_000)], { customer: { external_id: 'acme' } });
    const config = { demo: false, maxResultTokens: 25_000 };
    const { fields } = presentRecord(comparePlans, record, { args: {}, full: false, config });
    expect(JSON.parse(`{${fields}}`)).toMatchObject({
      ...{ customer: 'acme', baseline_plan_code: 'a', cheapest_plan_code: 'b' },
      comparison: [{ plan_code: 'a' }, { plan_code: 'b', difference_cents: -1_000 }],
    });
  });

  it('suggests no argument that the tool does not have when a comparison is cut', () => {
    const { record } = compare(Array.from({ length: 10 }, (_, n) => priced(`plan-${n}`, n)));
    const { summary } = presentRecord(comparePlans, record, {
      ...{ args: {}, full: false },
      config: { demo: false, maxResultTokens: 300 },
    });
    expect(summary).toMatch(/of 10 comparison are left out to keep this short; call again with fewer at a time\./);
  });

  it('does not compare across currencies', () => {
    const { record, summary } = compare([priced('a', 5_000), priced('b', 4_000, { currency: 'EUR' })]);
    expect(record).not.toHaveProperty('cheapest_plan_code');
    expect((record.comparison as JsonRecord[])[1]).not.toHaveProperty('difference_cents');
    expect(summary).toContain('€40.00');
  });

  it('keeps what could be computed when some plans fail', () => {
    const error = { code: 'plan_not_found', message: 'no such plan', hint: 'list the plans' };
    const { record, summary } = compare([{ key: 'gone', error }, priced('a', 5_000), priced('b', 4_000)]);
    expect((record.comparison as JsonRecord[])[0]).toEqual({ plan_code: 'gone', error });
    expect(summary).toMatch(/^Compared are first invoices [^.]+\. Could not be computed: gone \(plan_not_found\)\./);
    expect(record.cheapest_plan_code).toBe('b');
  });

  it.each([
    ['one plan', ['a'], 'preview_invoice'],
    ['eleven plans', Array.from({ length: 11 }, (_, n) => `p${n}`), 'at most 10'],
    ['a plan named twice', ['a', 'a'], 'twice'],
  ])('refuses %s', (_, plan_codes, fix) => {
    const checked = checkArguments(comparePlans, { plan_codes });
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).toContain(fix);
  });
});
