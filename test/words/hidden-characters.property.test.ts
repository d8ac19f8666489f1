/** What cleaning does to any text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/lib/text.ts';
import { cleanText, escapeForSummary } from '../../src/words/safe-text.ts';
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

describe('a text that is cut', () => {
  it('begins like the whole one, is no longer than asked, and ends in no half character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (text, most) => {
        const cut = cutText(text, most);
        expect([text.startsWith(cut), cut.length <= most, cut.length >= Math.min(text.length, most) - 1]).toEqual([
          true,
          true,
          true,
        ]);
        expect(cut).not.toMatch(/[\uD800-\uDBFF]$/u);
      }),
      runs(2000),
    );
    expect(cutText('ab😀', 3)).toBe('ab');
  });
});
