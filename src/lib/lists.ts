/** Lists in a sentence. */

const formats = new Map<'and' | 'or', Intl.ListFormat>();

/** `a, b and c`; empty for an empty list. */
export function allOf(texts: Iterable<string>): string {
  return formatOf('and').format(texts);
}

/** `a, b or c`; empty for an empty list. */
export function anyOf(texts: Iterable<string>): string {
  return formatOf('or').format(texts);
}

/** Made when first needed: a start needs none. British English has no comma before the last word. */
function formatOf(word: 'and' | 'or'): Intl.ListFormat {
  let format = formats.get(word);
  if (format === undefined) {
    format = new Intl.ListFormat('en-GB', { type: word === 'and' ? 'conjunction' : 'disjunction' });
    formats.set(word, format);
  }
  return format;
}
