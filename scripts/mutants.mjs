/**
 * Do the tests see a change of what the code does? Takes random places of `src` and `tools`, changes one at a time, and runs
 * the test files of `npm test` that import the changed file until one fails; with `--near` only the nearest ones.
 * Works on a copy of the last commit. Prints each mutant with what saw it, and at the end how many were seen.
 *
 *   npm run mutants -- [--count 40] [--seed 1] [--only 3,17] [--near]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync, Visitor } from 'oxc-parser';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    near: { type: 'boolean' },
  },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const operators = { '+': '-', '-': '+', '*': '/', '/': '*', '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const swapped = { ...operators, '===': '!==', '!==': '===', '&&': '||', '||': '&&' };

const places = ['src', 'tools'].flatMap(modulesIn).sort().flatMap(placesIn);
const importers = importersOf();
const random = randomFrom(Number(values.seed));
const chosen = Array.from({ length: Number(values.count) }, () => places.splice(random(places.length), 1)[0]);
const only = values.only?.split(',').map(Number);

const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutants-')));
const tree = join(copy, 'tree');
let seen = 0;
let tried = 0;
try {
  execFileSync('git', ['worktree', 'add', '--detach', '--force', tree, 'HEAD'], {
    cwd: root,
    stdio: 'ignore',
  });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true });
  for (const [index, place] of chosen.entries()) if (!only || only.includes(index + 1)) attempt(index + 1, place);
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', tree], { cwd: root, stdio: 'ignore' });
  rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`${seen} of ${tried} mutants were seen (seed ${values.seed})\n`);
process.exitCode = seen >= tried * 0.9 ? 0 : 1;

function attempt(number, { file, start, end, to }) {
  const path = join(tree, file);
  const text = readFileSync(path, 'utf8');
  const line = text.slice(0, start).split('\n').length;
  writeFileSync(path, text.slice(0, start) + to + text.slice(end));
  const by = seenBy(file);
  writeFileSync(path, text);
  tried++;
  if (by) seen++;
  const what = `${file}:${line}: ${shortened(text.slice(start, end))} → ${shortened(to)}`;
  process.stdout.write(`${String(number).padStart(3)}. ${by ? `seen by ${by}` : 'NOT SEEN'}: ${what}\n`);
}

/** The test file that fails with the changed file. The nearest come first: they see most mutants within seconds. */
function seenBy(file) {
  return failing(['run', ...nearest(file)]) ?? (values.near ? null : failing(['related', file, '--run']));
}

/**
 * The test files that import the file by the fewest steps, at least a dozen where there are so many, then those of the folder
 * that mirrors its own; 64 at most.
 */
function nearest(file) {
  const reached = new Set([file]);
  let [edge, tests] = [[file], []];
  while (edge.length > 0 && tests.length < 12) {
    edge = edge.flatMap(each => importers.get(each) ?? []).filter(each => !reached.has(each) && reached.add(each));
    tests = [...reached].filter(isTest);
  }
  let home = join('test', dirname(file.replace(/^src\//, '')));
  while (!existsSync(join(root, home))) home = dirname(home);
  const mirrored = home === 'test' ? [] : modulesIn(home).filter(isTest);
  return [...new Set([...tests, ...mirrored])].slice(0, 64);
}

/**
 * Who imports each module: by static and by dynamic imports. Tools are loaded by their names: a test that names one imports
 * its module.
 */
function importersOf() {
  const graph = new Map();
  const list = readFileSync(join(root, 'tools/load.ts'), 'utf8');
  const tools = [...list.matchAll(/^ {2}(\w+): .*import\('\.\/(.+?)'\)/gm)];
  for (const name of ['src', 'tools', 'test'].flatMap(modulesIn)) {
    if (name === 'tools/load.ts') continue;
    const text = readFileSync(join(root, name), 'utf8');
    const named = isTest(name) ? tools.filter(([, tool]) => text.includes(`'${tool}'`)) : [];
    for (const [, , module] of named) graph.set(`tools/${module}`, [...(graph.get(`tools/${module}`) ?? []), name]);
    for (const [, specifier] of text.matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const target = join(dirname(name), specifier);
      graph.set(target, [...(graph.get(target) ?? []), name]);
    }
  }
  return graph;
}

function isTest(name) {
  return name.endsWith('.test.ts') && !name.endsWith('.more.test.ts');
}

function modulesIn(top) {
  return readdirSync(join(root, top), { recursive: true })
    .map(name => `${top}/${name}`)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.includes('/node_modules/'))
    .sort();
}

function failing(what) {
  const report = join(copy, 'report.json');
  const flags = ['--passWithNoTests', '--reporter', 'json', '--outputFile', report, '--sequence.seed', values.seed];
  const args = ['node_modules/vitest/vitest.mjs', ...what, '--project', 'test', '--bail', '1', ...flags];
  const env = { ...process.env, VITEST: undefined };
  const { status } = spawnSync(process.execPath, args, { cwd: tree, env, stdio: 'ignore' });
  if (status === 0) return null;
  const failed = JSON.parse(readFileSync(report, 'utf8')).testResults.find(each => each.status === 'failed');
  return failed ? failed.name.replace(`${tree}/`, '') : 'an error outside the cases';
}

/** Everything in a file that can be changed without a type saying so: from where to where, and to what. */
function placesIn(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const changes = [];
  const add = ({ start, end }, to) => changes.push({ file, start, end, to });
  const swap = ({ left, right, operator }) => {
    const to = swapped[operator];
    const at = text.indexOf(operator, left.end);
    if (to && at < right.start) add({ start: at, end: at + operator.length }, to);
  };
  new Visitor({
    BinaryExpression: swap,
    LogicalExpression: swap,
    IfStatement: ({ test }) => add(test, `!(${text.slice(test.start, test.end)})`),
    ConditionalExpression: ({ test }) => add(test, `!(${text.slice(test.start, test.end)})`),
    ExpressionStatement: ({ expression, start, end }) =>
      expression.type === 'CallExpression' && add({ start, end }, ';'),
    ReturnStatement: ({ argument }) => argument && add(argument, 'undefined as never'),
    Literal: node => {
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      else if (typeof node.value === 'number') add(node, `(${node.value} + 1)`);
    },
  }).visit(parseSync(file, text).program);
  // What stands in a type is not changed: a literal there would only fail to compile.
  return changes.filter(
    ({ start }) =>
      !/(type|interface) [^=;{]*(= [^;]*|\{[^}]*)$/.test(
        text
          .slice(0, start)
          .split(/\n(?=\S)/)
          .at(-1) ?? '',
      ),
  );
}

function shortened(text) {
  const one = text.replaceAll(/\s+/g, ' ');
  return one.length > 70 ? `${one.slice(0, 69)}…` : one;
}

/** Whole numbers below a bound, the same for the same seed. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return bound => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}
