/** Several servers as processes of their own, behind a proxy that sends each request to the next one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { listening } from '../../../support/listening.ts';
import { freePort } from '../../../support/ports.ts';
import { main } from '../../../support/settings.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Machine {
  url: string;
  process: ChildProcess;
  /** Lines of its log, newest last. */
  lines: string[];
}

/** Builds the program if it is not built yet, as the test command does. */
export function buildProgram(): void {
  execFileSync(process.execPath, ['scripts/build-if-stale.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Starts a server and waits until it says where it serves. */
export async function startMachine(args: string[], env: Record<string, string>): Promise<Machine> {
  const child = spawn(process.execPath, [main, '--http', '--port', '0', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`the server ended with ${code}:\n${lines.join('\n')}`)));
    createInterface({ input: child.stderr! }).on('line', line => {
      lines.push(line);
      if (line.includes('"msg":"serving"')) resolve(JSON.parse(line).url);
    });
  });
  return { url, process: child, lines };
}

/** Ends a process and gives its exit code, or the signal's name. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | string | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
  const ended = new Promise<number | string | null>(resolve =>
    child.once('exit', (code, name) => resolve(code ?? name)),
  );
  child.kill(signal);
  return ended;
}

export interface RoundRobin {
  url: string;
  /** Which machine answered each message, in order. */
  served: number[];
  /** Requests that a machine was handling when it stopped. */
  lost: number;
  close(): Promise<void>;
}

/**
 * Sends each request to the next machine. A machine that refuses the connection is skipped, because nothing was sent to it;
 * a request that was sent and not answered is lost, and the client gets a 502.
 */
export async function startProxy(targets: readonly string[]): Promise<RoundRobin> {
  let next = 0;
  const proxy: RoundRobin = { url: '', served: [], lost: 0, close: () => server.close() };
  /** `first`: the machine whose turn it was; the next ones follow where it refuses, whatever other requests do meanwhile. */
  const forward = (
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
    tries: number,
    first = next++,
  ): void => {
    const index = (first + tries - 1) % targets.length;
    let connected = false;
    const onward = request(targets[index]!, { method: incoming.method, headers: incoming.headers, agent: false });
    onward.once('socket', socket => {
      socket.once('connect', () => {
        connected = true;
      });
    });
    onward.once('response', response => {
      outgoing.writeHead(response.statusCode!, response.headers);
      if (incoming.method === 'POST') proxy.served.push(index);
      response.once('error', () => {
        proxy.lost++;
        outgoing.destroy();
      });
      response.pipe(outgoing);
    });
    onward.once('error', () => {
      if (!connected && tries < targets.length) return forward(incoming, body, outgoing, tries + 1, first);
      if (outgoing.headersSent) return;
      proxy.lost++;
      outgoing.writeHead(502).end('{}');
    });
    onward.end(body);
  };
  const server = await listening((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', chunk => chunks.push(chunk));
    incoming.on('end', () => forward(incoming, Buffer.concat(chunks), outgoing, 1));
  });
  proxy.url = `${server.url}/mcp`;
  return proxy;
}

export interface TestRedis {
  url: string;
  stop(): Promise<void>;
}

/** A real Redis; null, with a loud message, where none is installed, which in CI is a failure. */
export async function startRedis(): Promise<TestRedis | null> {
  const port = await freePort();
  const inMemory = ['--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...inMemory]);
  const started = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error('redis-server ended at its start')));
    createInterface({ input: child.stdout }).on('line', line => line.includes('Ready to accept') && resolve());
  });
  try {
    await started;
  } catch (error) {
    if (process.env.CI) throw new Error('Redis cannot be started', { cause: error });
    console.error('\n!!! TESTS WITH SEVERAL MACHINES ARE SKIPPED: redis-server cannot be started here\n');
    return null;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => void (await endProcess(child, 'SIGTERM')),
  };
}
