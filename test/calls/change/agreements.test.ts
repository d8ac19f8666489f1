/** What somebody agreed to and nothing came of: on record, and told when the same is asked again. */
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/calls/change/ask/signed-state.ts';
import { memoryStores, type WriteStores } from '../../../src/calls/change/ask/write-stores.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import type { ClientAbilities } from '../../../src/definition/asking.ts';
import { Cancel } from '../../../src/server/fast/cancel.ts';
import type { Config } from '../../../src/server/settings/settings.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  codeOf,
  countingSend,
  memoryLog,
  policyWith,
  type Send,
  showing,
  writeCall,
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

function start(settings: Partial<Config> = {}, more: Partial<WriteStores> = {}) {
  const stores = { ...memoryStores(), ...more };
  const audit = memoryLog();
  const policy = policyWith({ confirm: 'always', ...settings }, { stores, audit });
  const upstream = countingSend();
  const call = (client: ClientAbilities, options: CallOptions = {}, send: Send = upstream.send) =>
    policy.carryOut(writeCall({ client, ...options }), send);
  const ask = async (client: ClientAbilities, options: CallOptions = {}) => {
    const outcome = await call(client, options);
    if (outcome.kind !== 'ask') throw new Error(codeOf(outcome));
    return outcome;
  };
  const approved = async (options: CallOptions = {}) => {
    const { state, page } = await ask(opens, options);
    expect(await policy.pages.decide(page!, 'approve')).toBe('approve');
    return { state, page: page! };
  };
  const events = () => audit.lines.map(({ event }) => event);
  return { stores, audit, policy, upstream, call, ask, approved, events };
}

describe('a call that was cancelled after the yes', () => {
  it('sends nothing, and has a line that it was agreed to', async () => {
    const { ask, call, audit, events, upstream } = start();
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
  });

  it('is told of in the next question about the same, and in no other', async () => {
    const { ask, call } = start();
    const { state } = await ask(canBeAsked);
    await call(answered(state), { signal: cancelled });
    expect((await ask(canBeAsked)).message).toMatch(told);
    for (const other of [{ args: { code: 'setup', amount_cents: 1 } }, { caller: 'eve' }, { key: 'another-account' }])
      expect((await ask(canBeAsked, other)).message).not.toContain('agreed');
  });

  it('is told of on a page and with a token too', async () => {
    const { ask, call, stores } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    const { page } = await ask(opens);
    expect((await stores.approvals.look(page!))!.approval.warnings[0]).toMatch(told);
    expect(await call(cannotBeAsked)).toMatchObject({ kind: 'needs_token', changed: expect.stringMatching(told) });
  });

  it('is told of until the write is carried out', async () => {
    const { ask, call, upstream } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    const { state, message } = await ask(canBeAsked);
    expect(message).toMatch(told);
    expect((await call(answered(state))).kind).toBe('done');
    expect((await ask(canBeAsked)).message).not.toContain('agreed');
    expect(upstream.sent).toBe(1);
  });

  it('is told of after a no as well: it was agreed to once, and not carried out', async () => {
    const { ask, call } = start();
    await call(answered((await ask(canBeAsked)).state), { signal: cancelled });
    await call(answered((await ask(canBeAsked)).state, 'accept', { answer: 'no' }));
    expect((await ask(canBeAsked)).message).toMatch(told);
  });

  it('has used up its answer', async () => {
    const { ask, call, upstream } = start();
    const { state } = await ask(canBeAsked);
    await call(answered(state), { signal: cancelled });
    expect(codeOf(await call(answered(state)))).toBe('confirmation_used');
    expect(upstream.sent).toBe(0);
  });

  it('names the button where that was pressed; a token shows nobody’s agreement', async () => {
    const byButton = start();
    const shown = await byButton.call(showing('buttons'));
    if (shown.kind !== 'needs_token') throw new Error(shown.kind);
    const decided = { decision: 'approve', confirmation: shown.confirmation } as const;
    expect(codeOf(await byButton.call(showing('buttons'), { decided, signal: cancelled }))).toBe('cancelled');
    expect(byButton.audit.lines).toMatchObject([{ event: 'agreed', decision: 'page' }, { event: 'refused' }]);
    expect((await byButton.ask(canBeAsked)).message).toMatch(told);

    const byToken = start();
    const given = await byToken.call(cannotBeAsked);
    if (given.kind !== 'needs_token') throw new Error(given.kind);
    const { confirmation } = given;
    expect(codeOf(await byToken.call(cannotBeAsked, { confirmation, signal: cancelled }))).toBe('cancelled');
    expect(byToken.events()).toEqual(['refused']);
    expect((await byToken.ask(canBeAsked)).message).not.toContain('agreed');
    expect(byButton.upstream.sent + byToken.upstream.sent).toBe(0);
  });

  it('or whose question had expired by then has a line and is told of too', async () => {
    const { ask, call, events } = start();
    const asked = new Date('2026-03-15T12:00:00Z');
    const { state } = await ask(canBeAsked, { now: asked });
    const late = new Date(asked.getTime() + 601_000);
    expect(codeOf(await call(answered(state), { now: late }))).toBe('confirmation_expired');
    expect(events()).toEqual(['agreed', 'refused']);
    expect((await ask(canBeAsked)).message).toMatch(told);
  });

  it('leaves no agreement after a no, a decline or an empty acceptance', async () => {
    for (const [action, content] of [['accept', { answer: 'no' }], ['decline'], ['accept', {}]] as const) {
      const { ask, call, events } = start();
      await call(answered((await ask(canBeAsked)).state, action, content), { signal: cancelled });
      expect(events()).toEqual(['refused']);
      expect((await ask(canBeAsked)).message).not.toContain('agreed');
    }
  });
});

describe('an approval on a page', () => {
  const answer = { status: null, message: 'm', hint: 'h' };

  it('is on record at once; what comes of it has the same id', async () => {
    const { approved, call, audit, events } = start();
    const { state, page } = await approved();
    expect(events()).toEqual(['agreed']);
    expect((await call(opened(state))).kind).toBe('done');
    expect(events()).toEqual(['agreed', 'begun', 'completed']);
    expect(audit.lines.map(({ id }) => id)).toEqual([page, page, page]);
    expect(audit.lines[0]).toMatchObject({ decision: 'link', caller: 'ada', target: 'add_on setup' });
  });

  it('is on record once, and a no not at all', async () => {
    const { approved, ask, policy, events } = start();
    const { page } = await approved();
    for (const again of ['approve', 'decline'] as const) await policy.pages.decide(page, again);
    expect(events()).toEqual(['agreed']);
    const declined = (await ask(opens, { caller: 'eve' })).page!;
    expect(await policy.pages.decide(declined, 'decline')).toBe('decline');
    expect(await policy.pages.decide(declined, 'approve')).toBe('decline');
    expect(await policy.pages.decide('A'.repeat(22), 'approve')).toBeUndefined();
    expect(events()).toEqual(['agreed']);
  });

  it('that no call takes up is told of in the next question about the same', async () => {
    const { approved, ask, stores } = start();
    await approved();
    expect((await ask(canBeAsked)).message).toMatch(told);
    expect((await ask(canBeAsked, { args: { code: 'setup', amount_cents: 1 } })).message).not.toContain('agreed');
    const { page } = await ask(opens);
    expect((await stores.approvals.look(page!))!.approval.warnings[0]).toMatch(told);
  });

  it('is told of no more once its call, or another with the same arguments, was carried out', async () => {
    for (const client of [opens, canBeAsked]) {
      const { approved, ask, call, policy } = start();
      const { state } = await approved();
      if (client === opens) await call(opened(state));
      else await call(answered((await ask(canBeAsked)).state));
      const { page } = await ask(opens);
      expect(JSON.stringify(await policy.pages.look(page!))).not.toContain('agreed');
    }
  });

  it('whose call was cancelled is on record once, and its page does not wait for it', async () => {
    const { approved, call, events, stores, ask } = start();
    const { state, page } = await approved();
    expect(codeOf(await call(opened(state), { signal: cancelled }))).toBe('cancelled');
    expect(events()).toEqual(['agreed', 'refused']);
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect((await ask(canBeAsked)).message).toMatch(told);
  });

  it('is not denied while it is being carried out', async () => {
    const { approved, call, ask, stores } = start();
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
    expect(await stores.approvals.look(page)).toMatchObject({ carried: 'sending' });
    expect((await ask(canBeAsked)).message).not.toContain('agreed');
    end(await countingSend().send());
    expect((await under).kind).toBe('done');
    expect(await stores.approvals.look(page)).toMatchObject({ carried: 'done' });
  });

  it('counts no more once a further question has said that nothing came of it', async () => {
    const { approved, ask, call, stores, upstream } = start();
    const { state, page } = await approved();
    const further = await ask(canBeAsked);
    expect(further.message).toMatch(told);
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect((await call(answered(further.state))).kind).toBe('done');
    expect(codeOf(await call(opened(state)))).toBe('confirmation_used');
    expect(upstream.sent).toBe(1);
  });

  it('is told of where its call was cancelled before anything was sent, and its page says so', async () => {
    const { approved, call, ask, stores } = start();
    const { state, page } = await approved();
    const error = { ...answer, code: 'cancelled', changed: false } as const;
    const unsent: Send = async () => ({ ok: false, error, requestId: 'u', attempts: 0 });
    expect((await call(opened(state), {}, unsent)).kind).toBe('failed');
    expect(await stores.approvals.look(page)).toMatchObject({ carried: 'refused' });
    expect((await ask(canBeAsked)).message).toMatch(told);
  });

  it('that a limit ends is used up, and its page says so', async () => {
    const waits = [0, 5000];
    const window = { wait: async () => waits.shift() ?? 0, take: async () => 0 };
    const { approved, call, stores, upstream } = start({}, { window });
    const { state, page } = await approved();
    expect(codeOf(await call(opened(state)))).toBe('write_budget');
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect(codeOf(await call(opened(state)))).toBe('confirmation_used');
    expect(upstream.sent).toBe(0);
  });

  it('stays as it was decided where the host ends its question afterwards', async () => {
    const { approved, call, stores } = start();
    const { state, page } = await approved();
    expect(codeOf(await call(answered(state, 'cancel', {}, opens)))).toBe('cancelled');
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
  });

  const sends: [string, Send, outcome: string][] = [
    ['done', countingSend().send, 'done'],
    [
      'failed',
      async () => ({ ok: false, error: { ...answer, code: 'http_422', changed: false }, requestId: 'u', attempts: 1 }),
      'failed',
    ],
    [
      'unknown',
      async () => ({
        ok: false,
        error: { ...answer, code: 'timeout', changed: 'unknown' },
        requestId: 'u',
        attempts: 1,
      }),
      'failed',
    ],
  ];
  it.each(sends)('says on its page what came of it: %s', async (carried, send, outcome) => {
    const { approved, call, stores, ask } = start();
    const { state, page } = await approved();
    expect((await call(opened(state), {}, send)).kind).toBe(outcome);
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried });
    expect((await ask(canBeAsked)).message).not.toContain('agreed');
  });

  it('says on its page that it was refused, and stays an agreement', async () => {
    const window = { wait: async () => 0, take: async () => 5000 };
    const { approved, call, stores, ask, upstream, events } = start({}, { window });
    const { state, page } = await approved();
    expect(codeOf(await call(opened(state)))).toBe('write_budget');
    expect(await stores.approvals.look(page)).toMatchObject({ decision: 'approve', carried: 'refused' });
    expect((await ask(canBeAsked)).message).toMatch(told);
    expect(events()).toEqual(['agreed', 'refused']);
    expect(upstream.sent).toBe(0);
  });

  it('is closed, and told of later, where the wait for it had ended before', async () => {
    const { ask, call, policy, stores } = start();
    const { state, page } = await ask(opens);
    const reply = { action: 'unanswered', reason: 'the wait ended', late: true } as const;
    expect(codeOf(await call({ ...opens, state, reply }))).toBe('question_unanswered');
    expect(await policy.pages.decide(page!, 'approve')).toBe('closed');
    expect(await stores.approvals.look(page!)).toMatchObject({ decision: 'closed' });
    expect((await ask(canBeAsked)).message).not.toContain('agreed');
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
        const { ask, call, upstream } = start({}, { window });
        const { state } = await ask(canBeAsked);
        expect(codeOf(await call(answered(state, action, content), options))).toBe(code);
        waits[0] = 0;
        expect(codeOf(await call(answered(state)))).toBe('confirmation_used');
        expect(upstream.sent).toBe(0);
      }
    },
  );
});

describe('a store of agreements', () => {
  const down = () => Promise.reject(new Error('redis is down'));

  it('that does not answer keeps nobody from asking and agreeing', async () => {
    const agreements = { keep: down, find: down, drop: async () => {} };
    const { approved, call, upstream, events } = start({}, { agreements });
    const { state } = await approved();
    expect((await call(opened(state))).kind).toBe('done');
    expect(upstream.sent).toBe(1);
    expect(events()).toEqual(['agreed', 'begun', 'completed']);
  });

  it('that cannot forget an agreement keeps the write from being sent: the next question would deny it', async () => {
    const agreements = { ...memoryStores().agreements, drop: down };
    const { approved, call, upstream } = start({}, { agreements });
    const { state } = await approved();
    expect(codeOf(await call(opened(state)))).toBe('confirmation_unavailable');
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
