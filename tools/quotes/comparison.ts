/** The answer of compare_plans: plans next to each other, over a whole billing period and by their first invoice. */
import Big from 'big.js';
import type { Body } from '../../src/contract/answers.ts';
import type { Invoice, Plan } from '../../src/contract/shown.ts';
import { explainStart, explainTerms, type PreviewArguments, taxesOf } from '../../src/words/preview-terms.ts';
import { withRequestedCoupons } from '../../src/words/requested-coupons.ts';
import { catalogueNote, catalogueNoteOf, isPricedElsewhere } from '../../src/words/subscription.ts';
import { changesOf, cheapestOf, costCurve, differenceOf } from './cheaper-plan.ts';
import type {
  ComparedPlan,
  ComparisonArguments,
  PlansRead,
  PreviewAnswer,
  QuoteOf,
  Subject,
  UsageEntry,
  UsageOrigin,
} from './compared-plans.ts';
import { couponsOf, type KnownCoupon } from './coupon-rules.ts';
import { exactCents, hasExactAmounts, hasExactPrices } from './exact-cents.ts';
import { coversOf, periodsAYear, rowOf } from './plan-row.ts';
import { periodsPerYear, quotePeriod, scaled } from './quote.ts';

/** The answers for one plan. */
export interface Previewed {
  code: string;
  /** A whole billing period from the start, and the first invoice. */
  whole: PreviewAnswer;
  first: PreviewAnswer;
}

type Compared = ReturnType<typeof comparisonOf>;
/** The answer of the tool; `over_periods` where the usage of several periods was asked for: the rows are of the newest. */
export type Comparison = Compared & { readonly over_periods?: ReturnType<typeof sumOfPeriods> };

/** `args` are the tool's arguments. */
export function comparisonOf(
  args: ComparisonArguments,
  previews: readonly Previewed[],
  plansRead: PlansRead,
  recurring: ReadonlyMap<string, boolean>,
) {
  const listed = 'plans' in plansRead ? plansRead.plans : [];
  const subjects = previews.map(preview => subjectOf(preview, listed, args.coupons));
  const computed = subjects.filter(subject => subject !== null);
  const taken = args.usage_of ?? {};
  // The customer's own, in which the days of its usage are told.
  const timezone = computed[0]?.invoice.customer?.applicable_timezone;
  const usage = typeof args.usage === 'object' ? withKnownEvents(args.usage, listed, args) : null;
  const assumed =
    usage?.map(({ billable_metric_code: metric, units, events = null, filter, groups }) => {
      return { metric, units: new Big(units), events, dimensions: { ...filter, ...groups } };
    }) ?? null;
  const interval = computed.find(subject => subject.interval !== null)?.interval ?? null;
  // Usage that was read is of its own period; other usage is assumed for a period of the first plan.
  const period = (args.usage_of && intervalOf(args.usage_of)) ?? interval;
  const quoteOf: QuoteOf = (subject, uses, { afterTrial = false, coupons } = {}) =>
    quotePeriod({
      invoice: subject.invoice,
      plan: subject.plan,
      afterTrial,
      recurring,
      coupons: coupons ?? knownCoupons(subject.invoice, computed, args),
      uses: uses && scaled(uses, periodsAYear(period), periodsAYear(subject.interval ?? period)),
    });
  // Plans are ranked over the same span of time: by interval, or, where that is not known, by the days covered.
  const mixed = new Set(computed.map(subject => subject.interval ?? coversOf(subject.invoice))).size > 1;
  const planRows = computed
    .map(subject =>
      rowOf(subject, assumed, quoteOf, { period, mixed, taxed: taxesDiffer(computed), coupons: args.coupons }),
    )
    .filter(({ row }) =>
      [row.sub_total_including_taxes_amount_cents, row.yearly_amount_cents ?? 0].every(
        cents => exactCents(cents) !== null,
      ),
    );
  const rows = planRows.map(({ row }) => row);
  const baseline = rows.find(row => row.plan_code === previews[0]?.code);
  const figure = mixed ? 'yearly_amount_cents' : 'sub_total_including_taxes_amount_cents';
  const base = planRows.find(({ row }) => row === baseline);
  for (const each of planRows)
    if (base !== undefined && each.row.currency === base.row.currency)
      Object.assign(each.row, differenceOf(each, base, figure, mixed ? 'yearly_difference' : 'difference'));
  // The units of a change are those of one period of both plans.
  const varies = assumed !== null && !mixed && period === interval;
  const points = varies ? changesOf(computed, assumed, quoteOf, rows) : [];
  const curve = varies ? costCurve(computed, assumed, points, quoteOf) : null;
  const notes = takeCommonNotes(rows);
  return {
    customer: args.customer?.external_id || null,
    baseline_plan_code: previews[0]?.code ?? null,
    cheapest_plan_code: cheapestOf(planRows, figure),
    ...(interval !== null && { interval }),
    // Of the usage, where it is another one than that of the first plan.
    ...(period !== interval && period !== null && { usage_interval: period }),
    ...(args.usage_of !== undefined && {
      usage_of: { ...taken, ...(timezone && { timezone }), ...(intervalOf(taken) === null && { other_span: true }) },
      usage,
    }),
    ...('problem' in plansRead && { plans_problem: plansRead.problem }),
    ...(points.length > 0 && { break_even: points }),
    ...basisOf(computed, args),
    ...(notes.length > 0 && { notes }),
    ...(curve !== null && { for_page: { cost_curve: curve } }),
    comparison: previews.flatMap(({ code, whole }) =>
      'body' in whole
        ? (rows.find(row => row.plan_code === code) ?? withoutPrice(code, listed, whole.body))
        : { plan_code: code, error: whole.error },
    ),
  };
}

/** If there are several rows, removes from them the notes that all of them have, and returns these. */
function takeCommonNotes(rows: readonly ComparedPlan[]): string[] {
  const [first, ...others] = rows.map(row => row.notes ?? []);
  const common = others.length === 0 ? [] : (first ?? []).filter(note => others.every(notes => notes.includes(note)));
  for (const row of rows) {
    const ownNotes = (row.notes ?? []).filter(note => !common.includes(note));
    if (ownNotes.length > 0) row.notes = ownNotes;
    else delete row.notes;
  }
  return common;
}

/** Keeps numbers of events that were read for percentages alone: elsewhere they only keep units from being varied. */
function withKnownEvents(
  usage: readonly UsageEntry[],
  listed: readonly Plan[],
  args: ComparisonArguments,
): readonly UsageEntry[] {
  if (args.usage_of === undefined) return usage;
  const charges = listed.flatMap(plan => plan.charges ?? []);
  return usage.map(({ events, ...use }) => {
    const byEvents = charges.some(
      ({ billable_metric_code, charge_model }) =>
        billable_metric_code === use.billable_metric_code && charge_model === 'percentage',
    );
    return byEvents && events !== undefined ? { ...use, events } : use;
  });
}

/** The days that a period of an interval can have. */
const daysOf: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['weekly', [7, 7]],
  ['monthly', [28, 31]],
  ['quarterly', [89, 92]],
  ['semiannual', [181, 184]],
  ['yearly', [365, 366]],
]);

/** The interval whose periods are as long as the one of the usage that was read; null for a part of a period. */
function intervalOf({ from_datetime, to_datetime }: UsageOrigin): string | null {
  const [from, to] = [from_datetime, to_datetime].map(instant => Date.parse(instant ?? ''));
  const days = Math.round(((to ?? Number.NaN) - (from ?? Number.NaN)) / 86_400_000);
  const [interval = null] = [...daysOf].find(([, [least, most]]) => days >= least && days <= most) ?? [];
  return interval;
}

/** Whose taxes and terms hold for all plans, and the day of the start if it differs from the one written. */
function basisOf(computed: readonly Subject[], args: ComparisonArguments): { terms?: string; start?: string } {
  const invoices = computed.map(({ first, invoice }) => first ?? invoice);
  // What differs from plan to plan is told next to each: the days of the first period, amounts, due dates.
  const { customer, subscriptions, applied_taxes } = invoices[0] ?? {};
  const common = { customer, subscriptions, applied_taxes };
  const [terms, start] =
    computed.length === 0
      ? []
      : [
          explainTerms(common, args, taxesDiffer(computed) ? 'as listed for each plan' : undefined),
          explainStart(common, args),
        ];
  return { ...(terms && { terms }), ...(start && { start }) };
}

/** Do the previews of the plans have different taxes? One without an amount tells none. */
function taxesDiffer(computed: readonly Subject[]): boolean {
  const withAmount = computed.filter(({ invoice }) => invoice.fees_amount_cents !== 0);
  return new Set(withAmount.map(({ invoice }) => taxesOf(invoice))).size > 1;
}

function subjectOf(
  { code, whole, first }: Previewed,
  listed: readonly Plan[],
  coupons: PreviewArguments['coupons'],
): Subject | null {
  if (!('body' in whole)) return null;
  const plan = listed.find(entry => entry.code === code) ?? null;
  const interval = plan?.interval ?? '';
  const invoice = withRequestedCoupons(invoiceOf(whole.body), coupons);
  // Without its prices a plan would be the cheapest one.
  if (pricedElsewhere(plan, invoice) || !hasExactAmounts(invoice) || !(plan === null || hasExactPrices(plan)))
    return null;
  const firstInvoice = 'body' in first ? withRequestedCoupons(invoiceOf(first.body), coupons) : null;
  return {
    code,
    plan,
    invoice,
    first: firstInvoice && hasExactAmounts(firstInvoice) ? firstInvoice : null,
    interval: periodsPerYear.has(interval) ? interval : null,
    notice: whole.notice,
  };
}

function pricedElsewhere(plan: Plan | null, { subscriptions }: Invoice): boolean {
  return isPricedElsewhere(plan ?? {}) || catalogueNoteOf(subscriptions ?? []) !== null;
}

function withoutPrice(code: string, listed: readonly Plan[], body: unknown): ComparedPlan {
  const plan = listed.find(entry => entry.code === code) ?? null;
  if (!pricedElsewhere(plan, invoiceOf(body)))
    return {
      plan_code: code,
      error: { code: 'invalid_answer', message: 'An amount in its preview or in the plan is missing or too large.' },
    };
  return { plan_code: code, error: { code: 'priced_elsewhere', message: `${catalogueNote([code])}.` } };
}

function invoiceOf(body: unknown): Invoice {
  const whole = body as Body;
  return whole.invoice ?? (whole as Invoice);
}

/** The coupons of the invoice, as far as the previews of all plans tell; null where they do not. */
function knownCoupons(invoice: Invoice, computed: readonly Subject[], args: ComparisonArguments): KnownCoupon[] | null {
  const others = computed
    .flatMap(({ invoice: whole, first }) => [whole, first])
    .filter(other => other !== null && other !== invoice && other.currency === invoice.currency) as Invoice[];
  const requested = args.coupons ?? [];
  const mayHaveMore = requested.length > 0 || Boolean(args.customer?.external_id);
  return couponsOf(invoice, others, requested, mayHaveMore);
}

/** What plans cost over several periods, each priced by itself, because tiers and minimums begin anew: the newest comes first. */
export function sumOfPeriods(comparisons: readonly Compared[]) {
  const [newest] = comparisons;
  const oldest = comparisons.at(-1);
  const { timezone } = newest?.usage_of ?? {};
  const sums = (newest?.comparison ?? []).map(({ plan_code, name, currency }) => {
    const rows = comparisons.map(({ comparison }) => comparison.find(row => row.plan_code === plan_code));
    const isExact = rows.every(
      row => row !== undefined && row.error === undefined && row.range === undefined && row.left_out === undefined,
    );
    const sum = (field: 'fees_amount_cents' | 'coupons_amount_cents' | 'sub_total_including_taxes_amount_cents') =>
      rows.reduce((total, row) => total + (exactCents(row?.[field]) ?? Number.NaN), 0);
    const before = sum('fees_amount_cents') - sum('coupons_amount_cents');
    const withTax = sum('sub_total_including_taxes_amount_cents');
    // Null where one of the periods could not be computed exactly.
    const known = (cents: number) => (isExact && Number.isSafeInteger(cents) ? cents : null);
    return {
      plan_code,
      ...(name !== undefined && { name }),
      currency,
      before_tax_cents: known(before),
      with_tax_cents: known(withTax),
    };
  });
  const base = sums[0]?.with_tax_cents ?? null;
  const plans = sums.map(sum => ({
    ...sum,
    difference_cents: base === null || sum.with_tax_cents === null ? null : sum.with_tax_cents - base,
  }));
  return {
    periods: comparisons.length,
    from_datetime: oldest?.usage_of?.from_datetime,
    to_datetime: newest?.usage_of?.to_datetime,
    ...(timezone !== undefined && { timezone }),
    plans,
  };
}
