/** On a machine with Node.js alone, without the packages that need not install: what is missing is skipped by name. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** The files of `npm test` that start a program of the system. */
const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(name => `test/${name}`)
  .filter(name => /(?<!\.more)\.test\.ts$/.test(name))
  .filter(name => /redisIsInstalled|\('(openssl|git|prlimit)'/.test(readFileSync(name, 'utf8')));

it('the tests that use Redis, git or openssl pass, and each skip is named', () => {
  const path = mkdtempSync(join(tmpdir(), 'bare-'));
  symlinkSync(process.execPath, join(path, 'node'));
  const { CI: _, ...environment } = process.env;
  // One worker, because each would load the modules anew that most of these files share.
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'test', '--maxWorkers', '1', ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: {
      ...environment,
      PATH: path,
      TMPDIR: path,
      NODE_OPTIONS: `--import ${resolve('test/support/unloadable.mjs')}`,
      NO_COLOR: '1',
    },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  rmSync(path, { recursive: true, force: true });
  expect(files.length).toBeGreaterThan(5);
  expect([status, status === 0 ? '' : stdout.slice(-3_000)]).toEqual([0, '']);
  const said = stdout + stderr;
  for (const file of files.filter(name => /redisIsInstalled/.test(readFileSync(name, 'utf8'))))
    expect(said).toContain(`SKIPPED: ${file} needs redis-server`);
  expect(said).toMatch(/SKIPPED: \S+ needs openssl/);
  expect(said).toContain('CITATIONS ARE NOT CHECKED');
  expect(said).toMatch(/\d+ skipped/);
});
