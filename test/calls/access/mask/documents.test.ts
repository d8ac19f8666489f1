/** Documents show the whole address: where any field is hidden, no answer links one, whatever part of a record is shown. */
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../../src/lib/json.ts';
import { invoiceRow, uuidOf } from '../../../tools/lookup-records.ts';
import { meta, onOneDay, sharedWorld } from '../../../tools/lookup-upstream.ts';

onOneDay();
const world = await sharedWorld();

const links = {
  ...{ file_url: 'https://files.example.com/a.pdf', xml_url: 'https://files.example.com/a.xml' },
  web_url: 'https://files.example.com/a',
};
const customer = { external_id: 'acme', name: 'Acme', currency: 'USD' };
const invoice = (index: number) =>
  invoiceRow(index, { ...links, customer, fees: [], subscriptions: [], fees_amount_cents: 0, currency: 'USD' });
const note = {
  ...{ svc_id: uuidOf(7), number: 'CN-7', currency: 'USD', total_amount_cents: 100, customer, ...links },
  ...{ credit_status: 'available', refund_status: 'pending', items: [] },
};

const calls: [string, JsonRecord][] = [
  ['get_invoice', { svc_id: uuidOf(3) }],
  ['get_invoice', { svc_id: uuidOf(3), compared_to: uuidOf(2) }],
  ['list_invoices', {}],
  ['list_credit_notes', {}],
  ['get_customer_overview', { external_customer_id: 'acme' }],
  ['update_invoice', { svc_id: uuidOf(3), payment_status: 'succeeded' }],
  ['update_credit_note', { svc_id: uuidOf(7), refund_status: 'succeeded' }],
];

async function answers(tool: string, args: JsonRecord, detail: string): Promise<string> {
  await world.renew({ BILLING_MASK: 'phone', BILLING_CONFIRM: 'never' });
  world.script({
    [`/invoices/${uuidOf(2)}`]: { invoice: invoice(2) },
    [`/invoices/${uuidOf(3)}`]: { invoice: invoice(3) },
    [`/credit_notes/${uuidOf(7)}`]: { credit_note: note },
    '/customers/acme': { customer },
    '/invoices': { invoices: [invoice(3), invoice(2)], meta: meta(2) },
    '/customers/acme/invoices': { invoices: [invoice(3), invoice(2)], meta: meta(2) },
    '/credit_notes': { credit_notes: [note], meta: meta(1) },
  });
  return JSON.stringify(await world.call(tool, { ...args, detail }));
}

describe('under a mask', () => {
  it.each(
    calls.flatMap(([tool, args]) =>
      ['brief', 'full', 'svc_id file_url xml_url web_url'].map(detail => [tool, detail, args] as const),
    ),
  )('no document is linked by %s with detail %s, %j', async (tool, detail, args) => {
    expect(await answers(tool, args, detail)).not.toContain('files.example.com');
  });
});
