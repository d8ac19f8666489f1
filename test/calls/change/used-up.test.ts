/** A confirmation works once, a write uses its budget, and how long both are remembered. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { memoryStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { ClientAbilities } from '../../../src/definition/asking.ts';
import { answered, canBeAsked, cannotBeAsked, codeOf, countingSend, policyWith, writeCall } from './support.ts';

type Policy = ReturnType<typeof policyWith>;

const start = Date.parse('2026-03-15T12:00:00Z');
const minutes = (count: number) => count * 60_000;
/** Asks, and returns what agreeing needs: the state of a question, or a token. */
async function ask(policy: Policy, client: ClientAbilities, now = start): Promise<string> {
  const outcome = await policy.carryOut(writeCall({ client, now: new Date(now) }), countingSend().send);
  if (outcome.kind === 'ask') return outcome.state;
  if (outcome.kind === 'needs_token') return outcome.confirmation;
  throw new Error(outcome.kind);
}

describe('a confirmation that was used', () => {
  const agree: [string, ClientAbilities, (text: string, now: Date) => ReturnType<typeof writeCall>][] = [
    ['an accepted question', canBeAsked, (state, now) => writeCall({ client: answered(state), now })],
    ['a token', cannotBeAsked, (confirmation, now) => writeCall({ confirmation, now })],
  ];
  it.each(agree)('is remembered as long as it could be used again: %s', async (_what, client, callWith) => {
    let now = start;
    const policy = policyWith({ confirm: 'always' }, { stores: memoryStores(() => now) });
    const upstream = countingSend();
    const text = await ask(policy, client);
    const codes = [];
    for (const passed of [0, 2, 5, 9, 9.99, 10]) {
      now = start + minutes(passed);
      codes.push(codeOf(await policy.carryOut(callWith(text, new Date(now)), upstream.send)));
    }
    expect(codes).toEqual(['done', ...Array(4).fill('confirmation_used'), 'confirmation_expired']);
    expect(upstream.sent).toBe(1);
  });

  it('fills the memory up to a limit, then further ones are refused until it has expired', async () => {
    let now = start;
    const policy = policyWith({ confirm: 'always' }, { stores: memoryStores(() => now, 2) });
    const upstream = countingSend();
    const write = async () => {
      const confirmation = await ask(policy, cannotBeAsked, now);
      return codeOf(await policy.carryOut(writeCall({ confirmation, now: new Date(now) }), upstream.send));
    };
    expect([await write(), await write(), await write()]).toEqual(['done', 'done', 'confirmation_unavailable']);
    now += minutes(30);
    expect([await write(), await write(), await write()]).toEqual(['done', 'done', 'confirmation_unavailable']);
    expect(upstream.sent).toBe(4);
  });
});

describe('the writes of a minute', () => {
  it('are counted when they are carried out: of two open questions only one can use the last place', async () => {
    const policy = policyWith({ maxWritesPerMinute: 1 });
    const upstream = countingSend();
    const states = [await ask(policy, canBeAsked), await ask(policy, canBeAsked)];
    const outcomes = await Promise.all(
      states.map(state => policy.carryOut(writeCall({ client: answered(state) }), upstream.send)),
    );
    expect(outcomes.map(codeOf).sort()).toEqual(['done', 'write_budget']);
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
