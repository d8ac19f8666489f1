/** What is said of an alert's thresholds, against the rules by which the engine fires it (service-behaviour §14). */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { explainAlert } from '../../src/words/alert.ts';

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
  const at = (previous_value: string) => ({ previous_value });
  it.each<[string, JsonRecord, string]>([
    ['below everything', {}, '$180.06 now, next at $200.00, then $500.00 and every $100.00 after'],
    ['between', at('20000.0'), '$200.00 now, already past $200.00, next at $500.00, then every $100.00 after'],
    [
      'above the highest one-time threshold',
      at('75000'),
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
    ['whose last check is not shown', { last_processed_at: undefined, thresholds: [] }, '$180.06'],
    [
      'checked long ago',
      { last_processed_at: '2026-03-01T10:00:00Z' },
      '$180.06 on 1 Mar, 10:00 UTC, next at $200.00, then $500.00 and every $100.00 after',
    ],
  ])('%s', (_, fields, expected) => {
    expect(told(fields)).toBe(`“Monthly spend” watches this period's usage: ${expected}`);
  });

  it('is not said to be unchecked where the last check is not shown', () => {
    const hidden = { last_processed_at: undefined, previous_value: undefined };
    expect(told({ ...hidden, thresholds: [] })).toBe("“Monthly spend” watches this period's usage");
    expect(told(hidden)).toContain("this period's usage: first at $200.00");
  });

  it('counts yen as yen, and units as units', () => {
    expect(told({}, 'JPY')).toContain('¥18,006 now, next at ¥20,000, then ¥50,000');
    const units = { alert_type: 'billable_metric_current_usage_units', billable_metric: { code: 'seats' } };
    expect(told(units)).toContain(
      'the charge for seats with the most units this period: 18,006 units now, next at 20,000 units',
    );
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

  it.each([
    ['wallet_ongoing_balance_amount', '$0.00 left now; $1,288.78 of usage is not covered, already past $100.00'],
    ['wallet_credits_ongoing_balance', '0 credits left now; 128,878 credits of usage are not covered, already past'],
  ])('says of %s below zero what is not covered', (alert_type, expected) => {
    const fields = { alert_type, direction: 'decreasing', wallet_code: 'main', previous_value: '-128878' };
    expect(told({ ...fields, thresholds: [{ value: '10000' }] })).toContain(`after usage so far: ${expected}`);
  });
});
