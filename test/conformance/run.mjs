/**
 * Runs the protocol's own conformance suite over HTTP and over stdio, for both revisions, against the built program and
 * against the same program with the tools, prompts and resources that the suite calls (fixtures/). Ends with 1 when a
 * check fails that scenarios.mjs does not explain. The suite needs Node 22: both are installed with the clients.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildVariant } from '../../scripts/variant.mjs';
import { node } from '../clients/node.mjs';
import { elsewhere, elsewhereInPart, notForStdio, reasonIn, withFixturesOnly } from './scenarios.mjs';
import { startStdio } from './stdio.mjs';

const revisions = ['2025-11-25', '2026-07-28'];
const shipped = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const suite = fileURLToPath(
  new URL('../clients/node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const transports = [
  { name: 'HTTP', start: startHttp, unseen: [] },
  { name: 'stdio', start: startStdio, unseen: notForStdio },
];

// Inside node_modules, where the program finds its database.
const folder = await mkdtemp(fileURLToPath(new URL('../../node_modules/.conformance-', import.meta.url)));
const service = await startService();
let wrong = 0;
try {
  const withFixtures = await buildVariant(folder, {
    swaps: [
      ['tools/index.ts', 'test/conformance/fixtures/tools.ts'],
      ['src/protocol/prompt-definitions.ts', 'test/conformance/fixtures/prompt-definitions.ts'],
      ['src/protocol/resources.ts', 'test/conformance/fixtures/resources.ts'],
    ],
    // The suite prescribes the name under which one of its tools asks, and takes any for the others.
    edits: [['src/policy/confirm.ts', "QUESTION_KEY = 'confirm'", "QUESTION_KEY = 'user_name'"]],
  });
  for (const transport of transports)
    wrong += await tryTransport(transport, [shipped, withFixtures], service.environment);
} finally {
  service.stop();
  await rm(folder, { recursive: true });
}
process.exitCode = wrong === 0 ? 0 : 1;

/** Prints the results of both revisions; returns the number of scenarios that should have passed and did not. */
async function tryTransport(transport, programs, environment) {
  const servers = await Promise.all(programs.map(main => transport.start(main, environment)));
  let failed = 0;
  try {
    for (const revision of revisions) {
      const [plain, fixtures] = await Promise.all(servers.map(({ url }) => runSuite(url, revision)));
      failed += judge(transport, revision, together(plain, fixtures));
    }
  } finally {
    for (const server of servers) server.stop();
  }
  return failed;
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

/** The checks of every scenario, by scenario. */
async function runSuite(url, revision) {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'));
  const args = [suite, 'server', '--url', url, '--requirements', revision, '-o', results];
  const child = spawn(node, args, { stdio: 'ignore' });
  // The suite ends with 1 when any scenario fails; which failures are expected is decided here.
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const scenarios = new Map();
  for (const result of (await readdir(results)).sort()) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(result)?.[1];
    if (name) scenarios.set(name, JSON.parse(await readFile(join(results, result, 'checks.json'), 'utf8')));
  }
  await rm(results, { recursive: true });
  if (scenarios.size === 0) throw new Error('the conformance suite did not run');
  return scenarios;
}

/** The checks of the program with fixtures, and what fails in the built program although it needs no fixtures. */
function together(plain, fixtures) {
  const scenarios = [...fixtures].map(([name, checks]) => {
    const own = withFixturesOnly.some(pattern => pattern.test(name)) ? [] : (plain.get(name) ?? []);
    const missed = own.filter(check => fails(check) && !/^Not testable/.test(check.errorMessage ?? ''));
    return [name, [...checks, ...missed]];
  });
  return new Map(scenarios);
}

function fails({ status }) {
  return status === 'FAILURE' || status === 'WARNING';
}

/** Prints the results; returns the number of scenarios that should have passed and did not. */
function judge({ name: transport, unseen }, revision, scenarios) {
  const lines = { passed: [], notOurs: [], notHere: [], failed: [] };
  for (const [name, all] of scenarios) {
    const [notHere, notOurs] = [unseen, elsewhere].map(list => reasonIn(list, name));
    const checks = all.filter(({ id }) => reasonIn(unseen, id) === undefined);
    const passed = checks.filter(({ status }) => status === 'SUCCESS').length;
    const failures = checks.filter(fails);
    const real = failures.filter(({ id }) => reasonIn(elsewhereInPart, id) === undefined);
    if (notHere) lines.notHere.push(`  not for ${transport} ${name}: ${notHere}`);
    else if (notOurs) lines.notOurs.push(`  not for us ${name}: ${notOurs}`);
    else if (real.length > 0 || passed === 0)
      lines.failed.push(
        `  FAILS      ${name}: ${real.map(check => check.errorMessage ?? check.id).join('; ') || 'nothing was checked'}`,
      );
    else {
      const notes = [`${passed} checks`, ...failures.map(({ id }) => `${id}: ${reasonIn(elsewhereInPart, id)}`)];
      if (checks.length < all.length) notes.push(`not for ${transport}: ${all.length - checks.length}`);
      lines.passed.push(`  passes     ${name} (${notes.join('; ')})`);
    }
  }
  const { passed, notOurs, notHere, failed } = lines;
  const counts = [`${passed.length} pass`, `${failed.length} fail`, `${notOurs.length} are not for us`];
  if (unseen.length > 0) counts.push(`${notHere.length} are not for ${transport}`);
  console.error(`${revision} over ${transport}: ${counts.join(', ')}`);
  console.error([...passed, ...notOurs, ...notHere, ...failed, ''].join('\n'));
  return failed.length;
}
