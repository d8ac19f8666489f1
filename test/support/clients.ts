/** Real clients of both protocol eras in front of a server, in this process or over stdio. */
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadConfig } from '../../src/config/load.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime, type Runtime, type RuntimeOptions } from '../../src/runtime.ts';
import { type Era, environment, main, stateKeyText } from './settings.ts';
import { limitMs } from './until.ts';

/** Starts the whole server in this process, against `url` with these settings. Throws ConfigError as the program would. */
export function startRuntime(
  url: string,
  settings: Record<string, string> = {},
  more: Omit<RuntimeOptions, 'config'> = {},
): Runtime {
  const { config } = loadConfig([], {
    ...environment(url),
    BILLING_STATE_KEY: stateKeyText,
    BILLING_MAX_WRITES_PER_MINUTE: '100000',
    ...settings,
  });
  return createRuntime({ ...more, config });
}

/** The built program, started once for each client with this environment. */
export interface Program {
  env: Record<string, string>;
}

interface Controls {
  /** What the person answers from now on. */
  answer: 'accept' | 'decline' | 'cancel';
  /** Questions that were put, in order. */
  asked: string[];
  /** Changes what the client sends, as an attacker between client and server could. */
  tamper: ((message: JsonRecord) => void) | undefined;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
}

export interface TestClient extends Controls {
  names(): Promise<string[]>;
  /** The tools as they are listed. */
  tools(): Promise<object[]>;
  call(
    name: string,
    args: JsonRecord,
    options?: CallOptions,
  ): Promise<{ isError: boolean; content: JsonRecord; text: string }>;
  close(): Promise<void>;
}

/** Connects a client of one era. `asks`: it can put questions; what the person answers can change later. */
export async function connectClient(server: Runtime | Program, era: Era, asks: boolean): Promise<TestClient> {
  const controls: Controls = { answer: 'accept', asked: [], tamper: undefined };
  const { transport, closeServer } = 'env' in server ? toProgram(server, era) : inProcess(server);
  const send = transport.send.bind(transport) as (message: JSONRPCMessage, options?: object) => Promise<void>;
  transport.send = (message: object, options?: object) => {
    const copy = structuredClone(message);
    controls.tamper?.(copy as JsonRecord);
    return send(copy as JSONRPCMessage, options);
  };
  const reply = (message: string): ElicitResult => {
    controls.asked.push(message);
    return controls.answer === 'accept' ? { action: 'accept', content: {} } : { action: controls.answer };
  };
  const client = await (era === '2026-07-28' ? modernClient : legacyClient)(transport, asks, reply);
  return Object.assign(controls, {
    tools: client.tools,
    names: async () => (await client.tools()).map(tool => tool.name),
    async call(name: string, args: JsonRecord, options?: CallOptions) {
      const result = (await client.call({ name, arguments: args }, options)) as JsonRecord;
      const [{ text }] = result.content as [{ text: string }];
      return { isError: result.isError === true, content: result.structuredContent as JsonRecord, text };
    },
    close: async () => {
      await client.close();
      await closeServer();
    },
  });
}

/** A client's end of a connection with the server in this process. */
export function inProcess(runtime: Runtime) {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  const caller = runtime.ownCaller('stdio');
  const server = serveStdio(() => runtime.createMcpServer({ caller }), { transport: far });
  return { transport, closeServer: () => server.close() };
}

function toProgram({ env }: Program, era: Era) {
  const command = { command: process.execPath, args: [main], env, stderr: 'inherit' as const };
  const transport = era === '2026-07-28' ? new StdioClientTransport(command) : new LegacyStdioTransport(command);
  return { transport, closeServer: async () => {} };
}

type Reply = (message: string) => ElicitResult;
type Transport = InMemoryTransport | StdioClientTransport | LegacyStdioTransport;

async function modernClient(transport: Transport, asks: boolean, reply: Reply) {
  const client = new Client(
    { name: 'modern', version: '1' },
    { capabilities: asks ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (asks) client.setRequestHandler('elicitation/create', request => reply(request.params.message));
  await client.connect(transport as StdioClientTransport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (params: { name: string; arguments: JsonRecord }, options?: CallOptions) =>
      client.callTool(params, { timeout: limitMs, ...options }),
    close: () => client.close(),
  };
}

async function legacyClient(transport: Transport, asks: boolean, reply: Reply) {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities: asks ? { elicitation: {} } : {} });
  if (asks) client.setRequestHandler(ElicitRequestSchema, request => reply(request.params.message));
  await client.connect(transport as LegacyStdioTransport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (params: { name: string; arguments: JsonRecord }, options?: CallOptions) =>
      client.callTool(params, undefined, { timeout: limitMs, ...options }),
    close: () => client.close(),
  };
}
