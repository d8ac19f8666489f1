import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { send, startTiny, stopTiny } from './support/tiny.ts';

/** How long each comparison in constant time was given to compare. */
const compared = vi.hoisted((): number[][] => []);
vi.mock('node:crypto', async importOriginal => {
  const original = await importOriginal<typeof import('node:crypto')>();
  const timingSafeEqual: typeof original.timingSafeEqual = (left, right) => {
    compared.push([left.byteLength, right.byteLength]);
    return original.timingSafeEqual(left, right);
  };
  return { ...original, timingSafeEqual };
});

beforeEach(() => void compared.splice(0));
afterEach(stopTiny);

const tokens = ['first', 'second', 'third'].map(name => ({ name, token: `${name}-token-of-some-length` }));

describe('the comparison of bearer tokens', () => {
  it.each([
    ['the first of them', tokens[0]!.token, 200],
    ['the last of them', tokens[2]!.token, 200],
    ['one that begins like the first', `${tokens[0]!.token}x`, 401],
    ['one letter', 'f', 401],
    ['a very long one', 'f'.repeat(4000), 401],
  ])('is the same work for %s: every token, in constant time, whatever the length', async (_what, token, status) => {
    const tiny = await startTiny({ auth: 'token', tokens });
    const answer = await send(tiny.url, undefined, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(status);
    expect(compared).toEqual(tokens.map(() => [32, 32]));
  });

  it('is so for the token of the metrics too', async () => {
    const tiny = await startTiny({ metricsToken: 'metrics-token-of-some-length' });
    const metrics = (token: string) =>
      fetch(tiny.url.replace('/mcp', '/metrics'), { headers: { authorization: `Bearer ${token}` } });
    expect((await metrics('m')).status).not.toBe(200);
    expect((await metrics('metrics-token-of-some-length')).status).toBe(200);
    expect(compared).toEqual([
      [32, 32],
      [32, 32],
    ]);
  });
});
