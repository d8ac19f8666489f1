/**
 * Checks that records are read with the types of the contract: outside the places in table.mjs, `src` and `tools` import no
 * untyped records and no readers of them, and write no types that say as much. `node scripts/records/check.mjs [PATH…]` for
 * some paths alone.
 */
import { filesOf, reportsOf, tell } from '../source-files.mjs';
import { untyped } from './table.mjs';

const untypedNames = new Set(['JsonRecord', 'JsonObject', 'isRecord', 'isJsonObject', 'anyRecord', 'anyRecords']);
const all = process.argv.length === 2;
const used = new Set();
const problems = (all ? ['src', 'tools'] : process.argv.slice(2)).flatMap(filesOf).flatMap(problemsOf);
if (all)
  for (const place of Object.keys(untyped))
    if (!used.has(place)) problems.push(`${place} reads no untyped records: take it out of scripts/records/table.mjs`);
tell('records', problems);

function problemsOf(file) {
  const out = reportsOf(file, report => ({
    ImportSpecifier: node => {
      const { name } = node.imported;
      if (untypedNames.has(name)) report(node, `${name} is without types: use those of src/contract/shown.ts`);
    },
    TSAnyKeyword: node => report(node, '`any` switches the compiler off'),
    TSTypeReference: node => {
      const [key, value] = node.typeArguments?.params ?? [];
      const isOpen = value?.type === 'TSUnknownKeyword' || value?.type === 'TSAnyKeyword';
      if (node.typeName.name === 'Record' && key?.type === 'TSStringKeyword' && isOpen)
        report(node, 'a record of unknown fields is without types: use those of src/contract/shown.ts');
    },
  }));
  const place = Object.keys(untyped).find(path => (path.endsWith('/') ? file.startsWith(path) : file === path));
  if (place === undefined || out.length === 0) return out;
  used.add(place);
  return [];
}
