// What a summary says and its page does not: a page never states less than the sentence next to it.

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\\b';
const range = new RegExp(`\\b(\\d{1,2})\\s*–\\s*(\\d{1,2} (${month}))`, 'g');
const figure = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])[-−]?(?:(?:[A-Z]{1,3})?\\p{Sc}\\s?)?\\d[\\d,]*(?:[.:]\\d+)*(?: ${month})?(?![\\p{L}_]|-[\\p{L}\\d])`,
  'gu',
);
const names = /“[^”]*”/g;

/** Amounts, counts, days and times of an English text, without signs. What is part of a name or an id is none. */
export function figuresOf(text) {
  const found = text.replace(/\s+/g, ' ').replace(range, '$1 $3 – $2').match(figure);
  return (found ?? []).map(each => each.replace(/^[-−]|[\s,]+$/g, '').replace(/\s/g, ' '));
}

/** A text's sentences; a full stop inside a name ends none. */
export function sentencesOf(text) {
  return text.match(/(?:“[^”]*”|[^.?!“]|[.?!](?!\s|$)|“)+[.?!]*/g)?.map(each => each.trim()) ?? [];
}

/** A sentence without figures, or one that denies something, is in its words alone. */
const denial = /\b(no|not|none|nothing)\b/i;
/** How many a sentence leaves out, which the page lists or counts. */
const cut = /;? and [\d,]+ more(?=[.;]?$)/;
const zone = /\b[A-Z]\w+\/(?=[A-Z])/g;

/**
 * The sentences of which the page lacks a figure, or too many of the words of four letters and more.
 * @param {string} summary
 * @param {string} page its texts, in English
 */
export function untold(summary, page) {
  const drawn = new Set(figuresOf(page));
  const words = page.toLowerCase();
  return sentencesOf(summary).filter(sentence => {
    const figures = figuresOf(sentence.replace(names, ' ').replace(cut, ''));
    if (!figures.every(each => drawn.has(each))) return true;
    const spoken =
      sentence
        .replace(zone, '')
        .toLowerCase()
        .match(/[\p{L}\p{N}-]{4,}/gu) ?? [];
    const lacking = spoken.filter(word => !words.includes(word)).length;
    return lacking > spoken.length * (figures.length && !denial.test(sentence) ? 0.5 : 0.25);
  });
}
