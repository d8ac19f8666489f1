/** Plain reads go a short way; nobody may notice but by the clock. */
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { start } from './program.ts';

interface Message {
  id: number;
  result?: object;
}

let upstream: Faulty;
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());

/** A client of the older protocol that writes what it likes. */
async function connect() {
  const { child, ended } = start([], { BILLING_BASE_URL: upstream.baseUrl, BILLING_API_KEY: 'key' });
  const messages: Message[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line) as Message;
    messages.push(message);
    waiting.get(message.id)?.(message);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (id: number, method: string, params: object) =>
    new Promise<Message>(resolve => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: 'test', version: '1' };
  await request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const close = () => {
    child.stdin.end();
    return ended;
  };
  return { messages, send, request, close };
}

const read = { name: 'get_webhook_endpoint', arguments: { svc_id: '6f1c2a9e-0d8b-4c1e-9a57-2b7f0a4d8e11' } };
const refused = { name: 'get_webhook_endpoint', arguments: { svc_id: 'no' } };

describe('a plain read of a client of the older protocol', () => {
  it.each([
    ['answered', read],
    ['refused', refused],
  ])('is %s as the protocol answers it', async (_, params) => {
    const client = await connect();
    const short = await client.request(1, 'tools/call', params);
    const long = await client.request(2, 'tools/call', { ...params, _meta: { 'example.test/long': true } });
    expect(short).toEqual({ ...long, id: 1 });
    await client.close();
  });

  it('is ended by a cancellation, and then not answered', async () => {
    const client = await connect();
    upstream.queue.push('stalled');
    const before = upstream.arrived;
    client.send({ id: 1, method: 'tools/call', params: read });
    await expect.poll(() => upstream.arrived).toBe(before + 1);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => upstream.underWay).toBe(0);
    await client.request(2, 'tools/call', read);
    expect(client.messages.filter(message => message.id === 1)).toEqual([]);
    await client.close();
  });

  it('is answered once for each of many at a time', async () => {
    const client = await connect();
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    await Promise.all(ids.map(id => client.request(id, 'tools/call', read)));
    expect(client.messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual([0, ...ids]);
    await client.close();
  });

  it('is ended by the end of the connection', async () => {
    const client = await connect();
    upstream.queue.push('stalled');
    const before = upstream.arrived;
    client.send({ id: 1, method: 'tools/call', params: read });
    await expect.poll(() => upstream.arrived).toBe(before + 1);
    expect(await client.close()).toMatchObject({ code: 0, stderr: '' });
  });
});
