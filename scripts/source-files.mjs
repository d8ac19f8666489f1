/** The source files that a check reads, and the problems that it reports. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/** The TypeScript files of these paths, those of a folder in the order of their names. */
export function filesOf(path) {
  if (statSync(path).isFile()) return [path];
  const below = readdirSync(path, { recursive: true }).map(name => `${path.replace(/\/$/, '')}/${name}`);
  return below.filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts')).sort();
}

/** What the visitor that `visitorOf` makes reports of a file, each with its line. */
export function reportsOf(file, visitorOf) {
  const text = readFileSync(file, 'utf8');
  const reports = [];
  const report = (node, what) => reports.push(`${file}:${text.slice(0, node.start).split('\n').length} ${what}`);
  new Visitor(visitorOf(report)).visit(parseSync(file, text).program);
  return reports;
}

/** Writes the problems, and how many there are; the check fails where there is one. */
export function tell(name, problems) {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${name}: ${problems.length} problems\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
