// Drives one MCP server as a raw JSON-RPC client, so that the client's own cost is small and the same for all.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Pool } from 'undici';

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
const callParams = { name: 'get_customer', arguments: { external_customer_id: 'cust_1' } };

/**
 * Starts a server over stdio. `request(method, params)` resolves with the JSON-RPC message, `ask` with its text, because
 * parsing in the client would add more time to longer answers.
 */
export function openStdio(command, environment) {
  const child = spawn(command[0], command.slice(1), {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  let lastId = 0;
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line) continue;
      const id = idOf(line);
      waiting.get(id)?.(line);
      waiting.delete(id);
    }
  });
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (method, params) =>
    new Promise(resolve => {
      lastId += 1;
      waiting.set(lastId, resolve);
      send({ id: lastId, method, params });
    });
  return {
    pid: child.pid,
    notify: method => send({ method }),
    ask,
    request: async (method, params) => JSON.parse(await ask(method, params)),
    close: () => new Promise(resolve => child.once('exit', resolve) && child.kill('SIGKILL')),
  };
}

/** An answer has its id at the beginning or at the end; any other line is parsed whole. */
function idOf(line) {
  const found = /^\{"jsonrpc":"2\.0","id":(\d+)[,}]/.exec(line.slice(0, 48)) ?? /"id":(\d+)\}$/.exec(line.slice(-24));
  return found ? Number(found[1]) : JSON.parse(line).id;
}

/**
 * Starts a server over HTTP and waits until it listens. Each request is one POST, as stateless clients send them, with
 * these headers besides the usual ones.
 */
export async function openHttp(command, environment, credentials = {}) {
  const port = await freePort();
  const filled = command.map(part => part.replace('{PORT}', String(port)));
  const child = spawn(filled[0], filled.slice(1), {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: 'ignore',
  });
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
    ...credentials,
  };
  let lastId = 0;
  const ask = async (method, params) => {
    lastId += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
    const answer = await pool.request({ method: 'POST', path: '/mcp', headers, body });
    const text = await answer.body.text();
    return text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}');
  };
  const request = async (method, params) => JSON.parse(await ask(method, params));
  for (let tries = 0; ; tries += 1) {
    try {
      await request('ping', {});
      break;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }
  const close = async () => {
    child.kill('SIGKILL');
    await pool.close();
  };
  return { pid: child.pid, notify: () => {}, ask, request, close };
}

/** The handshake. */
export async function greet(client) {
  await client.request('initialize', initialize);
  client.notify('notifications/initialized');
}

/** Spawn → answer to `initialize`, then → `tools/list`, then the first call, in milliseconds. */
export async function coldStart(command, environment) {
  const begin = performance.now();
  const client = openStdio(command, environment);
  await client.request('initialize', initialize);
  const initialized = performance.now() - begin;
  client.notify('notifications/initialized');
  const list = await client.request('tools/list', {});
  const listed = performance.now() - begin;
  // A person reads the list before the first call is made.
  await new Promise(resolve => setTimeout(resolve, 300));
  const first = await timed(() => call(client));
  for (let n = 0; n < 50; n += 1) await call(client);
  const warm = median(await repeat(50, () => timed(() => call(client))));
  const { text } = (await client.request('tools/call', callParams)).result.content[0];
  await client.close();
  return { initialized, listed, first: first - warm, tools: list.result.tools, text };
}

/**
 * The same start, but the list of tools and the first call are asked together with the end of the handshake, in one write:
 * milliseconds from spawn to the answer to `initialize`, and from that write to the answer of the call.
 */
export async function hurriedStart(command, environment) {
  const begin = performance.now();
  const client = openStdio(command, environment);
  await client.request('initialize', initialize);
  const initialized = performance.now() - begin;
  const asked = performance.now();
  client.notify('notifications/initialized');
  void client.ask('tools/list', {});
  await call(client);
  const first = performance.now() - asked;
  await client.close();
  return { initialized, first };
}

/**
 * Sequential latency, throughput at 32 in flight, CPU a call and memory of started servers, by name. They are driven by short
 * bursts in turns, so that all have the same machine.
 */
export async function inTurns(clients, seconds) {
  const turns = [];
  for (const [name, client] of Object.entries(clients)) {
    await flood(client, { calls: 2000 });
    const rss = memory(client.pid);
    await repeat(1000, () => call(client));
    turns.push({ name, client, rss, calls: 0, ms: 0, cpuMs: 0, latencies: [] });
  }
  for (let burst = 0; burst < seconds * 5; burst += 1) {
    // Who comes first changes, too.
    for (const turn of burst % 2 ? turns : turns.toReversed()) {
      turn.latencies.push(...(await repeat(50, () => timed(() => call(turn.client)))));
      const cpuBefore = cpu(turn.client.pid);
      const begin = performance.now();
      turn.calls += await flood(turn.client, { until: begin + 200 });
      turn.ms += performance.now() - begin;
      turn.cpuMs += cpu(turn.client.pid) - cpuBefore;
    }
  }
  const figuresOf = ({ rss, calls, ms, cpuMs, latencies }) => ({
    rss,
    p50: median(latencies),
    perSecond: (calls / ms) * 1000,
    cpuPerCall: cpuMs / calls,
    calls: calls + latencies.length + 3000,
  });
  return Object.fromEntries(turns.map(turn => [turn.name, figuresOf(turn)]));
}

/** The floor: the same requests by undici alone. */
export async function floor(origin, apiKey, seconds) {
  const pool = new Pool(origin, { connections: 32 });
  const request = { method: 'GET', path: '/api/v1/customers/cust_1', headers: { authorization: `Bearer ${apiKey}` } };
  const ask = async () => (await pool.request(request)).body.text();
  for (let n = 0; n < 2000; n += 1) await ask();
  const begin = performance.now();
  const calls = await inFlight(32, () => performance.now() < begin + seconds * 1000, ask);
  const perSecond = (calls / (performance.now() - begin)) * 1000;
  await pool.close();
  return { perSecond };
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export async function call(client) {
  const answer = await client.ask('tools/call', callParams);
  if (answer.length < 1000 || answer.includes('"isError":true') || answer.includes('"error":{')) {
    throw new Error(`A measured call failed: ${answer.slice(0, 300)}`);
  }
}

export function memory(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

export async function flood(client, { calls, until }) {
  let left = calls ?? Number.POSITIVE_INFINITY;
  return inFlight(
    32,
    () => (until ? performance.now() < until : left-- > 0),
    () => call(client),
  );
}

async function inFlight(width, more, run) {
  let done = 0;
  const worker = async () => {
    while (more()) {
      await run();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return done;
}

async function repeat(times, run) {
  const results = [];
  for (let n = 0; n < times; n += 1) results.push(await run());
  return results;
}

async function timed(run) {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

/** User and system time in milliseconds (clock ticks are 10 ms on Linux). */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
