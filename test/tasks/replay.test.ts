import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolDefinitions as tools } from '../../tools/index.ts';
import { main } from '../support/settings.ts';
import { askedAt, type Task, tasks } from './tasks.ts';

/** Tokens of the same calls when every answer was the whole record without its nulls and repetitions. */
const before = 35_385;

let client: Client;
const spent: { question: string; calls: number; tokens: number }[] = [];

beforeAll(async () => {
  client = new Client({ name: 'replay', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, '--demo', '--now', askedAt],
      stderr: 'inherit',
    }),
  );
});

afterAll(async () => {
  await client?.close();
  const lines = spent.map(
    ({ question, calls, tokens }) => `${String(tokens).padStart(6)} tokens, ${calls} calls: ${question}`,
  );
  process.stderr.write(
    `\nTokens of arguments and default answers by task:\n${lines.join('\n')}\n${String(total()).padStart(6)} tokens in all, ${before} before\n`,
  );
});

describe('billing questions can be answered from the default answers alone', () => {
  it.each(tasks.map(task => [task.question, task] as const))('%s', async (_, task) => {
    const said = await replay(task);
    for (const fact of task.facts) expect(said).toContain(fact);
  });

  it('costs at most half of what the answers cost before', () => {
    expect(spent).toHaveLength(tasks.length);
    expect(total()).toBeLessThanOrEqual(before / 2);
  });

  it('there are 26 of them, and every tool appears', () => {
    expect(tasks).toHaveLength(26);
    const used = new Set(tasks.flatMap(task => task.calls.map(call => call.tool)));
    expect([...used].sort()).toEqual(tools.map(tool => tool.name).sort());
  });
});

const total = () => spent.reduce((sum, task) => sum + task.tokens, 0);

/** Makes the calls in order; returns everything that the assistant could read. */
async function replay(task: Task): Promise<string> {
  const said: string[] = [];
  let tokens = 0;
  for (const { tool, args, error } of task.calls) {
    const result = await client.callTool({ name: tool, arguments: args });
    const text = (result.content as { text: string }[]).map(block => block.text).join('');
    const code = (result.structuredContent as { error?: { code: string } } | undefined)?.error?.code;
    expect(code, text).toBe(error);
    tokens += countTokens(text) + countTokens(JSON.stringify(args));
    said.push(text);
  }
  spent.push({ question: task.question, calls: task.calls.length, tokens });
  return said.join('\n');
}
