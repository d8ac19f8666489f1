import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpstreams, type Upstreams } from '../../../src/calls/api/account/upstreams.ts';
import type { Wait } from '../../../src/calls/api/http/client.ts';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { presentRecord } from '../../../src/words/present-record.ts';
import { updateSubscription } from '../../../tools/subscriptions.ts';
import { anyone } from '../../calls/api/anyone.ts';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { send, startTiny, stopTiny } from '../http/support/tiny.ts';

const noon = Date.parse('2026-03-15T12:00:00Z');
const hour = 3_600_000;
const read = { tool: 'get_customer', effect: 'read', method: 'GET', target: '/customers/a', body: undefined } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: noon });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('with the machine’s clock set back by an hour', () => {
  const setBack = () => void vi.setSystemTime(noon - hour);

  it('a budget of writes is free again after a minute at most', async () => {
    const { window } = memoryStores();
    expect(await window.take('ada', 1)).toBe(0);
    setBack();
    expect(await window.wait('ada', 1)).toBeLessThanOrEqual(60_000);
    expect(await window.take('ada', 1)).toBeGreaterThan(0);
  });

  it('a used confirmation stays used until its expiry time', async () => {
    const { spent } = memoryStores();
    const mark = await spent.mark();
    expect(await spent.spend('once', 60_000, mark)).toBe('spent');
    setBack();
    expect(await spent.spend('once', 60_000, mark)).toBe('used');
    vi.setSystemTime(noon + 60_000);
    expect(await spent.spend('once', 60_000, mark)).toBe('spent');
  });

  it('the wait for the rate limit of a caller is reported as a minute at most', async () => {
    try {
      const { url } = await startTiny({ auth: 'token', tokens: [], rateLimit: 1 });
      expect((await send(url)).status).toBe(401);
      setBack();
      const limited = await send(url);
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(limited.body.error.message).toMatch(/Retry in (1 minute|\d+ seconds?)/);
    } finally {
      await stopTiny();
    }
  });
});

describe('a billing API, while the machine’s clock is changed,', () => {
  let api: Faulty;
  let upstreams: Upstreams;

  beforeEach(async () => {
    api = await startFaulty();
  });
  afterEach(async () => {
    await upstreams.close();
    await api.close();
  });

  const upstream = (maxRetries: number) => {
    upstreams = createUpstreams({ timeoutMs: 30_000, maxRetries, maxConcurrency: 4, idPrefix: 'svc_' });
    return upstreams.of(api.baseUrl, 'a-secret-key', ...anyone());
  };

  it('is asked again when its rate limit allows it, not an hour later', async () => {
    const client = upstream(0);
    api.queue = ['limited_reset_seconds'];
    expect(await client.send(read)).toMatchObject({ ok: false });
    vi.setSystemTime(noon - hour);
    expect(await client.send(read)).toMatchObject({ ok: true });
  });

  it('is asked again seconds after it has failed many times, not an hour later', async () => {
    // The other clock stands still: the pause does not end meanwhile.
    vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const client = upstream(0);
    api.queue = Array.from({ length: 10 }, () => 'error_503');
    for (let i = 0; i < 10; i++) await client.send(read);
    vi.setSystemTime(noon - hour);
    expect(await client.send(read)).toMatchObject({ error: { hint: expect.stringMatching(/Call again in 2 s/) } });
  });

  it('has the full timeout of a call when the clock jumps ahead during it', async () => {
    api.choose = () => {
      vi.setSystemTime(noon + hour);
      return api.arrived === 1 ? 'error_503' : 'ok';
    };
    expect(await upstream(3).send(read)).toMatchObject({ ok: true, attempts: 2 });
  });

  it('is asked again at the right time when its rate limit ends at a given date', async () => {
    const client = upstream(3);
    api.queue = ['limited_date'];
    const waits: Wait[] = [];
    const onWait = (wait: Wait) => void waits.push(wait);
    expect(await client.send(read, { onWait })).toMatchObject({ ok: true, attempts: 2 });
    expect(waits[0]!.ms).toBeGreaterThanOrEqual(1000);
  });
});

describe('with the clock of the embedded service pinned', () => {
  const ending = { subscription: { external_id: 'acme', plan_code: 'studio', ending_at: '2027-01-01T00:00:00Z' } };
  const said = (flags: string[]) =>
    presentRecord(updateSubscription, ending, { args: {}, config: loadConfig(flags, {}).config }).summary;

  it('answers speak of its time', () => {
    expect(said(['--demo', '--now', '2028-01-01T00:00:00Z'])).toContain('It was due to end');
    expect(said(['--demo'])).toContain('It ends');
  });
});
