/** The checks of names and of records (scripts/names, scripts/records) and Biome fail where they should, and nowhere else. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();

type Case = [what: string, text: string, problem: string | null];
const checks: Record<string, Case[]> = {
  names: [
    ['a variable', 'const found = 1;', '“found” does not say'],
    ['a parameter', 'export const f = (asked: string) => asked;', '“asked” does not say'],
    ['a function', 'export function told() {}', '“told” does not say'],
    ['a function in a class', 'export class C { m(given = 1) { return given; } }', '“given” does not say'],
    ['a part of an object', 'export const f = ({ own: { running } }: any) => running;', '“running” does not say'],
    ['a part with another name', 'export const f = ({ rest: around }: any) => around;', '“around” does not say'],
    ['what is left of an object', 'const { a, ...own } = object;', '“own” does not say'],
    ['a part of a list', 'const [first, found] = list;', '“found” does not say'],
    ['a literal that is spread', 'export const o = { ...{ a: 1 }, b: 2 };', 'a literal is spread for looks'],
    ['a part that gets another name', 'const { found: rows } = answer;', null],
    ['a member of an answer', "export const receipt = { found: 'by looking' };", null],
    ['what is spread on a condition', 'export const o = { ...(a && { b: 2 }) };', null],
  ],
  records: [
    ['an untyped record', "import type { JsonRecord } from './json.ts';", 'JsonRecord is without types'],
    ['beside another name', "import { isGiven, type JsonObject } from './json.ts';", 'JsonObject is without types'],
    ['under another name', "import { anyRecord as asRecord } from './json.ts';", 'anyRecord is without types'],
    ['a reader of lists', "import { anyRecords } from './json.ts';", 'anyRecords is without types'],
    ['a guard', "import { isRecord } from './json.ts';", 'isRecord is without types'],
    ['unknown fields', 'export type R = Record<string, unknown>;', 'a record of unknown fields is without types'],
    ['a typed record', "import type { Invoice } from './shown.ts';", null],
    ['the reader that keeps types', "import { asRecord } from './summary.ts';", null],
    ['texts by name', 'export type R = Record<string, string>;', null],
    ['the word alone', "export const any = 'JsonRecord';", null],
  ],
};

describe.each(Object.entries(checks))('the check of %s', (check, cases) => {
  const fileOf = (what: string) => join(folder, `${what.replaceAll(' ', '-')}.ts`);
  /** All that must fail is checked at once, and all that must not. */
  const checked = (planted: Case[]) => {
    for (const [what, text] of planted) writeFileSync(fileOf(what), `/** One line more. */\n${text}\n`);
    const files = planted.map(([what]) => fileOf(what));
    return spawnSync(process.execPath, [`scripts/${check}/check.mjs`, ...files], { encoding: 'utf8' });
  };
  const failing = cases.filter(each => each[2] !== null);
  let said: string[];
  beforeAll(() => {
    const { status, stderr } = checked(failing);
    expect(status).toBe(1);
    said = stderr.split('\n');
  });

  it.each(failing)('finds %s', (what, _text, problem) => {
    expect(said).toContainEqual(expect.stringContaining(`${fileOf(what)}:2 ${problem}`));
  });

  it('finds nothing else', () => {
    expect(checked(cases.filter(each => each[2] === null))).toMatchObject({ status: 0, stderr: '' });
  });
});

it.each<[what: string, rule: string, texts: Record<string, string>]>([
  ['`any`', 'noExplicitAny', { planted: 'export const f = (record: any) => record;' }],
  [
    'a circle of imports, also of types alone',
    'noImportCycles',
    {
      planted: "import type { B } from './other.ts';\n\nexport type A = B | 1;",
      other: "import type { A } from './planted.ts';\n\nexport type B = A[];",
    },
  ],
])('`biome ci` with the settings of this repository fails on %s', (_, rule, texts) => {
  const cwd = join(folder, rule);
  mkdirSync(cwd);
  copyFileSync('biome.json', join(cwd, 'biome.json'));
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, `${name}.ts`), `${text}\n`);
  const biome = resolve('node_modules/.bin/biome');
  const args = ['ci', '--vcs-enabled=false', '--reporter=github', '.'];
  const { status, stdout } = spawnSync(biome, args, { cwd, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, expect.stringContaining(`::error title=lint/suspicious/${rule},file=`)]);
});
