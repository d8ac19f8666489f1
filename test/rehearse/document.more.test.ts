/** The sample of docs/rehearsal.md with real assistants. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { main } from '../support/settings.ts';
import { agentFolder } from './run/agents.ts';

const { program } = agentFolder();

const run = (...flags: string[]) => promisify(execFile)(process.execPath, [main, 'rehearse', ...flags]);

describe('docs/rehearsal.md', () => {
  it('has a sample that can be passed, and failed', async () => {
    const passes = program(`
      const { REHEARSAL_PROMPT: words, REHEARSAL_TURN: turn } = env;
      if (words.includes('the kiosk')) {
        const { subscription } = JSON.parse(await call('get_subscription', { external_id: 'kiosk-basic' }));
        say('It is €' + subscription.plan_amount_cents / 100);
      } else if (words.includes('59 euros')) {
        say(JSON.parse(await call('update_add_on', { code: 'setup', amount_cents: 5900 })).summary);
      } else say(turn === '0' ? 'What shall it cost?' : 'Nothing is changed.');
    `);
    const sample = ['--tasks', 'docs/rehearsal-sample.jsonc', '--jobs', '2', '--json'];
    const { stdout } = await run(...sample, '--runs', '1', '--agent', passes, '--at-least', '100%');
    expect(JSON.parse(stdout).total).toMatchObject({ tasks: 3, runs: 3, passed: 3, pass_1: 1 });
    const failing = run(...sample, '--runs', '1', '--agent', 'echo "It is €29.00."', '--at-least', '0.5');
    await expect(failing).rejects.toMatchObject({ code: 1 });
  });
});
