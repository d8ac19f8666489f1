import { describe, expect, it } from 'vitest';
import { cleanDeep, cleanText, escapeForSummary, isIdentifierKey } from '../../src/words/safe-text.ts';

const tags = [...'ignore'].map(letter => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');

describe('cleanText', () => {
  it.each([
    ['control characters', 'a\u0000b\u0007c\u001bd\u007fe\u009bf', 'abcdef'],
    ['bidirectional overrides and isolates', 'a\u202Eb\u2066c\u2069d', 'abcd'],
    ['direction marks', 'a\u200Eb\u200Fc\u061Cd', 'abcd'],
    ['zero-width blanks, word joiners, byte order marks', 'a\u200Bb\u2060c\uFEFFd', 'abcd'],
    ['soft hyphens and invisible operators', 'a\u00ADb\u2062c', 'abc'],
    ['tag characters, which can spell out instructions', `Acme${tags} Ltd`, 'Acme Ltd'],
    ['variation selectors that carry data', 'a\uFE01b\u{E0101}c', 'abc'],
    ['halves of a surrogate pair', 'a\uD800b\uDC00c', 'abc'],
    ['fillers that look like nothing', 'a\u3164b\u115Fc\uFFA0d', 'abcd'],
    ['joiners between blanks or digits', 'a\u200D 1\u200C2', 'a 12'],
    ['all but the first of several joiners', 'a\u200D\u200D\u200Db', 'ab'],
  ])('removes %s', (_what, text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  it.each([
    ['tabs and line feeds', 'one\ttwo\nthree'],
    ['typographic hyphens and dashes', 'pay\u2010as\u2011you\u2012go \u2013 or not'],
    ['accents, composed or not', 'Zoë Ze\u0301'],
    ['non-joiners between Persian letters', 'می\u200Cخواهم'],
    ['joiners between Devanagari letters', 'क्\u200Dष'],
    ['joined emoji', '👩\u200D👩\u200D👧 and 🏳\uFE0F\u200D🌈'],
    ['the style of an emoji and of a keycap', '❤\uFE0F 1\uFE0F\u20E3'],
    ['characters beyond the basic plane', '𝒜 𠮷 🎻'],
  ])('keeps %s', (_what, text) => {
    expect(cleanText(text)).toBe(text);
  });

  it('turns other line breaks into line feeds', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u2029e')).toBe('a\nb\nc\nd\ne');
  });
});

describe('cleanDeep', () => {
  it('cleans names, keys and values at any depth', () => {
    const dirty = { name: 'a\u202Eb', list: [{ description: `x${tags}` }], metadata: { 'k\u200B': 'v\u200B' } };
    expect(cleanDeep(dirty)).toEqual({ name: 'ab', list: [{ description: 'x' }], metadata: { k: 'v' } });
  });

  it.each(['svc_id', 'external_id', 'external_customer_id', 'code', 'plan_code', 'transaction_id'])(
    'never alters the identifier %s',
    key => {
      expect(cleanDeep({ [key]: 'a\u200Bb' })).toEqual({ [key]: 'a\u200Bb' });
    },
  );

  it('never alters lists of codes', () => {
    expect(cleanDeep({ tax_codes: ['a\u200B'] })).toEqual({ tax_codes: ['a\u200B'] });
  });

  it('treats every name inside metadata as the customer’s own text', () => {
    expect(cleanDeep({ metadata: { promo_code: `x${tags}` } })).toEqual({ metadata: { promo_code: 'x' } });
    expect(cleanDeep({ metadata: [{ key: 'id\u200B', value: `x${tags}` }] })).toEqual({
      metadata: [{ key: 'id', value: 'x' }],
    });
  });

  it('loses no field when two keys differ only in hidden characters', () => {
    const cleaned = cleanDeep({ metadata: { a: '1', 'a\u200B': '2' } });
    expect(cleaned.metadata).toEqual({ a: '1', 'a\\u{200B}': '2' });
  });

  it('returns the very same object when nothing had to change', () => {
    const clean = { name: 'Zoë', nested: [{ a: 'b' }, 1, null, true] };
    expect(cleanDeep(clean)).toBe(clean);
  });

  it('keeps a field called __proto__ a field', () => {
    const cleaned = cleanDeep(JSON.parse('{"__proto__":{"admin":"yes\\u200b"}}'));
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
    expect(JSON.stringify(cleaned)).toBe('{"__proto__":{"admin":"yes"}}');
  });
});

describe('escapeForSummary', () => {
  it('escapes hidden characters, so that nothing of an identifier is lost', () => {
    expect(escapeForSummary('a\u200Bb\u202E\nc\t')).toBe('a\\u{200B}b\\u{202E}\\nc\\t');
  });
});

it('knows identifiers by their names', () => {
  expect(['id', 'svc_id', 'invoice_ids', 'code', 'tax_codes'].every(isIdentifierKey)).toBe(true);
  expect(['name', 'decoder', 'paid', 'zipcode', 'description'].some(isIdentifierKey)).toBe(false);
});
