/**
 * Many callers at once: 200 callers with their own keys call tools for 60 s over loopback against a small billing API
 * that knows what each key may see. Prints calls, latency and memory before and after; ends with 1 after any error.
 *
 *   node scripts/soak.mjs [--callers 200] [--seconds 60] [--pause-ms 0]
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';

const { values } = parseArgs({
  options: {
    callers: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    'pause-ms': { type: 'string', default: '0' },
  },
});
const callers = Number(values.callers);
const seconds = Number(values.seconds);
const pauseMs = Number(values['pause-ms']);
const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const upstream = await startUpstream();
const server = await startServer(`http://127.0.0.1:${upstream.address().port}`);
const dispatcher = new Agent({ connections: callers });
const latencies = [];
const errors = new Map();

// Warm up: connections, pools, compiled code and the heap's usual size must exist before the first measurement.
const warm = { calls: 0, enough: 20_000, until: Date.now() + 60_000 };
await callTogether(
  () => warm.calls < warm.enough && Date.now() < warm.until,
  () => warm.calls++,
);
const before = memory();
const started = Date.now();
const samples = [];
const sampler = setInterval(() => samples.push(memory()), 5_000);
await callTogether(
  () => Date.now() < started + seconds * 1_000,
  ms => latencies.push(ms),
);
clearInterval(sampler);
const elapsed = (Date.now() - started) / 1_000;
await new Promise(resolve => setTimeout(resolve, 2_000));
const after = memory();
report(before, after);
await dispatcher.destroy();
server.child.kill('SIGTERM');
const [code] = await new Promise(resolve => server.child.once('exit', (...end) => resolve(end)));
upstream.closeAllConnections();
upstream.close();
console.error(`the server ended with ${code} on SIGTERM`);
const flat = after <= before * 1.25;
if (!flat) console.error('memory grew by more than a quarter');
process.exitCode = errors.size === 0 && code === 0 && flat ? 0 : 1;

async function callTogether(goesOn, count) {
  await Promise.all(Array.from({ length: callers }, (_, index) => loop(index, goesOn, count)));
}

async function loop(index, goesOn, count) {
  const key = `key-of-caller-${index}-0123456789`;
  for (let round = 0; goesOn(); round++) {
    const began = performance.now();
    const problem = await call(key, index, round).catch(error => `no answer: ${error.code ?? error.message}`);
    count(performance.now() - began);
    if (problem) errors.set(problem, (errors.get(problem) ?? 0) + 1);
    if (pauseMs > 0) await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}

/** One call in either era; undefined when the answer was this caller's own customer. */
async function call(key, index, round) {
  const modern = round % 2 === 0;
  const id = `customer-${index}`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'get_customer', arguments: { external_customer_id: id }, ...(modern && { _meta }) };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-billing-api-key': key,
    'mcp-protocol-version': modern ? '2026-07-28' : '2025-11-25',
    ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': 'get_customer' }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await request(server.url, { method: 'POST', dispatcher, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) return `status ${answer.statusCode}: ${text.slice(0, 200)}`;
  const { result } = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
  if (result?.isError !== undefined && result.isError) return `tool error: ${JSON.stringify(result).slice(0, 300)}`;
  const seen = result?.structuredContent?.customer?.external_id;
  return seen === id ? undefined : `saw ${seen} instead of ${id}`;
}

/** Each key may see its own customer only. */
async function startUpstream() {
  const api = createServer((incoming, outgoing) => {
    const index = /^Bearer key-of-caller-(\d+)-/.exec(incoming.headers.authorization ?? '')?.[1];
    const id = /\/customers\/customer-(\d+)$/.exec(incoming.url ?? '')?.[1];
    outgoing.statusCode = index === undefined ? 401 : index === id ? 200 : 404;
    outgoing.setHeader('content-type', 'application/json');
    const customer = { svc_id: '5eb02857-a71e-4ea2-bcf9-57d3a41bc6ba', external_id: `customer-${id}`, name: `C ${id}` };
    outgoing.end(JSON.stringify(outgoing.statusCode === 200 ? { customer } : { status: outgoing.statusCode }));
  });
  await new Promise(resolve => api.listen(0, '127.0.0.1', resolve));
  return api;
}

async function startServer(baseUrl) {
  const child = spawn(process.execPath, [main, '--http', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      BILLING_BASE_URL: baseUrl,
      BILLING_HTTP_AUTH: 'api-key',
      BILLING_HTTP_RATE_LIMIT: '0',
      BILLING_LOG_LEVEL: 'info',
    },
  });
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server did not start')));
    lines.on(
      'line',
      line => line.startsWith('{') && JSON.parse(line).msg === 'serving' && resolve(JSON.parse(line).url),
    );
  });
  return { child, url };
}

/** Resident memory of the server in MiB. */
function memory() {
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

function report(before, after) {
  latencies.sort((a, b) => a - b);
  const at = share => latencies[Math.floor((latencies.length - 1) * share)]?.toFixed(1);
  console.error(
    `${callers} callers, ${elapsed.toFixed(0)} s: ${latencies.length} calls, ${Math.round(latencies.length / elapsed)} a second`,
  );
  console.error(`latency ms: median ${at(0.5)}, 95 % ${at(0.95)}, 99 % ${at(0.99)}, longest ${at(1)}`);
  console.error(`resident memory MiB: before ${before}, every 5 s ${samples.join(' ')}, after ${after}`);
  const total = [...errors.values()].reduce((sum, count) => sum + count, 0);
  console.error(`errors: ${total}${[...errors].map(([what, count]) => `\n  ${count} × ${what}`).join('')}`);
}
