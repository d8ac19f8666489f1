import { describe, expect, it } from 'vitest';
import { eventContribution, payInAdvancePrice } from '../../src/engine/advance.ts';
import type { Bucket } from '../../src/engine/types.ts';
import { usageBuckets } from '../../src/engine/usage.ts';
import { advance, april, sum } from './advance-cases.ts';
import { chargeEntry, eventsOf, IN_APRIL, metricEntries, on, standard } from './entries.ts';
import { type Entry, estimateOf } from './file-service.ts';
import { charge, metric, usage } from './reference-records.ts';

describe('the fee of one event (§10.3)', () => {
  it('has as unit amount the rounded amount ÷ shown units: 3 × 0.335 = 1.005 → 1.01 ÷ 3', () => {
    const own = metric(sum);
    const on = charge({ pay_in_advance: true, properties: { amount: '0.335' } });
    const bucket = usageBuckets(on, own, [], april, { purpose: 'event' })[0] as Bucket;
    const of = (value: string) => payInAdvancePrice(own, bucket, advance(value), april, 'EUR').price;
    expect(of('3').amount.toFixed()).toBe('1.005');
    expect(of('3').unit_amount.toFixed(15)).toBe('0.336666666666667');
    expect(of('0.01').unit_amount.toFixed()).toBe('0');
  });

  it('does not exist for maxima', () => {
    expect(() => eventContribution(metric({ aggregation_type: 'max_agg' }), usage(), advance('1'))).toThrow('max_agg');
  });
});

describe('an estimate is the price with the event minus the price without it (§10.3, §13): units, cents, through the running service', () => {
  const { sum, count, unique } = metricEntries;
  const tiers = [
    { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '4' },
    { from_value: 11, to_value: null, per_unit_amount: '2', flat_amount: '5' },
  ];
  const percents = [
    { from_value: 0, to_value: 10, rate: '10', flat_amount: '4' },
    { from_value: 11, to_value: null, rate: '20', flat_amount: '5' },
  ];

  const packages = chargeEntry('package', { amount: '5', package_size: 10, free_units: 3 });
  const graduated = chargeEntry('graduated', { graduated_ranges: tiers });
  const graduatedPercentage = chargeEntry('graduated_percentage', { graduated_percentage_ranges: percents });
  const free = (terms: Entry) => chargeEntry('percentage', { rate: '10', fixed_amount: '1', ...terms });

  const twoFree = free({ free_units_per_events: 2 });
  const freeAmount = free({ free_units_per_total_aggregation: '25' });
  const [none, least] = [free({ rate: '0' }), free({ per_transaction_min_amount: '2' })];
  const noneLeast = free({ rate: '0', per_transaction_min_amount: '2' });
  const prorated = { ...standard, prorated: true };
  const level = { ...sum, recurring: true };
  const seats = { ...unique, recurring: true };

  it.each<[string, Entry, Entry, string, string, string, number]>([
    ['count, first: 1', count, standard, '', '', '1.0', 100],
    ['sum: 2.5 more', sum, standard, '01 4', '2.5', '2.5', 250],
    ['sum, C = 3 after 10 − 7, M = 10: 3 + 7 ≤ 10: shows 7, costs 0', sum, standard, '01 10, 02 -7', '7', '7.0', 0],
    ['sum, C = 3, M = 10: 3 + 9 − 10 = 2', sum, standard, '01 10, 02 -7', '9', '2.0', 200],
    ['sum: a negative value shows 0', sum, standard, '01 10', '-3', '0.0', 0],
    ['sum: first event negative', sum, standard, '', '-3', '0.0', 0],
    [
      'sum, recurring: 10 carried, −4 (C = M = −4), then 6: 2 + 4 = 6',
      level,
      standard,
      '03-05 10, 01 -4',
      '6',
      '6.0',
      600,
    ],
    ['sum, −3 (C = M = −3), then 5: 2 + 3 = 5 units; T = 2: 2.00 − (−3.00)', sum, standard, '01 -3', '5', '5.0', 500],
    ['graduated, −3, then 5: 2 + flat 4 − (−3)', sum, graduated, '01 -3', '5', '5.0', 900],
    ['graduated percentage, −3, then 5: 0.20 + flat 4 − (−0.30)', sum, graduatedPercentage, '01 -3', '5', '5.0', 450],
    ['sum, −10, then 5: −5 − (−10)', sum, standard, '01 -10', '5', '5.0', 500],
    ['sum: no rounding by the metric: 0.4', { ...sum, rounding_function: 'ceil' }, standard, '01 1', '0.4', '0.4', 40],
    ['graduated, first event: 1 + flat 4', count, graduated, '', '', '1.0', 500],
    ['graduated, second event: 1', count, graduated, '01 1', '', '1.0', 100],
    ['graduated: 10 + 2: 2 × 2 + 5', sum, graduated, '01 10', '2', '2.0', 900],
    ['graduated: 0 of nothing costs nothing', sum, graduated, '', '0', '0.0', 0],
    ['graduated percentage, first: 10 % of 5 + 4', sum, graduatedPercentage, '', '5', '5.0', 450],
    ['graduated percentage: 10 + 2: 20 % of 2 + 5', sum, graduatedPercentage, '01 10', '2', '2.0', 540],
    ['package: within the free 3', sum, packages, '01 1', '2', '2.0', 0],
    ['package: the unit that opens the first package', sum, packages, '01 3', '1', '1.0', 500],
    ['package: 13 reached before, 12 more are two packages', sum, packages, '01 13', '12', '12.0', 1000],
    ['percentage: 10 % of 20 + 1', sum, free({}), '01 10', '20', '20.0', 300],
    ['percentage, E = 2, the second event is free', sum, twoFree, '01 10', '20', '20.0', 0],
    ['percentage, E = 2, the third is not: 3 + 1', sum, twoFree, '01 10, 02 20', '30', '30.0', 400],
    ['percentage, A = 25: 5 of 20 beyond it, its event paid: 0.5 + 1', sum, freeAmount, '01 10', '20', '20.0', 150],
    ['percentage, maximum 2: 3 → 2', sum, free({ per_transaction_max_amount: '2' }), '01 10', '20', '20.0', 200],
    ['percentage of a count, E = 2: the third: 0.1 + 1', count, twoFree, '01 1, 02 1', '', '1.0', 110],
    ['unique: new', unique, standard, '01 a', 'b', '1.0', 100],
    ['unique: known', unique, standard, '01 a', 'a', '0.0', 0],
    ['unique: removed', unique, standard, '01 a', 'a remove', '0.0', 0],
    ['unique: without the property, one more value', unique, standard, '01 a', '', '1.0', 100],
    ['unique: without the property again', unique, standard, '01', '', '0.0', 0],
    ['unique: a added and removed (C = 0, M = 1), then b: 0.00', unique, standard, '01 a, 05 a remove', 'b', '1.0', 0],
    [
      'unique, x carried: z added, x removed (C = 0, M = 1), then y: 0.00',
      seats,
      standard,
      '03-05 x, 01 z, 05 x remove',
      'y',
      '1.0',
      0,
    ],
    [
      'unique, x carried: removed first (C = M = 0), then y: 1.00',
      seats,
      standard,
      '03-05 x, 05 x remove',
      'y',
      '1.0',
      100,
    ],
    ['percentage of values, 0 % + 1.00: a known value 0.00', unique, none, '01 a', 'a', '0.0', 0],
    ['percentage of values, 0 % + 1.00, at least 2.00: a known value 0.00', unique, noneLeast, '01 a', 'a', '0.0', 0],
    ['percentage of values, 10 % + 1.00, at least 2.00: a new value 2.00', unique, least, '01 a', 'b', '1.0', 200],
    ['unique: back in the same period: shows 1, costs 0', unique, standard, '01 a, 05 a remove', 'a', '1.0', 0],
    ['unique: last month’s value is new again', unique, standard, '03-05 a', 'a', '1.0', 100],
    ['unique, recurring: last month’s value is known', seats, standard, '03-05 a', 'a', '0.0', 0],
    ['unique, recurring: removed last month, so new: 1', seats, standard, '03-05 a, 03-06 a remove', 'a', '1.0', 100],
    ['unique, prorated: from the 21st 10 of 30 days of 1.00 → 0.33', seats, prorated, '', 'a', '1.0', 33],
    [
      'sum, prorated: 10 of 30 days are 0.33334, up at 5 decimals, at 10000.00: 3333.40',
      level,
      { ...prorated, properties: { amount: '10000' } },
      '',
      '1',
      '1.0',
      333_340,
    ],
    ['an event later today does not count yet', sum, graduated, '2026-04-21T12:00:01Z 5', '1', '1.0', 500],
  ])('%s', async (_name, metric, oneCharge, earlier, asked, units, cents) => {
    const plan = { charges: [{ ...oneCharge, pay_in_advance: true }] };
    const [event] = eventsOf(on(`21 ${asked}`.trim()));
    const { status, body } = await estimateOf(
      { now: IN_APRIL, metrics: [metric], plan, events: eventsOf(on(earlier)) },
      { code: 'm', properties: event!.properties },
    );
    expect([status, body.fees?.[0]?.units, body.fees?.[0]?.amount_cents]).toEqual([200, units, cents]);
    expect(body.fees[0]).toMatchObject({
      svc_id: null,
      svc_invoice_id: null,
      created_at: null,
      events_count: 1,
      pay_in_advance: true,
      payment_status: 'pending',
      amount_details: {},
      from_date: '2026-04-01T00:00:00Z',
      to_date: '2026-04-30T23:59:59Z',
    });
  });
});
