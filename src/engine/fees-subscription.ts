/** The plan fee (§10.4), and the part of it that a termination gives back (§12.6). */
import type Big from 'big.js';
import { asFloat, decimal, floatShare, fromCents, round, ZERO } from '../contract/pricing/money.ts';
import { addDays, countDays, localDate, startOfLocalDay, toInstantText } from './days.ts';
import { type FeeOwner, newFee, planItem } from './fees.ts';
import { periodDays, previousPeriod } from './periods.ts';
import type { InstantText, PlanRecord } from './records/index.ts';
import type { Bounds, Period, PeriodBasis } from './types.ts';

/** What the plan fee of one period depends on. */
export interface PlanFeeTerms {
  plan: PlanRecord;
  basis: PeriodBasis;
  /** The whole period, whose length in days is L. */
  period: Period;
  /** The part of it that is billed: from the local start day to the period's end or the termination. */
  bounds: Bounds;
  started_at: InstantText;
  /** Start of the very first subscription with this external id: trials count from it. */
  first_started_at: InstantText;
  /** How the subscription replaced an earlier one: not at all, by an upgrade or by a downgrade. */
  follows: 'nothing' | 'upgrade' | 'downgrade';
  /** Whether an earlier invoice has this subscription's plan fee. */
  already_billed: boolean;
  /** How the subscription ends within the period. */
  ends: 'no' | 'terminated' | 'upgraded';
}

/** Cents of the plan fee, not rounded; parts of a period are floats (§6, §10.4). */
export function planFeeCents(terms: PlanFeeTerms): Big {
  const { plan, basis, period, bounds } = terms;
  if (terms.ends !== 'no' && plan.pay_in_advance) return ZERO;
  const trialEnd = trialEndOf(terms);
  if (trialEnd !== null && trialEnd >= bounds.to) return ZERO;
  const inTrial = trialEnd !== null && trialEnd > bounds.from;
  const prorated = (days: number) => floatShare(plan.amount_cents, periodDays(period, basis), days);
  const days = countDays(inTrial ? trialEnd : bounds.from, bounds.to, basis.timezone);
  if (terms.ends === 'upgraded') return prorated(Math.max(days - 1, 0)); // the new plan bills the last day
  if (terms.ends === 'terminated' || inTrial) return prorated(days);
  return isFullPrice(terms) ? decimal(plan.amount_cents) : prorated(days);
}

/** The plan fee's record; `precise_unit_amount` is the rounded amount in major units. */
export function planFee(terms: PlanFeeTerms, owner: FeeOwner) {
  const { plan, bounds } = terms;
  const cents = planFeeCents(terms);
  return newFee({
    owner,
    item: planItem(plan, owner.subscription),
    currency: plan.amount_currency,
    amount: fromCents(cents, plan.amount_currency),
    units: decimal(1),
    unit_amount: asFloat(fromCents(round(cents), plan.amount_currency)),
    pay_in_advance: plan.pay_in_advance,
    from_date: bounds.from,
    to_date: bounds.to,
    amount_details: { plan_amount_cents: plan.amount_cents },
  });
}

/**
 * Cents, cut at 5 decimals, of a pay-in-advance plan's price (in cents) for the days after a termination; on an upgrade the
 * day of the change is given back too, because the new plan bills it (§12.6). Trial days were not paid for and give nothing back.
 */
export function unusedPlanCents(terms: PlanFeeTerms, priceCents: number, terminatedAt: InstantText): Big {
  const { basis, period } = terms;
  const day = localDate(terminatedAt, basis.timezone);
  const firstUnused = startOfLocalDay(terms.ends === 'upgraded' ? day : addDays(day, 1), basis.timezone);
  const trialEnd = trialEndOf(terms);
  const starts = [firstUnused, terms.bounds.from, ...(trialEnd === null ? [] : [trialEnd])];
  const from = starts.sort().at(-1) ?? firstUnused;
  if (from > period.to) return ZERO;
  const days = countDays(from, period.to, basis.timezone);
  return floatShare(priceCents, periodDays(period, basis), days).round(5, 0);
}

/** How many times a year a plan is billed. */
const PERIODS_PER_YEAR = { weekly: 52, monthly: 12, quarterly: 4, semiannual: 2, yearly: 1 } as const;

/** The plan's price per year in cents, which decides between upgrade and downgrade (§10.4). */
export function yearlyPriceCents(plan: PlanRecord): Big {
  return decimal(plan.amount_cents).times(PERIODS_PER_YEAR[plan.interval]);
}

/** Whether the full price is charged even for a shorter part: see the first bullet of §10.4. */
function isFullPrice(terms: PlanFeeTerms): boolean {
  if (terms.follows === 'upgrade' && !terms.already_billed) return false;
  if (terms.already_billed) return true;
  if (terms.plan.pay_in_advance && terms.basis.billing_time === 'anniversary' && terms.follows === 'nothing')
    return true;
  return terms.started_at < previousPeriod(terms.period, terms.basis).from;
}

/** End of the trial as an instant, null when the plan has none. */
export function trialEndOf(terms: Pick<PlanFeeTerms, 'plan' | 'first_started_at'>): InstantText | null {
  const days = decimal(terms.plan.trial_period);
  if (days.lte(0)) return null;
  return toInstantText(Date.parse(terms.first_started_at) + Number(round(days.times(86_400_000)).toFixed()));
}
