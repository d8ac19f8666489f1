/** The beginning of a text, of at most so many UTF-16 units. It never ends in half a character, such as of an emoji. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
