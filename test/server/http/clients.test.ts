import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { confirmedBy } from './support/approve.ts';
import { sharedServer } from './support/serve.ts';

const asks = { BILLING_ASK: 'url,form,buttons,token' };
const server = sharedServer(['--sessions'], asks, { limits: { maxSessions: 1 } });

/** Each one is another change: an update that changes nothing asks nobody. */
const update = (description: string) => ({ name: 'update_add_on', arguments: { code: 'onboarding', description } });

describe('the real server, over HTTP,', () => {
  it.each(['modern', 'legacy'] as const)('serves a v2 client in the %s era', async era => {
    const versionNegotiation = { mode: era === 'modern' ? 'auto' : 'legacy' } as const;
    const client = new ModernClient(
      { name: 'v2', version: '1' },
      { capabilities: { elicitation: {} }, versionNegotiation },
    );
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { answer: 'yes' } }));
    const transport = new ModernTransport(new URL(server.url));
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(era);
    expect((await client.listTools()).tools.length).toBeGreaterThanOrEqual(19);
    const customer = await client.callTool({
      name: 'get_customer',
      arguments: { external_customer_id: 'acme-podcasts' },
    });
    expect(customer.isError).not.toBe(true);
    expect(confirmedBy(await client.callTool(update(`${era} era`)))).toBe('person');
    if (era === 'legacy') await transport.terminateSession();
    await client.close();
  });

  it('asks a v1 client in a session before a write, and gives a token to a client that got no session', async () => {
    const connect = async () => {
      const client = new LegacyClient({ name: 'v1', version: '1' }, { capabilities: { elicitation: {} } });
      const questions: string[] = [];
      client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { answer: 'yes' } };
      });
      const transport = new LegacyTransport(new URL(server.url));
      await client.connect(transport);
      return { client, transport, questions };
    };
    const first = await connect();
    const second = await connect();
    expect([typeof first.transport.sessionId, typeof second.transport.sessionId]).toEqual(['string', 'undefined']);
    expect(confirmedBy(await first.client.callTool(update('first')))).toBe('person');
    expect(first.questions).toHaveLength(1);
    const { structuredContent } = await second.client.callTool(update('second'));
    const { confirmation } = (structuredContent as JsonRecord).confirmation_required as JsonRecord;
    const { name, arguments: args } = update('second');
    expect(confirmedBy(await second.client.callTool({ name, arguments: { ...args, confirmation } }))).toBe('token');
    expect(second.questions).toHaveLength(0);
    await first.transport.terminateSession();
    await Promise.all([first.client.close(), second.client.close()]);
  });
});
