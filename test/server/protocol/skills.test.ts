/** The skills of the package: in the form of Agent Skills, true to the tools, and the same text as the server's prompts. */
import { readdirSync, readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toolList } from '../../../src/calls/access/tool-list.ts';
import { getPrompt, prompts, promptsFor } from '../../../src/server/protocol/prompts.ts';
import { skillTasks } from '../../tasks/skill-tasks.ts';

const tools = new Map(toolList.map(tool => [tool.name, tool]));
const folders = readdirSync('skills').sort();
const namesOf = (text: string) => [...new Set(text.match(/[a-z]+(?:_[a-z]+)+/g) ?? [])].filter(word => tools.has(word));

const partsOf = (folder: string) => {
  const text = readFileSync(`skills/${folder}/SKILL.md`, 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { text, head: parse(head) as Record<string, unknown>, body: body.trim() };
};

/** The prompt of a skill for a caller who is offered every tool but those. */
const promptOf = (folder: string, hidden: readonly string[] = [], values: Record<string, string> = {}) => {
  const offers = (word: string) => !hidden.includes(word);
  const name = folder.replaceAll('-', '_');
  const filled = getPrompt(name, { external_customer_id: 'x', ...values }, promptsFor(offers), offers);
  return 'prompt' in filled ? (filled.prompt.messages[0]!.content as { text: string }).text : undefined;
};

it('there are five', () => {
  expect(folders).toEqual([
    'answer-bill-question',
    'chase-overdue-invoices',
    'close-the-month',
    'quote-plan-change',
    'reconcile-payments',
  ]);
});

it('the list of prompts stays small', () => {
  const tokens = countTokens(JSON.stringify(prompts));
  expect(tokens).toBeLessThanOrEqual(780);
});

describe.each(folders)('%s', folder => {
  const { text, head, body } = partsOf(folder);

  it('has the name of its folder and a description, and at most 80 lines', () => {
    expect(Object.keys(head)).toEqual(['name', 'description', 'metadata']);
    expect(head.name).toBe(folder);
    expect(folder).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(String(head.description).length).toBeLessThanOrEqual(1_024);
    expect(head.description).toMatch(/\. Use (it )?(when|for|before|to|if) /i);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  });

  it('calls tools by arguments that they have', () => {
    const calls = [...body.matchAll(/`([a-z_]+)`(?: (?:with|without) ([^:\n]*))?/g)];
    expect(calls.length).toBeGreaterThan(5);
    for (const [, tool = '', given = ''] of calls) {
      expect([...tools.keys()], tool).toContain(tool);
      const known = JSON.stringify(tools.get(tool)!.listed.inputSchema);
      for (const [argument] of given.replaceAll(/"[^"]*"(?!:)|`[^`]*`/g, '').matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g))
        expect(known, `${tool} ${argument}`).toContain(`"${argument}"`);
    }
  });

  it('tells that records can come late, and where in the period one is', () => {
    const [, checks = ''] = /^## Check\n\n([\s\S]*?)\n\n##/m.exec(body) ?? [];
    expect(checks).toMatch(/\b(late|delay)\b/);
    expect(checks).toMatch(/\b(period|month is over|today's date|days)\b/);
  });

  it('is the prompt of the server, with the values as data behind it', () => {
    const [{ arguments: fields = [] } = {}] = prompts.filter(({ name }) => name === folder.replaceAll('-', '_'));
    const values = Object.fromEntries(fields.map(({ name }) => [name, 'a\n# b']));
    const lines = fields.map(({ name }) => `- ${name}: "a\\n# b"`);
    expect(promptOf(folder, [], values)).toBe(`${body}\n\n## Data of this request\n\n${lines.join('\n')}`);
  });

  it('names no tool that the caller is not offered, and says that something is left out', () => {
    const needs = namesOf((head.metadata as { needs: string }).needs);
    expect(needs.length).toBeGreaterThan(0);
    for (const tool of namesOf(body)) {
      const shown = promptOf(folder, [tool]);
      if (needs.includes(tool)) expect(shown, tool).toBeUndefined();
      else {
        expect(shown, tool).not.toContain(tool);
        expect(shown, tool).toContain('What needs tools that you are not offered is left out above');
      }
    }
    const least = promptOf(
      folder,
      namesOf(body).filter(tool => !needs.includes(tool)),
    );
    expect(namesOf(least!).sort()).toEqual([...needs].sort());
    expect(least).not.toMatch(/:\n\n|:\n\d/);
  });

  it('has three tasks in test/tasks, which call its tools in its order', () => {
    const tasks = skillTasks.filter(({ skill }) => skill === folder);
    expect(tasks).toHaveLength(3);
    const lines = body.split('\n');
    for (const { question, calls } of tasks) {
      let from = 0;
      for (const { tool } of calls) {
        const at = lines.findIndex((line, index) => index >= from && line.includes(`\`${tool}\``));
        expect(at, `${question}: ${tool}`).toBeGreaterThanOrEqual(0);
        // After a change, what it did is read again.
        from = tool.startsWith('update_') ? 0 : at;
      }
    }
  });
});
