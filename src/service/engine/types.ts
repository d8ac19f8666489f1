/**
 * What the parts of the engine hand each other. Everything is plain data: records in, records out.
 * Instants are ISO text (see ../records.ts); decimals inside the engine are `Big`.
 */
import type Big from 'big.js';
import type {
  BillableMetricRecord,
  ChargeFilterRecord,
  ChargeRecord,
  DateText,
  DecimalText,
  InstantText,
  JsonObject,
} from '../records.ts';

/** A whole number of local days: `from` is 00:00:00 of the first, `to` 23:59:59 of the last, both as UTC instants (§7.1). */
export interface Period {
  from: InstantText;
  to: InstantText;
  first_day: DateText;
  last_day: DateText;
}

/** What the period rules need to know of a subscription (§7.1). `start` is `subscription_at`. */
export interface PeriodBasis {
  interval: string; // weekly | monthly | quarterly | semiannual | yearly
  billing_time: 'calendar' | 'anniversary';
  start: InstantText;
  timezone: string;
}

/** Which numbers of a charge's events the engine needs; the store answers it from the database. */
export interface UsageQuery {
  key: string; // unique within one computation, e.g. the charge id
  metric: BillableMetricRecord;
  external_subscription_id: string;
  /** Usage window, both ends included. Recurring metrics also look at what came before `from`. */
  from: InstantText;
  to: InstantText;
  /** Event properties that decide filters and groups: one row per combination of their values. */
  dimensions: string[];
  /** `totals`: one aggregated row per combination. `events`: also every event in time order (models that price event by event). */
  need: 'totals' | 'events';
}

export interface UsageEvent {
  transaction_id: string;
  timestamp: InstantText;
  /** The metric's field as text, null when the event has none. */
  value: string | null;
  operation_type: 'add' | 'remove';
  precise_total_amount_cents: DecimalText | null;
}

/** The events of one combination of dimension values. */
export interface UsageRow {
  dimensions: { [key: string]: string | null };
  events_count: number;
  sum: DecimalText; // of numeric values in the window
  max: DecimalText | null;
  latest: { timestamp: InstantText; value: DecimalText } | null;
  unique_count: number; // distinct values still added at the end of the window
  precise_total_amount_cents: DecimalText;
  /** Recurring metrics: the level at the start of the window. */
  carried_sum: DecimalText;
  carried_values: string[];
  /** In time order; empty unless `need` is `events`. */
  events: UsageEvent[];
}

export type UsageAnswer = Map<UsageQuery['key'], UsageRow[]>;

/** One fee's worth of usage: a charge, the filter its events fall under, and one combination of grouping values (§8). */
export interface Bucket {
  charge: ChargeRecord;
  filter: ChargeFilterRecord | null;
  properties: JsonObject; // the filter's, or the charge's own
  grouped_by: { [key: string]: string | null };
  aggregate: Aggregate;
}

/** The aggregated usage of a bucket, ready to be priced (§8). */
export interface Aggregate {
  /** Units that are priced: prorated where the charge is, rounded by the metric where that applies. */
  units: Big;
  /** Units that are shown. */
  full_units: Big;
  /** Current level of a recurring or weighted metric; null otherwise. */
  total_aggregated_units: Big | null;
  events_count: number;
  precise_total_amount_cents: Big;
  /** Value of each event in time order, for models that need them; empty otherwise. */
  event_values: Big[];
}

/** The price of an aggregate, in major units and not rounded (§9). */
export interface Price {
  amount: Big;
  unit_amount: Big;
  amount_details: JsonObject;
}
