import fc from 'fast-check';
import { expect, it } from 'vitest';
import { invoiceFilters, queryNames } from '../../../src/contract/list-filters.ts';
import { creditNoteRecord, customerRecord, invoiceRecord, storedFee, subscriptionRecord } from '../../engine/world.ts';
import { runs } from '../../support/extent.ts';
import { withDatabase } from '../../support/postgres.ts';
import { onDatabase } from './list-world.ts';

const database = await withDatabase();

const records = {
  customers: [customerRecord()],
  subscriptions: [subscriptionRecord({ plan_id: 'plan' })],
  invoices: [invoiceRecord([storedFee(100)])],
  credit_notes: [creditNoteRecord('note', 100)],
};

const values = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '%',
    '_',
    "'",
    '"',
    '\\',
    '\0',

    '\u0001',
    'true',
    'false',
    'null',
    'İ',
    'ς',
    '\u{1F600}',
  ),
  fc.constantFrom('0', '-1', '1.5', '1e5', '9007199254740993', '9223372036854775808', '2026-02-30', '0000-01-01'),
  fc.constantFrom('active', 'draft', 'EUR', 'FR', 'acme', 'main', 'abcdef00-0000-4000-8000-000000000001'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const names = fc.constantFrom(
  ...['search_term', 'external_id', 'account_type', 'customer_type', 'has_customer_type', 'billing_entity_codes'],
  ...['countries', 'states', 'zipcodes', 'currencies', 'has_tax_identification_number', 'metadata', '__proto__'],
  ...['external_customer_id', 'plan_code', 'status', 'statuses', 'overridden', 'currency', 'payment_status'],
  ...['payment_statuses', 'payment_overdue', 'partially_paid', 'payment_dispute_lost'],
  ...queryNames(invoiceFilters),
  ...['purchase_order_number', 'settlements', 'page', 'per_page'],
);
const key = fc.oneof(
  names,
  names.map(name => `${name}[]`),
  fc.oneof(values, fc.constant('__proto__')).map(inner => `metadata[${inner}]`),
);
const queries = fc.array(fc.tuple(key, values), { maxLength: 5 });
const paths = fc.constantFrom(
  'customers',
  'subscriptions',
  'invoices',
  'customers/acme/invoices',
  'customers/acme/subscriptions',
);

onDatabase('any query of a list', database, records, account => {
  it('is answered or refused, with the rows that its count allows', async () => {
    await fc.assert(
      fc.asyncProperty(paths, queries, async (path, pairs) => {
        const query = pairs.map(pair => pair.map(text => encodeURIComponent(text)).join('=')).join('&');
        const { status, body } = await account.get(`/${path}?${query}`);
        expect([200, 404, 422]).toContain(status);
        if (status !== 200) return;
        const rows = Object.values(body)[0] as unknown[];
        expect(rows.length).toBeLessThanOrEqual(body.meta.total_count);
      }),
      runs(300),
    );
  });
});
