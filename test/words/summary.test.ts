import { describe, expect, it } from 'vitest';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  clip,
  code,
  count,
  listed,
  major,
  money,
  named,
  quoted,
  say,
  sentences,
  sign,
} from '../../src/words/summary.ts';

const plain = [null, undefined, true, '', ' ', 'a', '1', 0, 1.5, -2, 2 ** 53, Number.NaN, Infinity];
const anything = [...plain, [], ['x'], {}, { a: 1 }];

describe('values of any JSON', () => {
  it('are texts where they are not empty', () => {
    const texts = ['a', '1', '0', '1.5', '-2', '9007199254740992'];
    expect(anything.map(asText).filter(value => value !== null)).toEqual(texts);
    expect(asTexts(anything)).toEqual(texts);
    expect(asTexts('a')).toEqual([]);
  });

  it('are records where they have fields', () => {
    expect(anything.map(asRecord).filter(value => Object.keys(value).length > 0)).toEqual([{ a: 1 }]);
    expect(asRecords(anything)).toEqual([{}, { a: 1 }]);
    expect(asRecords({ 0: {} })).toEqual([]);
  });

  it.each([
    [0, 0],
    ['0', 0],
    ['-0.00', 0],
    ['0e5', 0],
    [1, 1],
    ['0.01', 1],
    [1e-9, 1],
    [-1, -1],
    ['-0.1', -1],
    [-1e30, -1],
    ['', null],
    ['1,5', null],
    ['--1', null],
    ['1.', null],
    [null, null],
    [[1], null],
    [Infinity, null],
  ])('%j has the sign %j', (value, expected) => {
    expect(sign(value)).toBe(expected);
  });
});

describe('names and amounts', () => {
  it.each([
    ['Setup fee', 'setup', '“Setup fee” (setup)'],
    ['setup', 'setup', 'setup'],
    [null, 'setup', 'setup'],
    ['Setup fee', '', '“Setup fee”'],
    ['  ', null, null],
  ])('%j and %j are %j', (name, id, expected) => {
    expect(named(name, id)).toBe(expected);
  });

  it('are one short line each, and cannot close their quotes', () => {
    expect(quoted(' a\n “b”  c ')).toBe("“a 'b' c”");
    expect(quoted('x'.repeat(81))).toBe(`“${'x'.repeat(79)}…”`);
    expect(quoted('x'.repeat(80))).toBe(`“${'x'.repeat(80)}”`);
    expect(code('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
    expect(clip('abc def', 5)).toBe('abc…');
    expect(clip('abc😀def', 5)).toBe('abc…');
  });

  it.each([
    [125_000, 'USD', '$1,250.00'],
    ['125000', 'JPY', '¥125,000'],
    [125_000, null, '125,000 minor units'],
    ['no', null, null],
    ['no', 'USD', null],
    [true, 'USD', null],
  ])('%j cents in %j are %j', (cents, currency, expected) => {
    expect(money(cents, currency)).toBe(expected);
  });

  it.each([
    ['1250.5', 'USD', '$1,250.50'],
    [1250.5, 'USD', '$1,250.50'],
    ['0.0002', 'USD', '$0.0002'],
    ['no', 'USD', null],
    [null, 'USD', null],
  ])('%j in %j is %j', (value, currency, expected) => {
    expect(major(value, currency)).toBe(expected);
  });
});

describe('sentences', () => {
  it('leave out empty parts, begin with a capital and end with one full stop', () => {
    expect(sentences('one', null, '', false, undefined, 'Two.', 'three?', 'so “four!”', 'five”')).toBe(
      'One. Two. Three? So “four!” Five”.',
    );
    expect(sentences(null)).toBe('');
  });

  it('are written only if every value is known', () => {
    expect(say`costs ${'$1'} and ${'$2'}.`).toBe('costs $1 and $2.');
    expect(say`costs ${'$1'} and ${null}.`).toBeNull();
    expect(say`costs ${''}.`).toBe('costs .');
  });

  it('count', () => {
    expect([0, 1, 2, 1200].map(n => count(n, 'plan'))).toEqual(['0 plans', '1 plan', '2 plans', '1,200 plans']);
    expect(count(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('list items up to a limit', () => {
    expect(listed([])).toBeNull();
    expect(listed(['a'])).toBe('a');
    expect(listed(['a', null, 'b'])).toBe('a and b');
    expect(listed(['a', 'b', 'c'], 3)).toBe('a, b and c');
    expect(listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  });
});
