/** Prompts for those who review the server for a directory, from the tasks on the demo account. */
import { lookupTasks } from './lookup-tasks.ts';
import { type Task, tasks } from './tasks.ts';
import { changeTasks } from './whole-answers-changes.ts';
import { invoiceTasks } from './whole-answers-invoices.ts';
import { walletTasks } from './whole-answers-wallets.ts';

const kinds: readonly (readonly Task[])[] = [tasks, lookupTasks, invoiceTasks, walletTasks, changeTasks];

const refusalOf = ({ calls }: Task) => calls.find(({ error }) => error !== undefined)?.error;

/** The first task of each kind that is answered, and the first three that end in a refusal, with its code. */
export function reviewPrompts(): { positive: string[]; negative: string[] } {
  const answered = kinds.flatMap(ofKind => ofKind.filter(task => !refusalOf(task)).slice(0, 1));
  const refused = kinds.flat().filter(refusalOf).slice(0, 3);
  return {
    positive: answered.map(({ question }) => question),
    negative: refused.map(task => `${task.question} (${refusalOf(task)})`),
  };
}
