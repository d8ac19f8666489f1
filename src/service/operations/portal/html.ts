/** Makes HTML in which text from records stays text: a template escapes each value that is not HTML already. */

export interface Html {
  readonly html: string;
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** html`<p>${name}</p>`: text is escaped, HTML stays as it is, lists are joined, null and false are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: strings.map((text, i) => text + markup(parts[i])).join('') };
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
