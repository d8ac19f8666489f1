import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/extent.ts';
import { april, units } from './aggregation-cases.ts';
import { events } from './reference-records.ts';

describe('proration of a split period', () => {
  it('adds up: a value that is removed after the first days counts for those days', () => {
    const property = fc.property(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1000 }), (day, value) => {
      const at = `2026-04-${String(day).padStart(2, '0')}T10:00`;
      const row = { sum: '0', carried_sum: String(value), events: events([at, String(-value)]) };
      // value × 30 ÷ 30 − value × (31 − day) ÷ 30
      const expected = new Big(value).times(day - 1).div(30);
      const actual = new Big(units({ recurring: true }, row, { prorated: true }, april));
      // The share of the period is rounded at 20 decimals, so a result with 5 decimals may still be rounded up.
      expect(actual.minus(expected).gte(0) && actual.minus(expected).lte('0.00001')).toBe(true);
    });
    fc.assert(property, runs(2000));
  });
});
