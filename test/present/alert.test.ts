/** What is said of an alert's thresholds, against the rules by which the engine fires it (service-behaviour §14). */
import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { explainAlert } from '../../src/present/alert.ts';
import { crossedThresholds } from '../../src/service/engine/alerts.ts';

const now = new Date('2026-03-15T12:00:00Z');
const spend = {
  ...{ alert_type: 'current_usage_amount', last_processed_at: '2026-03-15T11:59:00Z', previous_value: '18006.0' },
  thresholds: [
    { value: '50000.0', recurring: false },
    { value: '10000.0', recurring: true },
    { value: '20000.0', recurring: false },
  ],
};
const told = (more: JsonRecord = {}, currency: unknown = 'USD') =>
  explainAlert({ ...spend, ...more }, '“Monthly spend”', { currency, now });

describe('an alert', () => {
  it.each<[string, JsonRecord, string]>([
    ['below everything', {}, '$180.06 now, next at $200.00, then $500.00 and every $100.00 after'],
    [
      'between',
      { previous_value: '20000.0' },
      '$200.00 now, already past $200.00, next at $500.00, then every $100.00 after',
    ],
    [
      'above the highest one-time threshold',
      { previous_value: '75000' },
      '$750.00 now, already past $200.00, $500.00 and $700.00, next at $800.00, then every $100.00',
    ],
    [
      'with steps alone',
      { thresholds: [{ value: '10000', recurring: true }] },
      '$180.06 now, already past $100.00, next at $200.00, then every $100.00',
    ],
    [
      'never checked',
      { last_processed_at: null, previous_value: '0.0' },
      'not yet checked, first at $200.00, then $500.00 and every $100.00 after',
    ],
    ['without a threshold', { thresholds: [] }, '$180.06 now'],
    [
      'checked long ago',
      { last_processed_at: '2026-03-01T10:00:00Z' },
      '$180.06 on 1 Mar, 10:00 UTC, next at $200.00, then $500.00 and every $100.00 after',
    ],
  ])('%s', (_, fields, expected) => {
    expect(told(fields)).toBe(`“Monthly spend” watches this period's usage: ${expected}`);
  });

  it('counts yen as yen, and units as units', () => {
    expect(told({}, 'JPY')).toContain('¥18,006 now, next at ¥20,000, then ¥50,000');
    const units = { alert_type: 'billable_metric_current_usage_units', billable_metric: { code: 'seats' } };
    expect(told(units)).toContain("this period's largest quantity of seats: 18,006 units now, next at 20,000 units");
  });

  it('names no currency that nothing tells', () => {
    expect(told({}, null)).toContain('18,006 minor units now, next at 20,000 minor units');
  });

  it('falls with a balance', () => {
    const low = {
      ...{ alert_type: 'wallet_balance_amount', direction: 'decreasing', wallet_code: 'main', previous_value: '9000' },
      thresholds: [{ value: '0' }, { value: '10000' }],
    };
    expect(told(low)).toBe(
      '“Monthly spend” watches the balance of wallet main: $90.00 now, already past $100.00, next at $0.00',
    );
    expect(told({ ...low, thresholds: [...low.thresholds, { value: '500', recurring: true }] })).toContain(
      'next at $0.00, then every $5.00 after',
    );
  });
});

describe('what comes next', () => {
  /** The values that a sentence holds after `words`. */
  const valuesAfter = (text: string, words: string) =>
    [...(text.split(words)[1]?.split(/, (?!\d)/)[0] ?? '').matchAll(/-?[\d,.]*\d/g)].map(
      ([value]) => new Big(value.replaceAll(',', '')),
    );
  const values = fc.integer({ min: 1, max: 500 });

  it('is the value at which the service would fire, and what is past would have fired', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(values, { maxLength: 4 }),
        fc.option(values, { nil: undefined }),
        fc.integer({ min: 1, max: 2000 }),
        fc.boolean(),
        (once, step, at, falling) => {
          fc.pre(once.length > 0 || step !== undefined);
          const mirrored = (value: number) => (falling ? -value : value);
          const thresholds = [
            ...once.map(value => ({ value: String(mirrored(value)), recurring: false, code: null })),
            ...(step === undefined ? [] : [{ value: String(step), recurring: true, code: null }]),
          ];
          const direction = falling ? 'decreasing' : 'increasing';
          const value = new Big(mirrored(at));
          const fired = (from: Big, to: Big) =>
            crossedThresholds(thresholds, from, to, direction).map(t => new Big(t.value));
          const text = explainAlert(
            { alert_type: 'billable_metric_current_usage_units', direction, thresholds },
            'It',
            { currency: null, now, value },
          );
          const past = valuesAfter(text, 'already past ').map(String);
          const all = fired(new Big(0), value).map(String);
          expect(
            past.every(one => all.includes(one)),
            text,
          ).toBe(true);
          const [next] = valuesAfter(text, 'next at ');
          if (next === undefined) {
            expect(step, text).toBeUndefined();
            return;
          }
          const almost = falling ? next.plus(1) : next.minus(1);
          expect(fired(value, next).map(String), text).toContain(String(next));
          expect(
            falling ? almost.lt(value) && fired(value, almost).length : almost.gt(value) && fired(value, almost).length,
          ).toBeFalsy();
        },
      ),
    );
  });
});
