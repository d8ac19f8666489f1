import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.each([
  ['fails', 'red', 1, /Tests .*1 failed/],
  ['passes', 'green', 0, /Tests .*1 passed/],
])('a run with a PostgreSQL whose test %s has the right exit code', async (_what, outcome, code, said) => {
  const config = 'test/package/failing/vitest.config.ts';
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, '--root', '.'];
  const { VITEST: _, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, vitest, { env: { ...env, NO_COLOR: '1', OUTCOME: outcome } });
  const ended = await run.then(({ stdout, stderr }) => ({ code: 0, stdout, stderr })).catch(error => error);
  expect(ended.stdout).toMatch(said);
  expect(ended.code).toBe(code);
  expect(ended.stderr).not.toContain('TypeError');
});
