/** The kinds of preview (§12.2, §12.5): a proposal, a running subscription, its end, or a change of its plan. */
import type { InstantText, PlanRecord } from '../records/index.ts';
import { endOfLocalDay, localDate } from './days.ts';
import { yearlyPriceCents } from './fees-subscription.ts';
import { nextPeriod, periodAt } from './periods.ts';
import {
  basisOf,
  endingPart,
  type InvoicePart,
  nextBillingAt,
  nextPlanPart,
  projectionPart,
  proposalPart,
  type Subject,
} from './preview-parts.ts';

export type PreviewMode =
  | { kind: 'proposal' }
  | { kind: 'projection' }
  | { kind: 'termination'; at: InstantText }
  | { kind: 'plan_change'; target: PlanRecord };

/** A subscription with the plan that it is scheduled to change to, if any. */
export interface ScheduledSubject extends Subject {
  scheduled: PlanRecord | null;
}

export interface PlannedPreview {
  parts: InvoicePart[];
}

/** The parts of the previewed invoice, first subscription first. A change of plan may add the new plan's first invoice. */
export function planPreview(
  subjects: readonly ScheduledSubject[],
  mode: PreviewMode,
  now: InstantText,
): PlannedPreview {
  const [first] = subjects;
  if (first === undefined) throw new RangeError('a preview needs a subscription');
  if (mode.kind === 'termination') return endingPreview(first, mode.at);
  if (mode.kind === 'plan_change') return planChangePreview(first, mode.target, now);
  if (mode.kind === 'proposal') return { parts: [proposalPart(first)] };
  const [end] = subjects.length === 1 ? [endWithinPeriod(first, now)] : [null];
  if (end) return endingPreview(first, end);
  return { parts: subjects.flatMap(subject => projectedParts(subject, now)) };
}

/** The subscription that follows a running one on a change of plan; periods and trials count from the same dates. */
function successor(subject: Subject, plan: PlanRecord, startsAt: InstantText, follows: Subject['follows']): Subject {
  return {
    ...subject,
    plan,
    follows,
    stored: false,
    billed_fees: [],
    only_starting_invoice: false,
    subscription: {
      ...subject.subscription,
      plan_id: plan.id,
      previous_subscription_id: subject.subscription.id,
      started_at: startsAt,
      ending_at: null,
      next_plan_code: null,
      downgrade_plan_date: null,
      fixed_charge_units: {},
    },
  };
}

function projectedParts(subject: ScheduledSubject, now: InstantText): InvoicePart[] {
  if (subject.subscription.status === 'pending') return [proposalPart(subject)];
  if (subject.scheduled !== null && isDowngradedNow(subject, now))
    return downgradeParts(subject, subject.scheduled, now);
  return [projectionPart(subject, now)];
}

/** Whether a scheduled downgrade takes effect with the next invoice: only when the plan's own period ends. */
function isDowngradedNow(subject: ScheduledSubject, now: InstantText): boolean {
  if (subject.scheduled === null || subject.subscription.status === 'pending') return false;
  const basis = basisOf(subject);
  return nextBillingAt(subject, now) === nextPeriod(periodAt(basis, now), basis).from;
}

function endingPreview(subject: Subject, at: InstantText): PlannedPreview {
  return { parts: [endingPart(subject, { how: 'terminated', at, next_plan: null })] };
}

/** A change to a yearly price not below the current one is an upgrade, at once; else a downgrade, at the period's end (§12.5). */
function planChangePreview(subject: ScheduledSubject, target: PlanRecord, now: InstantText): PlannedPreview {
  if (yearlyPriceCents(target).lt(yearlyPriceCents(subject.plan))) {
    return { parts: downgradeParts(subject, target, now) };
  }
  const old = endingPart(subject, { how: 'upgraded', at: now, next_plan: target });
  const next = nextPlanPart(successor(subject, target, now, 'upgrade'), now, false);
  return { parts: target.pay_in_advance ? [old, next] : [old] };
}

function downgradeParts(subject: Subject, target: PlanRecord, now: InstantText): InvoicePart[] {
  const basis = basisOf(subject);
  const period = periodAt(basis, now);
  const old = endingPart(subject, { how: 'downgraded', at: period.to, next_plan: target });
  const startsAt = nextPeriod(period, basis).from;
  const next = nextPlanPart(successor(subject, target, startsAt, 'downgrade'), startsAt, true);
  return target.pay_in_advance ? [old, next] : [old];
}

/**
 * `ending_at`, if not later than the day after the current period: the subscription counts as terminated then (§12.2).
 * Where something is billed monthly, that period is the month: other invoices come before a later end.
 */
function endWithinPeriod(subject: Subject, now: InstantText): InstantText | null {
  const end = subject.subscription.ending_at;
  if (end === null || subject.subscription.status === 'pending') return null;
  const dayAfter = localDate(nextBillingAt(subject, now), subject.timezone);
  return end <= endOfLocalDay(dayAfter, subject.timezone) ? end : null;
}
