import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createUpstreams } from '../../src/upstream/upstreams.ts';

it.each([200, 422])('never hands the key on when the service repeats it in a %i answer', async status => {
  const key = 'sk-live-0123456789';
  const api = createServer((request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-key': key });
    response.end(
      JSON.stringify({ customer: { name: `Acme ${key}`, metadata: { [key]: request.headers.authorization } } }),
    );
  });
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  const upstreams = createUpstreams({ timeoutMs: 3000, maxRetries: 0, maxConcurrency: 2, idPrefix: 'svc_' });
  const upstream = upstreams.of(`http://127.0.0.1:${(api.address() as AddressInfo).port}`, key);
  const answer = await upstream.send(
    { tool: 'get_customer', effect: 'read', method: 'GET', target: '/customers/a', body: undefined },
    { requestId: 'r' },
  );
  await upstreams.close();
  api.close();
  expect(answer.ok).toBe(status === 200);
  expect(JSON.stringify(answer)).not.toContain(key);
  if (answer.ok) expect(JSON.stringify(answer.body)).toContain('Acme [redacted]');
});
