/** How often tasks are solved: pass^k is the share of tasks that pass k runs out of k, estimated from n runs of each. */
import type { TaskResult } from '../types.ts';

/**
 * C(passed, k) / C(runs, k): the chance that k runs chosen from those of the task all passed. Null with fewer runs than k.
 */
function passPower({ runs }: Pick<TaskResult, 'runs'>, k: number): number | null {
  const n = runs.length;
  const passed = runs.filter(({ verdict }) => verdict.passed).length;
  if (n < k) return null;
  let share = 1;
  for (let i = 0; i < k; i++) share *= Math.max(0, passed - i) / (n - i);
  return share;
}

/** The mean over the tasks; null when there is none, or when one of them has fewer runs than k. */
export function meanPassPower(results: readonly Pick<TaskResult, 'runs'>[], k: number): number | null {
  const shares = results.map(result => passPower(result, k));
  if (shares.length === 0) return null;
  let sum = 0;
  for (const share of shares) {
    if (share === null) return null;
    sum += share;
  }
  return sum / shares.length;
}

export interface Means {
  calls: number;
  tokens: number;
  seconds: number;
}

/** For one run, over all runs of these tasks. */
export function meansOf(results: readonly TaskResult[]): Means {
  const records = results.flatMap(({ runs }) => runs.map(({ record }) => record));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  return {
    calls: mean(records.map(({ calls }) => calls.length)),
    tokens: mean(records.map(({ tokens }) => tokens)),
    seconds: mean(records.map(({ durationMs }) => durationMs / 1000)),
  };
}
