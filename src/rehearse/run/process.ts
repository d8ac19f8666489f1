/** One process of an agent's command: started by the shell, given its words, and ended with all that it started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

export interface Command {
  command: string;
  env: NodeJS.ProcessEnv;
  /** What it can read as its input. */
  input: string;
  deadlineMs: number;
  signal: AbortSignal;
}

export type Ended =
  | { kind: 'answered'; answer: string }
  | { kind: 'deadline'; answer: string }
  | { kind: 'failed'; answer: string; reason: string }
  /** The rehearsal was stopped. */
  | { kind: 'stopped' };

/** An answer that is longer is no answer to a person. */
const longestAnswer = 1_000_000;
/** So much of the end of stderr can stand in a reason. */
const longestEnd = 4000;
/** How long output that is on its way may take after the process has ended. */
const lastWordsMs = 1000;

/** Runs the command to its end, its deadline or the signal. Never rejects. Nothing that it started in its group stays. */
export function runCommand({ command, env, input, deadlineMs, signal }: Command): Promise<Ended> {
  if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise(resolve => {
    // A group of its own (not on Windows, where the tree is ended): killed whole, and unreached by the terminal's Ctrl-C.
    const child = spawn(command, { shell: true, env, detached: process.platform !== 'win32', windowsHide: true });
    const out = collected(child, () => end('tooLong'));
    let cause: 'deadline' | 'stopped' | 'tooLong' | undefined;
    const end = (why: typeof cause) => {
      cause ??= why;
      killAll(child);
    };
    const timer = setTimeout(() => end('deadline'), deadlineMs);
    const stop = () => end('stopped');
    signal.addEventListener('abort', stop);
    const settle = (code: number | null, by: NodeJS.Signals | null, error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      const answer = out.answer();
      if (cause === 'stopped') return resolve({ kind: 'stopped' });
      if (cause === 'deadline') return resolve({ kind: 'deadline', answer });
      if (cause === 'tooLong') return resolve({ kind: 'failed', answer, reason: tooLong });
      if (code === 0 && answer.trim() !== '') return resolve({ kind: 'answered', answer });
      const how =
        code === 0
          ? 'printed nothing'
          : (error?.message ?? (code === null ? `was ended by ${by}` : `ended with exit code ${code}`));
      return resolve({ kind: 'failed', answer, reason: `The command ${how}.${out.lastErrors()}` });
    };
    child.once('error', error => settle(null, null, error));
    child.once('exit', () => {
      // What it left running would keep its output open, and use the account after its answer.
      killAll(child);
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
    // U+0000 can stand in no environment variable, where later turns read the answer.
    answer: () => answer.slice(0, longestAnswer).replaceAll('\0', ''),
    lastErrors: () => {
      const lines = errors.trim().split('\n').slice(-20).join('\n');
      return lines === '' ? ' It said nothing on stderr.' : ` The end of its stderr:\n${lines}`;
    },
  };
}

function killAll({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left.
  }
}

function closeOutput({ stdio }: ChildProcess): void {
  for (const stream of stdio) stream?.destroy();
}
