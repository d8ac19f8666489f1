/** Runs each query in the surrounding transaction if there is one, else on its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailable, toStoreError } from './errors.ts';
import type { Db } from './schema.ts';

export interface Transactions {
  /**
   * Runs work that only reads. When the connection is lost outside a transaction, the work is repeated once on a new
   * connection. Database errors are thrown as those of errors.ts.
   */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs work that writes. It is never repeated: after a lost connection, the write may be stored. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** All or nothing. A transaction inside another one joins it. Never repeated. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

interface Transaction {
  /** The database that it was begun on. */
  of: Db;
  /** Runs queries inside it. */
  db: Db;
  open: boolean;
  /** The open transaction of another database around it. */
  within: Transaction | undefined;
}

/**
 * Shared by all databases of the process: until Node.js 24, each storage that was ever used makes every promise slower, even
 * after its database was closed.
 */
const transactions = new AsyncLocalStorage<Transaction>();

function innermostOpen(transaction: Transaction | undefined): Transaction | undefined {
  return transaction === undefined || transaction.open ? transaction : innermostOpen(transaction.within);
}

/**
 * The transaction is kept in asynchronous context: all queries of calls made inside it join it, whatever account object
 * they use; calls made outside do not.
 */
export function createTransactions(db: Db): Transactions {
  const current = () => {
    let transaction = transactions.getStore();
    while (transaction && !(transaction.open && transaction.of === db)) transaction = transaction.within;
    return transaction?.db ?? null;
  };
  return {
    async read(work) {
      const transaction = current();
      const attempt = () => translatingErrors(() => work(transaction ?? db));
      try {
        return await attempt();
      } catch (error) {
        if (!transaction && error instanceof StoreUnavailable && error.passing) return attempt();
        throw error;
      }
    },
    write(work) {
      const transaction = current();
      return translatingErrors(
        () => work(transaction ?? db),
        () => transaction === null,
      );
    },
    transaction(work) {
      if (current()) return work();
      let committing = false;
      return translatingErrors(
        () =>
          db.transaction().execute(async trx => {
            const within = innermostOpen(transactions.getStore());
            const transaction = { of: db, db: trx as Db, open: true, within };
            const result = await transactions.run(transaction, () => work().finally(() => (transaction.open = false)));
            committing = true;
            return result;
          }),
        () => committing,
      );
    },
  };
}

/** `storing` says whether the failed work may be stored nevertheless. */
async function translatingErrors<T>(work: () => Promise<T>, storing: () => boolean = () => false): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, { storing: storing() });
  }
}
