/** The words that an agent's command reads. */
import type { Task, Turn } from '../types.ts';

/** Rules of the operator, the day, the conversation so far and the person's new words, as paragraphs. */
export function promptOf({ rules, now }: Pick<Task, 'rules' | 'now'>, earlier: readonly Turn[], says: string): string {
  const day = new Date(now).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const conversation = earlier.flatMap(turn => [`User: ${turn.says}`, `Assistant: ${turn.answer.trim()}`]);
  const words = earlier.length === 0 ? says : `User: ${says}`;
  return `${[...(rules === undefined ? [] : [rules]), `Today is ${day}.`, ...conversation, words].join('\n\n')}\n`;
}
