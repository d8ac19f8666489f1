import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../../src/service/store/errors.ts';
import { openStore } from '../../../src/service/store/open.ts';
import { newAccount } from './small-account.ts';

const run = promisify(execFile);
// Otherwise the processes leave what they have compiled in the folder for temporary files.
const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
const starter = join(import.meta.dirname, 'open-and-count.ts');

/** Makes `libsql` a package that cannot be found. */
const hooks = `export async function resolve(name, context, next) {
  if (name === 'libsql') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}`;
const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const without = dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`);

describe('several instances that start together', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-billing-store-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keep what was written when the service starts again', async () => {
    const data = join(folder, 'again.db');
    const store = await openStore({ data });
    await newAccount(store);
    await store.close();
    const again = await openStore({ data });
    expect((await again.accountOfKey('key'))?.organization.name).toBe('Acme');
    await again.close();
  });

  it('say that PostgreSQL does not answer', async () => {
    const opening = openStore({ databaseUrl: 'postgres://nobody:secret@localhost:1/none' });
    await expect(opening).rejects.toThrow(/ECONNREFUSED/);
    await expect(opening).rejects.not.toThrow('secret');
  });

  it('say in one sentence that libsql is not installed', async () => {
    const args = ['--import', 'tsx', '--import', without, starter, '{}', 'a'];
    const { stderr } = await run(process.execPath, args, { env }).catch((error: { stderr: string }) => error);
    expect(stderr).toContain('optional package "libsql"');
  });

  it('say which file cannot be opened', async () => {
    const data = join(folder, 'no', 'such', 'folder.db');
    await expect(openStore({ data })).rejects.toThrow(StoreUnavailable);
    await expect(openStore({ data })).rejects.toThrow(`${data} cannot be opened`);
  });
});
