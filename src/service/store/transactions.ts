/** Where a query runs: in the transaction that surrounds it, or on its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailable, translated } from './errors.ts';
import type { Db } from './migrations.ts';

export interface Transactions {
  /**
   * Runs one piece of work that only reads. When the connection is lost, and no transaction was lost with it, it is done
   * once more on a new one. The database's errors come out in the words of errors.ts.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs one piece of work that writes. It is never repeated: what was lost may be stored. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** All or nothing. A transaction inside another one joins it. It is never repeated either. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The transaction travels with the asynchronous calls that are made inside it, so that any account object used there takes
 * part in it, and none that is used elsewhere does.
 */
export function createTransactions(db: Db): Transactions {
  const transactions = new AsyncLocalStorage<{ db: Db; open: boolean }>();
  const current = () => {
    const transaction = transactions.getStore();
    return transaction?.open ? transaction.db : null;
  };
  return {
    async read(work) {
      const transaction = current();
      if (transaction) return translatingErrors(() => work(transaction));
      const attempt = () => translatingErrors(() => work(db));
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof StoreUnavailable && error.passing) return attempt();
        throw error;
      }
    },
    write(work) {
      const transaction = current();
      return transaction
        ? translatingErrors(() => work(transaction))
        : translatingErrors(
            () => work(db),
            () => true,
          );
    },
    transaction(work) {
      if (current()) return work();
      let committing = false;
      return translatingErrors(
        () =>
          db.transaction().execute(async trx => {
            const transaction = { db: trx as Db, open: true };
            const result = await transactions.run(transaction, () => work().finally(() => (transaction.open = false)));
            committing = true;
            return result;
          }),
        () => committing,
      );
    },
  };
}

/** `storing` tells whether what just failed may be stored all the same. */
async function translatingErrors<T>(work: () => Promise<T>, storing: () => boolean = () => false): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translated(error, { storing: storing() });
  }
}
