/** Reading JSON without rounding. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../../src/lib/json.ts';
import { runs } from '../../support/extent.ts';

describe('an answer that is read exactly', () => {
  it('is what JSON.parse reads, but for numbers beyond 2^53', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify(value);
        const isLarge = (each: unknown) => typeof each === 'number' && Math.abs(each) > Number.MAX_SAFE_INTEGER;
        const expected = JSON.parse(text, (_, each) => (isLarge(each) ? String(each) : each));
        const numbers = (each: unknown) =>
          JSON.stringify(each, (_, part) =>
            typeof part === 'string' && /^-?\d/.test(part) && Math.abs(Number(part)) > Number.MAX_SAFE_INTEGER
              ? Number(part)
              : part,
          );
        expect(numbers(parseExactly(text))).toBe(numbers(expected));
      }),
      runs(1000),
    );
  });

  it.each([
    [
      'digits inside text',
      '{"a":" 12345678901234567890 \\" 9007199254740993"}',
      { a: ' 12345678901234567890 " 9007199254740993' },
    ],
    ['a large number in a list', '[9007199254740993,1]', ['9007199254740993', 1]],
    ['the largest exact number', '{"a": 9007199254740991}', { a: 9007199254740991 }],
  ])('%s', (_, text, value) => {
    expect(parseExactly(text)).toEqual(value);
  });
});
