/**
 * What every tool says of the demo account, in one file that reads as a page: test/words/golden.md. A changed sentence
 * shows there as a changed line.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { type Case, reads, writes } from './golden-calls.ts';

const now = '2026-03-15T12:00:00Z';
const heading = `# What the tools say of the demo account

It is 15 March 2026, 12:00 UTC. Each answer follows its arguments; “Demo data:” is left out before it. Of a refusal, the
next step follows in a line of its own. What docs/tools.md shows (\`npm run docs\`) stands there alone.
`;
const documented = readFileSync('docs/tools.md', 'utf8');

const start = () => createRuntime({ config: loadConfig(['--demo', '--confirm', 'never', '--now', now], {}).config });

async function ask(runtime: Runtime, tool: string, args: JsonRecord): Promise<{ text: string; failed: boolean }> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  const { answer } = outcome;
  // The prefix of a new billing entity's numbers is random.
  const said = answer.summary.replace(/^Demo data: /, '').replace(/SKY-[0-9A-F]{4}\b/, 'SKY-…');
  if (!answer.isError) return { text: said, failed: false };
  const { error } = answer.fields as { error: { hint: string } };
  return { text: `${said}\n\n→ ${error.hint}`, failed: true };
}

/** The sentence; or where it stands, if another page has it that is compared with what is said. */
const once = (text: string) =>
  documented.includes(`"summary": ${JSON.stringify(`Demo data: ${text}`)}`) ? 'As in docs/tools.md.' : text;

const sections = new Map<string, string[]>();
const said: string[] = [];

async function tell(runtime: Runtime, tool: string, [asked, args, fails]: Case): Promise<void> {
  const { text, failed } = await ask(runtime, tool, args);
  expect(failed, `${tool} ${JSON.stringify(args)}: ${text}`).toBe(fails !== undefined);
  const part = `**${asked}** \`${JSON.stringify(args)}\`\n\n${once(text)}\n`;
  said.push(text);
  sections.set(tool, [...(sections.get(tool) ?? []), part]);
}

describe('the sentences about the demo account', () => {
  /** The first is never changed. Each other one takes a tool's next write to a record: none tells of what another changed. */
  const accounts: Runtime[] = [];
  beforeAll(async () => {
    for (const [tool, cases] of Object.entries({ ...reads, ...writes })) {
      const changed = new Map<unknown, number>();
      for (const one of cases) {
        const [id] = Object.values(one[1]);
        const changes = tool in writes && one[2] !== 'fails';
        if (changes) changed.set(id, 1 + (changed.get(id) ?? 0));
        const account = (changes && changed.get(id)) || 0;
        accounts[account] ??= start();
        await tell(accounts[account], tool, one);
      }
    }
  });
  afterAll(() => Promise.all(accounts.map(account => account.close())));

  it('read as a page', async () => {
    const page = [...sections].map(([tool, parts]) => `## ${tool}\n\n${parts.join('\n')}`);
    await expect([heading, ...page].join('\n')).toMatchFileSnapshot('./golden.md');
  });

  it('are those of every tool', () => {
    const missing = toolDefinitions.map(({ name }) => name).filter(name => !sections.has(name));
    expect(missing).toEqual([]);
  });

  it('hold nothing that only a program writes', () => {
    expect(said.join('\n')).not.toMatch(/undefined|NaN|\[object|\bnull\b(?! means)/);
  });
});
