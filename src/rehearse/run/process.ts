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

interface Printed {
  answer: string;
  /** Processes that it started and that could not be ended. */
  left?: readonly string[];
}

export type Ended =
  | ({ kind: 'answered' } & Printed)
  | ({ kind: 'deadline' } & Printed)
  | ({ kind: 'failed'; reason: string } & Printed)
  /** The rehearsal was stopped. */
  | { kind: 'stopped' };

/** An answer that is longer is no answer to a person. */
const longestAnswer = 1_000_000;
/** Colours that are written with colons (`38:2::255:0:0`) as well, which Node leaves in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const colours = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g;
/** So much of the end of stderr can stand in a reason. */
const longestEnd = 4000;
/** How long output that is on its way may take after the process has ended. */
const lastWordsMs = 1000;

/** Runs the command to its end, its deadline or the signal. Never rejects. What it started is ended too. */
export function runCommand({ command, env, input, deadlineMs, signal }: Command): Promise<Ended> {
  if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise(resolve => {
    // A group of its own (not on Windows, where the tree is ended): killed whole, and unreached by the terminal's Ctrl-C.
    const mark = randomUUID();
    const marked = { ...env, [markName]: mark };
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, env: marked, detached, windowsHide: true });
    const out = collected(child, () => end('tooLong'));
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
      const left = await endStrays({ leader: child.pid, mark });
      const printed = { answer: out.answer(), ...(left.length > 0 && { left }) };
      if (cause === 'stopped') return resolve({ kind: 'stopped' });
      if (cause === 'deadline') return resolve({ kind: 'deadline', ...printed });
      if (cause === 'tooLong') return resolve({ kind: 'failed', ...printed, reason: tooLong });
      if (code === 0 && printed.answer.trim() !== '') return resolve({ kind: 'answered', ...printed });
      const how =
        code === 0
          ? 'printed nothing'
          : (error?.message ?? (code === null ? `was ended by ${by}` : `ended with exit code ${code}`));
      return resolve({ kind: 'failed', ...printed, reason: `The command ${how}.${out.lastErrors()}` });
    };
    child.once('error', error => settle(null, null, error));
    child.once('exit', () => {
      // What it left running would keep its output open, and use the account after its answer.
      killAll(child, mark);
      setTimeout(() => closeOutput(child), lastWordsMs).unref();
    });
    child.once('close', settle);
    const [words] = child.stdio;
    // The command need not read its words.
    words?.on('error', () => {});
    words?.end(input);
  });
}

const tooLong = `The command printed more than ${longestAnswer.toLocaleString('en')} characters.`;

function collected({ stdio: [, printed, said] }: ChildProcess, onTooLong: () => void) {
  let answer = '';
  let errors = '';
  printed?.setEncoding('utf8').on('data', (text: string) => {
    if (answer.length > longestAnswer) return;
    answer += text;
    if (answer.length > longestAnswer) onTooLong();
  });
  said?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-longestEnd);
  });
  return {
    // Colours are no part of what is said. U+0000 can stand in no environment variable, where later turns read the answer.
    answer: () => stripVTControlCharacters(answer.slice(0, longestAnswer).replace(colours, '')).replaceAll('\0', ''),
    lastErrors: () => {
      const lines = errors.trim().split('\n').slice(-20).join('\n');
      return lines === '' ? ' It said nothing on stderr.' : ` The end of its stderr:\n${lines}`;
    },
  };
}

function killAll({ pid }: ChildProcess, mark: string): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  // First, while it still has its children.
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
