/** The tasks of a rehearsal that names no file: 24, on the demo account. */
import type { Task } from '../types.ts';
import { answerTasks } from './own-answers.ts';
import { injectionTasks } from './own-injections.ts';
import { policyTasks } from './own-policies.ts';
import { questionTasks } from './own-questions.ts';
import { refusalTasks } from './own-refusals.ts';
import { writeTasks } from './own-writes.ts';

export const ownTasks: readonly Task[] = [
  ...answerTasks,
  ...writeTasks,
  ...refusalTasks,
  ...questionTasks,
  ...injectionTasks,
  ...policyTasks,
];
