/**
 * The skills of the package as resources (SEP-2640, the extension `io.modelcontextprotocol/skills`): `skills/list`, `skills/get`
 * and `resources/directory/read`. Files are served byte for byte, because each entry has their digests.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Resource } from '@modelcontextprotocol/server';
import { skillIn, skillsFolder, toolWords } from './skills.ts';

const scheme = 'skill://';
const manifest = '/SKILL.md';
const markdown = 'text/markdown';

let kept: ReturnType<typeof readCatalog> | undefined;

/** Read once: the files are those of the package. */
function catalog() {
  kept ??= readCatalog();
  return kept;
}

function readCatalog() {
  const paths = readdirSync(skillsFolder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(skillsFolder.pathname.length)}/${name}`.replace(/^\/+/, ''))
    .sort();
  const files = new Map(paths.map(path => [scheme + path, readFileSync(new URL(path, skillsFolder), 'utf8')]));
  const entries = [...files].filter(([uri]) => uri.endsWith(manifest)).map(([uri, text]) => entryOf(uri, text, files));
  return { files, entries };
}

/** A skill as the extension lists it. `uri`: of its SKILL.md; `frontmatter`: the YAML at its top, as JSON. */
function entryOf(uri: string, text: string, files: ReadonlyMap<string, string>) {
  const { field } = skillIn(text);
  const folder = uri.slice(0, -manifest.length);
  const inFolder = [...files].filter(([other]) => other.startsWith(`${folder}/`));
  return {
    uri,
    frontmatter: { name: field('name'), description: field('description'), metadata: { needs: field('needs') } },
    resources: inFolder.map(([file, content]) => ({
      uri: file,
      digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
      size: Buffer.byteLength(content),
    })),
  };
}

/** The skills for a caller: none that needs a tool which the caller is not offered. */
export function skillEntries(offers: (word: string) => boolean): ReturnType<typeof entryOf>[] {
  return catalog().entries.filter(({ frontmatter }) => toolWords(frontmatter.metadata.needs).every(offers));
}

/** The files of skills in the list of resources: their SKILL.md. */
export function skillResources(): Resource[] {
  return catalog().entries.map(({ uri, frontmatter: { name, description }, resources }) => {
    const size = resources.find(file => file.uri === uri)?.size ?? 0;
    return { uri, name, description, mimeType: markdown, size };
  });
}

/** A file of a skill; undefined where there is none at the address. */
export function readSkillFile(uri: string): { mimeType: string; text: string } | undefined {
  const text = uri.startsWith(scheme) ? catalog().files.get(uri) : undefined;
  return text === undefined ? undefined : { mimeType: markdown, text };
}

/** The files and folders in a folder of a skill; undefined where the address is none. */
export function readSkillFolder(uri: string): Resource[] | undefined {
  const folder = `${uri.replace(/\/$/, '')}/`;
  const inside = [...catalog().files].filter(([file]) => file.startsWith(folder) && folder !== scheme);
  if (inside.length === 0) return undefined;
  const names = new Set(inside.map(([file]) => file.slice(folder.length).split('/')[0] ?? ''));
  return [...names].map(name => {
    const text = catalog().files.get(folder + name);
    return text === undefined
      ? { uri: folder + name, name, mimeType: 'inode/directory' }
      : { uri: folder + name, name, mimeType: markdown, size: Buffer.byteLength(text) };
  });
}
