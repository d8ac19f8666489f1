/** The answer of compare_plans: plans beside each other, over a whole billing period and by their first invoice. */
import type { JsonRecord } from '../../src/lib/json.ts';
import type { FannedAnswer, PlansRead } from '../../src/tool/define.ts';
import { explainPeriod } from '../../src/words/explain.ts';
import { explainStart, explainTerms } from '../../src/words/preview-terms.ts';
import { asInteger, asRecord, asRecords, asText, asTexts } from '../../src/words/summary.ts';
import { explainUnusedCoupons } from '../../src/words/unused-coupons.ts';
import { breakEven, endOfLeast } from './break-even.ts';
import { costCurve } from './cost-curve.ts';
import { couponsOf } from './coupons.ts';
import { monthsOf, periodsPerYear, type Quote, quotePeriod, scaled } from './quote.ts';
import { type AssumedUse, courseOf, minimumOf, numberOf } from './usage.ts';

/** The answers for one plan. */
export interface Previewed {
  code: string;
  /** A whole billing period from the start, and the first invoice. */
  whole: FannedAnswer;
  first: FannedAnswer;
}

interface Subject {
  code: string;
  invoice: JsonRecord;
  first: JsonRecord | null;
  /** As `list_plans` shows it; null when it does not. */
  plan: JsonRecord | null;
  interval: string | null;
  /** What the service says of the whole period's preview, e.g. which coupons it did not apply. */
  notice: string | undefined;
}

/** The record that is answered. `args` are those of the tool. */
export function comparisonOf(
  args: JsonRecord,
  previews: readonly Previewed[],
  read: PlansRead,
  recurring: ReadonlyMap<string, boolean>,
): JsonRecord {
  const listed = 'plans' in read ? read.plans : [];
  const subjects = previews.map(preview => subjectOf(preview, listed));
  const computed = subjects.filter(subject => subject !== null);
  const taken = asRecord(args.usage_of);
  const usage = Array.isArray(args.usage) ? withKnownEvents(asRecords(args.usage), listed, args) : null;
  const assumed = usage?.map(toUse) ?? null;
  const quoting = {
    args,
    computed,
    recurring,
    period: computed.find(subject => subject.interval !== null)?.interval ?? null,
  };
  const mixed = new Set(computed.map(spanOf)).size > 1;
  const told = computed.map(subject => rowOf(subject, assumed, quoting, mixed));
  const rows = told.map(({ row }) => row);
  const baseline = asRecord(rows.find(row => row.plan_code === previews[0]?.code));
  const figure = mixed ? 'yearly_amount_cents' : 'sub_total_including_taxes_amount_cents';
  const base = told.find(({ row }) => row === baseline);
  for (const each of told)
    if (base !== undefined && each.row.currency === baseline.currency)
      Object.assign(each.row, differenceOf(each, base, figure, mixed ? 'yearly_difference' : 'difference'));
  const points = assumed === null ? [] : changesOf(computed, assumed, quoting, rows);
  const curve =
    assumed === null || mixed
      ? null
      : costCurve(computed, assumed, points, (subject, uses) => quote(subject, uses, quoting));
  const notes = takeCommonNotes(rows);
  return {
    customer: asText(asRecord(args.customer).external_id),
    baseline_plan_code: previews[0]?.code ?? null,
    cheapest_plan_code: cheapestOf(told, figure),
    ...(quoting.period !== null && { interval: quoting.period }),
    ...(args.usage_of !== undefined && {
      usage_of: { ...taken, ...zoneOf(computed), ...spanNote(taken, quoting.period) },
      usage,
    }),
    ...('problem' in read && { plans_problem: read.problem }),
    ...(points.length > 0 && { break_even: points }),
    ...basisOf(computed, args),
    ...(notes.length > 0 && { notes }),
    ...(curve !== null && { for_page: { cost_curve: curve } }),
    comparison: previews.map(({ code, whole }) =>
      'body' in whole ? rows.find(row => row.plan_code === code) : { plan_code: code, error: whole.error },
    ),
  };
}

/** What a plan costs more than the first one: cents, or the bounds between which they lie, null where there is none. */
function differenceOf(one: Told, base: Told, figure: string, name: string): JsonRecord {
  const more = Number(one.row[figure]) - Number(base.row[figure]);
  if (!Number.isSafeInteger(more)) return {};
  if (one === base || [one, base].every(({ slack, more: up }) => slack === 0 && up === 0))
    return { [`${name}_cents`]: one === base ? 0 : more };
  return {
    [`${name}_range`]: {
      from_cents: one.slack === null || base.more === null ? null : more - one.slack - base.more,
      to_cents: one.more === null || base.slack === null ? null : more + one.more + base.slack,
    },
  };
}

/** The bounds of a figure that is not certain, null where there is none. */
function rangeOf(cents: unknown, { slack, more }: Pick<Quote, 'slack' | 'more'>): JsonRecord | null {
  const amount = asInteger(cents);
  if (amount === null || (slack === 0 && more === 0)) return null;
  return { from_cents: slack === null ? null : amount - slack, to_cents: more === null ? null : amount + more };
}

/** Removes from the rows, where there are several, the notes that all of them have, and returns these. */
function takeCommonNotes(rows: readonly JsonRecord[]): string[] {
  const [first, ...others] = rows.map(row => asTexts(row.notes));
  const common = others.length === 0 ? [] : (first ?? []).filter(note => others.every(notes => notes.includes(note)));
  for (const row of rows) {
    const own = asTexts(row.notes).filter(note => !common.includes(note));
    if (own.length > 0) row.notes = own;
    else delete row.notes;
  }
  return common;
}

/** Numbers of events that were read count for percentages alone; else they would only keep units from being varied. */
function withKnownEvents(usage: JsonRecord[], listed: readonly JsonRecord[], args: JsonRecord): JsonRecord[] {
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

/** The customer's zone, in which the days of its usage are told. */
function zoneOf(computed: readonly Subject[]): { timezone?: string } {
  const timezone = asText(asRecord(computed[0]?.invoice.customer).applicable_timezone);
  return timezone === null ? {} : { timezone };
}

/** Whether usage that was read is that of another span of time than it counts for. */
function spanNote({ from_datetime, to_datetime }: JsonRecord, interval: string | null): { other_span?: true } {
  const [from, to] = [from_datetime, to_datetime].map(instant => Date.parse(asText(instant) ?? ''));
  const days = Math.round(((to ?? Number.NaN) - (from ?? Number.NaN)) / 86_400_000);
  const [least, most] = daysOf.get(interval ?? '') ?? [Number.NaN, Number.NaN];
  return days >= least && days <= most ? {} : { other_span: true };
}

/** Whose taxes and terms all plans are quoted with, and the day of a start that differs from the one written. */
function basisOf(computed: readonly Subject[], args: JsonRecord): { terms?: string; start?: string } {
  const invoices = computed.map(({ first, invoice }) => first ?? invoice);
  const taxes = new Map(invoices.flatMap(invoice => asRecords(invoice.applied_taxes)).map(tax => [tax.tax_code, tax]));
  // What differs from plan to plan is told beside each: the days of the first period, amounts, due dates.
  const { customer, subscriptions } = invoices[0] ?? {};
  const common = { customer, subscriptions, applied_taxes: [...taxes.values()] };
  const [terms, start] = computed.length === 0 ? [] : [explainTerms(common, args), explainStart(common, args)];
  return { ...(terms && { terms }), ...(start && { start }) };
}

function subjectOf({ code, whole, first }: Previewed, listed: readonly JsonRecord[]): Subject | null {
  if (!('body' in whole)) return null;
  const plan = listed.find(entry => entry.code === code) ?? null;
  const interval = asText(plan?.interval);
  return {
    ...{ code, plan, invoice: invoiceOf(whole.body), first: 'body' in first ? invoiceOf(first.body) : null },
    interval: interval !== null && periodsPerYear.has(interval) ? interval : null,
    notice: whole.notice,
  };
}

function invoiceOf(body: unknown): JsonRecord {
  const whole = asRecord(body);
  return asRecord(whole.invoice ?? whole);
}

function toUse(entry: JsonRecord): AssumedUse {
  const dimensions = { ...asRecord(entry.filter), ...asRecord(entry.groups) } as { [key: string]: string };
  const metric = asText(entry.billable_metric_code) ?? '';
  return { metric, units: numberOf(entry.units), events: asInteger(entry.events), dimensions };
}

/** Plans are ranked over the same span of time: by interval, or, where that is not known, by the days covered. */
function spanOf({ interval, invoice }: Subject): string | null {
  return interval ?? coversOf(invoice);
}

function coversOf(invoice: JsonRecord): string | null {
  // The fees for the plan's own price give the days covered; fixed charges may cover others.
  const fees = asRecords(invoice.fees).filter(fee => asRecord(fee.item).type === 'subscription');
  return explainPeriod(invoice, fees)?.replace(/^Period /, '') ?? null;
}

interface Quoting {
  args: JsonRecord;
  recurring: ReadonlyMap<string, boolean>;
  computed: readonly Subject[];
  /** The interval that usage is assumed for: that of the first plan. */
  period: string | null;
}

function quote(
  subject: Subject,
  assumed: readonly AssumedUse[] | null,
  { args, computed, period, recurring }: Quoting,
  afterTrial = false,
): Quote {
  const { invoice, plan, interval } = subject;
  const currency = invoice.currency;
  const others = computed
    .flatMap(({ invoice: whole, first }) => [whole, first])
    .filter(other => other !== null && other !== invoice && other.currency === currency) as JsonRecord[];
  const requested = asRecords(args.coupons);
  const mayHaveMore = requested.length > 0 || asText(asRecord(args.customer).external_id) !== null;
  const perYear = (name: string | null) => periodsPerYear.get(name ?? '') ?? 1;
  return quotePeriod({
    ...{ invoice, plan, afterTrial, recurring, coupons: couponsOf(invoice, others, requested, mayHaveMore) },
    uses: assumed && scaled(assumed, perYear(period), perYear(interval ?? period)),
  });
}

interface Told {
  row: JsonRecord;
  /** The plan's figure may be too high by `slack` cents, or too low by `more` cents; null where nobody can tell. */
  slack: number | null;
  more: number | null;
  /** Its usage is that of another span of time, which is right for a flow and wrong for a level. */
  scaled: boolean;
}

function rowOf(subject: Subject, assumed: readonly AssumedUse[] | null, quoting: Quoting, mixed: boolean): Told {
  const { code, plan, invoice, first, interval, notice } = subject;
  const { left_out, notes: own, slack, more, ...amounts } = quote(subject, assumed, quoting);
  const name = asText(plan?.name);
  const covers = coversOf(invoice);
  const firstCovers = first && coversOf(first);
  const yearly = mixed ? yearlyOf(subject, amounts.sub_total_including_taxes_amount_cents, assumed, quoting) : null;
  const repeated = yearly !== null && interval !== 'yearly' && amounts.coupons_amount_cents > 0;
  const scaled = isScaled(plan, assumed ?? [], quoting.period);
  const unused = explainUnusedCoupons(invoice, quoting.args.coupons, notice);
  const notes = [
    ...notesOf(plan, assumed),
    ...(scaled ? ['usage is scaled to its billing period, which does not fit levels, such as seats'] : []),
    ...own,
    // One for each coupon: what is true of all plans is told once.
    ...(unused?.split(/; (?=coupon )/) ?? []),
    ...(repeated ? ['in the year, coupons count in every period'] : []),
  ];
  const periods = periodsPerYear.get(interval ?? '') ?? 1;
  const inYear = { slack: slack && slack * periods, more: more && more * periods };
  const row = {
    plan_code: code,
    ...(name !== null && { name }),
    ...(mixed && interval !== null && { interval }),
    currency: invoice.currency,
    ...(covers !== null && { covers }),
    ...amounts,
    ...(yearly !== null && { yearly_amount_cents: yearly }),
    ...inRange('range', rangeOf(amounts.sub_total_including_taxes_amount_cents, { slack, more })),
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
  return { row, scaled, ...(mixed ? inYear : { slack, more }) };
}

function inRange(name: string, range: JsonRecord | null): JsonRecord {
  return range === null ? {} : { [name]: range };
}

/** The first period and as many full ones as complete a year, in cents; null where the interval is not known. */
function yearlyOf(
  subject: Subject,
  firstPeriod: number,
  assumed: readonly AssumedUse[] | null,
  quoting: Quoting,
): number | null {
  const periods = periodsPerYear.get(subject.interval ?? '');
  if (periods === undefined) return null;
  const full = quote(subject, assumed, quoting, hasTrial(subject.plan)).sub_total_including_taxes_amount_cents;
  return firstPeriod + (periods - 1) * full;
}

function hasTrial(plan: JsonRecord | null): boolean {
  return numberOf(plan?.trial_period).gt(0);
}

/** What a reader of a plan's figure should know of the plan. */
function notesOf(plan: JsonRecord | null, uses: readonly AssumedUse[] | null): string[] {
  if (plan === null) return [];
  const charges = asRecords(plan.charges);
  const assumed = uses ?? [];
  const own = (metric: string) => charges.filter(charge => charge.billable_metric_code === metric);
  const used = [...new Set(assumed.map(use => use.metric))];
  const plainly = (metric: string) =>
    assumed.some(use => use.metric === metric && Object.keys(use.dimensions).length === 0);
  return [
    ...(numberOf(plan.trial_period).gt(0)
      ? [`${numberOf(plan.trial_period).toFixed()} days of trial are taken off`]
      : []),
    ...(uses === null && charges.some(charge => minimumOf(charge) > 0)
      ? ['minimums of charges are not counted; with usage: [] they are']
      : []),
    ...used.filter(metric => own(metric).length === 0).map(metric => `${metric} is not charged`),
    ...used
      .filter(metric => plainly(metric) && own(metric).some(isSplit))
      .map(metric => `${metric} has other prices too, by filter`),
    ...(used.some(metric => own(metric).some(charge => charge.pay_in_advance === true))
      ? ['usage paid in advance is rounded at each event']
      : []),
  ];
}

/** Whether the plan charges assumed usage by other spans of time than the period it is assumed for. */
function isScaled(plan: JsonRecord | null, assumed: readonly AssumedUse[], period: string | null): boolean {
  if (plan === null || period === null) return false;
  const charged = asRecords(plan.charges).some(charge =>
    assumed.some(use => use.metric === charge.billable_metric_code && use.units.gt(0)),
  );
  const invoices = (periodsPerYear.get(asText(plan.interval) ?? '') ?? 1) * monthsOf(plan, 'bill_charges_monthly');
  return charged && invoices !== periodsPerYear.get(period);
}

function isSplit(charge: JsonRecord): boolean {
  return asRecords(charge.filters).length > 0;
}

/**
 * The plan whose figure is lowest whatever was not counted; null when that is not certain, for amounts in two currencies,
 * for spans that cannot be brought to a year, and for usage of another span: whether a metric is a level, such as seats,
 * is not in a list of plans.
 */
function cheapestOf(told: readonly Told[], figure: string): unknown {
  const amount = ({ row }: Told) => Number(row[figure]);
  const [lowest, ...others] = [...told].sort((a, b) => amount(a) - amount(b));
  if (lowest === undefined || others.length === 0) return null;
  if (told.some(({ scaled }) => scaled)) return null;
  const certain = others.every(
    other =>
      other.row.currency === lowest.row.currency &&
      Number.isSafeInteger(amount(other)) &&
      other.slack !== null &&
      lowest.more !== null &&
      amount(other) - other.slack >= amount(lowest) + lowest.more,
  );
  return certain ? lowest.row.plan_code : null;
}

/** Where the cheaper of two plans changes with the units of the first metric, the other usage being as assumed. */
function changesOf(
  computed: readonly Subject[],
  assumed: readonly AssumedUse[],
  quoting: Quoting,
  rows: readonly JsonRecord[],
): JsonRecord[] {
  const [first, second] = computed;
  const [varied, ...others] = assumed;
  if (first === undefined || second === undefined || varied === undefined || computed.length > 2) return [];
  if (first.invoice.currency !== second.invoice.currency || first.interval !== second.interval) return [];
  // A number of events goes with its units: with others it would not be known.
  if (varied.events !== null || rows.some(({ range }) => range !== undefined)) return [];
  const costs = (subject: Subject, units: number): number | null => {
    const use = { ...varied, units: numberOf(units) };
    const quoted = quote(subject, [use, ...others], quoting);
    return quoted.slack !== 0 || quoted.more !== 0 ? null : quoted.sub_total_including_taxes_amount_cents;
  };
  const courses = [first, second].map(({ plan }) => {
    const own = asRecords(plan?.charges).filter(charge => charge.billable_metric_code === varied.metric);
    return courseOf(own, varied, others, monthsOf(plan, 'bill_charges_monthly'));
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
    ...{ billable_metric_code: varied.metric, units },
    cheaper_plan_code: (plan === 'first' ? first : second).code,
  }));
}
