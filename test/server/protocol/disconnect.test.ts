import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { environment } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { endProcess, type Machine, startMachine } from '../http/support/machines.ts';
import { callLegacy, callModern } from '../http/support/messages.ts';

let faulty: Faulty;
let machine: Machine;

beforeAll(async () => {
  faulty = await startFaulty();
  machine = await startMachine([], environment(faulty.baseUrl));
});
afterAll(async () => {
  expect(await endProcess(machine.process, 'SIGTERM')).toBe(0);
  await faulty.close();
});
beforeEach(() => {
  faulty.queue = [];
  faulty.carriedOut.clear();
  faulty.arrived = 0;
});

it.each([
  ['modern', callModern],
  ['older', callLegacy],
])(
  'a %s client over HTTP that disconnects ends its request to the service at once, and nobody else’s',
  async (_, call) => {
    faulty.queue = ['stalled'];
    const gone = new AbortController();
    const read = (external_customer_id: string, options = {}) =>
      call(machine.url, 'get_customer', { external_customer_id }, options);
    const calling = read('a', { signal: gone.signal }).catch(error => error);
    await until(() => faulty.carriedOut.size === 1);
    const other = read('b');
    gone.abort();
    expect((await calling).name).toBe('AbortError');
    expect((await other).status).toBe(200);
    // A read that goes on would be sent again after its first half minute.
    await until(() => faulty.underWay === 0);
    expect((await other).result.isError).toBeUndefined();
    expect(faulty.arrived).toBe(2);
  },
);
