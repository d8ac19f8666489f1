/** Whether and how people are asked about writes, in the one line that each start says it in. */
import { existsSync } from 'node:fs';
import type { Config } from './settings.ts';

type AskSettings = Pick<Config, 'confirm' | 'ask' | 'readOnly'>;

/** `noLinks`: what to do so that answers can link to an approval page, where they cannot. */
export function confirmText(config: AskSettings, noLinks?: string): string {
  const text = textOf(config);
  const { ask, confirm, readOnly } = config;
  const counts =
    !readOnly && confirm !== 'never' && confirm !== 'auto' && ask.includes('link') && !ask.includes('token');
  return counts && noLinks !== undefined
    ? `${text} Links do not work here: clients that support no other of these methods cannot write. To change that, ${noLinks}, or add token to BILLING_ASK.`
    : text;
}

/**
 * What to do so that a user can open pages of a server over stdio; undefined where that is so. In a container, 127.0.0.1 is
 * the container's own. Podman and systemd name a container in `container`, and so does our image. An empty value says that
 * the container's ports are forwarded.
 */
export function missingPages(
  { container, KUBERNETES_SERVICE_HOST: cluster }: NodeJS.ProcessEnv,
  exists: (path: string) => boolean = existsSync,
): string | undefined {
  const contained = container === undefined ? cluster !== undefined || exists('/.dockerenv') : container !== '';
  return contained ? 'run the server outside a container' : undefined;
}

function textOf({ confirm, ask, readOnly }: AskSettings): string {
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
