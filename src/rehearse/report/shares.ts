/** What the reports tell of runs: how often tasks are solved, what a run took, and which writes it made. */
import type { ConfirmedBy } from '../../definition/asking.ts';
import type { RecordedCall, RunRecord, TaskResult } from '../types.ts';

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

/** The mean over the tasks (pass^k); null when there is none, or when one of them has fewer runs than k. */
export function meanPassPower(results: readonly Pick<TaskResult, 'runs'>[], k: number): number | null {
  const shares = results.flatMap(result => passPower(result, k) ?? []);
  if (shares.length === 0 || shares.length < results.length) return null;
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** For one run, over all runs of these tasks. */
export function meansOf(results: readonly TaskResult[]) {
  const records = results.flatMap(({ runs }) => runs.map(({ record }) => record));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  return {
    calls: mean(records.map(({ calls }) => calls.length)),
    tokens: mean(records.map(({ tokens }) => tokens)),
    seconds: mean(records.map(({ durationMs }) => durationMs / 1000)),
  };
}

type Write = RecordedCall & { confirmedBy: ConfirmedBy };

/** The writes that were carried out, in their order. */
export function writesOf({ calls }: Pick<RunRecord, 'calls'>): Write[] {
  return calls.filter((call): call is Write => call.confirmedBy !== undefined);
}

const words: Readonly<Record<ConfirmedBy, string>> = {
  person: 'user (form or page)',
  page: 'click in the chat',
  link: 'click on a page of the server',
  host: 'host (the server sent no prompt)',
  token: 'token (no user was asked)',
  policy: 'setting (no user was asked)',
};

/** Who confirmed it. */
export function agreedBy({ questionAndReply, confirmedBy }: Pick<Write, 'questionAndReply' | 'confirmedBy'>): string {
  return confirmedBy === 'person' && questionAndReply ? 'scripted user (form)' : words[confirmedBy];
}
