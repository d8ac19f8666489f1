// `npm run bench -- start | server | against | engine | lookups | pages | set [options]`: each benchmark is a program of its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const benchmarks = {
  start: ['../test/bench/start.mjs'],
  against: ['../test/bench/against.mjs'],
  server: ['../test/bench/server.mjs'],
  engine: ['--import', 'tsx', '../test/bench/engine.ts'],
  lookups: ['--import', 'tsx', '../test/bench/lookups.ts'],
  pages: ['--import', 'tsx', '../test/bench/pages.mjs'],
  set: ['--import', 'tsx', '../test/bench/set.ts'],
};
const [name, ...options] = process.argv.slice(2);
const chosen = benchmarks[name];
if (!chosen) {
  process.stderr.write(`Say which benchmark: ${Object.keys(benchmarks).join(' or ')}.\n`);
  process.exit(2);
}
const file = fileURLToPath(new URL(chosen.at(-1), import.meta.url));
const { status } = spawnSync(process.execPath, [...chosen.slice(0, -1), file, ...options], { stdio: 'inherit' });
process.exit(status ?? 1);
