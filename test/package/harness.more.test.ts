/** What a run of tests says and how it ends, tried with the files in test/package/failing. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const vitest = 'node node_modules/vitest/vitest.mjs run';
const apart = '--config test/package/failing/vitest.config.ts --root .';

/** Runs a line of the shell as a person does who has started no tests before. */
async function run(line: string, variables: Record<string, string> = {}) {
  const { VITEST: _, TEST_FOLDER: __, CI_TIMES: ___, ...env } = process.env;
  const ended = promisify(execFile)('sh', ['-c', line], { env: { ...env, NO_COLOR: '1', ...variables } });
  return ended.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr })).catch(error => error);
}

describe('a run', () => {
  it.each([
    ['fails', 'red', 1, /Tests .*1 failed/],
    ['passes', 'green', 0, /Tests .*1 passed/],
  ])('with a PostgreSQL whose test %s has the right exit code', async (_what, outcome, code, said) => {
    const ended = await run(`${vitest} ${apart} test/package/failing/postgres.ts`, { OUTCOME: outcome });
    expect(ended.stdout).toMatch(said);
    expect(ended.code).toBe(code);
    expect(ended.stderr).not.toContain('TypeError');
  });

  it.each([
    ['npm test', ''],
    ['npm run test:more', '--mode more'],
  ])('says last how each failed case is run again, alone and with its random cases: %s', async (command, mode) => {
    const first = await run(`${vitest} ${mode} ${apart} test/package/failing/named.ts`);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/Tests .*1 failed.* 2 passed/);
    const [heading, ...again] = first.stdout.trim().split('\n').slice(-2);
    expect([heading, again.length]).toEqual(['Run again what failed:', 1]);
    const [, args = ''] = again[0].trim().split(`${command} -- `);
    expect(args).toMatch(/^test\/package\/failing\/named\.ts -t .* --sequence\.seed=\d+$/);
    if (mode !== '') return;
    const second = await run(`${vitest} ${apart} ${args}`);
    expect(second.stdout).toMatch(/Tests .*1 failed.* 2 skipped/);
    const randomIn = ({ stderr }: { stderr: string }) => stderr.match(/^ *\+ +\d+,$/gm);
    expect(randomIn(first)).toHaveLength(4);
    expect(randomIn(second)).toEqual(randomIn(first));
  });

  it('fails and names a file that leaves a process, a port and a file behind, and removes what it can', async () => {
    const { code, stdout, stderr } = await run(`${vitest} ${apart} test/package/failing/leaves.ts`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Tests .*1 passed/);
    expect(stderr).toMatch(/FAIL +test\/package\/failing\/leaves\.ts/);
    expect(stderr).toMatch(/process \d+: sleep 100000/);
    expect(stderr).toMatch(/port \d+/);
    expect(stderr).toContain('in the folder for temporary files');
    expect(stdout).toContain('npm test -- test/package/failing/leaves.ts --sequence.seed=');
    const [, id = ''] = /process (\d+): sleep/.exec(stderr) ?? [];
    expect(existsSync(`/proc/${id}/cmdline`) && readFileSync(`/proc/${id}/cmdline`, 'utf8')).toBeFalsy();
  });

  it('writes the seconds of each test file for the list of the slowest parts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'times-'));
    try {
      const times = join(folder, 'times');
      await run(`${vitest} test/package/lockfile.test.ts`, { CI_TIMES: times });
      expect(readFileSync(times, 'utf8')).toMatch(/^\d+(\.\d+)?(e-\d+)?\ttest\/package\/lockfile\.test\.ts\n$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
