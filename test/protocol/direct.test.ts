/** Plain reads take the shortcut; clients may see no difference but the time. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLine } from '../support/settings.ts';
import { until } from '../support/until.ts';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { connect, read } from './raw.ts';

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
