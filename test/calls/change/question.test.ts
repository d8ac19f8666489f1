import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/calls/change/ask/signed-state.ts';
import { memoryStores, type SpentTokens } from '../../../src/calls/change/ask/write-stores.ts';
import {
  answered,
  type CallOptions,
  canBeAsked,
  cannotBeAsked,
  codeOf,
  countingSend,
  policyWith,
  writeCall,
} from './support.ts';

const later = (minutes: number) => new Date(Date.parse('2026-03-15T12:00:00Z') + minutes * 60_000);

async function ask(policy = policyWith(), options: CallOptions = {}): Promise<{ state: string; message: string }> {
  const outcome = await policy.carryOut(writeCall({ client: canBeAsked, ...options }), countingSend().send);
  if (outcome.kind !== 'ask') throw new Error(outcome.kind);
  return outcome;
}

async function tokenFrom(policy: ReturnType<typeof policyWith>, options: CallOptions = {}): Promise<string> {
  const outcome = await policy.carryOut(writeCall(options), countingSend().send);
  if (outcome.kind !== 'needs_token') throw new Error(outcome.kind);
  return outcome.confirmation;
}

describe('an answer is valid only for what was asked', () => {
  const cases: [string, CallOptions, string][] = [
    ['other arguments', { args: { code: 'setup', amount_cents: 125_001 } }, 'confirmation_mismatch'],
    ['one argument more', { args: { code: 'setup', amount_cents: 125_000, name: 'x' } }, 'confirmation_mismatch'],
    ['another caller', { caller: 'bob' }, 'confirmation_mismatch'],
    ['another account', { key: 'key-of-another-account' }, 'confirmation_mismatch'],
    ['an answer after ten minutes', { now: later(10) }, 'confirmation_expired'],
  ];
  it.each(cases)('a question: %s', async (_what, changed, code) => {
    const policy = policyWith();
    const upstream = countingSend();
    const { state } = await ask(policy);
    const outcome = await policy.carryOut(writeCall({ client: answered(state), ...changed }), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code, changed: false } });
    expect(upstream.sent).toBe(0);
  });

  it.each(cases)('a token: %s', async (_what, changed, code) => {
    const policy = policyWith({ confirm: 'always' });
    const upstream = countingSend();
    const confirmation = await tokenFrom(policy);
    const outcome = await policy.carryOut(writeCall({ confirmation, ...changed }), upstream.send);
    expect(outcome).toMatchObject({ kind: 'refused', error: { code, changed: false } });
    expect(upstream.sent).toBe(0);
  });

  it('is invalid when tampered with, left out, or signed by another key', async () => {
    const policy = policyWith();
    const upstream = countingSend();
    const { state } = await ask(policy);
    const [version, body, signature] = state.split('.') as [string, string, string];
    const longer = JSON.parse(Buffer.from(body, 'base64url').toString());
    longer.e += 3_600_000;
    const stretched = Buffer.from(JSON.stringify(longer)).toString('base64url');
    const foreign = await ask(policyWith({}, { stateKey: new Uint8Array(32).fill(8) }));
    const forged = [
      undefined,
      '',
      'v1',
      `${version}.${stretched}.${signature}`,
      `${version}.${body}.${signature.slice(0, -1)}`,
      `v2.${body}.${signature}`,
      `${state}.x`,
      foreign.state,
      'x'.repeat(1_000_000),
    ];
    for (const wrong of forged) {
      const outcome = await policy.carryOut(writeCall({ client: answered(wrong) }), upstream.send);
      expect(codeOf(outcome)).toBe('confirmation_invalid');
    }
    expect(upstream.sent).toBe(0);
  });

  it('is invalid with a single letter changed', async () => {
    const policy = policyWith();
    const upstream = countingSend();
    const { state } = await ask(policy);
    for (let index = 0; index < state.length; index++) {
      const letter = state[index] === 'A' ? 'B' : 'A';
      const changed = state.slice(0, index) + letter + state.slice(index + 1);
      const outcome = await policy.carryOut(writeCall({ client: answered(changed) }), upstream.send);
      expect(codeOf(outcome)).toBe('confirmation_invalid');
    }
    expect(upstream.sent).toBe(0);
  });

  it('is invalid as a state where a token is expected, and the reverse', async () => {
    const policy = policyWith({ confirm: 'always' });
    const upstream = countingSend();
    const { state } = await ask(policy);
    const confirmation = await tokenFrom(policy);
    expect(codeOf(await policy.carryOut(writeCall({ confirmation: state }), upstream.send))).toBe(
      'confirmation_invalid',
    );
    const swapped = await policy.carryOut(writeCall({ client: answered(confirmation) }), upstream.send);
    expect(codeOf(swapped)).toBe('confirmation_invalid');
    expect(upstream.sent).toBe(0);
  });
});

describe('mode always', () => {
  it('carries out the second call with the token, once, even when two arrive together', async () => {
    const policy = policyWith({ confirm: 'always' });
    const upstream = countingSend();
    const confirmation = await tokenFrom(policy);
    const outcomes = await Promise.all([
      policy.carryOut(writeCall({ confirmation, now: later(9) }), upstream.send),
      policy.carryOut(writeCall({ confirmation, now: later(9) }), upstream.send),
    ]);
    expect(outcomes.map(codeOf).sort()).toEqual(['confirmation_used', 'done']);
    expect(outcomes.find(({ kind }) => kind === 'done')).toMatchObject({ receipt: { confirmed_by: 'token' } });
    expect(upstream.sent).toBe(1);
  });

  it('takes no made-up token instead of asking', async () => {
    const upstream = countingSend();
    const outcome = await policyWith({ confirm: 'always' }).carryOut(
      writeCall({ client: canBeAsked, confirmation: 'v1.made.up' }),
      upstream.send,
    );
    expect(codeOf(outcome)).toBe('confirmation_invalid');
    expect(upstream.sent).toBe(0);
  });

  it('refuses when the store of spent confirmations does not answer, before and after the question', async () => {
    const down = () => Promise.reject(new Error('redis is down'));
    const window = { wait: async () => 0, take: async () => 0 };
    const fails = (spent: SpentTokens) =>
      policyWith({ confirm: 'always' }, { stores: { ...memoryStores(), spent, window } });
    const upstream = countingSend();
    const policy = fails({ mark: async () => 'a', spend: down });
    const confirmation = await tokenFrom(policy);
    const outcomes = [await policy.carryOut(writeCall({ confirmation }), upstream.send)];
    for (const client of [canBeAsked, cannotBeAsked]) {
      outcomes.push(await fails({ mark: down, spend: down }).carryOut(writeCall({ client }), upstream.send));
    }
    expect(outcomes.map(codeOf)).toEqual(Array(3).fill('confirmation_unavailable'));
    expect(upstream.sent).toBe(0);
  });
});

it('a key of fewer than 32 bytes is refused', () => {
  expect(() => policyWith({}, { stateKey: new Uint8Array(31) })).toThrow('32 bytes');
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
  const carryOut = (policy: ReturnType<typeof policyWith>, options: CallOptions, upstream = countingSend()) =>
    policy.carryOut(writeCall(options), upstream.send);

  it('is asked about anew, with what changed, and sent once the new question is accepted', async () => {
    const policy = policyWith();
    const upstream = countingSend();
    const first = await ask(policy, priced(100_000));
    const second = await carryOut(policy, priced(90_000, { client: answered(first.state) }), upstream);
    if (second.kind !== 'ask') throw new Error(second.kind);
    expect(second.message).toMatch(/^The record changed.*\(price\)/);
    expect(second.message).toContain('from $900.00 to $1,250.00');
    expect(upstream.sent).toBe(0);
    const last = await carryOut(policy, priced(90_000, { client: answered(second.state) }), upstream);
    expect(last.kind).toBe('done');
    expect(upstream.sent).toBe(1);
  });

  it('is not written where it was seen when the question was put, and cannot be now', async () => {
    const policy = policyWith();
    const first = await ask(policy, priced(100_000));
    const outcome = await carryOut(policy, priced(100_000, { reading: 'unreadable', client: answered(first.state) }));
    expect(outcome).toMatchObject({ kind: 'refused', error: { code: 'record_unseen', changed: false } });
    // The yes is used up, and told of with the next question.
    const again = await carryOut(policy, priced(100_000, { client: answered(first.state) }));
    expect(codeOf(again)).toBe('confirmation_used');
    expect((await ask(policy, priced(100_000))).message).toMatch(/^This was already approved .+/);
  });

  it('is the same where only a field changed that nobody was shown', async () => {
    const policy = policyWith();
    const first = await ask(policy, priced(100_000));
    const known = { ...priced(100_000).known, description: 'other words' };
    expect((await carryOut(policy, { ...priced(1), known, client: answered(first.state) })).kind).toBe('done');
  });
});
