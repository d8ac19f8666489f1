/** What a run of tests says and how it ends, tried with the files in test/package/failing. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const vitest = 'node node_modules/vitest/vitest.mjs run';
const apart = '--config test/package/failing/vitest.config.ts --root .';

/** Runs a line of the shell as a person does who has started no tests before. */
async function run(line: string, variables: Record<string, string> = {}) {
  const { VITEST: _, TEST_FOLDER: __, CI_TIMES: ___, ...env } = process.env;
  const ended = promisify(execFile)('sh', ['-c', line], { env: { ...env, NO_COLOR: '1', ...variables } });
  return ended.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr })).catch(error => error);
}

const failing = ['postgres', 'named', 'leaves'].map(name => `test/package/failing/${name}.ts`);

describe('a run of test:more with a PostgreSQL, of which three files fail', () => {
  const times = join(temporaryFolder(), 'times');
  let ended: { code: number; stdout: string; stderr: string };
  /** The arguments that run a file's failed case again, as the last lines say, or the file. */
  const again = ({ stdout }: typeof ended, command: string, file: string) => {
    const said = stdout.slice(stdout.lastIndexOf('\nRun again what failed:\n'));
    return new RegExp(`^  ${command} -- (${file} .*)$`, 'm').exec(said)?.[1] ?? '';
  };
  beforeAll(async () => {
    ended = await run(`${vitest} --project more --maxWorkers 1 ${apart} ${failing.join(' ')}`, { CI_TIMES: times });
  });

  it('has the exit code 1', () => {
    expect(ended.stdout).toMatch(/Tests .*2 failed.* 3 passed/);
    expect(ended.code).toBe(1);
    expect(ended.stderr).not.toContain('TypeError');
  });

  it('says last how each failed case is run again, alone and with its random cases', async () => {
    expect(ended.stdout.trim().split('\n').at(-4)).toBe('Run again what failed:');
    const args = again(ended, 'npm run test:more', 'test/package/failing/named.ts');
    expect(args).toMatch(/ -t .* --sequence\.seed=\d+$/);
    const second = await run(`${vitest} --project test ${apart} ${args}`);
    expect(second.code).toBe(1);
    expect(second.stdout).toMatch(/Tests .*1 failed.* 2 skipped/);
    expect(again(second, 'npm test', 'test/package/failing/named.ts')).toBe(args);
    const randomIn = ({ stderr }: { stderr: string }) => stderr.match(/^ *\+ +\d+,$/gm);
    expect(randomIn(ended)).toHaveLength(4);
    expect(randomIn(second)).toEqual(randomIn(ended));
  });

  it('names a file that leaves a process, a port and a file behind, and removes what it can', () => {
    const { stderr } = ended;
    expect(stderr).toMatch(/FAIL .*test\/package\/failing\/leaves\.ts/);
    expect(stderr).toMatch(/process \d+: sleep 100000/);
    expect(stderr).toMatch(/port \d+/);
    expect(stderr).toContain('in the folder for temporary files');
    expect(again(ended, 'npm run test:more', 'test/package/failing/leaves.ts')).toMatch(/ts --sequence\.seed=\d+$/);
    const [, id = ''] = /process (\d+): sleep/.exec(stderr) ?? [];
    expect(existsSync(`/proc/${id}/cmdline`) && readFileSync(`/proc/${id}/cmdline`, 'utf8')).toBeFalsy();
  });

  it('writes the seconds of each test file for the list of the slowest parts', () => {
    const lines = readFileSync(times, 'utf8').trim().split('\n');
    expect(lines.map(line => line.split('\t')[1]).sort()).toEqual(failing.toSorted());
    for (const line of lines) expect(line).toMatch(/^\d+(\.\d+)?(e-\d+)?\t/);
  });
});
