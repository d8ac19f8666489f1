import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Account, createAccountSource } from '../../src/account.ts';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/service/store/open.ts';

describe('the embedded service in a file', () => {
  let folder: string;
  let data: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-billing-account-'));
    data = join(folder, 'demo.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const source = () => createAccountSource(loadConfig(['--demo', '--data', data], {}).config);
  const status = async ({ baseUrl, apiKey }: Account) => {
    const response = await fetch(`${baseUrl}/plans`, { headers: { authorization: `Bearer ${apiKey}` } });
    await response.text();
    return response.status;
  };

  it('is opened by a key of its own each time, which is worth nothing afterwards', async () => {
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

  it('is an error that every call repeats when it cannot start, without the address of the database', async () => {
    const url = 'postgres://user:hidden-password@127.0.0.1:1/none';
    const account = createAccountSource(loadConfig(['--demo', '--database-url', url], {}).config);
    const answer = await account.ready();
    expect(answer).toMatchObject({ code: 'demo_unavailable', changed: false });
    expect(JSON.stringify(answer)).not.toContain('hidden-password');
    await account.close();
  });
});
