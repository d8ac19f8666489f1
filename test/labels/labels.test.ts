import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/labels/en.ts';
import { labelLanguage, labelsOf, pageLabels, translations } from '../../src/labels/index.ts';
import { documentLocales } from '../../src/model/enums.ts';
import { views } from '../../src/views/index.ts';

type Table = { readonly [key: string]: string | Table };

/** `pages.bridge.waiting` and its text. */
function flat(table: Table, path = ''): [path: string, text: string][] {
  return Object.entries(table).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : flat(value, `${path}${key}.`),
  );
}

const english = new Map(flat(en));
const complete = ['de', 'fr'] as const;
const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe('labels', () => {
  it('exist in English, German and French; the other document locales fall back to English', () => {
    const missing = Object.fromEntries(
      documentLocales.map(tag => {
        const own = new Map(flat(translations[tag] ?? {}));
        const left = [...english.keys()].filter(path => !own.has(path));
        return [tag, left.length === english.size ? 'all' : left];
      }),
    );
    expect(missing).toEqual({
      ...{ en: [], fr: [], de: [] },
      ...{ nb: 'all', it: 'all', es: 'all', sv: 'all', 'pt-BR': 'all', 'zh-TW': 'all' },
    });
  });

  it.each(complete)('have no text in %s that is not in English too, and the same values in each', language => {
    for (const [path, text] of flat(translations[language] ?? {})) {
      expect(english.has(path), path).toBe(true);
      // A form for one may leave the number out.
      if (/_(one|other)$/.test(path)) continue;
      expect([path, placeholders(text)]).toEqual([path, placeholders(english.get(path) ?? '')]);
    }
  });

  it('are written as each language writes: no straight apostrophe, and in French a narrow space before : ; ! ?', () => {
    for (const language of ['en', ...complete] as const)
      for (const [path, text] of flat(translations[language] ?? {})) {
        expect(text, path).not.toMatch(/['"]|\.\.\.|^ | $/);
        if (language === 'fr') expect(text, path).not.toMatch(/[^\u202f][:;!?](?!\/\/)/);
      }
  });

  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr-CA', 'fr'],
    ['en-GB', 'en'],
    ['nb', 'en'],
    ['zh-TW', 'en'],
    ['constructor', 'en'],
  ])('of the locale %s are those of %s', (locale, language) => {
    expect(labelLanguage(locale)).toBe(language);
    expect(labelsOf('pages', locale).bridge.waiting).toBe(labelsOf('pages', language).bridge.waiting);
  });
});

describe('the labels of pages', () => {
  const scripts = readdirSync('src/views').filter(name => name.endsWith('.js'));
  const sourceOf = (name: string) => readFileSync(`src/views/${name}`, 'utf8').replace(/^ *(\/\*|\*|\/\/).*$/gm, '');

  it('are all used by their script, and all that a script uses exist', () => {
    for (const script of scripts) {
      const source = sourceOf(script);
      const own: Table = ((en.pages as Table)[script.replace('.js', '')] as Table) ?? {};
      const keys = Object.keys(own).map(key => key.replace(/_(one|other)$/, ''));
      const used = [...source.matchAll(/\blabel\(\s*'(\w+)'/g)].map(([, key]) => key as string);
      const kinds = [...source.matchAll(/\bword\(\s*'(\w+)'/g)].map(([, kind]) => kind as string);
      for (const key of used) expect(keys, `${script}: label ${key}`).toContain(key);
      const dead = keys.filter(key => !used.includes(key) && !kinds.some(kind => key.startsWith(`${kind}_`)));
      expect(dead, script).toEqual([]);
    }
  });

  it.each(views.map(view => [view.uri, view] as const))('%s: no key stands in two of its scripts', (_, view) => {
    const names = ['format', 'bridge', ...view.scripts.map(name => name.replace('.js', ''))];
    const keys = names.flatMap(name => Object.keys((en.pages as Table)[name] ?? {}));
    expect(new Set(keys).size).toBe(keys.length);
    expect(Object.keys(pageLabels(names).de ?? {}).sort()).toEqual([...keys].sort());
  });
});
