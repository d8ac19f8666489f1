/** The states that the reference solutions of a task lead to. */
import { nobody } from '../../definition/asking.ts';
import { createRuntime } from '../../server/runtime.ts';
import type { Reference, ReferenceCall, Task } from '../types.ts';
import { configOf, startAccount } from './desk.ts';
import { callAnsweringQuestions } from './recorder.ts';

/** A task that cannot be graded: its own solution does not work. */
export class ReferenceFailed extends Error {}

/**
 * Carries out each solution on an account of its own, through the same pipeline as an assistant's calls; every question
 * is accepted. Throws ReferenceFailed when a call is refused or changes nothing.
 */
export async function referencesOf(task: Task): Promise<Reference[]> {
  const { writes = [], or_writes = [] } = task.expect;
  const references: Reference[] = [];
  for (const calls of [writes, ...or_writes]) references.push(await reference(task, calls));
  return references;
}

async function reference(task: Task, calls: readonly ReferenceCall[]): Promise<Reference> {
  const service = await startAccount(task);
  try {
    // The solution is agreed to by form, whatever way of asking the task sets.
    const runtime = createRuntime({ config: { ...configOf(task, service), ask: ['form'] } });
    try {
      const { pipeline } = runtime;
      const context = { caller: runtime.ownCaller(), client: nobody };
      for (const [index, { tool, arguments: args }] of calls.entries()) {
        const refused = (why: string) =>
          new ReferenceFailed(`Task ${task.id}: call ${index + 1} of its solution, ${tool}, ${why}`);
        if (!pipeline.knows(tool)) throw refused('does not name a tool.');
        const { outcome } = await callAnsweringQuestions(pipeline, 'yes', tool, args, context);
        if (outcome.kind === 'ask') throw refused('ends with a question.');
        if (outcome.answer.isError) throw refused(`is refused: ${outcome.answer.summary}`);
        if (outcome.record.confirmedBy === undefined) throw refused(`changes nothing: ${outcome.answer.summary}`);
      }
    } finally {
      await runtime.close();
    }
    return { calls, after: await service.snapshot() };
  } finally {
    await service.close();
  }
}
