/** The check of names (scripts/names/check.mjs) fails where it should, and nowhere else. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'names-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const cases: [what: string, text: string, problem: string | null][] = [
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
];

it.each(cases)('%s', async (what, text, problem) => {
  const file = join(folder, `${what.replaceAll(' ', '-')}.ts`);
  writeFileSync(file, `/** One line more. */\n${text}\n`);
  const run = promisify(execFile)(process.execPath, ['scripts/names/check.mjs', file]);
  const { code = 0, stderr } = await run.catch(error => error);
  expect(code).toBe(problem === null ? 0 : 1);
  expect(stderr).toContain(problem === null ? '' : `${file}:2 ${problem}`);
});
