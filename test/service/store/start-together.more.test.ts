import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/service/store/open.ts';
import { withPostgres } from '../../support/postgres.ts';
import { newAccount } from './small-account.ts';

const postgres = await withPostgres();
const run = promisify(execFile);
// Inside node_modules, where the processes find the databases.
const folder = await mkdtemp(resolve('node_modules/.together-'));
afterAll(() => rm(folder, { recursive: true }));
const starter = join(folder, 'open-and-count.mjs');
await build({
  input: join(import.meta.dirname, 'open-and-count.ts'),
  platform: 'node',
  external: ['libsql', 'pg'],
  output: { file: starter, format: 'esm', codeSplitting: false },
});

/** Four processes open one database at the same time; each adds its tax to the account. */
async function startTogether(options: object): Promise<string[]> {
  const one = (code: string) => run(process.execPath, [starter, JSON.stringify(options), code]);
  const results = await Promise.all(['a', 'b', 'c', 'd'].map(one));
  return results.map(result => result.stdout.trim());
}

async function taxCodes(options: Parameters<typeof openStore>[0]): Promise<string[]> {
  const store = await openStore(options);
  const account = await newAccount(store);
  const codes = (await account.find('taxes')).map(tax => tax.code).sort();
  await store.close();
  return codes;
}

describe('several instances that start together', () => {
  it('make the schema of one file only once, and all write to it', async () => {
    const data = join(folder, 'together.db');
    expect(await startTogether({ data })).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await taxCodes({ data })).toEqual(['a', 'b', 'c', 'd']);
  });

  it.skipIf(!postgres)('make the schema of one PostgreSQL database only once, and all write to it', async () => {
    const databaseUrl = await postgres?.freshDatabase();
    expect(await startTogether({ databaseUrl })).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect(await taxCodes({ databaseUrl })).toEqual(['a', 'b', 'c', 'd']);
  });
});
