import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Runtime } from '../../src/server/runtime.ts';
import { type CountingUpstream, startCountingUpstream } from '../calls/change/counting-upstream.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';

let upstream: CountingUpstream;
let runtime: Runtime;
let client: TestClient;

beforeAll(async () => {
  upstream = await startCountingUpstream();
  runtime = startRuntime(upstream.url);
  client = await connectClient(runtime, '2026-07-28', true);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
  await upstream.close();
});

const ask = (portal_url: unknown, wrapped = true) => {
  const record = { portal_url, note: 'from-the-answer' };
  upstream.answerWith(() => (wrapped ? { customer: record } : record));
  return client.call('get_customer_portal_url', { external_customer_id: 'acme' });
};

it.each([
  'javascript:alert(document.domain)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  '\u200Bjavascript:alert(1)',
  'data:text/html,<script>1</script>',
  'file:///etc/passwd',
  'ftp://portal.example.com/x',
  'vscode://portal.example.com',
  '//portal.example.com/x',
  '/customer-portal/x',
  'portal.example.com',
  '',
  7,
  ['https://portal.example.com'],
])('a portal link that is not a web address is not passed on, nor the rest of the answer: %j', async link => {
  for (const wrapped of [true, false]) {
    const { isError, content, text } = await ask(link, wrapped);
    expect(isError).toBe(true);
    expect(text).toMatch(/no http:\/\/ or https:\/\/ address/);
    expect(content).toMatchObject({ error: { code: 'invalid_answer' } });
    expect(text + JSON.stringify(content)).not.toMatch(
      /script|passwd|portal\.example|customer-portal|from-the-answer/i,
    );
  }
});

it.each(['https://portal.example.com/customer-portal/token', 'http://127.0.0.1:3000/customer-portal/token'])(
  'a portal link is passed on unchanged: %s',
  async link => {
    const { isError, content } = await ask(link);
    expect(isError).toBe(false);
    expect(content).toMatchObject({ customer: { portal_url: link } });
  },
);

it('an answer without a portal link says so', async () => {
  const { isError, text } = await ask(null);
  expect(isError).toBe(false);
  expect(text).toContain('without a portal link');
});
