import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { story } from '../../src/cli/demo-story.ts';
import { toolDefinitions } from '../../tools/index.ts';

const demo = fileURLToPath(new URL('../../dist/demo.js', import.meta.url));
const run = (...flags: string[]) => promisify(execFile)(process.execPath, [demo, ...flags]);

it('the demo shows every scene and ends with a line that counts tools and calls', { timeout: 90_000 }, async () => {
  const { stdout, stderr } = await run();
  for (const { question, tool } of story) expect(stdout).toContain(`“${question}”\n   ${tool}  {`);
  const counted = `${toolDefinitions.length} of ${toolDefinitions.length} tools called in ${story.length} calls`;
  expect(stdout.trim().split('\n').at(-1)).toMatch(new RegExp(`^${counted}, \\d+ questions answered, 0 failures, `));
  expect(stderr).toBe('');
});

it('the demo for machines prints one line of JSON a call, and the counts', { timeout: 90_000 }, async () => {
  const { stdout } = await run('--json');
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines).toHaveLength(story.length + 1);
  for (const line of lines.slice(0, -1)) expect(line).toMatchObject({ ok: true, summary: expect.stringMatching(/\w/) });
  expect(lines.at(-1)).toMatchObject({ tools: toolDefinitions.length, called: toolDefinitions.length, failures: 0 });
});
