/** What counts as said: amounts, numbers, days and words in the ways in which assistants write them. */
import { describe, expect, it } from 'vitest';
import { factText, listsFigures, saidIn } from '../../src/rehearse/grade/facts.ts';
import type { Fact } from '../../src/rehearse/types.ts';

const isSaid = (fact: Fact, text: string, wanted: 'says' | 'says_none') => saidIn(text, wanted)(fact);

const usd = (amount: string): Fact => ({ amount, currency: 'USD' });
const eur = (amount: string): Fact => ({ amount, currency: 'EUR' });
const jpy = (amount: string): Fact => ({ amount, currency: 'JPY' });

describe('an amount', () => {
  it.each<[text: string, fact: Fact]>([
    ['It is $1,234.50.', usd('1234.5')],
    ['Es sind 1.234,50 €.', eur('1234.50')],
    ['Cela fait 1 234,50 €.', eur('1234.5')],
    ['1’234.50 EUR', eur('1234.5')],
    ["CHF 1'234.50", { amount: '1234.5', currency: 'CHF' }],
    ['USD 1234.5', usd('1234.50')],
    ['1234.50 usd', usd('1234.5')],
    ['US$1,234.50', usd('1234.5')],
    ['1 234,50 $US', usd('1234.5')],
    ['900 dollars', usd('900')],
    ['¥77,132', jpy('77132')],
    ['77,132円です', jpy('77132')],
    ['￥77,132', jpy('77132')],
    ['KD 1,200.000 a year', { amount: '1200', currency: 'KWD' }],
    ['**$118.67**', usd('118.67')],
    ['| Acme | $118.67 |', usd('118.67')],
    ['a credit of −$157.75', usd('157.75')],
    ['($157.75)', usd('157.75')],
    ['$200', usd('200.00')],
    ['$0.0002 a token', usd('0.0002')],
    ['$100-$200', usd('100')],
    ['Amount (USD): 118.67', usd('118.67')],
    ['the total:118.67', usd('118.67')],
    ['It was 5 and then $30', usd('30')],
  ])('%s says it', (text, fact) => {
    expect(isSaid(fact, text, 'says')).toBe(true);
  });

  it.each<[text: string, fact: Fact, why: string]>([
    ['€118.67', usd('118.67'), 'another currency'],
    ['118.67 EUR', usd('118.67'), 'another currency'],
    ['CA$118.67', usd('118.67'), 'another dollar'],
    ['$1118.67', usd('118.67'), 'a longer number'],
    ['$118.671', usd('118.67'), 'a longer fraction'],
    ['$118', usd('118.67'), 'rounded'],
    ['SKY-US-118', { amount: '118' }, 'an id'],
    ['2026-03-15', { amount: '15' }, 'a date'],
    ['1.5.2026', { amount: '1.5' }, 'a date'],
    ['10:30', { amount: '30' }, 'a time'],
    ['15%', { amount: '15' }, 'a percentage'],
    ['15 %', { amount: '15' }, 'a percentage'],
    ['invoice #16500', { amount: '16500' }, 'a number of an invoice'],
    ['5kg', { amount: '5' }, 'a weight'],
    ['v5 of it', { amount: '5' }, 'a version'],
    ['7848d17f-c86f-5aff', { amount: '7848' }, 'an id'],
    ['https://example.com/42/x', { amount: '42' }, 'an address'],
    ['12,3456', { amount: '123456' }, 'no group'],
    ['2026 118', { amount: '2026118' }, 'two numbers'],
  ])('%s does not say it: %3$s', (text, fact) => {
    expect(isSaid(fact, text, 'says')).toBe(false);
  });

  it('that must not be said counts only with its currency beside it, where it has one', () => {
    expect(isSaid(eur('8.4'), 'You have €4.20 (8.4 credits).', 'says_none')).toBe(false);
    expect(isSaid(eur('8.4'), 'You have €8.40.', 'says_none')).toBe(true);
    expect(isSaid({ amount: '8.4' }, 'You have 8.4 credits.', 'says_none')).toBe(true);
  });
});

describe('a number', () => {
  it.each<[text: string, number: string]>([
    ['983.9 minutes', '983.9'],
    ['983,9 Minuten', '983.9'],
    ['423,000 tokens', '423000'],
    ['at 8.875%', '8.875'],
    ['1200 credits', '1200.0'],
    ['12h', '12'],
  ])('%s says it', (text, number) => {
    expect(isSaid({ number }, text, 'says')).toBe(true);
  });
  it.each<[text: string, number: string]>([
    ['SKY-983', '983'],
    ['1983', '983'],
    ['983.91', '983.9'],
  ])('%s does not say %s', (text, number) => {
    expect(isSaid({ number }, text, 'says')).toBe(false);
  });
});

describe('a day', () => {
  const may: Fact = { date: '2026-05-01' };
  it.each([
    'due on 2026-05-01',
    'due on 2026-05-01T00:00:00Z',
    'due on 1 May 2026',
    'due on 1 May',
    'due on 1st of May, 2026',
    'due on May 1st, 2026.',
    'due on May 1',
    'due on the 1st of May',
    'due on 01/05/2026',
    'due on 5/1/2026',
    'fällig am 1. Mai 2026',
    'fällig am 01.05.2026',
    'fällig am 1.5.26',
    'fällig bis zum 01.05.',
    'fällig am 1.5. in Wien',
    'due on 01/05/26',
    'due on 1-May-2026',
    'dû le 1er mai 2026',
    '2026年5月1日',
    '**1 May 2026**',
    'MAY 1, 2026',
  ])('“%s” names it', text => {
    expect(isSaid(may, text, 'says')).toBe(true);
  });
  it.each([
    'due on 11 May 2026',
    'due on 1 May 2027',
    'due on May 1, 2025',
    'due on May 10',
    'due on 21 May',
    'due on 1 March 2026',
    'due on 2026-05-11',
    'due on 12026-05-01',
    'Mayor 1',
    'due in May 2026',
    'fällig am 1.5.2027',
    'fällig am 1.5.27',
    'fällig am 11.05.',
    'due on 1-May-2027',
    'version 3.1.5.',
    '1/5 of it',
  ])('“%s” does not', text => {
    expect(isSaid(may, text, 'says')).toBe(false);
  });
});

describe('a text', () => {
  it.each([
    ['I **can’t** do that', "can't"],
    ['I can\nnot  say', 'can not'],
    ['the _Studio_ plan', 'studio plan'],
    ['`studio` and more', 'Studio and'],
    ['snake_case_name', 'snake_case'],
  ])('%j holds %j', (text, words) => {
    expect(isSaid(words, text, 'says')).toBe(true);
  });
  it('is found from the beginning of a word, not inside another', () => {
    expect(isSaid('paid', 'It is unpaid.', 'says')).toBe(false);
    expect(isSaid('paid', 'It was unpaid, and is paid now.', 'says')).toBe(true);
    expect(isSaid('customer-portal', 'https://x.example/customer-portal/abc', 'says')).toBe(true);
  });
  it('is searched for in bounded time where an answer is one endless word', () => {
    // Each occurrence once took as long as all that stands before it: minutes.
    expect(isSaid('paid', 'unpaid'.repeat(160_000), 'says')).toBe(false);
  });
  it('is one of several, where any counts, and has a short description', () => {
    const any: Fact = { any: ['cannot', "can't", 'unable', 'not able'] };
    expect(isSaid(any, 'I am unable to', 'says')).toBe(true);
    expect(isSaid(any, 'I did it', 'says')).toBe(false);
    expect(factText(any)).toBe("“cannot” or “can't” or “unable” or the like");
    expect([usd('5'), { number: '5' }, { date: '2026-05-01' }].map(factText)).toEqual([
      '5 USD',
      'the number 5',
      'the date 2026-05-01',
    ]);
  });
});

describe('an answer that lists everything', () => {
  it('says no figure, though it holds each', () => {
    const all = Array.from({ length: 2000 }, (_, at) => `$${at}`).join('; ');
    expect(isSaid(usd('7'), `${all}.`, 'says')).toBe(false);
    expect(isSaid({ any: ['other words', { number: '7' }] }, all, 'says')).toBe(false);
    expect(isSaid(usd('7'), all, 'says_none')).toBe(true);
    expect(isSaid('$7', all, 'says')).toBe(true);
  });
  it.each([
    ['full width', 0xff10],
    ['bold', 0x1d7ce],
    ['double-struck', 0x1d7d8],
    ['superscript', 0],
  ])('says none in %s digits either', (_, zero) => {
    const superscript = '⁰¹²³⁴⁵⁶⁷⁸⁹';
    const digit = (each: string) =>
      zero ? String.fromCodePoint(zero + Number(each)) : superscript.charAt(Number(each));
    const written = (figure: number) => `$${String(figure).replace(/\d/g, digit)}`;
    const all = Array.from({ length: 2000 }, (_, at) => written(at)).join('; ');
    expect(isSaid(usd('7'), written(7), 'says')).toBe(true);
    expect(isSaid(usd('7'), all, 'says')).toBe(false);
    expect(listsFigures(all)).toBe(true);
  });
  it('is no table of a hundred invoices', () => {
    const rows = Array.from({ length: 100 }, (_, at) => `| SKY-US-001-${100 + at} | 2026-03-15 | $${at}.50 |`);
    expect(isSaid(usd('7.5'), rows.join('\n'), 'says')).toBe(true);
  });
  it('is read to its end, also where it is one endless number', () => {
    for (const endless of [`0.${'0'.repeat(1_000_000)}1`, `1${'0'.repeat(1_000_000)}`, '123 '.repeat(250_000)]) {
      expect(isSaid({ number: '7' }, `${endless}; 7`, 'says_none')).toBe(true);
    }
  });
});
