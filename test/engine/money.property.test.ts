import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../src/contract/codes.ts';
import { fromCents, toCents } from '../../src/contract/pricing/money.ts';
import { runs } from '../support/extent.ts';

describe('cents (§6)', () => {
  it('cents converted to money and back are the same cents', () => {
    const property = fc.property(fc.integer(), fc.constantFrom(...currencies), (cents, currency) => {
      expect(toCents(fromCents(cents, currency), currency)).toBe(cents);
    });
    fc.assert(property, runs(2000));
  });
});
