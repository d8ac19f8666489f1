/** What `.ci/run` prints at its end about its slowest parts. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slowest-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the slowest parts', () => {
  it('are the ten longest, longest first, with the total', async () => {
    const file = join(folder, 'twelve');
    const seconds = [3, 40, 5, 12.34, 7, 8, 9, 10, 11, 6, 1, 2];
    await writeFile(file, seconds.map(each => `${each}\tpart ${each}\n`).join(''));
    const { stdout } = await run(process.execPath, ['scripts/slowest.mjs', file, '90']);
    const [heading, ...lines] = stdout.trimEnd().split('\n');
    expect(heading).toContain('10 slowest parts');
    expect(lines.slice(0, 3)).toEqual(['    40.0  part 40', '    12.3  part 12.34', '    11.0  part 11']);
    expect(lines.slice(9)).toEqual(['     3.0  part 3', '1.5 minutes in all.']);
  });

  it('come with a warning when the total is more than 15 minutes', async () => {
    const file = join(folder, 'long');
    await writeFile(file, '1000\ttests\n');
    const { stdout } = await run(process.execPath, ['scripts/slowest.mjs', file, '1000']);
    expect(stdout).toContain('16.7 minutes in all.\nTOO SLOW: CI may take 15 minutes.');
  });

  it('are printed by .ci/run, also when a step fails, and do not change its exit code', async () => {
    for (const [name, text] of [
      ['npm', '[ "$*" != "run check" ] || exit 3'],
      ['apt-get', ''],
      ['chmod', ''],
    ] as const)
      await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const { code, stdout } = await run('.ci/run', { env }).catch(error => error);
    expect(code).toBe(3);
    expect(stdout).toMatch(/slowest parts.*\n +\d+\.0 {2}(install|check)\n +\d+\.0 {2}(install|check)\n/);
    expect(stdout).not.toContain('tests\n');
  });
});
