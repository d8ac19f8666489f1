/**
 * Runs the protocol's own conformance suite against this server, over HTTP and over stdio, for both revisions that it
 * serves. The suite needs Node 22, which npx downloads. Ends with 1 when a check fails that is not explained below.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { notForStdio, startStdio } from './conformance-stdio.mjs';

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const revisions = ['2025-11-25', '2026-07-28'];
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Scenarios that do not apply to this server, and why. */
const elsewhere = [
  [/^tools-call-/, "calls the suite's own fixture tools (test_simple_text, test_image_content, …)"],
  [/^elicitation-/, "calls the suite's own fixture tools (test_elicitation_…)"],
  [/^json-schema-2020-12$/, "looks at the suite's own fixture tool json_schema_2020_12_tool"],
  [/^resources-(read-text|read-binary|templates-read)$/, "reads the suite's own fixture resources (test://…)"],
  [/^prompts-get-/, "gets the suite's own fixture prompts (test_simple_prompt, …)"],
  [/^completion-complete$/, "completes an argument of the suite's own fixture prompt"],
  [/^resources-(un)?subscribe$/, 'resource subscriptions are optional and not offered: records change without notice'],
  [/^logging-set-level$/, 'protocol logging is optional and not offered: logs go to stderr'],
  [/^input-required-result-(?!unsupported-methods|validate-input)/, "calls the suite's own fixture tools and prompts"],
  [/^http-custom-header-server-validation$/, 'needs a tool with x-mcp-header arguments, of which there are none'],
  [/^tasks-/, 'the tasks extension is optional and not offered'],
  [/^sep-2640-/, 'the skills extension is optional and not offered'],
];

const transports = [
  { name: 'HTTP', start: startHttp, unseen: [] },
  { name: 'stdio', start: () => startStdio(main), unseen: notForStdio },
];
let wrong = 0;
for (const transport of transports) {
  const server = await transport.start();
  try {
    for (const revision of revisions) wrong += judge(transport, revision, await runSuite(server.url, revision));
  } finally {
    server.stop();
  }
}
process.exitCode = wrong === 0 ? 0 : 1;

async function startHttp() {
  const child = spawn(process.execPath, [main, '--http', '--demo', '--port', '0', '--rate-limit', '0', '--sessions'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, BILLING_LOG_LEVEL: 'info' },
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
  const args = ['-y', '-p', 'node@22', '-p', suite, 'conformance', 'server'];
  const child = spawn('npx', [...args, '--url', url, '--requirements', revision, '-o', results], { stdio: 'ignore' });
  // The suite ends with 1 when any scenario fails; which failures are expected is decided here.
  await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const scenarios = new Map();
  for (const folder of (await readdir(results)).sort()) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1];
    if (name) scenarios.set(name, JSON.parse(await readFile(join(results, folder, 'checks.json'), 'utf8')));
  }
  await rm(results, { recursive: true });
  if (scenarios.size === 0) throw new Error('the conformance suite did not run');
  return scenarios;
}

/** Prints the results; returns the number of scenarios that should have passed and did not. */
function judge({ name: transport, unseen }, revision, scenarios) {
  const lines = { passed: [], notOurs: [], notHere: [], failed: [] };
  for (const [name, all] of scenarios) {
    const checks = all.filter(check => !unseen.some(([pattern]) => pattern.test(check.id)));
    const failures = checks.filter(check => check.status === 'FAILURE');
    const real = failures.filter(check => !/^Not testable/.test(check.errorMessage ?? ''));
    const [unseenFor, reason] = [unseen, elsewhere].map(list => list.find(([pattern]) => pattern.test(name))?.[1]);
    const passed = checks.filter(check => check.status === 'SUCCESS').length;
    if (unseenFor) lines.notHere.push(`  not for ${transport} ${name}: ${unseenFor}`);
    else if (failures.length === 0 && passed === 0)
      lines.notOurs.push(`  not for us ${name}: the suite found nothing to check`);
    else if (failures.length > 0 && reason) lines.notOurs.push(`  not for us ${name}: ${reason}`);
    else if (real.length === 0) {
      const notes = [`${passed} checks`];
      if (failures.length > 0) notes.push(`only for the suite's own fixture tools: ${failures.length}`);
      if (checks.length < all.length) notes.push(`not for ${transport}: ${all.length - checks.length}`);
      lines.passed.push(`  passes     ${name} (${notes.join('; ')})`);
    } else lines.failed.push(`  FAILS      ${name}: ${real.map(check => check.errorMessage ?? check.id).join('; ')}`);
  }
  const { passed, notOurs, notHere, failed } = lines;
  const counts = [`${passed.length} pass`, `${failed.length} fail`, `${notOurs.length} are not for us`];
  if (unseen.length > 0) counts.push(`${notHere.length} are not for ${transport}`);
  console.error(`${revision} over ${transport}: ${counts.join(', ')}`);
  console.error([...passed, ...notOurs, ...notHere, ...failed, ''].join('\n'));
  return failed.length;
}
