/** What `.ci/run` prints at its end about its slowest parts. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const run = promisify(execFile);
const folder = temporaryFolder();

it('the ten slowest parts come last, longest first, with the total, also when a step fails, whose exit code stays', async () => {
  const seconds = [3, 40, 5, 12.34, 7, 8, 9, 10, 11, 6];
  const parts = seconds.map(each => `${each}\\tpart ${each}\\n`).join('');
  const npm = `if [ "$*" = ci ]; then printf '${parts}' >>"$CI_TIMES"; fi\n[ "$*" != "run check" ] || exit 3`;
  for (const [name, text] of [
    ['npm', npm],
    ['apt-get', ''],
    ['chmod', ''],
  ] as const)
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  // The shell counts its seconds on from this number.
  const ended = (SECONDS: string) => {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, SECONDS };
    return run('.ci/run', { env }).catch(error => error);
  };
  const { code, stdout } = await ended('1000');
  expect(code).toBe(3);
  const [heading, ...lines] = stdout.trimEnd().split('\n');
  expect(heading).toContain('10 slowest parts');
  expect(lines.slice(0, 3)).toEqual(['    40.0  part 40', '    12.3  part 12.34', '    11.0  part 11']);
  expect(lines.slice(9)).toEqual(['     3.0  part 3', '16.7 minutes in all.', 'TOO SLOW: CI may take 15 minutes.']);
  expect((await ended('600')).stdout).toMatch(/\n10\.\d minutes in all\.\n$/);
});
