import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { story } from '../../../src/server/commands/demo-story.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';

const demo = fileURLToPath(new URL('../../../dist/demo.js', import.meta.url));
const run = (...flags: string[]) => promisify(execFile)(process.execPath, [demo, ...flags]);
const tools = toolDefinitions.length;
/** Calls of the demo without `--all`. */
const calls = 8;

it('the demo for machines prints one line of JSON a call, and the counts', async () => {
  const { stdout } = await run('--json');
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines).toHaveLength(calls + 1);
  for (const line of lines.slice(0, -1)) expect(line).toMatchObject({ ok: true, summary: expect.stringMatching(/\w/) });
  expect(lines.at(-1)).toMatchObject({ tools, called: calls, failures: 0 });
});

it('the demo with --all shows every scene, and calls every tool', async () => {
  const { stdout, stderr } = await run('--all');
  for (const { question, tool } of story) expect(stdout).toContain(`“${question}”\n   ${tool}  {`);
  const counted = `${tools} of ${tools} tools called in ${story.length} calls`;
  expect(stdout).toMatch(new RegExp(`\n${counted}, \\d+ questions answered, 0 failures, `));
  expect(stderr).toBe('');
});
