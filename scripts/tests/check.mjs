/**
 * Checks the rules that keep the tests trusted: a test is in the folder of what it tests (`src/a/b.ts`: `test/a`), a file's name
 * says when it runs; no test reads a clock to judge by it, has a
 * limit of its own, is tried again, or waits for a time. `node scripts/tests/check.mjs [FOLDER]`.
 *
 * A delay that belongs to a test's own server or process (it answers late, it dies later) is not a wait of the test:
 * `// delay: why` on its line, or on the line before, says so.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseSync, Visitor } from 'oxc-parser';
import { tell } from '../source-files.mjs';

const root = process.argv[2] ?? '.';
/** Programs of their own, which no test file imports. */
const apart = /(^|\/)(node_modules|bench|clients|out)\//;
/** Tests of the program as a whole, from outside, and of what is around it. */
const suites = new Set([
  ...['bench', 'browser', 'clients', 'conformance', 'docs', 'golden', 'interface', 'package', 'recordings', 'support'],
  ...['tasks', 'service/contract'],
]);
/** Where the waiting and the size of a run are made. */
const makers = new Set(['test/support/until.ts', 'test/support/extent.ts', 'test/support/left-behind.ts']);
const cases = new Set(['it', 'test', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach']);
const limits = new Set(['timeout', 'retry', 'repeats']);
/** What a file may import only where its name says that it runs to a different extent, or only with test:more. */
const extents = [
  { name: 'sameRuns', kinds: ['property', 'databases', 'more'] },
  { name: 'runs', kinds: ['property', 'databases', 'more'] },
  { name: 'withDatabase', kinds: ['databases'] },
  { name: 'withPostgres', kinds: ['more'] },
  { name: 'withCluster', kinds: ['more'] },
];

const problems = [];
let count = 0;
const files = readdirSync(join(root, 'test'), { recursive: true })
  .map(name => `test/${name}`)
  .filter(name => /\.ts$/.test(name) && !name.endsWith('.d.ts') && !apart.test(name))
  .sort();
for (const file of files) judge(file);
tell(`${count} test files`, problems);

function isBesideSource(folder) {
  const path = folder.replace('test/', '');
  if (suites.has(path) || suites.has(path.split('/')[0])) return true;
  return ['src/', ''].some(
    top => existsSync(join(root, `${top}${path}`)) || existsSync(join(root, `${top}${path}.ts`)),
  );
}

function judge(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  const { program, module } = parseSync(file, text);
  const say = (start, what) => problems.push(`${file}:${text.slice(0, start).split('\n').length}: ${what}`);
  const [, kind] = /\.([^./]+)\.test\.ts$/.exec(file) ?? [];
  if (file.endsWith('.test.ts')) {
    count++;
    if (!isBesideSource(dirname(file))) say(0, 'no folder of src or tools has this name: move it to what it tests');
    if (kind && !['more', 'property', 'databases'].includes(kind))
      say(0, `.${kind}.test.ts is no kind of test: .more, .property or .databases`);
    for (const entry of module.staticImports.flatMap(({ entries }) => entries)) {
      const extent = extents.find(({ name }) => name === entry.importName.name);
      if (extent && !extent.kinds.includes(kind))
        say(entry.importName.start, `${extent.name} belongs to files named .${extent.kinds.join(' or .')}.test.ts`);
    }
  }
  if (makers.has(file)) return;
  const visitor = new Visitor({
    CallExpression(node) {
      const name = text.slice(node.callee.start, node.callee.end);
      if (name === 'performance.now') say(node.start, 'reads a clock: assert order and count, and wait with until()');
      if (name === 'vi.waitFor' || name === 'vi.waitUntil') say(node.start, 'wait with until()');
      if (/(^|\.)(setTimeout|setInterval)$/.test(name) && !delayed(node.start)) say(node.start, 'wait with until()');
      if (/^fc\.(assert|check)$/.test(name) && node.arguments.length < 2)
        say(node.start, 'say the number of runs: runs(1000)');
      if (name === 'expect.poll' && node.arguments.length > 1) say(node.start, 'has a limit of its own');
      if (cases.has(name.split(/[.(]/)[0]) && hasLimit(node)) say(node.start, 'has a limit of its own');
    },
    BinaryExpression(node) {
      const parts = [node.left, node.right].map(side => text.slice(side.start, side.end));
      if (/^([<>]=?|-)$/.test(node.operator) && parts.includes('Date.now()') && !/^[\d_ *]+$/.test(parts[1]))
        say(node.start, 'reads a clock: assert order and count, and wait with until()');
    },
    Property(node) {
      if (node.key.name === 'numRuns') say(node.start, 'say the number of runs with runs(1000)');
    },
  });
  visitor.visit(program);

  function delayed(start) {
    const line = text.slice(0, start).split('\n').length - 1;
    return [lines[line], lines[line - 1]].some(each => each?.includes('// delay: '));
  }
}

/** A number behind the function, or an option that limits or repeats. */
function hasLimit({ arguments: args }) {
  return args.some(
    (each, index) =>
      (index > 0 && each.type === 'Literal' && typeof each.value === 'number') ||
      (each.type === 'ObjectExpression' && each.properties.some(({ key }) => limits.has(key?.name))),
  );
}
