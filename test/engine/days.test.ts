import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, endOfLocalDay, localDate, startOfLocalDay } from '../../src/engine/days.ts';

describe('a local day where clocks fall back over midnight: St John’s, 7 November 2010 (§7.1)', () => {
  // At 00:01 of the 7th (UTC−2:30), 02:31 UTC, clocks go back to 23:01 of the 6th (UTC−3:30): its midnight comes twice.
  const zone = 'America/St_Johns';

  it.each([
    ['before the first midnight', '2010-11-07T02:29:59.999Z', '2010-11-06'],
    ['at the first midnight', '2010-11-07T02:30:00.000Z', '2010-11-07'],
    ['when clocks show 23:15 of the day before again', '2010-11-07T02:45:00.000Z', '2010-11-07'],
    ['at the second midnight', '2010-11-07T03:30:00.000Z', '2010-11-07'],
    ['in its last millisecond', '2010-11-08T03:29:59.999Z', '2010-11-07'],
    ['at the next midnight', '2010-11-08T03:30:00.000Z', '2010-11-08'],
  ])('has begun with its first midnight: %s', (_when, instant, date) => {
    expect(localDate(instant, zone)).toBe(date);
  });

  it('starts at the first midnight and lasts 25 hours', () => {
    expect(startOfLocalDay('2010-11-07', zone)).toBe('2010-11-07T02:30:00.000Z');
    expect(endOfLocalDay('2010-11-06', zone)).toBe('2010-11-07T02:29:59.999Z');
    expect(endOfLocalDay('2010-11-07', zone)).toBe('2010-11-08T03:29:59.999Z');
  });
});

describe('the starts of days that are remembered', () => {
  let computed: ReturnType<typeof vi.spyOn>;
  beforeEach(() => {
    vi.resetModules();
    // The calendar is mocked, so that its own time does not count.
    const midnight = Temporal.PlainDate.from('2000-01-01');
    computed = vi.spyOn(Temporal.PlainDate, 'from').mockReturnValue(midnight);
  });
  afterEach(() => computed.mockRestore());

  it('are computed once, and forgotten when there are 20,000, because zone names and days come from requests', async () => {
    const days = await import('../../src/engine/days.ts');
    const ask = (day: number) => days.startOfLocalDay(addDays('2000-01-01', day), 'UTC');
    for (let day = 0; day < 20_000; day += 1) ask(day);
    ask(0);
    expect(computed).toHaveBeenCalledTimes(20_000);
    ask(20_000);
    ask(0);
    expect(computed).toHaveBeenCalledTimes(20_002);
  });
});
