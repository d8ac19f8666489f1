/** How clients of the older protocol may use, or misuse, stdin and stdout. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { connect, line, read } from './raw.ts';

let upstream: Faulty;
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());

const calling = (id: number | string) => line({ id, method: 'tools/call', params: read });

it('messages may arrive in pieces of any size, even cut inside a character', async () => {
  const { child, close, answered } = await connect(upstream);
  const ids = Array.from({ length: 60 }, (_, index) => `é€😀 ${index}`);
  const bytes = Buffer.from(ids.map(id => calling(id)).join('\r\n'));
  const sizes = fc.sample(fc.integer({ min: 1, max: 90 }), bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const size = sizes.pop()!;
    child.stdin.write(bytes.subarray(at, at + size));
    at += size;
    await new Promise(resolve => setImmediate(resolve));
  }
  await expect.poll(() => answered().slice(1).sort()).toEqual([...ids].sort());
  expect(await close()).toMatchObject({ code: 0, stderr: '' });
});

it('lines that are not messages are ignored', async () => {
  const { child, close, answered } = await connect(upstream);
  child.stdin.write(`\nnonsense\n5\nnull\n[]\n"text"\n{}\n${calling(1)}`);
  await expect.poll(answered).toEqual([0, 1]);
  expect((await close()).code).toBe(0);
});

it.each([
  ['without its version', '{"method":"notifications/cancelled","params":{"requestId":1}}\n'],
  ['that is a request', line({ id: 9, method: 'notifications/cancelled', params: { requestId: 1 } })],
  ['of another call', line({ method: 'notifications/cancelled', params: { requestId: '1' } })],
  ['of nothing', line({ method: 'notifications/cancelled', params: null })],
])('a cancellation %s cancels nothing', async (_, cancellation) => {
  const { child, close, answered, callStalled } = await connect(upstream, { BILLING_TIMEOUT_MS: '1500' });
  await callStalled(1);
  child.stdin.write(cancellation);
  await expect.poll(answered, { timeout: 5000 }).toContain(1);
  expect((await close()).code).toBe(0);
});

it('an endless message ends the connection, and the program with its embedded service', async () => {
  const { child, ended } = await connect(null);
  child.stdin.on('error', () => {});
  child.stdin.write('x'.repeat(11 * 1024 * 1024));
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain('A message of more than 10485760 bytes came in');
});

it('answers reach a client that reads them only after it has closed stdin', async () => {
  const { child, ended, answered } = await connect(upstream);
  child.stdout.pause();
  const ids = Array.from({ length: 80 }, (_, index) => index + 1);
  child.stdin.write(ids.map(id => line({ id, method: 'tools/list', params: {} })).join(''));
  await new Promise(resolve => setTimeout(resolve, 500));
  child.stdin.end();
  await new Promise(resolve => setTimeout(resolve, 200));
  child.stdout.resume();
  expect((await ended).code).toBe(0);
  expect(answered()).toEqual([0, ...ids]);
});

it('a write that is running when stdin closes is recorded with an unknown outcome', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wire-'));
  const log = join(folder, 'audit.jsonl');
  try {
    const env = { BILLING_AUDIT_LOG: log, BILLING_READ_BEFORE_WRITE: 'false' };
    const { callStalled, close } = await connect(upstream, env);
    await callStalled(1, { name: 'update_add_on', arguments: { code: 'setup', amount_cents: 5 } });
    expect((await close()).code).toBe(0);
    const entries = (await readFile(log, 'utf8')).trim().split('\n');
    expect(entries.map(entry => JSON.parse(entry))).toMatchObject([
      { event: 'begun', tool: 'update_add_on' },
      { event: 'completed', outcome: 'unknown' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
