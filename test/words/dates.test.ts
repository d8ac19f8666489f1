import { describe, expect, it } from 'vitest';
import { isIsoDateTime } from '../../src/lib/iso-dates.ts';
import { formatDate, formatInstant, formatPeriod } from '../../src/words/dates.ts';

describe('dates in words', () => {
  it.each<[unknown, string | null, string | null]>([
    ['2024-04-01', '1 Apr 2024', '1 Apr 2024'],
    ['2026-01-31T23:59:59Z', '31 Jan 2026', '31 Jan 2026, 23:59 UTC'],
    ['2026-01-31T23:59:59.123Z', '31 Jan 2026', '31 Jan 2026, 23:59 UTC'],
    ['2026-01-31T23:59:59+02:00', '31 Jan 2026', '31 Jan 2026, 23:59 UTC+02:00'],
    ['2026-13-01', null, null],
    [null, null, null],
    [5, null, null],
  ])('%s', (value, day, instant) => {
    expect(formatDate(value)).toBe(day);
    expect(formatInstant(value)).toBe(instant);
  });

  it.each([
    ['2026-01-01', '2026-01-31', '1 – 31 Jan 2026'],
    ['2025-12-15T00:00:00Z', '2026-01-14T23:59:59Z', '15 Dec 2025 – 14 Jan 2026 (UTC)'],
    ['2026-01-15', '2026-02-14', '15 Jan – 14 Feb 2026'],
    ['2026-01-15', '2026-01-15', '15 Jan 2026'],
    ['2026-01-15', null, ''],
  ])('%s to %s is "%s"', (from, to, text) => {
    expect(formatPeriod(from, to)).toBe(text);
  });

  it.each([
    ['2026-03-01T05:00:00Z', '2026-04-01T03:59:59Z', 'America/New_York', '1 – 31 Mar 2026 (America/New_York)'],
    ['2025-12-31T15:00:00Z', '2026-03-31T14:59:59Z', 'Asia/Tokyo', '1 Jan – 31 Mar 2026 (Asia/Tokyo)'],
    ['2026-03-01T12:00:00Z', '2026-04-01T11:59:59Z', 'GMT+12', '1 – 31 Mar 2026 (GMT+12)'],
    ['2026-03-01T00:00:00Z', '2026-03-31T23:59:59Z', 'Nowhere/Land', '1 – 31 Mar 2026 (UTC)'],
    ['2026-03-01', '2026-03-31', 'Asia/Tokyo', '1 – 31 Mar 2026'],
  ])('shows the period %s to %s in %s as %s', (from, to, zone, text) => {
    expect(formatPeriod(from, to, zone)).toBe(text);
  });
});

describe('an ISO 8601 date-time', () => {
  it.each([
    '2026-01-31',
    '2026-01-31T00:00:00Z',
    '2024-02-29T10:00:00.5+05:30',
    '2026-01-31T10:00Z',
    '2026-01-31T10:00:00',
  ])('%s is one', text => {
    expect(isIsoDateTime(text)).toBe(true);
  });

  it('is each day that the calendar has from 1999 to 2101, and no other', () => {
    const two = (n: number) => String(n).padStart(2, '0');
    const wrong: string[] = [];
    for (let year = 1999; year <= 2101; year += 1)
      for (let month = 0; month <= 13; month += 1)
        for (let day = 0; day <= 32; day += 1) {
          const at = new Date(Date.UTC(year, month - 1, day));
          const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && at.getUTCFullYear() === year;
          const text = `${year}-${two(month)}-${two(day)}`;
          if (isIsoDateTime(text) !== exists) wrong.push(text);
        }
    expect(wrong).toEqual([]);
  });

  it.each([
    '31/01/2026',
    'tomorrow',
    '1769817600',
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:60:00Z',
    '2026-01-31T10:00:61Z',
    '2026-01-31T10:00:00+15:00',
    '',
  ])('"%s" is not one', text => {
    expect(isIsoDateTime(text)).toBe(false);
  });
});

describe('this year', () => {
  const now = new Date('2026-03-15T12:00:00Z');

  it('is left out of a day, and no other year', () => {
    expect(formatDate('2026-08-05', now)).toBe('5 Aug');
    expect(formatDate('2025-12-31', now)).toBe('31 Dec 2025');
    expect(formatInstant('2026-08-05T04:00:00Z', now)).toBe('5 Aug, 04:00 UTC');
  });

  it('is left out of a period within it, and said of both ends of a longer one', () => {
    const period = (from: string, to: string) => formatPeriod(from, to, 'UTC', now);
    expect(period('2026-01-01T00:00:00Z', '2026-03-31T23:59:59Z')).toBe('1 Jan – 31 Mar (UTC)');
    expect(period('2025-01-01T00:00:00Z', '2025-03-31T23:59:59Z')).toBe('1 Jan – 31 Mar 2025 (UTC)');
    expect(period('2025-12-15T00:00:00Z', '2026-01-14T23:59:59Z')).toBe('15 Dec 2025 – 14 Jan 2026 (UTC)');
  });
});
