/**
 * Some charges are billed by event: without an event the service bills nothing, but its current usage shows the first
 * tier's flat amount for them (service-behaviour §9, §10.3). Usage does not say how a charge is billed. So that is
 * read, but only if a charge has an amount without usage.
 */
import type { ChargeUsage, Usage } from '../../src/contract/answers.ts';
import type { Charge } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { metricOf, sumOf, unusedCents, withoutUnused } from '../quotes/usage-parts.ts';
import { readOrNull } from './one-record.ts';

export interface BilledUsage {
  usage: Usage;
  /** In cents: what the service shows and will not bill; it is not in `usage`. */
  unbilled: number;
  /** In cents: what may be such, because it could not be read how it is billed; it is in `usage`. */
  unchecked: number;
}

/** The usage as it will be billed. `most`: how many reads it may cost; `known`: the charges that are billed at each event. */
export async function billedUsage(
  api: Api,
  usage: Usage,
  external_id: string,
  most = Number.POSITIVE_INFINITY,
  known?: readonly Charge[] | null,
): Promise<BilledUsage> {
  const entries = usage.charges_usage ?? [];
  const unused = entries.filter(entry => unusedCents(entry) !== 0);
  const all = unused.reduce((sum, entry) => sum + unusedCents(entry), 0);
  if (all === 0) return { usage, unbilled: 0, unchecked: 0 };
  // A count never recurs.
  const metrics = [...new Set(unused.filter(entry => typeOf(entry) !== 'count_agg').map(metricOf))];
  const mayRead = known === undefined && most >= 1 + metrics.length;
  const charges = mayRead ? await readInAdvance(api, external_id) : (known ?? null);
  if (charges === null) return { usage, unbilled: 0, unchecked: all };
  const inAdvance = new Set(charges.flatMap(({ svc_id }) => svc_id ?? []));
  const inAdvanceEntries = unused.filter(entry => inAdvance.has(entry.charge?.svc_id ?? ''));
  const metricCodes = inAdvanceEntries.filter(entry => typeOf(entry) !== 'count_agg').map(metricOf);
  const recurring = await recurringOf(api, [...new Set(metricCodes)]);
  const recurs = (entry: ChargeUsage) => (typeOf(entry) === 'count_agg' ? false : recurring.get(metricOf(entry)));
  const free = new Set(inAdvanceEntries.filter(entry => recurs(entry) === false));
  const unknown = inAdvanceEntries.filter(entry => recurs(entry) === undefined);
  const unbilled = [...free].reduce((sum, entry) => sum + unusedCents(entry), 0);
  const unchecked = unknown.reduce((sum, entry) => sum + unusedCents(entry), 0);
  return { usage: withoutUnbilled(usage, free, unbilled), unbilled, unchecked };
}

/** The service's taxes are for all amounts that it shows: if some amounts are left out, the taxes are too. */
function withoutUnbilled(usage: Usage, free: ReadonlySet<ChargeUsage>, cents: number): Usage {
  if (cents === 0) return usage;
  const { taxes_amount_cents: _, total_amount_cents: __, ...rest } = usage;
  const charges_usage = (usage.charges_usage ?? []).map(entry => (free.has(entry) ? withoutUnused(entry) : entry));
  const amount = typeof usage.amount_cents === 'number' ? usage.amount_cents : sumOf(usage.charges_usage);
  return { ...rest, charges_usage, ...(amount !== null && { amount_cents: amount - cents }) };
}

/** The charges that are billed at each event, with their names; null where they could not be read. */
export async function readInAdvance(api: Api, external_id: string): Promise<Charge[] | null> {
  const get = { key: 'charges' as const, path: { external_id }, query: { per_page: 100 } };
  const answer = await api.get('/subscriptions/{external_id}/charges', get);
  if (!answer.ok) return null;
  return (answer.body.charges ?? []).filter(({ pay_in_advance }) => pay_in_advance === true);
}

function typeOf({ billable_metric }: ChargeUsage): string | null | undefined {
  return billable_metric?.aggregation_type;
}

/** More metrics than these are not read in one call. */
const mostMetrics = 5;

/** Whether metrics keep their value from period to period, by code; what could not be read is missing. */
export async function recurringOf(api: Api, codes: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const entries = await Promise.all(
    codes.slice(0, mostMetrics).map(async code => {
      const recurring = (await readOrNull(api, 'billable_metric', code))?.recurring;
      return typeof recurring === 'boolean' ? ([[code, recurring]] as const) : [];
    }),
  );
  return new Map(entries.flat());
}
