/**
 * What a person is asked and told about writes, on the embedded service: one file that reads as prose for each tool. The dry
 * run says what the person is asked, and stands there only where it says something else. Other refusals are in
 * test/words/golden.md.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { createRuntime, type Runtime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { answerTokens } from '../../support/answer-tokens.ts';
import { connectClient, type TestClient } from '../../support/clients.ts';
import { receiptText } from './support.ts';

const now = '2026-03-15T12:00:00Z';
const wallet = { svc_id: demoIds.wallet_svc_id };
const invoice = { svc_id: demoIds.invoice_svc_id };
const note = { svc_id: demoIds.credit_note_svc_id };
const addOn = { code: demoIds.add_on_code };
const monthly = { trigger: 'interval', interval: 'monthly', paid_credits: '100', granted_credits: '10' };
const ownNumber = { purchase_order_number: 'PO-R' };

/** Of the default answer of a write (320, test/tools/answers.test.ts); ids that are random here cost some tokens more or less. */
const mostTokens = 350;

/** Tool, then cases: a title, the calls that come before it, and its arguments. */
const cases: Record<string, [title: string, args: JsonRecord, before?: JsonRecord][]> = {
  update_invoice: [
    ['Marked as paid', { ...invoice, payment_status: 'succeeded' }],
    ['First metadata', { ...invoice, metadata: [{ key: 'cost_center', value: '42' }] }],
    [
      'Metadata replaced',
      { ...invoice, metadata: [{ key: 'dispute', value: 'open' }] },
      { ...invoice, metadata: [{ key: 'cost_center', value: '42' }] },
    ],
    [
      'Metadata merged, and the status that it has',
      { ...invoice, payment_status: 'pending', merge: true, metadata: [{ key: 'dispute', value: 'open' }] },
      { ...invoice, metadata: [{ key: 'cost_center', value: '42' }] },
    ],
    [
      'Metadata merged, and marked as failed',
      { ...invoice, payment_status: 'failed', merge: true, metadata: [{ key: 'dispute', value: 'open' }] },
      { ...invoice, metadata: [{ key: 'cost_center', value: '42' }] },
    ],
    [
      'Merged into what it has already',
      { ...invoice, merge: true, metadata: [{ key: 'cost_center', value: '42' }] },
      {
        ...invoice,
        metadata: [
          { key: 'cost_center', value: '42' },
          { key: 'po_number', value: '7' },
        ],
      },
    ],
    ['Too many entries', { ...invoice, metadata: [...'abcdef'].map(key => ({ key, value: '1' })) }],
  ],
  update_credit_note: [
    ['Refund marked as failed', { ...note, refund_status: 'failed' }],
    ['Refund status cleared', { ...note, clear: ['refund_status'] }],
    ['Metadata added', { ...note, metadata: { reason: 'typing error' } }],
    [
      'Metadata changed',
      { ...note, metadata: { reason: 'agreed' } },
      { ...note, metadata: { reason: 'typing error' } },
    ],
    ['Empty metadata', { ...note, metadata: {} }],
  ],
  update_add_on: [
    ['Another price', { ...addOn, amount_cents: 125_000 }],
    ['Another price and currency', { ...addOn, amount_cents: 90_000, amount_currency: 'EUR' }],
    ['Another currency only', { ...addOn, amount_currency: 'JPY' }],
    ['Another code, no taxes', { ...addOn, new_code: 'start', tax_codes: [] }],
    ['An unknown tax', { ...addOn, tax_codes: ['us_sale'] }],
    ['No price', { ...addOn, amount_cents: 0 }],
    ['The price that it has', { ...addOn, amount_cents: 75_000 }],
  ],
  delete_add_on: [
    ['Charged by no plan', addOn],
    ['Charged by a plan', { code: 'priority_support' }],
    ['Unknown', { code: 'nothing' }],
  ],
  create_billing_entity: [
    ['With a code and a name', { code: 'sky_fr', name: 'Skylark France' }],
    [
      'With everything that is said in other words',
      {
        ...{ code: 'sky_de', name: 'Skylark Germany', country: 'DE', timezone: 'Europe/Berlin' },
        ...{ default_currency: 'EUR', net_payment_term: 30, document_numbering: 'per_billing_entity' },
        ...{ finalize_zero_amount_invoice: false, eu_tax_management: true, email_settings: ['invoice.finalized'] },
        billing_configuration: {
          ...{ document_locale: 'de', invoice_grace_period: 1 },
          ...{
            subscription_invoice_issuing_date_anchor: 'current_period_end',
            subscription_invoice_issuing_date_adjustment: 'keep_anchor',
          },
        },
      },
    ],
    ['In a language that it does not have', { code: 'x', name: 'X', billing_configuration: { document_locale: 'jp' } }],
  ],
  update_wallet: [
    ['Another priority', { ...wallet, priority: 3 }],
    [
      'Limits left out',
      { ...wallet, name: 'Main' },
      { ...wallet, applies_to: { billable_metric_codes: ['tokens', 'storage_gb'] } },
    ],
    ['Other limits', { ...wallet, applies_to: { billable_metric_codes: ['tokens'] } }],
    ['An unknown metric', { ...wallet, applies_to: { billable_metric_codes: ['token'] } }],
    ['Top-ups', { ...wallet, recurring_transaction_rules: [monthly] }],
    [
      'Top-ups ended',
      { ...wallet, recurring_transaction_rules: [] },
      { ...wallet, recurring_transaction_rules: [monthly] },
    ],
    ['A rule without an interval', { ...wallet, recurring_transaction_rules: [{ trigger: 'interval' }] }],
    ['An expiry', { ...wallet, expiration_at: '2026-12-01T00:00:00Z' }],
    ['An expiry in the past', { ...wallet, expiration_at: '2026-03-01T00:00:00Z' }],
    ['An expiry without an offset', { ...wallet, expiration_at: '2026-12-01T00:00:00' }],
    ['Top-up limits', { ...wallet, paid_top_up_min_amount_cents: 1000, paid_top_up_max_amount_cents: 50_000 }],
    [
      'Limits that exclude each other',
      { ...wallet, paid_top_up_min_amount_cents: 1000, paid_top_up_max_amount_cents: 5 },
    ],
    ['Another billing entity', { ...wallet, billing_entity_code: 'skylark-eu' }],
    ['An unknown billing entity', { ...wallet, billing_entity_code: 'skylark-uk' }],
    ['A purchase order number', { ...wallet, purchase_order_number: 'PO-7' }],
    ['A rule with a number of its own', { ...wallet, recurring_transaction_rules: [{ ...monthly, ...ownNumber }] }],
    [
      'A rule that leaves its number to the wallet',
      { ...wallet, recurring_transaction_rules: [monthly] },
      { ...wallet, purchase_order_number: 'PO-7', recurring_transaction_rules: [{ ...monthly, ...ownNumber }] },
    ],
    [
      'Another number beside that of a rule',
      { ...wallet, purchase_order_number: 'PO-8' },
      { ...wallet, recurring_transaction_rules: [{ ...monthly, ...ownNumber }] },
    ],
    [
      'Top-ups that are granted',
      {
        ...wallet,
        recurring_transaction_rules: [
          { ...monthly, method: 'target', target_ongoing_balance: '500', grants_target_top_up: true },
        ],
      },
    ],
    ['Metadata replaced', { ...wallet, metadata: { team: 'data' } }, { ...wallet, metadata: { cost_center: '42' } }],
    [
      'Metadata merged',
      { ...wallet, merge: true, metadata: { team: 'data' } },
      { ...wallet, metadata: { cost_center: '42' } },
    ],
  ],
};

let runtime: Runtime;
let client: TestClient;
beforeAll(async () => {
  const { config } = loadConfig(['--demo', '--now', now], { BILLING_MAX_WRITES_PER_MINUTE: '1000' });
  runtime = createRuntime({ config });
  client = await connectClient(runtime, '2025-11-25', true);
});
afterAll(async () => {
  await client.close();
  await runtime.close();
});

describe.each(Object.entries(cases))('%s', (tool, of) => {
  it('asks and tells in plain words, and says the way back', async () => {
    const parts = [`# ${tool}\n`];
    for (const [title, args, before] of of) {
      const first = before && (await client.call(tool, before));
      parts.push(await told(title, tool, args));
      // One case leaves nothing to the next one: `told` has taken its own write back.
      if (first) await client.call(tool, restoring(first.content));
    }
    // Ids that the service makes up differ in every run.
    const text = parts.join('\n').replace(/(?!([0-9a-f])\1{7})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
    await expect(text.replace(/SKY-[0-9A-F]{4}\b/g, 'SKY-<id>')).toMatchFileSnapshot(`prose/${tool}.md`);
  });
});

/** The call that takes the write of this answer back. */
const restoring = ({ receipt }: JsonRecord) => ((receipt as JsonRecord).revert as JsonRecord).arguments as JsonRecord;

async function told(title: string, tool: string, args: JsonRecord): Promise<string> {
  const sent = `## ${title}\n\n\`${JSON.stringify(args)}\`\n`;
  const rehearsed = await client.call(tool, { ...args, dry_run: true });
  client.asked.length = 0;
  const { content, isError, text } = await client.call(tool, args);
  expect.soft(answerTokens(text), `${tool}: ${title}`).toBeLessThanOrEqual(mostTokens);
  const question = client.asked[0];
  if (question === undefined) {
    const error = content.error as JsonRecord | undefined;
    return `${sent}\n${isError ? 'Refused' : 'Nobody is asked'}: ${error?.message ?? content.summary}\n`;
  }
  // What differs stands in the file.
  const same = `Demo data: Dry run: nothing was changed. ${question.replaceAll('\n\n', ' ')}`;
  const receipt = content.receipt as JsonRecord;
  expect(receipt, JSON.stringify(content.error)).toBeDefined();
  const { revert } = receipt;
  const back = await client.call(tool, ((revert as JsonRecord).arguments ?? args) as JsonRecord);
  const restored = back.isError ? `, which is refused: ${JSON.stringify(back.content)}` : '';
  return [
    sent,
    ...question.split('\n\n').map(part => `> ${part.replaceAll('\n', '\n> ')}\n`),
    ...(rehearsed.content.summary === same ? [] : [`Dry run: ${rehearsed.content.summary}\n`]),
    `Answer: ${content.summary}\n`,
    `Receipt: ${receiptText(receipt)}\n`,
    `Revert: ${said(revert as JsonRecord)}${'impossible' in (revert as JsonRecord) ? '' : restored}\n`,
  ].join('\n');
}

function said(revert: JsonRecord): string {
  return 'impossible' in revert ? `impossible, because ${revert.impossible}` : `\`${JSON.stringify(revert)}\``;
}
