import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApprovalWait } from '../../../src/calls/change/ask/approval-wait.ts';
import { memoryStores, type WriteStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { ClientAbilities } from '../../../src/definition/asking.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import { limitMs } from '../../support/until.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  codeOf,
  countingSend,
  policyWith,
  showing,
  writeCall,
} from './support.ts';

const asked = new Date('2026-03-15T12:00:00Z');
const later = (minutes: number) => new Date(asked.getTime() + minutes * 60_000);
/** A client that opens pages, and shows forms too; without a field in its answer. */
const opens = ({ state, reply }: ClientAbilities, holdMs = 50): ClientAbilities => ({
  ...{ ...showing('url', 'form'), holdMs, state },
  reply: reply?.action === 'accept' ? { action: 'accept' } : reply,
});

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
    expect(await stores.approvals.look(page)).toEqual({
      approval: {
        caller: 'anna',
        question: expect.stringContaining('price of add-on'),
        warnings: [expect.stringContaining('currency of this price is unknown')],
        account: 'billing.example.com',
        expires: later(10).getTime(),
        write: {
          ...{ binding: expect.stringMatching(/^[\w-]{43}$/), store: expect.any(String), by: 'link' },
          ...{ tool: 'update_add_on', caller: 'anna', target: 'add_on setup' },
          question: expect.stringMatching(/^[\da-f]{32}$/),
        },
      },
    });
  });

  it('is not answered by the client: while undecided, the same question comes with the same page and state', async () => {
    const { upstream, run, ask } = start();
    const { state, page, message } = await ask();
    for (let i = 0; i < 5; i++) {
      expect(await run(opens(answered(state)), { now: later(i) })).toEqual({
        ...{ kind: 'ask', message, title: expect.stringContaining('setup to 125,000 minor units?'), state, page },
      });
    }
    expect(upstream.sent).toBe(0);
  });

  it('is carried out once after approval', async () => {
    const { stores, upstream, run, ask } = start();
    const { state, page } = await ask();
    expect(await stores.approvals.decide(page, 'approve')).toBe('approve');
    expect(await stores.approvals.decide(page, 'decline')).toBe('approve');
    expect(await run(opens(answered(state)))).toMatchObject({ kind: 'done', receipt: { confirmed_by: 'link' } });
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

  it('is not answered by the field of a form, nor a form’s question by accepting a page', async () => {
    const { stores, upstream, run, ask } = start();
    const { state, page } = await ask();
    expect(await run(answered(state))).toMatchObject({ kind: 'ask', page });
    const form = await run(canBeAsked);
    if (form.kind !== 'ask') throw new Error(form.kind);
    expect(form.page).toBeUndefined();
    expect(codeOf(await run(opens(answered(form.state))))).toBe('question_unanswered');
    expect(upstream.sent).toBe(0);
    expect(await stores.approvals.look('A'.repeat(22))).toBeUndefined();
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

  it('says that nothing came of an approval where the client ended it before; a used one stays', async () => {
    const unused = start();
    const { state, page } = await unused.ask();
    await unused.stores.approvals.decide(page, 'approve');
    expect((await unused.run(opens(answered(state, 'cancel')))).kind).toBe('declined');
    expect(await unused.stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect(unused.upstream.sent).toBe(0);

    const used = start();
    const carriedOut = await used.ask();
    await used.stores.approvals.decide(carriedOut.page, 'approve');
    expect((await used.run(opens(answered(carriedOut.state)))).kind).toBe('done');
    await used.run(opens(answered(carriedOut.state, 'cancel')));
    expect(await used.stores.approvals.look(carriedOut.page)).toMatchObject({ decision: 'approve', carried: 'done' });
  });

  it('keeps what was said on its page: a no stays a no, and a yes to what changed since came to nothing', async () => {
    const declined = start();
    const no = await declined.ask();
    await declined.policy.pages.decide(no.page, 'decline');
    expect(await declined.run(opens(answered(no.state)))).toMatchObject({
      kind: 'declined',
      error: { message: expect.stringContaining('the user declined it') },
    });
    expect(await declined.stores.approvals.look(no.page)).toMatchObject({ decision: 'decline' });

    const priced = (amount_cents: number): CallOptions => ({
      ...{ reading: 'read', known: { name: 'Setup fee', code: 'setup', amount_currency: 'USD', amount_cents } },
    });
    const stale = start();
    const yes = await stale.ask(priced(100_000));
    await stale.policy.pages.decide(yes.page, 'approve');
    const anew = await stale.run(opens(answered(yes.state)), priced(90_000));
    if (anew.kind !== 'ask' || anew.page === undefined) throw new Error(codeOf(anew));
    expect(await stale.stores.approvals.look(yes.page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect((await stale.stores.approvals.look(anew.page))!.approval.warnings[0]).toMatch(/^The record changed since/);
    await stale.policy.pages.decide(anew.page, 'approve');
    expect((await stale.run(opens(answered(anew.state)), priced(90_000))).kind).toBe('done');
    expect(declined.upstream.sent + stale.upstream.sent).toBe(1);
  });

  it('stands as it was looked up, whatever is decided later', async () => {
    const { stores, ask } = start();
    const { page } = await ask();
    const before = await stores.approvals.look(page);
    await stores.approvals.decide(page, 'approve');
    await stores.approvals.carried(page, 'done');
    expect(Object.keys(before!)).toEqual(['approval']);
    await stores.approvals.carried('A'.repeat(22), 'done');
    expect(await stores.approvals.look('A'.repeat(22))).toBeUndefined();
  });

  it('leaves room for those of other callers, however many one caller asks for', async () => {
    let now = 0;
    const { approvals } = memoryStores(() => now);
    const write = { binding: 'b', store: 's', by: 'link', tool: 't', caller: 'c', target: 'x', question: 'q' } as const;
    const open = async (caller: string, most: number) => {
      const approval = { caller, question: 'q', warnings: [], account: 'a', expires: 1, write };
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
    const silent = start({ approvals: { ...approvals, look: down } });
    expect(codeOf(await silent.run(opens(answered((await silent.ask()).state))))).toBe('confirmation_unavailable');
    const lost = start({ approvals: { ...approvals, look: async () => undefined } });
    expect(codeOf(await lost.run(opens(answered((await lost.ask()).state))))).toBe('confirmation_unknown');
    const full = start({ approvals: { ...approvals, open: down } });
    expect(codeOf(await full.run(opens(canBeAsked)))).toBe('confirmation_unavailable');
  });
});

describe('the wait for a decision', () => {
  const waiting = async (holdMs: number, more: ApprovalWait = {}) => {
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

  it('ends after its time, and tells the client every ten seconds that it goes on', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const told: string[] = [];
    const { wait, isOver } = await waiting(40_000, { progress: message => told.push(message) });
    const after: [seconds: number, told: number, over: boolean][] = [];
    for (const seconds of [9, 12, 23, 35, 39]) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - (after.at(-1)?.[0] ?? 0) * 1000);
      after.push([seconds, told.length, isOver()]);
    }
    expect(after).toEqual([
      [9, 0, false],
      [12, 1, false],
      [23, 2, false],
      [35, 3, false],
      [39, 3, false],
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
