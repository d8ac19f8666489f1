import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertType } from '../../src/contract/enums.ts';
import { decimal } from '../../src/contract/pricing/money.ts';
import { crossedThresholds, subscriptionAlertValue, walletAlertValue } from '../../src/engine/alerts.ts';
import { ongoingBalance } from '../../src/engine/ongoing.ts';
import type { AlertThreshold } from '../../src/engine/records/index.ts';
import { runs } from '../support/extent.ts';
import { storedFee, walletRecord } from './world.ts';

const at = (...values: string[]): AlertThreshold[] => values.map(value => ({ code: null, value, recurring: false }));
const every = (value: string): AlertThreshold => ({ code: 'step', value, recurring: true });
const crossed = (
  thresholds: AlertThreshold[],
  previous: string,
  current: string,
  direction: 'increasing' | 'decreasing' = 'increasing',
) =>
  crossedThresholds(thresholds, decimal(previous), decimal(current), direction).map(
    t => `${t.value}${t.recurring ? ' again' : ''}`,
  );

describe('crossing thresholds upward (§14)', () => {
  it.each<[string, AlertThreshold[], string, string, string[]]>([
    ['v with p < v ≤ c', at('10', '20', '30'), '10', '20', ['20.0']],
    ['several, ascending', at('30', '10', '20'), '0', '35', ['10.0', '20.0', '30.0']],
    ['nothing when the value stays', at('10'), '10', '10', []],
    ['nothing when it falls, as at a period change', at('10'), '50', '0', []],
    ['nothing below the lowest one-time value', [...at('100'), every('10')], '0', '95', []],
    [
      'steps from the highest one-time value: 100 + k × 10',
      [...at('50', '100'), every('10')],
      '100',
      '125',
      ['110.0 again', '120.0 again'],
    ],
    ['steps from 0 without one-time values', [every('10')], '0', '25', ['10.0 again', '20.0 again']],
    ['a recurring step of nothing: none', [...at('5'), every('0')], '0', '10', ['5.0']],
    ['a recurring step below 0: none', [...at('5'), every('-5')], '0', '10', ['5.0']],
    ['one-time and recurring together', [...at('100'), every('10')], '90', '115', ['100.0', '110.0 again']],
    ['a step equal to the previous value is not repeated', [every('10')], '10', '15', []],
    ['a step that is reached exactly', [every('10')], '15', '20', ['20.0 again']],
    ['negative one-time values', at('-5'), '-10', '0', ['-5.0']],
    ['fractions', [...at('0.1'), every('0.05')], '0', '0.2', ['0.1', '0.15 again', '0.2 again']],
  ])('%s', (_, thresholds, previous, current, expected) => {
    expect(crossed(thresholds, previous, current)).toEqual(expected);
  });

  it('keeps the threshold’s code', () => {
    expect(crossedThresholds([every('10')], decimal(0), decimal(10), 'increasing')).toEqual([
      { code: 'step', value: '10.0', recurring: true },
    ]);
  });

  it('lists at most the last hundred steps of a huge rise', () => {
    const steps = crossed([every('1')], '0', '1000000');
    expect(steps.length).toBeLessThanOrEqual(101);
    expect(steps.at(-1)).toBe('1000000.0 again');
  });
});

describe('crossing thresholds downward (§14)', () => {
  it.each<[string, AlertThreshold[], string, string, string[]]>([
    ['v with c ≤ v < p', at('10', '20'), '20', '10', ['10.0']],
    ['nothing when the balance rises', at('10'), '5', '50', []],
    ['nothing above the highest one-time value', [...at('10'), every('5')], '50', '20', []],
    [
      'steps down from the lowest one-time value: 10 − k × 5',
      [...at('10', '20'), every('5')],
      '10',
      '-2',
      ['0.0 again', '5.0 again'],
    ],
    ['ascending all the same', at('10', '20', '30'), '40', '0', ['10.0', '20.0', '30.0']],
  ])('%s', (_, thresholds, previous, current, expected) => {
    expect(crossed(thresholds, previous, current, 'decreasing')).toEqual(expected);
  });
});

it('a rise in two steps crosses the same thresholds as in one step', () => {
  const value = fc.integer({ min: 0, max: 400 }).map(String);
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 4 }),
      fc.integer({ min: 5, max: 50 }),
      value,
      value,
      value,
      (ones, step, ...values) => {
        const [a, b, c] = values.sort((x, y) => Number(x) - Number(y)) as [string, string, string];
        const thresholds = [...at(...new Set(ones)), every(String(step))];
        const once = crossed(thresholds, a, c);
        const twice = [...crossed(thresholds, a, b), ...crossed(thresholds, b, c)];
        const lowest = Math.min(...ones.map(Number), Number.POSITIVE_INFINITY);
        // Steps never lie below the lowest one-time value, so the rule about it cannot lose one.
        if (ones.length === 0 || Number(b) >= lowest || Number(c) < lowest)
          expect(new Set(twice)).toEqual(new Set(once));
      },
    ),
    runs(2000),
  );
});

describe('what subscription alerts watch (§14)', () => {
  const item = { ...storedFee(0).item, type: 'charge' } as const;
  const fees = [
    storedFee(300, { units: '3.0', item: { ...item, item_id: 'units' } }),
    storedFee(500, { units: '2.0', item: { ...item, item_id: 'units' } }),
    storedFee(900, { units: '9.0', item: { ...item, item_id: 'seats' } }),
  ];
  const lifetime = ['2', '7.5'].map(units => storedFee(0, { units, item: { ...item, item_id: 'units' } }));
  const usage = { current: fees, lifetime, lifetime_amount_cents: 12_345 };

  it.each<[AlertType, string | null, string, string]>([
    ['current_usage_amount', null, '1700', 'Σ of all fees: 300 + 500 + 900'],
    ['billable_metric_current_usage_amount', 'units', '500', 'the largest fee of the metric, not 800'],
    ['billable_metric_current_usage_units', 'units', '3', 'the most units of one fee, not 5'],
    ['billable_metric_current_usage_amount', 'other', '0', 'no fee of the metric'],
    ['lifetime_usage_amount', null, '12345', 'since the beginning'],
    ['billable_metric_lifetime_usage_units', 'units', '7.5', 'since the beginning'],
  ])('%s of %s is %s: %s', (alert_type, billable_metric_id, value) => {
    expect(subscriptionAlertValue({ alert_type, billable_metric_id }, usage).toFixed()).toBe(value);
  });
});

it.each<[AlertType, string]>([
  ['wallet_balance_amount', '1000'],
  ['wallet_credits_balance', '20'],
  ['wallet_ongoing_balance_amount', '700'],
  ['wallet_credits_ongoing_balance', '14'],
])('a wallet alert of type %s reads the balance: %s', (type, value) => {
  const wallet = walletRecord('w', { rate_amount: '0.5', credits_balance: '20' });
  expect(walletAlertValue(type, wallet, ongoingBalance(wallet, 300)).toFixed()).toBe(value);
});
