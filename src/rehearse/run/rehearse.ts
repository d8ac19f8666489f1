/** A whole rehearsal: every task so many times, several runs at a time, each graded as it ends. */
import type { Reference, Rehearsal, RunRecord, Task, TaskResult, Verdict } from '../types.ts';
import { referencesOf } from './reference.ts';
import { type Running, runTask } from './run-task.ts';

export interface Plan extends Running {
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

interface Place {
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
  const places: Place[] = [];
  for (const task of tasks) {
    if (signal.aborted) break;
    const references = await referencesOf(task);
    for (let run = 0; run < runs; run++) places.push({ task, references, run });
  }
  await inParallel(places, plan);
  const results = tasks.flatMap((task): TaskResult[] => {
    const done = places.flatMap(place => (place.task === task && place.done ? [place.done] : []));
    return done.length === 0 ? [] : [{ task, runs: done }];
  });
  return { agent, tasks: origin, runs, startedAt: startedAt.toISOString(), results };
}

/** When one run cannot be carried out, the others are stopped, and the first error is thrown. */
async function inParallel(places: readonly Place[], plan: Plan): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([plan.signal, failure.signal]);
  const waiting = [...places];
  let ended = 0;
  const work = async () => {
    for (let place = waiting.shift(); place && !signal.aborted; place = waiting.shift()) {
      const { task, references, run } = place;
      const record = await runTask(task, { ...plan, signal });
      if (record === null) return;
      const verdict = plan.grade(task, record, references);
      // The states have been compared. Those of a hundred runs would fill the memory.
      place.done = { record: { ...record, before: {}, after: {} }, verdict };
      ended++;
      plan.onRun?.({ task, run: run + 1, record, verdict, ended, of: places.length });
    }
  };
  const works = Array.from({ length: plan.jobs }, () =>
    work().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
