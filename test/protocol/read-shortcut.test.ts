import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, errorAnswer, resultOf, writeResult } from '../../src/call/result.ts';
import { JsonWriter } from '../../src/lib/json-writer.ts';
import { directCall } from '../../src/protocol/read-shortcut.ts';

const pipeline = { reads: (name: string) => name === 'get_customer' };
const params = { name: 'get_customer', arguments: { external_customer_id: 'a' } };
const plain = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };

describe('the short way', () => {
  it.each([
    ['a plain read', plain],
    ['an id that is a text', { ...plain, id: 'one' }],
    ['no arguments', { ...plain, params: { name: 'get_customer' } }],
  ])('takes %s', (_, message) => {
    expect(directCall(message, pipeline)).toMatchObject({ id: message.id, name: 'get_customer' });
  });

  it.each<[string, unknown]>([
    ['a tool that writes', { ...plain, params: { ...params, name: 'update_wallet' } }],
    ['an unknown tool', { ...plain, params: { ...params, name: 'toString' } }],
    ['whatever has _meta: progress, traces, the newer protocol', { ...plain, params: { ...params, _meta: {} } }],
    ['the answer to a question', { ...plain, params: { ...params, inputResponses: {} } }],
    ['arguments that are no object', { ...plain, params: { ...params, arguments: [] } }],
    ['a notification', { jsonrpc: '2.0', method: 'tools/call', params }],
    ['an id that JSON-RPC does not allow', { ...plain, id: 1.5 }],
    ['no id but null', { ...plain, id: null }],
    ['another version of JSON-RPC', { ...plain, jsonrpc: '1.0' }],
    ['another method', { ...plain, method: 'tools/list' }],
    ['no parameters', { ...plain, params: undefined }],
    ['no message', null],
  ])('leaves %s to the protocol', (_, message) => {
    expect(directCall(message, pipeline)).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ['a result', { summary: '“A” \\ "B" costs €1. 😀\n', fields: '"plans":[{"code":"a\\"b\\\\c","name":"Żółć 😀"}]' }],
    [
      'an error',
      errorAnswer('read', {
        status: 404,
        code: 'not_found',
        message: 'No',
        hint: 'Ask',
        changed: false,
        details: ['x'],
      }),
    ],
  ])('writes %s as the protocol would', (_, answer) => {
    expect(JSON.parse(written(answer))).toEqual(JSON.parse(JSON.stringify(resultOf(answer))));
  });

  it('writes any answer as the protocol would, however large', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.jsonValue(),
        fc.integer({ min: 1, max: 9000 }),
        (summary, value, n) => {
          const answer = { summary, fields: `"a":${JSON.stringify([value, '"€\\'.repeat(n)])}` };
          expect(JSON.parse(written(answer))).toEqual(JSON.parse(JSON.stringify(resultOf(answer))));
        },
      ),
    );
  });
});

function written(answer: Answer): string {
  const out = new JsonWriter(16);
  writeResult(out, answer);
  return out.written.toString('utf8');
}
