import { describe, expect, it } from 'vitest';
import type { FeeItem, FeeRecord, InvoiceRecord } from '../../../src/engine/records/index.ts';
import { customerRecord, invoiceRecord, storedFee } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const fee = (n: number, day: number, fields: Partial<FeeRecord> = {}) =>
  storedFee(100 * n, { id: uuid(n), created_at: at(day), ...fields });
const item = (type: FeeItem['type'], code: string): FeeItem => ({ ...storedFee(0).item, type, code });
const invoice = (id: string, fees: FeeRecord[], fields: Partial<InvoiceRecord> = {}) =>
  invoiceRecord(
    fees.map(each => ({ ...each, invoice_id: id })),
    { id, ...fields },
  );
const beta = { customer_id: 'beta', external_customer_id: 'beta' };
const tax = { id: uuid(8), tax_id: uuid(7), tax_name: 'VAT', tax_code: 'vat', tax_description: null, tax_rate: '20' };
const line = { ...tax, amount_cents: 60, amount_currency: 'EUR', base_amount_cents: null, created_at: at(2) };

const records = {
  customers: [
    customerRecord(),
    customerRecord({ id: 'beta', external_id: 'beta' }),
    customerRecord({ id: 'gone', external_id: 'gone', deleted_at: at(5) }),
  ],
  invoices: [
    invoice(uuid(9), [
      fee(3, 2, { applied_taxes: [line] }),
      fee(2, 2, { item: item('charge', 'calls'), event_transaction_id: 'event' }),
      fee(1, 3, { item: item('add_on', 'calls'), external_subscription_id: null }),
    ]),
    invoice('draft', [fee(4, 1, { ...beta, payment_status: 'failed', failed_at: at(3) })], { status: 'draft' }),
    invoice('voided', [fee(5, 4, { ...beta, payment_status: 'succeeded', succeeded_at: at(4) })], { status: 'voided' }),
    invoice('hidden', [fee(6, 5, { payment_status: 'refunded', refunded_at: at(6) })], { status: 'generating' }),
    invoice('usd', [fee(7, 6, { customer_id: 'gone', external_customer_id: 'gone', amount_currency: 'USD' })]),
    invoice('empty', []),
  ],
};
const ids = (numbers: string) => [...numbers].map(n => uuid(Number(n))).join(' ');

onDatabase('the list of fees', database, records, account => {
  it.each([
    ['those of all invoices, oldest first, then by id', '', '4231567'],
    ['a customer’s', 'external_customer_id=beta', '45'],
    ['a deleted customer’s', 'external_customer_id=gone', '7'],
    ['an unknown customer’s', 'external_customer_id=nobody', ''],
    ['a subscription’s', 'external_subscription_id=sub', '423567'],
    ['an unknown subscription’s', 'external_subscription_id=nothing', ''],
    ['a metric’s: charges only', 'billable_metric_code=calls', '2'],
    ['an unknown metric’s', 'billable_metric_code=call', ''],
    ['a type', 'fee_type=add_on', '1'],
    ['a type that no fee has', 'fee_type=product', ''],
    ['a payment status', 'payment_status=failed', '4'],
    ['another payment status', 'payment_status=pending', '2317'],
    ['the event of a pay-in-advance fee', 'event_transaction_id=event', '2'],
    ['a currency, in any case', 'currency=usd', '7'],
    ['created from', 'created_at_from=2026-01-04T00:00:00Z', '567'],
    ['created to', 'created_at_to=2026-01-02T00:00:00Z', '423'],
    ['created between', 'created_at_from=2026-01-02&created_at_to=2026-01-03', '231'],
    ['paid from', 'succeeded_at_from=2026-01-04', '5'],
    ['paid to', 'succeeded_at_to=2026-01-03', ''],
    ['failed between', 'failed_at_from=2026-01-03&failed_at_to=2026-01-03', '4'],
    ['failed from', 'failed_at_from=2026-01-04', ''],
    ['refunded to', 'refunded_at_to=2026-01-06', '6'],
    ['refunded from', 'refunded_at_from=2026-01-07', ''],
    ['filters together', 'external_customer_id=acme&fee_type=subscription&payment_status=pending&currency=eur', '3'],
    ['a page', 'page=2&per_page=3', '156'],
  ])('%s', async (_, query, expected) => {
    expect(await account.ids(`/fees?${query}`)).toBe(ids(expected));
  });

  it.each([
    ['fee_type=gift', { fee_type: ['value_is_invalid'] }],
    ['payment_status=late', { payment_status: ['value_is_invalid'] }],
    ...['created_at', 'succeeded_at', 'failed_at', 'refunded_at'].flatMap(field =>
      ['from', 'to'].map(
        end => [`${field}_${end}=soon`, { [`${field}_${end}`]: ['invalid_date'] }] as [string, object],
      ),
    ),
  ] as [string, object][])('is refused: %s', async (query, details) => {
    expect(await account.refusal(`/fees?${query}`)).toEqual(refused(details));
  });

  it('each has the form of the single fee, with its taxes', async () => {
    const { fees } = (await account.get('/fees')).body;
    for (const listed of fees) {
      expect((await account.get(`/fees/${listed.svc_id}`)).body).toEqual({ fee: listed });
    }
    expect(fees[2]).toMatchObject({
      amount_cents: 300,
      svc_invoice_id: uuid(9),
      applied_taxes: [{ tax_code: 'vat', amount_cents: 60, svc_fee_id: uuid(3) }],
    });
  });

  it('no fee has the id', async () => {
    for (const id of [uuid(9), 'fee']) expect(await account.refusal(`/fees/${id}`)).toEqual(missing('fee'));
  });

  it('keys without effect are named', async () => {
    expect(await account.notice('/fees?invoice_id=draft')).toContain('no effect: invoice_id');
  });

  describe('when an invoice changes', () => {
    it('shows the fees as they are then', async () => {
      const before = (await account.account.get('invoices', uuid(9)))!;
      const [first, ...others] = before.fees as [FeeRecord, ...FeeRecord[]];
      const paid = { ...first, payment_status: 'succeeded' as const, succeeded_at: at(7) };
      await account.account.update('invoices', uuid(9), { fees: [paid, ...others.slice(1)] });
      expect(await account.ids('/fees?payment_status=succeeded')).toBe(ids('35'));
      expect(await account.ids('/fees?external_customer_id=acme')).toBe(ids('316'));
      await account.account.update('invoices', uuid(9), { fees: before.fees });
      expect(await account.ids('/fees?external_customer_id=acme')).toBe(ids('2316'));
      await account.account.update('invoices', uuid(9), { voided_at: at(8) });
      expect(await account.ids('/fees?external_customer_id=acme')).toBe(ids('2316'));
    });

    it('shows none of an invoice that was removed', async () => {
      const usd = (await account.account.get('invoices', 'usd'))!;
      await account.account.remove('invoices', 'usd');
      expect(await account.ids('/fees?currency=USD')).toBe('');
      await account.account.insert('invoices', usd);
      expect(await account.ids('/fees?currency=USD')).toBe(ids('7'));
    });
  });
});
