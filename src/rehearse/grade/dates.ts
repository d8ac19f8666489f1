/** Finds a day in a text in any usual way of writing it, in English, German, French and in digits. */
import { folded } from '../../lib/case-folding.ts';

const languages = ['en', 'de', 'fr'];
const namesByMonth = new Map<number, string>();

/**
 * Does the text, made by `plain`, name the day `yyyy-mm-dd`? With or without the year; another year behind it makes it another
 * day. In digits the year must be there, but for the German `1.5.`: `2026-05-01`, `1.5.26`, `05/01/2026` as the first of May or
 * the fifth of January.
 */
export function namesDay(text: string, date: string): boolean {
  const [year = '', month = '', day = ''] = date.split('-');
  const [m, d] = [Number(month), Number(day)];
  const two = (number: number) => `(?:0?${number})`;
  const digits = [
    `${year}([-/.])${two(m)}\\1${two(d)}`,
    `(?:${two(d)}([-/.])${two(m)}|${two(m)}([-/.])${two(d)})[-/.](?:${year}|${year.slice(2)})`,
    `(?<!\\.)${two(d)}\\.${two(m)}\\.(?! ?\\d)`,
    `(?:${year}年)? ?${two(m)}月${two(d)}日`,
  ];
  const name = `(?:${monthNames(m)})\\.?`;
  const behind = `(?:[,-]? ?(?:of )?${year}(?!\\d)|(?![,-]? ?(?:of )?(?:19|20)\\d\\d(?!\\d)))`;
  const words = [
    `${two(d)}(?:st|nd|rd|th|er|\\.)?,?[ -]?(?:of |de )?${name}(?!\\p{L})${behind}`,
    `(?<!\\p{L})${name}[ -]?(?:the )?${two(d)}(?:st|nd|rd|th)?(?!\\d)${behind}`,
  ];
  const all = [...digits.map(each => `${each}(?!\\d)`), ...words].map(each => `(?<![\\d-])${each}`);
  // Each is tried by itself: their groups have numbers of their own.
  return all.some(each => new RegExp(each, 'u').test(folded(text)));
}

/** Long and short names, the longest first: `january|januar|janvier|janv|jan|jän`. */
function monthNames(month: number): string {
  const known = namesByMonth.get(month);
  if (known) return known;
  const date = new Date(Date.UTC(2024, month - 1, 15));
  const names = languages.flatMap(locale =>
    (['long', 'short'] as const).flatMap(style =>
      // With a day some languages inflect the name.
      [{ month: style }, { month: style, day: 'numeric' } as const].map(
        options =>
          new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
            .formatToParts(date)
            .find(({ type }) => type === 'month')?.value ?? '',
      ),
    ),
  );
  const spoken = [...names, ...(month === 9 ? ['sept'] : [])].map(name => folded(name).replace(/\.$/, ''));
  const joined = [...new Set(spoken)].sort((a, b) => b.length - a.length).join('|');
  namesByMonth.set(month, joined);
  return joined;
}
