/** Where the report of a rehearsal goes when somebody has gone. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { main } from '../support/settings.ts';
import { agentFolder, smallAccount } from './run/agents.ts';

const { file } = agentFolder();

const task = { id: 'hello', kind: 'answer', says: 'Say hello.', expect: { says: ['hello'] } };
const tasks = file('tasks.json');
writeFileSync(tasks, JSON.stringify({ now: '2026-03-15T12:00:00Z', account: smallAccount, tasks: [task] }));
const perfect = ['--agent', 'echo hello', '--tasks', tasks, '--runs', '1'];
const wrong = ['--agent', 'echo bye', '--tasks', tasks, '--runs', '2'];

/** `out`: where it prints; default: it is read. `goes`: its progress is read no further than the first line. */
async function rehearse(args: readonly string[], { out, goes = false }: { out?: number; goes?: boolean } = {}) {
  const child = spawn(process.execPath, [main, 'rehearse', ...args], { stdio: ['ignore', out ?? 'pipe', 'pipe'] });
  if (goes) child.stderr?.once('data', () => child.stderr?.destroy());
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve));
  const printed = child.stdout ? text(child.stdout) : '';
  const said = goes || !child.stderr ? '' : text(child.stderr);
  return { code: await ended, printed: await printed, said: await said };
}

describe('the report', () => {
  it('goes on, and reports, when who read its progress has gone', async () => {
    const report = file('report');
    const { code, printed } = await rehearse([...wrong, '--report', report], { goes: true });
    expect(code).toBe(0);
    expect(printed).toContain('| hello | answer | 0 of 2 |');
    expect(readFileSync(`${report}/rehearsal.md`, 'utf8')).toBe(printed);
  });

  it.skipIf(!existsSync('/dev/full'))('says so when the report cannot be printed', async () => {
    const full = openSync('/dev/full', 'w');
    const { code, said } = await rehearse(perfect, { out: full });
    closeSync(full);
    expect(code).toBe(2);
    expect(said).toContain('the disk is full');
  });
});
