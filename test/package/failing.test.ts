import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a test that fails makes the run fail, although a PostgreSQL was started for it', async () => {
  const config = 'test/package/failing/vitest.config.ts';
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, '--root', '.'];
  const { VITEST: _, ...env } = process.env;
  const run = await promisify(execFile)(process.execPath, vitest, { env }).catch(error => error);
  expect(run.stdout).toMatch(/Tests .*1 failed/);
  expect(run.code).toBe(1);
});
