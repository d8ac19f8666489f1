import { describe, expect, it } from 'vitest';
import { countries, currencies, timezones } from '../../src/contract/codes.ts';
import { meantCountry, meantCurrency, meantTimezone } from '../../src/contract/codes-meant.ts';
import { timezone } from '../../src/definition/args.ts';
import { closest } from '../../src/lib/nearest-word.ts';

describe('a country', () => {
  it.each([
    ['UK', 'GB'],
    ['uk', 'GB'],
    ['U.K.', 'GB'],
    ['England', 'GB'],
    ['USA', 'US'],
    ['United States', 'US'],
    ['the Netherlands', 'NL'],
    ['EL', 'GR'],
    ['DEU', 'DE'],
    ['GER', 'DE'],
    ['AUT', 'AT'],
    ['AUS', 'AU'],
    ['CHE', 'CH'],
    ['CHN', 'CN'],
    ['SAU', 'SA'],
    ['SWE', 'SE'],
    ['Germany', 'DE'],
    ['fr', 'FR'],
  ])('%s is %s', (word, code) => {
    expect(meantCountry(word)).toBe(code);
  });

  it.each(['XY', 'CS', 'AN', 'YU', 'EU', 'USS', 'Korea', 'Guinee', 'Nowhere', ''])('“%s” is not guessed', word => {
    expect(meantCountry(word)).toBeNull();
  });

  it('is found by its three-letter code, for every country', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const meant = new Map<string, string[]>();
    for (const a of letters)
      for (const b of letters)
        for (const c of letters) {
          const code = meantCountry(a + b + c);
          if (code !== null) meant.set(code, [...(meant.get(code) ?? []), a + b + c]);
        }
    expect(countries.filter(code => !meant.has(code))).toEqual([]);
  });
});

describe('a currency', () => {
  it.each([
    ['usd', 'USD'],
    ['US$', 'USD'],
    ['US dollars', 'USD'],
    ['€', 'EUR'],
    ['euro', 'EUR'],
    ['Euros', 'EUR'],
    ['yen', 'JPY'],
    ['RMB', 'CNY'],
    ['pound sterling', 'GBP'],
    ['Swiss Franc', 'CHF'],
    ['UDS', 'USD'],
    ['ERU', 'EUR'],
  ])('%s is %s', (word, code) => {
    expect(meantCurrency(word)).toBe(code);
  });

  // An old and a new code are not the same amount (1 MRU = 10 MRO, 1 STN = 1000 STD, 10,000 BYR = 1 BYN); YER is not yen.
  it.each(['$', '¥', 'dollar', 'pounds', 'MRU', 'STN', 'SLE', 'BYR', 'DEM', 'YEM', 'USX', 'XXX', ''])(
    '“%s” is not guessed',
    word => {
      expect(meantCurrency(word)).toBeNull();
    },
  );
});

describe('a time zone', () => {
  it.each([
    ['Europe/Pariss', 'Europe/Paris'],
    ['europe/paris', 'Europe/Paris'],
    ['Paris', 'Europe/Paris'],
    ['New York', 'America/New_York'],
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Asia/Dubai', 'Asia/Muscat'],
    ['Asia/Dubay', 'Asia/Muscat'],
    ['GMT', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['CET', 'Europe/Berlin'],
    ['cest', 'Europe/Berlin'],
    ['JST', 'Asia/Tokyo'],
    ['AEDT', 'Australia/Sydney'],
  ])('%s is %s', (word, zone) => {
    expect(meantTimezone(word)).toBe(zone);
  });

  it.each([
    ['Asia/Dubay', 'Asia/Muscat, listed for the clock'],
    ['Asia/Dubai', 'Asia/Muscat, listed for the clock'],
    ['Europe/Pariss', 'Europe/Paris'],
    ['Dubai', 'Asia/Muscat'],
  ])('the answer to %s suggests %s', (word, suggested) => {
    const [issue] = timezone.safeParse(word).error?.issues ?? [];
    expect(issue?.message).toContain(`did you mean ${suggested}`);
  });

  // Abbreviations of several zones, and zones that are not listed and have no listed equivalent.
  it.each([
    'IST',
    'MST',
    'BST',
    'CST',
    'EST',
    'Asia/Macau',
    'Asia/Qatar',
    'Asia/Makau',
    'Europe/Oslo',
    '+01:00',
    'Mars',
    '',
  ])('“%s” is not guessed', word => {
    expect(meantTimezone(word)).toBeNull();
  });
});

it.each([
  [countries, meantCountry],
  [currencies, meantCurrency],
  [timezones, meantTimezone],
])('each code means itself, in upper or lower case', (codes, meant) => {
  expect(codes.filter(code => meant(code.toLowerCase()) !== code)).toEqual([]);
});

describe('the closest word', () => {
  it.each([
    ['studo', ['studio', 'starter'], 'studio'],
    ['plan_c', ['plan_a', 'plan_b'], null],
    ['plan_2025', ['plan_2024'], null],
    ['studio_yearly', ['studio'], null],
  ])('to %s of %j is %s', (word, known, meant) => {
    expect(closest(word, known)).toBe(meant);
  });
});
