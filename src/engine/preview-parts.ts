/**
 * Which fees an invoice has for one subscription, and for which time, before anything is priced (§7.3, §12.5).
 * A builder for each occasion takes the periods that are due (`periods.ts`), and `partOf` what the subscription runs in them.
 */

import { localDate } from './days.ts';
import type { BilledSpan, ReplacedPlan } from './fees-fixed.ts';
import { type PlanFeeTerms, trialEndOf } from './fees-subscription.ts';
import {
  chargesBasis,
  chargesPeriodAt,
  type Due,
  dueAt,
  endedAt,
  endOfPeriod,
  endsOnDayAfter,
  fixedChargesBasis,
  periodAt,
  periodDays,
  startedAt,
  subscriptionBounds,
} from './periods.ts';
import type {
  AddOnRecord,
  BillableMetricRecord,
  BillingPeriod,
  DateText,
  FeeRecord,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  SubscriptionRecord,
} from './records/index.ts';
import type { Bounds, Period, PeriodBasis, UsageWindow } from './types.ts';

/** A subscription with its plan and its past. */
export interface Subject {
  /** Without id if it is not stored. */
  subscription: SubscriptionRecord;
  plan: PlanRecord;
  timezone: string;
  /** Start of the first subscription of its chain. */
  first_started_at: InstantText;
  follows: PlanFeeTerms['follows'];
  /** What it replaces by an upgrade; absent else. */
  replaced?: ReplacedPlan;
  /** Its fees on stored invoices that are not voided. */
  billed_fees: readonly FeeRecord[];
  /** Its usage periods on these invoices, without those of its start. */
  billed_periods: readonly BillingPeriod[];
}

/** How a plan ends before its period does. */
type PlanEnd = Exclude<PlanFeeTerms['ends'], 'no'>;

/** How a subscription ends with an invoice. */
export interface SubscriptionEnd {
  how: PlanEnd | 'downgraded';
  at: InstantText;
  /** The plan that it changes to; null when it is terminated. */
  next_plan: PlanRecord | null;
}

/** One subscription's part of an invoice. */
export interface InvoicePart {
  subject: Subject;
  plan_fee: PlanFeeTerms | null;
  usage: UsageWindow | null;
  fixed_charges: { charge: FixedChargeRecord; span: BilledSpan }[];
  /** The period whose minimum commitment is settled. */
  commitment: BilledSpan | null;
  /** Local date of the billing instant. */
  billing_date: DateText;
  /** False for a termination, a plan change and the first invoice of a proposed pay-in-advance plan (§11.6). */
  recurring: boolean;
  /** Null when the subscription goes on. */
  end: SubscriptionEnd | null;
}

/** The fields of a subject that its periods depend on. */
export type BasicSubject = Pick<Subject, 'subscription' | 'plan' | 'timezone'>;

/** What the charges and fixed charges of plans set prices for: metrics and add-ons, by id. */
export interface Catalogue {
  metrics: ReadonlyMap<string, BillableMetricRecord>;
  add_ons: ReadonlyMap<string, AddOnRecord>;
}

/** Periods of a subscription count from `subscription_at` in the customer's time zone (§7.1). */
export function basisOf(subject: BasicSubject): PeriodBasis {
  const { subscription, plan, timezone } = subject;
  return {
    interval: plan.interval,
    billing_time: subscription.billing_time,
    start: subscription.subscription_at,
    timezone,
  };
}

/**
 * The first invoice of a subscription that starts at its `subscription_at` (§12.5): in arrears that of its first period, but
 * without usage.
 */
export function proposalPart(subject: Subject): InvoicePart {
  const { subscription, plan } = subject;
  const at = subscription.subscription_at;
  if (plan.pay_in_advance) return startingPart(subject, at, false);
  const basis = basisOf(subject);
  const billedAt = endOfPeriod(basis, at);
  return partOf(subject, { ...dueAt(basis, plan, billedAt), charges: null }, billedAt);
}

/** What is billed at the start of a subscription: the plan and fixed charges that are paid in advance (§10.5, §12.5). */
export function startingPart(subject: Subject, startsAt: InstantText, recurring: boolean): InvoicePart {
  return partOf(subject, startedAt(basisOf(subject), subject.plan, startsAt), startsAt, { recurring });
}

/** The plan fee that a plan in advance bills when its trial ends (§12.8). */
export function trialEndPart(subject: Subject, trialEnd: InstantText): InvoicePart {
  const due = startedAt(basisOf(subject), subject.plan, trialEnd);
  return partOf(subject, { ...due, fixed_charges_in_advance: null }, trialEnd);
}

/**
 * The invoice of the next billing day of a running subscription (§7.3, §12.5). With `end`, the last one of a plan that a
 * downgrade replaces then: nothing of it starts again.
 */
export function projectionPart(
  subject: Subject,
  billedAt: InstantText,
  end: SubscriptionEnd | null = null,
  recurring = true,
): InvoicePart {
  const { plan } = subject;
  const due = dueAt(basisOf(subject), plan, billedAt);
  const last = end && { plan: plan.pay_in_advance ? null : due.plan, fixed_charges_in_advance: null };
  return partOf(subject, { ...due, ...last }, billedAt, { recurring, end });
}

/** The last invoice of a subscription that ends at an instant: by a termination or an upgrade (§7.1, §7.3, §12.5). */
export function endingPart(subject: Subject, end: SubscriptionEnd & { how: PlanEnd }): InvoicePart {
  const { plan } = subject;
  const { how, at } = end;
  const basis = basisOf(subject);
  const start = startOf(subject);
  const upgraded = how === 'upgraded';
  const finished = !upgraded && endsOnDayAfter(basis, plan, start, at) && !isBilled(subject, dueAt(basis, plan, at));
  const due = endedAt(basis, plan, { start, at, upgraded, finished });
  return partOf(subject, due, at, { recurring: false, end, ends: finished ? 'no' : how });
}

/** Whether a stored invoice holds a plan fee or usage of these periods. */
function isBilled({ billed_fees, billed_periods }: Subject, { plan, charges }: Due): boolean {
  const isIn = (at: InstantText | null, period: Period | null) =>
    at !== null && period !== null && at >= period.from && at <= period.to;
  return (
    billed_periods.some(billed => isIn(billed.charges_from_datetime, charges)) ||
    billed_fees.some(fee => fee.item.type === 'subscription' && isIn(fee.from_date, plan)) ||
    billed_fees.some(fee => fee.item.type === 'charge' && !fee.pay_in_advance && isIn(fee.from_date, charges))
  );
}

/** Prices nothing: the parts of the due periods in which the subscription runs. */
function partOf(
  subject: Subject,
  due: Due,
  billedAt: InstantText,
  { end = null, ends = 'no', recurring = true }: PartOptions = {},
): InvoicePart {
  const { plan } = subject;
  const basis = basisOf(subject);
  const fixedBasis = fixedChargesBasis(basis, plan);
  const span = (on: PeriodBasis, period: Period | null) => period && spanOf(subject, on, period, end?.at ?? null);
  const planSpan = span(basis, due.plan);
  const window = due.charges && usageWindow(subject, due.charges, end?.at ?? null);
  return {
    subject,
    plan_fee: planSpan && planFeeTerms(subject, planSpan, ends),
    usage: window && { ...window, upgraded: end?.how === 'upgraded' },
    fixed_charges: [
      ...fixedChargesBilledIn(plan, true, span(fixedBasis, due.fixed_charges_in_advance)),
      ...fixedChargesBilledIn(plan, false, span(fixedBasis, due.fixed_charges_in_arrears)),
    ],
    commitment: span(basis, due.settled),
    billing_date: localDate(billedAt, basis.timezone),
    recurring,
    end,
  };
}

type PartOptions = Partial<Pick<InvoicePart, 'recurring' | 'end'> & Pick<PlanFeeTerms, 'ends'>>;

/**
 * Several subscriptions of a plan have each of its fixed charges once [quirk]; copies of a plan have their own (§12.8). A plan
 * in advance has no fee during its trial: it comes on an invoice of its own when the trial ends.
 */
export function eachFixedChargeOnce(parts: readonly InvoicePart[]): InvoicePart[] {
  const seen = new Set<string>();
  return parts.map(part => {
    const { subject, billing_date } = part;
    const trialEnd = subject.plan.pay_in_advance ? trialEndOf(subject) : null;
    const isInTrial = trialEnd !== null && billing_date < localDate(trialEnd, subject.timezone);
    return {
      ...part,
      plan_fee: isInTrial ? null : part.plan_fee,
      fixed_charges: part.fixed_charges.filter(({ charge }) => !seen.has(charge.id) && seen.add(charge.id)),
    };
  });
}

/** The plan fee's terms for the period in which a subscription ends; the unused part is computed from them (§12.6). */
export function termsOfLastPeriod(subject: Subject, endsAt: InstantText, ends: PlanEnd): PlanFeeTerms | null {
  const basis = basisOf(subject);
  const span = spanOf(subject, basis, periodAt(basis, endsAt), null);
  return span && planFeeTerms(subject, span, ends);
}

export function startOf({ subscription }: BasicSubject): InstantText {
  return subscription.started_at ?? subscription.subscription_at;
}

function spanOf(subject: Subject, basis: PeriodBasis, period: Period, end: InstantText | null): BilledSpan | null {
  const bounds = subscriptionBounds(period, { start: startOf(subject), end }, basis.timezone);
  return bounds && { basis, period, bounds: bounds.fees, starts_at: bounds.usage.from };
}

/** The part of a usage period from the subscription's exact start to its end; null when it does not run in it. */
export function usageWindow(subject: BasicSubject, period: Period, end: InstantText | null): UsageWindow | null {
  const bounds = subscriptionBounds(period, { start: startOf(subject), end }, subject.timezone);
  if (bounds === null) return null;
  const basis = chargesBasis(basisOf(subject), subject.plan);
  return { ...bounds.usage, period, period_days: periodDays(period, basis), timezone: subject.timezone };
}

/** The bounds of the usage period that runs at `now`, or of the first or the last one of a subscription's life (§4). */
export function currentUsageBounds(subject: BasicSubject, now: InstantText, end: InstantText | null): Bounds | null {
  const start = startOf(subject);
  const at = end !== null && end < now ? end : start > now ? start : now;
  const period = chargesPeriodAt(basisOf(subject), subject.plan, at);
  return subscriptionBounds(period, { start, end }, subject.timezone)?.usage ?? null;
}

/** The terms of the plan fee for the period of a span. */
export function planFeeTerms(subject: Subject, span: BilledSpan, ends: PlanFeeTerms['ends']): PlanFeeTerms {
  return {
    plan: subject.plan,
    ...span,
    started_at: startOf(subject),
    first_started_at: subject.first_started_at,
    follows: subject.follows,
    already_billed: subject.billed_fees.some(fee => fee.item.type === 'subscription'),
    ends,
  };
}

function fixedChargesBilledIn(plan: PlanRecord, payInAdvance: boolean, span: BilledSpan | null) {
  if (span === null) return [];
  return plan.fixed_charges.filter(charge => charge.pay_in_advance === payInAdvance).map(charge => ({ charge, span }));
}
