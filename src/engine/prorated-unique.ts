/** Prorated unique counts: how long each value was present (service-behaviour §8). */
import type Big from 'big.js';
import { decimal } from '../contract/pricing/money.ts';
import { addDays, countDays, endOfLocalDay, localDate, startOfLocalDay } from './days.ts';
import type { UsageEvent, UsageRow, UsageWindow } from './types.ts';

/**
 * Σ over values of the days they were present ÷ period days, both end days included: a value carried through the whole
 * period weighs 1, a new one its days left; a removed one counts up to and including the day of its removal.
 * Not rounded.
 */
export function proratedUniqueCount(usage: UsageRow, window: UsageWindow): Big {
  const histories = new Map<string | null, UsageEvent[]>(usage.carried_values.map(value => [value, []]));
  for (const event of usage.events) {
    const known = histories.get(event.value);
    if (known) known.push(event);
    else histories.set(event.value, [event]);
  }
  const carried = new Set(usage.carried_values);
  let days = 0;
  for (const [value, events] of histories) days += daysAdded(events, carried.has(value), window);
  return decimal(days).div(window.period_days);
}

function daysAdded(events: readonly UsageEvent[], carried: boolean, window: UsageWindow): number {
  const { timezone } = window;
  let since: string | null = carried ? localDate(window.from, timezone) : null;
  let counted: string | null = null; // the last day that has been counted
  let days = 0;
  for (const event of events) {
    const day = localDate(event.timestamp, timezone);
    if (event.operation_type === 'add') since ??= day;
    else if (since !== null) {
      days += daysOfSpan(firstUncountedDay(since, counted), endOfLocalDay(day, timezone), window);
      counted = day;
      since = null;
    }
  }
  return since === null ? days : days + daysOfSpan(firstUncountedDay(since, counted), window.to, window);
}

/** The first day that is still to count: a value that is added again on the day of its removal had that day counted. */
function firstUncountedDay(since: string, counted: string | null): string {
  return counted !== null && since <= counted ? addDays(counted, 1) : since;
}

function daysOfSpan(firstDay: string, to: string, window: UsageWindow): number {
  const from = startOfLocalDay(firstDay, window.timezone);
  const end = to < window.to ? to : window.to;
  return from > end ? 0 : Math.min(window.period_days, countDays(from, end, window.timezone));
}
