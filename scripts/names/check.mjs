/**
 * Checks how things are called in `src` and `tools`: a variable, parameter or function is not called by a participle alone,
 * which does not say what was asked, given or found; and a literal is not spread into an object that could simply have its
 * members. `node scripts/names/check.mjs [PATH…]` for some paths alone.
 */
import { filesOf, reportsOf, tell } from '../source-files.mjs';

const empty = new Set(['asked', 'given', 'found', 'told', 'own', 'around', 'running']);
const paths = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'tools'];
const problems = paths.flatMap(filesOf).flatMap(problemsOf);
tell('names', problems);

function problemsOf(file) {
  return reportsOf(file, report => {
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
    return {
      VariableDeclarator: ({ id }) => names(id),
      FunctionDeclaration: inFunction,
      FunctionExpression: inFunction,
      ArrowFunctionExpression: inFunction,
      ObjectExpression: ({ properties }) => {
        for (const property of properties)
          if (property.type === 'SpreadElement' && property.argument.type === 'ObjectExpression')
            report(property, 'a literal is spread for looks: write its members');
      },
    };
  });
}
