/** The facts of a sentence: a test that compares them lets its words change. */

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\b';
const range = new RegExp(`\\b(\\d{1,2})\\s*–\\s*(\\d{1,2} (${month}))`, 'g');
const figure = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])[-−]?(?:(?:[A-Z]{1,3})?\\p{Sc}\\s?)?\\d[\\d,]*(?:[.:]\\d+)*(?: ${month})?(?![\\p{L}_]|-[\\p{L}\\d])`,
  'gu',
);

/** Names, codes, amounts, counts and dates in their order: `“Acme” · (acme) · $12.00 · 31 Jan`. Empty for no text. */
export function factsOf(text: string | null | undefined): string {
  const parts = (text ?? '').split(/(“[^”]*”|\([\w.-]+\)|\b[A-Za-z][\w-]*[_\d][\w-]*\b)/);
  const figuresOf = (part: string) =>
    (part.replace(/\s+/g, ' ').replace(range, '$1 $3 – $2').match(figure) ?? []).map(each =>
      each.replace(/^[-−]|[\s,]+$/g, '').replace(/\s/g, ' '),
    );
  return parts.flatMap((part, i) => (i % 2 === 1 ? [part] : figuresOf(part))).join(' · ');
}
