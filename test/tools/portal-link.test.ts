import { expect, it } from 'vitest';
import { connectClient } from '../support/clients.ts';
import { sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const ask = (portal_url: unknown, wrapped = true) => {
  const record = { portal_url, note: 'from-the-answer' };
  world.script({ '/customers/acme/portal_url': wrapped ? { customer: record } : record });
  return world.call('get_customer_portal_url', { external_customer_id: 'acme' });
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
    const answer = await ask(link, wrapped);
    expect(answer.error?.code).toBe('invalid_answer');
    const text = JSON.stringify(answer);
    expect(text).toMatch(/no http:\/\/ or https:\/\/ address/);
    expect(text).not.toMatch(/script|passwd|portal\.example|customer-portal|from-the-answer/i);
  }
});

it('a client receives neither such a link nor the rest of the answer', async () => {
  const client = await connectClient(world.runtime, '2026-07-28', true);
  world.script({ '/customers/acme/portal_url': { customer: { portal_url: 'javascript:x', note: 'from-the-answer' } } });
  const { isError, content, text } = await client.call('get_customer_portal_url', { external_customer_id: 'acme' });
  await client.close();
  expect([isError, text]).toEqual([true, expect.stringMatching(/no http:\/\/ or https:\/\/ address/)]);
  expect(content).toMatchObject({ error: { code: 'invalid_answer' } });
  expect(text + JSON.stringify(content)).not.toMatch(/script|from-the-answer/);
});

it.each(['https://portal.example.com/customer-portal/token', 'http://127.0.0.1:3000/customer-portal/token'])(
  'a portal link is passed on unchanged: %s',
  async link => {
    expect(await ask(link)).toMatchObject({ customer: { portal_url: link } });
  },
);

it('an answer without a portal link says so', async () => {
  const { summary, error } = await ask(null);
  expect(error).toBeUndefined();
  expect(summary).toContain('without a portal link');
});
