/** Usage of a subscription (docs/lookups.md §6): its charges in few fields, as rows, and an estimate for the whole period. */
import Big from 'big.js';
import type { ChargeUsage, Usage, UsagePart } from '../../src/contract/answers.ts';
import { round } from '../../src/contract/pricing/money.ts';
import type { Free, Odd } from '../../src/contract/shown.ts';
import { big, centsOf } from '../../src/words/money.ts';
import { sign } from '../../src/words/summary.ts';

/** More groups of a charge than these are only counted. */
const mostGroups = 20;

type Figures = Pick<
  UsagePart,
  'units' | 'total_aggregated_units' | 'events_count' | 'amount_cents' | 'presentation_breakdowns'
>;
type ShownFilter = Figures & Pick<UsagePart, 'invoice_display_name'> & { readonly values: Free | Odd };

/** A charge with its usage as it is shown. */
export interface ShownCharge extends Figures {
  readonly charge_code?: string | null | undefined;
  readonly name: string | null | undefined;
  readonly billable_metric_code: string;
  readonly filters: ShownFilter[];
  readonly grouped_usage: (Figures & Pick<UsagePart, 'grouped_by'> & { readonly filters: ShownFilter[] })[];
  readonly groups_count?: number;
}

/** Charges with usage, the largest amounts first; of those without any, the codes of their metrics. */
export interface Charges {
  charges_usage: ShownCharge[];
  without_usage: string[];
}

export function chargesOf(entries: Usage['charges_usage']): Charges {
  const all = (entries ?? []).map(withTrueEvents);
  const metrics = all.map(metricOf);
  const charges_usage = all.filter(isUsed).sort(byAmount);
  return {
    charges_usage: charges_usage.map(entry =>
      chargeOf(entry, metrics.filter(metric => metric === metricOf(entry)).length > 1),
    ),
    without_usage: [...new Set(all.filter(entry => !isUsed(entry)).map(metricOf))].filter(metric => metric !== ''),
  };
}

/** Without the service's number of events where this counts unique values, and no events (service-behaviour §8). */
function withTrueEvents(entry: ChargeUsage): ChargeUsage {
  return entry.billable_metric?.aggregation_type === 'unique_count_agg' ? withoutEvents(entry) : entry;
}

function withoutEvents<Part extends UsagePart>({ events_count: _, ...part }: Part): Omit<Part, 'events_count'> {
  const { filters, grouped_usage } = part as UsagePart;
  return {
    ...part,
    ...(filters !== undefined && { filters: (filters ?? []).map(withoutEvents) }),
    ...(grouped_usage !== undefined && { grouped_usage: (grouped_usage ?? []).map(withoutEvents) }),
  };
}

/** The sum of the entries' amounts in cents; null where one of them is no whole number. */
export function sumOf(entries: Usage['charges_usage']): number | null {
  const amounts = (entries ?? []).map(({ amount_cents }) => centsOf(amount_cents));
  return amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
}

/**
 * What an alert on current usage would read now: cents, or units of the metric's largest single fee (service-behaviour
 * §14). Null for other types, and where no charge is on the metric.
 */
export function alertValueOf(usage: Usage, alertType: string, metric: string | null | undefined): Big | null {
  const entries = usage.charges_usage ?? [];
  if (alertType === 'current_usage_amount') {
    const sum = sumOf(entries);
    return sum === null ? null : new Big(sum);
  }
  const field = alertType.endsWith('_units') ? 'units' : 'amount_cents';
  if (!alertType.startsWith('billable_metric_current_usage')) return null;
  const fees = entries.filter(entry => metricOf(entry) === metric).flatMap(entry => feesOf(entry));
  return fees.reduce<Big | null>((most, { figures }) => {
    const value = big(figures[field]);
    return value === null || most?.gte(value) ? most : value;
  }, null);
}

/** The usage of one fee; `filter` is null without filters, and for events that match none of them. */
interface FeeUsage {
  readonly figures: UsagePart;
  readonly grouped_by: UsagePart['grouped_by'];
  readonly filter: Free | Odd;
}

/** Each group and each filter is a fee of its own. */
export function feesOf(part: UsagePart, grouped_by?: UsagePart['grouped_by']): FeeUsage[] {
  const groups = part.grouped_usage ?? [];
  if (groups.length > 0) return groups.flatMap(group => feesOf(group, group.grouped_by));
  const filters = part.filters ?? [];
  if (filters.length === 0) return [{ figures: part, grouped_by, filter: null }];
  return filters.map(filter => ({ figures: filter, grouped_by, filter: filter.values ?? null }));
}

/** Amounts of fees without units and events, in cents: the flat amount of a first tier (service-behaviour §9). */
export function unusedCents(entry: UsagePart): number {
  return feesOf(entry)
    .filter(({ figures }) => sign(figures.units) === 0 && sign(figures.events_count) === 0)
    .reduce((sum, { figures }) => sum + (centsOf(figures.amount_cents) ?? 0), 0);
}

/** The charge, group or filter without such amounts. */
export function withoutUnused<Part extends UsagePart>(entry: Part): Part {
  const parts = (list: UsagePart['filters']) => (list ?? []).map(withoutUnused);
  const amount = centsOf(entry.amount_cents);
  return {
    ...entry,
    // An amount beyond 2^53 stays as it is.
    ...(amount !== null && { amount_cents: amount - unusedCents(entry) }),
    ...(entry.filters !== undefined && { filters: parts(entry.filters) }),
    ...(entry.grouped_usage !== undefined && { grouped_usage: parts(entry.grouped_usage) }),
  };
}

export interface Estimate {
  /** Cents, before taxes. */
  amount_cents: number;
  /** The part of the period that has passed, in percent with one decimal. */
  elapsed_percent: string;
}

/** Levels and distinct values do not grow with time. */
const levels: ReadonlySet<string> = new Set(['max_agg', 'latest_agg', 'unique_count_agg']);

export function isLevel({ billable_metric }: ChargeUsage): boolean {
  return levels.has(billable_metric?.aggregation_type ?? '');
}

/** From a smaller part of a period nothing can be told of the whole. */
const leastShare = 0.01;

/**
 * What the whole period comes to if usage goes on as so far: amounts × whole period ÷ time that has passed, rounded
 * half up. Null before the period's first hundredth and after its end, if nothing was used, and if an amount is
 * unknown. `to_datetime` is the last second.
 */
export function estimateOf(usage: Usage, now: Date): Estimate | null {
  const from = secondsOf(usage.from_datetime);
  const whole = secondsOf(usage.to_datetime) + 1 - from;
  const passed = Math.floor(now.getTime() / 1000) - from;
  if (!(whole > 0 && passed >= whole * leastShare && passed < whole)) return null;
  const entries = usage.charges_usage ?? [];
  if (!entries.some(isUsed) || sumOf(entries) === null) return null;
  const amount = entries.reduce((sum, entry) => {
    const soFar = new Big(centsOf(entry.amount_cents) ?? 0);
    if (isLevel(entry)) return sum.plus(soFar);
    // A flat amount next to no usage is the same at the period's end.
    const fixed = unusedCents(entry);
    return sum.plus(soFar.minus(fixed).times(whole).div(passed)).plus(fixed);
  }, new Big(0));
  return {
    amount_cents: Number(round(amount).toFixed()),
    elapsed_percent: round(new Big(passed).times(100).div(whole), 1).toFixed(1),
  };
}

/** Whether the estimate has amounts in it that do not grow with time. */
export function hasLevels(usage: Usage): boolean {
  return (usage.charges_usage ?? []).some(entry => isUsed(entry) && isLevel(entry));
}

function secondsOf(instant: Usage['from_datetime']): number {
  return Math.floor(Date.parse(instant ?? '') / 1000);
}

export function metricOf({ billable_metric }: ChargeUsage): string {
  return billable_metric?.code ?? '';
}

function isUsed({ units, events_count, amount_cents }: UsagePart): boolean {
  return [units, events_count, amount_cents].some(value => sign(value) === 1 || sign(value) === -1);
}

/** Larger amounts first, then more units. */
function byAmount(a: UsagePart, b: UsagePart): number {
  const difference = (centsOf(b.amount_cents) ?? 0) - (centsOf(a.amount_cents) ?? 0);
  return difference || (big(b.units) ?? new Big(0)).cmp(big(a.units) ?? new Big(0));
}

/** `several`: other charges are on the same metric, so that the code of the charge tells them apart. */
function chargeOf(entry: ChargeUsage, several: boolean): ShownCharge {
  const { charge, billable_metric, filters, grouped_usage } = entry;
  const groups = (grouped_usage ?? []).filter(isUsed).sort(byAmount);
  return {
    billable_metric_code: metricOf(entry),
    ...(several && { charge_code: charge?.code }),
    name: charge?.invoice_display_name || billable_metric?.name,
    ...figuresOf(entry),
    filters: filtersOf(filters),
    grouped_usage: groups.slice(0, mostGroups).map(group => ({
      grouped_by: group.grouped_by,
      ...figuresOf(group),
      filters: filtersOf(group.filters),
    })),
    ...(groups.length > mostGroups && { groups_count: groups.length }),
  };
}

function filtersOf(filters: UsagePart['filters']): ShownFilter[] {
  return (filters ?? [])
    .filter(isUsed)
    .sort(byAmount)
    .map(filter => ({
      values: filter.values,
      invoice_display_name: filter.invoice_display_name,
      ...figuresOf(filter),
    }));
}

function figuresOf(part: UsagePart): Figures {
  const { units, total_aggregated_units, events_count, amount_cents } = part;
  const parts = part.presentation_breakdowns ?? [];
  const figures = { units, total_aggregated_units, events_count, amount_cents };
  return parts.length === 0 ? figures : { ...figures, presentation_breakdowns: parts };
}

/** The columns of usage as rows of a file, as a selection. */
export const usageFields = `
  external_customer_id external_subscription_id svc_charge_id charge_code billable_metric_code name from_datetime to_datetime
  currency grouped_by filter units total_aggregated_units events_count amount_cents
`;

/**
 * The rows of one period, with the fields of `ids` in each: one for each fee that it would make, so that the amounts add up to
 * those of the charges.
 */
export function usageRows(usage: Usage, ids: object): object[] {
  const { from_datetime, to_datetime, currency } = usage;
  return (usage.charges_usage ?? []).flatMap(entry => {
    const { charge, billable_metric } = entry;
    return feesOf(withTrueEvents(entry)).map(({ figures, grouped_by, filter }) => ({
      ...ids,
      svc_charge_id: charge?.svc_id,
      charge_code: charge?.code,
      billable_metric_code: billable_metric?.code,
      name: charge?.invoice_display_name || billable_metric?.name,
      from_datetime,
      to_datetime,
      currency,
      grouped_by,
      filter,
      units: figures.units,
      total_aggregated_units: figures.total_aggregated_units,
      events_count: figures.events_count,
      amount_cents: figures.amount_cents,
    }));
  });
}
