import { describe, expect, it } from 'vitest';
import { Breaker, RateLimiter, waitFrom } from '../../../src/calls/api/http/limits.ts';

const start = Date.parse('2026-03-15T12:00:00Z');

describe('the wait that a header asks for', () => {
  const rows: [header: string | string[] | undefined, ms: number | undefined][] = [
    ['2', 2000],
    ['0.5', 500],
    ['-3', 0],
    [`${start / 1000 + 7}`, 7000],
    [`${start + 7000}`, 7000],
    [new Date(start + 7000).toUTCString(), 7000],
    [new Date(start - 7000).toUTCString(), 0],
    [['4', '9'], 4000],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  it.each(rows)('%j is %s ms', (header, ms) => {
    expect(waitFrom(header, start)).toBe(ms);
  });
});

describe('the rate limit of a key', () => {
  const window = (remaining: number, limit = 100) => ({
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': '10',
  });

  it('delays nobody while most of the window is left', () => {
    const limiter = new RateLimiter();
    limiter.learn(200, window(60), start);
    for (let call = 0; call < 40; call++) expect(limiter.pause(start)).toBeNull();
  });

  it('spreads the last tenth of a window over the remaining time, before the limit is reached', () => {
    const limiter = new RateLimiter();
    limiter.learn(200, window(5), start);
    const sent: number[] = [];
    for (let now = start; now < start + 10_000; ) {
      const pause = limiter.pause(now)?.ms ?? 0;
      if (pause === 0) sent.push(now - start);
      now += pause;
    }
    expect(sent).toEqual([0, 2000, 4000, 6000, 8000]);
  });

  it('delays nobody until a tenth of the window is left', () => {
    const limiter = new RateLimiter();
    limiter.learn(200, window(12), start);
    const pauses = Array.from({ length: 4 }, () => limiter.pause(start)?.ms ?? 0);
    expect(pauses).toEqual([0, 0, 0, 1000]);
  });

  it('waits for the end of a window that is used up', () => {
    const limiter = new RateLimiter();
    limiter.learn(200, window(0), start);
    expect(limiter.pause(start + 4000)?.ms).toBe(6000);
    expect(limiter.pause(start + 10_000)).toBeNull();
  });

  it('uses the lowest count within a window, because answers can overtake each other', () => {
    const limiter = new RateLimiter();
    limiter.learn(200, window(0), start);
    limiter.learn(200, window(50), start);
    expect(limiter.pause(start)?.ms).toBe(10_000);
    limiter.learn(200, window(99), start + 10_500);
    expect(limiter.pause(start + 10_500)).toBeNull();
  });

  it('stops all calls of the key after a 429, as long as the 429 asked', () => {
    const limiter = new RateLimiter();
    expect(limiter.learn(429, { 'retry-after': '3' }, start)).toBe(3000);
    expect(limiter.pause(start + 1000)?.ms).toBe(2000);
    expect(limiter.pause(start + 3000)).toBeNull();
  });

  it('is not changed by an answer without valid limit headers', () => {
    const limiter = new RateLimiter();
    expect(limiter.learn(429, {}, start)).toBeUndefined();
    limiter.learn(200, { 'x-ratelimit-remaining': '0' }, start);
    limiter.learn(200, { 'x-ratelimit-remaining': 'few', 'x-ratelimit-reset': '9' }, start);
    expect(limiter.pause(start)).toBeNull();
  });
});

describe('a header that blocks for long', () => {
  const month = { 'retry-after': '2592000' };
  const usedUp = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '31536000' };
  it.each([
    ['a 429 that asks for a month', 429, month, 'asked'],
    ['a 200 whose quota is reset in a year', 200, usedUp, 'used_up'],
  ] as const)('lets one read try after a minute: %s', (_, status, headers, reason) => {
    const limiter = new RateLimiter();
    limiter.learn(status, headers, start);
    expect(limiter.pause(start)).toMatchObject({ reason, ms: 60_000 });
    expect(limiter.pause(start + 59_999)).toMatchObject({ reason, ms: 1 });
    expect(limiter.pause(start + 60_000)).toBeNull();
    // One alone: the others wait for its answer, or for the next minute.
    expect(limiter.pause(start + 60_000)).toMatchObject({ ms: 60_000 });
    limiter.learn(status, headers, start + 60_100);
    expect(limiter.pause(start + 60_200)?.ms).toBeGreaterThan(59_000);
    expect(limiter.pause(start + 121_000)).toBeNull();
    limiter.learn(200, { ...usedUp, 'x-ratelimit-remaining': '90' }, start + 121_100);
    expect(limiter.pause(start + 121_200)).toBeNull();
    expect(limiter.pause(start + 121_200, false)).toBeNull();
  });

  it('lets no write try, and tells it how long the service asked for', () => {
    const limiter = new RateLimiter();
    limiter.learn(429, month, start);
    expect(limiter.pause(start + 600_000, false)).toMatchObject({ reason: 'asked', ms: 2_592_000_000 - 600_000 });
  });

  it('is not lifted by an answer that was under way before it', () => {
    const limiter = new RateLimiter();
    limiter.learn(429, month, start);
    limiter.learn(200, {}, start + 10);
    expect(limiter.pause(start + 20)).not.toBeNull();
  });

  it('of an hour spaces no call while some of its quota is left', () => {
    const limiter = new RateLimiter();
    limiter.learn(
      200,
      { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '400', 'x-ratelimit-reset': '3600' },
      start,
    );
    for (let call = 0; call < 400; call++) expect(limiter.pause(start + call)).toBeNull();
    expect(limiter.pause(start + 400)).toMatchObject({ reason: 'used_up', ms: 60_000 });
  });
});

it('the breaker pauses longer after each failed trial, up to half a minute', () => {
  const breaker = new Breaker(undefined, 3, 1000);
  for (let failure = 0; failure < 3; failure++) breaker.failed(start);
  let now = start;
  const pauses: number[] = [];
  for (let probe = 0; probe < 8; probe++) {
    const pause = breaker.admit(now);
    pauses.push(pause);
    now += pause;
    expect(breaker.admit(now)).toBe(0);
    breaker.failed(now);
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});
