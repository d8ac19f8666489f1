/** Makes HTML in which text from records stays text: a template escapes each value that is not HTML already. */

export interface Html {
  readonly html: string;
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** html`<p>${name}</p>`: text is escaped, HTML stays as it is, lists are joined, null and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.map((text, i) => text + markup(parts[i])).join('') };
}

/** A figure, date or number, which no line end divides; in text of the other direction it keeps its order. */
export function figure(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** A number of a document or telephone: on one line, unless it is longer than a phone is wide. */
export function unbroken(number: string): Html {
  return number.length > LONGEST_UNBROKEN ? html`${number}` : figure(number);
}

const LONGEST_UNBROKEN = 24;

/** Without its elements, for where only text may stand. */
export function plain({ html: markup }: Html): Html {
  return { html: markup.replace(/<[^>]*>/g, '') };
}

/** The parts that are not empty, with the separator between them. */
export function joined(parts: readonly Part[], separator: Part): Html {
  const filled = parts.filter(part => part !== null && part !== undefined && part !== false && part !== '');
  return html`${filled.map((part, i) => html`${i > 0 && separator}${part}`)}`;
}

function markup(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map(markup).join('');
}

const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  // biome-ignore lint/style/noNonNullAssertion: the pattern holds just these characters
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}
