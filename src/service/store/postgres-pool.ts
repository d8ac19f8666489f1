/** The connections to PostgreSQL, and their replacement after a loss. */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isConnectionLost, postgresUnavailable, reasonOf, StoreUnavailable } from './errors.ts';

const INT8 = 20;
const POOL_SIZE = 10;
/** A row that stays locked by others for longer than this is an error. */
const LOCK_TIMEOUT_MS = 15_000;
/** How long to wait for a new or a free connection: longer than the users of connections wait for locks. */
const CONNECT_TIMEOUT_MS = 16_000;

const SETTINGS = [
  `lock_timeout = ${LOCK_TIMEOUT_MS}`,
  // Lets usage by property be grouped in memory: the planner does not know the number of groups and would sort.
  "work_mem = '32MB'",
  // The compilation takes longer than any of the statements here.
  'jit = off',
]
  .map(setting => `set ${setting}`)
  .join('; ');

/**
 * Connects on first use, and again after a loss. An error of a connection, in use or idle, never ends the process. After
 * a loss, all connections of the same generation are discarded, so that a second try gets a new one.
 * `connect` throws `StoreUnavailable`. `report` is called once at a loss, and once when PostgreSQL answers again.
 * Throws `StoreUnavailable` when pg is not installed.
 */
export async function openPool(databaseUrl: string, report: (sentence: string) => void): Promise<PostgresPool> {
  const module = await import('pg').catch((error: unknown) => {
    throw new StoreUnavailable('A PostgreSQL database needs the package "pg", which is not installed here.', error);
  });
  const pg = (module.default ?? module) as typeof import('pg');
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Awaited; the declared type does not say so.
    onConnect: async client => {
      await client.query(SETTINGS);
    },
    types: {
      // Cents and counters are far below 2^53, so both databases return them as numbers.
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  return watchedPool(pool, report);
}

function watchedPool(pool: Pool, report: (sentence: string) => void): PostgresPool {
  /** Increases with each loss. A connection has the generation in which it was made. */
  let generation = 0;
  let state: 'new' | 'answers' | 'away' = 'new';
  const generations = new WeakMap<PoolClient, number>();
  const reportLoss = (error: unknown) => {
    if (state !== 'answers') return;
    state = 'away';
    report(`PostgreSQL was lost: ${reasonOf(error)}`);
  };
  const markLost = (client: PoolClient, error: unknown) => {
    reportLoss(error);
    if (generations.get(client) === generation) generation++;
  };
  pool.on('connect', client => {
    generations.set(client, generation);
    // At a loss, pg fails the query and also emits an error event, which would end the process without a listener.
    client.on('error', error => markLost(client, error));
    if (state === 'away') report('PostgreSQL answers again.');
    state = 'answers';
  });
  pool.on('error', () => {});
  return {
    async connect() {
      for (;;) {
        const client = await pool.connect().catch((error: unknown) => {
          if (isConnectionLost(error)) reportLoss(error);
          throw postgresUnavailable(error);
        });
        if (generations.get(client) === generation) return lentClient(client, markLost);
        client.release(true);
      }
    },
    end: () => pool.end(),
  };
}

/** A connection for one user. If it is lost meanwhile, it does not return to the pool. */
function lentClient(client: PoolClient, markLost: (client: PoolClient, error: unknown) => void): PostgresPoolClient {
  let lost = false;
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(text, parameters as unknown[]);
    } catch (error) {
      if (isConnectionLost(error)) {
        lost = true;
        markLost(client, error);
      }
      throw error;
    }
  };
  // The types differ only in what is not used here: Kysely's query also takes a cursor, and pg's command is any text.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release(lost) };
}
