/** How one line comes to its amount: by day, by tier, or by the events of each day. */

import Big from 'big.js';
import { matchingFilters } from '../../src/contract/pricing/filters.ts';
import { decimalText, isNumeric, round } from '../../src/contract/pricing/money.ts';
import type { AmountDetails, EntryIn, Fields } from '../../src/contract/shown.ts';
import { countDays, localDate } from '../../src/engine/days.ts';
import { periodDays } from '../../src/engine/periods.ts';
import type { InvoicePart } from '../../src/engine/preview-parts.ts';
import type { BillableMetricRecord, ChargeRecord, EventRecord } from '../../src/engine/records/index.ts';
import type { UsageWindow } from '../../src/engine/types.ts';
import { dimensionText } from '../../src/engine/usage.ts';
import { explainFee } from '../../src/words/explain.ts';
import type { CheckRecords, JudgedLine, Judgement } from './check-records.ts';
import { eventsIn, usageEventOf } from './event-usage.ts';

export interface Explanation {
  readonly fee: string;
  /** The price as a sentence. */
  readonly price: string;
  readonly rows: readonly object[];
  /** Rows that are left out. */
  readonly more?: number;
}

const mostRows = 16;

type Tier = EntryIn<AmountDetails['graduated_ranges']> & Fields<'rate'>;

export function explainLine(records: CheckRecords, { fee, line }: JudgedLine, parts: Judgement['parts']): Explanation {
  const { billed, expected, charge } = line ?? {};
  const shown = billed ?? null;
  const contracts = [...records.contracts.values()];
  const charges = contracts.flatMap(({ plan, fixed_charges }) => [...(plan.charges ?? []), ...(fixed_charges ?? [])]);
  const price = charges.find(({ svc_id }) => svc_id === (shown?.svc_charge_id ?? shown?.svc_fixed_charge_id)) ?? null;
  const text = shown === null ? `${fee} is not on the invoice` : explainFee(shown, records.invoice.currency, { price });
  const subscription = shown?.svc_subscription_id ?? expected?.record.subscription_id;
  const part = parts.find(each => each.subject.subscription.id === subscription);
  const rows = rowsOf(records, part, charge ?? null, line ?? null);
  const left = rows.length - mostRows;
  return { fee, price: text, rows: rows.slice(0, mostRows), ...(left > 0 && { more: left }) };
}

function rowsOf(
  records: CheckRecords,
  part: InvoicePart | undefined,
  charge: ChargeRecord | null,
  line: JudgedLine['line'],
): object[] {
  const type = line?.billed?.item?.type ?? line?.expected?.record.item.type;
  if (part === undefined) return [];
  if (type === 'subscription' && part.plan_fee !== null) {
    const { bounds, period, basis, plan } = part.plan_fee;
    return [spanRow(bounds, basis.timezone, periodDays(period, basis), { plan_amount_cents: plan.amount_cents })];
  }
  if (type === 'fixed_charge') {
    const code = line?.expected?.record.item.code;
    return part.fixed_charges
      .filter(each => each.charge.add_on_id === code)
      .map(({ charge: { units, prorated }, span: { bounds, basis, period } }) =>
        spanRow(bounds, basis.timezone, periodDays(period, basis), { units, prorated }),
      );
  }
  const metric = charge && records.metrics.get(charge.billable_metric_id);
  if (!charge || !metric || part.usage === null) return [];
  const events = eventsOf(records.events, charge, metric, part, line);
  const tiers = line?.expected?.record.amount_details;
  const ranges = tiers && (tiers.graduated_ranges ?? tiers.graduated_percentage_ranges);
  if (charge.prorated) return proratedRows(events, metric, part.usage);
  if (Array.isArray(ranges) && ranges.length > 0) return (ranges as Tier[]).map(tierRow);
  return dailyRows(events, metric, part.usage);
}

function spanRow(bounds: { from: string; to: string }, timezone: string, of_days: number, more: object): object {
  const days = Math.min(countDays(bounds.from, bounds.to, timezone), of_days);
  return { from: localDate(bounds.from, timezone), to: localDate(bounds.to, timezone), days, of_days, ...more };
}

function tierRow(range: Tier): object {
  const { from_value, to_value, units, per_unit_amount, rate, flat_unit_amount, total_with_flat_amount } = range;
  const price = rate === undefined ? { per_unit_amount } : { rate };
  return { from_value, to_value, units, ...price, flat_amount: flat_unit_amount, total: total_with_flat_amount };
}

/** The events of the line's filter and group. */
function eventsOf(
  events: readonly EventRecord[],
  charge: ChargeRecord,
  metric: BillableMetricRecord,
  { subject, usage }: InvoicePart,
  line: JudgedLine['line'],
): EventRecord[] {
  const filterId = line?.expected?.record.charge_filter_id ?? null;
  const groups = Object.entries(line?.expected?.record.item.grouped_by ?? {});
  return eventsIn(events, metric, subject.subscription.external_id, usage ?? { from: '', to: '' })
    .filter(({ properties }) => {
      const values = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, dimensionText(value)]));
      const isIn = matchingFilters(charge, metric, values).some(filter => (filter?.id ?? null) === filterId);
      return isIn && groups.every(([key, value]) => (values[key] ?? null) === value);
    })
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
}

/** Each event with the days that it weighs; what came before the period weighs all of it. */
function proratedRows(events: readonly EventRecord[], metric: BillableMetricRecord, window: UsageWindow): object[] {
  const { timezone, period_days: of_days } = window;
  const isUnique = metric.aggregation_type === 'unique_count_agg';
  const open = new Map<string | null, string>();
  const rows: object[] = [];
  const row = (who: string | null, units: string, from: string, to: string) => {
    const start = from < window.from ? window.from : from;
    if (to < window.from) return;
    rows.push({ ...(isUnique ? { who } : { units }), ...spanRow({ from: start, to }, timezone, of_days, {}) });
  };
  for (const event of events) {
    const { value, operation_type, timestamp } = usageEventOf(event, metric);
    if (!isUnique) {
      if (isNumeric(value)) row(null, value, timestamp, window.to);
    } else if (operation_type === 'add') open.set(value, open.get(value) ?? timestamp);
    else if (open.has(value)) {
      row(value, '1', open.get(value) ?? '', timestamp);
      open.delete(value);
    }
  }
  for (const [value, from] of open) row(value, '1', from, window.to);
  return rows;
}

function dailyRows(events: readonly EventRecord[], metric: BillableMetricRecord, window: UsageWindow): object[] {
  const days = new Map<string, { events: number; units: Big }>();
  for (const event of events) {
    const { value } = usageEventOf(event, metric);
    const date = event.timestamp < window.from ? 'before' : localDate(event.timestamp, window.timezone);
    const day = days.get(date) ?? { events: 0, units: new Big(0) };
    const units = metric.aggregation_type === 'count_agg' ? 1 : isNumeric(value) ? value : 0;
    days.set(date, { events: day.events + 1, units: day.units.plus(units) });
  }
  const isSum = ['count_agg', 'sum_agg'].includes(metric.aggregation_type);
  return [...days].map(([date, { events: count, units }]) => {
    return { date, events: count, ...(isSum && { units: decimalText(round(units, 5)) }) };
  });
}
