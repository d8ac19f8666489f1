import { describe, expect, it } from 'vitest';
import { directCall } from '../../src/direct.ts';
import { errorAnswer, resultJson, resultOf } from '../../src/results.ts';

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

  it.each([
    ['a result', { content: { summary: '“A” \\ "B" costs €1. 😀\n', plans: [{ code: 'a"b\\c', name: 'Żółć 😀' }] } }],
    ['a summary alone', { content: { summary: 'Done' } }],
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
    expect(JSON.parse(resultJson(answer))).toEqual(JSON.parse(JSON.stringify(resultOf(answer))));
  });
});
