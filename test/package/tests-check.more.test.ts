/** The check of the tests (scripts/tests/check.mjs) fails where it should. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const tree = temporaryFolder();

async function check(folder: string) {
  const run = promisify(execFile)(process.execPath, ['scripts/tests/check.mjs', folder]);
  return run.then(({ stdout }) => ({ code: 0, stdout, stderr: '' })).catch(error => error);
}

const imports = (names: string) => `import { ${names} } from './postgres.ts';`;

const planted: [what: string, kind: string, text: string, said: string][] = [
  ['a kind of file that is none', '.slow', '', '.slow.test.ts is no kind of test'],
  ['a part of the runs in a file that runs once', '', "import { runs } from './extent.ts';", 'runs belongs to files'],
  ['a database in a property file', '.property', imports('withDatabase'), 'belongs to files named .databases.test.ts'],
  ['a PostgreSQL in npm test', '', imports('withPostgres'), 'belongs to files named .more.test.ts'],
  ['one under another name', '.databases', imports('withPostgres as it'), 'belongs to files named .more.test.ts'],
  ['a PostgreSQL of its own in npm test', '.property', imports('withCluster'), 'belongs to files named .more.test.ts'],
  ['a clock', '', 'const begun = performance.now();', 'reads a clock'],
  ['a time that has passed', '', 'expect(Date.now() - begun).toBe(1);', 'reads a clock'],
  ['a time until which it waits', '', 'while (Date.now() < end) look();', 'reads a clock'],
  ["the runner's waiting", '', 'await vi.waitFor(() => done);', 'wait with until()'],
  ["the runner's other waiting", '.more', 'await vi.waitUntil(() => done);', 'wait with until()'],
  ['a pause', '', 'await setTimeout(300);', 'wait with until()'],
  ['a pause of a module', '', 'await timers.setTimeout(300);', 'wait with until()'],
  ['an interval', '', 'const look = setInterval(() => {}, 10);', 'wait with until()'],
  ['a delay whose reason is missing', '', '// it is late\nsetTimeout(answer, 10);', 'wait with until()'],
  ['a property that says no number', '.property', 'fc.assert(property);', 'say the number of runs'],
  ['a property whose number is fixed', '.property', 'fc.assert(property, { numRuns: 100 });', 'runs(1000)'],
  ['a poll with a limit', '', 'await expect.poll(look, { timeout: 5 }).toBe(1);', 'has a limit of its own'],
  ['a case with a limit behind it', '', "it('x', () => {}, 60_000);", 'has a limit of its own'],
  ['a case with a limit in front', '', "it('x', { timeout: 60_000 }, () => {});", 'has a limit of its own'],
  ['rows with a limit', '', "it.each([1])('x', { timeout: 60_000 }, () => {});", 'has a limit of its own'],
  ['a group with a limit', '', "describe('x', { timeout: 60_000 }, () => {});", 'has a limit of its own'],
  ['a hook with a limit', '', 'beforeAll(() => {}, 60_000);', 'has a limit of its own'],
  ['a second try', '', "test('x', { retry: 1 }, () => {});", 'has a limit of its own'],
  ['a repeated case', '', "test('x', { repeats: 5 }, () => {});", 'has a limit of its own'],
];

const allowed: [what: string, kind: string, text: string][] = [
  ['an instant as a value', '', 'const later = new Date(Date.now() + 60_000);'],
  ['a delay with its reason', '', '// delay: the service answers late\nsetTimeout(answer, 10);'],
  ['a delay with its reason beside it', '', 'setTimeout(answer, 10); // delay: the service answers late'],
  ['a number of runs', '.property', "import { runs } from './extent.ts';\nfc.assert(property, runs(100));"],
  ['the database of a run', '.databases', imports('withDatabase')],
  ['a PostgreSQL in test:more', '.more', imports('withPostgres, withCluster')],
  ['an option that is no limit', '', "it('x', { skip: true }, () => {});"],
];

describe('the check of the tests', () => {
  const fileOf = (name: string, kind: string) => `test/planted/${name.replaceAll(/\W/g, '-')}${kind}.test.ts`;
  let found: { code: number; stdout: string; stderr: string };
  beforeAll(async () => {
    for (const folder of ['src/planted', 'test/planted', 'test/elsewhere'])
      mkdirSync(join(tree, folder), { recursive: true });
    writeFileSync(join(tree, 'test/elsewhere/x.test.ts'), '');
    for (const [what, kind, text] of [...planted, ...allowed])
      writeFileSync(join(tree, fileOf(what, kind)), `\n${text}\n`);
    found = await check(tree);
  });
  const saidOf = (file: string) => found.stderr.split('\n').filter(line => line.startsWith(`${file}:`));

  it.each(planted)('finds %s', (what, kind, text, said) => {
    const file = fileOf(what, kind);
    const line = text === '' ? 1 : text.split('\n').length + 1;
    expect(found.code).toBe(1);
    expect(saidOf(file)).toEqual([expect.stringContaining(said)]);
    expect(saidOf(file)[0]).toContain(`${file}:${line}: `);
  });

  it.each(allowed)('allows %s', (what, kind) => {
    expect(saidOf(fileOf(what, kind))).toEqual([]);
  });

  it('finds a test that is not in the folder of what it tests', () => {
    expect(saidOf('test/elsewhere/x.test.ts')).toEqual([expect.stringContaining('no folder of src or tools')]);
  });

  it('sees every test file', async () => {
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' });
    const tests = files.filter(name => name.endsWith('.test.ts') && !/(^|\/)(node_modules|clients|bench)\//.test(name));
    expect(tests.length).toBeGreaterThan(200);
    expect((await check('.')).stdout).toContain(`${tests.length} test files: `);
  });
});
