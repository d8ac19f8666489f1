/** As searches of the billing API compare: without case, and a final sigma equals any other (docs/lookups.md §14). */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Whether a text contains a part that is folded already; false for any other value. */
export function holds(value: unknown, part: string): boolean {
  return typeof value === 'string' && folded(value).includes(part);
}

/** As people read a name: white space of any kind and length is one space, and a letter with its marks is one letter. */
export function asRead(name: string): string {
  return folded(name.normalize('NFC').replace(/\s+/g, ' ').trim());
}

/** The longest part of a name that is written in one way only: no white space, and no letter that can be decomposed. */
export function steadyPart(name: string): string {
  return steadyParts(name)[0] ?? '';
}

/** Every such part, the longest first. */
export function steadyParts(name: string): string[] {
  const letters = [...name.normalize('NFC')].map(letter => (letter.normalize('NFD') === letter ? letter : ' '));
  const parts = letters.join('').split(/[\s\p{M}]+/u);
  return [...new Set(parts.filter(part => part !== ''))].sort((a, b) => b.length - a.length);
}

/** A name as the service may have stored it, for a search that compares letters: composed and decomposed. */
export function writtenForms(name: string): string[] {
  return [...new Set([name.normalize('NFC'), name.normalize('NFD')])];
}
