/**
 * `node scripts/slowest.mjs FILE [SECONDS]` reads lines of seconds, a tab and a name, and prints the ten that took longest.
 * With the SECONDS of the whole run it prints these too, and a warning when they are more than CI may take.
 */
import { readFileSync } from 'node:fs';

const shown = 10;
const mostMinutes = 15;

const [file, whole] = process.argv.slice(2);
const parts = readFileSync(file, 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => line.split('\t'))
  .sort(([one], [other]) => other - one);
const lines = parts.slice(0, shown).map(([seconds, name]) => `${Number(seconds).toFixed(1).padStart(8)}  ${name}`);
if (whole !== undefined) {
  const minutes = whole / 60;
  lines.push(`${minutes.toFixed(1)} minutes in all.`);
  if (minutes > mostMinutes) lines.push(`TOO SLOW: CI may take ${mostMinutes} minutes.`);
}
process.stdout.write(
  `The ${shown} slowest parts, in seconds (test files run beside each other):\n${lines.join('\n')}\n`,
);
