/** A server is killed while it waits for an answer: the audit log must show the write whose outcome is unknown. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { key, main } from '../../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';

const program = [main];
let folder: string;
let log: string;
let upstream: CountingUpstream;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crash-'));
  log = join(folder, 'audit.jsonl');
  upstream = await startCountingUpstream();
});
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

async function connect() {
  const settings = {
    ...{ BILLING_BASE_URL: upstream.url, BILLING_API_KEY: key },
    ...{ BILLING_AUDIT_LOG: log, BILLING_CONFIRM: 'auto' },
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: program,
    env: { PATH: process.env.PATH ?? '', ...settings },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'crash', version: '1' });
  await client.connect(transport);
  return { client, pid: transport.pid! };
}

const linesOf = async () =>
  (await readFile(log, 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

it('survives kill -9 between the two lines, and says which write has no outcome', async () => {
  const { client, pid } = await connect();
  upstream.onRequest(({ method }) => {
    if (method !== 'GET') process.kill(pid, 'SIGKILL');
  });
  const write = client.callTool({ name: 'update_add_on', arguments: { code: 'setup', amount_cents: 5 } });
  await expect(write).rejects.toThrow();
  await client.close();
  expect(upstream.taken()).toBe(2);
  expect(upstream.received.map(({ method }) => method)).toEqual(['GET', 'PUT']);
  expect(await linesOf()).toMatchObject([
    { event: 'begun', tool: 'update_add_on', target: 'add_on setup', decision: 'host', arguments: { amount_cents: 5 } },
  ]);
  expect((await stat(log)).mode & 0o777).toBe(0o600);

  upstream.onRequest(undefined);
  const next = await connect();
  await next.client.callTool({ name: 'delete_add_on', arguments: { code: 'old' } });
  await next.client.close();
  expect((await linesOf()).map(line => line.event)).toEqual(['begun', 'begun', 'completed']);
  expect(await readFile(log, 'utf8')).not.toContain(key);

  const report = spawnSync(process.execPath, [...program, 'audit', log], { encoding: 'utf8' });
  expect(report.stdout).toMatch(/update_add_on +add_on setup +\S+ +host +NO OUTCOME/);
  expect(report.stdout).toMatch(/delete_add_on +add_on old +\S+ +host +done +200/);
  expect(report.stdout).toContain('1 write has no outcome');
  expect(report.status).toBe(1);
});

it('says in one sentence that a log cannot be read', async () => {
  const child = spawn(process.execPath, [...program, 'audit', join(folder, 'missing')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', data => {
    said += data;
  });
  const status = await new Promise(resolve => child.on('close', resolve));
  expect(said).toMatch(/missing cannot be read/);
  expect(status).toBe(2);
});
