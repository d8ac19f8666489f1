/** The whole server in this process, with real clients of both protocol eras in front of it. */
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadConfig } from '../../src/config/load.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../src/runtime.ts';

export type Era = '2025-11-25' | '2026-07-28';
type Answer = 'accept' | 'decline' | 'cancel';

export const key = 'desk-key-0123456789';
export const stateKeyText = 'state-key-of-the-desk-0123456789-abcdef';

/** Starts the server against `url` with these settings. Throws ConfigError as the program would. */
export function startDesk(url: string, settings: Record<string, string> = {}): Runtime {
  const { config } = loadConfig([], {
    BILLING_BASE_URL: url,
    BILLING_API_KEY: key,
    BILLING_STATE_KEY: stateKeyText,
    BILLING_MAX_WRITES_PER_MINUTE: '100000',
    ...settings,
  });
  return createRuntime({ config });
}

interface Controls {
  /** What the person answers from now on. */
  answer: Answer;
  /** Questions that were put, in order. */
  asked: string[];
  /** Changes what the client sends, as an attacker between client and server would. */
  tamper: ((message: JsonRecord) => void) | undefined;
}

export interface Seat extends Controls {
  names(): Promise<string[]>;
  /** The tools as they are listed. */
  tools(): Promise<object[]>;
  call(name: string, args: JsonRecord): Promise<{ isError: boolean; content: JsonRecord; text: string }>;
  close(): Promise<void>;
}

/** Connects a client of one era. Whether it can put questions is settled here, what the person says is not. */
export async function takeSeat(runtime: Runtime, era: Era, asks: boolean): Promise<Seat> {
  const controls: Controls = { answer: 'accept', asked: [], tamper: undefined };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const caller = runtime.ownCaller('stdio');
  const server = serveStdio(() => runtime.createMcpServer({ caller }), { transport: far });
  const send = near.send.bind(near);
  near.send = (message: JSONRPCMessage, options) => {
    const copy = structuredClone(message);
    controls.tamper?.(copy as unknown as JsonRecord);
    return send(copy, options);
  };
  const reply = (message: string): ElicitResult => {
    controls.asked.push(message);
    return controls.answer === 'accept' ? { action: 'accept', content: {} } : { action: controls.answer };
  };
  const client = era === '2026-07-28' ? await modernClient(near, asks, reply) : await legacyClient(near, asks, reply);
  return Object.assign(controls, {
    tools: async () => (await client.listTools()).tools,
    names: async () => (await client.listTools()).tools.map(tool => tool.name),
    async call(name: string, args: JsonRecord) {
      const result = (await client.callTool({ name, arguments: args })) as JsonRecord;
      const [{ text }] = result.content as [{ text: string }];
      return { isError: result.isError === true, content: result.structuredContent as JsonRecord, text };
    },
    close: async () => {
      await client.close();
      await server.close();
    },
  });
}

async function modernClient(transport: InMemoryTransport, asks: boolean, reply: (message: string) => ElicitResult) {
  const client = new Client(
    { name: 'modern', version: '1' },
    { capabilities: asks ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (asks) client.setRequestHandler('elicitation/create', request => reply(request.params.message));
  await client.connect(transport);
  return client;
}

async function legacyClient(transport: InMemoryTransport, asks: boolean, reply: (message: string) => ElicitResult) {
  const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities: asks ? { elicitation: {} } : {} });
  if (asks) client.setRequestHandler(ElicitRequestSchema, request => reply(request.params.message));
  await client.connect(transport as never);
  return client;
}
