import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { environment, eras } from '../../support/settings.ts';
import { until } from '../../support/until.ts';

let faulty: Faulty;

beforeAll(async () => {
  faulty = await startFaulty();
});
afterAll(() => faulty.close());
beforeEach(() => {
  faulty.queue = [];
  faulty.carriedOut.clear();
  faulty.arrived = 0;
  faulty.writes = 0;
});

const customer = { external_customer_id: 'a' };
const addOn = { code: 'setup', amount_cents: 5, amount_currency: 'USD' };

for (const era of eras) {
  describe(`a client of ${era} over stdio`, () => {
    let client: TestClient;
    beforeAll(async () => {
      const env = environment(faulty.baseUrl, { BILLING_CONFIRM: 'never' });
      client = await connectClient({ env }, era, false);
    });
    afterAll(() => client.close());

    it('learns that a call waits for the rate limit, and for a retry', async () => {
      for (const [fault, said] of [
        ['limited_seconds', /rate limit/],
        ['error_503', /retr(y|ies)/i],
      ] as const) {
        faulty.queue = [fault];
        const messages: (string | undefined)[] = [];
        await client.call('get_customer', customer, { onprogress: ({ message }) => messages.push(message) });
        expect(messages.join('\n'), fault).toMatch(said);
      }
    });

    it('gets no such message about a call that does not wait', async () => {
      const messages: unknown[] = [];
      await client.call('get_customer', customer, { onprogress: progress => messages.push(progress) });
      expect(messages).toEqual([]);
    });

    it('ends the request to the billing service by cancelling, and goes on', async () => {
      faulty.queue = ['stalled'];
      const cancel = new AbortController();
      const calling = client.call('get_customer', customer, { signal: cancel.signal }).catch(error => error);
      await until(() => faulty.carriedOut.size === 1);
      cancel.abort();
      expect(await calling).toBeInstanceOf(Error);
      // A read that goes on would be sent again after its first half minute.
      await until(() => faulty.underWay === 0);
      expect(faulty.arrived).toBe(1);
      expect((await client.call('get_customer', customer)).content.error).toBeUndefined();
    });

    it('sends nothing after cancelling while a call waits for a retry', async () => {
      // The record is read first.
      faulty.queue = ['ok', 'limited_long'];
      const cancel = new AbortController();
      const calling = client
        .call('update_add_on', addOn, { signal: cancel.signal, onprogress: () => cancel.abort() })
        .catch(error => error);
      expect(await calling).toBeInstanceOf(Error);
      // The limit delays the next call too, so its answer comes after the time at which the cancelled one would have come.
      await client.call('get_customer', customer);
      expect([faulty.arrived, faulty.writes]).toEqual([3, 1]);
      expect([...faulty.carriedOut.values()]).toEqual([1, 1]);
    });
  });

  describe(`a person at a client of ${era}`, () => {
    let client: TestClient;
    beforeAll(async () => {
      client = await connectClient({ env: environment(faulty.baseUrl) }, era, true);
    });
    afterAll(() => client.close());

    it.each(['accept', 'decline', 'cancel'] as const)('is asked before a write: %s', async reply => {
      client.asked.length = 0;
      client.answer = reply;
      const { content } = await client.call('update_add_on', addOn);
      expect(client.asked).toHaveLength(1);
      expect(client.asked[0]).toContain('setup');
      expect(faulty.writes).toBe(reply === 'accept' ? 1 : 0);
      // The record: before the question, and once more before the write.
      expect(faulty.arrived - faulty.writes).toBe(reply === 'accept' ? 2 : 1);
      if (reply === 'accept') expect(content.error).toBeUndefined();
      else expect(content.error).toMatchObject({ changed: false });
    });
  });
}
