/** The SDK's earlier line, which speaks the revisions up to 2025-11-25. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connected, person } from './sdk.mjs';

export async function connect({ command, args, url }) {
  const asked = [];
  const client = new Client({ name: 'matrix', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, person(asked));
  await client.connect(
    url
      ? new StreamableHTTPClientTransport(new URL(url))
      : new StdioClientTransport({ command, args, stderr: 'ignore' }),
  );
  return connected(client, asked);
}
