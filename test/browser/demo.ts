/** The real server over its demo account, in this process, with a client that shows pages. */
import { Client } from '@modelcontextprotocol/client';
import type { JsonRecord } from '../../src/lib/json.ts';
import { createRuntime } from '../../src/server/runtime.ts';
import { loadConfig } from '../../src/server/settings/load.ts';
import { inProcess } from '../support/clients.ts';
import { limitMs } from '../support/until.ts';

export type Result = JsonRecord & { structuredContent: JsonRecord; _meta?: JsonRecord; isError?: boolean };

export interface Demo {
  call(tool: string, args: JsonRecord): Promise<Result>;
  close(): Promise<void>;
}

/** What a client says that shows pages. */
const pages = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** The demo at this instant; with these flags, for a client that says this of itself and is prepared like this. */
export async function startDemo(
  now: string,
  flags: string[] = [],
  capabilities: object = pages,
  prepare: (client: Client) => void = () => {},
): Promise<Demo> {
  const env = { BILLING_MAX_WRITES_PER_MINUTE: '100000' };
  const { config } = loadConfig(['--demo', '--now', now, ...flags], env);
  const runtime = createRuntime({ config });
  const { transport, closeServer } = inProcess(runtime);
  const client = new Client({ name: 'host', version: '1' }, { capabilities });
  prepare(client);
  await client.connect(transport);
  return {
    call: async (name, given) => (await client.callTool({ name, arguments: given }, { timeout: limitMs })) as Result,
    close: async () => {
      await client.close();
      await closeServer();
      await runtime.close();
    },
  };
}
