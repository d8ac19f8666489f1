/**
 * The texts of pages that people read, in their language: one file a language. The portal and the pages in the chat use
 * them; the sentences of tools are English, because assistants translate them.
 */
import type { DocumentLocale } from '../model/enums.ts';
import { de } from './de.ts';
import { en, type Labels, type Translation } from './en.ts';
import { fr } from './fr.ts';

/** The languages that have a file. The other document locales (service-behaviour §2) fall back to English. */
export const translations: { readonly [tag in DocumentLocale]?: Translation } = { en, de, fr };

/**
 * The language of labels for a locale such as `de-AT`: the locale itself, else its language, else English.
 * Only languages with a file are returned.
 */
export function labelLanguage(locale: string): DocumentLocale {
  const wanted = [locale, locale.split('-')[0]] as string[];
  const found = wanted.find(tag => Object.hasOwn(translations, tag));
  return (found ?? 'en') as DocumentLocale;
}

/** Whether a locale has labels of its own language; a text that is no locale has none. */
export function isTranslated(locale: string): boolean {
  return labelLanguage(locale) !== 'en' || /^en(-[A-Za-z]{2})?$/.test(locale);
}

/** A part of the labels in one language; what is not translated is in English. */
export function labelsOf<Part extends keyof Labels>(part: Part, locale: string): Labels[Part] {
  const translated = translations[labelLanguage(locale)]?.[part];
  return { ...en[part], ...translated };
}

/** Without the ending of a plural form: `credits` for `credits_one` and `credits_other`. */
type KeyOf<Table> = { [Key in keyof Table]: Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key }[keyof Table];

/** Values that a label's `{name}` are replaced by. With a `count`, a number or decimal text, it is the form for that number. */
export type LabelValues = { readonly [name: string]: string | number };
export type Say<Part extends keyof Labels> = (key: KeyOf<Labels[Part]>, values?: LabelValues) => string;

/** Labels of a part with their values filled in, the count as the locale writes numbers. */
export function sayIn<Part extends 'portal'>(part: Part, locale: string): Say<Part> {
  const labels: { readonly [key: string]: string } = labelsOf(part, locale);
  const plural = new Intl.PluralRules(labelLanguage(locale));
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 15 });
  return (key, values = {}) => {
    const form = values.count === undefined ? key : `${String(key)}_${plural.select(Number(values.count))}`;
    const text = labels[form as string] ?? labels[`${String(key)}_other`] ?? '';
    return text.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'count' ? number.format(values.count as `${number}`) : String(values[name]),
    );
  };
}

/** By language, what the page of these scripts (file names without `.js`) shows: the labels of all of them in one table. */
export function pageLabels(scripts: readonly string[]): { [language: string]: { [key: string]: string } } {
  const entries = Object.entries(translations).map(([language, { pages = {} }]) => {
    const parts = scripts.map(script => pages[script as keyof typeof pages] ?? {});
    return [language, Object.assign({}, ...parts)] as const;
  });
  return Object.fromEntries(entries);
}
