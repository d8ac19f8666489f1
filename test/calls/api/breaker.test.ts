/** What opens and closes the breaker of an upstream: missing answers do, refusals do not. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import { until } from '../../support/until.ts';
import { anyone, read, write } from './anyone.ts';
import { stopClocks } from './clock.ts';
import { type Fault, type Faulty, startFaulty } from './faulty.ts';

const failuresThatOpen = 10;

let faulty: Faulty;
let upstreams: Upstreams;
const states: string[] = [];
/** Sets the clock forward, without which no pause of the breaker ends. */
let pass: (ms: number) => void;
beforeAll(async () => {
  faulty = await startFaulty();
});
beforeEach(() => {
  faulty.queue = [];
  faulty.choose = () => 'ok';
  faulty.left = () => {};
  pass = stopClocks();
  states.length = 0;
  upstreams = createUpstreams(
    { timeoutMs: 10_000, maxRetries: 0, maxConcurrency: 4, idPrefix: 'svc_' },
    { breakerChanged: state => void states.push(state) },
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await upstreams.close();
});
afterAll(() => faulty.close());

const send = (call = read, baseUrl = faulty.baseUrl, signal?: AbortSignal) =>
  upstreams.of(baseUrl, 'key', ...anyone()).send(call, { signal });
async function codeOf(baseUrl?: string, signal?: AbortSignal): Promise<string> {
  const answer = await send(read, baseUrl, signal);
  return answer.ok ? 'ok' : answer.error.code;
}

async function meet(fault: Fault, times = failuresThatOpen, call = read): Promise<void> {
  for (let index = 0; index < times; index++) {
    faulty.queue = [fault];
    await send(call);
  }
}

describe('the breaker opens', () => {
  it('when connections are refused', async () => {
    const gone = await startFaulty();
    await gone.close();
    const codes = [];
    for (let index = 0; index <= failuresThatOpen; index++) codes.push(await codeOf(gone.baseUrl));
    expect(codes).toEqual([...Array(failuresThatOpen).fill('connection_failed'), 'upstream_unavailable']);
  });

  const faults = ['dropped_before_body', 'truncated', 'error_502', 'error_503', 'error_504'] as const;
  it.each(faults.flatMap(fault => [read, write].map(call => ({ fault, ...call, call }))))(
    'when requests of a $effect end with $fault; nothing of the next one is sent, of a read or a write',
    async ({ fault, call }) => {
      await meet(fault, failuresThatOpen, call);
      const before = faulty.arrived;
      for (const next of [read, write])
        expect(await send(next)).toMatchObject({ ok: false, error: { code: 'upstream_unavailable', changed: false } });
      expect([states, faulty.arrived]).toEqual([['open'], before]);
    },
  );

  it('when answers do not come in time', async () => {
    faulty.left = () => pass(10_000);
    await meet('silent');
    expect(await codeOf()).toBe('upstream_unavailable');
  });
});

describe('the breaker stays closed', () => {
  it.each(['refused_422', 'error_500', 'html', 'invalid_json'] as const)('when answers are %s', async fault => {
    await meet(fault);
    expect(await codeOf()).toBe('ok');
  });

  it('when one answer comes among failures, however large it is', async () => {
    for (const fault of ['ok', 'oversized', 'refused_422'] as const) {
      await meet('error_503', failuresThatOpen - 1);
      await meet(fault, 1);
    }
    await meet('error_503', failuresThatOpen - 1);
    expect(await codeOf()).toBe('ok');
  });
});

describe('the trial request after the pause', () => {
  const tried = async (fault: Fault) => {
    await meet('error_503');
    expect(await codeOf()).toBe('upstream_unavailable');
    pass(3000);
    faulty.queue = [fault];
    await codeOf();
    return codeOf();
  };

  it.each(['ok', 'oversized', 'refused_422'] as const)('closes the breaker when its answer is %s', async fault => {
    expect(await tried(fault)).toBe('ok');
  });

  it('keeps the breaker open when it fails too', async () => {
    expect(await tried('error_503')).toBe('upstream_unavailable');
  });

  it('leaves the trial to the next request when it was cancelled', async () => {
    await meet('error_503');
    pass(3000);
    faulty.queue = ['silent'];
    const before = faulty.arrived;
    const abort = new AbortController();
    const trying = codeOf(faulty.baseUrl, abort.signal);
    await until(() => faulty.arrived === before + 1);
    expect(await codeOf()).toBe('upstream_unavailable');
    abort.abort();
    expect(await trying).toBe('cancelled');
    expect(await codeOf()).toBe('ok');
  });
});
