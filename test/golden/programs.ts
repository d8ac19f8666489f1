/**
 * The built program as other processes see it: a server over stdio or HTTP, a command that ends. A server over stdio in this
 * process. And the service for them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import { createCore } from '../../src/server/core.ts';
import { confirmText, missingPages } from '../../src/server/settings/confirm-text.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { serveStdio } from '../../src/server/stdio/serve.ts';
import { type RunningService, startService } from '../../src/service/start.ts';
import { listening } from '../support/listening.ts';

/** A message of the protocol: read field by field. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Message = any;
export type Settings = Readonly<Record<string, string>>;

const instant = '2026-03-15T12:00:00Z';
export const apiKey = 'key-of-the-golden-record';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const pinned = fileURLToPath(new URL('pinned.mjs', import.meta.url));

/** As in a container, wherever it runs. */
const container = 'docker';

function run(args: readonly string[], settings: Settings): ChildProcess {
  const env = {
    ...{ PATH: process.env.PATH ?? '', NODE_DISABLE_COMPILE_CACHE: '1', GOLDEN_INSTANT: instant, container },
    ...settings,
  };
  return spawn(process.execPath, ['--import', pinned, main, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise(resolve => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** What a command prints, and how it ends. */
export async function runCommand(args: readonly string[], settings: Settings = {}, input = ''): Promise<string> {
  const child = run(args, settings);
  child.stdin?.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    new Promise(resolve => child.once('close', resolve)),
  ]);
  return `${out}--- stderr\n${err}--- exit code ${code}`;
}

/** The demo account in this process: a program would need longer to start than for most scenes. */
export function startDemo(): Promise<RunningService> {
  return startService({ account: 'demo', apiKey, now: instant });
}

/** What becomes of a request in place of the service's answer. */
export type Fault = (request: {
  method: string;
  path: string;
}) => 'lost' | { status: number; body: string } | undefined;

export interface Line {
  url: string;
  /** From now on. */
  fault: Fault | undefined;
  /** What has passed since the last call; reads and previews that follow each other are sorted, since they are made at once. */
  passed(): string;
  close(): Promise<void>;
}

/** The line between a server and the service, which writes down what passes. */
export async function startLine(service: RunningService): Promise<Line> {
  let seen: { reads: boolean; said: string }[] = [];
  const { url, close } = await listening(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const body = await text(request);
    const names = Object.keys(request.headers).filter(name => !['host', 'connection', 'keep-alive'].includes(name));
    const headers = names.sort().map(name => `${name}: ${request.headers[name]}`);
    const reads = method === 'GET' || path.endsWith('/invoices/preview');
    seen.push({ reads, said: [`${method} ${path}`, ...headers, ...(body === '' ? [] : [body])].join('\n  ') });
    const fault = line.fault?.({ method, path });
    if (fault === 'lost') return void request.socket.destroy();
    if (fault !== undefined)
      return void response
        .writeHead(fault.status, { 'content-type': /^[[{]/.test(fault.body) ? 'application/json' : 'text/html' })
        .end(fault.body);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(new URL(path, service.baseUrl), {
      method,
      headers: { authorization, 'content-type': type },
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  const line: Line = {
    ...{ url, close, fault: undefined },
    passed() {
      const runs: string[][] = [];
      let reading = false;
      for (const { reads, said } of seen) {
        if (!reads || !reading) runs.push([]);
        runs.at(-1)!.push(said);
        reading = reads;
      }
      seen = [];
      // The random id of a call does not decide the order.
      const keyOf = (said: string) => said.replace(/x-request-id: .*/, '');
      const inOrder = (one: string, two: string) => (keyOf(one) < keyOf(two) ? -1 : keyOf(one) > keyOf(two) ? 1 : 0);
      return runs.flatMap(each => each.sort(inOrder)).join('\n');
    },
  };
  return line;
}

export interface Server {
  /** Everything that comes until the request is answered, as it travels. `reply` answers what the server asks meanwhile. */
  exchange(request: Message, reply?: (asked: Message) => object): Promise<string[]>;
  /** Ends it; resolves with its stderr. */
  stop(): Promise<string>;
}

/** A server over stdio. */
export function startStdio(settings: Settings): Server {
  const child = run([], settings);
  const said = text(child.stderr!);
  return {
    exchange: exchangeOver(child.stdin!, child.stdout!),
    async stop() {
      await stop(child);
      return said;
    },
  };
}

/** The same in this process, whose clocks stand still until it has ended: one at a time. `once`: see `pin`. */
export async function startHere(settings: Settings, once = false): Promise<Server> {
  const unpin: () => void = (await import(pinned)).pin(Date.parse(instant), once);
  const before = { error: console.error, container: process.env.container };
  const said: string[] = [];
  console.error = (...parts) => said.push(`${format(...parts)}\n`);
  process.env.container = container;
  const { config } = loadConfig([], settings);
  console.error(confirmText(config, missingPages(process.env)));
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = serveStdio(createCore({ config }), { stdin, stdout });
  const exchange = exchangeOver(stdin, stdout);
  return {
    async exchange(...request) {
      const lines = await exchange(...request);
      // A call that failed early is answered while requests of it are still on their way.
      for (let turns = 0; turns < 20; turns++) await turn();
      return lines;
    },
    async stop() {
      stdin.end();
      await ended;
      console.error = before.error;
      if (before.container === undefined) delete process.env.container;
      else process.env.container = before.container;
      unpin();
      return said.join('');
    },
  };
}

function exchangeOver(stdin: Writable, stdout: Readable): Server['exchange'] {
  const waiting = new Set<(line: string | null) => void>();
  let ended = false;
  createInterface(stdout)
    .on('line', line => {
      for (const take of [...waiting]) take(line);
    })
    .on('close', () => {
      ended = true;
      for (const take of [...waiting]) take(null);
    });
  const write = (message: object) => stdin.write(`${JSON.stringify(message)}\n`);
  return (request, reply) =>
    new Promise(resolve => {
      const lines: string[] = [];
      const take = (line: string | null): void => {
        if (line === null) {
          resolve([...lines, '(the server has ended)']);
          return;
        }
        lines.push(line);
        const message: Message = JSON.parse(line);
        if (message.method !== undefined && message.id !== undefined)
          write({ jsonrpc: '2.0', id: message.id, ...reply?.(message) });
        if (message.method !== undefined || message.id !== request.id) return;
        waiting.delete(take);
        resolve(lines);
      };
      if (ended) return take(null);
      if (request.id !== undefined) waiting.add(take);
      write({ jsonrpc: '2.0', ...request });
      if (request.id === undefined) resolve([]);
    });
}

/** A server over HTTP at this address, until `stop`. */
export async function startHttp(args: readonly string[], settings: Settings) {
  const child = run(['--http', '--port', '0', ...args], settings);
  let url: string | undefined;
  const lines: string[] = [];
  const started = new Promise<string>((resolve, reject) => {
    createInterface(child.stderr!)
      .on('line', line => {
        lines.push(line);
        url ??= /http:\/\/[\w.]+:\d+\/\w*/.exec(line)?.[0];
        if (url !== undefined) resolve(url);
      })
      .on('close', () => reject(new Error(`no server: ${lines.join('\n')}`)));
  });
  child.stdout!.resume();
  const address = await started;
  return {
    url: address,
    async stop() {
      await stop(child);
      return lines.join('\n');
    },
  };
}
