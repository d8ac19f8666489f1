// `npm run bench -- server`: compares this server with one-tool reference servers and with undici alone, as ratios of one
// run. Rounds are interleaved, so that a machine that slows down slows all of them down.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { SignJWT } from 'jose';
import { timingOfAnothers } from './another.mjs';
import { coldStart, flood, floor, greet, inTurns, median, memory, openHttp, openStdio } from './drive.mjs';
import { apiKey, startUpstream } from './upstream.mjs';

const path = name => fileURLToPath(new URL(name, import.meta.url));
const main = path('../../dist/main.js');
const upstream = await startUpstream();
const { origin, environment } = upstream;

const servers = {
  ours: [process.execPath, main],
  sdk1: [process.execPath, path('references/sdk1.mjs')],
  sdk2: [process.execPath, path('references/sdk2.mjs')],
  // It answers with structured content, as we do: the fair reference for a call.
  'sdk2-out': [process.execPath, path('references/sdk2.mjs'), 'out'],
};
const overHttp = {
  ours: [process.execPath, main, '--http', '--port', '{PORT}'],
  sdk2: [process.execPath, path('references/sdk2.mjs')],
};
/** The same callers with the same token: alone, in a role, and with a proof of their customer, whose records are kept. */
const token = 'token-of-the-benchmark-0001';
const customerKey = 'customer-token-key-of-the-benchmark-0123456789';
const customerToken = await new SignJWT({ billing_customer: 'cust_1' })
  .setProtectedHeader({ alg: 'HS256' })
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(customerKey));
const withToken = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: token, BILLING_HTTP_RATE_LIMIT: '0' };
const callers = {
  token: { settings: withToken },
  role: {
    settings: { ...withToken, BILLING_HTTP_TOKENS: `${token} role=desk`, BILLING_ROLES: path('roles.jsonc') },
  },
  bound: {
    settings: { ...withToken, BILLING_CUSTOMER_TOKEN_KEY: customerKey },
    headers: { 'x-billing-customer-token': customerToken },
  },
};
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;
const seconds = quick ? 1 : 3;

const results = { stdio: {}, http: {}, cold: {}, floor: [] };
try {
  for (let round = 0; round < rounds; round += 1) {
    results.floor.push(await floor(origin, apiKey, seconds));
    for (const [name, command] of Object.entries(servers)) {
      for (let start = 0; start < (quick ? 2 : 5); start += 1)
        push(results.cold, name, await coldStart(command, environment));
    }
    await measure(results.stdio, Object.entries(servers).map(overStdio));
    await measure(results.http, Object.entries(overHttp).map(openedOverHttp));
    await measure(results.http, Object.entries(callers).map(asCaller));
  }
  report(await timingOfAnothers(quick ? 100 : 400));
  await memoryOverTime();
} finally {
  upstream.stop();
}

/** Measures servers side by side, and adds their figures to a group of results. */
async function measure(group, opened) {
  const clients = Object.fromEntries(await Promise.all(opened));
  const before = await asked();
  const figures = await inTurns(clients, seconds);
  const calls = Object.values(figures).reduce((sum, one) => sum + one.calls, 0);
  if ((await asked()) - before < calls) throw new Error('Some measured calls never reached the billing API.');
  for (const [name, figure] of Object.entries(figures)) push(group, name, figure);
  for (const client of Object.values(clients)) await client.close();
}

async function overStdio([name, command]) {
  const client = openStdio(command, environment);
  await greet(client);
  return [name, client];
}

async function openedOverHttp([name, command]) {
  return [name, await openHttp(command, environment)];
}

/** The same server, whose callers differ in their settings alone. */
async function asCaller([name, { settings, headers }]) {
  const credentials = { authorization: `Bearer ${token}`, ...headers };
  return [name, await openHttp(overHttp.ours, { ...environment, ...settings }, credentials)];
}

async function asked() {
  return (await (await fetch(`${origin}/__stats`)).json()).requests;
}

function push(group, name, value) {
  group[name] ??= [];
  group[name].push(value);
}

function middle(group, name, figure) {
  return median(group[name].map(result => result[figure]));
}

function report(anothers) {
  const { cold, stdio, http } = results;
  /** One figure of ours beside that of a reference. */
  const ratio = (what, group, figure, than, target, ours = 'ours') => {
    const [own, reference] = [middle(group, ours, figure), middle(than === 'floor' ? results : group, than, figure)];
    return [what, own, `${(own / reference).toFixed(2)} × ${than} (${reference.toFixed(3)})`, target];
  };
  const { tools } = cold.ours[0];
  const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const tokens = countTokens(JSON.stringify(listed));
  print([
    ['measure', 'ours', 'ratio', 'target'],
    ratio('spawn to initialize, ms', cold, 'initialized', 'sdk1', '≤ 0.60'),
    ['spawn to tools/list, ms', middle(cold, 'ours', 'listed'), '', ''],
    ['first call over a warm one, ms', middle(cold, 'ours', 'first'), '', '≤ 25 ms'],
    ratio('calls/s at 32, stdio', stdio, 'perSecond', 'floor', '≥ 0.30'),
    ratio('CPU ms a call, stdio', stdio, 'cpuPerCall', 'sdk2-out', '≤ 0.6'),
    ratio('calls/s at 32, HTTP', http, 'perSecond', 'sdk2', '≥ 1.8'),
    ratio('calls/s at 32, HTTP, in a role', http, 'perSecond', 'token', '≥ 0.9', 'role'),
    ratio('calls/s at 32, HTTP, bound to a customer', http, 'perSecond', 'token', '≥ 0.9', 'bound'),
    ...anothers,
    ratio('sequential p50 ms, stdio', stdio, 'p50', 'sdk2-out', '≤ 1.05'),
    ratio('memory after 2,000 calls, MB', stdio, 'rss', 'sdk2', '≤ 0.8'),
    [`tokens of ${tools.length} tools`, tokens, '', '≤ 4,400'],
    typicalAnswer(),
  ]);
  process.stdout.write(
    `\n${execFileSync(process.execPath, ['--version']).toString().trim()}, ${rounds} interleaved rounds of ${seconds} s; median.\n`,
  );
}

/** Tokens of a result's text, compared with those of the body that the billing API sent. */
function typicalAnswer() {
  const [text, body] = [results.cold.ours[0].text, results.cold.sdk1[0].text].map(answer => countTokens(answer));
  return ['tokens of an answer', text, `${(text / body).toFixed(2)} × the body (${body})`, '≤ 0.60'];
}

/** Memory after 2,000 calls and after many more: is it flat? */
async function memoryOverTime() {
  const points = quick ? [2000, 20_000] : [2000, 20_000, 200_000];
  for (const name of ['ours', 'sdk2']) {
    const client = openStdio(servers[name], environment);
    await greet(client);
    let done = 0;
    const readings = [];
    for (const point of points) {
      await flood(client, { calls: point - done });
      done = point;
      readings.push(`${memory(client.pid).toFixed(0)} MB after ${point}`);
    }
    process.stdout.write(`Memory of ${name}: ${readings.join(', ')} calls.\n`);
    await client.close();
  }
}

function print(rows) {
  const text = rows.map(row =>
    row.map(cell => (typeof cell === 'number' ? cell.toFixed(cell < 10 ? 3 : 0) : String(cell))),
  );
  const widths = text[0].map((_, column) => Math.max(...text.map(row => row[column].length)));
  for (const row of text)
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}\n`);
}
