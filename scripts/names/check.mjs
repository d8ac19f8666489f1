/**
 * Checks how things are called in `src` and `tools`: a variable, parameter or function is not called by a participle alone,
 * which does not say what was asked, given or found; and a literal is not spread into an object that could simply have its
 * members. `node scripts/names/check.mjs [PATH…]` for some paths alone.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const empty = new Set(['asked', 'given', 'found', 'told', 'own', 'around', 'running']);
const paths = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'tools'];
const problems = paths.flatMap(filesOf).flatMap(problemsOf);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`names: ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  const below = readdirSync(path, { recursive: true }).map(name => `${path.replace(/\/$/, '')}/${name}`);
  return below.filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts')).sort();
}

function problemsOf(file) {
  const text = readFileSync(file, 'utf8');
  const out = [];
  const report = (node, what) => out.push(`${file}:${text.slice(0, node.start).split('\n').length} ${what}`);
  const judge = name => empty.has(name?.name) && report(name, `“${name.name}” does not say what it is`);
  const names = pattern => {
    if (pattern?.type === 'Identifier') judge(pattern);
    else if (pattern?.type === 'AssignmentPattern') names(pattern.left);
    else if (pattern?.type === 'RestElement') names(pattern.argument);
    else if (pattern?.type === 'ArrayPattern') pattern.elements.forEach(names);
    else if (pattern?.type === 'ObjectPattern')
      for (const property of pattern.properties) names(property.type === 'RestElement' ? property : property.value);
  };
  const inFunction = ({ id, params }) => {
    judge(id);
    params.forEach(names);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => names(id),
    FunctionDeclaration: inFunction,
    FunctionExpression: inFunction,
    ArrowFunctionExpression: inFunction,
    ObjectExpression: ({ properties }) => {
      for (const property of properties)
        if (property.type === 'SpreadElement' && property.argument.type === 'ObjectExpression')
          report(property, 'a literal is spread for looks: write its members');
    },
  }).visit(parseSync(file, text).program);
  return out;
}
