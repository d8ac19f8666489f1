/** Agents for tests of the rehearsal: commands that a shell starts, and assistants in this process. Both use plain HTTP. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { type Plan, rehearse } from '../../../src/rehearse/run/rehearse.ts';
import type { Task } from '../../../src/rehearse/types.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { limitMs, until } from '../../support/until.ts';

/** What a program has: `read` the words, `call` a tool (gives the result's text), `say` the answer. */
const prelude = `
import { readFileSync } from 'node:fs';
const env = process.env;
const say = text => process.stdout.write(String(text));
const read = () => readFileSync(0, 'utf8');
const sendTo = ${sendTo};
const call = async (name, args) =>
  (await sendTo(env.REHEARSAL_MCP_URL, 'tools/call', { name, arguments: args })).content[0].text;
`;

/** A folder for programs and what they write. */
export function agentFolder() {
  const folder = temporaryFolder();
  let count = 0;
  return {
    file: (name: string) => join(folder, name),
    /** The command that runs this program. */
    program(text: string): string {
      const file = join(folder, `agent-${++count}.mjs`);
      writeFileSync(file, `${prelude}${text}`);
      return `"${process.execPath}" "${file}"`;
    },
  };
}

/** What an assistant in this process has. */
export interface Desk {
  /** The environment that its command would have. */
  env: NodeJS.ProcessEnv;
  /** What its command could read as its input. */
  words: string;
  /** The text of a tool's result. */
  call(tool: string, args: object): Promise<string>;
  /** The same, and again with the token where the answer has one: it agrees by itself. */
  insist(tool: string, args: object): Promise<string>;
  /** The names of the tools. */
  list(): Promise<string[]>;
}

/** Stands for a command: answers in this process. */
export type Assistant = (desk: Desk) => string | Promise<string>;

/** For a plan: the assistant in place of its command. */
function inProcess(assistant: Assistant): Pick<Plan, 'agent' | 'run'> {
  return {
    agent: 'in this process',
    run: async ({ env, input }) => {
      const send = (method: string, params?: object) => sendTo(env.REHEARSAL_MCP_URL ?? '', method, params);
      const call = async (name: string, args: object): Promise<string> =>
        (await send('tools/call', { name, arguments: args })).content[0].text;
      const answer = await assistant({
        ...{ env, words: input, call },
        insist: async (name, args) => {
          const first = await call(name, args);
          const { confirmation_required: needed } = JSON.parse(first);
          return needed ? call(name, { ...args, confirmation: needed.confirmation }) : first;
        },
        list: async () => (await send('tools/list')).tools.map(({ name }: { name: string }) => name),
      });
      return { kind: 'answered', answer };
    },
  };
}

// It stands in the programs, too.
// biome-ignore lint/suspicious/noExplicitAny: the results of any method
async function sendTo(url: string, method: string, params?: object): Promise<any> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
}

/** An account that is loaded in no time: one add-on, one plan, one customer. */
export const smallAccount = resolve('test/rehearse/run/small-account.json');

/** A task on the small account. */
export function task(changes: Partial<Task> = {}): Task {
  const plain = { id: 'a-task', kind: 'answer', says: 'How many plans are there?', expect: {} } as const;
  return { ...plain, now: '2026-03-15T12:00:00Z', account: smallAccount, ...changes };
}

/** Rehearses one task, or several, with a command or an assistant; every run passes. Gives the records, and the rehearsal. */
export async function rehearsed(
  agent: string | Assistant,
  tasks: Task | readonly Task[] = task(),
  changes: Partial<Plan> = {},
) {
  const rehearsal = await rehearse({
    ...(typeof agent === 'string' ? { agent } : inProcess(agent)),
    ...{ tasks: [tasks].flat(), origin: 'own', runs: 1, jobs: 1, timeoutMs: limitMs, env: process.env },
    ...{ signal: new AbortController().signal, startedAt: new Date('2026-03-15T12:00:00Z') },
    grade: () => ({ passed: true, failures: [] }),
    ...changes,
  });
  const records = rehearsal.results.flatMap(({ runs }) => runs.map(({ record }) => record));
  return { rehearsal, records };
}

/** The record of a rehearsal of one run. */
export async function recordOf(agent: string | Assistant, of?: Task, changes?: Partial<Plan>) {
  const { records } = await rehearsed(agent, of, changes);
  const [record] = records;
  if (!record) throw new Error('Nothing ran');
  return record;
}

/** The answer of the first turn. */
export async function answerOf(...[agent, of, changes]: Parameters<typeof recordOf>): Promise<string> {
  return (await recordOf(agent, of, changes)).turns[0]?.answer ?? '';
}

/** Returns when the process has ended. A killed one may need a moment. */
export async function expectEnded(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  await until(() => !alive(pid));
}

/** One that has ended and that nobody has waited for is not alive. */
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const status = `/proc/${pid}/stat`;
    return !existsSync(status) || !/\) Z /.test(readFileSync(status, 'utf8'));
  } catch {
    return false;
  }
}
