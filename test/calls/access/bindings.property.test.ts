/** What any proofs of customers make of a caller together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bindingOf, narrowedBy, type Proof } from '../../../src/calls/access/intersect-customers.ts';
import type { Caller } from '../../../src/definition/caller.ts';
import { runs } from '../../support/extent.ts';

const desk: Caller = { id: 'token_desk', apiKey: '', scopes: null };

describe('the caller that proofs make', () => {
  const ids = fc.constantFrom('acme', 'globex', 'initech', 'umbrella', 'hooli');
  const lists = fc.array(fc.uniqueArray(ids), { minLength: 1, maxLength: 4 });
  const made = (proofs: readonly Proof[]) =>
    proofs.reduce<Caller>((caller, proof) => narrowedBy(caller, proof), {
      ...{ ...desk, customers: [], unbound: 'missing' },
    });

  it('may see exactly the customers that all of them name, whatever their order', () => {
    fc.assert(
      fc.property(lists, proofs => {
        const shared = [...proofs[0]!].filter(id => proofs.every(list => list.includes(id))).sort();
        const caller = made(proofs.map(bindingOf));
        expect(caller.customers).toEqual(shared);
        expect(made(proofs.map(bindingOf).reverse())).toEqual(caller);
      }),
      runs(100),
    );
  });

  it('has the id of another exactly when it may see the same, and its id names no customer', () => {
    fc.assert(
      fc.property(lists, lists, (left, right) => {
        const [one, other] = [made(left.map(bindingOf)), made(right.map(bindingOf))];
        expect(one.id === other.id).toBe(JSON.stringify(one.customers) === JSON.stringify(other.customers));
        expect(one.id).toMatch(/^token_desk~[\w-]{16}$/);
        expect([one.credential, one.id.includes('acme')]).toEqual(['token_desk', false]);
      }),
      runs(100),
    );
  });

  it('sees nobody when one of them is not accepted, whichever it is', () => {
    fc.assert(
      fc.property(lists, fc.nat(), (proofs, place) => {
        const all: Proof[] = proofs.map(bindingOf);
        all.splice(place % (all.length + 1), 0, { unbound: 'expired' });
        expect(made(all)).toMatchObject({ customers: [], unbound: 'expired', id: 'token_desk' });
      }),
      runs(100),
    );
  });
});
