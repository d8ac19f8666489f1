/**
 * The texts that people read on pages, in their language: one file a language. Chat pages and approval pages
 * use them; the sentences of tools are English, because assistants translate them.
 *
 * `en.json` has every label. `{name}` in a label is replaced by a value; a label with a count has a singular and
 * a plural: `credits_one`, `credits_other`.
 */
import { readFileSync } from 'node:fs';
import type { DocumentLocale } from '../enums.ts';

/** Labels by part: the approval pages, each chat page, and what chat pages share. */
type Labels = typeof import('./en.json');
type Table = Readonly<Record<string, string>>;

/** The languages that have a file. The other document locales (service-behaviour §2) fall back to English. */
export const translated = ['en', 'de', 'fr'] as const satisfies readonly DocumentLocale[];
export type Language = (typeof translated)[number];

/** The language of the labels for a locale such as `de-AT`; undefined for one that has none, or is no locale. */
export function languageOf(locale: string): Language | undefined {
  const [, spoken] = /^([a-z]{2,3})(?:-[A-Za-z\d-]+)?$/i.exec(locale) ?? [];
  return translated.find(language => language === spoken?.toLowerCase());
}

/** Of the translated languages, the one that a browser prefers by `Accept-Language`; English where it names none. */
export function languageAccepted(header = ''): Language {
  const ranges = header.split(',').flatMap(entry => {
    // An entry that is not a language range is ignored.
    const [, range, q = '1'] = /^\s*([\w*-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(entry) ?? [];
    return range === undefined ? [] : [{ language: range === '*' ? ('*' as const) : languageOf(range), q: Number(q) }];
  });
  const named = (language: Language) => ranges.some(range => range.language === language);
  const wanted = ranges.filter(({ q }) => q > 0).sort((one, other) => other.q - one.q);
  for (const range of wanted) {
    // `*` is any language that the header does not name; it names those that it refuses, too.
    const language = range.language === '*' ? translated.find(each => !named(each)) : range.language;
    if (language !== undefined) return language;
  }
  return 'en';
}

/** All labels of a language, without those that are not translated. The file is read once, at the first call. */
export function labelsIn(language: Language): Readonly<Record<string, Table>> {
  let labels = files.get(language);
  if (labels === undefined) {
    // In the package, too, the files are in `labels/`, next to the folder of this code.
    const text = readFileSync(new URL(`../labels/${language}.json`, import.meta.url), 'utf8');
    labels = JSON.parse(text) as Record<string, Table>;
    files.set(language, labels);
  }
  return labels;
}

const files = new Map<Language, Record<string, Table>>();

/** By language, one table of the parts' labels; of equal keys the later part's is taken. Only English has all labels. */
export function tablesOf(parts: readonly string[]): Record<Language, Table> {
  const tables = translated.map(language => {
    const labels = labelsIn(language);
    return [language, Object.assign({}, ...parts.map(part => labels[part]))] as const;
  });
  return Object.fromEntries(tables) as Record<Language, Table>;
}

/** A label with its values filled in. */
export type Say<Part extends keyof Labels> = (
  key: keyof Labels[Part],
  values?: { readonly [name: string]: string | number },
) => string;

/** The labels of a part in a language. */
export function sayIn<Part extends keyof Labels>(part: Part, language: Language): Say<Part> {
  const labels: Table = { ...labelsIn('en')[part as string], ...labelsIn(language)[part as string] };
  return (key, values = {}) =>
    (labels[String(key)] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
