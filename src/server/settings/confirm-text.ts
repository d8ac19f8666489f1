/** Whether and how people are asked about writes, in the one line that each start says it in. */
import type { Config } from './settings.ts';

export function confirmText({ confirm, ask, readOnly }: Pick<Config, 'confirm' | 'ask' | 'readOnly'>): string {
  if (readOnly) return 'Writes are off (BILLING_READ_ONLY).';
  switch (confirm) {
    case 'always':
      return `The user confirms every write, with the first of these methods that the client supports: ${ask.join(', ')} (BILLING_CONFIRM=always, BILLING_ASK).`;
    case 'auto': {
      const ways = ask.filter(way => way === 'url' || way === 'form');
      return ways.length === 0
        ? 'The chat host decides on every write: BILLING_CONFIRM=auto asks only by url or form, and BILLING_ASK does not list them.'
        : `The user confirms every write if the client supports ${ways.join(' or ')}; otherwise the chat host decides (BILLING_CONFIRM=auto, BILLING_ASK).`;
    }
    case 'never':
      return 'The server does not ask for confirmation before writes (BILLING_CONFIRM=never).';
    default:
      return `Each write is confirmed by the kinds of its changes (BILLING_CONFIRM=${confirm}), with the first of these methods that the client supports: ${ask.join(', ')} (BILLING_ASK).`;
  }
}
