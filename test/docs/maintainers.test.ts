/** What a maintainer looks for: threats with their tests, where to report, a workflow, llms.txt. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contact } from '../../scripts/docs/connect.ts';
import { release } from '../../scripts/package/release-file.ts';
import { temporaryFolder } from '../support/folder.ts';

const read = (name: string) => readFileSync(name, 'utf8');

describe('docs/threats.md', () => {
  const [, ...sections] = read('docs/threats.md').split(/^## /m);
  const rowsOf = (section: string) =>
    section.split('\n').filter(line => /^\| (?!protection|-)/.test(line) && !/^\|-/.test(line));

  it('has what an attacker wants', () => {
    expect(sections.map(section => section.split('\n')[0])).toEqual([
      ...["Another customer's data", 'An unintended write', 'A key', 'Instructions in data', 'A flood'],
      'A false record',
    ]);
  });

  it.each(sections.map(section => [section.split('\n')[0]!, section] as const))(
    '“%s” names protections, with tests that exist, and what remains',
    (_, section) => {
      const rows = rowsOf(section);
      expect(rows.length).toBeGreaterThanOrEqual(4);
      for (const row of rows) {
        const [, file = '', title = ''] = /\| `(test\/[\w./-]+\.test\.ts)`: “([^”]+)” \|$/.exec(row) ?? [];
        expect(existsSync(file), row).toBe(true);
        const titles = read(file).match(/^ *(?:describe|it|test)\b.*$|^ *'[^\n]*',$|^ *`[^\n]*`, async/gm) ?? [];
        const quoted = titles.map(line => line.replaceAll("\\'", "'"));
        expect(
          quoted.some(line => line.includes(title)),
          row,
        ).toBe(true);
      }
      expect(section).toMatch(/\n\nWhat remains: \w/);
    },
  );
});

describe('where something is reported', () => {
  it.each(['SECURITY.md', 'CODE_OF_CONDUCT.md'])('%s says it, with the address of release.json or none', name => {
    const [, said = ''] = /## How to report\n\n<!-- contact -->\n([\s\S]*?)\n<!-- \/contact -->/.exec(read(name)) ?? [];
    expect(said).toBe(contact(release).contact);
    if (!release.contact) expect(read(name)).not.toMatch(/[\w.]+@[\w.]+|https?:/);
  });

  it('is the address alone, once there is one', () => {
    const filled = contact({ ...release, contact: 'mailto:someone@example.com' });
    expect(filled.contact).toMatch(/^[^@]*<someone@example\.com>\.$/);
  });

  it('SECURITY.md says what is promised and what is supported', () => {
    const headings = [...read('SECURITY.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['How to report', 'What is promised', 'What is supported']);
  });
});

const clone = temporaryFolder();

it('an install shows what the script after it says, which npm hides otherwise', () => {
  mkdirSync(join(clone, 'part'));
  writeFileSync(join(clone, 'part', 'package.json'), '{ "name": "part", "version": "1.0.0" }');
  const scripts = { dependencies: `node -e "console.error('it builds dist/')"` };
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ scripts, dependencies: { part: 'file:part' } }));
  copyFileSync('.npmrc', join(clone, '.npmrc'));
  const { status, stderr } = spawnSync('npm', ['install', '--offline'], { cwd: clone, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.stringContaining('it builds dist/')]);
});

it('the workflow calls .ci/run, on the version of Node.js that the package asks for, and may write nothing', () => {
  const { permissions, jobs } = parse(read('.github/workflows/ci.yml'));
  expect(permissions).toEqual({ contents: 'read' });
  expect(Object.keys(jobs)).toEqual(['ci']);
  const steps = jobs.ci.steps as { uses?: string; run?: string; with?: Record<string, unknown> }[];
  expect(steps.map(({ uses, run }) => uses ?? run)).toEqual([
    expect.stringMatching(/^actions\/checkout@(v\d+|[0-9a-f]{40})$/),
    expect.stringMatching(/^actions\/setup-node@(v\d+|[0-9a-f]{40})$/),
    '.ci/run',
  ]);
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${steps[1]?.with?.['node-version']}`);
});

it('llms.txt names every document and skill, with a sentence on each', () => {
  const text = read('llms.txt');
  expect(text).toMatch(/^# usage-billing-mcp\n\n> \S.*\n\n## Documents\n\n- /);
  const documents = readdirSync('docs').filter(name => name.endsWith('.md'));
  const skills = readdirSync('skills').map(name => `skills/${name}/SKILL.md`);
  const pages = [...documents.map(name => `docs/${name}`), ...skills];
  const lines = text.split('\n').filter(line => line.startsWith('- '));
  expect(lines).toHaveLength(pages.length);
  for (const page of pages)
    expect(
      lines.filter(line => line.includes(`${page}): `) && /: \S.{15,}[.:]$/.test(line)),
      page,
    ).toHaveLength(1);
});
