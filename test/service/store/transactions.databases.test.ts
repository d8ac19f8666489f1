import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { AccountStore } from '../../../src/service/store/store.ts';
import { withDatabase } from '../../support/postgres.ts';
import { newAccount, tax } from './small-account.ts';

const { name, missing, fresh } = await withDatabase();
const open = async () => openStore({ databaseUrl: await fresh() });

/** Lets others go on, those that are not part of the transaction. On SQLite they wait for it: there is one connection. */
const others = async (work: Promise<unknown>) => {
  if (name === 'PostgreSQL') await work;
  else await new Promise(resolve => setImmediate(resolve));
};
/** A promise, and what resolves it. */
function signal(): { given: Promise<void>; give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>(resolve => {
    give = resolve;
  });
  return { given, give };
}

describe.skipIf(missing)(`transactions on ${name}`, () => {
  describe('with many requests at once', () => {
    let store: OpenStore;
    let account: AccountStore;
    const rate = async () => Number((await account.first('taxes', { code: 'counter' }))?.rate);

    beforeAll(async () => {
      store = await open();
      account = await newAccount(store);
      await account.insert('taxes', tax('counter', { rate: '0' }));
    });
    afterAll(() => store?.close());

    it('loses no update when twenty requests count at the same time', async () => {
      const count = () =>
        account.transaction(async inside => {
          const found = await inside.get('taxes', 'tax-counter', { lock: true });
          await new Promise(resolve => setImmediate(resolve));
          await inside.update('taxes', 'tax-counter', { rate: String(Number(found?.rate) + 1) });
        });
      await Promise.all(Array.from({ length: 20 }, count));
      expect(await rate()).toBe(20);
    });

    it('rolls back everything when one step fails', async () => {
      const failing = account.transaction(async inside => {
        await inside.update('taxes', 'tax-counter', { rate: '99' });
        await inside.insert('taxes', tax('half-done'));
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      expect(await rate()).toBe(20);
      expect(await account.count('taxes', { code: 'half-done' })).toBe(0);
    });

    it('hides uncommitted work from other requests', async () => {
      const seen: number[] = [];
      const changed = signal();
      const reading = changed.given.then(() =>
        Promise.all(Array.from({ length: 5 }, async () => seen.push(await rate()))),
      );
      await account.transaction(async inside => {
        await inside.update('taxes', 'tax-counter', { rate: '77' });
        changed.give();
        await others(reading);
        await inside.update('taxes', 'tax-counter', { rate: '21' });
      });
      await reading;
      expect(seen).not.toContain(77);
      expect(await rate()).toBe(21);
    });

    // On SQLite readers wait for the transaction: there is one connection.
    if (name === 'PostgreSQL') {
      it('lets others read a record that a transaction has locked', async () => {
        const locked = signal();
        const reading = locked.given.then(() => account.get('taxes', 'tax-counter'));
        await account.transaction(async inside => {
          const held = await inside.get('taxes', 'tax-counter', { lock: true });
          locked.give();
          expect(await reading).toEqual(held);
        });
      });
    }

    it('keeps a concurrent request’s write when a transaction is rolled back', async () => {
      const begun = signal();
      const other = begun.given.then(() => account.insert('taxes', tax('kept')));
      const failing = account.transaction(async inside => {
        await inside.insert('taxes', tax('undone'));
        begun.give();
        await others(other);
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      await other;
      expect(await account.count('taxes', { code: 'kept' })).toBe(1);
      expect(await account.count('taxes', { code: 'undone' })).toBe(0);
    });

    it('joins a transaction that is inside another', async () => {
      const outer = account.transaction(async inside => {
        await inside.transaction(async nested => nested.insert('taxes', tax('nested')));
        // Any account object takes part in the transaction, even one created outside it.
        expect(await account.count('taxes', { code: 'nested' })).toBe(1);
        throw new Error('stop');
      });
      await expect(outer).rejects.toThrow('stop');
      expect(await account.count('taxes', { code: 'nested' })).toBe(0);
    });

    it('leaves out what another database does meanwhile', async () => {
      const elsewhere = await open();
      const other = await newAccount(elsewhere);
      const undone = account.transaction(() =>
        other
          .transaction(async () => {
            await account.insert('taxes', tax('here'));
            await other.insert('taxes', tax('there'));
          })
          .then(() => Promise.reject(new Error('stop'))),
      );
      await expect(undone).rejects.toThrow('stop');
      expect([await account.count('taxes', { code: 'here' }), await other.count('taxes')]).toEqual([0, 1]);
      await elsewhere.close();
    });

    it('never adds late work of a transaction to the next one', async () => {
      const next = signal();
      let late: Promise<unknown> = Promise.resolve();
      await account.transaction(async inside => {
        await inside.insert('taxes', tax('in-time'));
        late = next.given.then(() => inside.insert('taxes', tax('late')));
      });
      const undone = account.transaction(async inside => {
        await inside.insert('taxes', tax('undone-too'));
        next.give();
        await others(late);
        throw new Error('stop');
      });
      await expect(undone).rejects.toThrow('stop');
      await late;
      const kept = async (code: string) => account.count('taxes', { code });
      expect([await kept('in-time'), await kept('late'), await kept('undone-too')]).toEqual([1, 1, 0]);
    });

    it('inserts many records all or not at all', async () => {
      const taxes = Array.from({ length: 3000 }, (_, i) => tax(`many-${i}`));
      const broken = [...taxes, tax('many-0', { id: 'twice' })];
      await expect(account.insertMany('taxes', broken)).rejects.toThrow('already has this value');
      const before = await account.count('taxes');
      await account.insertMany('taxes', taxes);
      expect(await account.count('taxes')).toBe(before + 3000);
    });
  });
});
