import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { labelOf } from '../../../src/server/http/credentials.ts';
import { createSessions, type LegacySessions } from '../../../src/server/http/sessions.ts';
import { until } from '../../support/until.ts';
import { startIssuer } from './support/issuer.ts';
import { initialize } from './support/messages.ts';
import { callOf, read, send, startTiny, stopTiny } from './support/tiny.ts';

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
  await stopTiny();
});

const limits = { sessions: true, maxSessions: 2, sessionIdleMs: 60_000 };
const text = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

async function connect(url: string, headers: Record<string, string> = {}) {
  const client = new Client({ name: 'older', version: '1.0.0' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  clients.push(client);
  return { client, transport };
}

describe('with sessions, a client of the older protocol', () => {
  it('can be asked in the middle of a call', async () => {
    const tiny = await startTiny({ ...limits });
    const { client, transport } = await connect(tiny.url);
    expect(transport.sessionId).toMatch(/^[\da-f-]{36}$/);
    expect(text(await client.callTool({ name: 'change', arguments: {} }))).toBe('accept');
    expect(tiny.sessions!.size).toBe(1);
  });

  it('ends its session itself', async () => {
    const tiny = await startTiny({ ...limits });
    const { transport } = await connect(tiny.url);
    await transport.terminateSession();
    expect(tiny.sessions!.size).toBe(0);
  });

  it('is told when its session has ended', async () => {
    const tiny = await startTiny({ ...limits });
    const answer = await send(tiny.url, callOf(), { 'mcp-session-id': 'gone' });
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual({ code: -32001, message: 'Session not found' });
  });

  it('is served without a session when all are in use, and is then not asked', async () => {
    const tiny = await startTiny({ ...limits, maxSessions: 1 });
    await connect(tiny.url);
    const { client, transport } = await connect(tiny.url);
    expect(transport.sessionId).toBeUndefined();
    expect(text(await client.callTool({ name: 'change', arguments: {} }))).toBe('not asked');
    expect(tiny.sessions!.size).toBe(1);
  });

  it('loses its session after a time without requests', async () => {
    const tiny = await startTiny({ ...limits, sessionIdleMs: 50 });
    const opened = await send(tiny.url, initialize);
    expect(opened.headers.get('mcp-session-id')).toBeTruthy();
    await until(() => tiny.sessions!.size === 0);
  });

  it('is told to send POST when it wants a stream without a session', async () => {
    const tiny = await startTiny({ ...limits });
    const response = await fetch(tiny.url, { headers: { accept: 'text/event-stream' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await read(response)).body.error.message).toContain('open a session first');
  });

  it('cannot use the session of another caller', async () => {
    const tiny = await startTiny({ ...limits, auth: 'api-key' });
    const { transport } = await connect(tiny.url, { 'x-billing-api-key': 'key-of-anna' });
    const stolen = { 'mcp-session-id': transport.sessionId!, 'x-billing-api-key': 'key-of-bert' };
    expect((await send(tiny.url, callOf(), stolen)).status).toBe(404);
    const stream = await fetch(tiny.url, { headers: { ...stolen, accept: 'text/event-stream' } });
    expect((await read(stream)).status).toBe(404);
    expect((await fetch(tiny.url, { method: 'DELETE', headers: stolen })).status).toBe(404);
    expect(tiny.sessions!.size).toBe(1);
  });
});

describe('the sessions that several callers share', () => {
  const open = async (url: string, name: string) => {
    const answer = await send(url, initialize, { 'x-billing-api-key': name });
    expect(answer.status).toBe(200);
    return answer.headers.has('mcp-session-id');
  };

  it.each([
    ['never all taken by one, who is then served without', 4, /./, 'greedy+ greedy+ greedy- greedy- modest+'],
    ['left, the last of them, to a caller that has none', 2, /./, 'greedy+ greedy- modest+ third-'],
    ['not all taken by invented keys from one address', 4, /known/, 'made-up-1+ made-up-2+ made-up-3- known+'],
  ])('are %s', async (_what, maxSessions, known, expected) => {
    const names = expected.split(' ').map(word => word.slice(0, -1));
    const labels = names.filter(name => known.test(name)).map(name => labelOf('key', name));
    const accepted = { has: (id: string) => labels.includes(id) };
    const tiny = await startTiny({ ...limits, maxSessions, auth: 'api-key' }, { accepted });
    const opened = [];
    for (const name of names) opened.push(`${name}${(await open(tiny.url, name)) ? '+' : '-'}`);
    expect(opened.join(' ')).toBe(expected);
  });

  it('end for a caller who comes back with other scopes', async () => {
    const publicUrl = 'https://billing-mcp.example.com/mcp';
    const issuer = await startIssuer(publicUrl);
    const oauth = { issuer: issuer.url, audience: publicUrl };
    const tiny = await startTiny({ auth: 'oauth', publicUrl, oauth, ...limits });
    const bearer = async (scope: string) => ({ authorization: `Bearer ${await issuer.token({ scope })}` });
    const opened = await send(tiny.url, initialize, await bearer('billing:read billing:write'));
    const session = opened.headers.get('mcp-session-id')!;
    const again = async (scope: string) => {
      const headers = { ...(await bearer(scope)), 'mcp-session-id': session };
      return (await send(tiny.url, callOf(), headers)).status;
    };
    expect([await again('billing:read'), await again('billing:write billing:read')]).toEqual([404, 200]);
    await issuer.close();
  });
});

describe('the idle time of a session', () => {
  const idleMs = 60_000;
  const authInfo = { token: '', clientId: 'anna', scopes: [] };
  let now = 0;
  const start = () => {
    const factory = () => new McpServer({ name: 'idle', version: '1' });
    const sessions = createSessions(factory, { max: 5, idleMs }, () => now);
    onTestFinished(() => sessions.close());
    return sessions;
  };
  const post = async (sessions: LegacySessions, body: object, session?: string) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session && { 'mcp-session-id': session }),
    };
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: JSON.stringify(body) });
    return (await sessions.tryHandle(request, authInfo, body))!;
  };
  const opened = async (sessions: LegacySessions) => {
    const response = await post(sessions, initialize);
    await response.text();
    return response.headers.get('mcp-session-id')!;
  };
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

  const idleAfter = async (sessions: LegacySessions, ms: number, size: number) => {
    now += ms;
    await opened(sessions);
    expect(sessions.size).toBe(size);
  };

  it.each([
    ['a request', ping, 200],
    ['a notification, which is answered without a body', notification, 202],
  ])('is idle again after %s', async (_what, message, status) => {
    const sessions = start();
    const session = await opened(sessions);
    now += idleMs;
    const response = await post(sessions, message, session);
    expect(response.status).toBe(status);
    await response.text();
    await idleAfter(sessions, idleMs, 2);
    await idleAfter(sessions, 1, 2);
    expect((await post(sessions, ping, session)).status).toBe(404);
  });

  it('is not idle while its stream is open (whose headers come at once), and is idle when the stream is closed', async () => {
    const sessions = start();
    const headers = { 'mcp-session-id': await opened(sessions), accept: 'text/event-stream' };
    const stream = await sessions.handle(new Request('http://127.0.0.1/mcp', { headers }), authInfo);
    expect(stream.status).toBe(200);
    const reader = stream.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(': open\n\n');
    await idleAfter(sessions, 10 * idleMs, 2);
    await reader.cancel();
    await idleAfter(sessions, idleMs + 1, 1);
  });

  it('is not idle while an answer is unread, and is idle when the client stops reading', async () => {
    const sessions = start();
    const session = await opened(sessions);
    const response = await post(sessions, ping, session);
    await idleAfter(sessions, 10 * idleMs, 2);
    await response.body!.cancel();
    await idleAfter(sessions, idleMs + 1, 1);
  });
});

describe('without sessions', () => {
  it('a client of the older protocol works, and is not asked', async () => {
    const tiny = await startTiny();
    const { client, transport } = await connect(tiny.url);
    expect(transport.sessionId).toBeUndefined();
    expect(text(await client.callTool({ name: 'change', arguments: {} }))).toBe('not asked');
  });
});
