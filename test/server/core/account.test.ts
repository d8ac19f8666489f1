import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Account, createAccountSource } from '../../../src/calls/api/account/upstreams.ts';
import { startEmbedded } from '../../../src/server/core.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { openStore } from '../../../src/service/store/open.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the embedded service with a file', () => {
  const folder = temporaryFolder();
  let data: string;
  beforeEach(() => {
    data = join(mkdtempSync(join(folder, 'of-test-')), 'demo.db');
  });

  const source = () => createAccountSource(loadConfig(['--demo', '--data', data], {}).config, startEmbedded);
  const status = async ({ baseUrl, apiKey }: Account) => {
    const response = await fetch(`${baseUrl}/plans`, { headers: { authorization: `Bearer ${apiKey}` } });
    await response.text();
    return response.status;
  };

  it('gets a new key at each start, which is invalid afterwards', async () => {
    const keys: string[] = [];
    for (let start = 0; start < 3; start++) {
      const account = source();
      const ready = (await account.ready()) as Account;
      expect(await status(ready)).toBe(200);
      keys.push(ready.apiKey);
      await account.close();
    }
    expect(new Set(keys).size).toBe(3);
    const store = await openStore({ data });
    for (const key of keys) expect(await store.accountOfKey(key)).toBeFalsy();
    expect(await store.firstAccount()).toBeTruthy();
    await store.close();
  });

  it('starts once, however many calls wait for it, and can be closed before it has started', async () => {
    const account = source();
    const [first, second] = await Promise.all([account.ready(), account.ready()]);
    expect(second).toBe(first);
    expect(account.current()).toBe(first);
    await account.close();
    const hurried = source();
    void hurried.ready();
    await hurried.close();
    await source().close();
  });

  it('is waited for while its database is away, and names the database without the password, until it is closed', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    const url = 'postgres://user:hidden-password@127.0.0.1:1/none';
    const account = createAccountSource(loadConfig(['--demo', '--data', url], {}).config, startEmbedded);
    const answer = await account.ready();
    expect(answer).toMatchObject({
      code: 'demo_unavailable',
      facts: { case: 'waiting', database: 'PostgreSQL at 127.0.0.1:1' },
    });
    expect(account.current()).toBe(answer);
    expect(account.database()).toBe('PostgreSQL at 127.0.0.1:1');
    expect(lines.mock.calls).toEqual([[expect.stringContaining('is waiting for PostgreSQL at 127.0.0.1:1')]]);
    expect(JSON.stringify([answer, lines.mock.calls])).not.toContain('hidden-password');
    await account.close();
    lines.mockRestore();
  });

  it('gives every call the same error when it cannot start', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => {});
    data = join(folder, 'no', 'demo.db');
    const account = source();
    const answer = await account.ready();
    expect(answer).toMatchObject({
      code: 'demo_unavailable',
      facts: { case: 'failed', reason: expect.stringContaining('The database file') },
    });
    expect([account.current(), account.database()]).toEqual([answer, null]);
    expect(lines).toHaveBeenCalledOnce();
    await account.close();
    lines.mockRestore();
  });
});
