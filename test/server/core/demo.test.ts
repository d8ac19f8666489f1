import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { story } from '../../../src/server/commands/demo-story.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';

const demo = fileURLToPath(new URL('../../../dist/demo.js', import.meta.url));
const run = (...flags: string[]) => promisify(execFile)(process.execPath, [demo, ...flags]);

const tools = toolDefinitions.length;

it('the demo shows eight scenes, counts them, and says what to do next', async () => {
  const { stdout, stderr } = await run();
  const scenes = story.filter(({ first }) => first);
  expect(scenes).toHaveLength(8);
  expect([...stdout.matchAll(/^“(.*)”$/gm)].map(([, question]) => question)).toEqual(scenes.map(each => each.question));
  expect(stdout).toMatch(new RegExp(`\n8 of ${tools} tools called in 8 calls, .* 0 failures, `));
  const next = stdout.split('\nWhat to do next\n')[1] ?? '';
  for (const command of ['npm run demo -- --all', 'main.js init cursor', 'main.js --http --demo', 'main.js check'])
    expect(next).toContain(command);
  expect(stderr).toBe('');
});

it('the demo refuses a flag that it does not know', async () => {
  const refused = { code: 2, stdout: '', stderr: expect.stringContaining('does not have --al') };
  await expect(run('--al')).rejects.toMatchObject(refused);
});
