/** Events that may be mistakes. They are listed with what the invoice would be without them, and never left out. */

import Big from 'big.js';
import { isNumeric } from '../../src/contract/pricing/money.ts';
import type { BillableMetricRecord, EventRecord } from '../../src/engine/records/index.ts';
import { count, money } from '../../src/words/summary.ts';
import { type CheckRecords, type JudgedLine, type Judgement, reason } from './check-records.ts';
import { needsNumber, usageEventOf } from './event-usage.ts';
import { judgeInvoice } from './verdicts.ts';

type Suspicion = 'repeated' | 'received_late' | 'no_value' | 'very_large';

export interface SuspiciousEvents {
  readonly why: Suspicion;
  readonly code: string;
  readonly count: number;
  readonly transaction_ids: readonly string[];
  /** Of the first of them. */
  readonly timestamp: string;
  /** The invoice's total without them, in cents. */
  readonly total_without_cents: number;
}

const mostIds = 3;
const mostRows = 8;
/** A value is very large beyond so many times the median of at least so many events. */
const timesMedian = 10;
const leastEvents = 10;

/** The invoice with the suspicious events of its usage. Lines that repeated or late events are on say so. */
export function withSuspicions(
  records: CheckRecords,
  judged: Judgement,
): { judged: Judgement; events: SuspiciousEvents[] } {
  const groups = [...suspectsOf(records)].map(([key, events]) => ({ why: key.split(' ')[0] as Suspicion, events }));
  let shown = judged;
  const rows = groups.flatMap(({ why, events }): SuspiciousEvents[] => {
    const [first] = events;
    const left = new Set(events);
    const without = judgeInvoice({ ...records, events: records.events.filter(event => !left.has(event)) });
    if (first === undefined || (why === 'received_late' && !explains(judged, without))) return [];
    if (why === 'repeated' || why === 'received_late')
      shown = withReasons(shown, without, why, count(events.length, 'event'), records.invoice.currency);
    const transaction_ids = events.slice(0, mostIds).map(({ transaction_id }) => transaction_id);
    const { code, timestamp } = first;
    return [{ why, code, count: events.length, transaction_ids, timestamp, total_without_cents: without.right }];
  });
  return { judged: shown, events: rows.slice(0, mostRows) };
}

/** Late events are those that were not billed: the invoice is right without them. */
function explains(judged: Judgement, without: Judgement): boolean {
  const wrong = (one: Judgement) => one.lines.filter(({ verdict }) => verdict === 'differs').length;
  return wrong(without) < wrong(judged);
}

function withReasons(
  judged: Judgement,
  without: Judgement,
  why: Suspicion,
  several: string,
  currency: unknown,
): Judgement {
  const lines = judged.lines.map((line): JudgedLine => {
    const other = without.lines.find(each => each.line?.billed === line.line?.billed && each.fee === line.fee);
    const cents = other?.expected_amount_cents ?? 0;
    if (line.expected_amount_cents === null || line.line?.billed === null || cents === line.expected_amount_cents)
      return line;
    const repeated = `${several} arrived twice; without the repeats, the line is ${money(cents, currency)}.`;
    const late = `${several} arrived after the invoice was issued.`;
    const more =
      why === 'repeated'
        ? reason('usage', why, repeated, line.billed_amount_cents - cents)
        : reason('usage', why, late, 0);
    const verdict = line.verdict === 'differs' ? 'differs' : 'cannot_judge';
    return { ...line, verdict, reasons: [...line.reasons, more] };
  });
  const isOpen = lines.some(({ verdict }) => verdict === 'cannot_judge');
  const { total } = judged;
  return {
    ...judged,
    lines,
    total: isOpen && total.verdict === 'agrees' ? { ...total, verdict: 'cannot_judge' } : total,
  };
}

function suspectsOf({ events, metrics, invoice }: CheckRecords): Map<string, EventRecord[]> {
  const groups = new Map<string, EventRecord[]>();
  const add = (why: Suspicion, event: EventRecord) => {
    const key = `${why} ${event.external_subscription_id} ${event.code}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  };
  const issuedAt = new Date(Date.parse(invoice.created_at ?? '') || 0).toISOString();
  const seen = new Set<string>();
  for (const event of [...events].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
    const key = identityOf(event);
    if (seen.has(key)) add('repeated', event);
    seen.add(key);
    const metric = metrics.get(event.code);
    if (metric && needsNumber(metric) && !isNumeric(usageEventOf(event, metric).value)) add('no_value', event);
    if (invoice.svc_id && event.created_at > issuedAt) add('received_late', event);
  }
  for (const metric of metrics.values()) for (const event of veryLarge(events, metric)) add('very_large', event);
  return groups;
}

/** Same time, metric and properties: whatever their transaction IDs are. */
function identityOf({ external_subscription_id: of, code, timestamp, properties, ...event }: EventRecord): string {
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([of, code, timestamp, sorted, event.precise_total_amount_cents]);
}

function veryLarge(events: readonly EventRecord[], metric: BillableMetricRecord): EventRecord[] {
  if (!needsNumber(metric)) return [];
  const values = events.flatMap(event => {
    const { value } = usageEventOf(event, metric);
    return event.code === metric.code && isNumeric(value) ? [{ event, value: new Big(value) }] : [];
  });
  if (values.length < leastEvents) return [];
  const sorted = values.map(({ value }) => value).sort((a, b) => a.cmp(b));
  const median = sorted[Math.floor(sorted.length / 2)] ?? new Big(0);
  const large = values.filter(({ value }) => median.gt(0) && value.gt(median.times(timesMedian)));
  return large.map(({ event }) => event);
}
