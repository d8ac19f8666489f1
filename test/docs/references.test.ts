/** Everything that sources and documents cite exists: sections, headings, operations, files. Needs git, else skipped. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' });
const available = listed.status === 0;
if (!available && process.env.CI) throw new Error(`git cannot list the files: ${listed.stderr}`);
if (!available) console.error('\n!!! CITATIONS ARE NOT CHECKED: there is no git here, or this is no clone\n');

const files = (listed.stdout ?? '')
  .split('\n')
  .filter(name => /\.(ts|mjs|js|md)$/.test(name) && name !== 'test/docs/references.test.ts' && existsSync(name));
const text = (name: string) => readFileSync(name, 'utf8');
const headings = (name: string) => [...text(name).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!);
const sections = (name: string) => new Set(headings(name).map(heading => /^\d+(\.\d+)*/.exec(heading)?.[0]));
/** The name that a heading has in a link. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

test.runIf(available)('every section that is cited exists', () => {
  const behaviour = sections('docs/service-behaviour.md');
  const lookups = sections('docs/lookups.md');
  const cited = files.flatMap(name =>
    [...text(name).matchAll(/§ ?(\d+(?:\.\d+)*)/g)]
      .map(({ 0: match, 1: section, index, input }) => {
        const before = input
          .slice(Math.max(0, index - 30), index)
          .split('\n')
          .at(-1);
        return [match, before, section] as const;
      })
      .filter(([, before]) => !/RFC \d+,? ?(§[\d.]+,? ?)?$/.test(before!))
      .map(([match, before, section]) => {
        const named = /(service-behaviour|lookups)[^§]*$/.exec(before!)?.[1] ?? name;
        const lookedUp = named === 'lookups' || named === 'docs/lookups.md';
        return { where: `${name}: ${before}${match}`, found: (lookedUp ? lookups : behaviour).has(section!) };
      }),
  );
  expect(cited.length).toBeGreaterThan(500);
  expect(cited.filter(one => !one.found).map(one => one.where)).toEqual([]);
});

test.runIf(available)('every heading and operation of the interface that is cited exists', () => {
  const known = headings('docs/interface.md');
  const numbered = sections('docs/interface.md');
  const cited = files.flatMap(name => {
    const content = text(name);
    const named = [...content.matchAll(/\bspecification, "?([A-Z][a-z]+(?:[ -][a-z]+)*)"?[;),]/g)].map(
      ([, heading]) => [heading!, known.includes(heading!)] as const,
    );
    const counted = [...content.matchAll(/\b[Ee]ndpoints? (\d+)(?: (?:and|to) (\d+))?/g)].flatMap(([, ...numbers]) =>
      numbers.filter(Boolean).map(number => [`endpoint ${number}`, numbered.has(number)] as const),
    );
    return [...named, ...counted].map(([what, found]) => ({ where: `${name}: ${what}`, found }));
  });
  expect(cited.length).toBeGreaterThan(30);
  expect(cited.filter(one => !one.found).map(one => one.where)).toEqual([]);
});

test.runIf(available)('every file and heading that a document links to exists', () => {
  const links = files
    .filter(name => name.endsWith('.md'))
    .flatMap(name => [...text(name).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => [name, link!] as const))
    .filter(([, link]) => !/^[a-z]+:/.test(link));
  expect(links.length).toBeGreaterThan(20);
  const broken = links.filter(([name, link]) => {
    const [path, fragment] = link.split('#');
    const file = path ? join(dirname(name), path) : name;
    return !existsSync(file) || (fragment && !headings(file).map(anchor).includes(fragment));
  });
  expect(broken.map(link => link.join(' → '))).toEqual([]);
});

test.runIf(available)(
  'every module and folder that docs/architecture.md and the pages of the folders name exists',
  () => {
    const pages = [
      'docs/architecture.md',
      ...files.filter(name => /^(src|tools)\/.*README\.md$|^tools\/README\.md$/.test(name)),
    ];
    const missing = pages.flatMap(page => {
      const named = [...text(page).matchAll(/`([a-z-]+(?:\/[a-z-]+)*(?:\/|\.m?[tj]s))`/g)].map(([, path]) => path!);
      expect(named.length, page).toBeGreaterThan(page.startsWith('docs/') ? 30 : 0);
      const roots = ['', 'src', 'src/service', dirname(page)];
      return named.filter(path => !roots.some(root => existsSync(join(root, path)))).map(path => `${page}: ${path}`);
    });
    expect(missing).toEqual([]);
  },
);
