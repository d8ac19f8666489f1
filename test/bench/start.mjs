// `npm run bench -- start [--node PATH]`: spawn to the answer to `initialize`, and the first call asked in the same
// millisecond as the list of tools, beside the older SDK's minimal server: medians of interleaved rounds. With `--node`
// also in that release of Node.js, with its cache of compiled code and without.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { greet, hurriedStart, median, openStdio } from './drive.mjs';
import { startUpstream } from './upstream.mjs';

const { values } = parseArgs({ options: { node: { type: 'string' }, quick: { type: 'boolean' } } });
const path = name => fileURLToPath(new URL(name, import.meta.url));
const [main, sdk1] = [path('../../dist/main.js'), path('references/sdk1.mjs')];
const [rounds, starts] = values.quick ? [1, 2] : [5, 5];

const cache = mkdtempSync(join(tmpdir(), 'usage-billing-mcp-'));
const upstream = await startUpstream();
try {
  const account = upstream.environment;
  const here = { ...account, NODE_DISABLE_COMPILE_CACHE: '1' };
  await compare(process.execPath, { ours: [main, here], sdk1: [sdk1, here] });
  if (values.node) {
    const cached = { ...account, NODE_COMPILE_CACHE: cache };
    await fill(values.node, cached);
    const servers = { 'ours, code kept': [main, cached], ours: [main, here], sdk1: [sdk1, here] };
    await compare(values.node, servers);
  }
} finally {
  upstream.stop();
  rmSync(cache, { recursive: true });
}

/** Prints a row for each server, with its ratios to `sdk1`. */
async function compare(node, servers) {
  const results = Object.fromEntries(Object.keys(servers).map(name => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, [file, environment]] of Object.entries(servers))
      for (let start = 0; start < starts; start += 1)
        results[name].push({ round, ...(await hurriedStart([node, file], environment)) });
  process.stdout.write(
    `Node.js ${execFileSync(node, ['--version']).toString().trim()}, ${rounds} interleaved rounds of ${starts} starts; median\n`,
  );
  for (const [name, own] of Object.entries(results)) {
    const figures = ['initialized', 'first'].map(figure => {
      const ratioIn = round => of(own, round, figure) / of(results.sdk1, round, figure);
      const ratios = Array.from({ length: rounds }, (_, round) => ratioIn(round));
      return `${median(own.map(result => result[figure])).toFixed(0)} ms, ${median(ratios).toFixed(2)} × sdk1`;
    });
    process.stdout.write(`  ${name.padEnd(16)} initialize ${figures[0]}; first call ${figures[1]}\n`);
  }
}

function of(results, round, figure) {
  return median(results.filter(result => result.round === round).map(result => result[figure]));
}

/** Lets the server run until it has stored its compiled code. */
async function fill(node, environment) {
  const client = openStdio([node, main], environment);
  await greet(client);
  await new Promise(resolve => setTimeout(resolve, 4000));
  await client.close();
}
