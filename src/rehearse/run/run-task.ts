/** One run of one task: a fresh account, the server, the agent's turns, and what was found afterwards. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folded } from '../../lib/case-folding.ts';
import { settings } from '../../server/settings/settings.ts';
import { redactText } from '../../words/safe-text.ts';
import type { RunRecord, Task, Turn } from '../types.ts';
import { configOf, serve, startAccount } from './desk.ts';
import { type AgentEnd, runCommand } from './process.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export interface AgentOptions {
  /** The agent's command, as a shell takes it. */
  agent: string;
  /** For all turns of a run together. */
  timeoutMs: number;
  /** The environment from which the agent's is made. */
  env: NodeJS.ProcessEnv;
  /** Ends the rehearsal: what runs is killed and left out. */
  signal: AbortSignal;
  /** Runs the command in each turn; by default as a process. */
  run?: typeof runCommand;
}

/** Names the task without a word of it: an id may tell what is tried. */
function markOf({ id }: Task): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 12);
}

/** Systems refuse to start a process with a longer one. The input holds the same words. */
const longestVariable = 30_000;

/** Null when the rehearsal was stopped. Nothing of the run stays: no process, no file, no open port. */
export async function runTask(task: Task, options: AgentOptions): Promise<RunRecord | null> {
  const started = performance.now();
  const service = await startAccount(task);
  try {
    const before = await service.snapshot();
    const secrets = [service.apiKey, ...secretsIn(options.env)];
    const recorder = createRecorder(task.person?.confirms, secrets);
    const server = await serve(configOf(task, service), recorder);
    // Closed before the account is read: nothing changes it after that.
    const { turns, last, leftRunning } = await talk(task, server.url, recorder, options).finally(server.close);
    if (last.kind === 'stopped') return null;
    const calls = recorder.calls();
    return {
      turns: turns.map(({ says, answer }) => ({ says, answer: redactText(answer, secrets) })),
      calls,
      ended: last.kind,
      ...(last.kind === 'failed' && { reason: redactText(last.reason, secrets) }),
      ...(leftRunning.length > 0 && { leftRunning }),
      before,
      after: await service.snapshot(),
      tokens: calls.reduce((sum, { tokens }) => sum + tokens, recorder.listTokens()),
      durationMs: Math.round(performance.now() - started),
    };
  } finally {
    await service.close();
  }
}

/** All turns, from the user's first words to an answer to which the user says nothing more. */
async function talk(task: Task, url: string, recorder: Recorder, options: AgentOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'rehearsal-'));
  try {
    const file = join(folder, 'mcp.json');
    await writeFile(file, JSON.stringify({ mcpServers: { billing: { type: 'http', url } } }));
    const replies = [...(task.person?.replies ?? [])];
    const deadline = performance.now() + options.timeoutMs;
    const turns: Turn[] = [];
    const leftRunning: string[] = [];
    for (let says: string | undefined = task.says; ; ) {
      recorder.beginTurn(turns.length);
      const variables = { REHEARSAL_MCP_URL: url, REHEARSAL_MCP_CONFIG: file, REHEARSAL_TASK: markOf(task) };
      const last = await turn(task, turns, says, variables, { ...options, timeoutMs: deadline - performance.now() });
      if (last.kind === 'stopped') return { turns, last, leftRunning };
      leftRunning.push(...(last.leftRunning ?? []));
      turns.push({ says, answer: last.answer });
      says = last.kind === 'answered' ? nextWords(replies, last.answer) : undefined;
      if (says === undefined) return { turns, last, leftRunning };
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function turn(
  task: Task,
  earlier: readonly Turn[],
  says: string,
  variables: Readonly<Record<string, string>>,
  { agent, env, timeoutMs, signal, run = runCommand }: AgentOptions,
): Promise<AgentEnd> {
  const input = promptOf(task, earlier, says);
  const variablesOfTurn = Object.entries({
    ...variables,
    REHEARSAL_TURN: String(earlier.length),
    REHEARSAL_CONVERSATION: JSON.stringify(earlier),
    REHEARSAL_PROMPT: input,
  }).filter(([, value]) => value.length <= longestVariable);
  return run({
    command: agent,
    env: agentEnvironment(env, Object.fromEntries(variablesOfTurn)),
    input,
    deadlineMs: timeoutMs,
    signal,
  });
}

/** Takes the first reply that fits the answer out of those that are left. */
function nextWords(replies: NonNullable<NonNullable<Task['person']>['replies']>[number][], answer: string) {
  const index = replies.findIndex(({ when }) => when === undefined || folded(answer).includes(folded(when)));
  return index === -1 ? undefined : replies.splice(index, 1)[0]?.says;
}

/** Rules of the operator, the day, the conversation so far and the user's new words, as paragraphs. */
function promptOf({ rules, now }: Pick<Task, 'rules' | 'now'>, earlier: readonly Turn[], says: string): string {
  const day = new Date(now).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const conversation = earlier.flatMap(turn => [`User: ${turn.says}`, `Assistant: ${turn.answer.trim()}`]);
  const words = earlier.length === 0 ? says : `User: ${says}`;
  return `${[...(rules === undefined ? [] : [rules]), `Today is ${day}.`, ...conversation, words].join('\n\n')}\n`;
}

/**
 * What the server reads besides its settings: PostgreSQL's own variables, addresses of stores, tracing with its headers.
 * `REHEARSAL_` is ours: a rehearsal inside a rehearsal passes nothing on.
 */
const otherServerVariables = /^(?:BILLING_|REHEARSAL_|OTEL_|PG[A-Z]|REDIS_|DATABASE_URL$|POSTGRES_)/i;
const names: ReadonlySet<string> = new Set(Object.values(settings).flatMap(({ name }) => name?.toUpperCase() ?? []));
const proxies = /^(?:https?|no)_proxy$/i;

/**
 * The variables of this process without those of the server, and `runVariables`. The machine's proxy leads the agent to its
 * model, so it is passed on unless it holds a password; the server itself is reached without it.
 */
function agentEnvironment(env: NodeJS.ProcessEnv, runVariables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const passed = Object.entries(env).filter(
    ([name, value]) => !otherServerVariables.test(name) && (!names.has(name.toUpperCase()) || isOpenProxy(name, value)),
  );
  const past = ['127.0.0.1', ...[env.no_proxy ?? env.NO_PROXY ?? []].flat()].join(',');
  const proxied = passed.some(([name]) => proxies.test(name));
  return { ...Object.fromEntries(passed), ...(proxied && { NO_PROXY: past, no_proxy: past }), ...runVariables };
}

function isOpenProxy(name: string, value = ''): boolean {
  return proxies.test(name) && !value.includes('@');
}

/** The values among them that must not stand in a report, as far as their names tell. */
function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const telling = Object.entries(env).filter(([name]) => /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i.test(name));
  return telling.flatMap(([, value = '']) => (value.length >= 12 ? [value] : []));
}
