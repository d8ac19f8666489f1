import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentLocales } from '../../../src/contract/enums.ts';
import {
  labelsIn,
  languageAccepted,
  languageOf,
  sayIn,
  tablesOf,
  translated,
} from '../../../src/contract/labels/labels.ts';
import { views } from '../../../src/words/views/views.ts';

/** `approval.approve` → `Approve`. */
const flat = (language: (typeof translated)[number]): Map<string, string> =>
  new Map(
    Object.entries(labelsIn(language)).flatMap(([part, table]) =>
      Object.entries(table).map(([key, text]) => [`${part}.${key}`, text] as const),
    ),
  );
const english = flat('en');
const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe('labels', () => {
  it('are whole in English, German and French; the other document locales fall back to English', () => {
    const missing = documentLocales.map(tag => {
      const language = languageOf(tag);
      if (language === undefined) return [tag, 'all'];
      const own = flat(language);
      return [tag, [...english.keys()].filter(path => !own.has(path))];
    });
    expect(Object.fromEntries(missing)).toEqual({
      ...{ en: [], fr: [], de: [] },
      ...{ nb: 'all', it: 'all', es: 'all', sv: 'all', 'pt-BR': 'all', 'zh-TW': 'all' },
    });
  });

  it.each(translated)('in %s are those of English, with the same values in each', language => {
    for (const [path, text] of flat(language)) {
      const whole = english.get(path);
      expect(whole, path).toBeDefined();
      expect([path, ...places(text)]).toEqual([path, ...places(whole!)]);
    }
  });

  it.each(translated)('in %s are written as the language is: its quotes and spaces, no typewriter signs', language => {
    for (const [path, text] of flat(language)) {
      expect(text, path).not.toMatch(/['"|]|\.\.\./);
      // French has a narrow space before these signs, and none that could break the line.
      if (language === 'fr') expect(text, path).not.toMatch(/[^\u202f][:;!?»]|«[^\u202f]/);
    }
  });

  it('have a form for every class of number that a language tells apart', () => {
    const counted = [...english.keys()]
      .filter(path => path.endsWith('_other'))
      .map(path => path.replace(/_other$/, ''));
    for (const language of translated) {
      const used = new Set(Array.from({ length: 200 }, (_, count) => new Intl.PluralRules(language).select(count)));
      for (const path of counted.filter(each => english.has(`${each}_one`)))
        for (const form of used)
          expect(flat(language).has(`${path}_${form}`), `${language} ${path}_${form}`).toBe(true);
    }
  });

  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['FR-ca', 'fr'],
    ['en-GB', 'en'],
    ['nb', undefined],
    ['zh-TW', undefined],
    ['constructor', undefined],
    ['', undefined],
    ['de;q=0.8', undefined],
  ])('of the locale %s are in %s', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
    // The highest quality counts, and among equal ones the first.
    ['en;q=0.2, de;q=0.5, fr;q=0.9', 'fr'],
    ['de;q=0.7,fr;q=0.7,en;q=0.7', 'de'],
    ['en; q=0.5 , DE-at ; Q=0.501', 'de'],
    ['de;q=0.5,fr', 'fr'],
    // What has no labels is passed over.
    ['sv,nb;q=0.9,de;q=0.1', 'de'],
    ['sv', 'en'],
    // A quality of 0 refuses a language.
    ['de;q=0,fr;q=0.1', 'fr'],
    ['de;q=0', 'en'],
    ['de;q=0.000,fr;q=0.001', 'fr'],
    // Any other language than those that are named.
    ['*', 'en'],
    ['sv,*;q=0.5', 'en'],
    ['de;q=0.3,*;q=0.5', 'en'],
    ['en;q=0.3,*;q=0.5', 'de'],
    ['en;q=0,*', 'de'],
    ['en;q=0,de;q=0,fr;q=0,*', 'en'],
    ['*;q=0,fr;q=0.2', 'fr'],
    // What is no part of such a header says nothing.
    ['de;q=2,fr;q=0.1', 'fr'],
    ['de;q=high,fr;q=0.1', 'fr'],
    ['de;level=1,fr;q=0.1', 'fr'],
    ['de fr,en', 'en'],
    ['<;;,*x,_,;q=1,', 'en'],
  ])('for the header Accept-Language %j are in %s', (header, language) => {
    expect(languageAccepted(header)).toBe(language);
  });

  it('fill in values', () => {
    const values = { who: 'Ada', role: 'finance' };
    expect(sayIn('approval', 'en')('in_role', values)).toBe('Ada, in the role finance');
    expect(sayIn('approval', 'de')('in_role', values)).toBe('Ada, in der Rolle finance');
  });
});

describe('the labels of pages', () => {
  const folder = 'src/words/views';
  const sourceOf = (path: string) => readFileSync(path, 'utf8').replace(/^ *(\/\*|\*|\/\/).*$/gm, '');
  const withImports = (path: string): string => {
    const imported = [...sourceOf(path).matchAll(/from '(.+)'/g)].map(([, name]) =>
      join(dirname(path), name as string),
    );
    return [path, ...imported].map(sourceOf).join('\n');
  };

  it.each(views.map(view => [view.uri, view] as const))('%s: every label that its scripts name exists', (uri, view) => {
    const own = uri.slice('ui://usage-billing/'.length, -'.html'.length);
    const table = tablesOf(['shared', ...(view.decides ? ['decision'] : []), ...(view.charts ?? []), own]).en;
    const source = withImports(`${folder}/pages/${own}.js`);
    const named = [...source.matchAll(/\bt\(\s*'(\w+)'/g)].map(([, key]) => key as string);
    const counted = [...source.matchAll(/\bcounted\(\s*'(\w+)'/g)].map(([, key]) => `${key}_other`);
    for (const key of [...named, ...counted]) expect(table, key).toHaveProperty(key);
  });

  it('approval: every label is used', () => {
    const folder = 'src/server/http/approve/';
    const pages = readdirSync(folder).map(name => folder + name);
    // The store names what came of an approved write.
    const source = [...pages, 'src/calls/change/ask/write-stores.ts']
      .map(path => readFileSync(path, 'utf8'))
      .join('\n');
    expect(Object.keys(labelsIn('en').approval ?? {}).filter(key => !source.includes(`'${key}'`))).toEqual([]);
  });

  it.each(Object.keys(labelsIn('en')).filter(part => part !== 'approval'))('%s: every label is used', part => {
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /\.[jt]s$/.test(name));
    const source = scripts.map(name => sourceOf(join(folder, name))).join('\n');
    // Keys that are put together: `payment_${status}`.
    const made = [...source.matchAll(/`((?:\w|\$\{[^{}`]*\})+)`/g)]
      .map(([, template]) => template!.replace(/\$\{[^{}`]*\}/g, '\\w+'))
      .filter(pattern => pattern.replaceAll('\\w+', '') !== '')
      .map(pattern => new RegExp(`^${pattern}$`));
    const dead = Object.keys(labelsIn('en')[part] ?? {}).filter(key => {
      const names = [key, key.replace(/_(one|other)$/, '')];
      if (names.some(name => new RegExp(`['"\`{ ]${name}['"\`, ]`).test(source))) return false;
      return !made.some(pattern => names.some(name => pattern.test(name)));
    });
    expect(dead).toEqual([]);
  });
});
