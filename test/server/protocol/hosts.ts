/** Clients that declare what they can do, in front of the built program or of a server in this process. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { type Era, main } from '../../support/settings.ts';

/** Capabilities of a host that shows pages (MCP Apps). */
export const pages = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** The demo account on one day, with these settings besides. */
const demo = (settings: string[]) => ['--demo', '--now', '2026-03-15T12:00:00Z', ...settings];

export interface Host extends Client {
  /** Questions that were put, in order; each was declined. */
  asked: string[];
}

/** A program of its own with the demo account. */
export async function connectProgram(era: Era, capabilities: object, ...settings: string[]): Promise<Host> {
  const host = newHost(era, capabilities);
  const command = { command: process.execPath, args: [main, ...demo(settings)], stderr: 'inherit' as const };
  await host.connect(new StdioClientTransport(command));
  return host;
}

/** The server in this process with the demo account. */
export function startDemo(...settings: string[]): Runtime {
  return createRuntime({ config: loadConfig(demo(settings), {}).config });
}

/** A connection to a server in this process. */
export async function connectHere(
  runtime: Runtime,
  era: Era,
  capabilities: object,
  caller = runtime.ownCaller('stdio'),
): Promise<Host> {
  const host = newHost(era, capabilities);
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(() => runtime.createMcpServer({ caller }), { transport: far });
  await host.connect(near);
  return host;
}

function newHost(era: Era, capabilities: object): Host {
  const newer = era === '2026-07-28' && { versionNegotiation: { mode: { pin: era } } };
  const host = new Client({ name: 'host', version: '1' }, { capabilities, ...newer });
  const asked: string[] = [];
  if ('elicitation' in capabilities)
    host.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'decline' };
    });
  return Object.assign(host, { asked });
}
