/**
 * What `npm test` covers: each promise of the README, and each tool with each way to call it, beside the cases that hold it.
 * `docs/coverage.md` is this table. Whatever is held by no case is a problem, and so is a page that says something else.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { changesAccount } from '../../src/tool/effect.ts';
import { toolDefinitions } from '../../tools/index.ts';
import { promises, statements } from '../docs/promises.ts';
import { unitsOf } from './coverage-units.ts';

export interface Case {
  /** `a describe > a case` */
  name: string;
  file: string;
}

const page = 'docs/coverage.md';
const source = 'test/docs/promises.ts';

const intro = `# What \`npm test\` covers

\`npm test\` compares this page with its cases, and \`npm test -- -u\` writes it. A promise or a cell without a case fails the
run. What a sentence, a row or a command of the README is held by stands in \`${source}\`.
`;

/** A column of the tools' table: the describes whose case of the tool's name holds the cell; the first that has it. */
interface Column {
  title: string;
  describes: readonly RegExp[];
  /** Only of tools that change something. */
  writes?: true;
}

const columns: readonly Column[] = [
  { title: 'answer', describes: [/^the example of the documents is answered, /] },
  {
    title: 'refusal',
    describes: [/^what the demo account does not have is refused /, /^a key of no account is refused /],
  },
  { title: 'dry run', describes: [/^a dry run on the demo account /], writes: true },
  { title: 'auto: asked', describes: [/^auto, a client that can ask, accepted, /] },
  { title: 'auto: host', describes: [/^auto, a client that cannot ask, /] },
  { title: 'always: asked', describes: [/^always, a client that can ask, accepted, /] },
  { title: 'always: token', describes: [/^always, a client that cannot ask, with a token, /], writes: true },
  { title: 'never', describes: [/^never, a client that cannot ask, /] },
];

/** Compares the page with the cases of a run, or writes it. Gives what is wrong, in sentences. */
export function checkCoverage(cases: readonly Case[], write: boolean): string[] {
  const { text, problems } = coverageOf(cases, read('README.md'));
  if (write) writeFileSync(page, text);
  else if (read(page) !== text) problems.push(`${page} is out of date: run npm test -- -u and commit what it writes.`);
  return problems;
}

/** The page, and what is held by no case. */
export function coverageOf(ran: readonly Case[], readme: string): { text: string; problems: string[] } {
  const problems: string[] = [];
  // Files end in another order each time.
  const cases = ran
    .map(({ name, file }) => ({ name: unquoted(name), file }))
    .flatMap(one => [one, ...ofSet(one)])
    .sort((one, other) => one.file.localeCompare(other.file, 'en'));
  const text = [intro, readmePart(cases, readme, problems), toolsPart(cases, problems)].join('\n');
  return { text, problems };
}

/** What is tried with a set of three writes is a case of the tool for sets. */
function ofSet({ name, file }: Case): Case[] {
  const [, tried] = /^a set of three > (.+) > update_wallet$/.exec(name) ?? [];
  return tried === undefined ? [] : [{ name: `${tried} > change_several`, file }];
}

function readmePart(cases: readonly Case[], readme: string, problems: string[]): string {
  const units = unitsOf(readme);
  for (const begin of [...Object.keys(promises), ...Object.keys(statements)]) {
    const count = units.filter(({ text }) => text.startsWith(begin)).length;
    if (count !== 1) problems.push(`${source} has “${begin}”, with which ${count} parts of README.md begin.`);
  }
  const parts = [...new Set(units.map(({ heading }) => heading))].map(heading => {
    const rows = units
      .filter(unit => unit.heading === heading)
      .map(({ text }) => [brief(text), heldBy(text, cases, problems)]);
    return [`### ${heading}`, '', ...table(['what it says', 'held by'], rows), ''].join('\n');
  });
  return ['## Promises of the README', '', ...parts].join('\n');
}

/** The cases that hold this part of the README, each with its file. */
function heldBy(text: string, cases: readonly Case[], problems: string[]): string {
  const stated = entryOf(statements, text);
  if (stated !== undefined) return `– ${stated}`;
  const held = entryOf(promises, text);
  if (held === undefined) problems.push(`README.md says “${text}”: say in ${source} which case of npm test holds it.`);
  const cells = [held ?? []]
    .flat()
    .map(unquoted)
    .map(name => {
      if (name.startsWith('– ')) return name;
      const files = new Set(cases.filter(each => each.name === name).map(({ file }) => short(file)));
      if (files.size === 0)
        problems.push(`No case of npm test is called “${name}”, which ${source} names for “${text}”.`);
      return `${name} (${[...files].sort().join(', ')})`;
    });
  return names(cells);
}

function toolsPart(cases: readonly Case[], problems: string[]): string {
  const used = new Map<string, Set<string>>();
  const cell = ({ title, describes, writes }: Column, { name, effect }: (typeof toolDefinitions)[number]) => {
    if (writes && !changesAccount(effect)) return '–';
    const held = describes.map(describe => cases.find(each => isOf(each, describe, name))).find(Boolean);
    if (held) used.set(title, (used.get(title) ?? new Set()).add(held.name.slice(0, -` > ${name}`.length)));
    return held ? short(held.file) : '';
  };
  const rows = toolDefinitions.map(tool => ({ name: tool.name, cells: columns.map(column => cell(column, tool)) }));
  for (const [index, { title }] of columns.entries()) {
    const empty = rows.filter(({ cells }) => cells[index] === '').map(({ name }) => name);
    if (empty.length > 0) problems.push(`No case of npm test is the cell “${title}” of ${empty.join(', ')}.`);
  }
  const header = ['tool', ...columns.map(({ title }) => title)];
  return [
    '## Tools',
    '',
    'The file of the case that is called after the tool. What only reads has no dry run and no token, and is asked about in no mode.',
    '',
    ...table(
      header,
      rows.map(({ name, cells }) => [`\`${name}\``, ...cells]),
    ),
    '',
    ...table(
      ['column', 'its cases'],
      columns.map(({ title }) => [title, names([...(used.get(title) ?? [])].map(describe => `${describe} > …`))]),
    ),
    '',
  ].join('\n');
}

/** Values that a title has from a table are quoted or not, by how it names them. */
function unquoted(name: string): string {
  return name.replaceAll(/(?<!\w)'([^']+)'(?!\w)/g, '$1');
}

function isOf({ name }: Case, describe: RegExp, tool: string): boolean {
  return describe.test(name) && name.endsWith(` > ${tool}`);
}

function entryOf<T>(entries: Readonly<Record<string, T>>, text: string): T | undefined {
  return Object.entries(entries).find(([begin]) => text.startsWith(begin))?.[1];
}

/** `test/policy/confirm.test.ts` is policy/confirm. */
function short(file: string): string {
  return file.replace(/^test\//, '').replace(/\.test\.ts$/, '');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [header, header.map(() => '---'), ...rows].map(
    cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
}

function names(all: readonly string[]): string {
  return all.join('<br>');
}

/** As much of a long sentence as finds it in the README. */
function brief(text: string): string {
  if (text.length <= 100) return text;
  const cut = text.slice(0, text.lastIndexOf(' ', 95));
  // Code that is cut off would make code of all that follows.
  return `${cut}${cut.split('`').length % 2 === 0 ? '`' : ''} …`;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
