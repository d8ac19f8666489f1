/**
 * Runs the protocol's own conformance suite over HTTP and over stdio, for both revisions, against the built program and
 * against the same program with the tools, prompts and resources that the suite calls (fixtures/). Writes the results
 * into docs/conformance.md; `--check` compares instead. Ends with 1 when a check fails that scenarios.mjs does not
 * explain. The suite needs a newer Node.js than the server: both are installed with the clients.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildVariant } from '../../scripts/variant.mjs';
import { node } from '../clients/node.mjs';
import { notForStdio } from './scenarios.mjs';
import { startStdio } from './stdio.mjs';
import { asTables, countOf, kinds, together, verdict } from './verdicts.mjs';

const page = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));
const withFixtures = {
  swaps: [
    ['src/program.ts', 'test/conformance/fixtures/program.ts'],
    ['tools/load.ts', 'test/conformance/fixtures/tools.ts'],
    ['src/server/protocol/prompt-definitions.ts', 'test/conformance/fixtures/prompt-definitions.ts'],
    ['src/server/protocol/resources.ts', 'test/conformance/fixtures/resources.ts'],
  ],
  edits: [
    // The suite prescribes the name under which one of its tools asks, and takes any for the others.
    ['src/server/protocol/server.ts', "questionKey = 'confirm'", "questionKey = 'user_name'"],
    // Its clients accept every form with fields of their own.
    [
      'src/calls/change/ask/ways-of-asking.ts',
      "const { answer } = membersOf<'answer'>(reply.content);",
      "const answer = reply.content && 'yes';",
    ],
  ],
};
const revisions = ['2025-11-25', '2026-07-28'];
/** Of extensions, which the suite runs only by name. They need nothing of the fixtures. */
const ofExtensions = ['enumeration', 'manifest', 'directory'].map(part => `sep-2640-skills-${part}`);
const shipped = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const suite = new URL('../clients/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).href;
const runner = fileURLToPath(new URL('suite.mjs', import.meta.url));
const transports = [
  { name: 'HTTP', start: startHttp, unseen: [] },
  {
    name: 'stdio',
    // One process stands for many clients here: after one that brings no answer, it would ask the others in another way.
    start: (main, env) => startStdio(main, { ...env, BILLING_ASK: 'form' }),
    unseen: notForStdio,
    // HTTP compares the two programs; what they share is tried here.
    fixturesOnly: true,
  },
];

const runs = await tryAll();
runs.forEach(report);
const before = await readFile(page, 'utf8');
const [open, close] = ['<!-- results -->\n', '\n<!-- /results -->'];
const after =
  before.slice(0, before.indexOf(open) + open.length) + asTables(runs) + before.slice(before.indexOf(close));
if (runs.some(run => countOf(run, 'fails') > 0)) process.exitCode = 1;
else if (!process.argv.includes('--check')) await writeFile(page, after);
else if (before !== after) {
  console.error('docs/conformance.md is out of date: run npm run conformance and commit what it writes.');
  process.exitCode = 1;
}

/** All transports and revisions, in the order of the document. */
async function tryAll() {
  const service = await startService();
  // Inside node_modules, where the program finds its database.
  const folder = await mkdtemp(fileURLToPath(new URL('../../node_modules/.conformance-', import.meta.url)));
  try {
    const variant = await buildVariant(folder, withFixtures);
    const tried = transports.map(transport => {
      const programs = transport.fixturesOnly ? [variant] : [variant, shipped];
      return tryTransport(transport, programs, service.environment);
    });
    return (await Promise.all(tried))
      .flat()
      .sort((a, b) => (a.revision < b.revision ? -1 : a.revision > b.revision ? 1 : 0));
  } finally {
    service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Runs both revisions against all programs at a time; the first has the fixtures. The last gets the extensions, too. */
async function tryTransport({ name: transport, start, unseen }, programs, environment) {
  const servers = await Promise.all(programs.map(main => start(main, environment)));
  try {
    const found = await Promise.all(servers.map(server => runSuite(server.url, server === servers.at(-1))));
    return revisions.map((revision, at) => {
      const [[fixtures], [plain, extensions] = [new Map(), found[0][at][1]]] = found.map(each => each[at]);
      const scenarios = [...together(plain, fixtures), ...extensions];
      const verdicts = new Map(scenarios.map(([name, checks]) => [name, verdict(name, checks, unseen)]));
      return { revision, transport, verdicts };
    });
  } finally {
    for (const server of servers) server.stop();
  }
}

/** The billing service with the demo account, for all processes: each would need longer to start one than to answer. */
async function startService() {
  const env = { ...process.env, BILLING_API_KEY: randomUUID() };
  const child = spawn(process.execPath, [shipped, 'service', '--demo', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^BILLING_BASE_URL=(.*)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      environment: { ...env, BILLING_BASE_URL: url, BILLING_LOG_LEVEL: 'info' },
      stop: () => child.kill('SIGTERM'),
    };
  }
  throw new Error('the billing service did not start');
}

async function startHttp(main, env) {
  const child = spawn(process.execPath, [main, '--http', '--port', '0', '--rate-limit', '0', '--sessions'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const entry = line.startsWith('{') ? JSON.parse(line) : {};
    if (entry.msg !== 'serving') continue;
    child.stderr.resume();
    return { url: entry.url, stop: () => child.kill('SIGTERM') };
  }
  throw new Error('the server did not start');
}

/** For each revision the checks of every scenario, by scenario, and those of the extensions, where they are wanted. */
async function runSuite(url, withExtensions) {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'));
  const server = ['server', '--url', url];
  const named = name => ['--force', '--scenario', name, '--spec-version'];
  const lists = revisions.flatMap(revision => [
    [...server, '--requirements', revision, '-o', join(results, revision)],
    ...(withExtensions ? ofExtensions : []).map(name => [
      ...[...server, ...named(name), revision],
      ...['-o', join(results, `${revision}-extensions`)],
    ]),
  ]);
  const child = spawn(node, [runner, suite, JSON.stringify(lists)], { stdio: ['ignore', 'ignore', 'inherit'] });
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const read = name => checksIn(join(results, name));
  const found = revisions.map(async revision => [
    await read(revision),
    withExtensions ? await read(`${revision}-extensions`) : new Map(),
  ]);
  const all = await Promise.all(found);
  await rm(results, { recursive: true });
  return all;
}

async function checksIn(folder) {
  const scenarios = new Map();
  for (const result of (await readdir(folder)).sort()) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(result)?.[1];
    if (name) scenarios.set(name, JSON.parse(await readFile(join(folder, result, 'checks.json'), 'utf8')));
  }
  if (scenarios.size === 0) throw new Error('the conformance suite did not run');
  return scenarios;
}

/** Prints what was found in one run. */
function report({ revision, transport, verdicts }) {
  const counts = Object.keys(kinds).map(kind => `${countOf({ verdicts }, kind)} ${wordFor(kind)}`);
  console.error(`${revision} over ${transport}: ${counts.join(', ')}`);
  for (const [name, { kind, reasons }] of verdicts)
    console.error(`  ${wordFor(kind).padEnd(14)} ${name}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}`);
}

function wordFor(kind) {
  return kinds[kind] || 'not for us';
}
