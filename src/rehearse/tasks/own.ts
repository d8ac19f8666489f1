/** The tasks of a rehearsal that names no file: 24, on the demo account. */
import type { Task } from '../types.ts';
import { injectionTasks } from './own-injections.ts';
import { answerTasks, questionTasks } from './own-questions.ts';
import { policyTasks, refusalTasks } from './own-refusals.ts';
import { writeTasks } from './own-writes.ts';

export const ownTasks: readonly Task[] = [
  ...answerTasks,
  ...writeTasks,
  ...refusalTasks,
  ...questionTasks,
  ...injectionTasks,
  ...policyTasks,
];
