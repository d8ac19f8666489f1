import { expect, it } from 'vitest';
import type { InvoiceStatus } from '../../../src/contract/enums.ts';
import type { PaymentRecord, PaymentRequestRecord } from '../../../src/engine/records/index.ts';
import { creditNoteRecord, customerRecord, entityRecord, invoiceRecord } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const invoice = (n: number, status: InvoiceStatus, customer_id = 'customer') =>
  invoiceRecord([], { id: uuid(n), number: `INV-${n}`, status, customer_id, total_amount_cents: 100 * n });

const payment = (n: number, day: number, invoices: number[], fields: Partial<PaymentRecord> = {}): PaymentRecord => ({
  ...{ id: uuid(n), created_at: at(day), updated_at: at(day), customer_id: 'customer' },
  ...{ invoice_ids: invoices.map(uuid), payable_id: uuid(invoices[0] ?? 0), payable_type: 'Invoice' },
  ...{ amount_cents: 100, amount_currency: 'EUR', status: 'succeeded', payment_status: 'succeeded', type: 'manual' },
  ...{ reference: 'r', payment_provider_code: null, payment_provider_type: null, provider_payment_id: null },
  ...{ provider_customer_id: null, payment_method_id: null, next_action: {} },
  ...fields,
});

const request = (n: number, day: number, invoices: number[], fields: Partial<PaymentRequestRecord> = {}) => ({
  ...{ id: uuid(n), created_at: at(day), updated_at: at(day), customer_id: 'customer' },
  ...{ invoice_ids: invoices.map(uuid), amount_cents: 300, amount_currency: 'EUR', email: 'pay@acme.test' },
  ...{ payment_status: 'pending' as const },
  ...fields,
});

const records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customerRecord(),
    customerRecord({ id: 'beta', external_id: 'beta', billing_entity_id: 'other' }),
    customerRecord({ id: 'gone', external_id: 'gone', deleted_at: at(5) }),
  ],
  invoices: [
    invoice(1, 'finalized'),
    invoice(2, 'voided'),
    invoice(3, 'generating'),
    invoice(4, 'finalized', 'gone'),
    invoice(5, 'finalized', 'beta'),
  ],
  credit_notes: [creditNoteRecord('note', 30, { invoice_id: uuid(2), offset_amount_cents: 30 })],
  payments: [
    payment(1, 1, [1]),
    payment(2, 3, [2]),
    payment(3, 4, [3]),
    payment(4, 2, [4], { customer_id: 'gone' }),
    payment(5, 3, [1, 2], { payable_type: 'PaymentRequest', payable_id: uuid(6) }),
    payment(6, 5, [5], { customer_id: 'beta' }),
  ],
  payment_requests: [
    request(6, 2, [2, 1]),
    request(7, 3, [5], { customer_id: 'beta', payment_status: 'succeeded', amount_currency: 'USD', email: null }),
    request(8, 3, [1], { payment_status: 'failed' }),
  ],
};
const ids = (numbers: string) => [...numbers].map(n => uuid(Number(n))).join(' ');

onDatabase('the lists of payments', database, records, account => {
  it.each([
    ['all but those of hidden invoices, newest first, then by id', '/payments', '62541'],
    ['one customer’s', '/payments?external_customer_id=acme', '251'],
    ['a deleted customer’s', '/payments?external_customer_id=gone', '4'],
    ['an unknown customer’s', '/payments?external_customer_id=nobody', ''],
    ['one customer’s, below the customer', '/customers/acme/payments', '251'],
    ['an invoice’s, by itself and in a payment request', `/payments?invoice_id=${uuid(1)}`, '51'],
    ['an invoice’s, with the id in upper case', `/payments?invoice_id=${uuid(2).toUpperCase()}`, '25'],
    ['a hidden invoice’s', `/payments?invoice_id=${uuid(3)}`, ''],
    ['an unknown invoice’s', `/payments?invoice_id=${uuid(9)}`, ''],
    ['of a customer and an invoice', `/customers/acme/payments?invoice_id=${uuid(5)}`, ''],
    ['a page', '/payments?page=2&per_page=2', '54'],
  ])('%s', async (_, path, expected) => {
    expect(await account.ids(path)).toBe(ids(expected));
  });

  it('an id that is none is refused', async () => {
    const expected = refused({ invoice_id: ['is in invalid format'] });
    expect(await account.refusal('/payments?invoice_id=INV-1')).toEqual(expected);
    expect(await account.refusal('/customers/acme/payments?invoice_id=1')).toEqual(expected);
  });

  it('an unknown or deleted customer is an error below the customer', async () => {
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/customers/${id}/payments`)).toEqual(missing('customer'));
    }
  });

  it('each has the form of the single payment', async () => {
    const { payments } = (await account.get('/payments')).body;
    for (const listed of payments) expect((await account.get(`/payments/${listed.svc_id}`)).body).toEqual(listed);
    expect(payments[2]).toMatchObject({ external_customer_id: 'acme', invoice_numbers: ['INV-1', 'INV-2'] });
  });

  it('keys without effect are named', async () => {
    const notice = 'these query keys had no effect: payment_status';
    expect(await account.notice('/payments?payment_status=failed')).toBe(notice);
  });
});

onDatabase('the list of payment requests', database, records, account => {
  it.each([
    ['newest first, then by id', '', '786'],
    ['one customer’s', 'external_customer_id=acme', '86'],
    ['an unknown customer’s', 'external_customer_id=nobody', ''],
    ['a status', 'payment_status=failed', '8'],
    ['an unknown status is ignored', 'payment_status=late', '786'],
    ['a currency', 'currency=USD', '7'],
    ['the customer’s billing entity', 'billing_entity_codes[]=main', '86'],
    ['filters together', 'external_customer_id=acme&payment_status=pending&currency=EUR', '6'],
    ['a page', 'page=2&per_page=1', '8'],
  ])('%s', async (_, query, expected) => {
    expect(await account.ids(`/payment_requests?${query}`)).toBe(ids(expected));
  });

  it('an unknown billing entity is an error', async () => {
    const refusal = await account.refusal('/payment_requests?billing_entity_codes[]=none');
    expect(refusal).toEqual(missing('billing_entity'));
  });

  it('each has its customer and its invoices, as their own lists show them', async () => {
    const { payment_requests: requests } = (await account.get('/payment_requests')).body;
    const { invoices } = (await account.get('/invoices')).body;
    const { customers } = (await account.get('/customers')).body;
    const byId = (rows: { svc_id: string }[], id: string) => rows.find(row => row.svc_id === id);
    expect(requests[2]).toEqual({
      svc_id: uuid(6),
      email: 'pay@acme.test',
      amount_cents: 300,
      amount_currency: 'EUR',
      payment_status: 'pending',
      created_at: '2026-01-02T00:00:00Z',
      customer: byId(customers, 'customer'),
      invoices: [byId(invoices, uuid(2)), byId(invoices, uuid(1))],
    });
    expect(requests[2].invoices[0].total_due_amount_cents).toBe(170);
    expect(requests[0].email).toBeNull();
  });
});
