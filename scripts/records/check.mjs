/**
 * Checks that records are read with the types of the contract: outside the places in table.mjs, `src` and `tools` import no
 * untyped records and no readers of them, and write no types that say as much. `node scripts/records/check.mjs [PATH…]` for
 * some paths alone.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { untyped } from './table.mjs';

const untypedNames = new Set(['JsonRecord', 'JsonObject', 'isRecord', 'isJsonObject', 'anyRecord', 'anyRecords']);
const all = process.argv.length === 2;
const used = new Set();
const problems = (all ? ['src', 'tools'] : process.argv.slice(2)).flatMap(filesOf).flatMap(problemsOf);
if (all)
  for (const place of Object.keys(untyped))
    if (!used.has(place)) problems.push(`${place} reads no untyped records: take it out of scripts/records/table.mjs`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`records: ${problems.length} problems\n`);
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
  new Visitor({
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
  }).visit(parseSync(file, text).program);
  const place = Object.keys(untyped).find(path => (path.endsWith('/') ? file.startsWith(path) : file === path));
  if (place === undefined || out.length === 0) return out;
  used.add(place);
  return [];
}
