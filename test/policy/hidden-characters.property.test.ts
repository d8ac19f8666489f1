/** What cleaning does to any text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, escapeForSummary } from '../../src/words/hidden-characters.ts';
import { runs } from '../support/extent.ts';

describe('cleanText', () => {
  it('changes nothing the second time, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
      }),
      runs(2000),
    );
  });
});

describe('escapeForSummary', () => {
  it('leaves cleaned text as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const cleaned = cleanText(text).replace(/[\n\t]/g, ' ');
        expect(escapeForSummary(cleaned)).toBe(cleaned);
      }),
      runs(2000),
    );
  });
});
