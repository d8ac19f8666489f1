/**
 * Figures that may not grow: what a stranger has to hold in mind. `node scripts/figures/check.mjs [FOLDER]` prints each with its
 * limit (table.mjs), and fails where one is above it. The files of a call are counted by `npm run trace -- --check`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { definitionMembers } from './members.mjs';
import { folders, limits, readers, smallBelow } from './table.mjs';

const root = process.argv[2] ?? '.';
const files = ['src', 'tools']
  .flatMap(top => readdirSync(join(root, top), { recursive: true }).map(name => `${top}/${name}`))
  .filter(name => /\.(ts|js)$/.test(name) && !name.endsWith('.d.ts'));
const texts = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]));
const problems = [];

const calls = [...texts].flatMap(([file, text]) => {
  if (readers.except.some(path => file.startsWith(path))) return [];
  return [...text.matchAll(readers.pattern)].filter(({ index }) => !/function $/.test(text.slice(index - 9, index)));
});
show('calls of readers of untyped values', calls.length, limits.readers);

show('members of a definition', definitionMembers(path => texts.get(path)).length, limits.members);

const [name, count] = mostFrequent(files.map(file => basename(file)));
show(`files of one name (${name})`, count, limits.sameName);

const byLength = [...texts]
  .map(([file, text]) => ({ file, lines: linesOf(text) }))
  .toSorted((one, other) => other.lines - one.lines);
show(`lines of a file (${byLength[0].file})`, byLength[0].lines, limits.lines);
const small = byLength.filter(({ file, lines }) => file.endsWith('.ts') && lines < smallBelow);
show(`modules below ${smallBelow} lines`, small.length, limits.small);

const [sourceLines, testLines] = linesOfTree();
show('source lines', sourceLines, limits.sourceLines);
show('test lines', testLines, limits.testLines);

for (const { path, parts, arrows, inside } of folders) {
  const counted = insideOf(path);
  show(`folders and files in ${path}`, counted.parts, parts);
  show(`imports between them in ${path}`, counted.arrows, arrows);
  const nested = foldersIn(path).map(folder => ({ folder, ...insideOf(folder) }));
  const most = nested.toSorted((one, other) => other.parts - one.parts)[0];
  show(`folders and files in a folder of it (${most.folder})`, most.parts, inside.parts);
  const busiest = nested.toSorted((one, other) => other.arrows - one.arrows)[0];
  show(`imports between them in a folder of it (${busiest.folder})`, busiest.arrows, inside.arrows);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function show(what, figure, most) {
  process.stdout.write(`${what}: ${figure} (at most ${most})\n`);
  if (figure > most) problems.push(`${what}: ${figure}, and at most ${most} are allowed`);
}

function linesOf(text) {
  return text.split('\n').length - 1;
}

/** Of the tracked code wherever it lies: what is outside `test`, and what is in it. */
function linesOfTree() {
  const patterns = ['*.ts', '*.mts', '*.js', '*.mjs'];
  const tracked = execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' });
  const sums = [0, 0];
  for (const file of tracked.split('\0').filter(name => name !== '' && existsSync(join(root, name))))
    sums[file.startsWith('test/') ? 1 : 0] += linesOf(readFileSync(join(root, file), 'utf8'));
  return sums;
}

/** The direct folders and loose files of a folder, and how many pairs of them import each other. */
function insideOf(path) {
  const inside = files.filter(file => file.startsWith(path));
  const partOf = file => file.slice(path.length).split('/')[0];
  const pairs = new Set();
  for (const file of inside)
    for (const [, specifier] of texts.get(file).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g)) {
      const target = join(dirname(file), specifier);
      if (!target.startsWith(path) || partOf(target) === partOf(file)) continue;
      pairs.add(`${partOf(file)} ${partOf(target)}`);
    }
  return { parts: new Set(inside.map(partOf)).size, arrows: pairs.size };
}

function foldersIn(path) {
  const below = files.filter(file => file.startsWith(path)).map(file => dirname(file.slice(path.length)));
  const all = below.flatMap(folder => folder.split('/').map((_, at, names) => names.slice(0, at + 1).join('/')));
  return [...new Set(all)].filter(folder => folder !== '.').map(folder => `${path}${folder}/`);
}

function mostFrequent(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0];
}
