/** Texts in sentences and lists: cut, quoted, compared, joined. */

/** The beginning of a text, of at most so many UTF-16 units. It never ends in half a character, such as of an emoji. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** A value for use in a message: short, quoted. */
export function quotedValue(value: unknown): string {
  const plain = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return JSON.stringify(plain.length > 60 ? `${cutText(plain, 59)}…` : plain);
}

/** For sorting: a negative number when `a` comes first, 0 when equal. Compares by UTF-16 units, so instants by time. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `a, b and c`; empty for an empty list. */
export function allOf(texts: Iterable<string>): string {
  return listOf([...texts], 'and');
}

/** `a, b or c`; empty for an empty list. */
export function anyOf(texts: Iterable<string>): string {
  return listOf([...texts], 'or');
}

/** By hand, because `Intl.ListFormat` took a thirtieth of a call. British English has no comma before the last word. */
function listOf(texts: readonly string[], word: string): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${word} ${last}`;
}
