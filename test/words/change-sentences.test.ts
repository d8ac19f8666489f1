import { describe, expect, it } from 'vitest';
import { addOn } from '../../src/contract/add-on.ts';
import { type Change, writableFields } from '../../src/contract/fields.ts';
import { subscription } from '../../src/contract/subscription.ts';
import { wallet } from '../../src/contract/wallet.ts';
import {
  asSentence,
  changedSentence,
  changesMade,
  changesOf,
  eachLine,
  fieldLabel,
  labelOf,
  nothingToChangeSentence,
  questionWith,
  updateQuestion,
} from '../../src/words/changes.ts';
import { metadataNow, metadataWords } from '../../src/words/metadata-words.ts';

it('calls a field that two resources have the same in both, as its name alone decides', () => {
  for (const resource of [addOn, subscription, wallet])
    for (const [name, { change }] of writableFields<object>(resource))
      expect(fieldLabel(name)).toBe((change as Change).label ?? labelOf(name));
});

describe('metadata before and after', () => {
  it.each([
    [{ a: '1', b: '2' }, { a: '1', c: '3' }, 'keeps a, adds c (“3”), removes b'],
    [{ a: '1' }, { a: '2' }, 'changes a (“1” → “2”)'],
    [{ a: '1' }, {}, 'removes a'],
    [{}, {}, 'keeps it empty'],
    [null, { a: null }, 'sets a (empty)'],
    [null, {}, 'removes everything'],
    [{ 'a, removes b': '1' }, {}, 'removes “a, removes b”'],
  ])('%j becomes %j', (before, after, words) => {
    expect(metadataWords(before && Object.entries(before), Object.entries(after))).toBe(words);
  });

  it.each([
    [{ a: '1' }, { b: '2' }, 'the metadata key is now b; added: b (“2”); removed: a (“1”)'],
    [{ a: '1' }, { a: '2' }, 'metadata a (“1” → “2”)'],
    [{ a: '1' }, {}, 'the metadata is now empty; removed: a (“1”)'],
    [{ a: '1' }, { a: '1' }, null],
    [null, { a: '1' }, 'the metadata key is now a'],
  ])('is told after the write: %j, %j', (before, after, words) => {
    expect(metadataNow(before && Object.entries(before), Object.entries(after))).toBe(words);
  });
});

describe('a question with metadata', () => {
  const change = { label: 'priority', from: '50', to: '3' };
  it.each([
    [[], 'Replace the metadata of wallet W: keeps a?'],
    [[change], 'Change wallet W?\n- priority: 50 → 3\n- replace its metadata: keeps a'],
  ])('after %j', (changes, asked) => {
    expect(questionWith('wallet W', changes, { verb: 'replace', words: 'keeps a' })).toBe(asked);
  });
});

describe('the question of an update', () => {
  const short = { label: 'price', from: '$10.00', to: '$12.50' };
  const long = { label: 'top-up', from: 'whenever 100 credits or fewer are left: up to 400 credits', to: 'none' };
  const lines = 'Change add-on A?\n- price: $10.00 → $12.50\n- code → b\n- name: “A” → none';

  it.each([
    [[short], 'Change the price of add-on A from $10.00 to $12.50?'],
    [[{ ...short, from: undefined }], 'Set the price of add-on A to $12.50?'],
    [[{ ...short, to: null }], 'Clear the price of add-on A (now $10.00)?'],
    [[long], `Change add-on A?\n- top-up: ${long.from} → none`],
    [[short, { label: 'code', from: undefined, to: 'b' }, { label: 'name', from: '“A”', to: null }], lines],
  ])('of %j', (changes, asked) => {
    expect(updateQuestion('add-on A', changes)).toBe(asked);
  });

  it.each([
    ['what stays', { amount_cents: 1250, amount_currency: 'USD' }, ['$10.00 → $12.50']],
    ['nothing where all stays', { amount_cents: 1000, amount_currency: 'USD' }, ['$10.00 → $10.00', 'USD → USD']],
    [
      'no number that gets another currency',
      { amount_cents: 1000, amount_currency: 'EUR' },
      ['$10.00 → €10.00', 'USD → EUR'],
    ],
  ])('leaves out %s', (_what, args, told) => {
    const known = { amount_cents: 1000, amount_currency: 'USD' };
    const options = { selectors: [], currency: args.amount_currency, earlierCurrency: 'USD' };
    expect(changesOf(args, known, options).map(({ from, to }) => `${from} → ${to}`)).toEqual(told);
  });

  it('is one sentence in a summary, and cleaned line by line', () => {
    expect(asSentence(lines)).toBe('Change add-on A, price: $10.00 → $12.50; code → b; name: “A” → none?');
    expect(asSentence('Delete A?')).toBe('Delete A?');
    expect(eachLine('A?\n- b\nc', line => line.replaceAll('\n', '|'))).toBe('A?\n- b|c');
  });
});

describe('an update without a change', () => {
  const known = { currency: 'EUR', customer: { timezone: 'Europe/Paris' } };
  it.each([
    [{ priority: 1 }, 'priority is already 1'],
    [{ limit_cents: 500 }, 'limit is already €5.00'],
    [{ name: null, tags: ['a'] }, 'name is already empty and tags already has this value'],
    [{ ending_at: '2026-12-01T00:00:00Z' }, 'end is already 1 Dec 2026, 01:00 in Europe/Paris (1 Dec 2026, 00:00 UTC)'],
  ])('of %j says what is so already', (requested, said) => {
    const text = nothingToChangeSentence(Object.keys(requested), requested, known);
    expect(text).toBe(`Nothing to change: ${said}. Nothing was sent.`);
  });
});

describe('what changed', () => {
  const options = { selectors: ['code'], currency: 'USD' };
  const before = { code: 'a', amount_cents: 1000, name: 'Fee' };

  it('is told from the answer, not from what was sent', () => {
    const made = changesMade({ ...before, amount_cents: 2000 }, before, { ...before, amount_cents: 1500 }, options);
    const said = 'Changed: the amount of add-on “Fee” is now $15.00 (was $10.00)';
    expect(changedSentence('add-on “Fee”', made)).toBe(said);
  });

  it('is nothing where the answer shows what was there before', () => {
    expect(changedSentence('add-on “Fee”', changesMade({ amount_cents: 2000 }, before, before, options))).toBeNull();
  });

  it('is told without earlier values where these were not seen', () => {
    const record = { amount_cents: 2000, name: 'Fee' };
    const made = changesMade(record, undefined, record, options);
    expect(changedSentence('add-on “Fee”', made)).toBe('Changed: add-on “Fee”: amount $20.00; name “Fee”');
  });
});
