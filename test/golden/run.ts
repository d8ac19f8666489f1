/**
 * The golden record: what every program answers, asks the service and writes down in some 1,300 calls, to the byte.
 * `record.txt` has a digest of each; the texts are kept outside the tree, to show what differs.
 *
 *   npm run golden              compares with record.txt, and shows what differs
 *   npm run golden -- --write   writes record.txt anew: a wanted difference is a commit of its own
 *   npm run golden -- --only "questions by form"
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { linesOf, makeRecord } from './record.ts';

const { write, only } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } }).values;
if (write && only !== undefined) throw new Error('--write needs all scenes');
const file = fileURLToPath(new URL('record.txt', import.meta.url));
const kept = fileURLToPath(new URL('../../node_modules/.cache/golden', import.meta.url));

const record = await makeRecord(only);
const lines = linesOf(record);
const bytes = [...record.values()].flat().reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
process.stdout.write(`${lines.length} calls, ${(bytes / 1e6).toFixed(1)} MB\n`);
if (write) writeFileSync(file, `${lines.join('\n')}\n`);
const expected = readFileSync(file, 'utf8').trimEnd().split('\n').filter(isMeant);
if (expected.join('\n') === lines.join('\n')) {
  if (only === undefined) keep('expected');
  process.stdout.write('The record is as it was.\n');
} else {
  keep('found');
  tell('differ, or are new', lines, expected);
  tell('are gone, or were otherwise', expected, lines);
  if (existsSync(`${kept}/expected`))
    spawnSync('git', ['diff', '--no-index', '--stat', '--patch', `${kept}/expected`, `${kept}/found`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  else process.stdout.write('Run this on the commit before to see how the texts differ.\n');
  process.exitCode = 1;
}

function isMeant(line: string): boolean {
  return only === undefined || line.slice(17).split(' · ')[0]?.includes(only) === true;
}

function tell(what: string, these: readonly string[], those: readonly string[]): void {
  const others = new Set(those);
  const names = these.filter(line => !others.has(line)).map(line => line.slice(17));
  process.stdout.write(`${names.length} calls ${what}:\n${names.slice(0, 40).join('\n')}\n`);
}

function keep(folder: string): void {
  rmSync(`${kept}/${folder}`, { recursive: true, force: true });
  mkdirSync(`${kept}/${folder}`, { recursive: true });
  for (const [scene, entries] of record) {
    const text = entries.map(entry => `=== ${entry.name}\n${entry.text}\n`).join('\n');
    writeFileSync(`${kept}/${folder}/${scene.replaceAll(/\W+/g, '-')}.txt`, text);
  }
}
