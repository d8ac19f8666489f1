/** The skills of the package, `skills/NAME/SKILL.md`: what people put into their assistants, and the server's prompts. */
import { readFileSync } from 'node:fs';

export interface Skill {
  title: string;
  description: string;
  /** The tools without which it is of no use. */
  needs: readonly string[];
  body: string;
}

/** From the sources, or from a folder of `dist`. */
const root = import.meta.url.endsWith('.ts') ? '../../..' : '../..';
export const skillsFolder = new URL(`${root}/skills/`, import.meta.url);

export function readSkill(folder: string): Skill {
  const { field, body } = skillIn(readFileSync(new URL(`${folder}/SKILL.md`, skillsFolder), 'utf8'));
  const title = /^# (.*)$/m.exec(body)?.[1] ?? folder;
  return { title, description: field('description'), needs: toolWords(field('needs')), body: body.trim() };
}

/** The fields at the top of a SKILL.md, by name, and what follows them. */
export function skillIn(text: string): { field(name: string): string; body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r', '')) ?? [];
  return { field: name => new RegExp(`^ *${name}: (.*)$`, 'm').exec(head)?.[1] ?? '', body };
}

/** Without the points that name a tool which the caller is not offered; it says so then. */
export function skillText({ body }: Skill, offers: (word: string) => boolean): string {
  const point = /^ *(?:-|\d+\.) /;
  const lines = body.split('\n');
  const left = lines
    .filter(line => !point.test(line) || toolWords(line).every(offers))
    .filter((line, index, all) => !/^\d+\. .*:$/.test(line) || /^ +- /.test(all[index + 1] ?? ''));
  if (left.length === lines.length) return body;
  return `${left.join('\n')}\n\nWhat needs tools that you are not offered is left out above: where the answer needs it, say that it could not be looked up or changed here.`;
}

/** The words of a text that may be names of tools. */
export function toolWords(text: string): readonly string[] {
  return text.match(/[a-z]+(?:_[a-z]+)+/g) ?? [];
}
