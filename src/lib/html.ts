/** Pages of HTML that are whole without a script. */

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}

/** A whole page of parts that are HTML already. `head`: lines of its head before the title. */
export function htmlPage(parts: {
  language: string;
  title: string;
  head?: string;
  style: string;
  body: string;
}): string {
  return `<!doctype html>
<html lang="${parts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${parts.head ?? ''}<title>${parts.title}</title>
<style>${parts.style}</style>
</head>
<body>
${parts.body}
</body>
</html>
`;
}
