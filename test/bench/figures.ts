/** What the benchmarks of the service share: its databases, times of runs, and where they were taken. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import pg from 'pg';

export const print = (line: string) => void process.stdout.write(`${line}\n`);
export const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} core(s), Node ${process.version}`;
export const load = () => (loadavg()[0] ?? 0).toFixed(1);

/** The address of an empty database, undefined for one in memory. */
export type Fresh = () => Promise<string | undefined>;

/** Reports on SQLite and on PostgreSQL, or on that which the options name. */
export async function onDatabases(options: readonly string[], report: (name: string, fresh: Fresh) => Promise<void>) {
  if (!options.includes('postgres')) await report('SQLite', async () => undefined);
  if (options.includes('sqlite')) return;
  const { startPostgres } = await import('../support/postgres-server.ts');
  const server = await startPostgres();
  try {
    await report('PostgreSQL', server.freshDatabase);
  } finally {
    await server.stop();
  }
}

/** Does now what the server would do by itself within a minute of such a load, so that an index alone can answer. */
export async function vacuum(connectionString: string | undefined): Promise<void> {
  if (connectionString === undefined) return;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

export interface Times {
  median: number;
  fastest: number;
}

export async function timesOf(work: () => Promise<{ status: number }>, runs: number, warmUp: number): Promise<Times> {
  const times: number[] = [];
  for (let run = -warmUp; run < runs; run++) {
    const start = performance.now();
    const { status } = await work();
    if (run >= 0) times.push(performance.now() - start);
    if (status !== 200) throw new Error(`The service answered ${status}, which is not what is measured here.`);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)]!, fastest: times[0]! };
}
