/** What one plan of a comparison costs: its row, and what a reader should know of the figures. */

import type { Invoice, Plan } from '../../src/contract/shown.ts';
import { explainPeriod } from '../../src/words/billed-period.ts';
import { creditsOf } from '../../src/words/credits.ts';
import { type PreviewArguments, taxesOf } from '../../src/words/preview-terms.ts';
import { explainUnusedCoupons } from '../../src/words/requested-coupons.ts';
import { phrase } from '../../src/words/summary.ts';
import { type AssumedUse, quoteUsage } from './assumed-usage.ts';
import type { PlanRow, QuoteOf, Range, Subject } from './compared-plans.ts';
import { monthsOf, periodsPerYear, type Quote } from './quote.ts';

export interface RowTerms {
  /** Of the usage. */
  period: string | null;
  /** Have the plans different intervals? */
  mixed: boolean;
  /** Have they different taxes? */
  taxed: boolean;
  coupons: PreviewArguments['coupons'];
}

export function rowOf(
  subject: Subject,
  assumed: readonly AssumedUse[] | null,
  quoteOf: QuoteOf,
  { period, mixed, taxed, coupons }: RowTerms,
): PlanRow {
  const { code, plan, invoice, first, interval, notice } = subject;
  const { left_out, notes: quoteNotes, lowerBy, higherBy, ...amounts } = quoteOf(subject, assumed);
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
    ...(scaled ? ['usage is scaled to its billing period, which does not suit levels such as seats'] : []),
    ...quoteNotes,
    // One note for each coupon, so that one that all plans have is said once.
    ...(unused?.split(/; (?=coupon )/) ?? []),
    ...(repeated
      ? [`over the year, coupons count in ${ending > 0 ? 'the first period at least' : 'every period'}`]
      : []),
  ];
  const inYear = {
    lowerBy: lowerBy && lowerBy * periods,
    higherBy: higherBy === null ? null : higherBy * periods + ending,
  };
  const range = rangeOf(amounts.sub_total_including_taxes_amount_cents, { lowerBy, higherBy });
  const yearly_range = rangeOf(yearly, inYear);
  const row = {
    plan_code: code,
    ...(plan?.name && { name: plan.name }),
    ...(mixed && interval !== null && { interval }),
    currency: invoice.currency,
    ...(covers !== null && { covers }),
    ...amounts,
    ...(yearly !== null && { yearly_amount_cents: yearly }),
    ...(range && { range }),
    ...(yearly_range && { yearly_range }),
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
  return creditsOf(invoice, 'coupon').every(({ item }) =>
    requested?.some(one => !item.svc_item_id && one.code === item.code && one.frequency === 'forever'),
  );
}

function hasTrial(plan: Plan | null): boolean {
  return Number(plan?.trial_period ?? 0) > 0;
}

/** What a reader of a plan's figure should know of the plan. */
function notesOf(plan: Plan | null, uses: readonly AssumedUse[] | null, repeats: boolean): string[] {
  if (plan === null) return [];
  const charges = plan.charges ?? [];
  const assumed = uses ?? [];
  const chargesOn = (metric: string) => charges.filter(charge => charge.billable_metric_code === metric);
  const used = [...new Set(assumed.map(use => use.metric))];
  const plainly = (metric: string) =>
    assumed.some(use => use.metric === metric && Object.keys(use.dimensions).length === 0);
  return [
    ...(hasTrial(plan)
      ? [phrase`${plan.trial_period} trial days are deducted${repeats ? ', in the first period only' : null}`]
      : []),
    ...(uses === null &&
    quoteUsage(plan, [], { recurring: new Map(), bound: 'least' }).fees.some(({ cents }) => cents > 0)
      ? ['minimums and flat amounts count only with usage (or usage: [])']
      : []),
    ...used.filter(metric => chargesOn(metric).length === 0).map(metric => `${metric} is not offered`),
    ...used
      .filter(metric => plainly(metric) && chargesOn(metric).some(({ filters }) => (filters?.length ?? 0) > 0))
      .map(metric => `${metric} also has other prices, by filter`),
    ...(used.some(metric => chargesOn(metric).some(charge => charge.pay_in_advance === true))
      ? ['usage paid in advance is rounded per event']
      : []),
  ];
}

/** Whether the plan bills the assumed usage over another span of time than the period for which it is assumed. */
function isScaled(plan: Plan | null, assumed: readonly AssumedUse[], period: string | null): boolean {
  if (plan === null || period === null) return false;
  const charged = (plan.charges ?? []).some(charge =>
    assumed.some(use => use.metric === charge.billable_metric_code && use.units.gt(0)),
  );
  const invoices = periodsAYear(plan.interval) * monthsOf(plan, 'bill_charges_monthly');
  return charged && invoices !== periodsPerYear.get(period);
}

/** The figure's bounds; null where it is certain. */
function rangeOf(amount: number | null, { lowerBy, higherBy }: Pick<Quote, 'lowerBy' | 'higherBy'>): Range | null {
  if (amount === null || (lowerBy === 0 && higherBy === 0)) return null;
  return {
    from_cents: lowerBy === null ? null : amount - lowerBy,
    to_cents: higherBy === null ? null : amount + higherBy,
  };
}

export function periodsAYear(interval: string | null | undefined): number {
  return periodsPerYear.get(interval ?? '') ?? 1;
}

export function coversOf(invoice: Invoice): string | null {
  // The fees for the plan's own price give the days covered; fixed charges may cover others.
  const fees = (invoice.fees ?? []).filter(fee => fee.item?.type === 'subscription');
  return explainPeriod(invoice, fees)?.replace(/^Period /, '') ?? null;
}
