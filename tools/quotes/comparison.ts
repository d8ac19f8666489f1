/** The answer of compare_plans: plans beside each other, over a whole billing period and by their first invoice. */
import type { Body } from '../../src/contract/answers.ts';
import type { Charge, Invoice, Odd, Plan } from '../../src/contract/shown.ts';
import type { FannedAnswer, PlansRead } from '../../src/tool/define.ts';
import { explainPeriod } from '../../src/words/billed-period.ts';
import { catalogueNote, catalogueNoteOf, isPricedElsewhere } from '../../src/words/catalogue-plan.ts';
import { explainStart, explainTerms, type PreviewArguments, taxesOf } from '../../src/words/preview-terms.ts';
import { explainUnusedCoupons, withRequestedCoupons } from '../../src/words/requested-coupons.ts';
import { asInteger, asRecord, asRecords, asText } from '../../src/words/summary.ts';
import { breakEven, endOfLeast } from './break-even.ts';
import type { Change, ComparedPlan, Comparison, ComparisonArguments, Range, UsageEntry } from './compared-plans.ts';
import { costCurve } from './cost-curve.ts';
import { couponsOf, type KnownCoupon } from './coupons.ts';
import { monthsOf, periodsPerYear, type Quote, quotePeriod, scaled } from './quote.ts';
import type { UsageOrigin } from './taken-usage.ts';
import { type AssumedUse, courseOf, numberOf, quoteUsage } from './usage.ts';

/** The answers for one plan. */
export interface Previewed {
  code: string;
  /** A whole billing period from the start, and the first invoice. */
  whole: FannedAnswer;
  first: FannedAnswer;
}

interface Subject {
  code: string;
  invoice: Invoice;
  first: Invoice | null;
  /** As `list_plans` shows it; null when it does not. */
  plan: Plan | null;
  interval: string | null;
  /** What the service says of the whole period's preview, e.g. which coupons it did not apply. */
  notice: string | undefined;
}

/** The answer of the tool. `args` are the tool's arguments. */
export function comparisonOf(
  args: ComparisonArguments,
  previews: readonly Previewed[],
  plansRead: PlansRead,
  recurring: ReadonlyMap<string, boolean>,
): Comparison {
  const listed = 'plans' in plansRead ? plansRead.plans : [];
  const subjects = previews.map(preview => subjectOf(preview, listed, args.coupons));
  const computed = subjects.filter(subject => subject !== null);
  const taken = args.usage_of ?? {};
  const usage = typeof args.usage === 'object' ? withKnownEvents(args.usage, listed, args) : null;
  const assumed = usage?.map(toUse) ?? null;
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
  const mixed = new Set(computed.map(spanOf)).size > 1;
  const planRows = computed.map(subject =>
    rowOf(subject, assumed, quoteOf, { period, mixed, taxed: taxesDiffer(computed), coupons: args.coupons }),
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
    customer: asText(args.customer?.external_id),
    baseline_plan_code: previews[0]?.code ?? null,
    cheapest_plan_code: cheapestOf(planRows, figure),
    ...(interval !== null && { interval }),
    ...(period !== interval && period !== null && { usage_interval: period }),
    ...(args.usage_of !== undefined && {
      usage_of: { ...taken, ...zoneOf(computed), ...(intervalOf(taken) === null && { other_span: true }) },
      usage,
    }),
    ...('problem' in plansRead && { plans_problem: plansRead.problem }),
    ...(points.length > 0 && { break_even: points }),
    ...basisOf(computed, args),
    ...(notes.length > 0 && { notes }),
    ...(curve !== null && { for_page: { cost_curve: curve } }),
    comparison: previews.flatMap(({ code, whole }) =>
      'body' in whole
        ? (rows.find(row => row.plan_code === code) ?? withoutPrice(code))
        : { plan_code: code, error: whole.error },
    ),
  };
}

/** How much more a plan costs than the first one: in cents, or as bounds, of which one that does not exist is null. */
function differenceOf(
  one: PlanRow,
  base: PlanRow,
  figure: Figure,
  name: 'difference' | 'yearly_difference',
): Partial<ComparedPlan> {
  const difference = Number(one.row[figure]) - Number(base.row[figure]);
  if (!Number.isSafeInteger(difference)) return {};
  if (one === base || [one, base].every(({ lowerBy, higherBy }) => lowerBy === 0 && higherBy === 0))
    return { [`${name}_cents`]: one === base ? 0 : difference };
  return {
    [`${name}_range`]: {
      from_cents: one.lowerBy === null || base.higherBy === null ? null : difference - one.lowerBy - base.higherBy,
      to_cents: one.higherBy === null || base.lowerBy === null ? null : difference + one.higherBy + base.lowerBy,
    },
  };
}

/** The figure's bounds; null where it is certain. */
function rangeOf(cents: unknown, { lowerBy, higherBy }: Pick<Quote, 'lowerBy' | 'higherBy'>): Range | null {
  const amount = asInteger(cents);
  if (amount === null || (lowerBy === 0 && higherBy === 0)) return null;
  return {
    from_cents: lowerBy === null ? null : amount - lowerBy,
    to_cents: higherBy === null ? null : amount + higherBy,
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
  const charges = listed.flatMap(plan => asRecords(plan.charges));
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

/** The customer's time zone, in which the days of its usage are told. */
function zoneOf(computed: readonly Subject[]): { timezone?: string } {
  const timezone = asText(asRecord(computed[0]?.invoice.customer).applicable_timezone);
  return timezone === null ? {} : { timezone };
}

/** The interval whose periods are as long as the one of the usage that was read; null for a part of a period. */
function intervalOf({ from_datetime, to_datetime }: UsageOrigin): string | null {
  const [from, to] = [from_datetime, to_datetime].map(instant => Date.parse(asText(instant) ?? ''));
  const days = Math.round(((to ?? Number.NaN) - (from ?? Number.NaN)) / 86_400_000);
  const [interval = null] = [...daysOf].find(([, [least, most]]) => days >= least && days <= most) ?? [];
  return interval;
}

/** Whose taxes and terms hold for all plans, and the day of the start if it differs from the one written. */
function basisOf(computed: readonly Subject[], args: ComparisonArguments): { terms?: string; start?: string } {
  const invoices = computed.map(({ first, invoice }) => first ?? invoice);
  // What differs from plan to plan is told beside each: the days of the first period, amounts, due dates.
  const { customer, subscriptions, applied_taxes } = invoices[0] ?? {};
  const common = { customer, subscriptions, applied_taxes };
  const [terms, start] =
    computed.length === 0
      ? []
      : [
          explainTerms(common, args, taxesDiffer(computed) ? 'those said beside each plan' : undefined),
          explainStart(common, args),
        ];
  return { ...(terms && { terms }), ...(start && { start }) };
}

/** Do the previews of the plans have different taxes? One without an amount tells none. */
function taxesDiffer(computed: readonly Subject[]): boolean {
  const withAmount = computed.filter(({ invoice }) => asInteger(invoice.fees_amount_cents) !== 0);
  return new Set(withAmount.map(({ invoice }) => taxesOf(invoice))).size > 1;
}

function subjectOf(
  { code, whole, first }: Previewed,
  listed: readonly Plan[],
  coupons: PreviewArguments['coupons'],
): Subject | null {
  if (!('body' in whole)) return null;
  const plan = listed.find(entry => entry.code === code) ?? null;
  const interval = asText(plan?.interval);
  const invoice = withRequestedCoupons(invoiceOf(whole.body), coupons);
  // Without its prices a plan would be the cheapest one.
  if (isPricedElsewhere(asRecord(plan)) || catalogueNoteOf(asRecords(invoice.subscriptions)) !== null) return null;
  return {
    code,
    plan,
    invoice,
    first: 'body' in first ? withRequestedCoupons(invoiceOf(first.body), coupons) : null,
    interval: interval !== null && periodsPerYear.has(interval) ? interval : null,
    notice: whole.notice,
  };
}

function withoutPrice(code: string): ComparedPlan {
  return { plan_code: code, error: { code: 'priced_elsewhere', message: `${catalogueNote([code])}.` } };
}

function invoiceOf(body: unknown): Invoice {
  const whole = asRecord(body as Body | Odd);
  return asRecord(whole.invoice ?? (whole as Invoice));
}

function toUse(entry: UsageEntry): AssumedUse {
  const dimensions = { ...entry.filter, ...entry.groups } as { [key: string]: string };
  const metric = asText(entry.billable_metric_code) ?? '';
  return { metric, units: numberOf(entry.units), events: asInteger(entry.events), dimensions };
}

/** Plans are ranked over the same span of time: by interval, or, where that is not known, by the days covered. */
function spanOf({ interval, invoice }: Subject): string | null {
  return interval ?? coversOf(invoice);
}

function coversOf(invoice: Invoice): string | null {
  // The fees for the plan's own price give the days covered; fixed charges may cover others.
  const fees = asRecords(invoice.fees).filter(fee => asRecord(fee.item).type === 'subscription');
  return explainPeriod(invoice, fees)?.replace(/^Period /, '') ?? null;
}

/** What a plan costs over a whole period at this usage, e.g. in a period after the trial or without coupons. */
type QuoteOf = (
  subject: Subject,
  uses: readonly AssumedUse[] | null,
  of?: { afterTrial?: boolean; coupons?: readonly KnownCoupon[] },
) => Quote;

/** The coupons of the invoice, as far as the previews of all plans tell; null where they do not. */
function knownCoupons(invoice: Invoice, computed: readonly Subject[], args: ComparisonArguments): KnownCoupon[] | null {
  const others = computed
    .flatMap(({ invoice: whole, first }) => [whole, first])
    .filter(other => other !== null && other !== invoice && other.currency === invoice.currency) as Invoice[];
  const requested = args.coupons ?? [];
  const mayHaveMore = requested.length > 0 || asText(args.customer?.external_id) !== null;
  return couponsOf(invoice, others, requested, mayHaveMore);
}

function periodsAYear(interval: string | null): number {
  return periodsPerYear.get(interval ?? '') ?? 1;
}

/** The figure by which plans are compared. */
type Figure = 'yearly_amount_cents' | 'sub_total_including_taxes_amount_cents';

interface PlanRow {
  row: ComparedPlan;
  /** As those of the quote, of the figure by which the plans are compared. */
  lowerBy: number | null;
  higherBy: number | null;
  /**
   * Its usage is scaled from another span of time: right for a flow, such as calls, wrong for a level, such as seats.
   */
  scaled: boolean;
}

interface RowTerms {
  /** Of the usage. */
  period: string | null;
  /** Have the plans different intervals? */
  mixed: boolean;
  /** Have they different taxes? */
  taxed: boolean;
  coupons: PreviewArguments['coupons'];
}

function rowOf(
  subject: Subject,
  assumed: readonly AssumedUse[] | null,
  quoteOf: QuoteOf,
  { period, mixed, taxed, coupons }: RowTerms,
): PlanRow {
  const { code, plan, invoice, first, interval, notice } = subject;
  const { left_out, notes: quoteNotes, lowerBy, higherBy, ...amounts } = quoteOf(subject, assumed);
  const name = asText(plan?.name);
  const covers = coversOf(invoice);
  const firstCovers = first && coversOf(first);
  const yearly = mixed ? yearlyOf(subject, amounts.sub_total_including_taxes_amount_cents, assumed, quoteOf) : null;
  const periods = periodsAYear(interval);
  const repeats = yearly !== null && periods > 1;
  const repeated = repeats && amounts.coupons_amount_cents > 0;
  const ending = repeated && !lasts(invoice, coupons) ? withoutCoupons(subject, assumed, quoteOf) * (periods - 1) : 0;
  const scaled = isScaled(plan, assumed ?? [], period);
  const unused = explainUnusedCoupons(invoice, coupons, notice);
  const notes = [
    ...notesOf(plan, assumed, repeats),
    ...(taxed ? [`taxes: ${taxesOf(invoice)}`] : []),
    ...(scaled ? ['usage is scaled to its billing period, which does not fit levels, such as seats'] : []),
    ...quoteNotes,
    // One note for each coupon, so that one that all plans have is said once.
    ...(unused?.split(/; (?=coupon )/) ?? []),
    ...(repeated ? [`in the year, coupons count in ${ending > 0 ? 'the first period at least' : 'every period'}`] : []),
  ];
  const inYear = {
    lowerBy: lowerBy && lowerBy * periods,
    higherBy: higherBy === null ? null : higherBy * periods + ending,
  };
  const row = {
    plan_code: code,
    ...(name !== null && { name }),
    ...(mixed && interval !== null && { interval }),
    currency: invoice.currency,
    ...(covers !== null && { covers }),
    ...amounts,
    ...(yearly !== null && { yearly_amount_cents: yearly }),
    ...inRange('range', rangeOf(amounts.sub_total_including_taxes_amount_cents, { lowerBy, higherBy })),
    ...inRange('yearly_range', rangeOf(yearly, inYear)),
    ...(left_out.length > 0 && { left_out }),
    ...(notes.length > 0 && { notes }),
    ...(first && {
      first_invoice: {
        ...(firstCovers !== null && { covers: firstCovers }),
        sub_total_including_taxes_amount_cents: first.sub_total_including_taxes_amount_cents,
        total_amount_cents: first.total_amount_cents,
      },
    }),
  };
  return { row, scaled, ...(mixed ? inYear : { lowerBy, higherBy }) };
}

function inRange(name: 'range' | 'yearly_range', range: Range | null): Partial<ComparedPlan> {
  return range === null ? {} : { [name]: range };
}

/** The first period and as many full ones as complete a year, in cents; null where the interval is not known. */
function yearlyOf(
  subject: Subject,
  firstPeriod: number,
  assumed: readonly AssumedUse[] | null,
  quoteOf: QuoteOf,
): number | null {
  const periods = periodsPerYear.get(subject.interval ?? '');
  if (periods === undefined) return null;
  const full = quoteOf(subject, assumed, { afterTrial: hasTrial(subject.plan) }).sub_total_including_taxes_amount_cents;
  return firstPeriod + (periods - 1) * full;
}

/** By how many cents a later period is dearer without its coupons. */
function withoutCoupons(subject: Subject, assumed: readonly AssumedUse[] | null, quoteOf: QuoteOf): number {
  const afterTrial = hasTrial(subject.plan);
  const [less, whole] = [{ afterTrial }, { afterTrial, coupons: [] }].map(of => quoteOf(subject, assumed, of));
  const [from, to] = [less, whole].map(quote => Number(quote?.sub_total_including_taxes_amount_cents));
  return Math.max(0, Number(to) - Number(from));
}

/** Do all coupons of the preview count for ever? That is known only of those that the request describes. */
function lasts(invoice: Invoice, requested: PreviewArguments['coupons']): boolean {
  const items = asRecords(invoice.credits).map(({ item }) => asRecord(item));
  return items
    .filter(({ type }) => type === 'coupon')
    .every(({ code, svc_item_id }) =>
      asRecords(requested).some(one => !svc_item_id && one.code === code && one.frequency === 'forever'),
    );
}

function hasTrial(plan: Plan | null): boolean {
  return numberOf(plan?.trial_period).gt(0);
}

/** What a reader of a plan's figure should know of the plan. */
function notesOf(plan: Plan | null, uses: readonly AssumedUse[] | null, repeats: boolean): string[] {
  if (plan === null) return [];
  const charges = asRecords(plan.charges);
  const assumed = uses ?? [];
  const chargesOn = (metric: string) => charges.filter(charge => charge.billable_metric_code === metric);
  const used = [...new Set(assumed.map(use => use.metric))];
  const plainly = (metric: string) =>
    assumed.some(use => use.metric === metric && Object.keys(use.dimensions).length === 0);
  return [
    ...(numberOf(plan.trial_period).gt(0)
      ? [
          `${numberOf(plan.trial_period).toFixed()} days of trial are taken off${repeats ? ', in the first period only' : ''}`,
        ]
      : []),
    ...(uses === null &&
    quoteUsage(plan, [], { recurring: new Map(), bound: 'least' }).fees.some(({ cents }) => cents > 0)
      ? ['minimums and flat amounts without usage are not counted; with usage: [] they are']
      : []),
    ...used.filter(metric => chargesOn(metric).length === 0).map(metric => `${metric} is not charged`),
    ...used
      .filter(metric => plainly(metric) && chargesOn(metric).some(isSplit))
      .map(metric => `${metric} has other prices too, by filter`),
    ...(used.some(metric => chargesOn(metric).some(charge => charge.pay_in_advance === true))
      ? ['usage paid in advance is rounded at each event']
      : []),
  ];
}

/** Whether the plan bills the assumed usage over another span of time than the period for which it is assumed. */
function isScaled(plan: Plan | null, assumed: readonly AssumedUse[], period: string | null): boolean {
  if (plan === null || period === null) return false;
  const charged = asRecords(plan.charges).some(charge =>
    assumed.some(use => use.metric === charge.billable_metric_code && use.units.gt(0)),
  );
  const invoices = (periodsPerYear.get(asText(plan.interval) ?? '') ?? 1) * monthsOf(plan, 'bill_charges_monthly');
  return charged && invoices !== periodsPerYear.get(period);
}

function isSplit(charge: Charge): boolean {
  return asRecords(charge.filters).length > 0;
}

/**
 * The plan whose figure is lowest, whatever was not counted. Null if that is not certain, if currencies differ, if a
 * cost cannot be brought to a year, and if usage is scaled: a list of plans does not say whether a metric is a level,
 * such as seats.
 */
function cheapestOf(planRows: readonly PlanRow[], figure: Figure): string | null {
  const amount = ({ row }: PlanRow) => Number(row[figure]);
  const [lowest, ...others] = [...planRows].sort((a, b) => amount(a) - amount(b));
  if (lowest === undefined || others.length === 0) return null;
  if (planRows.some(({ scaled }) => scaled)) return null;
  const certain = others.every(
    other =>
      other.row.currency === lowest.row.currency &&
      Number.isSafeInteger(amount(other)) &&
      other.lowerBy !== null &&
      lowest.higherBy !== null &&
      amount(other) - other.lowerBy >= amount(lowest) + lowest.higherBy,
  );
  return certain ? lowest.row.plan_code : null;
}

/** Where the cheaper of two plans changes with the units of the first metric, the other usage being as assumed. */
function changesOf(
  computed: readonly Subject[],
  assumed: readonly AssumedUse[],
  quoteOf: QuoteOf,
  rows: readonly ComparedPlan[],
): Change[] {
  const [first, second] = computed;
  const [varied, ...others] = assumed;
  if (first === undefined || second === undefined || varied === undefined || computed.length > 2) return [];
  if (first.invoice.currency !== second.invoice.currency || first.interval !== second.interval) return [];
  // A number of events belongs to its units: for other units it would not be known.
  if (varied.events !== null || rows.some(({ range }) => range !== undefined)) return [];
  const costs = (subject: Subject, units: number): number | null => {
    const use = { ...varied, units: numberOf(units) };
    const quoted = quoteOf(subject, [use, ...others]);
    return quoted.lowerBy !== 0 || quoted.higherBy !== 0 ? null : quoted.sub_total_including_taxes_amount_cents;
  };
  const courses = [first, second].map(({ plan }) => {
    const charges = asRecords(plan?.charges).filter(charge => charge.billable_metric_code === varied.metric);
    return courseOf(charges, varied, others, monthsOf(plan, 'bill_charges_monthly'));
  });
  const course = {
    ends: [
      ...courses.flatMap(({ ends }) => ends),
      ...[first, second].map(subject => endOfLeast(units => costs(subject, units))),
    ],
    packages: courses.flatMap(({ packages }) => packages),
  };
  const difference = (units: number): number | null => {
    const [one, two] = [costs(first, units), costs(second, units)];
    return one === null || two === null ? null : two - one;
  };
  return breakEven(difference, course).map(({ units, plan }) => ({
    billable_metric_code: varied.metric,
    units,
    cheaper_plan_code: (plan === 'first' ? first : second).code,
  }));
}
