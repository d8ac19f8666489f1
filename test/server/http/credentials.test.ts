import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearerToken } from '../../../src/server/http/credentials.ts';
import { send, startTiny, stopTiny } from './support/tiny.ts';

/** The lengths in bytes that each constant-time comparison got. */
const compared: number[][] = [];

beforeEach(() => {
  compared.splice(0);
  const { timingSafeEqual } = crypto;
  vi.spyOn(crypto, 'timingSafeEqual').mockImplementation((left, right) => {
    compared.push([left.byteLength, right.byteLength]);
    return timingSafeEqual(left, right);
  });
  syncBuiltinESMExports();
});

afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await stopTiny();
});

const tokens = ['first', 'second', 'third'].map(name => ({ name, token: `${name}-token-of-some-length` }));

describe('the comparison of bearer tokens', () => {
  it.each([
    ['the first of them', tokens[0]!.token, 200],
    ['most recently', tokens[2]!.token, 200],
    ['one that begins like the first', `${tokens[0]!.token}x`, 401],
    ['one letter', 'f', 401],
    ['a very long one', 'f'.repeat(4000), 401],
  ])('does the same work for %s: every token, in constant time, whatever the length', async (_what, token, status) => {
    const tiny = await startTiny({ auth: 'token', tokens });
    const answer = await send(tiny.url, undefined, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(status);
    expect(compared).toEqual(tokens.map(() => [32, 32]));
  });

  it('does so for the token of the metrics too', async () => {
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

it.each([
  ['Bearer abc.DEF-1_2~3+4/5=', 'abc.DEF-1_2~3+4/5='],
  ['bearer   abc', 'abc'],
  ['Bearer abc def', undefined],
  ['Bearer abc, Bearer def', undefined],
  ['Basic Bearer abc', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearerabc', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j carries the token %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
