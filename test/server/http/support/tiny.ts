/** The HTTP application in front of a server with two tools, for tests of what stands before the protocol. */
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { pino } from 'pino';
import { z } from 'zod';
import { createAccess } from '../../../../src/calls/access/access.ts';
import { createBindings } from '../../../../src/calls/access/customer-bindings.ts';
import type { Caller, Connection } from '../../../../src/definition/caller.ts';
import { type AppParts, buildApp, type HttpApp } from '../../../../src/server/http/app.ts';
import type { HttpSettings } from '../../../../src/server/http/settings.ts';
import { createMetrics } from '../../../../src/server/logs/metrics.ts';
import { loadConfig } from '../../../../src/server/settings/load.ts';
import { type Limits, usualDurations, usualLimits } from '../../../../src/server/settings/usual.ts';
import { limitMs } from '../../../support/until.ts';

const defaults: HttpSettings = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: undefined,
  auth: 'none',
  tokens: [],
  oauth: undefined,
  allowedHosts: [],
  allowedOrigins: [],
  trustProxy: false,
  rateLimit: 0,
  redisUrl: undefined,
  sessions: false,
  metricsToken: undefined,
};
const smallLimits: Limits = { ...usualLimits, bodyLimit: 4096, requestTimeoutMs: limitMs };

export interface Tiny extends HttpApp {
  url: string;
  /** The lines that were logged. */
  lines: string[];
  /** Everyone who reached the protocol. */
  callers: Caller[];
  close(): Promise<void>;
}

const running: Tiny[] = [];

/** Listens on a free loopback port. */
export async function startTiny(
  settings: Partial<HttpSettings & Limits> = {},
  parts: Partial<AppParts> = {},
  rules: Partial<Parameters<typeof createBindings>[0]> = {},
): Promise<Tiny> {
  const lines: string[] = [];
  const callers: Caller[] = [];
  const bindings = createBindings({ customer: undefined, customerTokenKey: undefined, ...rules });
  const accessOf = createAccess({ readOnly: false }, [
    { name: 'who', toolset: 'customers', effect: 'read' },
    { name: 'change', toolset: 'customers', effect: 'write' },
  ]);
  const built = await buildApp({
    settings: { ...defaults, ...settings },
    runtime: {
      createMcpServer: connection => {
        callers.push(connection.caller);
        return tinyServer(connection).server;
      },
      ownCaller: (id = 'local', scopes = null) => bindings.configured({ id, apiKey: 'server-key', scopes }),
      bindings,
      config: loadConfig(['--http', '--demo'], {}).config,
      callerWithKey: (id, apiKey, scopes = null) => bindings.configured({ id, apiKey, scopes }),
      // No read takes the shortcut here: these tests are about the layers before the protocol.
      pipeline: { plain: () => false, accessOf } as unknown as AppParts['runtime']['pipeline'],
      stateKey: new Uint8Array(32).fill(7),
      durations: usualDurations,
      limits: { ...smallLimits, ...settings },
    },
    log: pino({ level: 'info' }, { write: line => void lines.push(line) }),
    metrics: createMetrics(['who', 'change']),
    accepted: undefined,
    redis: undefined,
    checks: [],
    ...parts,
  });
  await built.app.listen({ host: '127.0.0.1', port: 0 });
  const address = built.app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async () => {
    await built.handler.close();
    await built.sessions?.close();
    built.app.server.closeAllConnections();
    await built.app.close();
  };
  const tiny = { ...built, url: `http://127.0.0.1:${port}/mcp`, lines, callers, close };
  running.push(tiny);
  return tiny;
}

/** Closes what the test started. */
export async function stopTiny(): Promise<void> {
  await Promise.all(running.splice(0).map(tiny => tiny.close()));
}

const kept = new Map<string, Promise<Tiny>>();

/** The one with these settings, for tests that leave nothing in it but callers and lines, of which it has none at first. */
export async function keptTiny(settings: Partial<HttpSettings & Limits> = {}): Promise<Tiny> {
  const name = JSON.stringify(settings);
  const starting = kept.get(name) ?? startTiny(settings);
  kept.set(name, starting);
  const tiny = await starting;
  const index = running.indexOf(tiny);
  if (index >= 0) running.splice(index, 1);
  tiny.callers.length = 0;
  tiny.lines.length = 0;
  return tiny;
}

/** Closes those that were kept: for the end of a file. */
export async function stopKept(): Promise<void> {
  await Promise.all([...kept.values()].map(async tiny => (await tiny).close()));
  kept.clear();
}

function tinyServer(connection: Connection): McpServer {
  const server = new McpServer({ name: 'tiny', version: '1.0.0' });
  const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
  server.registerTool('who', { inputSchema: z.object({}) }, async () =>
    said(`${connection.caller.id} ${connection.requestId}`),
  );
  server.registerTool('change', { inputSchema: z.object({}) }, async () => {
    if (!connection.canBeAsked) return said('not asked');
    const answer = await server.server.elicitInput({
      message: 'Sure?',
      requestedSchema: { type: 'object', properties: {} },
    });
    return said(answer.action);
  });
  return server;
}

export const callOf = (name = 'who', args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

export interface HttpReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  body: any;
}

/** Sends one message as a client without a session would. */
export async function send(
  url: string,
  body: unknown = callOf(),
  headers: Record<string, string> = {},
): Promise<HttpReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return read(response);
}

/** The body of an answer, whether it came as JSON or as one event. */
export async function read(response: Response): Promise<HttpReply> {
  const text = await response.text();
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, headers: response.headers, body: data === '' ? undefined : JSON.parse(data) };
}
