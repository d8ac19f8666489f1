/** The kinds of preview (§12.2, §12.5): a proposal, a running subscription, its end, or a change of its plan. */

import { endOfLocalDay, localDate } from './days.ts';
import { yearlyPriceCents } from './fees-subscription.ts';
import { endOfPeriod } from './periods.ts';
import {
  type BasicSubject,
  basisOf,
  endingPart,
  type InvoicePart,
  projectionPart,
  proposalPart,
  type Subject,
  startingPart,
} from './preview-parts.ts';
import type { InstantText, PlanRecord } from './records/index.ts';

export type PreviewMode =
  | { kind: 'proposal' }
  | { kind: 'projection' }
  | { kind: 'termination'; at: InstantText }
  | { kind: 'plan_change'; target: PlanRecord };

/** A subscription with the plan that it is scheduled to change to, if any. */
export interface ScheduledSubject extends Subject {
  scheduled: PlanRecord | null;
}

/** The parts of the previewed invoice, first subscription first. A change of plan may add the new plan's first invoice. */
export function planPreview(subjects: readonly ScheduledSubject[], mode: PreviewMode, now: InstantText): InvoicePart[] {
  const [first] = subjects;
  if (first === undefined) throw new RangeError('a preview needs a subscription');
  const terminated = (at: InstantText) => [endingPart(first, { how: 'terminated', at, next_plan: null })];
  if (mode.kind === 'termination') return terminated(mode.at);
  if (mode.kind === 'proposal') return [proposalPart(startedOnTime(first))];
  const end = subjects.length === 1 ? endWithinPeriod(first, now) : null;
  if (end !== null) return terminated(end);
  if (mode.kind === 'plan_change') return planChangePreview(first, mode.target, now);
  return subjects.flatMap(subject => projectedParts(subject, now));
}

/** The subscription that follows a running one on a change of plan; periods and trials count from the same dates (§12.7). */
function successor(subject: Subject, plan: PlanRecord, startsAt: InstantText, follows: Subject['follows']): Subject {
  return {
    ...subject,
    plan,
    follows,
    ...(follows === 'upgrade' && { replaced: subject }),
    billed_fees: [],
    billed_periods: [],
    subscription: {
      ...subject.subscription,
      id: '',
      name: plan.name,
      plan_id: plan.id,
      previous_subscription_id: subject.subscription.id,
      started_at: startsAt,
      activated_at: null,
      next_plan_code: null,
      downgrade_plan_date: null,
      fixed_charge_units: {},
    },
  };
}

/** A pending subscription as its first invoice will show it: started, without id (§12.7). */
function startedOnTime(subject: Subject): Subject {
  const { subscription } = subject;
  const { subscription_at: started_at } = subscription;
  return { ...subject, subscription: { ...subscription, id: '', status: 'active', started_at, activated_at: null } };
}

function projectedParts(subject: ScheduledSubject, now: InstantText): InvoicePart[] {
  if (subject.subscription.status === 'pending') return [proposalPart(startedOnTime(subject))];
  if (subject.scheduled !== null) return downgradeParts(subject, subject.scheduled, now, true);
  return [projectionPart(subject, endOfPeriod(basisOf(subject), now))];
}

/** A change to a yearly price not below the current one is an upgrade, at once; else a downgrade, at the period's end (§12.5). */
function planChangePreview(subject: ScheduledSubject, target: PlanRecord, now: InstantText): InvoicePart[] {
  if (yearlyPriceCents(target).lt(yearlyPriceCents(subject.plan))) return downgradeParts(subject, target, now, false);
  const old = endingPart(subject, { how: 'upgraded', at: now, next_plan: target });
  return [old, ...firstParts(successor(subject, target, now, 'upgrade'), now, false)];
}

/** `recurring`: a scheduled change is on the next invoice; another is an invoice of its own (§11.6). */
function downgradeParts(subject: Subject, target: PlanRecord, now: InstantText, recurring: boolean): InvoicePart[] {
  const startsAt = endOfPeriod(basisOf(subject), now);
  const at = endOfLocalDay(localDate(startsAt, subject.timezone), subject.timezone);
  const old = projectionPart(subject, startsAt, { how: 'downgraded', at, next_plan: target }, recurring);
  return [old, ...firstParts(successor(subject, target, startsAt, 'downgrade'), startsAt, recurring)];
}

/** The new plan's first invoice: of a plan in arrears, its pay-in-advance fixed charges, if it has any (§12.5). */
function firstParts(subject: Subject, startsAt: InstantText, recurring: boolean): InvoicePart[] {
  const part = startingPart(subject, startsAt, recurring);
  return part.plan_fee !== null || part.fixed_charges.length > 0 ? [part] : [];
}

/** `ending_at`, if not later than the day after the current plan period: the subscription counts as terminated then (§12.2). */
export function endWithinPeriod(subject: BasicSubject, now: InstantText): InstantText | null {
  const { subscription, timezone } = subject;
  const { ending_at: end, status } = subscription;
  if (end === null || status === 'pending') return null;
  const dayAfter = localDate(endOfPeriod(basisOf(subject), now), timezone);
  return end <= endOfLocalDay(dayAfter, timezone) ? end : null;
}
