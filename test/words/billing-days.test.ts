/** On which day a subscription is billed next, and when its trial ends (service-behaviour §7.1, §10.4). */
import { describe, expect, it } from 'vitest';
import { nextBillingDay, trialEnd } from '../../src/words/billing-days.ts';

const now = new Date('2026-11-23T12:00:00Z');

describe('the next day of billing', () => {
  const ends = (current_billing_period_ending_at: unknown, more: object = {}) => ({
    ...{ status: 'active', ending_at: null, current_billing_period_ending_at },
    ...more,
  });

  // biome-ignore format: a table
  it.each<[what: string, subscription: object, zone: string | null, day: string | null]>([
    ['the day after the period', ends('2026-11-30T23:59:59Z'), 'UTC', '2026-12-01'],
    ['the same with fractions of a second', ends('2026-11-30T23:59:59.999Z'), 'UTC', '2026-12-01'],
    ['by the customer’s clocks', ends('2026-12-01T04:59:59Z'), 'America/New_York', '2026-12-01'],
    ['west of UTC without the zone', ends('2026-12-01T04:59:59Z'), null, '2026-12-01'],
    ['east of UTC without the zone', ends('2026-11-30T14:59:59Z'), null, '2026-12-01'],
    ['in UTC without the zone', ends('2026-11-30T23:59:59Z'), null, '2026-12-01'],
    ['unknown where the hour may be of either side', ends('2026-12-01T10:59:59Z'), null, null],
    ['the day of its end, if that is before', ends('2026-11-30T23:59:59Z', { ending_at: '2026-11-28T03:00:00Z' }), 'America/New_York', '2026-11-27'],
    ['unknown for an end without the zone', ends('2026-11-30T23:59:59Z', { ending_at: '2026-11-28T03:00:00Z' }), null, null],
    ['unknown for one that goes on after its end', ends('2026-11-30T23:59:59Z', { ending_at: '2026-11-20T03:00:00Z' }), 'UTC', null],
    ['none for a period that is over', ends('2026-10-31T23:59:59Z'), 'UTC', null],
    ['none where it has ended', ends('2026-11-30T23:59:59Z', { status: 'terminated' }), 'UTC', null],
    ['none for an odd period', ends({}), 'UTC', null],
  ])('is %s', (_, subscription, zone, day) => {
    expect(nextBillingDay(subscription, zone, now)).toBe(day);
  });
});

describe('the end of a trial', () => {
  const of = (trial_period: unknown, more: object = {}) => ({ status: 'active', plan: { trial_period }, ...more });
  const start = '2026-11-10T05:00:00Z';

  it.each<[what: string, subscription: object, start: string | null, end: string | null]>([
    ['so many days after the first start', of(30), start, '2026-12-10T05:00:00.000Z'],
    ['with parts of a day', of(1.5), start, '2026-11-11T17:00:00.000Z'],
    ['none without a trial', of(0), start, null],
    ['none where it is over', of(30, { trial_ended_at: '2026-11-20T00:00:00Z' }), start, null],
    ['none before the start', of(30, { status: 'pending' }), start, null],
    ['unknown without the start', of(30), null, null],
    ['unknown for an odd plan', { status: 'active', plan: 'pro' }, start, null],
  ])('is %s', (_, subscription, from, end) => {
    expect(trialEnd(subscription, from)).toBe(end);
  });
});
