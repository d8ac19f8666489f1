import { readdirSync, readFileSync } from 'node:fs';
import { createMcpHandler, Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { olderRevisions } from '../../../src/server/fast/older-revisions.ts';
import { plainReadIn } from '../../../src/server/fast/plain-http.ts';
import { ReadShortcut } from '../../../src/server/fast/read-shortcut.ts';
import { isNewer, revisionRefusal } from '../../../src/server/protocol/revisions.ts';

const newer = '2026-07-28';
const requestIn = (revision: unknown) => {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = { [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: {} };
  return { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta } };
};

describe('revisions of the protocol', () => {
  it('are not written in the source, except once those for which the SDK has no constant', () => {
    const found = ['src', 'tools'].flatMap(top =>
      readdirSync(top, { recursive: true, encoding: 'utf8' })
        .map(name => `${top}/${name}`)
        .filter(name => /\.(ts|js)$/.test(name))
        .flatMap(name => {
          const text = readFileSync(name, 'utf8');
          const known = [...SUPPORTED_PROTOCOL_VERSIONS, newer];
          return known.flatMap(revision =>
            text
              .split(revision)
              .slice(1)
              .map(() => `${revision} in ${name}`),
          );
        }),
    );
    // A start reads messages without loading the SDK.
    expect(found.sort()).toEqual(
      [
        '2025-03-26 in src/server/protocol/messages.ts',
        ...['2025-06-18', newer].map(at => `${at} in src/server/protocol/revisions.ts`),
      ].sort(),
    );
  });

  it('are older or newer, as the SDK serves them', () => {
    expect([...olderRevisions]).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
    expect(SUPPORTED_PROTOCOL_VERSIONS.filter(isNewer)).toEqual([]);
    expect([undefined, '', newer, '2099-01-01'].map(isNewer)).toEqual([false, false, true, true]);
  });

  it('are refused with the same code and list as by the SDK', async () => {
    const message = requestIn('2099-01-01');
    const handler = createMcpHandler(() => new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } }));
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...{ 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' },
    };
    const request = new Request('http://localhost/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
    expect(revisionRefusal(message)).toEqual(await (await handler.fetch(request)).json());
    await handler.close();
  });

  it.each<[string, unknown]>([
    ['a request in the newer revision', requestIn(newer)],
    ['a request that names none', { ...requestIn(newer), params: {} }],
    ['a request that names no text', requestIn(5)],
    ['a notification', { ...requestIn('2099-01-01'), id: undefined }],
    ['a message without parameters', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: null }],
    ['no message', null],
  ])('do not concern %s', (_, message) => {
    expect(revisionRefusal(message)).toBeUndefined();
  });
});

describe('a plain read over HTTP', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_customer' } };
  const plain = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json, text/event-stream' };
  const shortcut = new ReadShortcut({ plain: () => true, call: () => Promise.reject(new Error('Nobody calls')) });

  it.each([undefined, ...SUPPORTED_PROTOCOL_VERSIONS])('takes the shortcut in the older revision %s', revision => {
    const headers = { ...plain, ...(revision && { 'mcp-protocol-version': revision }) };
    expect(plainReadIn({ headers }, body, shortcut)).toMatchObject({ id: 1, name: 'get_customer' });
  });

  it.each<[string, Record<string, string>]>([
    ['the newer revision', { ...plain, 'mcp-protocol-version': newer }],
    ['a revision that does not exist', { ...plain, 'mcp-protocol-version': '2025-01-01' }],
    ['a header of the newer revision', { ...plain, 'mcp-method': 'tools/call' }],
    ['another type of content', { ...plain, 'content-type': 'text/plain' }],
    ['a client that takes no stream', { ...plain, accept: 'application/json' }],
    ['a client that takes no JSON', { ...plain, accept: 'text/event-stream' }],
    ['no headers', {}],
  ])('is left to the SDK with %s', (_, headers) => {
    expect(plainReadIn({ headers }, body, shortcut)).toBeUndefined();
  });
});
