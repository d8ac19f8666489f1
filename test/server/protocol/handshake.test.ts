/** The opening of a connection and the list of tools, answered without the SDK: as the SDK would. */
import { createInterface } from 'node:readline';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { initializeResult, isPlainInitialize } from '../../../src/server/fast/handshake.ts';
import { olderRevisions } from '../../../src/server/fast/older-revisions.ts';
import { isPlainList } from '../../../src/server/fast/plain-request.ts';
import { identityFor } from '../../../src/server/protocol/identity.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { startFaulty } from '../../calls/api/faulty.ts';
import { until } from '../../support/until.ts';
import { start } from './program.ts';
import { line, opening } from './raw.ts';

const settings: [string, string[], Record<string, string>][] = [
  ['no account', [], {}],
  ['the demo', ['--demo'], {}],
  ['no lookups', ['--demo'], { BILLING_LOOKUPS: 'false' }],
  ['read-only', ['--demo', '--read-only'], {}],
  ['masked data', ['--demo'], { BILLING_MASK: 'email,phone' }],
  ['always asking', ['--demo', '--confirm', 'always'], {}],
  ['one customer', ['--demo', '--customer', 'acme-podcasts'], {}],
];

describe('what is answered without the SDK', () => {
  it.each(settings)('is what the SDK answers, in every older revision: %s', async (_, args, env) => {
    const runtime = createRuntime({ config: loadConfig(args, env).config });
    const caller = runtime.ownCaller('stdio');
    for (const protocolVersion of olderRevisions) {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = serveStdio(() => runtime.createMcpServer({ caller }), { transport: far });
      const answers: JSONRPCMessage[] = [];
      // As it is written: the SDK's own marks are symbols.
      near.onmessage = message => answers.push(JSON.parse(JSON.stringify(message)));
      await near.start();
      const message = opening({ protocolVersion });
      const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' } as const;
      await near.send(message as JSONRPCMessage);
      await expect.poll(() => answers.length).toBe(1);
      await near.send(list);
      await expect.poll(() => answers.length).toBe(2);
      if (!isPlainInitialize(message)) throw new Error(`${protocolVersion} is not plain`);
      const result = initializeResult(message, identityFor(runtime, caller));
      expect(answers[0]).toEqual({ jsonrpc: '2.0', id: 1, result });
      expect(answers[1]).toEqual({ jsonrpc: '2.0', id: 2, result: runtime.pipeline.list(caller) });
      await server.close();
    }
    await runtime.close();
  });
});

describe('an initialize is plain', () => {
  it.each<[string, object]>([
    ['without capabilities', {}],
    ['with roots', { capabilities: { roots: { listChanged: true } } }],
    ['with empty capabilities', { capabilities: { roots: {}, sampling: {}, elicitation: {}, experimental: {} } }],
    ['with forms and pages', { capabilities: { elicitation: { form: { applyDefaults: true }, url: {} } } }],
    ['with tasks', { capabilities: { tasks: { list: {}, requests: { sampling: { createMessage: {} } } } } }],
    ['with extensions', { capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['a'] } } } }],
    ['with a title', { clientInfo: { name: 'test', version: '1', title: 'Test', websiteUrl: 'https://a.example' } }],
  ])('%s', (_, params) => {
    expect(isPlainInitialize(opening(params))).toBe(true);
  });

  it.each<[string, unknown]>([
    ['in a revision that is not served', opening({ protocolVersion: '2099-01-01' })],
    ['with an envelope', opening({ _meta: {} })],
    ['with icons', opening({ clientInfo: { name: 'a', version: '1', icons: [] } })],
    ['without a version of the client', opening({ clientInfo: { name: 'a' } })],
    ['with a capability that is none', opening({ capabilities: { other: {} } })],
    ['with a capability that is no object', opening({ capabilities: { sampling: true } })],
    ['without an id', { ...opening({}), id: undefined }],
    ['with another key', { ...opening({}), more: 1 }],
    ['without parameters', { jsonrpc: '2.0', id: 1, method: 'initialize' }],
    ['that is another request', { ...opening({}), method: 'ping' }],
  ])('but not %s', (_, message) => {
    expect(isPlainInitialize(message)).toBe(false);
  });
});

it.each<[boolean, string, object]>([
  [true, 'without parameters', {}],
  [true, 'with empty parameters', { params: {} }],
  [false, 'for a further page', { params: { cursor: 'a' } }],
  [false, 'with a token for progress', { params: { _meta: { progressToken: 1 } } }],
  [false, 'with a list of parameters', { params: [] }],
  [false, 'without an id', { id: null }],
])('is plain: %s: a request for the list of tools %s', (plain, _, parts) => {
  expect(isPlainList({ jsonrpc: '2.0', id: 1, method: 'tools/list', ...parts })).toBe(plain);
});

describe('the SDK, when it is first needed', () => {
  it('knows what the client declared, and answers everything that arrived meanwhile in one write', async () => {
    const upstream = await startFaulty();
    const account = { BILLING_BASE_URL: upstream.baseUrl, BILLING_API_KEY: 'key' };
    const { child, ended } = start([], { ...account, BILLING_CONFIRM: 'always' });
    const write = { name: 'delete_add_on', arguments: { code: 'setup' } };
    const sent = [
      opening({ capabilities: { elicitation: {} } }),
      { method: 'notifications/initialized' },
      { id: 2, method: 'prompts/list' },
      { id: 3, method: 'tools/list' },
      { id: 4, method: 'tools/call', params: write },
      { id: 5, method: 'nonsense' },
    ];
    child.stdin.write(sent.map(line).join(''));
    // biome-ignore lint/suspicious/noExplicitAny: messages are read field by field
    const messages: any[] = [];
    createInterface({ input: child.stdout }).on('line', text => messages.push(JSON.parse(text)));
    await until(() => messages.length === 5);
    const [asked] = messages.filter(({ method }) => method === 'elicitation/create');
    expect(asked.params.message).toContain('setup');
    const byId = new Map(messages.filter(({ method }) => !method).map(message => [message.id, message]));
    expect([...byId.keys()].sort()).toEqual([1, 2, 3, 5]);
    expect(byId.get(2).result.prompts.length).toBeGreaterThan(0);
    expect(byId.get(5).error.code).toBe(-32601);
    child.stdin.end();
    expect((await ended).code).toBe(0);
    await upstream.close();
  });

  it('answers a message that was the last before the client closed stdin', async () => {
    const { child, ended } = start(['--demo'], {});
    child.stdin.end([opening({}), { id: 2, method: 'ping' }].map(line).join(''));
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.map(text => JSON.parse(text).id)).toEqual([1, 2]);
  });
});
