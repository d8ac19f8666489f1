/** `usage-billing-mcp rehearse`: lets an assistant work on fresh accounts of the embedded service, and grades it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { gradeRun } from '../../rehearse/grade/grade.ts';
import { reportOf } from '../../rehearse/report/report.ts';
import { ReferenceFailed } from '../../rehearse/run/reference.ts';
import { type EndedRun, rehearse } from '../../rehearse/run/rehearse.ts';
import { ownTasks } from '../../rehearse/tasks/own.ts';
import { readTasks, TaskFileError } from '../../rehearse/tasks/read.ts';
import type { Rehearsal, Task } from '../../rehearse/types.ts';
import { AccountFileError } from '../../service/account-file/load.ts';
import { ConfigError } from '../settings/settings.ts';
import { fileReason } from './file-errors.ts';

interface Flags {
  agent: string;
  tasks?: string;
  runs: number;
  jobs: number;
  /** Seconds. */
  timeout: number;
  /** 0 to 1. */
  atLeast?: number;
  report?: string;
  json?: boolean;
}

/** Exit codes as of shells: 130 after Ctrl-C. */
const exitCodes = { reached: 0, below: 1, refused: 2, stopped: 130 } as const;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function registerRehearseCommand(program: Command): void {
  program
    .command('rehearse')
    .description('let an assistant work on fresh accounts of the embedded service, and grade what it did and said')
    .requiredOption(
      '--agent <command>',
      'the assistant: a command for the shell, which reads the words and prints its answer',
      command,
    )
    .option('--tasks <file>', 'tasks of your own (JSON, comments allowed), instead of those that come with the program')
    .option('--runs <number>', 'runs of each task, 1 to 100', whole(1, 100), 4)
    .option('--jobs <number>', 'runs at a time, 1 to 32', whole(1, 32), 1)
    .option('--timeout <seconds>', 'longest time of one run, 1 to 3600', whole(1, 3600), 300)
    .option('--at-least <share>', 'exit with 1 when fewer runs pass: 0 to 1, or a percentage such as 90%', share)
    .option('--report <folder>', 'also write rehearsal.md and rehearsal.json there')
    .option('--json', 'print the report as JSON instead of Markdown')
    .addHelpText('after', '\nWhat the command gets and must print, and how tasks are written: docs/rehearsal.md.')
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run(flags: Flags): Promise<number> {
  try {
    if (flags.report !== undefined) mkdirSync(flags.report, { recursive: true });
  } catch (error) {
    return refuse([`--report ${flags.report} cannot be made: ${fileReason(error)}.`]);
  }
  // The reader of the progress may have gone (`2>&1 | head`): the runs go on, and the report is written.
  process.stderr.on('error', () => {});
  const stop = new AbortController();
  const onSignal = () => {
    if (!stop.signal.aborted) process.stderr.write('Stopping. What has ended is reported.\n');
    stop.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  try {
    const tasks = flags.tasks === undefined ? ownTasks : await readTasks(flags.tasks);
    return await deliverReport(await rehearseWithFlags(tasks, flags, stop.signal), flags, stop.signal.aborted);
  } catch (error) {
    return refuse(problemsOf(error));
  } finally {
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

function rehearseWithFlags(
  tasks: readonly Task[],
  { agent, tasks: file, runs, jobs, timeout }: Flags,
  signal: AbortSignal,
): Promise<Rehearsal> {
  return rehearse({
    agent,
    tasks,
    origin: file ?? 'own',
    runs,
    jobs,
    signal,
    timeoutMs: timeout * 1000,
    env: process.env,
    startedAt: new Date(),
    grade: gradeRun,
    onRun: ended => process.stderr.write(`${progress(ended)}\n`),
  });
}

/** Writes and prints the report; gives the exit code. */
async function deliverReport(
  rehearsal: Rehearsal,
  { json, report, atLeast = 0 }: Flags,
  stopped: boolean,
): Promise<number> {
  const { markdown, json: data, share: passShare } = reportOf(rehearsal);
  const text = `${JSON.stringify(data, null, 2)}\n`;
  const unprinted = await print(json ? text : markdown);
  try {
    if (report !== undefined) {
      writeFileSync(join(report, 'rehearsal.md'), markdown);
      writeFileSync(join(report, 'rehearsal.json'), text);
    }
  } catch (error) {
    return refuse([`The report cannot be written to ${report}: ${fileReason(error)}.`]);
  }
  if (unprinted) return refuse([`The report cannot be printed: ${fileReason(unprinted)}.`]);
  if (stopped) return exitCodes.stopped;
  return passShare < atLeast ? exitCodes.below : exitCodes.reached;
}

/** Prints the text, and gives the error if that fails. A reader that has gone (`… | head`) is no error. */
function print(text: string): Promise<Error | undefined> {
  const { stdout } = process;
  stdout.on('error', () => {});
  return new Promise(resolve => {
    stdout.write(text, error => {
      const readerHasGone =
        error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
      resolve(readerHasGone ? undefined : (error ?? undefined));
    });
  });
}

/** `[3/96] top-up-credits, run 2: passed, 4 calls, 5.3 s`; of a failed run also its first failure. */
function progress({ task, run, record, verdict, ended, of }: EndedRun): string {
  const result = verdict.passed ? 'passed' : 'failed';
  const calls = `${record.calls.length} ${record.calls.length === 1 ? 'call' : 'calls'}`;
  const [first] = verdict.failures;
  const why = first === undefined ? '' : `: ${first.split('\n', 1)[0]}`;
  return `[${ended}/${of}] ${task.id}, run ${run}: ${result}, ${calls}, ${(record.durationMs / 1000).toFixed(1)} s${why}`;
}

function refuse(problems: readonly string[]): number {
  for (const problem of problems) process.stderr.write(`usage-billing-mcp: ${problem}\n`);
  return exitCodes.refused;
}

/** What the person can correct, one sentence each. Throws the error again if it is a bug. */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof TaskFileError) return [error.message];
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof ReferenceFailed || error instanceof AccountFileError) return [error.message];
  throw error;
}

function command(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError("it names the assistant's command.");
  return text;
}

function whole(least: number, most: number): (text: string) => number {
  return text => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

/** `0.9` or `90%` as a share from 0 to 1. A number above 1 without `%` is refused, because it need not be a percentage. */
function share(text: string): number {
  const [, digits, percent] = /^(\d{1,3}(?:\.\d{1,6})?)(%?)$/.exec(text.trim()) ?? [];
  const value = percent ? Number(digits) / 100 : Number(digits);
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError('It must be a share from 0 to 1, or a percentage such as 90%.');
}
