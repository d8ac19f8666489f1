import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpstreams } from '../../../src/calls/api/account/upstreams.ts';
import type { SendOptions, Upstream, UpstreamCall } from '../../../src/calls/api/http/client.ts';
import { until } from '../../support/until.ts';
import { anyone, compute, read, write } from './anyone.ts';
import { stopClocks } from './clock.ts';
import { type Faulty, outcomes, startFaulty } from './faulty.ts';

const settings = { timeoutMs: 60_000, maxRetries: 3, maxConcurrency: 8, idPrefix: 'svc_' };
const remove: UpstreamCall = { ...write, tool: 'delete_add_on', effect: 'delete', method: 'DELETE', body: undefined };

let faulty: Faulty;
/** Sets the clocks forward, which stand still otherwise. */
let pass: (ms: number) => void;

beforeAll(async () => {
  faulty = await startFaulty();
});
beforeEach(() => {
  faulty.queue = [];
  faulty.choose = () => 'ok';
  faulty.arrived = 0;
  faulty.left = () => {};
  faulty.carriedOut.clear();
  pass = stopClocks();
  // Short pauses before another attempt.
  vi.spyOn(Math, 'random').mockReturnValue(0.1);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => faulty.close());

async function using<T>(
  run: (upstream: Upstream) => Promise<T>,
  changes: Partial<typeof settings> = {},
  baseUrl = faulty.baseUrl,
): Promise<T> {
  const upstreams = createUpstreams({ ...settings, ...changes });
  try {
    return await run(passing(upstreams.of(baseUrl, 'a-secret-key', ...anyone())));
  } finally {
    await upstreams.close();
  }
}

/** The time for which a call waits has passed when its wait is over. */
function passing(upstream: Upstream): Upstream {
  const withClock = ({ onWait, ...options }: SendOptions): SendOptions => ({
    ...options,
    onWait: wait => {
      onWait?.(wait);
      pass(wait.ms);
    },
  });
  return { send: (call, options = {}) => upstream.send(call, withClock(options)) };
}

describe('one fault, then success', () => {
  for (const row of outcomes) {
    for (const call of [read, compute]) {
      it(`${row.fault}: ${call.tool} ends with ${row.read[0]} after ${row.read[1]} attempts`, async () => {
        faulty.queue = [row.fault];
        // More than one attempt may take, and less than the call.
        faulty.left = () => pass(0.7 * settings.timeoutMs);
        const answer = await using(upstream => upstream.send(call));
        expect(answer.attempts).toBe(row.read[1]);
        expect(answer.ok ? 'ok' : answer.error.code).toBe(row.read[0]);
        if (!answer.ok) expect(answer.error.changed).toBe(false);
      });
    }
    for (const call of [write, remove]) {
      it(`${row.fault}: ${call.tool} ends with ${row.write[0]}, carried out ${row.carried} times`, async () => {
        faulty.queue = [row.fault];
        faulty.left = () => pass(settings.timeoutMs);
        const answer = await using(upstream => upstream.send(call));
        expect(answer.attempts).toBe(row.write[1]);
        expect(answer.ok ? 'ok' : answer.error.code).toBe(row.write[0]);
        if (!answer.ok) expect(answer.error.changed).toBe(row.write[2]);
        expect(faulty.carriedOut.get(answer.requestId) ?? 0).toBe(row.carried);
        expect(JSON.stringify(answer)).not.toContain('a-secret-key');
        expect(JSON.stringify(answer)).not.toContain('<html');
      });
    }
  }
});

describe('the limits', () => {
  it('gives up a read after the configured number of retries', async () => {
    faulty.choose = () => 'error_503';
    const answer = await using(upstream => upstream.send(read));
    expect([answer.ok, answer.attempts, faulty.arrived]).toEqual([false, 4, 4]);
  });

  it('has no more open requests than configured', async () => {
    faulty.choose = () => 'held';
    faulty.busiest = 0;
    await using(
      async upstream => {
        const answers = Promise.all(Array.from({ length: 12 }, () => upstream.send(read)));
        for (let arrived = 3; arrived <= 12; arrived++) {
          await until(() => faulty.arrived >= arrived);
          faulty.release();
        }
        faulty.release();
        faulty.release();
        expect((await answers).every(answer => answer.ok)).toBe(true);
      },
      { maxConcurrency: 3 },
    );
    expect(faulty.busiest).toBe(3);
  });

  it('refuses requests that do not fit into the queue, without sending them', async () => {
    faulty.queue = ['held'];
    await using(
      async upstream => {
        const sending = Array.from({ length: 110 }, () => upstream.send(write));
        const refused = await Promise.all(sending.slice(101));
        for (const answer of refused)
          expect(answer).toMatchObject({ ok: false, error: { code: 'too_busy', changed: false } });
        await until(() => faulty.arrived === 1);
        faulty.release();
        expect((await Promise.all(sending)).filter(answer => answer.ok)).toHaveLength(101);
      },
      { maxConcurrency: 1 },
    );
    expect(faulty.arrived).toBe(101);
  });

  it('lets all callers of a key wait for its limit, and nobody else', async () => {
    faulty.queue = ['limited_seconds'];
    const shared = createUpstreams({ ...settings, maxRetries: 0 });
    await shared.of(faulty.baseUrl, 'one-key', ...anyone('anna')).send(read);
    const waits = async (key: string, caller: string) => {
      const reasons: string[] = [];
      const onWait = ({ reason }: { reason: string }) => void reasons.push(reason);
      const answer = await passing(shared.of(faulty.baseUrl, key, ...anyone(caller))).send(read, { onWait });
      return [answer.ok, ...reasons];
    };
    const [bert, carl] = await Promise.all([waits('one-key', 'bert'), waits('another-key', 'carl')]);
    await shared.close();
    expect([bert, carl]).toEqual([[true, 'rate_limit'], [true]]);
  });

  it('says at once when the rate limit outlasts the call', async () => {
    faulty.choose = () => 'limited_date';
    const answer = await using(upstream => upstream.send(read), { timeoutMs: 20 });
    expect(answer).toMatchObject({ ok: false, error: { status: 429 } });
    expect(faulty.arrived).toBe(1);
  });
});

describe('giving up', () => {
  it('ends the upstream request at once when the client cancels, and does not say that nothing happened', async () => {
    faulty.queue = ['stalled'];
    await using(async upstream => {
      const abort = new AbortController();
      const sending = upstream.send(write, { signal: abort.signal });
      await until(() => faulty.carriedOut.size === 1);
      const [socket] = faulty.sockets;
      abort.abort();
      expect(await sending).toMatchObject({ ok: false, error: { code: 'cancelled', changed: 'unknown' } });
      await until(() => !faulty.sockets.has(socket!));
    });
  });

  it('sends nothing for a call that was cancelled before', async () => {
    const answer = await using(upstream => upstream.send(write, { signal: AbortSignal.abort() }));
    expect(answer).toMatchObject({ ok: false, error: { code: 'cancelled', changed: false } });
    expect(faulty.arrived).toBe(0);
  });

  it('reports a refused connection as unsent, for a write too', async () => {
    const closed = await startFaulty();
    await closed.close();
    const answer = await using(upstream => upstream.send(write), {}, closed.baseUrl);
    expect(answer).toMatchObject({ ok: false, attempts: 4, error: { code: 'connection_failed', changed: false } });
  });

  it('does not wait for ever for a connection, and says that nothing was sent', async () => {
    // Accepts the connection, but never answers the TLS handshake.
    const mute = createServer(() => pass(settings.timeoutMs)).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const baseUrl = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const answer = await using(upstream => upstream.send(write), {}, baseUrl);
    mute.close();
    expect(answer).toMatchObject({ ok: false, error: { code: 'timeout', changed: false } });
  });

  it.each([
    ['names a host that does not exist', () => 'http://no-such-host.invalid', 'dns_failed'],
    [
      'reports an insecure connection where a secure one was expected',
      () => faulty.baseUrl.replace('http:', 'https:'),
      'tls_failed',
    ],
  ])('%s', async (_what, address, code) => {
    const answer = await using(upstream => upstream.send(write), { maxRetries: 0 }, address());
    expect(answer).toMatchObject({ ok: false, error: { code, changed: false } });
  });
});
