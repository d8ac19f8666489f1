/** Finds numbers in a text in any usual way of writing them. Values are decimal texts: nothing becomes a binary float. */

export interface FoundNumber {
  /** Its possible values: "1,234" is 1234 or 1.234. Without signs, without zeros that say nothing. */
  values: readonly string[];
  /** What stands directly before and after it, a sign left out. */
  before: string;
  after: string;
  percent: boolean;
}

/** Digits, with at most one separator between two of them. */
const runs = /\d+(?:[.,' ]\d+)*/g;
const nearby = 16;
/** No figure of an account is longer; longer ones of an answer are not read. */
const longestNumber = 40;

/**
 * All numbers of a text that `plain` made, except inside ids, addresses, versions, dates and times: it finds nothing in
 * `SKY-US-001`, `2026-03-15`, `10:30` and `#16500`. Groups have three digits; `1.2k` and "two" are no numbers.
 */
export function numbersIn(text: string): FoundNumber[] {
  return [...text.matchAll(runs)].flatMap(({ 0: run, index }) =>
    parts(run).flatMap(({ digits, at }) => {
      const values = readings(digits);
      const start = index + at;
      const end = start + digits.length;
      const before = text.slice(Math.max(0, start - nearby), start);
      const after = text.slice(end, end + nearby);
      if (values.length === 0 || isInside(before, after)) return [];
      return [{ values, before: before.replace(/[-+]?$/, ''), after, percent: /^ ?%/.test(after) }];
    }),
  );
}

/** `1234.50` as `1234.5`; `007` as `7`. */
export function plainDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^[-+]/, '').split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`;
}

/** Spaces that divide groups of three digits belong to a number; others part two numbers. */
function parts(run: string): { digits: string; at: number }[] {
  return [...run.matchAll(/\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+(?![.,'\d]))?|[^ ]+/g)].map(({ 0: digits, index }) => ({
    digits,
    at: index,
  }));
}

function readings(digits: string): string[] {
  if (digits.length > longestNumber) return [];
  const separators = digits.match(/[^\d]/g) ?? [];
  const last = separators.at(-1);
  if (last === undefined) return [plainDecimal(digits)];
  const groups = digits.split(/[^\d]/);
  const grouped = (list: readonly string[]) =>
    (list[0]?.length ?? 0) <= 3 && list.slice(1).every(group => group.length === 3);
  const others = separators.slice(0, -1);
  const isOneKind = others.every(other => other === others[0]);
  const values: string[] = [];
  // The last separator may begin a fraction, if one other kind of separator divides all groups before it.
  if (/[.,]/.test(last) && isOneKind && others[0] !== last && (others.length === 0 || grouped(groups.slice(0, -1)))) {
    values.push(plainDecimal(`${groups.slice(0, -1).join('')}.${groups.at(-1)}`));
  }
  if (separators.every(each => each === last) && grouped(groups) && !/^0/.test(digits)) {
    values.push(plainDecimal(groups.join('')));
  }
  return values;
}

/** Is the number a part of something that is no number? A currency may stand directly next to it: `USD5`, `5€`. */
function isInside(before: string, after: string): boolean {
  if (/[\p{L}\d_][-/.]$|\d[:,']$|[#_]$/u.test(before)) return true;
  if (/^\p{L}+[\d_-]|^_/u.test(after)) return true;
  return /^[/:.,]\d|^-[\p{L}\d]/u.test(after) && !/\p{Sc} ?[-+]?$/u.test(before);
}
