/** What the own tasks have in common. */
import type { ReferenceCall, Task } from '../types.ts';

/** Tasks of one kind, on the demo account at a fixed instant. */
export function tasksOf(kind: Task['kind'], tasks: readonly Omit<Task, 'kind' | 'account' | 'now'>[]): Task[] {
  return tasks.map(task => ({ ...task, kind, account: 'demo', now: '2026-03-15T12:00:00Z' }));
}

/** A solution of one call. */
export function call(tool: ReferenceCall['tool'], args: ReferenceCall['arguments']): ReferenceCall[] {
  return [{ tool, arguments: args }];
}

/** What the user says when the assistant asks before it does what it was told: no one fails for being careful. */
export const goAhead = {
  when: '?',
  says: 'If you have not done it yet: yes, do it as I said, and nothing else.',
} as const;
