import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApprovalWait } from '../../../src/calls/change/ask/approval-wait.ts';
import { memoryStores, type WriteStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { ClientAbilities } from '../../../src/definition/asking.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import { limitMs } from '../../support/until.ts';
import { answered, type CallOptions, canBeAsked, serverWith, showing } from './support.ts';

const asked = new Date('2026-03-15T12:00:00Z');
const later = (minutes: number) => new Date(asked.getTime() + minutes * 60_000);
/** A client that opens pages, and shows forms too; without a field in its answer. */
const opens = ({ state, reply }: ClientAbilities, holdMs = 50): ClientAbilities => ({
  ...{ ...showing('url', 'form'), holdMs, state },
  reply: reply?.action === 'accept' ? { action: 'accept' } : reply,
});

function start(more: Partial<WriteStores> = {}) {
  const stores = { ...memoryStores(), ...more };
  const server = serverWith({}, { stores });
  const askWith = (client: ClientAbilities, options?: CallOptions) => server.ask(opens(client), options);
  const run = (client: ClientAbilities, options?: CallOptions) => server.call(opens(client), options);
  const code = (client: ClientAbilities, options?: CallOptions) => server.ended(opens(client), options);
  const { decide, look } = stores.approvals;
  return {
    ...server,
    stores,
    run,
    code,
    askWith,
    ask: (options?: CallOptions) => askWith(canBeAsked, options),
    decide,
    look,
  };
}

describe('a question that goes by page', () => {
  it('is kept with what the page shows, for ten minutes to decide in', async () => {
    const { ask, look } = start();
    const { page } = await ask({ caller: 'anna' });
    expect(await look(page)).toEqual({
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
      expect(await run(answered(state), { now: later(i) })).toEqual({
        ...{ kind: 'ask', message, title: expect.stringContaining('setup to 125,000 minor units?'), state, page },
      });
    }
    expect(upstream.sent).toBe(0);
  });

  it('is not answered by the field of a form, nor a form’s question by accepting a page', async () => {
    const { upstream, call, code, ask, look } = start();
    const { state, page } = await ask();
    expect(await call(answered(state))).toMatchObject({ kind: 'ask', page });
    const form = await call(canBeAsked);
    if (form.kind !== 'ask') throw new Error(form.kind);
    expect(form.page).toBeUndefined();
    expect(await code(answered(form.state))).toBe('question_unanswered');
    expect(upstream.sent).toBe(0);
    expect(await look('A'.repeat(22))).toBeUndefined();
  });

  it.each(['decline', 'cancel'] as const)(
    'is closed by the client’s %s, even if the page approves then',
    async action => {
      const { upstream, run, code, ask, decide } = start();
      const { state, page } = await ask();
      expect((await run(answered(state, action))).kind).toBe('declined');
      expect(await decide(page, 'approve')).toBe('closed');
      expect(await code(answered(state))).toBe('confirmation_used');
      expect(upstream.sent).toBe(0);
    },
  );

  it('says that nothing came of an approval where the client ended it before; a used one stays', async () => {
    const unused = start();
    const { state, page } = await unused.ask();
    await unused.decide(page, 'approve');
    expect((await unused.run(answered(state, 'cancel'))).kind).toBe('declined');
    expect(await unused.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect(unused.upstream.sent).toBe(0);

    const used = start();
    const carriedOut = await used.ask();
    await used.decide(carriedOut.page, 'approve');
    expect((await used.run(answered(carriedOut.state))).kind).toBe('done');
    await used.run(answered(carriedOut.state, 'cancel'));
    expect(await used.look(carriedOut.page)).toMatchObject({ decision: 'approve', carried: 'done' });
  });

  it('keeps what was said on its page: a no stays a no, and a yes to what changed since came to nothing', async () => {
    const declined = start();
    const no = await declined.ask();
    await declined.policy.pages.decide(no.page, 'decline');
    expect(await declined.run(answered(no.state))).toMatchObject({
      kind: 'declined',
      error: { message: expect.stringContaining('the user declined it') },
    });
    expect(await declined.look(no.page)).toMatchObject({ decision: 'decline' });

    const priced = (amount_cents: number): CallOptions => ({
      ...{ reading: 'read', known: { name: 'Setup fee', code: 'setup', amount_currency: 'USD', amount_cents } },
    });
    const stale = start();
    const yes = await stale.ask(priced(100_000));
    await stale.policy.pages.decide(yes.page, 'approve');
    const anew = await stale.askWith(answered(yes.state), priced(90_000));
    expect(await stale.look(yes.page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect((await stale.look(anew.page))!.approval.warnings[0]).toMatch(/^The record changed since/);
    await stale.policy.pages.decide(anew.page, 'approve');
    expect((await stale.run(answered(anew.state), priced(90_000))).kind).toBe('done');
    expect(declined.upstream.sent + stale.upstream.sent).toBe(1);
  });

  it('stands as it was looked up, whatever is decided later', async () => {
    const { stores, ask, decide, look } = start();
    const { page } = await ask();
    const before = await look(page);
    await decide(page, 'approve');
    await stores.approvals.carried(page, 'done');
    expect(Object.keys(before!)).toEqual(['approval']);
    await stores.approvals.carried('A'.repeat(22), 'done');
    expect(await look('A'.repeat(22))).toBeUndefined();
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
    expect(await silent.code(answered((await silent.ask()).state))).toBe('confirmation_unavailable');
    const lost = start({ approvals: { ...approvals, look: async () => undefined } });
    expect(await lost.code(answered((await lost.ask()).state))).toBe('confirmation_unknown');
    const full = start({ approvals: { ...approvals, open: down } });
    expect(await full.code(canBeAsked)).toBe('confirmation_unavailable');
  });
});

describe('the wait for a decision', () => {
  const waiting = async (holdMs: number, more: ApprovalWait = {}) => {
    const parts = start();
    const { state, page } = await parts.ask({ now: new Date() });
    let over = false;
    const wait = parts.policy.untilDecided(opens(answered(state), holdMs), more).then(() => {
      over = true;
    });
    return { ...parts, page, wait, isOver: () => over };
  };

  it('ends with the decision, with the client, and with the server', async () => {
    const decided = await waiting(limitMs);
    await decided.decide(decided.page, 'decline');
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
