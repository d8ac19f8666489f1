/** How people write a currency next to an amount. */
import { currencies } from '../../contract/codes.ts';
import { formatMoney } from '../../words/money.ts';

const codes: ReadonlySet<string> = new Set(currencies);
const locales = ['en', 'de', 'de-CH', 'fr', 'es', 'it', 'nl', 'ja'];
const marksByCurrency = new Map<string, ReadonlySet<string>>();

/** What stands next to an amount: a mark of the currency, one of another, or none. */
export function markBeside(before: string, after: string, currency: string): 'same' | 'other' | 'none' {
  const marks = marksOf(currency);
  const beside = [wordBefore(before), wordAfter(after)].filter(word => word !== '');
  if (beside.some(word => marks.has(word) || marks.has(word.toLowerCase()))) return 'same';
  return beside.some(word => /\p{Sc}/u.test(word) || codes.has(word)) ? 'other' : 'none';
}

/** Is the number directly attached to Latin letters that are no currency, as in `5kg` and `v5`? */
export function isAttachedToWord(before: string, after: string): boolean {
  const attached = [/[\p{Script=Latin}.]+$/u.exec(before)?.[0], /^\p{Script=Latin}+/u.exec(after)?.[0]];
  return attached.some(word => word !== undefined && /\p{L}/u.test(word) && !isMark(word));
}

function isMark(word: string): boolean {
  return codes.has(word) || /^(?:kr\.?|fr\.?|zł|kč|ft|lei|kd|bd|jd|rs\.?|s\/\.?)$/i.test(word);
}

function wordBefore(before: string): string {
  const sign = /\p{Script=Latin}{0,3}\p{Sc}\p{Script=Latin}{0,2}/u.source;
  return new RegExp(`(${sign}|[\\p{Script=Latin}.]{1,12}) ?[-+(]? ?$`, 'u').exec(before)?.[1] ?? '';
}

/** A sign directly before the next number belongs to that number. */
function wordAfter(after: string): string {
  const word =
    /^ ?(?:([円元])|(\p{Script=Latin}{0,3}\p{Sc}\p{Script=Latin}{0,2}|\p{Script=Latin}{1,12})(?![\p{Script=Latin}\p{Sc}])(?! ?[-+]?\d))/u;
  const [, ideograph, other] = word.exec(after) ?? [];
  return ideograph ?? other ?? '';
}

/** Its code, its signs and names in the usual languages, and our own sign: `USD`, `$`, `US$`, `$US`, `dollars`. */
function marksOf(currency: string): ReadonlySet<string> {
  const known = marksByCurrency.get(currency);
  if (known) return known;
  const shown = (locale: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name', amount: number) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay })
      .formatToParts(amount)
      .find(({ type }) => type === 'currency')?.value ?? '';
  const signs = locales.flatMap(locale => [shown(locale, 'symbol', 1), shown(locale, 'narrowSymbol', 1)]);
  const names = ['en', 'de', 'ja'].flatMap(locale => [shown(locale, 'name', 1), shown(locale, 'name', 2)]);
  const ourSign = formatMoney(1, currency).replace(/[\d.,\s]/g, '');
  const lastWords = names.map(name => name.toLowerCase().split(/[ -]/).at(-1) ?? '');
  const all = [
    currency,
    currency.toLowerCase(),
    ourSign,
    `${currency.slice(0, 2)}${shown('en', 'narrowSymbol', 1)}`,
    ...lastWords,
    ...signs.map(sign => sign.normalize('NFKC').trim()),
  ];
  const marks = new Set(all.filter(mark => mark !== ''));
  marksByCurrency.set(currency, marks);
  return marks;
}
