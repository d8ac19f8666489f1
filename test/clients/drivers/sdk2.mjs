/** The SDK's present line, in the revision 2026-07-28. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connected, person } from './sdk.mjs';

export async function connect({ command, args, url }) {
  const asked = [];
  const client = new Client(
    { name: 'matrix', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  client.setRequestHandler('elicitation/create', person(asked));
  await client.connect(
    url
      ? new StreamableHTTPClientTransport(new URL(url))
      : new StdioClientTransport({ command, args, stderr: 'ignore' }),
  );
  return connected(client, asked);
}
