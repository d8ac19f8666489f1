/** Sessions and pages of one credential whose conversations are bound to different customers. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { customerKey, customerToken } from '../../support/customer-tokens.ts';
import { Browser, confirmedBy, connectOpening } from './support/approve.ts';
import { header, metaKey } from './support/customers.ts';
import { initialize } from './support/messages.ts';
import { sharedServer } from './support/serve.ts';
import { send } from './support/tiny.ts';

const customer = demoIds.external_customer_id;
const credential = 'token-of-the-desk-0001';
const other = 'token-of-another-desk-1';
const env = {
  BILLING_HTTP_AUTH: 'token',
  BILLING_HTTP_TOKENS: `desk:${credential},other:${other}`,
  BILLING_CUSTOMER_TOKEN_KEY: customerKey,
};
const server = sharedServer(['--sessions'], env);
let acme: string;
let globex: string;
let expired: string;

beforeAll(async () => {
  acme = await customerToken(customer);
  globex = await customerToken('globex');
  expired = await customerToken(customer, { expires: Math.floor(Date.now() / 1000) - 60 });
});
beforeEach(() => {
  server.viewers.length = 0;
});

const headersOf = (token?: string, bearer = credential) => ({
  authorization: `Bearer ${bearer}`,
  ...(token !== undefined && { [header]: token }),
});
const open = async (token?: string) =>
  (await send(server.url, initialize, headersOf(token))).headers.get('mcp-session-id')!;

/** A call in a session: its status where that is not 200, else `ok` or the code of its error. */
async function plans(session: string, token?: string, { bearer = credential, meta = {} } = {}) {
  const params = { name: 'list_plans', arguments: {}, _meta: meta };
  const headers = { ...headersOf(token, bearer), 'mcp-session-id': session };
  const answer = await send(server.url, { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, headers);
  return answer.status === 200 ? (answer.body.result.structuredContent.error?.code ?? 'ok') : answer.status;
}

describe('a session', () => {
  it('that was opened for a customer is not found for another one, or for another credential', async () => {
    const session = await open(acme);
    expect([
      await plans(session, acme),
      await plans(session, globex),
      await plans(session, acme, { bearer: other }),
      await plans(session, undefined, { bearer: other }),
    ]).toEqual(['ok', 404, 404, 404]);
  });

  it('outlives its token: a request without a valid one is told what to send, and the next one may go on', async () => {
    const session = await open(acme);
    const renewed = await customerToken(customer, { expires: Math.floor(Date.now() / 1000) + 90 });
    expect([await plans(session, expired), await plans(session), await plans(session, renewed)]).toEqual([
      'binding_needed',
      'binding_needed',
      'ok',
    ]);
    expect(new Set(server.viewers.map(({ customers }) => String(customers)))).toEqual(new Set([customer]));
  });

  it('that was opened without a token becomes that of the first customer who is proved', async () => {
    const session = await open();
    expect([
      await plans(session),
      await plans(session, acme),
      await plans(session, globex),
      await plans(session),
      await plans(session, acme),
    ]).toEqual(['binding_needed', 'ok', 404, 'binding_needed', 'ok']);
  });

  it('takes tokens in _meta, each for its own request', async () => {
    const session = await open();
    const put = (token: string) => ({ meta: { [metaKey]: token } });
    expect(await plans(session, undefined, put(acme))).toBe('ok');
    expect(await plans(session, undefined, put(globex))).toBe('ok');
    expect(await plans(session, undefined, put(expired))).toBe('binding_needed');
    expect(await plans(session)).toBe('binding_needed');
    expect(new Set(server.viewers.map(({ customers }) => String(customers)))).toEqual(new Set([customer, 'globex']));
    expect(new Set(server.viewers.map(({ id }) => id)).size).toBe(2);
  });

  it('is neither read nor ended without the token of its customer', async () => {
    const session = await open(acme);
    for (const token of [globex, undefined, expired]) {
      const headers = { ...headersOf(token), 'mcp-session-id': session, accept: 'text/event-stream' };
      const statuses = [];
      for (const method of ['GET', 'DELETE']) {
        const response = await fetch(server.url, { method, headers });
        await response.body?.cancel();
        statuses.push(response.status);
      }
      expect(statuses).toEqual([404, 404]);
    }
    expect(await plans(session, acme)).toBe('ok');
  });

  it('lets nobody else answer its question', async () => {
    const client = new Client({ name: 'older', version: '1' }, { capabilities: { elicitation: {} } });
    const statuses: number[] = [];
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: headersOf(acme) },
    });
    client.setRequestHandler(ElicitRequestSchema, async (_request, { requestId }) => {
      const yes = { jsonrpc: '2.0', id: requestId, result: { action: 'accept', content: { answer: 'yes' } } };
      for (const headers of [headersOf(globex), headersOf(), headersOf(expired), headersOf(acme, other)]) {
        const answer = await send(server.url, yes, { ...headers, 'mcp-session-id': transport.sessionId! });
        statuses.push(answer.status);
      }
      return { action: 'decline' };
    });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    onTestFinished(() => client.close());
    const args = { svc_id: demoIds.wallet_svc_id, name: 'Asked' };
    const { structuredContent } = await client.callTool({ name: 'update_wallet', arguments: args });
    expect(statuses).toEqual([404, 404, 404, 404]);
    expect((structuredContent as { error: { code: string } }).error.code).toBe('declined');
  });
});

describe('the page of a question', () => {
  it('opens for who signs in with the credential of the conversation: no browser sends customer tokens', async () => {
    const seen: string[] = [];
    const person = async ({ url }: { url?: string }) => {
      const stranger = await new Browser().open(url!);
      await stranger.submit({ credential: other });
      seen.push(stranger.html);
      const browser = await new Browser().open(url!);
      await browser.submit({ credential });
      seen.push(browser.html);
      await browser.submit({ decision: 'approve' });
      return 'accept' as const;
    };
    const client = await connectOpening(server.url, 'modern', person, { headers: headersOf(acme) });
    const result = await client.call('update_wallet', { svc_id: demoIds.wallet_svc_id, name: 'By page' });
    expect(confirmedBy(result)).toBe('link');
    expect(seen[0]).toContain('is for someone else');
    expect(seen[1]).toContain('Approve this change?');
  });
});
