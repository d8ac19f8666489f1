/** What a list of plans and a customer's usage do not say of a metric (docs/lookups.md §10). */

import type { Api } from '../../src/definition/api.ts';

/** More metrics than these are not read in one call. */
const mostMetrics = 5;

/** Whether metrics keep their value from period to period, by code; what could not be read is missing. */
export async function recurringOf(api: Api, codes: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
  const entries = await Promise.all(
    codes.slice(0, mostMetrics).map(async code => {
      const answer = await api.get('/billable_metrics/{code}', { key: 'billable_metric', path: { code } });
      const recurring = answer.ok ? answer.body.billable_metric?.recurring : undefined;
      return typeof recurring === 'boolean' ? ([[code, recurring]] as const) : [];
    }),
  );
  return new Map(entries.flat());
}
