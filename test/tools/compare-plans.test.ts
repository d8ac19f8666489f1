import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../tools/check.ts';
import { comparePlans } from '../../tools/compare-plans.ts';
import type { FannedAnswer, JsonRecord } from '../../tools/define.ts';

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
  it('asks for a preview of each plan with everything else unchanged', () => {
    const requests = comparePlans.fanOut?.requests({ plan_codes: ['a', 'b'], billing_time: 'anniversary' });
    expect(requests).toEqual([
      { key: 'a', request: { body: { billing_time: 'anniversary', plan_code: 'a' } } },
      { key: 'b', request: { body: { billing_time: 'anniversary', plan_code: 'b' } } },
    ]);
  });

  it('gives differences to the first plan and says which costs least', () => {
    const { record, summary } = compare([priced('studio', 10_000), priced('starter', 2_900), priced('scale', 12_500)]);
    expect((record.comparison as JsonRecord[]).map(plan => plan.difference_cents)).toEqual([0, -7_100, 2_500]);
    expect(record.cheapest_plan_code).toBe('starter');
    expect(summary).toContain('Plan starter costs least');
    expect(summary).toContain('Plan starter: $29.00 with tax, $71.00 less than studio');
    expect(summary).toContain('Plan scale: $125.00 with tax, $25.00 more than studio');
  });

  it('compares before credits, which would make every plan look free, and says what is left to pay', () => {
    const { record, summary } = compare([
      priced('a', 5_000, { total_amount_cents: 0 }),
      priced('b', 4_000, { total_amount_cents: 0 }),
    ]);
    expect(record.cheapest_plan_code).toBe('b');
    expect(summary).toContain('$0.00 to pay after credits');
  });

  it('compares nothing across currencies', () => {
    const { record, summary } = compare([priced('a', 5_000), priced('b', 4_000, { currency: 'EUR' })]);
    expect(record).not.toHaveProperty('cheapest_plan_code');
    expect((record.comparison as JsonRecord[])[1]).not.toHaveProperty('difference_cents');
    expect(summary).toContain('€40.00');
  });

  it('keeps what could be computed when some plans fail', () => {
    const error = { code: 'plan_not_found', message: 'no such plan', hint: 'list the plans' };
    const { record, summary } = compare([{ key: 'gone', error }, priced('a', 5_000), priced('b', 4_000)]);
    expect((record.comparison as JsonRecord[])[0]).toEqual({ plan_code: 'gone', error });
    expect(summary).toMatch(/^Could not be computed: gone \(plan_not_found\)/);
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
