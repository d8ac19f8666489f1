import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bound, boundJson } from '../../../src/service/store/binding.ts';
import { StoreError } from '../../../src/service/store/errors.ts';
import { runs } from '../../support/extent.ts';

describe('the function in front of every statement', () => {
  it.each([
    ['true', true, 1],
    ['false', false, 0],
    ['a date', new Date('2026-03-10T12:00:00Z'), '2026-03-10T12:00:00.000Z'],
    ['text', 'é😀', 'é😀'],
    ['a number', 12.5, 12.5],
    ['a large integer', 12n, 12n],
    ['null', null, null],
    ['half of a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ])('binds %s', (_what, value, expected) => {
    expect(bound(value)).toBe(expected);
  });

  it.each([
    ['undefined', undefined],
    ['a list', ['a']],
    ['an object', { a: 1 }],
    ['bytes', Buffer.from('a')],
    ['not a number', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
  ])('refuses %s', (_what, value) => {
    expect(() => bound(value)).toThrow(TypeError);
  });

  it('lets through only text without U+0000, numbers and null', () => {
    fc.assert(
      fc.property(fc.anything(), value => {
        try {
          const result = bound(value);
          if (typeof result === 'string') return !result.includes('\0');
          return result === null || typeof result === 'bigint' || Number.isFinite(result);
        } catch (error) {
          return error instanceof TypeError || error instanceof StoreError;
        }
      }),
      runs(2000),
    );
  });

  it('refuses JSON exactly when some text in it holds U+0000', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (json, text) => {
        const value = { [text]: json, list: [json, text] };
        const holds = JSON.stringify(value, (_key, inner) => inner).match(/(?<!\\)(\\\\)*\\u0000/) !== null;
        if (holds) expect(() => boundJson(value)).toThrow('U+0000');
        else expect(JSON.parse(boundJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      runs(1000),
    );
    expect(() => boundJson(['\0'])).toThrow('U+0000');
    expect(() => boundJson({ 'a\0': 1 })).toThrow('U+0000');
    expect(boundJson(['\\u0000'])).toBe('["\\\\u0000"]');
  });
});
