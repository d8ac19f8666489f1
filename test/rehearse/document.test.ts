/** What docs/rehearsal.md and its sample promise. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { parseJsonc } from '../../src/lib/jsonc.ts';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import { main } from '../support/settings.ts';

const page = readFileSync('docs/rehearsal.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'rehearsal-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...flags: string[]) => promisify(execFile)(process.execPath, [main, 'rehearse', ...flags]);

/** The command for an assistant that talks plain HTTP and has `call(tool, arguments)`. */
function agent(program: string): string {
  const file = join(folder, 'agent.mjs');
  writeFileSync(
    file,
    `const call = async (name, args) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
      const text = await (await fetch(process.env.REHEARSAL_MCP_URL, { method: 'POST', headers, body })).text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent;
    };
    const { REHEARSAL_PROMPT: words, REHEARSAL_TURN: turn } = process.env;
    ${program}`,
  );
  return `"${process.execPath}" "${file}"`;
}

describe('docs/rehearsal.md', () => {
  it('lists the flags as the help does', async () => {
    const help = (await run('--help')).stdout.replace(/\s+/g, ' ');
    const [, table = ''] = /<!-- flags -->([\s\S]*)<!-- \/flags -->/.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| `(--[^`]+)` \| (.*) \|$/gm)];
    expect(rows.map(([, flag, what]) => `${flag} ${what}`)).toEqual(
      [...help.matchAll(/(--[a-z-]+(?: <[a-z]+>)?) (.*?)(?= --[a-z]| -h, )/g)].map(
        ([, flag, what]) => `${flag} ${what}`,
      ),
    );
    expect(rows).toHaveLength(8);
  });

  it('states the number of tasks that come with the program', () => {
    expect(page).toContain(`${ownTasks.length} tasks come with the program`);
    expect(page).toContain(`${ownTasks.length} tasks, four times each, are ${ownTasks.length * 4} conversations`);
  });

  it('has a sample that can be passed, and failed', { timeout: 60_000 }, async () => {
    const passes = agent(`
      if (words.includes('the kiosk')) {
        const { subscription } = await call('get_subscription', { external_id: 'kiosk-basic' });
        console.log('It is €' + subscription.plan_amount_cents / 100);
      } else if (words.includes('59 euros')) {
        console.log((await call('update_add_on', { code: 'setup', amount_cents: 5900 })).summary);
      } else console.log(turn === '0' ? 'What shall it cost?' : 'Nothing is changed.');
    `);
    const sample = ['--tasks', 'docs/rehearsal-sample.jsonc', '--runs', '4', '--jobs', '2', '--json'];
    const { stdout } = await run(...sample, '--agent', passes, '--at-least', '100%');
    expect(JSON.parse(stdout).total).toMatchObject({ tasks: 3, runs: 12, passed: 12, pass_1: 1, pass_4: 1 });
    const failing = run(...sample, '--agent', agent("console.log('It is €29.00.')"), '--at-least', '0.5');
    await expect(failing).rejects.toMatchObject({ code: 1 });
  });

  it('names the fields of the report for programs', async () => {
    const flags = ['--tasks', 'docs/rehearsal-sample.jsonc', '--runs', '1', '--report', join(folder, 'report')];
    const { stdout } = await run(...flags, '--agent', 'echo no');
    expect(readFileSync(join(folder, 'report', 'rehearsal.md'), 'utf8')).toBe(stdout);
    const report = JSON.parse(readFileSync(join(folder, 'report', 'rehearsal.json'), 'utf8'));
    expect(report.version).toBe(1);
    const figures = ['tasks', 'runs', 'passed', 'pass_1', 'pass_4', 'calls', 'tokens', 'seconds'];
    for (const field of [...figures, 'failures', 'transcript', 'total', 'kinds', 'results'])
      expect(page).toContain(`\`${field}\``);
    expect(Object.keys(report.total)).toEqual(figures);
    expect(report.results[0].runs[0]).toMatchObject({ passed: false, failures: expect.any(Array) });
  });

  it('has a sample that editors understand', () => {
    const parsed = parseJsonc(readFileSync('docs/rehearsal-sample.jsonc', 'utf8'));
    expect(parsed).toMatchObject({ value: { $schema: './task-file.schema.json', account: 'account-sample.jsonc' } });
  });
});
