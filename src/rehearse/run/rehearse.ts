/** A whole rehearsal: every task so many times, several runs at a time, each graded as it ends. */
import type { Reference, Rehearsal, RunRecord, Task, TaskResult, Verdict } from '../types.ts';
import { referencesOf } from './reference.ts';
import { type AgentOptions, runTask } from './run-task.ts';

export interface Plan extends AgentOptions {
  tasks: readonly Task[];
  /** `own`, or the path of the file. */
  origin: string;
  /** Runs of each task. */
  runs: number;
  /** Runs at a time. */
  jobs: number;
  startedAt: Date;
  grade(task: Task, record: RunRecord, references: readonly Reference[]): Verdict;
  onRun?(ended: EndedRun): void;
}

export interface EndedRun {
  task: Task;
  /** From 1. */
  run: number;
  record: RunRecord;
  verdict: Verdict;
  /** Runs that have ended, this one included, and runs in all. */
  ended: number;
  of: number;
}

interface PlannedRun {
  task: Task;
  references: readonly Reference[];
  /** From 0. */
  run: number;
  done?: { record: RunRecord; verdict: Verdict };
}

/**
 * Throws ReferenceFailed, before anything else runs, when a task cannot be graded; ConfigError and AccountFileError for
 * its settings and account. After the signal the results hold what has ended; tasks without an ended run are left out.
 */
export async function rehearse(plan: Plan): Promise<Rehearsal> {
  const { tasks, runs, agent, origin, signal, startedAt } = plan;
  const plannedRuns: PlannedRun[] = [];
  for (const task of tasks) {
    if (signal.aborted) break;
    const references = await referencesOf(task);
    for (let run = 0; run < runs; run++) plannedRuns.push({ task, references, run });
  }
  await inParallel(plannedRuns, plan);
  const results = tasks.flatMap((task): TaskResult[] => {
    const done = plannedRuns.flatMap(planned => (planned.task === task && planned.done ? [planned.done] : []));
    return done.length === 0 ? [] : [{ task, runs: done }];
  });
  return { agent, tasks: origin, runs, startedAt: startedAt.toISOString(), results };
}

/** When one run cannot be carried out, the others are stopped, and the first error is thrown. */
async function inParallel(plannedRuns: readonly PlannedRun[], plan: Plan): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([plan.signal, failure.signal]);
  const waiting = [...plannedRuns];
  let ended = 0;
  const worker = async () => {
    for (let planned = waiting.shift(); planned && !signal.aborted; planned = waiting.shift()) {
      const { task, references, run } = planned;
      const record = await runTask(task, { ...plan, signal });
      if (record === null) return;
      const verdict = plan.grade(task, record, references);
      // The states have been compared. Those of a hundred runs would fill the memory.
      planned.done = { record: { ...record, before: {}, after: {} }, verdict };
      ended++;
      plan.onRun?.({ task, run: run + 1, record, verdict, ended, of: plannedRuns.length });
    }
  };
  const workers = Array.from({ length: plan.jobs }, () =>
    worker().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
