import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLookup } from '../../src/definition/define.ts';
import { isText } from '../../src/lib/json.ts';
import { toolDefinitions as tools } from '../../tools/all-tools.ts';
import { type Demo, startDemo } from '../browser/demo.ts';
import { answerTokens } from '../support/answer-tokens.ts';
import { billAccount } from './bill-account.ts';
import { billTasks } from './bill-tasks.ts';
import { lookupTasks } from './lookup-tasks.ts';
import { skillTasks } from './skill-tasks.ts';
import { askedAt, type Task, tasks } from './tasks.ts';
import { changeTasks } from './whole-answers-changes.ts';
import { invoiceTasks } from './whole-answers-invoices.ts';
import { walletTasks } from './whole-answers-wallets.ts';

/** Tokens of the first group's calls when every answer was the whole record without its nulls and repetitions. */
const before = 35_385;

const accountFile = join(tmpdir(), 'account.json');

interface Group {
  name: string;
  tasks: readonly Task[];
  count: number;
  /** Tools that the group's tasks call at least once. */
  covers: string[];
  mostTokens?: number;
  /** Of each task. */
  mostCalls?: number;
  /** In place of the demo account. */
  account?: object;
}

const lookups = tools.filter(isLookup).map(tool => tool.name);
const groups: Group[] = [
  {
    name: 'whose ids are known',
    tasks,
    count: 27,
    covers: tools.map(tool => tool.name).filter(name => !lookups.includes(name)),
    mostTokens: before / 2,
  },
  { name: 'that begin with a name', tasks: lookupTasks, count: 28, covers: lookups },
  { name: 'about what changed', tasks: changeTasks, count: 8, covers: [], mostCalls: 3 },
  { name: 'about invoices and what is owed', tasks: invoiceTasks, count: 13, covers: [], mostCalls: 3 },
  {
    name: 'about wallets and subscriptions, from default answers',
    tasks: walletTasks,
    count: 8,
    covers: [],
    mostCalls: 3,
  },
  { name: 'whether a bill is right', tasks: billTasks, count: 12, covers: [], mostCalls: 3, account: billAccount },
  { name: 'that follow a skill', tasks: skillTasks, count: 15, covers: [], mostCalls: 6 },
];

describe.each(groups)('questions $name', ({ name, tasks, count, covers, ...limits }) => {
  const { mostTokens = Number.POSITIVE_INFINITY, mostCalls = Number.POSITIVE_INFINITY } = limits;
  let client: Demo;
  const spent: { question: string; calls: number; tokens: number }[] = [];
  const total = () => spent.reduce((sum, task) => sum + task.tokens, 0);

  beforeAll(async () => {
    client = await demo(limits.account);
  });

  afterAll(async () => {
    await client?.close();
    rmSync(accountFile, { force: true });
    const lines = spent.map(
      ({ question, calls, tokens }) => `${String(tokens).padStart(6)} tokens, ${calls} calls: ${question}`,
    );
    const limit = mostTokens < Number.POSITIVE_INFINITY ? `, at most ${Math.floor(mostTokens)}` : '';
    process.stderr.write(
      `\nTokens of arguments and default answers, questions ${name}:\n${lines.join('\n')}\n${String(total()).padStart(6)} tokens in all${limit}\n`,
    );
  });

  it.each(tasks.map(task => [task.question, task] as const))('%s', async (question, task) => {
    const { said, tokens, unknownValues } = await replay(client, task);
    spent.push({ question, calls: task.calls.length, tokens });
    if (tasks === billTasks) expect(unknownValues).toEqual([]);
    for (const fact of task.facts) expect(said).toContain(fact);
  });

  it('cost no more tokens than they may', () => {
    expect(spent).toHaveLength(tasks.length);
    expect(Math.max(...spent.map(({ calls }) => calls))).toBeLessThanOrEqual(mostCalls);
    expect(total()).toBeLessThanOrEqual(mostTokens);
  });

  it('are as many as they should be, and call every tool of their kind', () => {
    expect(tasks).toHaveLength(count);
    const used = tasks.flatMap(task => task.calls.map(call => call.tool));
    expect(covers.filter(tool => !used.includes(tool))).toEqual([]);
    for (const { calls } of tasks) expect(calls.length).toBeLessThanOrEqual(mostCalls);
  });
});

/** A server in this process with an account of its own, by default the demo account, which accepts every change. */
async function demo(account: object | undefined): Promise<Demo> {
  if (account) writeFileSync(accountFile, JSON.stringify(account));
  const flags = account ? ['--account', accountFile] : [];
  return startDemo(askedAt, flags, { elicitation: {} }, client =>
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: 'yes' } })),
  );
}

interface Replayed {
  /** Everything that the assistant could read. */
  said: string;
  /** With the arguments. */
  tokens: number;
  /** Texts in the arguments that neither the question nor an earlier answer has. */
  unknownValues: string[];
}

/** Makes the calls in order. */
async function replay(client: Demo, task: Task): Promise<Replayed> {
  const said: string[] = [];
  const unknownValues: string[] = [];
  let tokens = 0;
  for (const { tool, args, error } of task.calls) {
    const known = [task.question, ...said].join('\n');
    const texts = Object.values(args).flat().filter(isText);
    unknownValues.push(...texts.filter(text => !known.includes(text)));
    const result = await client.call(tool, args);
    const text = (result.content as { text: string }[]).map(block => block.text).join('');
    const code = (result.structuredContent as { error?: { code: string } } | undefined)?.error?.code;
    expect(code, text).toBe(error);
    tokens += answerTokens(text) + answerTokens(JSON.stringify(args));
    said.push(text);
  }
  return { said: said.join('\n'), tokens, unknownValues };
}
