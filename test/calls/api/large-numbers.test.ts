/** Numbers beyond 2^53 in answers of the billing API: shown exactly, or left out, never rounded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../../src/definition/asking.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import type { Runtime } from '../../../src/server/runtime.ts';
import { startRuntime } from '../../support/clients.ts';
import { type Listening, listening } from '../../support/listening.ts';

const id = '5f4a1d4c-6a1b-4f0e-9a51-6d0f5a6f0001';
const invoice = (total: string) =>
  `{"svc_id":"${id}","number":"A-1","status":"finalized","payment_status":"pending","payment_overdue":true,"currency":"USD","issuing_date":"2026-03-01","payment_due_date":"2026-03-02","total_amount_cents":${total},"total_due_amount_cents":${total},"fees_amount_cents":${total},"customer":{"external_id":"acme","name":"Acme"}}`;
let total = '0';
let server: Listening;
let runtime: Runtime;

beforeAll(async () => {
  server = await listening(({ url = '' }, response) => {
    const list = `{"invoices":[${invoice(total)},${invoice('1').replace('f0001', 'f0002')}],"meta":{"current_page":1,"next_page":null,"prev_page":null,"total_pages":1,"total_count":2}}`;
    const text = /invoices\/[^?]/.test(url) ? `{"invoice":${invoice(total)}}` : url.includes('/invoices') ? list : '{}';
    response.setHeader('content-type', 'application/json').end(text);
  });
  runtime = startRuntime(server.url, { BILLING_API_KEY: 'a-key' });
});
afterAll(async () => {
  await runtime.close();
  await server.close();
});

async function answerOf(tool: string, args: JsonRecord): Promise<string> {
  const outcome = await runtime.pipeline.call(tool, args, { caller: runtime.ownCaller(), client: nobody });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  return `${outcome.answer.summary} ${JSON.stringify(outcome.answer.fields)}`;
}

describe('an amount that a binary number cannot hold', () => {
  it.each([
    ['9007199254740993', '$90,071,992,547,409.93'],
    ['-9007199254740993', '$90,071,992,547,409.93'],
    ['9223372036854775807', '$92,233,720,368,547,758.07'],
  ])('%s is shown to the cent', async (cents, words) => {
    total = cents;
    expect(await answerOf('get_invoice', { svc_id: id })).toContain(words);
    expect(await answerOf('list_invoices', {})).toContain(words);
  });

  it('is added up exactly', async () => {
    total = '9007199254740993';
    expect(await answerOf('list_invoices', { all: true })).toContain('$90,071,992,547,409.94');
  });

  it.each(['1e400', '1e30'])('%s is no amount, and is left out', async number => {
    total = number;
    const answer = await answerOf('get_invoice', { svc_id: id });
    expect(answer).not.toMatch(/\$[\d,]*,|Infinity|NaN/);
  });
});
