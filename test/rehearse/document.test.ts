/** What docs/rehearsal.md and its sample promise. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../src/lib/jsonc.ts';
import { ownTasks } from '../../src/rehearse/tasks/own.ts';
import { temporaryFolder } from '../support/folder.ts';
import { main } from '../support/settings.ts';

const page = readFileSync('docs/rehearsal.md', 'utf8');
const folder = temporaryFolder();

const run = (...flags: string[]) => promisify(execFile)(process.execPath, [main, 'rehearse', ...flags]);

describe('docs/rehearsal.md', () => {
  it('lists the flags as the help does', async () => {
    const { stdout: help } = await run('--help');
    const [, table = ''] = /<!-- flags -->([\s\S]*)<!-- \/flags -->/.exec(page) ?? [];
    const rows = [...table.matchAll(/^\| `(--[^`]+)` \| (.*) \|$/gm)].map(([, flag, what]) => [flag, what]);
    expect(rows).toEqual(
      [...help.matchAll(/^ {2}(--[a-z-]+(?: VALUE)?)\n {6}(.*)$/gm)].map(([, flag, what]) => [flag, what]),
    );
    expect(rows).toHaveLength(8);
  });

  it('states the number of tasks that come with the program', () => {
    expect(page).toContain(`${ownTasks.length} tasks come with the program`);
    expect(page).toContain(`${ownTasks.length} tasks, four times each, are ${ownTasks.length * 4} conversations`);
  });

  it('names the fields of the report for programs', async () => {
    const flags = ['--tasks', 'docs/rehearsal-sample.jsonc', '--runs', '1', '--report', join(folder, 'report')];
    const { stdout } = await run(...flags, '--agent', 'echo no');
    expect(readFileSync(join(folder, 'report', 'rehearsal.md'), 'utf8')).toBe(stdout);
    const report = JSON.parse(readFileSync(join(folder, 'report', 'rehearsal.json'), 'utf8'));
    expect(report.version).toBe(2);
    expect(page).toContain('`version` is 2');
    const figures = ['tasks', 'runs', 'passed', 'pass_1', 'pass_4', 'calls', 'tokens', 'seconds'];
    for (const field of [...figures, 'failures', 'transcript', 'writes', 'confirmed_by', 'total', 'kinds', 'results'])
      expect(page).toContain(`\`${field}\``);
    expect(Object.keys(report.total)).toEqual(figures);
    expect(report.results[0].runs[0]).toMatchObject({ passed: false, failures: expect.any(Array) });
  });

  it('has a sample that editors understand', () => {
    const parsed = parseJsonc(readFileSync('docs/rehearsal-sample.jsonc', 'utf8'));
    expect(parsed).toMatchObject({ value: { $schema: './task-file.schema.json', account: 'account-sample.jsonc' } });
  });
});
