import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import { Gate, type Lane } from '../../../src/calls/api/http/limits.ts';
import { type Listening, listening } from '../../support/listening.ts';
import { limitMs } from '../../support/until.ts';
import { anyone, read, write } from './anyone.ts';

const settings = { timeoutMs: limitMs, maxRetries: 0, maxConcurrency: 8, idPrefix: 'svc_' };
const severalCallers = { ...settings, http: true, httpAuth: 'api-key' } as const;

describe('a billing API that several callers share', () => {
  let api: Listening;
  let baseUrl: string;
  let upstreams: Upstreams;
  /** Open requests of the slow caller; the test answers them at its end. */
  const held: ServerResponse[] = [];
  let slow: boolean;
  const statuses = new Map<string, number>();

  beforeEach(async () => {
    slow = true;
    api = await listening((request, response) => {
      const key = request.headers.authorization!.replace('Bearer ', '');
      if (key === 'slow' && slow) return void held.push(response);
      response.statusCode = statuses.get(key) ?? 200;
      response.setHeader('content-type', 'application/json').end('{"plans":[]}');
    });
    baseUrl = api.url;
  });
  afterEach(async () => {
    for (const response of held.splice(0)) response.end('{}');
    await upstreams.close();
    await api.close();
    statuses.clear();
  });

  it('answers one of them at once while another has more slow requests than can run or wait', async () => {
    upstreams = createUpstreams(severalCallers);
    const mallory = upstreams.of(baseUrl, 'slow', ...anyone('mallory'));
    const flood = Array.from({ length: 400 }, () => mallory.send(read));
    const refused = await Promise.race(flood);
    expect(refused).toMatchObject({ ok: false, error: { code: 'too_busy', changed: false } });
    await expect.poll(() => held.length).toBeGreaterThan(1);
    const others = Array.from({ length: 20 }, (_, i) =>
      upstreams.of(baseUrl, `key-${i}`, ...anyone(`caller-${i}`)).send(read),
    );
    expect((await Promise.all(others)).every(answer => answer.ok)).toBe(true);
    expect(held.length).toBeLessThan(8);
    slow = false;
    for (const response of held.splice(0)) response.end('{}');
    await Promise.all(flood);
  });

  it('stays available to the others however often one is refused', async () => {
    upstreams = createUpstreams(severalCallers);
    const refused = upstreams.of(baseUrl, 'wrong', ...anyone('mallory'));
    for (const status of [400, 401, 403, 404, 405, 406, 409, 422, 429, 500]) {
      statuses.set('wrong', status);
      for (let i = 0; i < 15; i++) await refused.send(write);
    }
    expect(await upstreams.of(baseUrl, 'right', ...anyone('anna')).send(read)).toMatchObject({ ok: true });
  });

  it('sees each caller on separate connections, even with the same key', async () => {
    upstreams = createUpstreams(severalCallers);
    expect(upstreams.of(baseUrl, 'key', ...anyone('anna'))).toBe(upstreams.of(baseUrl, 'key', ...anyone('anna')));
    const ports = new Set<number>();
    api.server.on('connection', socket => ports.add(socket.remotePort!));
    for (const caller of ['anna', 'bert', 'anna', 'bert'])
      await upstreams.of(baseUrl, 'key', ...anyone(caller)).send(read);
    expect(ports.size).toBe(2);
  });
});

describe('a fair gate', () => {
  it('gives one caller most places, but always leaves some for others', () => {
    const gate = new Gate(32, { fair: true });
    const places = (lane: Lane) => {
      let taken = 0;
      while (lane.tryEnter()) taken++;
      return taken;
    };
    expect([places(gate.lane()), places(gate.lane()), gate.lane().tryEnter()]).toEqual([24, 6, true]);
  });

  it('gives a single caller every place', () => {
    const lane = new Gate(3).lane();
    expect([lane.tryEnter(), lane.tryEnter(), lane.tryEnter(), lane.tryEnter()]).toEqual([true, true, true, false]);
  });

  it('lets callers that wait take turns', async () => {
    const gate = new Gate(1, { fair: true });
    const [busy, greedy, modest] = [gate.lane(), gate.lane(), gate.lane()];
    const entered: string[] = [];
    expect(busy.tryEnter()).toBe(true);
    const wait = (name: string, lane: Lane) =>
      lane.enter(limitMs, undefined).then(() => {
        entered.push(name);
        lane.leave();
      });
    await Promise.all([
      ...['greedy 1', 'greedy 2', 'greedy 3'].map(name => wait(name, greedy)),
      wait('modest', modest),
      Promise.resolve().then(() => busy.leave()),
    ]);
    expect(entered).toEqual(['greedy 1', 'modest', 'greedy 2', 'greedy 3']);
  });
});
