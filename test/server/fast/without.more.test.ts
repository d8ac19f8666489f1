/** Without the fast way, which one line switches off, the SDK answers everything, and every promise holds. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const entry = 'src/server/fast/entry.ts';
const line = '\nfast.way = byHand;\n';
/** Where messages are answered; what lies below, as how a request is sent anew, is the same on both ways. */
const http = ['clients', 'customers', 'guards', 'isolation', 'observe', 'roles', 'scopes', 'sessions'];
const upstream = ['echo', 'forwarding', 'large-numbers'];
const files = [
  'test/server/protocol/',
  ...http.map(name => `test/server/http/${name}.`),
  ...upstream.map(name => `test/calls/api/${name}.`),
];
/** A case that says that the fast way is taken. */
const ofTheFastWay = 'takes the shortcut past the SDK';

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'without-'));
  const left = new Set(['node_modules', '.git', 'dist'].map(name => resolve(name)));
  await cp('.', tree, { recursive: true, filter: path => !left.has(resolve(path)) });
  await symlink(resolve('node_modules'), join(tree, 'node_modules'), 'dir');
  const text = await readFile(join(tree, entry), 'utf8');
  expect(text.split(line), entry).toHaveLength(2);
  await writeFile(join(tree, entry), text.replace(line, '\n'));
  await run(process.execPath, ['scripts/build.mjs'], { cwd: tree });
});
afterAll(() => rm(tree, { recursive: true }));

it('passes the tests of what is answered over stdio and HTTP with the line taken out', async () => {
  const report = join(tree, 'report.json');
  const options = ['--reporter=json', `--outputFile=${report}`, '-t', `^(?!.*${ofTheFastWay})`];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  await run(process.execPath, [vitest, 'run', ...files, ...options], {
    cwd: tree,
    env: Object.fromEntries(own),
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => {});

  const { testResults, numPassedTests } = JSON.parse(await readFile(report, 'utf8'));
  const failed = testResults.flatMap(({ message, assertionResults }: Results) => [
    ...(message ? [message] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ]);
  expect(failed).toEqual([]);
  expect(numPassedTests).toBeGreaterThan(600);
});

interface Results {
  message: string;
  assertionResults: { status: string; fullName: string }[];
}
