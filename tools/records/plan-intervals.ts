/** How long the periods of plan fees are, which rows of subscriptions do not say (docs/lookups.md §3). */
import type { Plan, Subscription } from '../../src/contract/shown.ts';
import type { Api } from '../../src/definition/api.ts';
import { sign } from '../../src/words/summary.ts';
import { readShown } from './one-record.ts';

/** More plans than these are not read in one call. */
const mostPlans = 3;

export interface WithInterval {
  readonly plan_interval?: Plan['interval'];
}

/** The rows, with the interval of the first plans that have a fee, as far as they can be read. */
export async function withIntervals<Row extends Subscription>(
  api: Api,
  rows: readonly Row[],
  most = mostPlans,
): Promise<(Row & WithInterval)[]> {
  const priced = rows.filter(row => sign(row.plan_amount_cents) === 1);
  const codes = [...new Set(priced.flatMap(row => row.plan_code || []))].slice(0, Math.min(most, mostPlans));
  const plans = await Promise.all(
    codes.map(async code => [code, (await readShown(api, 'plan', code))?.interval] as const),
  );
  const intervals = new Map(plans);
  return rows.map(row => {
    const plan_interval = intervals.get(row.plan_code ?? '') ?? null;
    return plan_interval === null ? row : { ...row, plan_interval };
  });
}
