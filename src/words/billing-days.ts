/** On which days a subscription is billed and its trial ends, by the clocks of its customer (service-behaviour §7.1, §10.4). */
import type { Subscription } from '../contract/shown.ts';
import { dayNumber, isoDay } from './dates.ts';
import { big } from './money.ts';

type Periods = Pick<Subscription, 'status' | 'ending_at' | 'current_billing_period_ending_at'>;

/**
 * The day on which the running period is billed: the one after it, or the day on which the subscription ends before;
 * `2026-11-01`. Without the zone, it follows from the period's end, which is the end of a day where the customer is billed.
 * Null where the subscription is not active, and where the day cannot be known.
 */
export function nextBillingDay(subscription: Periods, zone: string | null, now: Date): string | null {
  const { status, ending_at, current_billing_period_ending_at: end } = subscription;
  const last = Date.parse(end ?? '');
  if (status !== 'active' || !(last > now.getTime())) return null;
  const ending = Date.parse(ending_at ?? '');
  // One that is still active after its end is billed soon, on a day that nothing tells.
  if (ending <= now.getTime()) return null;
  if (ending < last) return zone === null ? null : isoDay(dayNumber(new Date(ending).toISOString(), zone));
  // Its end may be told with or without fractions of the last second.
  const next = new Date(Math.ceil((last + 1) / 1000) * 1000).toISOString();
  return zone === null ? dayBeginningAt(next) : isoDay(dayNumber(next, zone));
}

/** The day that begins at this instant in an unknown zone: null from 10 to 12 o'clock UTC, when two days begin. */
function dayBeginningAt(instant: string): string | null {
  const hour = Number(instant.slice(11, 13));
  const day = dayNumber(instant.slice(0, 10));
  if (day === null || (hour >= 10 && hour < 12)) return null;
  return isoDay(hour < 10 ? day : day + 1);
}

/**
 * The instant at which the trial ends that its plan gives, counted from the first start under its external id; null
 * without a trial, after its end, and where the plan or the start is not known.
 */
export function trialEnd(subscription: Subscription, firstStart: Subscription['started_at']): string | null {
  const days = big(subscription.plan?.trial_period);
  const start = Date.parse(firstStart ?? '');
  if (subscription.status !== 'active' || subscription.trial_ended_at) return null;
  if (days === null || days.lte(0) || Number.isNaN(start)) return null;
  return new Date(start + Number(days.times(86_400_000).round().toFixed())).toISOString();
}
