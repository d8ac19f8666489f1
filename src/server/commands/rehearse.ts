/** `usage-billing-mcp rehearse`: lets an assistant work on fresh accounts of the embedded service, and grades it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileReason } from '../../lib/system-errors.ts';
import { gradeRun } from '../../rehearse/grade/grade.ts';
import { reportOf } from '../../rehearse/report/report.ts';
import { ReferenceFailed } from '../../rehearse/run/reference.ts';
import { type EndedRun, rehearse } from '../../rehearse/run/rehearse.ts';
import { ownTasks } from '../../rehearse/tasks/own.ts';
import { readTasks, TaskFileError } from '../../rehearse/tasks/read.ts';
import type { Rehearsal, Task } from '../../rehearse/types.ts';
import { AccountFileError } from '../../service/account-file/load.ts';
import { ConfigError, type ValuesOf } from '../settings/settings.ts';
import { type Command, readArguments } from './command.ts';

const share = /^(0(\.\d{1,6})?|1(\.0{1,6})?|(\d{1,2}(\.\d{1,6})?|100(\.0{1,6})?)%)$/;

// biome-ignore format: one row a flag reads as the table it is
const flags = {
  agent: { name: null, flag: 'agent', type: 'text', description: 'Shell command that runs the assistant. It reads the messages and prints its answer' },
  tasks: { name: null, flag: 'tasks', type: 'text', description: 'File with your own tasks (JSON, comments allowed), instead of the built-in tasks' },
  runs: { name: null, flag: 'runs', type: 'integer', default: 4, min: 1, max: 100, description: 'Runs per task, 1 to 100' },
  jobs: { name: null, flag: 'jobs', type: 'integer', default: 1, min: 1, max: 32, description: 'Parallel runs, 1 to 32' },
  timeout: { name: null, flag: 'timeout', type: 'integer', default: 300, min: 1, max: 3600, description: 'Time limit of one run in seconds, 1 to 3600' },
  atLeast: { name: null, flag: 'at-least', type: 'text', default: '0', pattern: [share, 'a share from 0 to 1, or a percentage such as 90%'], description: 'Exit with code 1 if fewer runs pass: 0 to 1, or a percentage such as 90%' },
  report: { name: null, flag: 'report', type: 'text', description: 'Folder to also write rehearsal.md and rehearsal.json to' },
  json: { name: null, flag: 'json', type: 'boolean', description: 'Print the report as JSON instead of Markdown' },
} as const;
type Flags = ValuesOf<typeof flags> & { agent: string };

/** Exit codes as of shells: 130 after Ctrl-C. */
const exitCodes = { reached: 0, below: 1, stopped: 130 } as const;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const rehearseCommand: Command = {
  flags,
  more: ['docs/rehearsal.md describes the input and output of the command, and the task format.'],
  async run(argv) {
    const { agent, ...others } = readArguments(flags, argv);
    if (agent === undefined) throw new ConfigError(["--agent is missing. Pass the assistant's command. See --help."]);
    return rehearseAndReport({ agent, ...others });
  },
};

async function rehearseAndReport(flags: Flags): Promise<number> {
  try {
    if (flags.report !== undefined) mkdirSync(flags.report, { recursive: true });
  } catch (error) {
    throw new ConfigError([`--report ${flags.report} cannot be created: ${fileReason(error)}.`]);
  }
  // The reader of the progress may have gone (`2>&1 | head`): the runs go on, and the report is written.
  process.stderr.on('error', () => {});
  const stop = new AbortController();
  const onSignal = () => {
    if (!stop.signal.aborted) process.stderr.write('Stopping. The report covers the finished runs.\n');
    stop.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  try {
    const tasks = flags.tasks === undefined ? ownTasks : await readTasks(flags.tasks);
    return await deliverReport(await rehearseWithFlags(tasks, flags, stop.signal), flags, stop.signal.aborted);
  } catch (error) {
    throw new ConfigError(problemsOf(error));
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

async function deliverReport(
  rehearsal: Rehearsal,
  { json, report, atLeast }: Flags,
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
    throw new ConfigError([`The report cannot be written to ${report}: ${fileReason(error)}.`]);
  }
  if (unprinted) throw new ConfigError([`The report cannot be printed: ${fileReason(unprinted)}.`]);
  if (stopped) return exitCodes.stopped;
  return passShare < shareOf(atLeast) ? exitCodes.below : exitCodes.reached;
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

/** What the user can correct, one sentence each. Throws the error again if it is a bug. */
function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems;
  if (error instanceof TaskFileError || error instanceof ReferenceFailed || error instanceof AccountFileError)
    return [error.message];
  throw error;
}

/** `0.9` or `90%` as a share from 0 to 1. A number above 1 without `%` is refused, because it need not be a percentage. */
function shareOf(text: string): number {
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
}
