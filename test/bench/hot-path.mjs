// `npm run bench -- hot-path`: what each hand-written piece of the way of a read brings over a plain one (plain/), as CPU
// time of the server for one call over stdio. Each pair of runs is this server with and without one piece, one after the
// other, in changing order; the figure is the median of the pairs' ratios.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildVariant } from '../../scripts/variant.mjs';
import { load, median, openStdio } from './drive.mjs';
import { apiKey } from './upstream.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pieces = {
  'read shortcut': ['src/server/fast/read-shortcut.ts', 'read-shortcut.ts'],
  'JSON writer': ['src/server/fast/json-writer.ts', 'json-writer.ts'],
  roster: ['src/server/fast/roster.ts', 'roster.ts'],
  'cancel signal': ['src/server/fast/cancel.ts', 'cancel.ts'],
};
const quick = process.argv.includes('--quick');
const pairs = quick ? 1 : 5;
const seconds = quick ? 1 : 3;

const folder = mkdtempSync(join(tmpdir(), 'usage-billing-mcp-'));
const upstream = spawn(process.execPath, [join(root, 'test/bench/upstream.mjs'), 'serve'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = await once(upstream.stdout, 'data');
  const environment = { BILLING_BASE_URL: `http://127.0.0.1:${String(line).trim()}`, BILLING_API_KEY: apiKey };
  const cpu = async main => {
    const client = openStdio([process.execPath, main], environment);
    const { cpuPerCall } = await load(client, seconds);
    await client.close();
    return cpuPerCall;
  };
  const ours = await build('ours');
  process.stdout.write('piece          CPU of a call without it, as a ratio (each pair)\n');
  for (const [name, replaced] of Object.entries(pieces)) {
    const plain = await build(name.replaceAll(' ', '-'), replaced);
    const ratios = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const order = pair % 2 === 0 ? [ours, plain] : [plain, ours];
      const figures = new Map();
      for (const main of order) figures.set(main, await cpu(main));
      ratios.push(figures.get(plain) / figures.get(ours));
    }
    const all = ratios.map(ratio => ratio.toFixed(2)).join(', ');
    process.stdout.write(`${name.padEnd(14)} ${median(ratios).toFixed(2)} (${all})\n`);
  }
} finally {
  upstream.kill();
  rmSync(folder, { recursive: true });
}

/** The server, with a plain module instead of one of its own when given. Returns its main file. */
function build(name, [own, plain] = []) {
  return buildVariant(join(folder, name), { swaps: own ? [[own, `test/bench/plain/${plain}`]] : [] });
}
