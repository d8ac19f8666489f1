/** The README in the parts that can promise something: sentences, rows of tables, commands, samples. */

/** Tables that `npm run docs` writes: their rows are tools. */
const generated = /<!-- (\w+) -->[\s\S]*?<!-- \/\1 -->/g;
const block = /^```(\w*)\n([\s\S]*?)\n```$/;

/** By the heading above them. Headings, headers of tables, pictures and lines of nothing but links are none. */
export function unitsOf(readme: string): { heading: string; text: string }[] {
  let heading = '';
  return paragraphs(readme.replace(generated, '')).flatMap(paragraph => {
    const [, title] = /^#+ (.*)$/.exec(paragraph) ?? [];
    if (title !== undefined) heading = title;
    return title === undefined ? partsOf(paragraph).map(text => ({ heading, text })) : [];
  });
}

/** Blocks of code are whole, whatever blank lines they hold. */
function paragraphs(text: string): string[] {
  return text
    .split(/^(```[\s\S]*?^```)$/m)
    .flatMap(part => (part.startsWith('```') ? [part] : part.split(/\n\s*\n/)))
    .map(part => part.trim())
    .filter(Boolean);
}

function partsOf(paragraph: string): string[] {
  const [, language, code = ''] = block.exec(paragraph) ?? [];
  // A sample is one thing, commands are one each.
  if (language !== undefined)
    return code
      .split('\n')
      .slice(0, language === 'sh' ? undefined : 1)
      .filter(Boolean);
  if (/^\|/.test(paragraph))
    return paragraph
      .split('\n')
      .slice(2)
      .map(row => plain(row.replace(/^\| | \|$/g, '')));
  const items = paragraph.split(/^(?:\d+\.|-|>) ?/m).map(item => plain(item.replaceAll('\n', ' ')).trim());
  // What somebody says is one thing.
  return paragraph.startsWith('>') ? items.filter(Boolean) : items.flatMap(sentences);
}

/** Without links, pictures and bold letters. Nothing is left of a line that holds only links. */
function plain(text: string): string {
  const words = text.replace(/!?\[[^\]]*\]\([^)]*\)/g, '');
  if (!/\w/.test(words)) return '';
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '');
}

/** What is in code does not end a sentence. */
function sentences(text: string): string[] {
  const masked = text.replace(/`[^`]*`/g, code => '`'.repeat(code.length));
  const ends = [...masked.matchAll(/[.!?]”? +(?=[A-Z`“])/g)].map(({ index, 0: end }) => index + end.length);
  return [0, ...ends].map((from, position) => text.slice(from, ends[position]).trim()).filter(Boolean);
}
