import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { serviceCommand } from '../../../src/server/commands/service.ts';
import { type RunningService, type ServiceOptions, startService } from '../../../src/service/start.ts';
import { main } from '../../support/settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usage-billing-service-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function withService<T>(options: ServiceOptions, use: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await startService(options);
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies are checked by what the tests expect of them
async function call(service: { baseUrl: string; apiKey: string }, path: string, method = 'GET'): Promise<any> {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  return (await fetch(`${service.baseUrl}${path}`, { method, headers })).json();
}

describe('starting the service', () => {
  it('serves the demo account on a free loopback port, with a key for this start', async () => {
    await withService({ account: 'demo' }, async service => {
      expect(service.baseUrl).toBe(`http://127.0.0.1:${service.port}/api/v1`);
      expect(service.apiKey).toMatch(/^[\w-]{32,}$/);
      const { customer } = await call(service, `/customers/${demoIds.external_customer_id}`);
      expect(customer.name).toBe('Acme Podcasts');
      expect(await call({ ...service, apiKey: 'other' }, '/plans')).toMatchObject({ status: 401 });
    });
  });

  it('pins the clock', async () => {
    await withService({ account: 'demo', now: '2026-03-10T12:00:00.000Z' }, async service => {
      const { event } = await call(service, `/events/${demoIds.event_transaction_id}`);
      expect(event.timestamp).toBe('2026-03-09T16:00:00.000Z');
    });
    await expect(startService({ now: 'yesterday' })).rejects.toThrow('"yesterday" is not an ISO');
  });

  it('keeps changes in a file, under a given key', async () => {
    const options = { data: join(folder, 'kept.db'), account: 'demo' as const, apiKey: 'a-key' };
    await withService(options, service => call(service, `/add_ons/${demoIds.add_on_code}`, 'DELETE'));
    await withService(options, async service => {
      const gone = await call(service, `/add_ons/${demoIds.add_on_code}`, 'DELETE');
      expect(gone).toMatchObject({ status: 404, code: 'add_on_not_found' });
    });
  });

  it('forgets a random key when it is closed, and finds the stored account again by itself', async () => {
    const data = join(folder, 'keys.db');
    const first = await withService({ data, account: 'demo' }, async service => service.apiKey);
    await withService({ data }, async service => {
      expect(service.accountName).toBe('Skylark Speech');
      expect(await call({ ...service, apiKey: first }, '/plans')).toMatchObject({ status: 401 });
      expect((await call(service, '/plans')).plans.length).toBeGreaterThan(0);
    });
  });

  it('begins with an empty account when none is given', async () => {
    await withService({}, async service => {
      expect((await call(service, '/plans')).meta.total_count).toBe(0);
    });
  });

  it('opens a portal link that another start on the same database has made', async () => {
    const data = join(folder, 'portal.db');
    const link = await withService({ data, account: 'demo' }, async service => {
      return (await call(service, `/customers/${demoIds.external_customer_id}/portal_url`)).customer
        .portal_url as string;
    });
    await withService({ data }, async service => {
      const page = await fetch(`http://127.0.0.1:${service.port}${new URL(link).pathname}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('Acme Podcasts');
    });
  });

  it.each([
    { account: 'the demo account', file: null, status: 404 },
    { account: 'an account file without hmac_key', file: { name: 'Acme' }, status: 404 },
    {
      account: 'an account file with hmac_key',
      file: { name: 'Acme', hmac_key: 'a secret of two machines' },
      status: 200,
    },
  ])('answers a portal link that another start of $account has signed with $status', async ({ file, status }) => {
    const path = join(folder, 'portal.json');
    const customers = [{ external_id: demoIds.external_customer_id }];
    const billing_entities = [{ code: 'acme', name: 'Acme' }];
    await writeFile(path, JSON.stringify({ organization: file, billing_entities, customers }));
    const options = { account: file === null ? 'demo' : path };
    const link = async (service: RunningService) =>
      (await call(service, `/customers/${demoIds.external_customer_id}/portal_url`)).customer.portal_url as string;
    await withService(options, async one => {
      await withService(options, async other => {
        const foreign = new URL(await link(one)).pathname;
        expect((await fetch(new URL(foreign, other.baseUrl))).status).toBe(status);
        expect((await fetch(await link(other))).status).toBe(200);
      });
    });
  });
});

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command as a separate process; `whenReady` gets its output once it contains `mark`. */
async function runCommand(
  args: string[],
  whenReady?: (stdout: string) => Promise<void>,
  mark = 'Ctrl-C',
  env: Record<string, string> = {},
): Promise<Finished> {
  const options = { env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [main, 'service', '--port', '0', ...args], options);
  const finished: Finished = { code: null, stdout: '', stderr: '' };
  const ready = new Promise<void>(resolve => {
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].on('data', chunk => {
        finished[name] += chunk;
        if (finished[name].includes(mark)) resolve();
      });
    }
  });
  const exit = once(child, 'close');
  if (whenReady) {
    await Promise.race([ready, exit]);
    await whenReady(finished.stdout);
    child.kill('SIGTERM');
  }
  [finished.code] = await exit;
  return finished;
}

describe('the service command', () => {
  it('prints base URL and key, says what it does not send, and stops when told to', async () => {
    const result = await runCommand(['--demo', '--now', '2026-03-10T12:00:00Z'], async stdout => {
      const [baseUrl, apiKey] = ['BASE_URL', 'API_KEY'].map(
        name => new RegExp(`BILLING_${name}=(.+)`).exec(stdout)?.[1] ?? '',
      );
      const { meta } = await call({ baseUrl: baseUrl ?? '', apiKey: apiKey ?? '' }, '/plans');
      expect(meta.total_count).toBe(5);
    });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('Webhooks and emails are not sent.');
  });

  it('says that an account is empty, and how to get one and to keep the key', async () => {
    const { stdout } = await runCommand([], async () => {});
    expect(stdout).toContain('The account is empty');
    expect(stdout).toContain('set BILLING_API_KEY before starting');
  });

  it('takes its key from the environment, and then says nothing about it', async () => {
    const { stdout } = await runCommand(['--demo'], async () => {}, 'Ctrl-C', { BILLING_API_KEY: 'a-key-of-mine' });
    expect(stdout).toContain('BILLING_API_KEY=a-key-of-mine\nWebhooks');
    expect(stdout).not.toContain('empty');
  });

  it('loads an account anew with --reset, and otherwise says that it was there already', async () => {
    const flags = ['--demo', '--data', join(folder, 'reset.db')];
    const addOnsOf = async (stdout: string) => {
      const [, baseUrl = '', apiKey = ''] = /BASE_URL=(.+)\nBILLING_API_KEY=(.+)/.exec(stdout) ?? [];
      const before = await call({ baseUrl, apiKey }, '/add_ons');
      await call({ baseUrl, apiKey }, `/add_ons/${demoIds.add_on_code}`, 'DELETE');
      return before.add_ons.length as number;
    };
    const seen: number[] = [];
    const start = (...more: string[]) =>
      runCommand([...flags, ...more], async stdout => {
        seen.push(await addOnsOf(stdout));
      });
    const [first, second, third] = [await start(), await start(), await start('--reset')];
    expect(seen).toEqual([seen[0], seen[0]! - 1, seen[0]]);
    await writeFile(join(folder, 'refused.json'), '{}');
    const bad = ['--account', join(folder, 'refused.json'), '--data', join(folder, 'reset.db'), '--reset'];
    expect((await runCommand(bad)).code).toBe(2);
    const left = await withService({ data: join(folder, 'reset.db') }, service => call(service, '/add_ons'));
    expect(left.add_ons.length, 'after a refused file').toBe(seen[0]! - 1);
    const kept = 'was not loaded again';
    expect([first, second, third].map(({ stdout }) => stdout.includes(kept))).toEqual([false, true, false]);
  });

  const databaseUrl = 'postgres://user:hidden-password@127.0.0.1:1/none';
  it.each<[string, string[], Record<string, string>]>([
    ['--data', ['--data', databaseUrl], {}],
    ['BILLING_DATA', [], { BILLING_DATA: databaseUrl }],
  ])('waits for a database (%s) that does not answer, and says so without its password', async (_how, args, env) => {
    const result = await runCommand(args, async () => {}, 'Waiting for', env);
    expect(result).toMatchObject({ code: null, stdout: '' });
    expect(result.stderr).toContain('127.0.0.1:1. The PostgreSQL database cannot');
  });

  it('names the place of the error in an account file, and ends with an error', async () => {
    const path = join(folder, 'bad.json');
    await writeFile(path, JSON.stringify({ organization: { name: 'A' }, billing_entities: [{ code: 'x' }] }));
    const result = await runCommand(['--account', path]);
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('billing_entities[0].name: is missing.');
  });

  it('prints every problem of an account file, and warns of what counts for nothing', async () => {
    const path = join(folder, 'several.json');
    const account = { organization: { name: 'A' }, billing_entities: [{ code: 'x', name: 'X' }] };
    await writeFile(path, JSON.stringify({ ...account, customers: [{}, { external_id: 5 }] }));
    const refused = await runCommand(['--account', path]);
    expect(refused.stderr.split('\n')).toEqual([
      expect.stringContaining('The account file has 2 problems'),
      'usage-billing-mcp: customers[0].external_id: is missing',
      expect.stringContaining('customers[1].external_id: must be text'),
      '',
    ]);
    const metric = { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' };
    const event = { transaction_id: 't', code: 'calls', timestamp: 'now', external_subscription_id: 's1' };
    await writeFile(path, JSON.stringify({ ...account, billable_metrics: [metric], events: [event] }));
    const warned = await runCommand(['--account', path], async () => {});
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('events[0]: there is no subscription "s1"');
  });

  it.each([
    [['--port', '70000'], '--port must be a whole number'],
    [['--now', 'soon'], /^--now must be a (valid )?date-time/],
    [['--now', '2026-02-30T25:00:00Z'], /^--now must be a valid date-time/],
    [['--data', 'mysql://x'], /the path of a SQLite file/],
    [['--demo', '--account', 'x.json'], /^--demo cannot be used with --account/],
    [['--prot', '1'], '--prot. Did you mean --port?'],
    [['twice'], 'argument: twice. See --help.'],
  ])('refuses %j', async (args, message) => {
    await expect(serviceCommand.run(args)).rejects.toThrow(message);
  });
});
