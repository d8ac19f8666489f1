/** One process of an agent's command: started by the shell, given its words, and ended with all that it started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { endStrays, killStrays, markName } from './strays.ts';

export interface Command {
  command: string;
  env: NodeJS.ProcessEnv;
  /** What it can read as its input. */
  input: string;
  deadlineMs: number;
  signal: AbortSignal;
}

interface AgentOutput {
  answer: string;
  /** Processes that it started and that could not be ended. */
  leftRunning?: readonly string[];
}

export type AgentEnd =
  | ({ kind: 'answered' } & AgentOutput)
  | ({ kind: 'deadline' } & AgentOutput)
  | ({ kind: 'failed'; reason: string } & AgentOutput)
  /** The rehearsal was stopped. */
  | { kind: 'stopped' };

/** No person reads a longer answer. */
const longestAnswer = 1_000_000;
/** Colours, also those that are written with colons (`38:2::255:0:0`), which Node leaves in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const colours = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
/** So much of the end of stderr can stand in a reason. */
const longestEnd = 4000;
/** How long output that is on its way may take after the process has ended. */
const lastWordsMs = 1000;

/** Runs the command to its end, its deadline or the signal. Never rejects. What it started is ended too. */
export function runCommand({ command, env, input, deadlineMs, signal }: Command): Promise<AgentEnd> {
  if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise(resolve => {
    // A group of its own can be killed whole, and the terminal's Ctrl-C does not reach it. Windows ends the process tree.
    const mark = randomUUID();
    const marked = { ...env, [markName]: mark };
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, env: marked, detached, windowsHide: true });
    const out = collectOutput(child, () => end('tooLong'));
    let cause: 'deadline' | 'stopped' | 'tooLong' | undefined;
    const end = (why: typeof cause) => {
      cause ??= why;
      killAll(child, mark);
    };
    const timer = setTimeout(() => end('deadline'), deadlineMs);
    const stop = () => end('stopped');
    signal.addEventListener('abort', stop);
    const settle = async (code: number | null, by: NodeJS.Signals | null, error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const leftRunning = await endStrays({ leader: child.pid, mark });
      const output = { answer: out.answer(), ...(leftRunning.length > 0 && { leftRunning }) };
      if (cause === 'stopped') return resolve({ kind: 'stopped' });
      if (cause === 'deadline') return resolve({ kind: 'deadline', ...output });
      if (cause === 'tooLong') return resolve({ kind: 'failed', ...output, reason: tooLong });
      if (code === 0 && output.answer.trim() !== '') return resolve({ kind: 'answered', ...output });
      const how =
        code === 0
          ? 'printed nothing'
          : (error?.message ?? (code === null ? `was ended by ${by}` : `ended with exit code ${code}`));
      return resolve({ kind: 'failed', ...output, reason: `The command ${how}.${out.lastErrors()}` });
    };
    child.once('error', error => settle(null, null, error));
    child.once('exit', () => {
      // What it left running would keep its output open, and use the account after its answer.
      killAll(child, mark);
      setTimeout(() => closeOutput(child), lastWordsMs).unref();
    });
    child.once('close', settle);
    const [inputStream] = child.stdio;
    // The command need not read its words.
    inputStream?.on('error', () => {});
    inputStream?.end(input);
  });
}

const tooLong = `The command printed more than ${longestAnswer.toLocaleString('en')} characters.`;

function collectOutput({ stdio: [, outputStream, errorStream] }: ChildProcess, onTooLong: () => void) {
  let answer = '';
  let errors = '';
  outputStream?.setEncoding('utf8').on('data', (text: string) => {
    if (answer.length > longestAnswer) return;
    answer += text;
    if (answer.length > longestAnswer) onTooLong();
  });
  errorStream?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-longestEnd);
  });
  return {
    // Colours are not part of the answer. Later turns read it in an environment variable, which cannot hold U+0000.
    answer: () => stripVTControlCharacters(answer.slice(0, longestAnswer).replace(colours, '')).replaceAll('\0', ''),
    lastErrors: () => {
      const lines = errors.trim().split('\n').slice(-20).join('\n');
      return lines === '' ? ' Its stderr is empty.' : ` The end of its stderr:\n${lines}`;
    },
  };
}

function killAll({ pid }: ChildProcess, mark: string): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  // Strays first: they are found by their parents, which are killed below.
  killStrays({ leader: pid, mark });
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

function closeOutput({ stdio }: ChildProcess): void {
  for (const stream of stdio) stream?.destroy();
}
