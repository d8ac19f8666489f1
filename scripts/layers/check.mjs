/**
 * Checks the order of layers (table.mjs): imports go downwards, type imports included; pure folders import only their listed
 * packages and read neither clock nor network; only the modules listed in the table import the service, and only some touch
 * stdin and stdout; routes reach the engine through operations; there are not more layers and arrows than the table allows.
 * Biome's rule noImportCycles reports import cycles.
 *
 *   node scripts/layers/check.mjs [FOLDER]   `--arrows` prints which layer imports which, and how often
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';
import { tell } from '../source-files.mjs';
import { behind, layers, meeting, most, pure, service, shared, speaking } from './table.mjs';

const { values, positionals } = parseArgs({ options: { arrows: { type: 'boolean' } }, allowPositionals: true });
const root = positionals[0] ?? '.';
const modulePath = /\.[cm]?[jt]s$/;
/** What code whose result depends on its arguments alone does not use. */
const impure = /\bDate\.now\b|\bnew Date\(\)|\bTemporal\.Now\b|\bMath\.random\b|\b(?:fetch|setTimeout)\(|\bprocess\b/;
const files = ['src', 'tools']
  .flatMap(top => readdirSync(join(root, top), { recursive: true }).map(name => `${top}/${name}`))
  .filter(name => modulePath.test(name) && !name.endsWith('.d.ts'))
  .sort();
const known = new Set(files);
const problems = [];
const arrows = new Map();
let imports = 0;

for (const file of files) {
  const here = layerOf(file);
  if (!here) {
    problems.push(`${file} is in no layer: name its place in scripts/layers/table.mjs`);
    continue;
  }
  const { code, specifiers } = parsed(file);
  for (const specifier of specifiers) judge(file, here, specifier);
  if (!isIn(speaking, file) && /\bstd(in|out)\b/.test(code))
    problems.push(`${file} touches stdin or stdout, which carry the protocol: only ${speaking.join(', ')} may`);
  const found = purityOf(file) && impure.exec(code)?.[0];
  if (found) problems.push(`${file} uses ${found}, but ${purityOf(file).path} is pure`);
}
for (const [what, count] of [
  ['layers', layers.length],
  ['arrows', arrows.size],
])
  if (count > most[what]) problems.push(`there are ${count} ${what}, and ${most[what]} at most are allowed`);

if (values.arrows) for (const [arrow, count] of [...arrows].sort()) process.stdout.write(`${arrow}: ${count}\n`);
tell(
  `${layers.length} layers, ${files.length} modules, ${imports} imports, ${arrows.size} arrows between layers`,
  problems,
);

function layerOf(file) {
  const lengthIn = layer => Math.max(...layer.paths.map(path => (file.startsWith(path) ? path.length : 0)));
  const fitting = layers.filter(layer => lengthIn(layer) > 0);
  return fitting.sort((one, other) => lengthIn(other) - lengthIn(one))[0];
}

function isIn(paths, file) {
  return paths.some(path => file.startsWith(path));
}

function purityOf(file) {
  return pure.find(({ path }) => file.startsWith(path));
}

/** A module's text with its comments blanked, and what it imports, including types and dynamic imports. */
function parsed(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { module, comments, errors } = parseSync(file, text);
  if (errors.length > 0) problems.push(`${file} cannot be read: ${errors[0].message}`);
  let code = text;
  for (const { start, end } of comments) code = code.slice(0, start) + ' '.repeat(end - start) + code.slice(end);
  const loaded = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const argument = text.slice(start, end);
    const literal = /^(['"`])([^$]*)\1$/.exec(argument)?.[2];
    if (literal === undefined) problems.push(`${file} imports ${argument}, which only a run can tell: write the path`);
    return literal;
  });
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...loaded,
    ...[...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier),
  ];
  return { code, specifiers: new Set(specifiers.filter(specifier => specifier !== undefined)) };
}

function judge(file, here, specifier) {
  if (!specifier.startsWith('.')) {
    const purity = purityOf(file);
    if (purity && !purity.packages.includes(specifier))
      problems.push(`${file} imports ${specifier}, but ${purity.path} is pure`);
    return;
  }
  const target = join(dirname(file), specifier);
  if (!known.has(target)) {
    if (modulePath.test(target)) problems.push(`${file} imports ${target}, which is in no layer`);
    return;
  }
  imports++;
  const rule = behind.find(each => file.startsWith(each.path) && target.startsWith(each.target));
  if (rule && !target.startsWith(rule.except))
    problems.push(`${file} imports ${target}: ${rule.path} reaches ${rule.target} through ${rule.by}`);
  const there = layerOf(target);
  if (!there || there === here) return;
  const arrow = `${here.name} → ${there.name}`;
  arrows.set(arrow, (arrows.get(arrow) ?? 0) + 1);
  if (layers.indexOf(there) < layers.indexOf(here)) problems.push(`${file} imports ${target} upwards: ${arrow}`);
  else if (
    service.includes(here.name) !== service.includes(there.name) &&
    !shared.includes(there.name) &&
    !isIn(meeting, file)
  )
    problems.push(`${file} imports ${target}: the service and the MCP side meet over HTTP only`);
}
