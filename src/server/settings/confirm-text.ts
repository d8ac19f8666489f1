/** Whether and how people are asked about writes, in the one line that each start says it in. */
import type { Config } from './settings.ts';

export function confirmText({ confirm, ask, readOnly }: Pick<Config, 'confirm' | 'ask' | 'readOnly'>): string {
  if (readOnly) return 'Nothing is changed (BILLING_READ_ONLY).';
  switch (confirm) {
    case 'always':
      return `Before every write the person is asked, in the first of these ways that the client offers: ${ask.join(', ')} (BILLING_CONFIRM=always, BILLING_ASK).`;
    case 'auto': {
      const ways = ask.filter(way => way === 'url' || way === 'form');
      return ways.length === 0
        ? 'Every write is left to the chat host: BILLING_CONFIRM=auto asks by url and form alone, and BILLING_ASK has neither.'
        : `Before a write the person is asked where the client offers ${ways.join(' or ')}; elsewhere it is left to the chat host (BILLING_CONFIRM=auto, BILLING_ASK).`;
    }
    case 'never':
      return 'Nobody is asked before a write (BILLING_CONFIRM=never).';
  }
}
