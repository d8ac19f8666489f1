/** A real PostgreSQL, used by this file only, stops while the service runs, and comes back. */
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { type RunningService, startService, startWhenPossible } from '../../../src/service/start.ts';
import { openStore } from '../../../src/service/store/open.ts';
import { buildProgram, endProcess, startMachine } from '../../server/http/support/machines.ts';
import { callLegacy } from '../../server/http/support/messages.ts';
import { withCluster } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const cluster = await withCluster();
const writers = 4;
const restarts = 6;

describe.skipIf(!cluster)('the program with a PostgreSQL that stops and starts', () => {
  beforeAll(buildProgram);

  it('waits for it, says so, starts by itself, and survives its restart', async () => {
    const { host } = new URL(cluster!.databaseUrl);
    const machine = await startMachine(['--demo', '--confirm', 'never'], {
      BILLING_DATA: cluster!.databaseUrl,
    });
    const call = async () => (await callLegacy(machine.url, 'list_plans', {})).result;
    const readiness = async () => {
      const response = await fetch(machine.url.replace('/mcp', '/readyz'));
      return { http: response.status, ...((await response.json()) as { checks?: object }) };
    };
    const notReady = { http: 503, checks: { embedded_service: `waiting for PostgreSQL at ${host}` } };
    try {
      await until(async () => isDeepStrictEqual((await readiness()).checks, notReady.checks));
      expect(await readiness()).toMatchObject(notReady);
      const refusal = await call();
      expect(refusal.structuredContent.error).toMatchObject({ code: 'demo_unavailable', changed: false });
      expect(JSON.stringify(refusal)).toContain(`waiting for PostgreSQL at ${host}`);
      expect(machine.lines.filter(line => line.includes(`is waiting for PostgreSQL at ${host}`))).toHaveLength(1);

      await cluster!.start();
      await until(async () => (await readiness()).http === 200);
      expect((await call()).isError).not.toBe(true);

      await cluster!.halt('immediate');
      await until(async () => isDeepStrictEqual((await readiness()).checks, notReady.checks));
      expect(await readiness()).toMatchObject(notReady);
      await cluster!.start();
      await until(async () => (await readiness()).http === 200);
      await until(async () => (await call()).isError !== true);
      expect(machine.process.exitCode).toBe(null);
      expect(machine.lines.join('\n')).not.toContain(new URL(cluster!.databaseUrl).password);
    } finally {
      expect(await endProcess(machine.process, 'SIGTERM')).toBe(0);
    }
  });
});

describe.skipIf(!cluster)('the service when PostgreSQL is lost', () => {
  let service: RunningService;
  let admin: pg.Client;
  const bugs: unknown[] = [];

  beforeAll(async () => {
    const { databaseUrl } = cluster!;
    await cluster!.start().catch(() => {});
    service = await startService({ databaseUrl, account: 'demo', onUnexpected: error => bugs.push(error) });
  });
  afterAll(async () => {
    await service?.close();
    expect(bugs).toEqual([]);
  });

  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' };
    const options = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(service.baseUrl + path, options);
    return { status: response.status, body: (await response.json()) as { code?: string; error_details?: string } };
  };
  const create = (code: string) => send('POST', '/billing_entities', { billing_entity: { code, name: code } });
  const refused = (code: string, details: string) => ({
    status: 503,
    body: { status: 503, error: 'Service Unavailable', code, error_details: details },
  });
  const nothingChanged = refused('database_unavailable', 'The database does not answer. Nothing was changed.');

  it.each([
    { what: 'a wrong password', part: 'password', value: 'wrong', reason: 'password authentication failed' },
    { what: 'no such database', part: 'pathname', value: '/none', reason: 'database "none" does not exist' },
  ] as const)('does not wait where waiting cannot help: $what', async ({ part, value, reason }) => {
    const url = new URL(cluster!.databaseUrl);
    url[part] = value;
    const databaseUrl = url.href;
    const waits: string[] = [];
    const starting = startWhenPossible({ databaseUrl }, { onWait: database => waits.push(database) });
    await expect(starting).rejects.toThrow(`The PostgreSQL database cannot be used: ${reason}`);
    expect(waits).toEqual([]);
  });

  describe('while a statement runs', () => {
    beforeEach(async () => {
      admin = new pg.Client(cluster!.databaseUrl);
      await admin.connect();
    });
    afterEach(() => admin.end());

    /** Ends the session that waits for a lock, once there is one. */
    const loseTheWaiting = async () => {
      const lost = "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'";
      await until(async () => {
        // Otherwise a transaction does not see sessions that begin after its first query.
        await admin.query('select pg_stat_clear_snapshot()');
        return (await admin.query(lost)).rowCount === 1;
      });
    };

    it('answers a read from a new connection', async () => {
      await admin.query('begin; lock table plans');
      const reading = send('GET', '/plans');
      await loseTheWaiting();
      await admin.query('commit');
      expect((await reading).status).toBe(200);
    });

    it('reports the loss in one sentence, and the recovery in another', async () => {
      const told: string[] = [];
      const databaseUrl = new URL(cluster!.databaseUrl);
      databaseUrl.searchParams.set('application_name', 'told');
      const store = await openStore({ databaseUrl: databaseUrl.href, report: sentence => told.push(sentence) });
      try {
        for (const losses of [1, 2]) {
          await store.firstAccount();
          await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'told'");
          await until(() => told.length === 2 * losses - 1);
          await store.firstAccount();
        }
      } finally {
        await store.close();
      }
      const both = [expect.stringMatching(/^PostgreSQL was lost: /), 'PostgreSQL answers again.'];
      expect(told).toEqual([...both, ...both]);
    });

    it('does not repeat a write, and says that nothing was changed', async () => {
      await admin.query('begin; lock table add_ons');
      const writing = send('PUT', `/add_ons/${demoIds.add_on_code}`, { add_on: { name: 'Lost' } });
      await loseTheWaiting();
      await admin.query('commit');
      expect(await writing).toEqual(nothingChanged);
      expect((await admin.query("select 1 from add_ons where name = 'Lost'")).rowCount).toBe(0);
    });

    it('says that a commit without an answer may be stored', async () => {
      await admin.query(`
        create function hold() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(1); return null; end $$;
        create constraint trigger hold after insert on billing_entities deferrable initially deferred
          for each row execute function hold();
        select pg_advisory_lock(1);`);
      const writing = create('in-between');
      await loseTheWaiting();
      expect(await writing).toEqual(
        refused('database_lost', 'The database was lost while this was being stored: it may be stored or not.'),
      );
      await admin.query('select pg_advisory_unlock(1); drop trigger hold on billing_entities');
    });
  });

  it(`loses no acknowledged write in ${restarts} restarts with ${writers} writers, and recovers by itself`, async () => {
    const client = new pg.Client(cluster!.databaseUrl);
    await client.connect();
    // The database itself records what is stored, in a separate table, so that writers do not wait for each other.
    await client.query(`
      create table stored (name text);
      create function note() returns trigger language plpgsql as
        $$ begin insert into stored values (new.name); return null; end $$;
      create trigger note after insert on billing_entities for each row execute function note();
      create trigger note after update on add_ons for each row execute function note();`);
    const addOns = (await client.query('select code from add_ons where deleted_at is null')).rows.map(row => row.code);
    await client.end();
    const write = (index: number, name: string) => {
      const code = addOns[(index >> 1) % addOns.length];
      return index % 2 === 0 ? create(name) : send('PUT', `/add_ons/${code}`, { add_on: { name } });
    };
    const answered = new Map<string, string>();
    const reads = new Set<string>();
    const done = () => [...answered.values()].filter(outcome => outcome === 'stored').length;
    let stop = false;
    const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof send>>) =>
      status === 200 ? 'stored' : `${status} ${body.code}`;
    const writer = async (index: number) => {
      for (let round = 0; !stop; round++) {
        const name = `outage-${index}-${round}`;
        answered.set(name, outcomeOf(await write(index, name)));
        // delay: a caller that was refused waits a little before its next write
        if (answered.get(name) !== 'stored') await setTimeout(20);
      }
    };
    const reader = async () => {
      while (!stop) {
        reads.add(outcomeOf(await send('GET', '/plans')));
        // delay: one reader beside many writers
        await setTimeout(5);
      }
    };
    const callers = Promise.all([reader(), ...Array.from({ length: writers }, (_, index) => writer(index))]);
    const goOn = async () => {
      const before = done();
      await until(() => done() > before + 2 * writers);
    };
    try {
      for (let restart = 0; restart < restarts; restart++) {
        await goOn();
        await cluster!.restart(restart % 2 === 0 ? 'fast' : 'immediate');
      }
      await goOn();
    } finally {
      stop = true;
      await callers;
    }

    const stored = await storedNames();
    const lost = [...answered].filter(([name, outcome]) => outcome === 'stored' && !stored.includes(name));
    const hidden = [...answered].filter(([name, outcome]) => outcome === nothingStored && stored.includes(name));
    const twice = stored.filter((name, index) => stored.indexOf(name) !== index);
    expect({ lost, hidden, twice }).toEqual({ lost: [], hidden: [], twice: [] });
    const outcomes = new Set(answered.values());
    expect(outcomes).toContain(nothingStored);
    expect(['stored', nothingStored, '503 database_lost']).toEqual(expect.arrayContaining([...outcomes]));
    expect(['stored', nothingStored]).toEqual(expect.arrayContaining([...reads]));
    const refusedWrites = answered.size - done();
    console.error(`    ${restarts} restarts: ${done()} writes acknowledged and stored, ${refusedWrites} refused`);
  });
  const nothingStored = '503 database_unavailable';

  async function storedNames(): Promise<string[]> {
    const client = new pg.Client(cluster!.databaseUrl);
    await client.connect();
    const { rows } = await client.query('select name from stored');
    await client.end();
    return rows.map(row => row.name);
  }
});
