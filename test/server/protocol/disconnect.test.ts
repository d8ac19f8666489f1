import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Faulty, startFaulty } from '../../calls/api/faulty.ts';
import { environment, eras } from '../../support/settings.ts';
import { until } from '../../support/until.ts';
import { start } from './program.ts';

let faulty: Faulty;
let server: ReturnType<typeof start>;
let url: string;

beforeAll(async () => {
  faulty = await startFaulty();
  server = start(['--http', '--port', '0'], environment(faulty.baseUrl));
  url = await new Promise<string>((resolve, reject) => {
    void server.ended.then(({ stderr }) => reject(new Error(stderr)));
    createInterface({ input: server.child.stderr }).on('line', line => {
      const entry = line.startsWith('{') ? JSON.parse(line) : {};
      if (entry.msg === 'serving') resolve(entry.url);
    });
  });
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  await faulty.close();
});
beforeEach(() => {
  faulty.queue = [];
  faulty.carriedOut.clear();
  faulty.arrived = 0;
});

const post = (era: string, name: string, args: object, signal?: AbortSignal) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = era === '2026-07-28';
  const params = { name, arguments: args, ...(modern && { _meta }) };
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      ...(modern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    ...(signal && { signal }),
  });
};

describe('a client over HTTP that disconnects', () => {
  for (const era of eras) {
    it(`ends its request to the billing service at once (${era}), and nobody else’s`, async () => {
      faulty.queue = ['stalled'];
      const gone = new AbortController();
      const calling = post(era, 'get_customer', { external_customer_id: 'a' }, gone.signal).catch(error => error);
      await until(() => faulty.carriedOut.size === 1);
      const other = post(era, 'get_customer', { external_customer_id: 'b' });
      gone.abort();
      expect((await calling).name).toBe('AbortError');
      expect((await other).status).toBe(200);
      // A read that goes on would be sent again after its first half minute.
      await until(() => faulty.underWay === 0);
      expect(await (await other).text()).not.toContain('isError');
      expect(faulty.arrived).toBe(2);
    });
  }
});
