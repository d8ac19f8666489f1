/**
 * Text in lines of at most `columns` characters, broken between words and between the members of JSON; every line after
 * the first begins with `indent`. A word that is longer than a line stays whole.
 */
export function wrap(text: string, columns: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const part of text.split(/(?<= )(?=[^ ])|(?<=,)(?=["{[])/)) {
    if (line.trim() !== '' && (line + part).trimEnd().length > columns) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += part;
  }
  return [...lines, line].join('\n');
}
