/** Into which usage period events fall, and whether that is invoiced (docs/lookups.md §6, §9). */

import Big from 'big.js';
import type { Usage } from '../../src/contract/answers.ts';
import { subscriptionStatuses } from '../../src/contract/enums.ts';
import type { Event, Fee } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { reasonOf } from '../../src/definition/failure.ts';
import { formatPeriod, isPast } from '../../src/words/dates.ts';
import { big } from '../../src/words/money.ts';
import { code, count, day, listed, money, opt, phrase, quantity, quoted, say } from '../../src/words/summary.ts';
import { zoneOfCustomer } from './one-record.ts';

/** How many invoiced periods are read. */
const mostPeriods = 12;

type Time = Event['timestamp'];
type Period = Pick<Usage, 'from_datetime' | 'to_datetime' | 'issuing_date'>;

export interface EventPeriods {
  zone: string | null;
  running: Period | null;
  /** Newest first; null where they could not be read. */
  invoiced: readonly Period[] | null;
  /** Why something is missing; null where nothing is. */
  missing: string | null;
  /** The account has no subscription with this external id, in any state. Only this proves it: events carry null ids (§3.19). */
  unknown: boolean;
}

const nothingKnown = { zone: null, running: null, invoiced: null, missing: null, unknown: false };

/** Of a subscription, for events at these times; null where the caller may not read it. */
export async function readEventPeriods(
  api: Api,
  external_id: string,
  times: readonly Time[],
): Promise<EventPeriods | null> {
  if (!api.mayUse('list_subscriptions')) return null;
  const query = { external_id, status: [...subscriptionStatuses] };
  const list = await api.list('/subscriptions', { key: 'subscriptions', query }, { per_page: 20 });
  if (!list.ok) return { ...nothingKnown, missing: reasonOf(list.error) };
  const rows = list.rows.filter(row => (row.external_id || external_id) === external_id);
  const active = rows.find(({ status }) => status === 'active');
  const customer = (active ?? rows[0])?.external_customer_id;
  if (!customer) return { ...nothingKnown, unknown: rows.length === 0 && !api.bound };
  const runningPeriod = active && {
    from_datetime: active.current_billing_period_started_at,
    to_datetime: active.current_billing_period_ending_at,
  };
  const isRunning = (time: Time) => runningPeriod !== undefined && holds(runningPeriod, time);
  const [zone, past] = await Promise.all([
    times.length === 0 ? null : zoneOfCustomer(api, customer),
    times.every(isRunning) || !api.mayUse('get_usage') ? {} : readInvoiced(api, customer, external_id),
  ]);
  return { ...nothingKnown, zone, running: runningPeriod ?? null, ...past };
}

async function readInvoiced(api: Api, customer: string, external_subscription_id: string) {
  const path = '/customers/{external_customer_id}/past_usage';
  const query = { external_subscription_id, periods_count: mostPeriods };
  const get = { key: 'usage_periods' as const, path: { external_customer_id: customer }, query };
  const list = await api.list(path, get, { per_page: mostPeriods });
  return list.ok ? { invoiced: list.rows as Period[] } : { missing: reasonOf(list.error) };
}

/** `to_datetime` is the last second. */
function holds({ from_datetime, to_datetime }: Period, time: Time): boolean {
  const [from, to, at] = [from_datetime, to_datetime, time].map(value => Date.parse(value ?? ''));
  return from !== undefined && to !== undefined && at !== undefined && from <= at && at < to + 1000;
}

/** `usage period 1 – 31 Mar (America/New_York), not invoiced yet`; null where it is not known. */
function periodOfTime(time: Time, { running: current, invoiced, zone }: EventPeriods, now: Date): string | null {
  const inWords = (period: Period) => formatPeriod(period.from_datetime, period.to_datetime, zone, now) || null;
  if (current !== null && holds(current, time)) return say`${inWords(current)}, not invoiced yet`;
  const period = invoiced?.find(each => holds(each, time));
  if (period === undefined) return null;
  return say`${inWords(period)}, ${issuedOn(period, now)}`;
}

/** `invoiced on 1 Mar`; of an invoice whose day of issue is to come: `on a draft, to be issued on 12 Sep`. */
export function issuedOn({ issuing_date }: Period, now: Date): string {
  const at = opt` on ${day(issuing_date, now)}`;
  return at === '' || isPast(issuing_date, now) ? `invoiced${at}` : `on a draft, to be issued${at}`;
}

/** Of one event: into which usage period it falls, or that this is not known. */
export function explainEventPeriod(time: Time, periods: EventPeriods | null, now: Date): string | null {
  if (periods === null) return null;
  const period = periodOfTime(time, periods, now);
  if (period !== null) return `It falls in the usage period ${period}`;
  const { missing, invoiced } = periods;
  if (missing !== null) return `Its usage period could not be read (${missing})`;
  return invoiced === null
    ? null
    : `Its usage period is neither the current one nor ${invoiced.length === 1 ? 'the last invoiced one' : `among the last ${invoiced.length} invoiced ones`}`;
}

/** `The account has no subscription “gone”, so nothing is billed for event e1`. */
export function unbilled(external_id: Event['external_subscription_id'], events: readonly Event[]): string | null {
  const ids = events.map(({ transaction_id }) => code(transaction_id) ?? '');
  const what = say`${events.length === 1 ? 'event' : 'events'} ${listed(ids, 3)}`;
  return say`The account has no subscription ${quoted(external_id)} in any state${opt`, so nothing is billed for ${what}`}`;
}

/** `17 fall into the usage period 1 – 31 Mar, not invoiced yet; 3 into 1 – 28 Feb, invoiced on 1 Mar`. */
export function explainEventPeriods(events: readonly Event[], periods: EventPeriods | null, now: Date): string | null {
  if (periods === null || periods.unknown) return null;
  const counts = new Map<string | null, number>();
  for (const { timestamp } of events) {
    const period = periodOfTime(timestamp, periods, now);
    counts.set(period, (counts.get(period) ?? 0) + 1);
  }
  const unknown = counts.get(null) ?? 0;
  const known = [...counts].flatMap(([period, n]) => (period === null ? [] : [`${n} in ${period}`]));
  const rest = unknown === 0 ? [] : [phrase`${unknown} in unknown periods${say` (${periods.missing})`}`];
  return say`By usage period: ${listed([...known, ...rest])}`;
}

/** `tokens 137,000 in 20 events`: of the events shown, with the sum where their metric is a sum. */
export async function sumsOf(api: Api, events: readonly Event[]): Promise<string | null> {
  const codes = [...new Set(events.flatMap(event => event.code || []))];
  const mayRead = codes.length > 0 && api.mayUse('list_catalogue');
  const get = { key: 'billable_metrics' as const };
  const metrics = mayRead ? await api.list('/billable_metrics', get, { per_page: 100 }) : null;
  // By the code of each metric that is a sum: the event property that it adds up.
  const summed = (metrics?.ok ? metrics.rows : []).filter(metric => metric.aggregation_type === 'sum_agg');
  const fields = new Map(summed.map(metric => [metric.code, metric.field_name]));
  const sums = codes.map(metric => {
    const ofMetric = events.filter(event => event.code === metric);
    const field = fields.get(metric);
    const values = ofMetric.map(({ properties }) => {
      const value = field ? properties?.[field] : null;
      return typeof value === 'string' || typeof value === 'number' ? big(value) : null;
    });
    const whole = values.every(value => value !== null);
    const sum = whole ? quantity(values.reduce((total, value) => total.plus(value ?? 0), new Big(0)).toFixed()) : null;
    return phrase`${code(metric)} ${say`${sum} in `}${count(ofMetric.length, 'event')}`;
  });
  return listed(sums, 6);
}

/** The fees of this event alone; null where they could not be read. */
export async function readEventFees(api: Api, event: Event): Promise<Fee[] | null> {
  const { transaction_id: id, external_subscription_id } = event;
  if (!id || !external_subscription_id || !api.mayUse('list_catalogue')) return null;
  const query = { external_subscription_id, event_transaction_id: id };
  const list = await api.list('/fees', { key: 'fees', query }, { per_page: 20 });
  if (!list.ok) return null;
  // A service that knows no such filter lists other fees.
  return list.rows.filter(
    fee => fee.event_transaction_id === id && fee.external_subscription_id === external_subscription_id,
  );
}

/** `Billed: $0.09 before tax, by a fee for just this event`; only such a fee says that an event is billed. */
export function explainEventFees(fees: readonly Fee[] | null | undefined): string | null {
  if (fees === null || fees === undefined) return null;
  const amounts = fees.map(fee => money(fee.amount_cents, fee.amount_currency));
  const sums = listed(amounts.filter(amount => amount !== null));
  return sums === null
    ? 'No fee is for just this event'
    : `Billed: ${sums} before tax, by ${fees.length === 1 ? 'a fee' : 'fees'} for just this event`;
}
