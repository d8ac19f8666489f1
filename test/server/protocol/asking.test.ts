/** How a question is put to clients of both eras: its form, the signs of life while a person thinks, the next way. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Observer } from '../../../src/server/logs/types.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { environment, eras } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { startTiny, stopTiny } from '../http/support/tiny.ts';

let upstream: Faulty;
const open: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.writes = 0;
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/** A person is told of as often as a test can wait for. */
const durations = { progressMs: 5 };
const write = { code: 'setup', amount_cents: 5 };

function started(observer: Observer = {}): Runtime {
  const { config } = loadConfig([], environment(upstream.baseUrl, { BILLING_ASK: 'url,form,buttons,token' }));
  const runtime = createRuntime({ config, durations, observer });
  open.push(runtime);
  return runtime;
}

async function connected(...given: Parameters<typeof connectClient>): Promise<TestClient> {
  const client = await connectClient(...given);
  open.push(client);
  return client;
}

describe.each(eras)('a form for a client of %s', era => {
  it('has one required field, yes or no, titled with the question and without a default', async () => {
    const client = await connected(started(), era, true);
    await client.call('update_add_on', write);
    expect(client.forms).toEqual([
      {
        type: 'object',
        properties: {
          answer: { type: 'string', title: expect.stringContaining('setup to 5 minor units?'), enum: ['yes', 'no'] },
        },
        required: ['answer'],
      },
    ]);
    expect(upstream.writes).toBe(1);
  });

  it('that is accepted empty is followed by another way on the same connection, and by a form on the next', async () => {
    const runtime = started();
    const client = await connected(runtime, era, true, true);
    client.content = {};
    const { error } = (await client.call('update_add_on', write)).content as { error: JsonRecord };
    expect(error.code).toBe('question_unanswered');
    const { confirmation } = error.details as { confirmation: string };
    const next = await client.call('update_add_on', { ...write, amount_cents: 6 });
    expect([client.asked.length, next.content.confirmation_required !== undefined]).toEqual([1, true]);
    expect(upstream.writes).toBe(0);
    const { content } = await client.call('update_add_on', { ...write, confirmation });
    expect([(content.receipt as JsonRecord).confirmed_by, upstream.writes]).toEqual(['token', 1]);
    const other = await connected(runtime, era, true);
    await other.call('update_add_on', write);
    expect(other.asked).toHaveLength(1);
  });
});

describe('while a person thinks, a client of 2025-11-25', () => {
  it.each(['form', 'url'] as const)('is told again and again that its call is alive (%s)', async asks => {
    const runtime = started();
    const client = await connected(runtime, '2025-11-25', asks);
    const told: (string | undefined)[] = [];
    client.person = async url => {
      await until(() => told.length >= 3);
      const id = url?.split('/').at(-1);
      if (id !== undefined) await (await runtime.pipeline.pages()).decide(id, 'approve');
    };
    const { content } = await client.call('update_add_on', write, { onprogress: ({ message }) => told.push(message) });
    expect((content.receipt as JsonRecord).confirmed_by).toBe(asks === 'form' ? 'person' : 'link');
    expect(told[0]).toBe('Waiting for the user to answer');
  });

  it('gets a comment in its stream over HTTP as often', async () => {
    const { url } = await startTiny({ sessions: true }, { runtime: started() });
    open.push({ close: stopTiny });
    const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
    const post = (message: object) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'c', version: '1' },
    };
    const opened = await post({ id: 1, method: 'initialize', params });
    headers.set('mcp-session-id', opened.headers.get('mcp-session-id') ?? '');
    const stream = await post({ id: 2, method: 'tools/call', params: { name: 'update_add_on', arguments: write } });
    let text = '';
    let answered = false;
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const asked = /^data: (\{.*"elicitation\/create".*\})$/m.exec(text)?.[1];
      if (answered || asked === undefined || !/\n: waiting\n\n: waiting\n\n/.test(text)) continue;
      answered = true;
      await post({ id: JSON.parse(asked).id, result: { action: 'accept', content: { answer: 'yes' } } });
    }
    const events = text.split('\n\n').filter(event => event !== '' && event !== ': waiting');
    for (const event of events) expect(event).toMatch(/^(?:event|data|id|retry): /);
    expect(events.at(-1)).toContain('"confirmed_by":"person"');
  });
});

describe('a call that its client cancels while the person thinks', () => {
  it('writes nothing; a yes all the same is told of in the next question', async () => {
    const heard: string[] = [];
    const client = await connected(started({ heard: (_, answer) => heard.push(answer) }), '2025-11-25', true);
    const cancel = new AbortController();
    client.person = async () => cancel.abort();
    await expect(client.call('update_add_on', write, { signal: cancel.signal })).rejects.toThrow();
    await until(() => heard.includes('yes'));
    client.person = undefined;
    const { content } = await client.call('update_add_on', write);
    expect([(content.receipt as JsonRecord).confirmed_by, upstream.writes]).toEqual(['person', 1]);
    expect(client.asked).toHaveLength(2);
    expect(client.asked[1]).toMatch(/^This was already approved \(/);
  });

  it.each(eras)('writes nothing where the record is being read again after the yes (%s)', async era => {
    const client = await connected(started(), era, true);
    const cancel = new AbortController();
    client.person = () => {
      upstream.queue = ['stalled'];
    };
    const before = upstream.arrived;
    const calling = client.call('update_add_on', write, { signal: cancel.signal }).catch(error => error);
    await until(() => client.asked.length === 1 && upstream.underWay === 1 && upstream.arrived > before + 1);
    cancel.abort();
    expect(await calling).toBeInstanceOf(Error);
    await until(() => upstream.underWay === 0);
    client.person = undefined;
    await client.call('update_add_on', write);
    expect(client.asked[1]).toContain('This was already approved');
    expect(upstream.writes).toBe(1);
  });
});
