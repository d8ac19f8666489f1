import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../../src/calls/call/call.ts';
import type { ToolAnswer } from '../../../src/calls/call/result.ts';
import type { Pipeline } from '../../../src/calls/dispatch.ts';
import { ReadShortcut } from '../../../src/server/fast/read-shortcut.ts';

type Outcome = Awaited<ReturnType<Pipeline['call']>>;
const answer: ToolAnswer = { summary: 'Acme.', fields: { customer: {} } };
const done = { kind: 'result', answer, record: { outcome: 'ok', code: null, attempts: 1 } } as const;
const mayTake = (name: string) => name === 'get_customer';
const caller = { id: 'test', apiKey: 'key', scopes: null };
/** A shortcut whose calls run until the test ends them. */
const waiting = () => {
  const calls: { context: CallContext; end(outcome: Outcome): void }[] = [];
  const call = (_name: string, _args: unknown, context: CallContext) =>
    new Promise<Outcome>(end => calls.push({ context, end }));
  return { shortcut: new ReadShortcut({ plain: mayTake, call }), calls };
};
const params = { name: 'get_customer', arguments: { external_customer_id: 'a' } };
const plain = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };

describe('the shortcut', () => {
  it.each([
    ['a plain read', plain],
    ['an id that is a text', { ...plain, id: 'one' }],
    ['no arguments', { ...plain, params: { name: 'get_customer' } }],
  ])('takes %s', (_, message) => {
    expect(waiting().shortcut.decide(message)).toMatchObject({ id: message.id, name: 'get_customer' });
  });

  it.each<[string, unknown]>([
    ['a tool that writes', { ...plain, params: { ...params, name: 'update_wallet' } }],
    ['an unknown tool', { ...plain, params: { ...params, name: 'toString' } }],
    ['whatever has _meta: progress, traces, the newer revision', { ...plain, params: { ...params, _meta: {} } }],
    ['the answer to a question', { ...plain, params: { ...params, inputResponses: {} } }],
    ['arguments that are no object', { ...plain, params: { ...params, arguments: [] } }],
    ['a notification', { jsonrpc: '2.0', method: 'tools/call', params }],
    ['an id that JSON-RPC does not allow', { ...plain, id: 1.5 }],
    ['no id but null', { ...plain, id: null }],
    ['another version of JSON-RPC', { ...plain, jsonrpc: '1.0' }],
    ['another method', { ...plain, method: 'tools/list' }],
    ['no parameters', { ...plain, params: undefined }],
    ['no message', null],
  ])('leaves %s to the SDK', (_, message) => {
    expect(waiting().shortcut.decide(message)).toBeUndefined();
  });

  it('answers a call that ran, under the request id that it was given', async () => {
    const { shortcut, calls } = waiting();
    const running = shortcut.run(shortcut.decide(plain)!, caller, 'request-1');
    expect(calls[0]!.context).toMatchObject({ caller, rpcId: 1, requestId: 'request-1' });
    expect([shortcut.size, shortcut.has(1), shortcut.has('1')]).toEqual([1, true, false]);
    calls[0]!.end(done);
    expect(await running).toBe(answer);
    expect([shortcut.size, shortcut.has(1)]).toEqual([0, false]);
  });

  it('cancels one of two reads with the same id, and leaves the other', async () => {
    const { shortcut, calls } = waiting();
    const [one, other] = [shortcut.decide(plain)!, shortcut.decide(plain)!];
    const running = [shortcut.run(one, caller), shortcut.run(other, caller)];
    shortcut.cancel(one);
    for (const call of calls) call.end(done);
    expect(await Promise.all(running)).toEqual([undefined, answer]);
    shortcut.cancel(other);
    expect(shortcut.size).toBe(0);
  });
});
