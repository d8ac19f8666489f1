import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientAbilities } from '../../src/call/types.ts';
import { Cancel } from '../../src/lib/cancel.ts';
import type { Holding } from '../../src/policy/hold.ts';
import { memoryStores, type WriteStores } from '../../src/policy/write-stores.ts';
import { limitMs } from '../support/until.ts';
import { answered, type CallOptions, canBeAsked, codeOf, countingSend, policyWith, writeCall } from './support.ts';

const asked = new Date('2026-03-15T12:00:00Z');
const later = (minutes: number) => new Date(asked.getTime() + minutes * 60_000);
const opens = (client: ClientAbilities, holdMs = 50): ClientAbilities => ({ ...client, page: { holdMs } });

function start(more: Partial<WriteStores> = {}) {
  const stores = { ...memoryStores(), ...more };
  const policy = policyWith({}, { stores });
  const upstream = countingSend();
  const run = (client: ClientAbilities, options: CallOptions = {}) =>
    policy.carryOut(writeCall({ client, ...options }), upstream.send);
  const ask = async (options: CallOptions = {}) => {
    const outcome = await run(opens(canBeAsked), options);
    if (outcome.kind !== 'ask' || outcome.page === undefined) throw new Error(codeOf(outcome));
    return { ...outcome, page: outcome.page };
  };
  return { stores, policy, upstream, run, ask };
}

describe('a question that goes by page', () => {
  it('is kept with what the page shows, for ten minutes to decide in', async () => {
    const { stores, ask } = start();
    const { page } = await ask({ caller: 'anna' });
    expect(await stores.approvals.find(page)).toEqual({
      caller: 'anna',
      question: expect.stringContaining('price of add-on'),
      warnings: ['The currency of this price is not known here.'],
      account: 'billing.example.com',
      expires: later(10).getTime(),
    });
  });

  it('is not answered by the client: while undecided, the same question comes with the same page and state', async () => {
    const { upstream, run, ask } = start();
    const { state, page, message } = await ask();
    for (let i = 0; i < 5; i++) {
      expect(await run(opens(answered(state)), { now: later(i) })).toEqual({
        ...{ kind: 'ask', key: 'confirm', message, state, page },
      });
    }
    expect(upstream.sent).toBe(0);
  });

  it('is carried out once after approval', async () => {
    const { stores, upstream, run, ask } = start();
    const { state, page } = await ask();
    expect(await stores.approvals.decide(page, 'approve')).toBe('approve');
    expect(await stores.approvals.decide(page, 'decline')).toBe('approve');
    expect(await run(opens(answered(state)))).toMatchObject({ kind: 'done', receipt: { confirmed_by: 'person' } });
    expect(codeOf(await run(opens(answered(state))))).toBe('confirmation_used');
    expect(upstream.sent).toBe(1);
  });

  it('is not carried out for another call, an altered state, or too late, although it was approved', async () => {
    const { stores, upstream, run, ask } = start();
    const { state, page } = await ask();
    await stores.approvals.decide(page, 'approve');
    const codes = [
      await run(opens(answered(state)), { args: { code: 'setup', amount_cents: 1 } }),
      await run(opens(answered(state)), { caller: 'eve' }),
      await run(opens(answered(state)), { key: 'another-account' }),
      await run(opens(answered(`${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`))),
      await run(opens(answered('v1.e30.AAAA'))),
      await run(opens(answered(state)), { now: later(10) }),
    ].map(codeOf);
    const [mismatch, invalid] = ['confirmation_mismatch', 'confirmation_invalid'];
    expect(codes).toEqual([mismatch, mismatch, mismatch, invalid, invalid, 'confirmation_expired']);
    expect(upstream.sent).toBe(0);
  });

  it('cannot be answered as a form, and a form’s state not as a page', async () => {
    const { stores, upstream, run, ask } = start();
    const { state } = await ask();
    expect(codeOf(await run(answered(state)))).toBe('confirmation_invalid');
    const form = await run(canBeAsked);
    if (form.kind !== 'ask') throw new Error(form.kind);
    expect(form.page).toBeUndefined();
    expect(codeOf(await run(opens(answered(form.state))))).toBe('confirmation_invalid');
    expect(upstream.sent).toBe(0);
    expect(await stores.approvals.decision('A'.repeat(22))).toBe('missing');
  });

  it.each(['decline', 'cancel'] as const)(
    'is closed by the client’s %s, even if the page approves then',
    async action => {
      const { stores, upstream, run, ask } = start();
      const { state, page } = await ask();
      expect((await run(opens(answered(state, action)))).kind).toBe('declined');
      expect(await stores.approvals.decide(page, 'approve')).toBe('closed');
      expect(codeOf(await run(opens(answered(state))))).toBe('confirmation_used');
      expect(upstream.sent).toBe(0);
    },
  );

  it('says that the client ended it, also after an approval that was not used; a used one stays', async () => {
    const unused = start();
    const { state, page } = await unused.ask();
    await unused.stores.approvals.decide(page, 'approve');
    expect((await unused.run(opens(answered(state, 'cancel')))).kind).toBe('declined');
    expect(await unused.stores.approvals.decision(page)).toBe('closed');
    expect(unused.upstream.sent).toBe(0);

    const used = start();
    const carriedOut = await used.ask();
    await used.stores.approvals.decide(carriedOut.page, 'approve');
    expect((await used.run(opens(answered(carriedOut.state)))).kind).toBe('done');
    await used.run(opens(answered(carriedOut.state, 'cancel')));
    expect(await used.stores.approvals.decision(carriedOut.page)).toBe('approve');
  });

  it('leaves room for those of other callers, however many one caller asks for', async () => {
    let now = 0;
    const { approvals } = memoryStores(() => now);
    const open = async (caller: string, most: number) => {
      const approval = { caller, question: 'q', warnings: [], account: 'a', expires: 1 };
      for (let i = 0; i < most; i++) {
        const kept = await approvals.open(`${now} ${caller} ${i}`, approval, 1000).then(
          () => true,
          () => false,
        );
        if (!kept) return i;
      }
      return most;
    };
    expect(await open('anna', 20_000)).toBe(5000);
    expect(await open('bert', 100)).toBe(100);
    now = 1001;
    expect(await open('anna', 100)).toBe(100);
  });

  it('is refused when its store lost it or does not answer', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const { approvals } = memoryStores();
    const silent = start({ approvals: { ...approvals, decision: down } });
    expect(codeOf(await silent.run(opens(answered((await silent.ask()).state))))).toBe('confirmation_unavailable');
    const lost = start({ approvals: { ...approvals, decision: async () => 'missing' } });
    expect(codeOf(await lost.run(opens(answered((await lost.ask()).state))))).toBe('confirmation_unknown');
    const full = start({ approvals: { ...approvals, open: down } });
    expect(codeOf(await full.run(opens(canBeAsked)))).toBe('confirmation_unavailable');
  });
});

describe('the wait for a decision', () => {
  const waiting = async (holdMs: number, more: Omit<Holding, 'forMs'> = {}) => {
    const parts = start();
    const { policy } = parts;
    const outcome = await policy.carryOut(
      writeCall({ client: opens(canBeAsked), now: new Date() }),
      parts.upstream.send,
    );
    if (outcome.kind !== 'ask' || outcome.page === undefined) throw new Error(codeOf(outcome));
    let over = false;
    const wait = policy.untilDecided(opens(answered(outcome.state), holdMs), more).then(() => {
      over = true;
    });
    return { ...parts, page: outcome.page, wait, isOver: () => over };
  };

  it('ends with the decision, with the client, and with the server', async () => {
    const decided = await waiting(limitMs);
    await decided.stores.approvals.decide(decided.page, 'decline');
    await decided.wait;
    const cancel = new Cancel();
    const gone = await waiting(limitMs, { signal: cancel });
    cancel.abort();
    await gone.wait;
    const stopped = await waiting(limitMs);
    stopped.policy.endWaits();
    await stopped.wait;
  });

  it('ends after its time, and tells the client every 15 seconds that it goes on', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const told: string[] = [];
    const { wait, isOver } = await waiting(40_000, { progress: message => told.push(message) });
    const after: [seconds: number, told: number, over: boolean][] = [];
    for (const seconds of [10, 18, 35, 39]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - (after.at(-1)?.[0] ?? 0) * 1000);
      after.push([seconds, told.length, isOver()]);
    }
    expect(after).toEqual([
      [10, 0, false],
      [18, 1, false],
      [35, 2, false],
      [39, 2, false],
    ]);
    await vi.advanceTimersByTimeAsync(1000);
    await wait;
  });

  it.each([
    ['asked by form', answered('v1.e30.AAAA')],
    ['with a state that is not ours', opens(answered('v1.e30.AAAA'), limitMs)],
    ['that asks for the first time', opens(canBeAsked, limitMs)],
  ])('is none for a call %s', async (_what, client) => {
    await start().policy.untilDecided(client, {});
  });
});
