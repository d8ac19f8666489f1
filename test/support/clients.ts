/** Real clients of both protocol eras in front of a server, in this process or over stdio. */

import { Client, type ClientCapabilities, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { AskRoute } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import type { CoreOptions } from '../../src/server/core.ts';
import { pagesExtension } from '../../src/server/protocol/identity.ts';
import { createRuntime, type Runtime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { type Era, environment, main, stateKeyText } from './settings.ts';
import { limitMs } from './until.ts';

/** Starts the whole server in this process, against `url` with these settings. Throws ConfigError as the program would. */
export function startRuntime(
  url: string,
  settings: Record<string, string> = {},
  more: Omit<CoreOptions, 'config'> = {},
): Runtime {
  const { config } = loadConfig([], {
    ...environment(url),
    BILLING_STATE_KEY: stateKeyText,
    BILLING_MAX_WRITES_PER_MINUTE: '100000',
    // These clients have no pages to open, so a host without forms gets the token.
    BILLING_ASK: 'url,form,buttons,token',
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
  /** What an accepted form holds. */
  content: JsonRecord;
  /** What the person does before that, with the address of the page where there is one. */
  person: ((url: string | undefined) => unknown) | undefined;
  /** Questions that were put, in order. */
  asked: string[];
  /** The forms that it was asked to show. */
  forms: unknown[];
  /** Changes what the client sends, as an attacker between client and server could. */
  tamper: ((message: JsonRecord) => void) | undefined;
  /** Sends each of its answers twice. */
  twice: boolean;
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
  ): Promise<{ isError: boolean; content: JsonRecord; text: string; page: JsonRecord | undefined }>;
  close(): Promise<void>;
}

/** How a client can put questions; `true` is by form, as most do. */
export type Asks = boolean | 'form' | 'url' | 'buttons' | 'link';

const capabilitiesFor = (asks: Asks): ClientCapabilities =>
  asks === 'buttons'
    ? { extensions: { [pagesExtension]: { mimeTypes: ['text/html;profile=mcp-app'] } } }
    : asks === false || asks === 'link'
      ? {}
      : { elicitation: asks === 'url' ? { url: {} } : {} };

/** Connects a client of one era. `asks`: it can put questions; what the person answers can change later. */
export async function connectClient(
  server: Runtime | Program,
  era: Era,
  asks: Asks,
  remembered = false,
): Promise<TestClient> {
  const controls: Controls = {
    ...{ answer: 'accept', content: { answer: 'yes' }, asked: [], forms: [] },
    ...{ person: undefined, tamper: undefined, twice: false },
  };
  const { transport, closeServer } =
    'env' in server ? toProgram(server, era) : inProcess(server, asks === 'url' || asks === 'link', remembered);
  const send = transport.send.bind(transport) as (message: JSONRPCMessage, options?: object) => Promise<void>;
  transport.send = async (message: object, options?: object) => {
    const copy = structuredClone(message);
    controls.tamper?.(copy as JsonRecord);
    if (controls.twice && 'result' in copy) await send(copy as JSONRPCMessage, options);
    return send(copy as JSONRPCMessage, options);
  };
  const reply = async ({ message, url, requestedSchema }: Question): Promise<ElicitResult> => {
    controls.asked.push(message);
    if (requestedSchema !== undefined) controls.forms.push(requestedSchema);
    await controls.person?.(url);
    const { answer: action, content } = controls;
    return action === 'accept' && url === undefined ? { action, content: content as Filled } : { action };
  };
  const client = await (era === '2026-07-28' ? modernClient : legacyClient)(transport, asks, reply);
  return Object.assign(controls, {
    tools: client.tools,
    names: async () => (await client.tools()).map(tool => tool.name),
    async call(name: string, args: JsonRecord, options?: CallOptions) {
      const result = (await client.call({ name, arguments: args }, options)) as JsonRecord;
      const [{ text }] = result.content as [{ text: string }];
      const page = (result._meta as JsonRecord | undefined)?.['usage-billing/page'] as JsonRecord | undefined;
      return { isError: result.isError === true, content: result.structuredContent as JsonRecord, text, page };
    },
    close: async () => {
      await client.close();
      await closeServer();
    },
  });
}

/** A client's end of a connection with the server in this process; `pages`: it has pages for questions; `remembered`: as
 *  every connection of a process is. */
export function inProcess(runtime: Runtime, pages = false, remembered = false) {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  const caller = runtime.ownCaller('stdio');
  const address = (id: string) => `https://mcp.example.com/approve/${id}`;
  const pageOf = pages && {
    pageOf: address,
    links: { by: 'link', addressOf: async (id: string) => address(id) } as const,
  };
  const memory = remembered && { failed: new Set<AskRoute>() };
  const server = serveStdio(() => runtime.createMcpServer({ caller, ...memory, ...pageOf }), { transport: far });
  return { transport, closeServer: () => server.close() };
}

function toProgram({ env }: Program, era: Era) {
  const command = { command: process.execPath, args: [main], env, stderr: 'inherit' as const };
  const transport = era === '2026-07-28' ? new StdioClientTransport(command) : new LegacyStdioTransport(command);
  return { transport, closeServer: async () => {} };
}

type Question = { message: string; url?: string; requestedSchema?: object };
type Filled = NonNullable<ElicitResult['content']>;
type Reply = (question: Question) => Promise<ElicitResult>;
type Transport = InMemoryTransport | StdioClientTransport | LegacyStdioTransport;

async function modernClient(transport: Transport, asks: Asks, reply: Reply) {
  const client = new Client(
    { name: 'modern', version: '1' },
    { capabilities: capabilitiesFor(asks), versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (asks && asks !== 'buttons' && asks !== 'link')
    client.setRequestHandler('elicitation/create', ({ params }) => reply(params as Question));
  await client.connect(transport as StdioClientTransport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (params: { name: string; arguments: JsonRecord }, options?: CallOptions) =>
      client.callTool(params, { timeout: limitMs, ...options }),
    close: () => client.close(),
  };
}

async function legacyClient(transport: Transport, asks: Asks, reply: Reply) {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities: capabilitiesFor(asks) });
  if (asks && asks !== 'buttons' && asks !== 'link')
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(params as Question));
  await client.connect(transport as LegacyStdioTransport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: (params: { name: string; arguments: JsonRecord }, options?: CallOptions) =>
      client.callTool(params, undefined, { timeout: limitMs, ...options }),
    close: () => client.close(),
  };
}
