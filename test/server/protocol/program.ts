/** The built program as a process of its own. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { key, main } from '../../support/settings.ts';

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Starts the built program with these arguments and variables, and only PATH of this environment. */
export function start(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? '', container: '', ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', text => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    stderr += text;
  });
  const ended = new Promise<Ended>(resolve =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  return { child, ended };
}

/** Runs the program to its end, with an empty stdin. */
export function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const { child, ended } = start(args, env);
  child.stdin.end();
  return ended;
}

export type Refused = [what: string, args: string[], env: Record<string, string>, said: RegExp];

/** The program ends with 2 and says why on stderr, without the key. */
export async function expectRefused(_what: string, args: string[], env: Record<string, string>, said: RegExp) {
  const { code, stdout, stderr } = await run(args, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain(key);
}

/** The program prints help, and not the key. */
export async function expectHelp(args: string[]) {
  const { code, stdout, stderr } = await run(args, { BILLING_API_KEY: key });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/usage: /i);
  expect(stdout).not.toContain(key);
}
