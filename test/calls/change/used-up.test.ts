/** How much is remembered: the confirmations that were used, and the writes of a minute. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import { answered, cannotBeAsked, serverWith } from './support.ts';

const start = Date.parse('2026-03-15T12:00:00Z');
const minutes = (count: number) => count * 60_000;

describe('a confirmation that was used', () => {
  it('fills the memory up to a limit, then further ones are refused until it has expired', async () => {
    let now = start;
    const { offer, ended, upstream } = serverWith({ confirm: 'always' }, { stores: memoryStores(() => now, 2) });
    const write = async () => {
      const { confirmation } = await offer(cannotBeAsked, { now: new Date(now) });
      return ended(cannotBeAsked, { confirmation, now: new Date(now) });
    };
    expect([await write(), await write(), await write()]).toEqual(['done', 'done', 'confirmation_unavailable']);
    now += minutes(30);
    expect([await write(), await write(), await write()]).toEqual(['done', 'done', 'confirmation_unavailable']);
    expect(upstream.sent).toBe(4);
  });
});

describe('the writes of a minute', () => {
  it('are counted when they are carried out: of two open questions only one can use the last place', async () => {
    const { ask, ended, upstream } = serverWith({ maxWritesPerMinute: 1 });
    const asked = [await ask(), await ask()];
    const codes = await Promise.all(asked.map(({ state }) => ended(answered(state))));
    expect(codes.sort()).toEqual(['done', 'write_budget']);
    expect(upstream.sent).toBe(1);
  });

  it('are forgotten after it: a place is free again at once', async () => {
    let now = start;
    const { window } = memoryStores(() => now);
    for (let minute = 0; minute < 5; minute++) {
      expect(await window.wait('desk', 1)).toBe(0);
      expect(await window.take('desk', 1)).toBe(0);
      expect(await window.wait('desk', 1)).toBe(minutes(1));
      now += minutes(2);
    }
  });

  it('are not remembered for callers who stopped writing', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    let now = start;
    const { window } = memoryStores(() => now, undefined, 100);
    // Each label is so large that all of them together take 40 million bytes.
    const label = (caller: number) => Buffer.alloc(20_000, `caller-${caller} `).toString('latin1');
    const before = heap();
    for (let caller = 0; caller < 2000; caller++) {
      if (caller % 100 === 0) now += minutes(2);
      await window.take(label(caller), 30);
    }
    expect(heap() - before).toBeLessThan(10_000_000);
    expect(await window.wait(label(1999), 1)).toBeGreaterThan(0);
  });
});
