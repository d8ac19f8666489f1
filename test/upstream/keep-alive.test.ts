import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUpstreams, type Upstreams } from '../../src/upstream/upstreams.ts';

/**
 * A billing API in a thread of its own: it goes on while this one is busy. Closes connections that were idle for 30 ms,
 * and counts requests and closed connections in shared memory.
 */
const api = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const counts = new Int32Array(workerData);
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      Atomics.add(counts, 0, 1);
      response.setHeader('content-type', 'application/json');
      response.end('{"add_on":{"code":"setup"}}');
      const { socket } = response;
      clearTimeout(socket.idle);
      socket.idle = setTimeout(() => socket.destroy(), 30);
    });
  });
  server.on('connection', socket => socket.on('close', () => { Atomics.add(counts, 1, 1); Atomics.notify(counts, 1); }));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;
const read = { tool: 'get_customer', effect: 'read', method: 'GET', target: '/customers/a', body: undefined } as const;
const write = { tool: 'update_add_on', effect: 'write', method: 'PUT', target: '/add_ons/a', body: {} } as const;

describe('an upstream that closes idle connections', () => {
  let worker: Worker;
  let baseUrl: string;
  let counts: Int32Array;
  let upstreams: Upstreams;

  beforeEach(async () => {
    const shared = new SharedArrayBuffer(8);
    counts = new Int32Array(shared);
    worker = new Worker(api, { eval: true, workerData: shared });
    const port = await new Promise(resolve => worker.once('message', resolve));
    baseUrl = `http://127.0.0.1:${port}`;
    upstreams = createUpstreams({ timeoutMs: 5000, maxRetries: 0, maxConcurrency: 4, idPrefix: 'svc_' });
  });
  afterEach(async () => {
    await upstreams.close();
    await worker.terminate();
  });

  for (const call of [read, write]) {
    it(`carries out ${call.tool} on a new one, once, without a retry`, async () => {
      const upstream = upstreams.of(baseUrl, 'key');
      for (let round = 1; round <= 5; round++) {
        expect(await upstream.send(call)).toMatchObject({ ok: true, attempts: 1 });
        await expect.poll(() => Atomics.load(counts, 1)).toBe(round);
      }
      expect(Atomics.load(counts, 0)).toBe(5);
    });
  }

  it('is noticed before a write although this process was busy when it happened', async () => {
    const upstream = upstreams.of(baseUrl, 'key');
    const from = [setImmediate, (run: () => void) => setTimeout(run, 5), queueMicrotask];
    for (const [round, later] of [...from, ...from, ...from].entries()) {
      await new Promise<void>(resolve => later(resolve));
      // Nothing that arrives meanwhile is seen here, the end of the connection included.
      if (round > 0) Atomics.wait(counts, 1, Atomics.load(counts, 1), 100);
      expect(await upstream.send(write), `${round}`).toMatchObject({ ok: true, attempts: 1 });
    }
    expect(Atomics.load(counts, 0)).toBe(9);
  });
});
