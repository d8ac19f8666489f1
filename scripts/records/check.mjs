/**
 * Checks that every refusal has its words in the table of refusals, that the layers of calls and definitions name no tool of the
 * catalogue, and that records are read with the types of the contract: outside the places in table.mjs, `src` and `tools` import
 * no untyped records and no readers of them, and write no types that say as much. `node scripts/records/check.mjs [PATH…]` for
 * some paths alone.
 */
import { readFileSync } from 'node:fs';
import { filesOf, reportsOf, tell } from '../source-files.mjs';
import { untyped, wording } from './table.mjs';

const untypedNames = new Set(['JsonRecord', 'JsonObject', 'isRecord', 'isJsonObject', 'anyRecord', 'anyRecords']);
/** The headings of docs/tools.md, which is made of the catalogue. */
const tools = [...readFileSync('docs/tools.md', 'utf8').matchAll(/^## ([a-z_]+)$/gm)].map(([, name]) => name);
const toolName = new RegExp(`(?<![/\\w])(?:${tools.join('|')})\\b`);
const all = process.argv.length === 2;
const used = new Set();
const problems = (all ? ['src', 'tools'] : process.argv.slice(2))
  .flatMap(filesOf)
  .flatMap(file => [...problemsOf(file), ...wordsIn(file), ...namesIn(file)]);
if (all)
  for (const place of Object.keys(untyped))
    if (!used.has(place)) problems.push(`${place} needs no exception: take it out of scripts/records/table.mjs`);
tell('records', problems);

function problemsOf(file) {
  const out = reportsOf(file, report => ({
    ImportSpecifier: node => {
      const { name } = node.imported;
      if (untypedNames.has(name)) report(node, `${name} is without types: use those of src/contract/shown.ts`);
    },
    TSTypeReference: node => {
      const [key, value] = node.typeArguments?.params ?? [];
      if (node.typeName.name === 'Record' && key?.type === 'TSStringKeyword' && value?.type === 'TSUnknownKeyword')
        report(node, 'a record of unknown fields is without types: use those of src/contract/shown.ts');
    },
  }));
  const place = Object.keys(untyped).find(path => (path.endsWith('/') ? file.startsWith(path) : file === path));
  if (place === undefined || out.length === 0) return out;
  used.add(place);
  return [];
}

/** An error that is written out where it happens: its texts would stand next to those of the table. */
function wordsIn(file) {
  if (wording.includes(file) || file.startsWith('src/service/')) return [];
  return reportsOf(file, report => ({
    ObjectExpression(node) {
      const names = node.properties.flatMap(({ key, shorthand }) => (shorthand ? [] : [key?.name]));
      if (
        names.includes('message') &&
        names.includes('hint') &&
        node.properties.some(({ key }) => key?.name === 'code')
      )
        report(node, 'an error is written out: make it with refuse(), and word it in src/definition/refusals');
    },
  }));
}

function namesIn(file) {
  if (!/^src\/(?:calls|definition)\//.test(file)) return [];
  const judge = (report, node, text) => {
    const name = toolName.exec(text)?.[0];
    if (name !== undefined)
      report(node, `${name} is named: what calls know of a tool is a member of it, or stands beside it in tools/`);
  };
  return reportsOf(file, report => ({
    Literal: node => typeof node.value === 'string' && judge(report, node, node.value),
    TemplateElement: node => judge(report, node, node.value.raw),
    Property: node => node.key.type === 'Identifier' && judge(report, node, node.key.name),
  }));
}
