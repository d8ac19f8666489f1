/** stdin and stdout as a client of the older protocol may use them, or misuse them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { start } from './program.ts';

let upstream: Faulty;
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());

const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const initialize = line({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const read = { name: 'get_webhook_endpoint', arguments: { svc_id: '6f1c2a9e-0d8b-4c1e-9a57-2b7f0a4d8e11' } };
const calling = (id: number | string, params: object = read) => line({ id, method: 'tools/call', params });

/** A started program that has answered the handshake. */
async function connect(args: readonly string[] = [], env: Record<string, string> = {}) {
  const account = { BILLING_BASE_URL: upstream.baseUrl, BILLING_API_KEY: 'key' };
  const { child, ended } = start(args, args.includes('--demo') ? env : { ...account, ...env });
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
  });
  const answers = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map(each => JSON.parse(each) as { id: number | string; result?: { isError?: true } });
  const idsAnswered = () => answers().map(({ id }) => id);
  child.stdin.write(initialize);
  await expect.poll(idsAnswered).toEqual([0]);
  child.stdin.write(line({ method: 'notifications/initialized' }));
  return { child, ended, answers, idsAnswered };
}

it('messages may arrive in pieces of any size, cut inside a character too', async () => {
  const { child, ended, idsAnswered } = await connect();
  const ids = Array.from({ length: 60 }, (_, index) => `é€😀 ${index}`);
  const bytes = Buffer.from(ids.map(id => calling(id)).join('\r\n'));
  const sizes = fc.sample(fc.integer({ min: 1, max: 90 }), bytes.length);
  for (let at = 0; at < bytes.length; ) {
    const size = sizes.pop()!;
    child.stdin.write(bytes.subarray(at, at + size));
    at += size;
    await new Promise(resolve => setImmediate(resolve));
  }
  await expect.poll(() => idsAnswered().slice(1).sort()).toEqual([...ids].sort());
  child.stdin.end();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

it('what is no message is passed over', async () => {
  const { child, ended, idsAnswered } = await connect();
  child.stdin.write(`\nnonsense\n5\nnull\n[]\n"text"\n{}\n${calling(1)}`);
  await expect.poll(idsAnswered).toEqual([0, 1]);
  child.stdin.end();
  expect((await ended).code).toBe(0);
});

it.each([
  ['without its version', '{"method":"notifications/cancelled","params":{"requestId":1}}\n'],
  ['that is a request', line({ id: 9, method: 'notifications/cancelled', params: { requestId: 1 } })],
  ['of another call', line({ method: 'notifications/cancelled', params: { requestId: '1' } })],
  ['of nothing', line({ method: 'notifications/cancelled', params: null })],
])('a cancellation %s cancels nothing', async (_, cancellation) => {
  const { child, ended, idsAnswered } = await connect([], { BILLING_TIMEOUT_MS: '1500' });
  upstream.queue.push('stalled');
  const before = upstream.arrived;
  child.stdin.write(calling(1));
  await expect.poll(() => upstream.arrived).toBe(before + 1);
  child.stdin.write(cancellation);
  await expect.poll(idsAnswered, { timeout: 5000 }).toContain(1);
  child.stdin.end();
  expect((await ended).code).toBe(0);
});

it('a message that does not end ends the connection, and the program with its embedded service', async () => {
  const { child, ended } = await connect(['--demo']);
  child.stdin.on('error', () => {});
  child.stdin.write('x'.repeat(11 * 1024 * 1024));
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain('A message of more than 10485760 bytes came in');
});

it('answers that were given reach a client that reads them only after it has closed stdin', async () => {
  const { child, ended, idsAnswered } = await connect();
  child.stdout.pause();
  const ids = Array.from({ length: 80 }, (_, index) => index + 1);
  child.stdin.write(ids.map(id => line({ id, method: 'tools/list', params: {} })).join(''));
  await new Promise(resolve => setTimeout(resolve, 500));
  child.stdin.end();
  await new Promise(resolve => setTimeout(resolve, 200));
  child.stdout.resume();
  expect((await ended).code).toBe(0);
  expect(idsAnswered()).toEqual([0, ...ids]);
});

it('a write that is under way when stdin closes is recorded as one whose outcome is not known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wire-'));
  const log = join(folder, 'audit.jsonl');
  try {
    const { child, ended } = await connect([], { BILLING_AUDIT_LOG: log });
    upstream.queue.push('stalled');
    const before = upstream.arrived;
    child.stdin.write(calling(1, { name: 'update_add_on', arguments: { code: 'setup', amount_cents: 5 } }));
    await expect.poll(() => upstream.arrived).toBe(before + 1);
    child.stdin.end();
    expect((await ended).code).toBe(0);
    const entries = (await readFile(log, 'utf8')).trim().split('\n');
    expect(entries.map(entry => JSON.parse(entry))).toMatchObject([
      { event: 'begun', tool: 'update_add_on' },
      { event: 'completed', outcome: 'unknown' },
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
