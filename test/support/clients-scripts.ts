/** For the two scripts that try what test/clients installs: whether they can run, and what they print. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ask } from './services.ts';

/** At the top level of a file: false, with a visible message, where the clients cannot be installed; in CI this is a failure. */
export async function clientsInstalled(): Promise<boolean> {
  try {
    await ask('/clients', 'HEAD');
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env.CI) throw new Error(`The clients cannot be installed: ${reason}`, { cause: error });
    console.error(`\n!!! THE TESTS WITH REAL CLIENTS ARE SKIPPED: they cannot be installed here (${reason})\n`);
    return false;
  }
}

/** Runs a script that compares its document with what it finds; what it printed stands in the failure. */
export async function expectCurrent(script: string): Promise<void> {
  const run = promisify(execFile)(process.execPath, [script, '--check'], { maxBuffer: 1e8 });
  const { code, said } = await run.then(
    () => ({ code: 0, said: '' }),
    ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
  );
  expect(code, said).toBe(0);
}
