/** Without the fast way, which one line switches off, the SDK answers everything, and every promise holds. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const entry = 'src/server/fast/entry.ts';
const line = '\nfast.way = byHand;\n';
/**
 * A file for each kind of message that the fast way would answer, so that the SDK answers it here. What lies below, such as
 * settings, prompts, roles and requests to the service, is the same both ways; what is refused before either is, too.
 */
const files = [
  // Opening, list of tools and every tool in both revisions; messages in pieces, and lines that are none.
  ...['stdio', 'wire'].map(name => `test/server/protocol/${name}.test.ts`),
  // Plain reads, batches, many at a time; calls that take a while, cancellation, questions.
  ...['direct', 'waiting'].map(name => `test/server/protocol/${name}.test.ts`),
  // Clients of both revisions over HTTP, with sessions and without.
  ...['clients', 'sessions'].map(name => `test/server/http/${name}.test.ts`),
  // Numbers that the SDK would write otherwise.
  'test/calls/api/large-numbers.test.ts',
];
/** A case that says that the fast way is taken. */
const ofTheFastWay = 'takes the shortcut past the SDK';

let tree: string;
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'without-'));
  const left = new Set(['.git', 'dist'].map(name => resolve(name)));
  await cp('.', tree, {
    recursive: true,
    filter: path => basename(path) !== 'node_modules' && !left.has(resolve(path)),
  });
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
  await run(process.execPath, [vitest, 'run', '--maxWorkers=1', ...files, ...options], {
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
  expect(numPassedTests).toBeGreaterThan(120);
});

interface Results {
  message: string;
  assertionResults: { status: string; fullName: string }[];
}
