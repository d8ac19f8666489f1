/**
 * Figures that may not grow: what a stranger has to hold in mind. `node scripts/figures/check.mjs [FOLDER]` prints each with its
 * limit (table.mjs), and fails where one is above it. The files of a call are counted by `npm run trace -- --check`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { folders, limits, readers } from './table.mjs';

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

const [name, count] = mostFrequent(files.map(file => basename(file)).filter(file => file !== 'index.ts'));
show(`files of one name (${name})`, count, limits.sameName);

const [longest, lines] = files
  .filter(file => file.endsWith('.ts'))
  .map(file => [file, texts.get(file).split('\n').length - 1])
  .sort(([, one], [, other]) => other - one)[0];
show(`lines of a file (${longest})`, lines, limits.lines);

for (const { path, parts, arrows } of folders) {
  const inside = insideOf(path);
  show(`folders and files in ${path}`, inside.parts, parts);
  show(`imports between them in ${path}`, inside.arrows, arrows);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function show(what, figure, most) {
  process.stdout.write(`${what}: ${figure} (at most ${most})\n`);
  if (figure > most) problems.push(`${what}: ${figure}, and at most ${most} are allowed`);
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

function mostFrequent(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0];
}
