import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import { limitMs } from '../../support/until.ts';
import { anyone, read, write } from './anyone.ts';

/**
 * A billing API in a separate thread, which runs while this one is busy. It closes connections that were idle for 30 ms, and
 * counts requests and closed connections in shared memory.
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
    upstreams = createUpstreams({ timeoutMs: limitMs, maxRetries: 0, maxConcurrency: 4, idPrefix: 'svc_' });
  });
  afterEach(async () => {
    await upstreams.close();
    await worker.terminate();
  });

  for (const call of [read, write]) {
    it(`carries out ${call.tool} on a new connection, once, without a retry`, async () => {
      const upstream = upstreams.of(baseUrl, 'key', ...anyone());
      for (let round = 1; round <= 5; round++) {
        expect(await upstream.send(call)).toMatchObject({ ok: true, attempts: 1 });
        await expect.poll(() => Atomics.load(counts, 1)).toBe(round);
      }
      expect(Atomics.load(counts, 0)).toBe(5);
    });
  }

  it('is noticed before a write, although this process was busy when it closed the connection', async () => {
    const upstream = upstreams.of(baseUrl, 'key', ...anyone());
    // delay: a turn of the loop that begins with timers
    const fromTimer = (run: () => void) => setTimeout(run, 0);
    const from = [setImmediate, fromTimer, queueMicrotask];
    for (const [round, later] of [...from, ...from, ...from].entries()) {
      await new Promise<void>(resolve => later(resolve));
      // This thread sees nothing that arrives during this wait, not even that the last connection was closed.
      for (let closed = Atomics.load(counts, 1); closed < round; closed = Atomics.load(counts, 1))
        Atomics.wait(counts, 1, closed);
      expect(await upstream.send(write), `${round}`).toMatchObject({ ok: true, attempts: 1 });
    }
    expect(Atomics.load(counts, 0)).toBe(9);
  });
});

/**
 * A billing API in a separate thread. It answers only when `batch` writes wait, so that each has its own connection. Told to
 * rest, it says when that is over; with `closes`, it then closes each earlier connection exactly when a write arrives on it.
 * Otherwise it closes connections after the advertised idle time. Counts the writes that it has carried out.
 */
const batchedApi = `
  const { createServer } = require('node:http');
  const { parentPort, workerData: { shared, batch, seconds, advertised, closes } } = require('node:worker_threads');
  const counts = new Int32Array(shared);
  const waiting = [];
  const rested = new Set();
  const answered = new Set();
  const server = createServer((request, response) => {
    const { socket } = request;
    if (closes && rested.has(socket)) return socket.destroy();
    request.resume().on('end', () => {
      Atomics.add(counts, 0, 1);
      answered.add(socket);
      if (waiting.push(response) < batch) return;
      for (const each of waiting.splice(0)) {
        if (advertised) each.setHeader('keep-alive', advertised);
        each.setHeader('content-type', 'application/json').end('{"add_on":{"code":"setup"}}');
      }
    });
  });
  server.keepAliveTimeout = seconds * 1000;
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', ms => setTimeout(() => {
    for (const socket of answered) rested.add(socket);
    parentPort.postMessage('rested');
  }, ms));
`;

describe('writes on a connection that has been idle', () => {
  /** The number of writes after a rest of the API that failed, so that their outcome was unknown. */
  async function unknown(
    api: { batch: number; seconds: number; advertised?: string; closes: boolean },
    restMs: number,
  ) {
    const shared = new SharedArrayBuffer(4);
    const worker = new Worker(batchedApi, { eval: true, workerData: { shared, ...api } });
    const settings = { timeoutMs: limitMs, maxRetries: 0, maxConcurrency: api.batch, idPrefix: 'svc_' };
    const upstreams = createUpstreams(settings);
    try {
      const port = await said(worker);
      const upstream = upstreams.of(`http://127.0.0.1:${port}`, 'key', ...anyone());
      const round = () => Promise.all(Array.from({ length: api.batch }, () => upstream.send(write)));
      const first = await round();
      expect(first.every(answer => answer.ok)).toBe(true);
      // The rest begins after the idle time of the connections, and a longer timer ends later, however busy the machine.
      const rested = said(worker);
      worker.postMessage(restMs);
      await rested;
      const failed = (await round()).filter(answer => !answer.ok);
      expect(Atomics.load(new Int32Array(shared), 0)).toBe(2 * api.batch - failed.length);
      return failed.length;
    } finally {
      await upstreams.close();
      await worker.terminate();
    }
  }

  it('longer than a second are sent on a new one, whatever the API advertises: of 120 none is unknown', async () => {
    const failed = await Promise.all(
      [{}, { advertised: 'timeout=5' }, { advertised: 'timeout=60, max=1000' }].map(advertising =>
        unknown({ batch: 40, seconds: 60, closes: true, ...advertising }, 1400),
      ),
    );
    expect(failed).toEqual([0, 0, 0]);
  });

  it('are all known when the API closes it at its advertised time, after 1, 2 or 3 s', async () => {
    const failed = await Promise.all(
      [1, 2, 3].map(seconds => unknown({ batch: 40, seconds, closes: false }, seconds * 1000)),
    );
    expect(failed).toEqual([0, 0, 0]);
  });
});

/** The next message of a thread. */
function said(worker: Worker): Promise<unknown> {
  return new Promise(resolve => worker.once('message', resolve));
}
