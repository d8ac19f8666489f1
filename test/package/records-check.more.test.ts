/** The check of records (scripts/records/check.mjs) fails where it should, and nowhere else. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'records-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const cases: [what: string, text: string, problem: string | null][] = [
  ['an untyped record', "import type { JsonRecord } from './json.ts';", 'JsonRecord is without types'],
  ['beside another name', "import { isGiven, type JsonObject } from './json.ts';", 'JsonObject is without types'],
  ['under another name', "import { anyRecord as asRecord } from './json.ts';", 'anyRecord is without types'],
  ['a reader of lists', "import { anyRecords } from './json.ts';", 'anyRecords is without types'],
  ['a guard', "import { isRecord } from './json.ts';", 'isRecord is without types'],
  ['any', 'export const f = (record: any) => record;', '`any` switches the compiler off'],
  ['any behind another type', 'export const f = record as Map<string, any>;', '`any` switches the compiler off'],
  ['unknown fields', 'export type R = Record<string, unknown>;', 'a record of unknown fields is without types'],
  ['any fields', 'export type R = Readonly<Record<string, any>>;', 'a record of unknown fields is without types'],
  ['a typed record', "import type { Invoice } from './shown.ts';", null],
  ['the reader that keeps types', "import { asRecord } from './summary.ts';", null],
  ['texts by name', 'export type R = Record<string, string>;', null],
  ['the word alone', "export const any = 'JsonRecord';", null],
];

it.each(cases)('%s', async (what, text, problem) => {
  const file = join(folder, `${what.replaceAll(' ', '-')}.ts`);
  writeFileSync(file, `/** One line more. */\n${text}\n`);
  const run = promisify(execFile)(process.execPath, ['scripts/records/check.mjs', file]);
  const { code = 0, stderr } = await run.catch(error => error);
  expect(code).toBe(problem === null ? 0 : 1);
  expect(stderr).toContain(problem === null ? '' : `${file}:2 ${problem}`);
});
