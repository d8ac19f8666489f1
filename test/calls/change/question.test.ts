/** What the user agreed to, in whichever way: for which call that is valid, how long, and that it works once. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { canonicalJson, pageIdOf } from '../../../src/calls/change/ask/signed-state.ts';
import { memoryStores, type SpentTokens } from '../../../src/calls/change/ask/write-stores.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import type { Era } from '../../support/settings.ts';
import { type CountingUpstream, startCountingUpstream } from './counting-upstream.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  policyWith,
  serverWith,
  showing,
  type TestServer,
} from './support.ts';
import { onRetry } from './tamper.ts';

const start = Date.parse('2026-03-15T12:00:00Z');
const later = (minutes: number) => new Date(start + minutes * 60_000);
const always = (more: Parameters<typeof serverWith>[1] = {}) => serverWith({ confirm: 'always' }, more);
const opens = showing('url');

const used = 'so it may already have been used';
/** Lets a server ask; gives what a call that agrees brings. `told`: why no other server takes it. */
const ways: Record<string, { told: string; agree: (server: TestServer) => Promise<CallOptions> }> = {
  form: { told: used, agree: async ({ ask }) => ({ client: answered((await ask()).state) }) },
  page: {
    told: 'prompt of another server',
    agree: async ({ ask, policy }) => {
      const { state, page } = await ask(opens);
      await policy.pages.decide(page, 'approve');
      return { client: answered(state, 'accept', {}, opens) };
    },
  },
  token: { told: used, agree: async ({ offer }) => ({ confirmation: (await offer()).confirmation }) },
  buttons: {
    told: used,
    agree: async ({ offer }) => ({
      decided: { decision: 'approve', confirmation: (await offer(showing('buttons'))).confirmation },
    }),
  },
};
const agreeing = async (server: TestServer, agreed: CallOptions, more: CallOptions = {}) =>
  server.ended(undefined, { ...agreed, ...more });

describe.each(Object.entries(ways))('an agreement by %s', (_way, { told, agree }) => {
  const cases: [string, CallOptions, string][] = [
    ['other arguments', { args: { code: 'setup', amount_cents: 125_001 } }, 'confirmation_mismatch'],
    ['one argument more', { args: { code: 'setup', amount_cents: 125_000, name: 'x' } }, 'confirmation_mismatch'],
    ['another caller', { caller: 'bob' }, 'confirmation_mismatch'],
    ['another account', { key: 'key-of-another-account' }, 'confirmation_mismatch'],
    ['an answer after ten minutes', { now: later(10) }, 'confirmation_expired'],
  ];
  it.each(cases)('is not valid for %s, and stays valid for what was asked', async (_what, changed, code) => {
    const server = always();
    const agreed = await agree(server);
    expect(await server.call(undefined, { ...agreed, ...changed })).toMatchObject({
      ...{ kind: 'refused', error: { code, changed: false } },
    });
    expect(server.upstream.sent).toBe(0);
    expect(await agreeing(server, agreed)).toBe('done');
  });

  it('works once, even when two calls arrive together', async () => {
    const server = always();
    const agreed = await agree(server);
    const both = await Promise.all([1, 2].map(() => agreeing(server, agreed, { now: later(9) })));
    expect(both.sort()).toEqual(['confirmation_used', 'done']);
    expect(server.upstream.sent).toBe(1);
  });

  it('is remembered as long as it could be used again', async () => {
    let now = start;
    const server = always({ stores: memoryStores(() => now) });
    const agreed = await agree(server);
    const codes = [];
    for (const passed of [0, 2, 5, 9, 9.99, 10]) {
      now = later(passed).getTime();
      codes.push(await agreeing(server, agreed, { now: new Date(now) }));
    }
    expect(codes).toEqual(['done', ...Array(4).fill('confirmation_used'), 'confirmation_expired']);
    expect(server.upstream.sent).toBe(1);
  });

  it('is refused after a restart with the same state key, and by another server without Redis', async () => {
    const [one, other] = [always(), always()];
    const agreed = await agree(one);
    expect(await agreeing(other, agreed)).toBe('confirmation_unknown');
    expect(await agreeing(one, agreed)).toBe('done');
    expect(await always().call(undefined, agreed)).toMatchObject({
      kind: 'refused',
      error: {
        code: 'confirmation_unknown',
        message: expect.stringContaining(told),
        hint: expect.stringMatching(/Nothing was sent.*new prompt/),
        changed: false,
      },
    });
    expect(one.upstream.sent + other.upstream.sent).toBe(1);
  });

  it('is used up also on a machine whose clock is behind', async () => {
    let clock = start;
    const machine = always({ stores: memoryStores(() => clock) });
    const agreed = await agree(machine);
    expect(await agreeing(machine, agreed, { now: later(9) })).toBe('done');
    clock = later(9).getTime();
    expect(await agreeing(machine, agreed, { now: later(9) })).toBe('confirmation_used');
    expect(machine.upstream.sent).toBe(1);
  });
});

describe('an answer', () => {
  it('is invalid when tampered with, left out, or signed by another key', async () => {
    const { ask, ended, upstream } = serverWith();
    const { state } = await ask();
    const [version, body, signature] = state.split('.') as [string, string, string];
    const longer = JSON.parse(Buffer.from(body, 'base64url').toString());
    longer.e += 3_600_000;
    const stretched = Buffer.from(JSON.stringify(longer)).toString('base64url');
    const foreign = await serverWith({}, { stateKey: new Uint8Array(32).fill(8) }).ask();
    const forged = [
      ...[undefined, '', 'v1', `${version}.${stretched}.${signature}`, `${version}.${body}.${signature.slice(0, -1)}`],
      ...[`v2.${body}.${signature}`, `${state}.x`, foreign.state, 'x'.repeat(1_000_000)],
    ];
    for (const wrong of forged) expect(await ended(answered(wrong))).toBe('confirmation_invalid');
    expect(upstream.sent).toBe(0);
  });

  it('is invalid with a single letter changed', async () => {
    const { ask, ended, upstream } = serverWith();
    const { state } = await ask();
    for (let index = 0; index < state.length; index++) {
      const letter = state[index] === 'A' ? 'B' : 'A';
      const changed = state.slice(0, index) + letter + state.slice(index + 1);
      expect(await ended(answered(changed))).toBe('confirmation_invalid');
    }
    expect(upstream.sent).toBe(0);
  });

  it('is no made-up token, where a question could be put instead', async () => {
    const { ended, upstream } = always();
    expect(await ended(canBeAsked, { confirmation: 'v1.made.up' })).toBe('confirmation_invalid');
    expect(upstream.sent).toBe(0);
  });

  it('is refused when the store of spent confirmations does not answer, before and after the question', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const window = { wait: async () => 0, take: async () => 0 };
    const failing = (spent: SpentTokens) => always({ stores: { ...memoryStores(), spent, window } });
    const after = failing({ mark: async () => 'a', spend: down });
    const before = failing({ mark: down, spend: down });
    const { confirmation } = await after.offer();
    expect([
      await after.ended(cannotBeAsked, { confirmation }),
      await before.ended(canBeAsked),
      await before.ended(cannotBeAsked),
    ]).toEqual(Array(3).fill('confirmation_unavailable'));
    expect(after.upstream.sent + before.upstream.sent).toBe(0);
  });
});

it('a key of fewer than 32 bytes is refused', () => {
  expect(() => policyWith({}, { stateKey: new Uint8Array(31) })).toThrow('32 bytes');
});

it('the page of a link has an ID of 16 bytes, as one of a form has, and not that of its token', () => {
  const key = new Uint8Array(32).fill(7);
  for (const id of ['A'.repeat(22), ...Array.from({ length: 20 }, (_, at) => `question-${at}`)]) {
    const page = pageIdOf({ id, route: 'link' }, { key });
    expect(page).toMatch(/^[\w-]{21}[AQgw]$/);
    expect(Buffer.from(page, 'base64url').toString('base64url')).toBe(page);
    expect([page === id, pageIdOf({ id, route: 'url' }, { key })]).toEqual([false, id]);
  }
});

it('arguments in another order are the same arguments', () => {
  expect(canonicalJson({ b: [{ y: 1, x: null }], a: undefined })).toBe(
    canonicalJson({ a: undefined, b: [{ x: null, y: 1 }] }),
  );
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }));
});

describe('a record that changes between the question and its answer', () => {
  const priced = (amount_cents: number, more: CallOptions = {}): CallOptions => ({
    ...{ reading: 'read', known: { name: 'Setup fee', code: 'setup', amount_currency: 'USD', amount_cents } },
    ...more,
  });

  it('is asked about anew, with what changed, and sent once the new question is accepted', async () => {
    const { ask, ended, upstream } = serverWith();
    const first = await ask(canBeAsked, priced(100_000));
    const second = await ask(answered(first.state), priced(90_000));
    expect(second.message).toMatch(/^The record changed.*\(price\)/);
    expect(second.message).toContain('from $900.00 to $1,250.00');
    expect(upstream.sent).toBe(0);
    expect(await ended(answered(second.state), priced(90_000))).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('is not written where it was seen when the question was put, and cannot be now', async () => {
    const { ask, call, ended } = serverWith();
    const { state } = await ask(canBeAsked, priced(100_000));
    expect(await call(answered(state), priced(100_000, { reading: 'unreadable' }))).toMatchObject({
      ...{ kind: 'refused', error: { code: 'record_unseen', changed: false } },
    });
    // The yes is used up, and told of with the next question.
    expect(await ended(answered(state), priced(100_000))).toBe('confirmation_used');
    expect((await ask(canBeAsked, priced(100_000))).message).toMatch(/^This was already approved .+/);
  });

  it('is the same where only a field changed that nobody was shown', async () => {
    const { ask, ended } = serverWith();
    const { state } = await ask(canBeAsked, priced(100_000));
    const known = { ...priced(100_000).known, description: 'other words' };
    expect(await ended(answered(state), { ...priced(1), known })).toBe('done');
  });
});

describe('over the protocol, after a restart with the same BILLING_STATE_KEY,', () => {
  let upstream: CountingUpstream;
  beforeAll(async () => {
    upstream = await startCountingUpstream();
  });
  afterAll(() => upstream.close());
  const args = { code: 'setup', name: 'Setup fee' };
  const server = async (era: Era, asks: boolean) => {
    const runtime = startRuntime(upstream.url, { BILLING_CONFIRM: 'always' });
    const client = await connectClient(runtime, era, asks);
    onTestFinished(async () => {
      await client.close();
      await runtime.close();
    });
    return client;
  };

  it.each([
    ['token', '2025-11-25'],
    ['token', '2026-07-28'],
    ['answer', '2026-07-28'],
  ] as const)('a used %s writes nothing more in %s', async (what, era) => {
    const before = await server(era, what === 'answer');
    let [agreed, state]: [JsonRecord, unknown] = [args, undefined];
    if (what === 'token') {
      const { confirmation } = (await before.call('update_add_on', args)).content.confirmation_required as JsonRecord;
      agreed = { ...args, confirmation };
    }
    before.tamper = onRetry(params => {
      state = params.requestState;
    });
    expect((await before.call('update_add_on', agreed)).isError).toBe(false);
    expect(upstream.written()).toBe(1);
    const after = await server(era, what === 'answer');
    after.tamper = onRetry(params => {
      params.requestState = state;
    });
    expect((await after.call('update_add_on', agreed)).content).toMatchObject({
      error: { code: 'confirmation_unknown', changed: false },
    });
    expect([upstream.written(), before.asked.length, typeof state]).toEqual(
      what === 'answer' ? [0, 1, 'string'] : [0, 0, 'undefined'],
    );
  });
});
