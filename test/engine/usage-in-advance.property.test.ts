import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeModel } from '../../src/contract/enums.ts';
import { priceCharge } from '../../src/contract/pricing/models/index.ts';
import { payInAdvancePrice } from '../../src/engine/advance.ts';
import { emptyUsage } from '../../src/engine/merge-usage.ts';
import { netAndPeak } from '../../src/engine/peaks.ts';
import type { BillableMetricRecord, JsonObject } from '../../src/engine/records/index.ts';
import type { Bucket, UsageEvent, UsageRow } from '../../src/engine/types.ts';
import { countValues } from '../../src/engine/unique-values.ts';
import { usageBuckets } from '../../src/engine/usage.ts';
import { runs } from '../support/extent.ts';
import { advance, april, count, history, sum, tiers, unique } from './advance-cases.ts';
import * as reference from './reference.ts';
import { charge, metric } from './reference-records.ts';

describe('all fees of a period together', () => {
  const value = fc.integer({ min: 0, max: 40 }).map(String);
  const amounts: [ChargeModel, JsonObject][] = [
    ['standard', { amount: '0.7' }],
    ['package', { amount: '3', free_units: 5, package_size: 7 }],
    ['graduated', tiers],
    ['graduated_percentage', percentageTiers()],
    ['percentage', { rate: '10', fixed_amount: '0.5' }],
    ['percentage', { rate: '10', fixed_amount: '0.5', free_units_per_events: 2 }],
    ['percentage', { rate: '10', fixed_amount: '0.5', free_units_per_total_aggregation: '50' }],
    [
      'percentage',
      { rate: '10', fixed_amount: '0.5', per_transaction_min_amount: '1', per_transaction_max_amount: '3' },
    ],
  ];
  it.each(amounts)('are the arrears price of the whole: %s %j', (charge_model, properties) => {
    const property = fc.property(
      fc.array(value, { maxLength: 12 }),
      // With limits each event of a unique count is priced at the period's end, but only new values in advance.
      fc.constantFrom(sum, count, ...('per_transaction_min_amount' in properties ? [] : [unique])),
      (list, of) => {
        const own = metric({ ...of, code: 'm' });
        const on = charge({ charge_model, properties, pay_in_advance: true });
        let total = new Big(0);
        const seen: UsageEvent[] = [];
        for (const [i, text] of list.entries()) {
          const one = { ...advance(text), transaction_id: String(i) };
          const bucket = usageBuckets(on, own, [rowOf(seen, own)], april, { purpose: 'event' })[0] as Bucket;
          total = total.plus(payInAdvancePrice(own, bucket, one, april, 'EUR').price.amount);
          seen.push(one);
        }
        const whole = usageBuckets(on, own, [rowOf(seen, own)], april)[0] as Bucket;
        const nothing = whole.aggregate.units.eq(0);
        const expected = nothing
          ? new Big(0)
          : priceCharge({ charge_model, properties }, whole.aggregate, 'EUR').amount;
        expect(total.toFixed()).toBe(expected.toFixed());
      },
    );
    fc.assert(property, runs(1000));
  });

  it('of a sum are the price of its contributions: what each event adds above the period’s peak', () => {
    const property = fc.property(fc.array(fc.integer({ min: -30, max: 40 }), { maxLength: 15 }), list => {
      const own = metric(sum);
      const on = charge({ pay_in_advance: true, properties: { amount: '2' } });
      const seen: UsageEvent[] = [];
      const { steps } = reference.peakOfSum(list, 0);
      for (const [i, step] of steps.entries()) {
        const one = { ...advance(String(list[i])), transaction_id: String(i) };
        const bucket = usageBuckets(on, own, [rowOf(seen, own)], april, { purpose: 'event' })[0] as Bucket;
        const { units, price } = payInAdvancePrice(own, bucket, one, april, 'EUR');
        // What was used before is not cut at 0: an event costs what it adds.
        expect([units.toFixed(), price.amount.toFixed()]).toEqual([String(step.units), String(step.contribution * 2)]);
        seen.push(one);
      }
    });
    fc.assert(property, runs(2000));
  });
});

function rowOf(events: readonly UsageEvent[], own: BillableMetricRecord): UsageRow {
  const values = [...new Set(events.map(one => one.value ?? ''))].map(value => ({
    ...history,
    value,
    added_within: '2026',
  }));
  const counted = countValues(values, own.recurring);
  const { net, peak } = netAndPeak(own.aggregation_type === 'unique_count_agg' ? 'unique' : 'sum', events);
  return {
    ...emptyUsage(),
    events_count: events.length,
    sum: events.reduce((total, one) => total.plus(one.value ?? 0), new Big(0)).toFixed(),
    net: net.toFixed(),
    peak: peak.toFixed(),
    unique_count: counted.unique,
    values,
    events: [...events],
  };
}

function percentageTiers(): JsonObject {
  return {
    graduated_percentage_ranges: [
      { from_value: 0, to_value: 10, rate: '1', flat_amount: '5' },
      { from_value: 11, to_value: null, rate: '2', flat_amount: '7' },
    ],
  };
}
