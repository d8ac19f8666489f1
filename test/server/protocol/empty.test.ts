import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { connectClient, startRuntime } from '../../support/clients.ts';
import { answersWith, type Listening, listening } from '../../support/listening.ts';

/** Something that answers 200 to everything. */
let api: Listening;
let body: string;
let runtime: Runtime | undefined;

beforeAll(async () => {
  api = await listening((request, response) => answersWith(body)(request, response));
});
afterEach(() => runtime?.close());
afterAll(() => api.close());

async function call(name: string, args: JsonRecord) {
  runtime = startRuntime(api.url, { BILLING_CONFIRM: 'never' });
  const client = await connectClient(runtime, '2026-07-28', false);
  const { content } = await client.call(name, args);
  await client.close();
  return content as { summary: string; error?: { code: string; hint: string; changed: unknown } };
}

const invoice = { svc_id: '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0002', payment_status: 'succeeded' };

describe('a success without a record', () => {
  it.each([
    ['list_plans', {}, '{}'],
    ['list_plans', {}, '{"status":"ok"}'],
    ['list_plans', {}, '{"plans":null}'],
    ['get_customer', { external_customer_id: 'acme' }, '{}'],
    ['get_customer', { external_customer_id: 'acme' }, '[]'],
    ['get_customer', { external_customer_id: 'acme' }, '{"customer":{}}'],
  ])('is not shown as a record: %s %j gets %s', async (name, args, answered) => {
    body = answered;
    const { summary, error } = await call(name, args);
    expect(error).toMatchObject({ code: 'invalid_answer', changed: false });
    expect(summary).toContain('the address returned 200');
    expect(error?.hint).toContain('BILLING_BASE_URL');
  });

  it.each(['{"invoice":null}', '{}', '{"invoice":{}}'])(
    'of a write leaves open whether it was done: %s',
    async answered => {
      body = answered;
      const { summary, error } = await call('update_invoice', invoice);
      expect(error).toMatchObject({ code: 'invalid_answer', changed: 'unknown' });
      expect(summary).toMatch(/^It is unknown whether/);
    },
  );
});

describe('a success with a record', () => {
  it.each([
    ['list_plans', {}, '{"plans":[]}'],
    ['list_plans', {}, '[]'],
    ['get_customer', { external_customer_id: 'acme' }, '{"external_id":"acme"}'],
    ['get_customer', { external_customer_id: 'acme' }, '{"customer":{"external_id":"acme"}}'],
    ['update_invoice', invoice, '{"svc_id":"5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0002","payment_status":"succeeded"}'],
  ])('is accepted with or without its wrapper: %s %j gets %s', async (name, args, answered) => {
    body = answered;
    expect((await call(name, args)).error).toBeUndefined();
  });
});
