/** Without the fast way, which one line switches off, the SDK answers everything, and every promise holds. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

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

// Inside node_modules, where the program finds its database.
const folder = mkdtempSync(resolve('node_modules/.without-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('passes the tests of what is answered over stdio and HTTP with the line taken out', async () => {
  const { buildVariant } = await import(new URL('../../../scripts/variant.mjs', import.meta.url).href);
  const program = await buildVariant(folder, { edits: [[entry, line, '\n']] });
  const report = join(folder, 'report.json');
  const options = ['--reporter=json', `--outputFile=${report}`, '-t', `^(?!.*${ofTheFastWay})`];
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...files, ...options], {
    env: { ...Object.fromEntries(own), PROGRAM_WITHOUT_FAST_WAY: program },
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
