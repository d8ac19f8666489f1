// `npm run check`: every check, as many at a time as there are cores, the longest first. Prints what each says when it ends,
// and fails with the names of those that failed. `npm run check -- prose figures` runs some of them.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const checks = {
  // One checker: several would each repeat the types that they share, and other checks run at the same time.
  types: 'tsc --noEmit --checkers 1',
  trace: 'node --import tsx --import ./scripts/trace/register.mjs scripts/trace/run.mjs --check',
  documents: 'tsx scripts/docs/generate.ts --check',
  unused: 'knip',
  'browser types': 'tsc --noEmit --checkers 1 -p test/browser',
  'page types': 'tsc --noEmit -p scripts/views.tsconfig.json',
  format: 'biome ci .',
  layers: 'node scripts/layers/check.mjs',
  names: 'node scripts/names/check.mjs',
  records: 'node scripts/records/check.mjs',
  prose: 'node scripts/prose/check.mjs',
  tests: 'node scripts/tests/check.mjs',
  figures: 'node scripts/figures/check.mjs',
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !Object.hasOwn(checks, name));
if (unknown.length > 0) throw new Error(`no check is called ${unknown}: there are ${Object.keys(checks).join(', ')}`);
const waiting = Object.entries(checks).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const failed = [];
await Promise.all(Array.from({ length: availableParallelism() }, worker));
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}

async function worker() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, command] = next;
    const { code, output } = await run(command);
    process.stdout.write(`== ${name}\n${output}`);
    if (code !== 0) failed.push(name);
  }
}

/** The programs of node_modules are on the path, since npm runs this. */
function run(command) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => parts.push(part));
    child.on('error', reject);
    child.on('close', code => resolve({ code, output: Buffer.concat(parts).toString() }));
  });
}
