/** What somebody agreed to and nothing came of: on record, and told when the same is asked again. */
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/calls/change/ask/signed-state.ts';
import { memoryStores, type WriteStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import type { Changed } from '../../../src/definition/refusals/refusal.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import { serviceError } from '../../support/service-error.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  codeOf,
  countingSend,
  memoryLog,
  type Send,
  serverWith,
  showing,
  silent,
} from './support.ts';

const cancelled = (() => {
  const cancel = new Cancel();
  cancel.abort();
  return cancel;
})();
const told =
  /^This was already approved \(\d+ \w+ \d{4},? \d\d:\d\d UTC\), but it was not carried out\. Decide again\./;
const opens = showing('url');
/** The client says that its page is open. */
const opened = (state: string) => answered(state, 'accept', {}, opens);

function start(more: Partial<WriteStores> = {}) {
  const stores = { ...memoryStores(), ...more };
  const audit = memoryLog();
  const server = serverWith({ confirm: 'always' }, { stores, audit });
  const approved = async () => {
    const { state, page } = await server.ask(opens);
    expect(await server.policy.pages.decide(page, 'approve')).toBe('approve');
    return { state, page };
  };
  const events = () => audit.lines.map(({ event }) => event);
  /** Does the next question say that this was approved before? */
  const nextIsTold = async (options: CallOptions = {}) => told.test((await server.ask(canBeAsked, options)).message);
  return { ...server, stores, audit, approved, events, nextIsTold, look: stores.approvals.look };
}

describe('a call that was cancelled after the yes', () => {
  it('sends nothing, has a line that it was agreed to, and has used up its answer', async () => {
    const { ask, call, ended, upstream, audit, events } = start();
    const { state, message } = await ask(canBeAsked);
    const outcome = await call(answered(state), { signal: cancelled });
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'cancelled', changed: false } });
    expect(upstream.sent).toBe(0);
    expect(audit.lines[0]).toEqual({
      ...{ event: 'agreed', decision: 'person', tool: 'update_add_on', caller: 'ada', target: 'add_on setup' },
      ...{ id: expect.stringMatching(/^[\w-]{22}$/), time: expect.any(String) },
      ...{ question: digestOf(message), settings: '' },
    });
    expect(events()).toEqual(['agreed', 'refused']);
    expect(await ended(answered(state))).toBe('confirmation_used');
    expect(upstream.sent).toBe(0);
  });

  it('is told of in the next question about the same, and in no other', async () => {
    const { ask, call, nextIsTold } = start();
    const { state } = await ask(canBeAsked);
    await call(answered(state), { signal: cancelled });
    expect(await nextIsTold()).toBe(true);
    for (const other of [{ args: { code: 'setup', amount_cents: 1 } }, { caller: 'eve' }, { key: 'another-account' }])
      expect(await nextIsTold(other)).toBe(false);
  });

  it('is told of on a page and with a token too', async () => {
    const { ask, call, look } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    const { page } = await ask(opens);
    expect((await look(page))!.approval.warnings[0]).toMatch(told);
    expect(await call(cannotBeAsked)).toMatchObject({ kind: 'needs_token', changed: expect.stringMatching(told) });
  });

  it('is told of until the write is carried out', async () => {
    const { ask, call, ended, upstream, nextIsTold } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    const { state, message } = await ask(canBeAsked);
    expect(message).toMatch(told);
    expect(await ended(answered(state))).toBe('done');
    expect(await nextIsTold()).toBe(false);
    expect(upstream.sent).toBe(1);
  });

  it('is told of after a no as well: it was agreed to once, and not carried out', async () => {
    const { ask, call, nextIsTold } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    await call(answered((await ask(canBeAsked)).state, 'accept', { answer: 'no' }));
    expect(await nextIsTold()).toBe(true);
  });

  it('names the button where that was pressed; a token shows nobody’s agreement', async () => {
    const byButton = start();
    const { confirmation: shown } = await byButton.offer(showing('buttons'));
    const decided = { decision: 'approve', confirmation: shown } as const;
    expect(await byButton.ended(showing('buttons'), { decided, signal: cancelled })).toBe('cancelled');
    expect(byButton.audit.lines).toMatchObject([{ event: 'agreed', decision: 'page' }, { event: 'refused' }]);
    expect(await byButton.nextIsTold()).toBe(true);

    const byToken = start();
    const { confirmation } = await byToken.offer();
    expect(await byToken.ended(undefined, { confirmation, signal: cancelled })).toBe('cancelled');
    expect(byToken.events()).toEqual(['refused']);
    expect(await byToken.nextIsTold()).toBe(false);
    expect(byButton.upstream.sent + byToken.upstream.sent).toBe(0);
  });

  it('or whose question had expired by then has a line and is told of too', async () => {
    const { ask, ended, events, nextIsTold } = start();
    const asked = new Date('2026-03-15T12:00:00Z');
    const { state } = await ask(canBeAsked, { now: asked });
    const late = new Date(asked.getTime() + 601_000);
    expect(await ended(answered(state), { now: late })).toBe('confirmation_expired');
    expect(events()).toEqual(['agreed', 'refused']);
    expect(await nextIsTold()).toBe(true);
  });

  it('leaves no agreement after a no, a decline or an empty acceptance', async () => {
    for (const [action, content] of [['accept', { answer: 'no' }], ['decline'], ['accept', {}]] as const) {
      const { ask, call, events, nextIsTold } = start();
      await call(answered((await ask(canBeAsked)).state, action, content), { signal: cancelled });
      expect(events()).toEqual(['refused']);
      expect(await nextIsTold()).toBe(false);
    }
  });
});

describe('an approval on a page', () => {
  const failing =
    (code: string, changed: Changed, attempts = 1): Send =>
    async () => ({ ok: false, error: serviceError(code, 422, changed), requestId: 'u', attempts });

  it('is on record at once; what comes of it has the same id', async () => {
    const { approved, ended, audit, events } = start();
    const { state, page } = await approved();
    expect(events()).toEqual(['agreed']);
    expect(await ended(opened(state))).toBe('done');
    expect(events()).toEqual(['agreed', 'begun', 'completed']);
    expect(audit.lines.map(({ id }) => id)).toEqual([page, page, page]);
    expect(audit.lines[0]).toMatchObject({ decision: 'link', caller: 'ada', target: 'add_on setup' });
  });

  it('is on record once, and a no not at all', async () => {
    const { approved, ask, policy, events } = start();
    const { page } = await approved();
    for (const again of ['approve', 'decline'] as const) await policy.pages.decide(page, again);
    expect(events()).toEqual(['agreed']);
    const declined = (await ask(opens, { caller: 'eve' })).page;
    expect(await policy.pages.decide(declined, 'decline')).toBe('decline');
    expect(await policy.pages.decide(declined, 'approve')).toBe('decline');
    expect(await policy.pages.decide('A'.repeat(22), 'approve')).toBeUndefined();
    expect(events()).toEqual(['agreed']);
  });

  it('that no call takes up is told of in the next question about the same', async () => {
    const { approved, ask, look, nextIsTold } = start();
    await approved();
    expect(await nextIsTold()).toBe(true);
    expect(await nextIsTold({ args: { code: 'setup', amount_cents: 1 } })).toBe(false);
    const { page } = await ask(opens);
    expect((await look(page))!.approval.warnings[0]).toMatch(told);
  });

  it('is told of no more once its call, or another with the same arguments, was carried out', async () => {
    for (const client of [opens, canBeAsked]) {
      const { approved, ask, call, look } = start();
      const { state } = await approved();
      if (client === opens) await call(opened(state));
      else await call(answered((await ask(canBeAsked)).state));
      const { page } = await ask(opens);
      expect((await look(page))!.approval.warnings.join()).not.toContain('already approved');
    }
  });

  it('is not denied while it is being carried out', async () => {
    const { approved, call, look, nextIsTold } = start();
    const { state, page } = await approved();
    let arrived = () => {};
    const sending = new Promise<void>(resolve => {
      arrived = resolve;
    });
    let end = (_: UpstreamAnswer) => {};
    const under = call(opened(state), {}, () => {
      arrived();
      return new Promise(resolve => {
        end = resolve;
      });
    });
    await sending;
    expect(await look(page)).toMatchObject({ carried: 'sending' });
    expect(await nextIsTold()).toBe(false);
    end(await countingSend().send());
    expect(codeOf(await under)).toBe('done');
    expect(await look(page)).toMatchObject({ carried: 'done' });
  });

  it('counts no more once a further question has said that nothing came of it', async () => {
    const { approved, ask, ended, upstream, look } = start();
    const { state, page } = await approved();
    const further = await ask(canBeAsked);
    expect(further.message).toMatch(told);
    expect(await look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect(await ended(answered(further.state))).toBe('done');
    expect(await ended(opened(state))).toBe('confirmation_used');
    expect(upstream.sent).toBe(1);
  });

  const sends: [what: string, CallOptions, Send, code: string, carried: string, isTold: boolean, event: string][] = [
    ['that is done', {}, countingSend().send, 'done', 'done', false, 'completed'],
    ['that failed', {}, failing('http_422', false), 'http_422', 'failed', false, 'completed'],
    ['of which nobody knows', {}, failing('timeout', 'unknown'), 'timeout', 'unknown', false, 'completed'],
    ['cancelled before', { signal: cancelled }, countingSend().send, 'cancelled', 'refused', true, 'refused'],
    ['cancelled, and unsent', {}, failing('cancelled', false, 0), 'cancelled', 'refused', true, 'completed'],
  ];
  it.each(sends)(
    'says on its page what came of a write %s; what came to nothing is told of later',
    async (_what, options, send, code, carried, isTold, event) => {
      const { approved, ended, events, look, nextIsTold } = start();
      const { state, page } = await approved();
      expect(await ended(opened(state), options, send)).toBe(code);
      expect(await look(page)).toMatchObject({ decision: 'approve', carried });
      expect(events()).toEqual(['agreed', ...(event === 'completed' ? ['begun'] : []), event]);
      expect(await nextIsTold()).toBe(isTold);
    },
  );

  it.each([
    ['before it is taken', [0, 5000], 0],
    ['as it is taken', [0, 0], 5000],
  ])('that a limit ends %s is used up, and its page says so', async (when, waits, taking) => {
    const window = { wait: async () => waits.shift() ?? 0, take: async () => taking };
    const { approved, ended, upstream, events, look, nextIsTold } = start({ window });
    const { state, page } = await approved();
    expect(await ended(opened(state))).toBe('write_budget');
    expect(await look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect(await ended(opened(state))).toBe('confirmation_used');
    if (when === 'as it is taken') expect(await nextIsTold()).toBe(true);
    expect(events()).toEqual(['agreed', 'refused', 'refused']);
    expect(upstream.sent).toBe(0);
  });

  it('is closed, and not told of later, where the wait for it had ended before', async () => {
    const { ask, ended, policy, look, nextIsTold } = start();
    const { state, page } = await ask(opens);
    expect(await ended(silent(state, true, opens))).toBe('question_unanswered');
    expect(await policy.pages.decide(page, 'approve')).toBe('closed');
    expect(await look(page)).toMatchObject({ decision: 'closed' });
    expect(await nextIsTold()).toBe(false);
  });
});

describe('a no', () => {
  const full = { wait: async () => 5000, take: async () => 5000 };

  it.each([
    ['in the field', 'accept', { answer: 'no' }, 'declined'],
    ['of the host', 'decline', {}, 'declined'],
    ['by closing the question', 'cancel', {}, 'cancelled'],
  ] as const)(
    '%s counts whatever else would end the call, and uses its question up',
    async (_how, action, content, code) => {
      const waits = [0];
      const window = { ...full, wait: async () => waits.shift() ?? 5000 };
      for (const options of [{}, { dryRun: true }]) {
        waits[0] = 0;
        const { ask, ended, upstream } = start({ window });
        const { state } = await ask(canBeAsked);
        expect(await ended(answered(state, action, content), options)).toBe(code);
        waits[0] = 0;
        expect(await ended(answered(state))).toBe('confirmation_used');
        expect(upstream.sent).toBe(0);
      }
    },
  );
});

describe('a store of agreements', () => {
  const down = () => Promise.reject(new Error('redis is down'));

  it('that does not answer keeps nobody from asking and agreeing', async () => {
    const agreements = { keep: down, find: down, drop: async () => {} };
    const { approved, ended, upstream, events } = start({ agreements });
    const { state } = await approved();
    expect(await ended(opened(state))).toBe('done');
    expect(upstream.sent).toBe(1);
    expect(events()).toEqual(['agreed', 'begun', 'completed']);
  });

  it('that cannot forget an agreement keeps the write from being sent: the next question would deny it', async () => {
    const agreements = { ...memoryStores().agreements, drop: down };
    const { approved, ended, upstream } = start({ agreements });
    const { state } = await approved();
    expect(await ended(opened(state))).toBe('confirmation_unavailable');
    expect(upstream.sent).toBe(0);
  });

  it('forgets an agreement after its time, and when it is dropped', async () => {
    let now = 0;
    const { agreements } = memoryStores(() => now);
    await agreements.keep('a', { at: 5 }, 1000);
    await agreements.keep('b', { at: 6 }, 1000);
    await agreements.drop('b');
    now = 999;
    expect([await agreements.find('a'), await agreements.find('b')]).toEqual([{ at: 5 }, undefined]);
    now = 1000;
    expect(await agreements.find('a')).toBeUndefined();
  });

  it('forgets the oldest when it is full; one that is kept anew is young again', async () => {
    const { agreements } = memoryStores();
    for (let i = 0; i < 10_000; i++) await agreements.keep(`write ${i}`, { at: i }, 60_000);
    await agreements.keep('write 0', { at: 1 }, 60_000);
    await agreements.keep('one more', { at: 2 }, 60_000);
    const found = await Promise.all(['write 0', 'write 1', 'write 2', 'one more'].map(agreements.find));
    expect(found).toEqual([{ at: 1 }, undefined, { at: 2 }, { at: 2 }]);
  });
});
