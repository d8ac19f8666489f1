/** Billing periods (service-behaviour §7.1, §7.3): whole local days, calendar or counted from the subscription's start. */
import { Temporal } from 'temporal-polyfill';
import { addDays, countDays, endOfLocalDay, localDate, startOfLocalDay, toInstantText } from './days.ts';
import type { DateText, InstantText, PlanRecord } from './records/index.ts';
import type { Bounds, Period, PeriodBasis } from './types.ts';

/** Months of an interval. */
export const MONTHS = { monthly: 1, quarterly: 3, semiannual: 6, yearly: 12 } as const;

/** The whole period that holds an instant; not cut by the subscription's start or end. */
export function periodAt(basis: PeriodBasis, at: InstantText): Period {
  return periodOfDate(basis, localDate(at, basis.timezone));
}

/** A Monday, and the first day of a month, quarter, half-year and year: calendar periods count from it. */
const CALENDAR_ORIGIN = Temporal.PlainDate.from('2001-01-01');

/**
 * The whole period that holds a local date. Period k starts k intervals after the start day, or on the last day of a month
 * that is too short for that day.
 */
function periodOfDate({ billing_time, interval, start, timezone }: PeriodBasis, date: DateText): Period {
  const isCalendar = billing_time === 'calendar';
  const origin = isCalendar ? CALENDAR_ORIGIN : Temporal.PlainDate.from(localDate(start, timezone));
  const day = Temporal.PlainDate.from(date);
  const period = (first_day: DateText, next: DateText): Period => {
    const last_day = addDays(next, -1);
    return { from: startOfLocalDay(first_day, timezone), to: endOfLocalDay(last_day, timezone), first_day, last_day };
  };
  if (interval === 'weekly') {
    const first = addDays(date, -((day.dayOfWeek - origin.dayOfWeek + 7) % 7));
    return period(first, addDays(first, 7));
  }
  const months = MONTHS[interval];
  const startOf = (k: number) => origin.add({ months: k * months });
  const k = Math.floor(((day.year - origin.year) * 12 + day.month - origin.month) / months);
  const first = startOf(k);
  const isAhead = Temporal.PlainDate.compare(first, day) > 0;
  const [one, next] = isAhead ? [startOf(k - 1), first] : [first, startOf(k + 1)];
  return period(one.toString(), next.toString());
}

/** The period after this one. */
export function nextPeriod(period: Period, basis: PeriodBasis): Period {
  return periodOfDate(basis, addDays(period.last_day, 1));
}

/** The period before this one. */
export function previousPeriod(period: Period, basis: PeriodBasis): Period {
  return periodOfDate(basis, addDays(period.first_day, -1));
}

/** Days of the whole period, also when the subscription started within it; a week is always 7 (§7.2). */
export function periodDays(period: Period, basis: PeriodBasis): number {
  return basis.interval === 'weekly' ? 7 : countDays(period.from, period.to, basis.timezone);
}

/** The first instant after the period that holds `now`. */
export function endOfPeriod(basis: PeriodBasis, now: InstantText): InstantText {
  return nextPeriod(periodAt(basis, now), basis).from;
}

/** What decides how a plan's usage and fixed charges are billed. */
export type BillingTerms = Pick<
  PlanRecord,
  'interval' | 'pay_in_advance' | 'bill_charges_monthly' | 'bill_fixed_charges_monthly'
>;

/** The basis of the usage periods: the plan's own, or months where a yearly or half-yearly plan bills usage monthly (§7.3). */
export function chargesBasis(basis: PeriodBasis, plan: BillingTerms): PeriodBasis {
  return mayBillMonthly(plan) && plan.bill_charges_monthly ? { ...basis, interval: 'monthly' } : basis;
}

/** The same for the periods of fixed charges (`bill_fixed_charges_monthly`). */
export function fixedChargesBasis(basis: PeriodBasis, plan: BillingTerms): PeriodBasis {
  return mayBillMonthly(plan) && plan.bill_fixed_charges_monthly ? { ...basis, interval: 'monthly' } : basis;
}

/** The whole usage period that holds an instant. */
export function chargesPeriodAt(basis: PeriodBasis, plan: BillingTerms, at: InstantText): Period {
  return periodAt(chargesBasis(basis, plan), at);
}

/** Whether an instant is in the first month of its plan period: fees not billed monthly are due only then (§7.3). */
export function inFirstMonth(basis: PeriodBasis, at: InstantText): boolean {
  return periodAt({ ...basis, interval: 'monthly' }, at).first_day === periodAt(basis, at).first_day;
}

/** The period that an invoice bills for each kind of fee; null where that kind is not due. */
export interface Due {
  plan: Period | null;
  charges: Period | null;
  fixed_charges_in_advance: Period | null;
  fixed_charges_in_arrears: Period | null;
  /** The period whose minimum commitment is settled. */
  settled: Period | null;
}

const NOTHING_DUE: Due = {
  plan: null,
  charges: null,
  fixed_charges_in_advance: null,
  fixed_charges_in_arrears: null,
  settled: null,
};

/**
 * What is billed when a period starts (§7.3). `at` is in the period (or month) that starts.
 * Arrears: the period just ended. Pay in advance: the plan fee of the period that starts. Usage: always the period just ended.
 */
export function dueAt(basis: PeriodBasis, plan: BillingTerms, at: InstantText): Due {
  const started = startedAt(basis, plan, at);
  const before = (on: PeriodBasis) => (isDue(on, basis, plan, at) ? previousPeriod(periodAt(on, at), on) : null);
  const fixedBasis = fixedChargesBasis(basis, plan);
  const settled = before(basis);
  return {
    plan: plan.pay_in_advance ? settled && started.plan : settled,
    charges: before(chargesBasis(basis, plan)),
    fixed_charges_in_advance: isDue(fixedBasis, basis, plan, at) ? started.fixed_charges_in_advance : null,
    fixed_charges_in_arrears: before(fixedBasis),
    settled,
  };
}

/** What is billed in advance when a subscription starts at `at`: whatever month of its period that is (§10.5, §12.5). */
export function startedAt(basis: PeriodBasis, plan: BillingTerms, at: InstantText): Due {
  return {
    ...NOTHING_DUE,
    plan: plan.pay_in_advance ? periodAt(basis, at) : null,
    fixed_charges_in_advance: periodAt(fixedChargesBasis(basis, plan), at),
  };
}

/** How a subscription ends. */
export interface Ending {
  start: InstantText;
  at: InstantText;
  upgraded: boolean;
  /** Whether the end bills the period before it: see `endsOnDayAfter`. */
  finished: boolean;
}

/**
 * What is billed when a subscription ends (§7.3): the running period; of monthly items the month before it, of usage its
 * start at least; other items of such a plan in its first month only. An upgrade bills all for the running period or
 * month. An end whose local date is ahead of the UTC date bills the running month. `finished`: §7.1.
 */
export function endedAt(basis: PeriodBasis, plan: BillingTerms, { start, at, upgraded, finished }: Ending): Due {
  const runningMonth = upgraded || localDate(at, basis.timezone) > at.slice(0, 10);
  const billed = (on: PeriodBasis) => {
    const period = periodAt(on, at);
    return finished || (on !== basis && !runningMonth) ? previousPeriod(period, on) : period;
  };
  const due = (on: PeriodBasis) => (upgraded || isDue(on, basis, plan, at) ? billed(on) : null);
  const charges = due(chargesBasis(basis, plan));
  return {
    ...NOTHING_DUE,
    plan: plan.pay_in_advance ? null : billed(basis),
    charges: charges && { ...charges, to: later(charges.to, start) },
    fixed_charges_in_arrears: due(fixedChargesBasis(basis, plan)),
    settled: billed(basis),
  };
}

/** Whether an end comes within 24 hours after a usage period in which the subscription ran a day earlier (§7.1). */
export function endsOnDayAfter(basis: PeriodBasis, plan: BillingTerms, start: InstantText, at: InstantText): boolean {
  const dayEarlier = toInstantText(Date.parse(at) - 86_400_000);
  return dayEarlier >= start && chargesPeriodAt(basis, plan, dayEarlier).to < at;
}

/** Whether items of this basis are billed: monthly ones always, others in the first month of the period (§7.3). */
function isDue(on: PeriodBasis, basis: PeriodBasis, plan: BillingTerms, at: InstantText): boolean {
  return on !== basis || !billsMonthly(plan) || inFirstMonth(basis, at);
}

/** Whether the plan has an invoice every month although its period is longer. */
function billsMonthly(plan: BillingTerms): boolean {
  return mayBillMonthly(plan) && Boolean(plan.bill_charges_monthly || plan.bill_fixed_charges_monthly);
}

/**
 * The part of a period in which the subscription runs (§7.1). `fees`: from 00:00 of the local start day. `usage`: from
 * the exact start. Both end with the period or at the termination. Null when the subscription does not run in it.
 */
export function subscriptionBounds(
  period: Bounds,
  life: { start: InstantText; end: InstantText | null },
  timezone: string,
): { fees: Bounds; usage: Bounds } | null {
  const to = life.end !== null && life.end < period.to ? life.end : period.to;
  const startDay = startOfLocalDay(localDate(life.start, timezone), timezone);
  const fees = { from: later(period.from, startDay), to };
  const usage = { from: later(period.from, life.start), to };
  return usage.from > usage.to ? null : { fees, usage };
}

/** Whether a plan's period is so long that its usage and fixed charges may be billed monthly (§7.3). */
export function mayBillMonthly(plan: Pick<BillingTerms, 'interval'>): boolean {
  return plan.interval === 'yearly' || plan.interval === 'semiannual';
}

function later(a: InstantText, b: InstantText): InstantText {
  return a > b ? a : b;
}
