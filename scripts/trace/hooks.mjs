/** Lets every function of `src` and `tools` say that it has begun, for `npm run trace`. */
import { parseSync, Visitor } from 'oxc-parser';

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context);
  const file = /\/((?:src|tools)\/(?!.*node_modules).*\.ts)/.exec(url)?.[1];
  if (file === undefined || loaded.format !== 'module') return loaded;
  return { ...loaded, source: marked(String(loaded.source), file) };
}

function marked(text, file) {
  const mark = `globalThis.functionBegins?.(${JSON.stringify(file)})`;
  const insertions = [];
  const begin = ({ body, expression }) => {
    if (!body) return;
    if (expression) insertions.push([body.start, `(${mark}, `], [body.end, ')']);
    else insertions.push([body.start + 1, `${mark};`]);
  };
  new Visitor({
    FunctionDeclaration: begin,
    FunctionExpression: begin,
    ArrowFunctionExpression: begin,
  }).visit(parseSync(file.replace(/\.ts$/, '.js'), text).program);
  let out = text;
  // From the end, and what opens at a place before what closes there.
  insertions.sort(([one], [other]) => other - one);
  for (const [at, added] of insertions) out = out.slice(0, at) + added + out.slice(at);
  return out;
}
