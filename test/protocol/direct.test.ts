/** Plain reads take the shortcut; clients may see no difference but the time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../upstream/faulty.ts';
import { connect, read } from './raw.ts';

let upstream: Faulty;
beforeAll(async () => {
  upstream = await startFaulty();
});
afterAll(() => upstream.close());

const refused = { name: 'get_webhook_endpoint', arguments: { svc_id: 'no' } };

describe('a plain read of a client of the older protocol', () => {
  it.each([
    ['answered', read],
    ['refused', refused],
  ])('is %s exactly as through the SDK', async (_, params) => {
    const client = await connect(upstream);
    const short = await client.request(1, 'tools/call', params);
    const long = await client.request(2, 'tools/call', { ...params, _meta: { 'example.test/long': true } });
    expect(short).toEqual({ ...long, id: 1 });
    await client.close();
  });

  it('is ended by a cancellation, and then not answered', async () => {
    const client = await connect(upstream);
    await client.callStalled(1);
    client.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => upstream.underWay).toBe(0);
    await client.request(2, 'tools/call', read);
    expect(client.messages.filter(message => message.id === 1)).toEqual([]);
    await client.close();
  });

  it('is answered once for each of many calls at a time', async () => {
    const client = await connect(upstream);
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    await Promise.all(ids.map(id => client.request(id, 'tools/call', read)));
    expect(client.answered().sort((a, b) => Number(a) - Number(b))).toEqual([0, ...ids]);
    await client.close();
  });

  it('is ended by the end of the connection', async () => {
    const client = await connect(upstream);
    await client.callStalled(1);
    expect(await client.close()).toMatchObject({ code: 0, stderr: '' });
  });
});
