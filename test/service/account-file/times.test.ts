import { describe, expect, it } from 'vitest';
import { readInstant, resolveTime, resolveTimes } from '../../../src/service/account-file/times.ts';

const now = new Date('2026-05-17T14:30:15.250Z'); // a Sunday

describe('times relative to the load', () => {
  it.each([
    ['now', '2026-05-17T14:30:15.250Z'],
    ['now-P30D', '2026-04-17T14:30:15.250Z'],
    ['now+P1M', '2026-06-17T14:30:15.250Z'],
    ['now-PT90M', '2026-05-17T13:00:15.250Z'],
    ['now-PT36H', '2026-05-16T02:30:15.250Z'],
    ['now/day', '2026-05-17T00:00:00.000Z'],
    ['now/week', '2026-05-11T00:00:00.000Z'],
    ['now/month', '2026-05-01T00:00:00.000Z'],
    ['now/quarter', '2026-04-01T00:00:00.000Z'],
    ['now/year', '2026-01-01T00:00:00.000Z'],
    ['now/month-P1M+P9DT6H', '2026-04-10T06:00:00.000Z'],
    ['now/month-PT1S', '2026-04-30T23:59:59.000Z'],
    ['now/month@Asia/Tokyo', '2026-04-30T15:00:00.000Z'],
    ['now/month-P2M@America/New_York', '2026-03-01T05:00:00.000Z'],
    ['now/month-P1M@America/New_York', '2026-04-01T04:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(resolveTime(text, now)).toBe(expected);
  });

  it.each(['nowadays', 'now-', 'now-30D', 'now/decade', 'now-P1D@Nowhere/Land', 'now-P', ' now'])(
    '%s is text',
    text => {
      expect(resolveTime(text, now)).toBeNull();
      expect(resolveTimes([text], now)).toEqual([text]);
    },
  );

  it('are found anywhere in the file', () => {
    expect(resolveTimes({ a: [{ b: 'now/year', c: 1 }], d: null }, now)).toEqual({
      a: [{ b: '2026-01-01T00:00:00.000Z', c: 1 }],
      d: null,
    });
  });
});

describe('other times', () => {
  it.each([
    ['2026-02-28', '2026-02-28T00:00:00.000Z'],
    ['2026-02-28T10:00:00+02:00', '2026-02-28T08:00:00.000Z'],
    ['2026-02-28T10:00:00.1234Z', '2026-02-28T10:00:00.123Z'],
    ['2026-02-29', null],
    ['2026-02-28T10:00:00', null],
    ['28.02.2026', null],
    ['', null],
  ])('%s is %s', (text, expected) => {
    expect(readInstant(text)).toBe(expected);
  });
});
