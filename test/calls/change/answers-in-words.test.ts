/** What is told of each answer that is no yes, in one file that reads as a page. */
import { expect, it } from 'vitest';
import { type AskRoute, askRoutes, type Reply } from '../../../src/definition/asking.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { answered, serverWith, showing } from './support.ts';

const replies: Record<string, Reply> = {
  'answered with no': { action: 'accept', content: { answer: 'no' } },
  'declined by the host': { action: 'decline' },
  'cancelled by the host': { action: 'cancel' },
  'accepted without an answer': { action: 'accept', content: {} },
  'left without an answer': { action: 'unanswered', reason: 'it returned error -32603' },
};
const settings: [string, 'always' | 'auto', readonly AskRoute[]][] = [
  ['BILLING_CONFIRM=always', 'always', askRoutes],
  ['BILLING_CONFIRM=always, BILLING_ASK=url,form', 'always', ['url', 'form']],
  ['BILLING_CONFIRM=auto', 'auto', askRoutes],
];

it('what is told of a form that brought no yes reads as a page', async () => {
  const parts = ['# What is told of a form that brought no yes\n'];
  for (const [title, confirm, ask] of settings) {
    parts.push(`## ${title}\n`);
    for (const [what, reply] of Object.entries(replies)) {
      for (const remembered of [false, true]) {
        const server = serverWith({ confirm, ask });
        const client = { ...showing('form', 'buttons'), failed: remembered ? new Set<AskRoute>() : undefined };
        const { state } = await server.ask(client);
        const outcome = await server.call({ ...client, state, reply });
        if (!('error' in outcome)) throw new Error(outcome.kind);
        const { code, message, hint, details } = outcome.error;
        const token = (details as JsonRecord | null | undefined)?.confirmation ? ' (with a token)' : '';
        const told = `**${what}${remembered ? ', on a connection that is remembered' : ''}** \`${code}\`${token}\n\n${message}\n\n→ ${hint}\n`;
        // What says the same as the line before it is left out.
        if (!remembered || parts.at(-1)!.split('\n\n→ ')[1] !== told.split('\n\n→ ')[1]) parts.push(told);
        expect(server.upstream.sent).toBe(0);
      }
    }
  }
  const outcome = await serverWith({ confirm: 'always', ask: ['url', 'form'] }).call();
  if (!('error' in outcome)) throw new Error(outcome.kind);
  parts.push(
    `## No way that fits\n\n\`${outcome.error.code}\`\n\n${outcome.error.message}\n\n→ ${outcome.error.hint}\n`,
  );
  await expect(parts.join('\n')).toMatchFileSnapshot('./__snapshots__/told.md');
});

it('what an answer was told holds no word of the client', async () => {
  const { ask, call } = serverWith({ confirm: 'always' });
  const said = { answer: 'words of the client', confirm: 'words of the client' };
  const outcome = await call(answered((await ask()).state, 'accept', said));
  expect(JSON.stringify(outcome)).not.toContain('words of the client');
});
