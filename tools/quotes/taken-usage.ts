/** Usage that was read from a subscription (docs/lookups.md §6), in the form of `usage` of `compare_plans`. */

import type { Body, ChargeUsage, Usage, UsagePart } from '../../src/contract/answers.ts';
import { ALL_FILTER_VALUES } from '../../src/contract/pricing/filters.ts';
import type { Api } from '../../src/definition/api.ts';
import { refuse, type ToolError } from '../../src/definition/failure.ts';
import { grouped } from '../../src/lib/collections.ts';
import { isPast } from '../../src/words/dates.ts';
import { asText, asTexts, code, count, sign } from '../../src/words/summary.ts';
import { readOne } from '../records/one-record.ts';
import type { ComparisonArguments, UsageEntry, UsageOrigin } from './compared-plans.ts';
import { metricOf } from './usage-parts.ts';

interface TakenUsage {
  usage: UsageEntry[];
  /** Where the entries differ from the usage that was read: `calls: region taken as eu, one of 2 values`. */
  changed: string[];
}

type UsageRead = Pick<ComparisonArguments, 'usage' | 'usage_of'>;

/** `earlier`: the periods before it, where several were asked for. */
type Read = { ok: true; prepared: UsageRead; earlier: readonly UsageRead[] } | { ok: false; error: ToolError };

/** A period by a word, by a month that it covers in the middle (`2026-07`), or the last ones. */
export type WantedUsage = 'current' | 'last_period' | { period?: string | undefined; last?: number | undefined };

/**
 * The usage of a subscription's running period or of the last invoiced one: `usage` as the argument takes it, and
 * `usage_of`, which says whose usage it is and when. Reads what get_usage reads, and only for callers that may use it.
 */
export async function readUsage(
  api: Api,
  wanted: WantedUsage,
  external_customer_id: string,
  external_subscription_id: string,
): Promise<Read> {
  const { tool } = api;
  if (!api.mayUse('get_usage'))
    return { ok: false, error: refuse('tool_not_offered', { case: 'usage', tool, reader: 'get_usage' }) };
  const [current, query] = [wanted === 'current', { external_subscription_id }];
  const period = typeof wanted === 'string' ? wanted : ('past' as const);
  const get = {
    key: 'usage_periods' as const,
    path: { external_customer_id },
    query: { ...query, periods_count: period === 'past' ? mostPeriods * 2 : mostPeriods },
  };
  const answer = current
    ? await readOne(api, 'customer_usage', external_customer_id, { query })
    : await api.get('/customers/{external_customer_id}/past_usage', get);
  if (!answer.ok) return answer;
  const periods = current
    ? [[answer.body as Usage]]
    : chosenPeriods((answer.body as Body).usage_periods ?? [], wanted, api.now);
  const [newest, ...earlier] = periods.map(rows => preparedFrom(rows, period, external_subscription_id));
  if (newest === undefined) {
    const subscription = code(external_subscription_id);
    return { ok: false, error: refuse('no_match', { case: 'past_usage', tool, subscription }) };
  }
  return { ok: true, prepared: newest, earlier };
}

function preparedFrom(
  [usage = {}, ...others]: readonly Usage[],
  period: UsageOrigin['period'],
  external_subscription_id: string,
): UsageRead {
  const { from_datetime, to_datetime, charges_usage } = usage;
  const taken = takenUsage(charges_usage);
  if (others.length > 0) taken.changed.push(`usage on ${count(others.length, 'other invoice')} left out`);
  return {
    usage: taken.usage,
    usage_of: {
      external_subscription_id,
      ...(period !== undefined && { period }),
      from_datetime,
      to_datetime,
      ...(taken.changed.length > 0 && { changed: taken.changed }),
    },
  };
}

/** Of the past usage, which has a row for each invoice, so many rows are read. */
const mostPeriods = 20;

/**
 * The invoices of each wanted period, the newest first, with the most charges first: charges that are billed at each event
 * have an invoice for each, in the running period too.
 */
function chosenPeriods(rows: readonly Usage[], wanted: WantedUsage, now: Date): Usage[][] {
  const all = rows.filter(({ from_datetime, to_datetime }) => from_datetime !== to_datetime);
  const over = all.filter(({ to_datetime }) => isPast(to_datetime, now));
  const charges = ({ charges_usage }: Usage) => charges_usage?.length ?? 0;
  const groups = grouped(over.length > 0 ? over : all, ({ from_datetime }) => from_datetime ?? '')
    .map(([first = {}]) => all.filter(({ from_datetime }) => from_datetime === first.from_datetime))
    .map(group => group.sort((a, b) => charges(b) - charges(a)));
  if (typeof wanted === 'string') return groups.slice(0, 1);
  if (wanted.period === undefined) return groups.slice(0, wanted.last ?? 1);
  const middle = Date.parse(`${wanted.period}-15T12:00:00Z`);
  const covers = ({ from_datetime, to_datetime }: Usage) =>
    Date.parse(from_datetime ?? '') <= middle && middle <= Date.parse(to_datetime ?? '');
  return groups.filter(([first = {}]) => covers(first)).slice(0, 1);
}

/** The entries of `charges_usage` that have units. Of a metric's charges, the one with the most filters and groups. */
function takenUsage(charges: Usage['charges_usage']): TakenUsage {
  const taken = grouped((charges ?? []).filter(metricOf), metricOf).map(group => {
    const metric = metricOf(group[0] ?? {});
    const all = group.map(each => takenFrom(each, metric));
    const used = all.filter(({ usage, changed }) => usage.length + changed.length > 0);
    const [first = { usage: [], changed: [] }, ...others] = used.sort((a, b) => b.usage.length - a.usage.length);
    // Charges of one metric see the same events, so that their units must not be added.
    const note = others.length === 0 ? [] : [`${metric}: taken from one of its ${used.length} charges`];
    return { usage: first.usage, changed: [...first.changed, ...note] };
  });
  return { usage: taken.flatMap(({ usage }) => usage), changed: taken.flatMap(({ changed }) => changed) };
}

function takenFrom(charge: ChargeUsage, metric: string): TakenUsage {
  const groups = charge.grouped_usage ?? [];
  const parts = (groups.length > 0 ? groups : [charge]).flatMap((group: UsagePart) => {
    const filters = group.filters ?? [];
    return (filters.length > 0 ? filters : [group]).map(part => ({ part, grouped: group.grouped_by ?? {} }));
  });
  const taken: TakenUsage = { usage: [], changed: [] };
  for (const { part, grouped } of parts) {
    const units = String(part.units ?? 0);
    if (sign(units) === 0) continue;
    if (sign(units) !== 1) {
      taken.changed.push(`${metric}: ${units} units left out`);
      continue;
    }
    const filter = filterOf(part.values, metric, taken.changed);
    const group = Object.entries(grouped).flatMap(([key, value]) => {
      const text = asText(value);
      return text === null ? [] : [[key, text] as const];
    });
    taken.usage.push({
      billable_metric_code: metric,
      units,
      ...(filter.length > 0 && { filter: Object.fromEntries(filter) }),
      ...(group.length > 0 && { groups: Object.fromEntries(group) }),
      ...(typeof part.events_count === 'number' && { events: part.events_count }),
    });
  }
  return { usage: taken.usage, changed: [...new Set(taken.changed)] };
}

/** One value for each key of a filter: on the plan that was billed, each of its values leads to the same price. */
function filterOf(values: UsagePart['values'], metric: string, changed: string[]): [string, string][] {
  return Object.entries(values ?? {}).flatMap(([key, list]): [string, string][] => {
    const all = asTexts(list);
    const [first] = all;
    if (first === undefined) return [];
    if (first === ALL_FILTER_VALUES) changed.push(`${metric}: ${key} treated as any value`);
    else if (all.length > 1) changed.push(`${metric}: ${key} treated as ${first}, one of ${all.length} values`);
    return [[key, first]];
  });
}
