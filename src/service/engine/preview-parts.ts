/**
 * Which fees an invoice has for one subscription, and for which time, before anything is priced (§7.3, §12.5).
 * Four builders: a proposal, the next invoice, the last invoice, and the first invoice of a next plan.
 */
import type {
  AddOnRecord,
  BillableMetricRecord,
  DateText,
  FeeRecord,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  SubscriptionRecord,
} from '../records/index.ts';
import { addDays, localDate } from './days.ts';
import type { BilledSpan } from './fees-fixed.ts';
import type { PlanFeeTerms } from './fees-subscription.ts';
import {
  billsMonthly,
  chargesBasis,
  dueAt,
  fixedChargesBasis,
  nextPeriod,
  periodAt,
  periodDays,
  previousPeriod,
  subscriptionBounds,
} from './periods.ts';
import type { Period, PeriodBasis, UsageWindow } from './types.ts';

/** A subscription with its plan and its past. */
export interface Subject {
  subscription: SubscriptionRecord;
  /** False for a proposed subscription: its id, external id and status are not shown. */
  stored: boolean;
  plan: PlanRecord;
  timezone: string;
  /** Start of the first subscription of its chain. */
  first_started_at: InstantText;
  follows: PlanFeeTerms['follows'];
  /** Its fees on stored invoices that are not voided. */
  billed_fees: readonly FeeRecord[];
  /** Whether its only invoices are those of its start: fixed charges in arrears are then not billed yet (§12.5). */
  only_starting_invoice: boolean;
}

/** How a subscription ends with an invoice. */
export interface SubscriptionEnd {
  how: 'terminated' | 'upgraded' | 'downgraded';
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
  /** False for a termination and for the first invoice of a proposed pay-in-advance plan (§11.6). */
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

/** First invoice of a subscription that starts at its `subscription_at`: plan, all fixed charges, no usage (§12.5). */
export function proposalPart(subject: Subject): InvoicePart {
  const { subscription, plan } = subject;
  const basis = basisOf(subject);
  const at = subscription.subscription_at;
  const period = periodAt(basis, at);
  const span = spanOf(subject, basis, period, null);
  const fixedBasis = fixedChargesBasis(basis, plan);
  const fixedSpan = spanOf(subject, fixedBasis, periodAt(fixedBasis, at), null);
  return {
    ...emptyPart(subject),
    plan_fee: span && planFeeTerms(subject, span, 'no'),
    fixed_charges: fixedSpan ? plan.fixed_charges.map(charge => ({ charge, span: fixedSpan })) : [],
    commitment: plan.pay_in_advance ? null : span,
    billing_date: plan.pay_in_advance ? localDate(at, subject.timezone) : addDays(period.last_day, 1),
    recurring: !plan.pay_in_advance,
  };
}

/** The invoice of the next billing day of a running subscription (§7.3, §12.5). */
export function projectionPart(subject: Subject, now: InstantText): InvoicePart {
  const basis = basisOf(subject);
  const { plan } = subject;
  const at = nextBillingAt(subject, now);
  const due = dueAt(basis, plan, at);
  const planSpan = due.plan && spanOf(subject, basis, due.plan, null);
  const settled = due.plan && (plan.pay_in_advance ? previousPeriod(due.plan, basis) : due.plan);
  const fixedBasis = fixedChargesBasis(basis, plan);
  const advance = due.fixed_charges_in_advance && spanOf(subject, fixedBasis, due.fixed_charges_in_advance, null);
  const arrears = due.fixed_charges_in_arrears && spanOf(subject, fixedBasis, due.fixed_charges_in_arrears, null);
  return {
    ...emptyPart(subject),
    plan_fee: planSpan && planFeeTerms(subject, planSpan, 'no'),
    usage: due.charges && usageWindow(subject, due.charges, null),
    fixed_charges: [
      ...fixedChargesBilledIn(plan, true, advance),
      ...fixedChargesBilledIn(plan, false, subject.only_starting_invoice ? null : arrears),
    ],
    commitment: settled && spanOf(subject, basis, settled, null),
    billing_date: localDate(at, subject.timezone),
  };
}

/**
 * The last invoice of a subscription that ends at an instant (termination, upgrade) or with its period (downgrade;
 * §12.5). A pay-in-advance plan then has no plan fee, and only fixed charges in arrears are billed.
 */
export function endingPart(subject: Subject, end: SubscriptionEnd): InvoicePart {
  const { plan } = subject;
  const { how, at: endsAt } = end;
  const basis = basisOf(subject);
  const span = spanOf(subject, basis, periodAt(basis, endsAt), endsAt);
  const fixedBasis = fixedChargesBasis(basis, plan);
  const fixedSpan = spanOf(subject, fixedBasis, periodAt(fixedBasis, endsAt), endsAt);
  const window = usageWindow(subject, periodAt(chargesBasis(basis, plan), endsAt), endsAt);
  return {
    ...emptyPart(subject),
    plan_fee:
      plan.pay_in_advance || span === null ? null : planFeeTerms(subject, span, how === 'downgraded' ? 'no' : how),
    usage: window && { ...window, upgraded: how === 'upgraded' },
    fixed_charges: fixedChargesBilledIn(plan, false, fixedSpan),
    commitment: span,
    billing_date: addDays(localDate(endsAt, subject.timezone), how === 'downgraded' ? 1 : 0),
    recurring: how === 'downgraded',
    end,
  };
}

/** The first invoice of the plan that a subscription changes to, when that plan is pay in advance (§12.5). */
export function nextPlanPart(subject: Subject, startsAt: InstantText, recurring: boolean): InvoicePart {
  const { plan } = subject;
  const basis = basisOf(subject);
  const span = spanOf(subject, basis, periodAt(basis, startsAt), null);
  const fixedBasis = fixedChargesBasis(basis, plan);
  return {
    ...emptyPart(subject),
    plan_fee: span && planFeeTerms(subject, span, 'no'),
    fixed_charges: fixedChargesBilledIn(plan, true, spanOf(subject, fixedBasis, periodAt(fixedBasis, startsAt), null)),
    billing_date: localDate(startsAt, subject.timezone),
    recurring,
  };
}

/** First instant of the next billing day: of the next period, or of the next month where something is billed monthly. */
export function nextBillingAt(subject: Subject, now: InstantText): InstantText {
  const basis = basisOf(subject);
  const step: PeriodBasis = billsMonthly(subject.plan) ? { ...basis, interval: 'monthly' } : basis;
  return nextPeriod(periodAt(step, now), step).from;
}

/** The plan fee's terms for the period in which a subscription ends; the unused part is computed from them (§12.6). */
export function termsOfLastPeriod(
  subject: Subject,
  endsAt: InstantText,
  ends: 'terminated' | 'upgraded',
): PlanFeeTerms | null {
  const basis = basisOf(subject);
  const span = spanOf(subject, basis, periodAt(basis, endsAt), null);
  return span && planFeeTerms(subject, span, ends);
}

function emptyPart(subject: Subject): InvoicePart {
  return {
    subject,
    plan_fee: null,
    usage: null,
    fixed_charges: [],
    commitment: null,
    billing_date: '',
    recurring: true,
    end: null,
  };
}

function startOf({ subscription }: BasicSubject): InstantText {
  return subscription.started_at ?? subscription.subscription_at;
}

function spanOf(subject: Subject, basis: PeriodBasis, period: Period, end: InstantText | null): BilledSpan | null {
  const bounds = subscriptionBounds(period, { start: startOf(subject), end }, basis.timezone);
  return bounds && { basis, period, bounds: bounds.fees };
}

/** The part of a usage period from the subscription's exact start to its end; null when it does not run in it. */
export function usageWindow(subject: BasicSubject, period: Period, end: InstantText | null): UsageWindow | null {
  const bounds = subscriptionBounds(period, { start: startOf(subject), end }, subject.timezone);
  if (bounds === null) return null;
  const basis = chargesBasis(basisOf(subject), subject.plan);
  return { ...bounds.usage, period, period_days: periodDays(period, basis), timezone: subject.timezone };
}

function planFeeTerms(subject: Subject, span: BilledSpan, ends: PlanFeeTerms['ends']): PlanFeeTerms {
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
