/** Clients that offer to put questions and then fail: bridges, hosts without the method, handlers with errors. */
import { createInterface } from 'node:readline';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withReadableReply } from '../../../src/server/protocol/revisions.ts';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { startRuntime } from '../../support/clients.ts';
import { environment } from '../../support/settings.ts';
import { limitMs } from '../../support/until.ts';
import { startTiny, stopTiny } from '../http/support/tiny.ts';
import { start } from './program.ts';

// biome-ignore lint/suspicious/noExplicitAny: messages are read field by field
type Message = any;
/** One transport: sends a message, and returns the answer to a request with the questions that came before it. */
interface Wire {
  /** What is sent back when the server asks (older protocol). */
  reply: object;
  request(method: string, params: object): Promise<Message>;
  close(): Promise<unknown>;
}

let upstream: Faulty;
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.writes = 0;
});

/** So that a form that was not answered is followed by another one. */
const oneWay = { BILLING_ASK: 'form' };
const write = { name: 'update_add_on', arguments: { code: 'setup', amount_cents: 5 } };
const secret = 'words of the client that are none of the assistant’s business';
const [clientInfo, capabilities] = [{ name: 'c', version: '1' }, { elicitation: {} }];
const older = { protocolVersion: '2025-11-25', capabilities, clientInfo };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
};

const unreadable = /is not accept, decline or cancel/;
const olderFaults: [string, object, RegExp][] = [
  ['does not have the method', { error: { code: -32601, message: secret } }, /does not support this prompt/],
  ['lost its handler’s error on the way', { error: { code: -32603, message: secret } }, /error -32603/],
  ['is a bridge that gave up', { error: { code: -32001, message: secret } }, /error -32001/],
  ['answers something else', { result: { action: secret } }, unreadable],
  ['answers nothing', { result: {} }, unreadable],
  ['answers null', { result: null }, unreadable],
  ['answers with a word', { result: 'accept' }, unreadable],
  ['answers both null and an error', { result: null, error: { code: -32601, message: secret } }, unreadable],
  ['answers with an error that is none', { error: { code: 'no', message: 5 } }, unreadable],
  ['answers with neither result nor error', {}, unreadable],
];
const newerFaults: [string, object][] = [
  ['brings no answer', { inputResponses: {} }],
  ['brings the state alone', {}],
  ['answers another question', { inputResponses: { other: { action: 'accept' } } }],
  ['answers something else', { inputResponses: { confirm: { action: secret } } }],
  ['wraps the answer up', { inputResponses: { confirm: { method: 'x', result: { action: 'accept' } } } }],
  ['answers with an error', { inputResponses: { confirm: { error: { code: -32601, message: secret } } } }],
  ['answers null', { inputResponses: { confirm: null } }],
];

/** Expects our own answer, the same as text and as structured content, and no write. */
function expectOurs({ result }: Message, reason = unreadable): void {
  expect(result.isError).toBe(true);
  const { summary, error } = result.structuredContent;
  expect(summary).toContain('the user did not answer');
  expect(summary).toMatch(reason);
  expect(error).toMatchObject({ code: 'question_unanswered', changed: false });
  expect(error.details.question).toContain('setup');
  expect(error.hint).toContain('BILLING_CONFIRM=never');
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  expect(JSON.stringify(result)).not.toContain(secret);
  expect(upstream.writes).toBe(0);
}

/** Gives each incoming message to the request that waits for it, and replies to each question. */
function answering(send: (message: object) => void) {
  const waiting = new Map<number, (message: Message) => void>();
  const wire = { reply: {}, next: 1 };
  return {
    take(message: Message) {
      if (message.method === 'elicitation/create') send({ jsonrpc: '2.0', id: message.id, ...wire.reply });
      else if (message.method === undefined) waiting.get(message.id)?.(message);
    },
    wire: Object.assign(wire, {
      request: (method: string, params: object) =>
        new Promise<Message>(resolve => {
          const id = wire.next++;
          waiting.set(id, resolve);
          send({ jsonrpc: '2.0', id, method, params });
        }),
    }),
  };
}

/** The built program as a process. */
function overStdio(): Wire {
  const { child, ended } = start([], environment(upstream.baseUrl, oneWay));
  const { take, wire } = answering(message => child.stdin.write(`${JSON.stringify(message)}\n`));
  createInterface({ input: child.stdout }).on('line', text => take(JSON.parse(text)));
  const close = () => {
    child.stdin.end();
    return ended;
  };
  return Object.assign(wire, { close });
}

/** The HTTP application in front of this server; it answers as to a client of either protocol. */
async function overHttp(): Promise<Wire> {
  const runtime = startRuntime(upstream.baseUrl, oneWay, { limits: { requestTimeoutMs: limitMs } });
  const { url } = await startTiny({ sessions: true }, { runtime });
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  const post = async (message: Message) => {
    if (message.params?._meta) {
      headers.set('mcp-protocol-version', '2026-07-28');
      headers.set('mcp-method', message.method);
      headers.set('mcp-name', message.params.name);
    }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const session = response.headers.get('mcp-session-id');
    if (session) headers.set('mcp-session-id', session);
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop()!;
      for (const line of lines) if (/^data: \{|^\{/.test(line)) take(JSON.parse(line.replace(/^data: /, '')));
    }
    if (text.startsWith('{')) take(JSON.parse(text));
  };
  const { take, wire } = answering(message => void post(message));
  const close = async () => {
    await stopTiny();
    await runtime.close();
  };
  return Object.assign(wire, { close });
}

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
] as const)('a write over %s', (_transport, open) => {
  let wire: Wire;
  afterEach(() => wire.close());

  it('a question of the older protocol ends with our answer whatever goes wrong, in one connection', async () => {
    wire = await open();
    await wire.request('initialize', older);
    for (const [what, reply, reason] of olderFaults) {
      wire.reply = reply;
      const answer = await wire.request('tools/call', write);
      expect(answer.error, what).toBeUndefined();
      expectOurs(answer, reason);
    }
    wire.reply = { result: { action: 'decline' } };
    const declined = await wire.request('tools/call', write);
    expect(declined.result.structuredContent.error.code).toBe('declined');
    wire.reply = { result: { action: 'accept', content: { answer: 'yes' } } };
    const done = await wire.request('tools/call', write);
    expect(done.result.structuredContent.receipt.confirmed_by).toBe('person');
    expect(upstream.writes).toBe(1);
  });

  it('a question of the newer protocol ends with our answer whatever comes back', async () => {
    wire = await open();
    const ask = async () => (await wire.request('tools/call', { ...write, _meta: envelope })).result.requestState;
    for (const [what, retry] of newerFaults) {
      const requestState = await ask();
      const params = { ...write, ...retry, requestState, _meta: envelope };
      const answer = await wire.request('tools/call', params);
      expect(answer.error, what).toBeUndefined();
      expectOurs(answer);
      // A question that failed once cannot be accepted later.
      const late = { ...params, inputResponses: { confirm: { action: 'accept', content: { answer: 'yes' } } } };
      const { structuredContent } = (await wire.request('tools/call', late)).result;
      expect(structuredContent.error.code, what).toBe('confirmation_used');
    }
    expect(upstream.writes).toBe(0);
    const inputResponses = { confirm: { action: 'accept', content: { answer: 'yes' } } };
    const accepted = { ...write, inputResponses, requestState: await ask(), _meta: envelope };
    const done = await wire.request('tools/call', accepted);
    expect(done.result.structuredContent.receipt.confirmed_by).toBe('person');
  });
});

it('takes a broken reply for an empty one, whether its id is a number or a text', () => {
  for (const id of [7, 'seven'])
    expect(withReadableReply({ jsonrpc: '2.0', id, result: null })).toEqual({ jsonrpc: '2.0', id, result: {} });
  expect(withReadableReply({ result: null })).toEqual({ result: null });
});

describe('a question that nobody answers', () => {
  afterEach(() => vi.useRealTimers());

  const connected = async (reply: () => Promise<{ action: 'accept' }>) => {
    const runtime = startRuntime(upstream.baseUrl, oneWay);
    onTestFinished(() => runtime.close());
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = runtime.createMcpServer({ caller: runtime.ownCaller('stdio') });
    await server.connect(far);
    const client = new LegacyClient(clientInfo, { capabilities });
    onTestFinished(() => client.close());
    client.setRequestHandler(ElicitRequestSchema, reply);
    await client.connect(near as never);
    return client;
  };

  it('is given up after ten minutes, with our answer', async () => {
    let asked = () => {};
    const question = new Promise<void>(resolve => {
      asked = resolve;
    });
    const client = await connected(() => {
      asked();
      return new Promise(() => {});
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer: Message;
    const call = client.callTool(write, undefined, { timeout: 3_600_000 }).then(result => {
      answer = { result };
    });
    await question;
    await vi.advanceTimersByTimeAsync(599_000);
    expect(answer).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    await call;
    expectOurs(answer, /within ten minutes/);
  });

  it('ends with our answer when the handler of the client throws', async () => {
    const client = await connected(() => Promise.reject(new Error(secret)));
    expectOurs({ result: await client.callTool(write) }, /error -32603/);
  });
});
