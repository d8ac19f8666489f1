/** Agents for tests of the rehearsal: small programs that a shell starts, and that use the server by plain HTTP. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Plan, rehearse } from '../../../src/rehearse/run/rehearse.ts';
import type { Task } from '../../../src/rehearse/types.ts';

/** What every agent has: `read` the words, `call` a tool (gives the result's text), `list` the tools, `say` the answer. */
const prelude = `
import { readFileSync, writeFileSync } from 'node:fs';
const env = process.env;
const say = text => process.stdout.write(String(text));
const read = () => readFileSync(0, 'utf8');
const send = async (method, params) => {
  const response = await fetch(env.REHEARSAL_MCP_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
};
const call = async (name, args) => (await send('tools/call', { name, arguments: args })).content[0].text;
const list = async () => (await send('tools/list', {})).tools;
`;

/** A folder for agents and what they write; `close` removes it. */
export function agentFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'agents-'));
  let count = 0;
  return {
    file: (name: string) => join(folder, name),
    /** The command that runs this program. */
    agent(program: string): string {
      const file = join(folder, `agent-${++count}.mjs`);
      writeFileSync(file, `${prelude}${program}`);
      return `"${process.execPath}" "${file}"`;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** A task on the demo account. */
export function task(changes: Partial<Task> = {}): Task {
  const plain = {
    id: 'a-task',
    kind: 'answer',
    says: 'How many plans are there?',
    now: '2026-03-15T12:00:00Z',
  } as const;
  return { ...plain, account: 'demo', expect: {}, ...changes };
}

/** Rehearses one task, or several; every run passes. Gives the records, and the rehearsal. */
export async function rehearsed(agent: string, tasks: Task | readonly Task[] = task(), changes: Partial<Plan> = {}) {
  const rehearsal = await rehearse({
    ...{ agent, tasks: [tasks].flat(), origin: 'own', runs: 1, jobs: 1, timeoutMs: 60_000, env: process.env },
    ...{ signal: new AbortController().signal, startedAt: new Date('2026-03-15T12:00:00Z') },
    grade: () => ({ passed: true, failures: [] }),
    ...changes,
  });
  const records = rehearsal.results.flatMap(({ runs }) => runs.map(({ record }) => record));
  return { rehearsal, records };
}

/** The record of a rehearsal of one run. */
export async function recordOf(agent: string, of?: Task, changes?: Partial<Plan>) {
  const { records } = await rehearsed(agent, of, changes);
  const [record] = records;
  if (!record) throw new Error('Nothing ran');
  return record;
}

/** What the command printed in the first turn. */
export async function answerOf(...[agent, of, changes]: Parameters<typeof recordOf>): Promise<string> {
  return (await recordOf(agent, of, changes)).turns[0]?.answer ?? '';
}

/** Has the process ended? A killed one may need a moment. */
export async function expectEnded(pid: number): Promise<void> {
  for (let tries = 0; tries < 100 && alive(pid); tries++) await setTimeout(20);
  expect(alive(pid)).toBe(false);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
