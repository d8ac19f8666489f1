/** The tables of docs/clients.md, each between two markers of its name; `--check` compares instead of writing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));

export const checks = process.argv.includes('--check');

/** Writes the table, or ends the program where the page has another one. */
export function keep(name, table) {
  const before = readFileSync(page, 'utf8');
  const [open, close] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const after = before.slice(0, before.indexOf(open) + open.length) + table + before.slice(before.indexOf(close));
  if (!checks) writeFileSync(page, after);
  else if (before !== after)
    fail(`docs/clients.md is out of date: run npm run clients and commit what it writes. It would be:\n${table}`);
}

export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
