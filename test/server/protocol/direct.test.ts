/** Plain reads take the shortcut; clients may see no difference but the time. */

import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { startLine } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { start } from './program.ts';
import { connect, line, opening, read } from './raw.ts';

let upstream: Faulty;
let client: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  upstream = await startFaulty();
  client = await connect(upstream);
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

const refused = { name: 'get_webhook_endpoint', arguments: { svc_id: 'no' } };

describe('a message that differs from what the protocol says', () => {
  const wait = async (id: number) => {
    await until(() => client.messages.some(message => message.id === id));
    return client.messages.find(message => message.id === id) as { result?: object; error?: { code: number } };
  };

  it('is answered although it begins with a byte order mark', async () => {
    client.child.stdin.write(`\uFEFF${line({ id: 501, method: 'tools/call', params: read })}`);
    expect((await wait(501)).result).toBeDefined();
  });

  it('is taken as a call without arguments where these are null', async () => {
    const { result, error } = (await client.request(502, 'tools/call', {
      name: 'list_plans',
      arguments: null,
    })) as { result?: { structuredContent?: object }; error?: object };
    expect(error).toBeUndefined();
    expect(result?.structuredContent).toHaveProperty('summary');
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'is refused with -32602 where %s has a cursor that was never given out',
    async method => {
      const id = 510 + method.length;
      await client.request(id, method, { cursor: 'page-2' });
      expect((await wait(id)).error?.code).toBe(-32602);
    },
  );

  it('is refused as a whole where it is a batch in a revision that has none', async () => {
    client.child.stdin.write(`${JSON.stringify([{ jsonrpc: '2.0', id: 503, method: 'tools/list' }])}\n`);
    await until(() => client.messages.some(({ id }) => id === null));
    expect(client.messages.some(({ id }) => id === 503)).toBe(false);
  });
});

// Its last case ends the connection.
describe('a plain read of a client of the older protocol', () => {
  it.each([
    ['answered', read, 1],
    ['refused', refused, 3],
  ])('is %s exactly as through the SDK', async (_, params, id) => {
    const short = await client.request(id, 'tools/call', params);
    const long = await client.request(id + 1, 'tools/call', { ...params, _meta: { 'example.test/long': true } });
    expect(short).toEqual({ ...long, id });
  });

  it('is ended by a cancellation, and then not answered', async () => {
    await client.callStalled(5);
    client.send({ method: 'notifications/cancelled', params: { requestId: 5 } });
    await until(() => upstream.underWay === 0);
    await client.request(6, 'tools/call', read);
    expect(client.messages.filter(message => message.id === 5)).toEqual([]);
  });

  it('is answered once for each of many calls at a time', async () => {
    const before = client.messages.length;
    const ids = Array.from({ length: 100 }, (_, index) => index + 7);
    await Promise.all(ids.map(id => client.request(id, 'tools/call', read)));
    const answered = client.answered().slice(before);
    expect(answered.sort((a, b) => Number(a) - Number(b))).toEqual(ids);
  });

  it('is ended by the end of the connection', async () => {
    await client.callStalled(200);
    expect(await client.close()).toMatchObject({ code: 0, stderr: startLine() });
    await until(() => upstream.underWay === 0);
  });
});

it('answers each message of a batch in the revision that has them', async () => {
  const { child, ended } = start([], { BILLING_BASE_URL: upstream.baseUrl, BILLING_API_KEY: 'key' });
  const ids: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', text => ids.push(JSON.parse(text).id));
  child.stdin.write(`${JSON.stringify(opening({ protocolVersion: '2025-03-26' }))}\n`);
  child.stdin.write(line({ method: 'notifications/initialized' }));
  const batch = [7, 8, 9].map(id => ({ jsonrpc: '2.0', id, method: id === 8 ? 'tools/list' : 'ping' }));
  child.stdin.write(`${JSON.stringify(batch)}\n`);
  await until(() => [7, 8, 9].every(id => ids.includes(id)));
  child.stdin.end();
  await ended;
});
