/**
 * Tries real MCP clients against the built server, over stdio and HTTP, and writes what each could do into
 * docs/clients.md, and then what becomes of the answers of scripted hosts (scripted.mjs); `--check` compares the first
 * instead. The clients are in a folder and lockfile of their own, with the Node.js
 * that the newest of them need. Telemetry is off.
 */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { node } from './node.mjs';
import { checks, fail, keep } from './page.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const main = join(here, '../../dist/main.js');
const run = promisify(execFile);
const packages = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const version = name => packages.dependencies[name];
/** These clients have no user who opens a link. */
const program = [main, '--ask', 'url,form,buttons,token'];
/** For all servers: each would need longer to start one than to answer. */
const service = await startService();
/** For all clients. */
const http = await startHttp();
// Also where a check fails.
process.once('exit', stop);
const quiet = {
  ...process.env,
  DO_NOT_TRACK: '1',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  LANGCHAIN_TRACING_V2: 'false',
  ...service.env,
};

const clients = [
  ['inspector', 'Inspector, command line', '@modelcontextprotocol/inspector'],
  ['sdk2', 'MCP SDK 2, revision 2026-07-28', '@modelcontextprotocol/client'],
  ['sdk1', 'MCP SDK 1, revision 2025-11-25', '@modelcontextprotocol/sdk'],
  ['ai-sdk', 'AI SDK', '@ai-sdk/mcp'],
  ['langchain', 'LangChain adapters', '@langchain/mcp-adapters'],
  ['openai-agents', 'OpenAI Agents, strict conversion on', '@openai/agents'],
  ['mcp-remote', 'mcp-remote, with MCP SDK 1', 'mcp-remote'],
];

/** What each client tries: the title of its column, and the words for all clients if every one can. */
const columns = {
  list: ['lists', 'lists'],
  read: ['reads', 'reads a customer'],
  write: ['writes: is the user asked'],
  error: ['reports errors', 'reports errors'],
  resource: ['resources', 'reads resources'],
  prompt: ['prompts', 'gets prompts'],
};

const tried = [];
let strict;
for (const [driver, title, name] of clients) {
  const transports = driver === 'mcp-remote' ? ['http'] : ['stdio', 'http'];
  for (const [at, result] of (await tryClient(driver, transports)).entries()) {
    const { strict: converted, notStrict, ...cells } = result;
    if (converted) strict = { converted, notStrict };
    tried.push({ title, version: version(name), transport: transports[at], cells });
    process.stderr.write(`${title} ${version(name)}, ${transports[at]}: ${Object.values(cells).join(' · ')}\n`);
  }
}
const failed = tried.filter(({ cells }) => Object.values(cells).some(cell => cell.startsWith('no: ')));
if (failed.length > 0)
  fail(
    `${failed.length} clients could not do something that a client must:\n${failed.map(each => JSON.stringify(each)).join('\n')}`,
  );
keep('matrix', asTable());
process.stderr.write(`${tried.length} passed, 0 failed\n`);
stop();
// They need nothing of this folder, and are compared by a test of their own.
if (!checks) await import('./scripted.mjs');

function stop() {
  for (const server of [service, http]) server.stop();
}

/** What all can is one sentence; the rest is a row for each client, or for each transport where these differ. */
function asTable() {
  const valuesOf = name => [...new Set(tried.map(({ cells }) => cells[name]))];
  const isShared = name =>
    columns[name].length > 1 && !valuesOf(name).includes('not supported') && valuesOf(name).length === 1;
  const names = Object.keys(columns);
  const shared = names.filter(isShared).map(name => {
    const [value] = valuesOf(name);
    return value === 'yes' ? columns[name][1] : `${columns[name][1]} ${value}`;
  });
  const shown = names.filter(name => !isShared(name));
  const rows = new Map();
  for (const { title, version, transport, cells } of tried) {
    const values = shown.map(name => cells[name]).join(' | ');
    const row = rows.get(`${title}\0${values}`) ?? { start: `${title} | ${version}`, over: [], values };
    row.over.push(transport);
    rows.set(`${title}\0${values}`, row);
  }
  return [
    `| client | version | over | ${shown.map(name => columns[name][0]).join(' | ')} |`,
    `|---|---|---|${shown.map(() => '---|').join('')}`,
    ...[...rows.values()].map(({ start, over, values }) => `| ${start} | ${over.join(', ')} | ${values} |`),
    '',
    `Every client ${new Intl.ListFormat('en').format(shared)}.`,
    '',
    strictWords(strict),
  ].join('\n');
}

function strictWords({ converted, notStrict }) {
  const all = converted.length + notStrict.length;
  if (notStrict.length === 0) return `Strict conversion takes all ${all} tools.`;
  const names = notStrict.map(name => `\`${name}\``).join(', ');
  return `Strict conversion takes ${converted.length} of ${all} tools. Not converted, and used as they are: ${names}.`;
}

/** What the client got over each transport. One process tries them all: to load a client takes longer than to ask it. */
async function tryClient(driver, transports) {
  // Not all clients pass on the environment.
  const settings = Object.entries(service.env).map(each => each.join('='));
  const targets = {
    http: { url: http.url },
    stdio: { command: 'env', args: [...settings, process.execPath, ...program] },
  };
  // The limit ends a client that hangs.
  const options = { cwd: here, env: quiet, timeout: 600_000, maxBuffer: 1e8 };
  const asked = transports.map(transport => JSON.stringify(targets[transport]));
  const { stdout } = await run(node, ['one.mjs', driver, ...asked], options);
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{"list":'))
    .map(line => JSON.parse(line));
}

/** The billing service with the demo account. */
async function startService() {
  const BILLING_API_KEY = randomUUID();
  const started = await start(['service', '--demo', '--port', '0'], { BILLING_API_KEY }, /BILLING_BASE_URL=(\S+)/);
  return { env: { BILLING_API_KEY, BILLING_BASE_URL: started.url }, stop: started.stop };
}

/** Sessions let older clients be asked. */
function startHttp() {
  const args = [...program.slice(1), '--http', '--sessions', '--port', '0'];
  return start(args, service.env, /(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
}

/** A process of the program that says its address. */
function start(args, env, address) {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } });
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += chunk;
        const [, url] = address.exec(said) ?? [];
        if (url) resolve({ url, stop: () => child.kill() });
      });
    child.once('exit', () => reject(new Error(`the program ended: ${said}`)));
  });
}
