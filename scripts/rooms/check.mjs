import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseSync } from 'oxc-parser';
import { meeting, rooms, shared, speaking } from './table.mjs';

const root = process.argv[2] ?? '.';
const files = ['src', 'tools']
  .flatMap(top => readdirSync(join(root, top), { recursive: true }).map(name => `${top}/${name}`))
  .filter(name => /\.(ts|js)$/.test(name) && !name.endsWith('.d.ts'))
  .sort();
const known = new Set(files);
const roomOf = file =>
  rooms.findIndex(room => room.paths.some(path => file.startsWith(path)) && !room.except?.includes(file));
const problems = [];
const graph = new Map();
let _arrows = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) problems.push(`${file} cannot be read: ${errors[0].message}`);
  const specifiers = [
    ...module.staticImports.map(one => one.moduleRequest.value),
    ...module.staticExports.flatMap(one => one.entries.map(entry => entry.moduleRequest?.value)).filter(Boolean),
    ...module.dynamicImports
      .map(one => text.slice(one.moduleRequest.start, one.moduleRequest.end))
      .map(one => /^['"`](.*)['"`]$/.exec(one)?.[1]),
    ...[...text.matchAll(/\bimport\('([^']+)'\)/g)].map(m => m[1]),
  ].filter(Boolean);
  const targets = new Set();
  const here = roomOf(file);
  if (here < 0) {
    problems.push(`${file} is in no room`);
    continue;
  }
  for (const specifier of new Set(specifiers)) {
    if (!specifier.startsWith('.')) {
      if (rooms[here].packages && !rooms[here].packages.includes(specifier))
        problems.push(`${file} imports ${specifier}: the ${rooms[here].name} is pure`);
      continue;
    }
    const target = join(dirname(file), specifier);
    if (!known.has(target)) {
      if (!/package\.json$|\.css$/.test(target)) problems.push(`${file} imports ${target}, which is not there`);
      continue;
    }
    _arrows++;
    targets.add(target);
    const there = roomOf(target);
    if (there < here) problems.push(`UP ${file} (${rooms[here].name}) -> ${target} (${rooms[there]?.name})`);
    else if (
      !!rooms[here].service !== !!rooms[there].service &&
      !shared.includes(rooms[there].name) &&
      !meeting.includes(rooms[here].name)
    )
      problems.push(`SIDE ${file} -> ${target}`);
  }
  graph.set(file, targets);
  if (!speaking.includes(rooms[here].name) && /\bprocess\.(stdin|stdout)\b|\bconsole\.log\b/.test(text))
    problems.push(`${file} touches stdin or stdout`);
}
// circles: Tarjan
const index = new Map(),
  low = new Map(),
  stack = [],
  on = new Set(),
  circles = [];
const visit = v => {
  index.set(v, index.size);
  low.set(v, index.get(v));
  stack.push(v);
  on.add(v);
  for (const w of graph.get(v) ?? []) {
    if (!index.has(w)) {
      visit(w);
      low.set(v, Math.min(low.get(v), low.get(w)));
    } else if (on.has(w)) low.set(v, Math.min(low.get(v), index.get(w)));
  }
  if (low.get(v) === index.get(v)) {
    const c = [];
    let w;
    do {
      w = stack.pop();
      on.delete(w);
      c.push(w);
    } while (w !== v);
    if (c.length > 1) circles.push(c);
  }
};
for (const file of files) if (!index.has(file)) visit(file);
for (const c of circles) problems.push(`CIRCLE ${c.join(' ')}`);
for (const _p of problems) process.exitCode = problems.length > 0 ? 1 : 0;
