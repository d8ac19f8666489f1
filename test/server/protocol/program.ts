/** The program: built, as a process of its own, or run in this process. */
import { spawn } from 'node:child_process';
import { expect, vi } from 'vitest';
import { run as runProgram } from '../../../src/program.ts';
import { key, main } from '../../support/settings.ts';

export interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Starts the built program with these arguments and variables, and only PATH of this environment. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv) {
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

/** The same in this process, with these variables alone, for what ends before anything is served. */
export async function runHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof said) => (text: unknown) => {
    said[name] += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('stderr')),
    vi.spyOn(console, 'error').mockImplementation(text => void keep('stderr')(`${text}\n`)),
  ];
  const before = { env: process.env, exitCode: process.exitCode };
  try {
    process.env = { PATH: process.env.PATH ?? '', container: '', ...env };
    await runProgram(args);
    return { code: Number(process.exitCode), signal: null, ...said };
  } finally {
    Object.assign(process, before);
    for (const spy of spies) spy.mockRestore();
  }
}

export type Refused = [what: string, args: string[], env: Record<string, string>, said: RegExp];

/** The program ends with 2 and says why on stderr, without the key. */
export async function expectRefused(_what: string, args: string[], env: Record<string, string>, said: RegExp) {
  const { code, stdout, stderr } = await runHere(args, env);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain(key);
}

/** The program prints help, and not the key. */
export async function expectHelp(args: string[]) {
  const { code, stdout, stderr } = await runHere(args, { BILLING_API_KEY: key });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/usage: /i);
  expect(stdout).not.toContain(key);
}
