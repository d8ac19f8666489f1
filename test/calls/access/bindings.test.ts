/** Who is bound to which customers. The time is an argument, so that every case is judged at the same instant. */
import { describe, expect, it } from 'vitest';
import { createBindings } from '../../../src/calls/access/customer-bindings.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import { customerKey, customerToken, type TokenOptions, tampered, unsigned } from '../../support/customer-tokens.ts';

const now = new Date('2026-03-15T12:00:00Z');
const at = now.getTime() / 1000;
const desk: Caller = { id: 'token_desk', apiKey: '', scopes: null };
const withKey = () => createBindings({ customer: undefined, customerTokenKey: customerKey });
const judge = async (token: unknown, bindings = withKey()) => {
  const { customers, unbound } = await bindings.boundAskingIssuer(bindings.configured(desk), token, now);
  return unbound ?? customers;
};
const token = (claim: unknown, options: TokenOptions = {}) => customerToken(claim, { expires: at + 300, ...options });

describe('a customer token', () => {
  const cases: [string, () => unknown, unknown][] = [
    ['with one customer', () => token('acme'), ['acme']],
    ['with a list, in any order and twice', () => token(['globex', 'acme', 'acme']), ['acme', 'globex']],
    ['with an empty list, which is nobody', () => token([]), []],
    ['that expired within the tolerance of clocks', () => token('acme', { expires: at - 4 }), ['acme']],
    ['that expires in an hour', () => token('acme', { expires: at + 3600 }), ['acme']],
    ['that has expired', () => token('acme', { expires: at - 6 }), 'expired'],
    ['without an expiry', () => token('acme', { expires: null }), 'no_expiry'],
    ['that is valid for longer than an hour', () => token('acme', { expires: at + 3606 }), 'too_long'],
    ['that is not valid yet', () => token('acme', { notBefore: at + 60 }), 'early'],
    ['without the claim', () => token(undefined), 'claim'],
    ['whose claim is null', () => token(null), 'claim'],
    ['whose claim is a number', () => token(7), 'claim'],
    ['whose claim is an object', () => token({ external_id: 'acme' }), 'claim'],
    ['whose claim is an empty text', () => token(''), 'claim'],
    ['whose list holds an empty text', () => token(['acme', ' ']), 'claim'],
    ['whose list holds a number', () => token(['acme', 7]), 'claim'],
    ['signed with another key', () => token('acme', { key: 'x'.repeat(40) }), 'invalid'],
    [
      'signed with another algorithm of the same key',
      () => token('acme', { alg: 'HS512', key: customerKey }),
      'invalid',
    ],
    ['without a signature', async () => unsigned(await token('acme')), 'invalid'],
    ['with other claims under its signature', async () => tampered(await token('acme'), 'globex'), 'invalid'],
    ['that is no token', () => 'acme', 'invalid'],
    ['that is empty', () => '', 'invalid'],
    ['that is no text', () => ({ token: 'acme' }), 'invalid'],
    ['of more than 8 KiB', () => token(['a'.repeat(9000)]), 'invalid'],
  ];
  it.each(cases)('%s', async (_what, make, expected) => {
    expect(await judge(await make())).toEqual(expected);
  });

  it('that this server has no key for is refused, not ignored', async () => {
    const bindings = createBindings({ customer: undefined, customerTokenKey: undefined });
    expect(await judge(await token('acme'), bindings)).toBe('no_key');
    expect(bindings.configured(desk)).toBe(desk);
  });

  it('that was accepted is judged again at each use', async () => {
    const bindings = withKey();
    const sent = await token('acme');
    const later = async (seconds: number) => {
      const when = new Date((at + seconds) * 1000);
      const { customers, unbound } = await bindings.boundAskingIssuer(bindings.configured(desk), sent, when);
      return unbound ?? customers;
    };
    expect([await later(0), await later(200), await later(304), await later(306), await later(1)]).toEqual([
      ...[['acme'], ['acme'], ['acme']],
      ...['expired', ['acme']],
    ]);
  });

  it('cannot be undone: one that is refused refuses the request, whatever else proves a customer', async () => {
    const bindings = withKey();
    const refused = await bindings.boundAskingIssuer(bindings.configured(desk), 'made up', now);
    const again = await bindings.boundAskingIssuer(refused, await token('acme'), now);
    expect([again.unbound, again.customers, again.id]).toEqual(['invalid', [], 'token_desk']);
    const bound = await bindings.boundAskingIssuer(bindings.configured(desk), await token('acme'), now);
    expect((await bindings.boundAskingIssuer(bound, 'made up', now)).unbound).toBe('invalid');
  });
});

describe('where a binding is required', () => {
  const required = [
    ['by a token key', withKey()],
    ['by the word', createBindings({ customer: ['required'], customerTokenKey: undefined })],
    [
      'by a token key beside configured customers',
      createBindings({ customer: ['acme'], customerTokenKey: customerKey }),
    ],
  ] as const;
  it.each(required)('%s, a caller that proves none sees nobody', (_how, bindings) => {
    expect(bindings.configured(desk)).toMatchObject({ id: desk.id, customers: [], unbound: 'missing' });
  });

  it('the claim of an access token proves customers', () => {
    const bindings = required[1][1];
    const caller = bindings.claimed(bindings.configured(desk), ['acme']);
    expect([caller.customers, caller.unbound]).toEqual([['acme'], undefined]);
  });

  it('a claim of another kind proves none, and no claim changes nothing', () => {
    const bindings = required[1][1];
    expect(bindings.claimed(desk, { customer: 'acme' }).unbound).toBe('claim');
    expect(bindings.claimed(desk, undefined)).toBe(desk);
  });

  it('what a token proves stays within the configured customers', async () => {
    const bindings = createBindings({ customer: ['acme', 'globex'], customerTokenKey: customerKey });
    expect(await judge(await token(['globex', 'initech']), bindings)).toEqual(['globex']);
    expect(await judge(await token('initech'), bindings)).toEqual([]);
  });
});
