/** PostgreSQL through pg, as a Kysely dialect. */
import { CompiledQuery, PostgresDialect } from 'kysely';
import { StoreUnavailable } from './errors.ts';

const INT8 = 20;
const POOL_SIZE = 10;
/** A row that somebody else holds for longer than this is an error, not an endless wait. */
const LOCK_TIMEOUT_MS = 15_000;

const SETTINGS = [
  `lock_timeout = ${LOCK_TIMEOUT_MS}`,
  // Usage by property is grouped in memory: how many groups a property makes is unknown to the planner, which then sorts.
  "work_mem = '32MB'",
  // Compiling takes longer than any of our statements.
  'jit = off',
];

/** Connects on first use. Throws `StoreUnavailable` when pg is not installed. */
export async function postgresDialect(databaseUrl: string): Promise<PostgresDialect> {
  const pg = await loadPg();
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    types: {
      // Cents and counters are far below 2^53, and so are numbers on both databases.
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that breaks while nobody uses it must not end the process; its next user gets a new one.
  pool.on('error', () => {});
  return new PostgresDialect({
    pool,
    onCreateConnection: async connection => {
      for (const setting of SETTINGS) await connection.executeQuery(CompiledQuery.raw(`set ${setting}`));
    },
  });
}

async function loadPg(): Promise<typeof import('pg')> {
  try {
    const module = await import('pg');
    return (module.default ?? module) as typeof import('pg');
  } catch (error) {
    throw new StoreUnavailable('A PostgreSQL database needs the package "pg", which is not installed here.', error);
  }
}
