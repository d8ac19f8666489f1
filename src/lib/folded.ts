/** As searches of the billing API compare: without case, and a final sigma equals any other (docs/lookups.md §14). */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** As people read a name: white space of any kind and length is one space, and a letter with its marks is one letter. */
export function asRead(name: string): string {
  return folded(name.normalize('NFC').replace(/\s+/g, ' ').trim());
}

/** The longest part of a name that is written in one way only: no white space, and no letter that can be decomposed. */
export function steadyPart(name: string): string {
  const letters = [...name.normalize('NFC')].map(letter => (letter.normalize('NFD') === letter ? letter : ' '));
  const parts = letters.join('').split(/[\s\p{M}]+/u);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
