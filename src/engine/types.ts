/**
 * The data that the parts of the engine pass to each other. Everything is plain data.
 * Instants are ISO text (see ../records/index.ts); decimals inside the engine are `Big`.
 */

import type { BillingTime, Interval } from '../contract/enums.ts';
import type { Aggregate, PriceProperties } from '../contract/pricing/types.ts';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  DateText,
  DecimalText,
  InstantText,
  PresentationPart,
} from './records/index.ts';

/** A span of time, both ends included, as UTC instants. */
export interface Bounds {
  from: InstantText;
  to: InstantText;
}

/** A whole number of local days: `from` is 00:00:00 of the first, `to` 23:59:59.999 of the last, both as UTC instants (§7.1). */
export interface Period extends Bounds {
  first_day: DateText;
  last_day: DateText;
}

/** The fields of a subscription that the period rules use (§7.1). `start` is `subscription_at`. */
export interface PeriodBasis {
  interval: Interval;
  billing_time: BillingTime;
  start: InstantText;
  timezone: string;
}

/** The usage of one charge that the engine needs; the store reads it from the database. */
export interface UsageQuery {
  key: string; // unique within one computation, e.g. the charge id
  metric: BillableMetricRecord;
  external_subscription_id: string;
  /** Usage window, both ends included. Recurring metrics also look at what came before `from`. */
  from: InstantText;
  to: InstantText;
  /** Event properties that decide filters and groups. The answer has one row per combination of their values. */
  dimensions: string[];
  /** `totals`: one aggregated row per combination. `events`: also every event in time order (models that price event by event). */
  need: 'totals' | 'events';
  /**
   * With `events`: only this many, the earliest, of each combination; null for all. With `in_advance` all, if a
   * combination has no paid units yet: the event that brings its first units also pays for earlier ones (§10.3).
   */
  first_events: number | null;
  /** With `events`: only up to the event at which a combination's running total exceeds this; null for all. */
  until_total: DecimalText | null;
  /** With `events`: also those before the window, in `earlier_events` (free allowances on recurring sums, §9). */
  earlier: boolean;
  /** Sums and unique counts: also `net` and `peak`, which pay-in-advance charges need (§10.3). */
  in_advance: boolean;
  /** With `in_advance`: only later events make `net` and `peak`; null for all of the window (§8). */
  peaks_from: InstantText | null;
  /** Unique counts without dimensions: return the history of this value only, not of every value. */
  probe: string | null;
  /** Also the sum of `precise_total_amount_cents` (dynamic charges). */
  amounts: boolean;
}

export interface UsageEvent {
  transaction_id: string;
  timestamp: InstantText;
  /** The metric's field as text, null when the event has none. */
  value: string | null;
  operation_type: 'add' | 'remove';
  precise_total_amount_cents: DecimalText | null;
}

/** When a unique count's value was last added and removed, before the window (recurring metrics only) and within it. */
export interface ValueHistory {
  /** null: the events without the property, which are one value together. */
  value: string | null;
  added_before: InstantText | null;
  removed_before: InstantText | null;
  added_within: InstantText | null;
  removed_within: InstantText | null;
}

/** The events of one combination of dimension values. */
export interface UsageRow {
  dimensions: { [key: string]: string | null };
  /** Events in the window; for sums, max, latest and weighted sums only those with a numeric value. */
  events_count: number;
  /** Recurring sums: events before the window; 0 otherwise. */
  carried_events: number;
  sum: DecimalText; // of numeric values in the window
  max: DecimalText | null;
  /** The numeric value of the latest event; at the same instant, of the event with the highest transaction id. */
  latest: { timestamp: InstantText; transaction_id: string; value: DecimalText } | null;
  unique_count: number; // distinct values still added at the end of the window, null being one
  /** Unique counts: the history of each value, where dimensions or single values are needed; otherwise empty. */
  values: ValueHistory[];
  /** C after the window's last event: the net change, without what is carried; only with `in_advance` (§10.3). */
  net: DecimalText;
  /** M after the window's last event: the highest C; only with `in_advance` (§10.3). */
  peak: DecimalText;
  /** As the query has it. */
  peaks_from: InstantText | null;
  precise_total_amount_cents: DecimalText;
  /** Weighted sums: Σ value × milliseconds from the window's start to its event. */
  moment: DecimalText;
  /** Recurring metrics: the level at the start of the window. */
  carried_sum: DecimalText;
  carried_values: (string | null)[];
  /** In time order; empty unless `need` is `events`. */
  events: UsageEvent[];
  /** Those before the window, in time order; empty unless the query asks for them. */
  earlier_events: UsageEvent[];
}

export type UsageAnswer = Map<UsageQuery['key'], UsageRow[]>;

/** The usage of one fee: a charge, the filter that its events match, and one combination of grouping values (§8). */
export interface Bucket {
  charge: ChargeRecord;
  filter: ChargeFilterRecord | null;
  properties: PriceProperties; // the filter's, or the charge's own
  grouped_by: { [key: string]: string | null };
  aggregate: Aggregate;
  /** Its units divided for display; absent where they are not. */
  presentation_breakdowns?: PresentationPart[];
  /** The usage that was aggregated; a further event adds to it (§10.3). */
  usage: UsageRow;
}

/** The time over which usage is aggregated. */
export interface UsageWindow extends Bounds {
  /** The whole usage period that the window lies in, and its length in days (§7.2). */
  period: Period;
  period_days: number;
  timezone: string;
  /** An upgrade ends the window: a charge minimum then counts one day less (§10.2). */
  upgraded?: boolean;
}
