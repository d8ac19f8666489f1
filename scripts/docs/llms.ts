/** llms.txt: what the project is and where what is written, for models that read about it (llmstxt.org). */
import type { Release } from '../package/release-file.ts';

/** `pages`: paths and texts of the documents, README.md first. */
export function llmsText(pages: readonly (readonly [path: string, text: string])[], { repository }: Release): string {
  const [[, readme = ''] = ['', '']] = pages;
  const at = (path: string) => (repository ? `${repository}/blob/main/${path}` : path);
  const line = ([path, text]: readonly [string, string]) => `- [${titleOf(text)}](${at(path)}): ${firstSentence(text)}`;
  const under = (folder: string) => pages.filter(([path]) => path.startsWith(`${folder}/`)).map(line);
  return [
    `# ${titleOf(readme)}`,
    '',
    `> ${paragraph(readme)}`,
    '',
    '## Documents',
    '',
    ...under('docs'),
    '',
    '## Skills',
    '',
    ...under('skills'),
    '',
  ].join('\n');
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? '';
}

/** The first one that is prose, without links and marks of code. */
function paragraph(text: string): string {
  const body = text.slice(text.search(/^# /m));
  const first = body.split(/\n{2,}/).find(part => /^[A-Z`[*“]/.test(part)) ?? '';
  return first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll('\n', ' ');
}

function firstSentence(text: string): string {
  return paragraph(text).split(/(?<=[.:]) (?=[A-Z`“])/)[0] ?? '';
}
