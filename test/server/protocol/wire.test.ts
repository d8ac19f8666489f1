/** How clients of the older protocol may use, or misuse, stdin and stdout. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { connect, line, read } from './raw.ts';

const log = join(temporaryFolder(), 'audit.jsonl');
let upstream: Faulty;
/** For all that does not end its program. */
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  upstream = await startFaulty();
  client = await connect(upstream);
});
afterAll(async () => {
  expect((await client.close()).code).toBe(0);
  await upstream.close();
});

const calling = (id: number | string) => line({ id, method: 'tools/call', params: read });

it('messages may arrive in pieces of any size, even cut inside a character', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `é€😀 ${index}`);
  const bytes = Buffer.from(`${ids.map(id => calling(id)).join('\r\n')}`);
  const sizes = fc.sample(fc.integer({ min: 1, max: 90 }), bytes.length);
  const before = client.messages.length;
  let said = '';
  client.child.stderr.on('data', text => {
    said += text;
  });
  for (let at = 0; at < bytes.length; ) {
    const size = sizes.pop()!;
    client.child.stdin.write(bytes.subarray(at, at + size));
    at += size;
    await new Promise(resolve => setImmediate(resolve));
  }
  await until(() => client.messages.length >= before + ids.length);
  expect(client.answered().slice(before).sort()).toEqual([...ids].sort());
  expect(said).toBe('');
});

it('lines that are not messages are ignored', async () => {
  const before = client.messages.length;
  client.child.stdin.write(`\nnonsense\n5\nnull\n[]\n"text"\n{}\n${calling(1)}`);
  await until(() => client.messages.length > before);
  expect(client.answered().slice(before)).toEqual([1]);
});

it.each([
  ['without its version', 2, '{"method":"notifications/cancelled","params":{"requestId":2}}\n'],
  ['that is a request', 3, line({ id: 9, method: 'notifications/cancelled', params: { requestId: 3 } })],
  ['of another call', 4, line({ method: 'notifications/cancelled', params: { requestId: '4' } })],
  ['of nothing', 5, line({ method: 'notifications/cancelled', params: null })],
])('a cancellation %s cancels nothing', async (_, id, cancellation) => {
  await client.callStalled(id, read, 'held');
  client.child.stdin.write(cancellation);
  // What is answered later has been read later.
  await client.request(100 + id, 'tools/call', read);
  expect(upstream.underWay).toBe(1);
  upstream.release();
  await until(() => client.messages.find(message => message.id === id)?.result);
});

it('an endless message ends the connection, and the program with its embedded service', async () => {
  const { child, ended } = await connect(null);
  child.stdin.on('error', () => {});
  child.stdin.write('x'.repeat(11 * 1024 * 1024));
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain('is larger than 10485760 bytes');
});

it('answers reach a client that reads them only after it has closed stdin', async () => {
  const { child, ended, answered, callStalled } = await connect(upstream);
  const ids = Array.from({ length: 80 }, (_, index) => index + 1);
  await callStalled(100);
  child.stdout.pause();
  child.stdin.end(ids.map(id => line({ id, method: 'tools/list', params: {} })).join(''));
  // The program has seen the end of stdin when it ends its own requests.
  await until(() => upstream.underWay === 0);
  child.stdout.resume();
  expect((await ended).code).toBe(0);
  expect(answered()).toEqual([0, ...ids]);
});

it('a write that is running when stdin closes is recorded with an unknown outcome', async () => {
  // Who may not see the add-on reads nothing, so that the write itself is what stalls.
  const env = { BILLING_AUDIT_LOG: log, BILLING_CONFIRM: 'never', BILLING_EXCLUDE_TOOLS: 'list_catalogue' };
  const { callStalled, close } = await connect(upstream, env);
  await callStalled(1, { name: 'update_add_on', arguments: { code: 'setup', amount_cents: 5 } });
  expect((await close()).code).toBe(0);
  const entries = (await readFile(log, 'utf8')).trim().split('\n');
  expect(entries.map(entry => JSON.parse(entry))).toMatchObject([
    { event: 'begun', tool: 'update_add_on' },
    { event: 'completed', outcome: 'unknown' },
  ]);
});
