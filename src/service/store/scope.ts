/** Where a query runs: in the transaction that surrounds it, or on its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { translated } from './errors.ts';
import type { Db } from './migrations.ts';

export interface Scope {
  /** Runs one piece of database work. The database's errors come out in the words of errors.ts. */
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** All or nothing. A transaction inside another one joins it. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The transaction travels with the asynchronous calls that are made inside it, so that any account object used there takes
 * part in it, and none that is used elsewhere does.
 */
export function createScope(db: Db): Scope {
  const transactions = new AsyncLocalStorage<{ db: Db; open: boolean }>();
  const current = () => {
    const transaction = transactions.getStore();
    return transaction?.open ? transaction.db : null;
  };
  return {
    run: work => inOurWords(() => work(current() ?? db)),
    transaction(work) {
      if (current()) return work();
      return inOurWords(() =>
        db.transaction().execute(trx => {
          const transaction = { db: trx as Db, open: true };
          return transactions.run(transaction, () => work().finally(() => (transaction.open = false)));
        }),
      );
    },
  };
}

async function inOurWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}
