import { expect, it } from 'vitest';
import { invoiceFilters, type ListFilters } from '../../../src/contract/list-filters.ts';
import type { InvoiceRecord } from '../../../src/engine/records/index.ts';
import {
  couponRecord,
  creditNoteRecord,
  customerRecord,
  entityRecord,
  invoiceRecord,
  storedFee,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, NOW, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const entry = (key: string, value: string) => ({ id: key, key, value, created_at: at(1) });
type Value = string | number;
const UUID = 'abcdef00-0000-4000-8000-000000000001';
const HIDDEN = 'abcdef00-0000-4000-8000-000000000002';

/** Of 100 cents, issued on the day of March. */
const invoice = (id: string, day: number, fields: Partial<InvoiceRecord>) =>
  invoiceRecord([storedFee(100)], {
    id,
    number: `MAI-${id}`,
    customer_id: 'one',
    issuing_date: `2026-03-0${day}`,
    payment_due_date: `2026-04-0${day}`,
    created_at: at(1),
    updated_at: at(1),
    ...fields,
  });

const credit = (type: InvoiceRecord['credits'][number]['item']['type'], item_id: string) => ({
  ...{ id: item_id, amount_cents: 1, amount_currency: 'EUR', before_taxes: type === 'coupon', invoice: null },
  item: { item_id, type, code: item_id, name: item_id },
});

const records = {
  coupons: [
    couponRecord('launch', { id: 'launch', description: 'For the first year' }),
    couponRecord('plain', { id: 'plain' }),
  ],
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customerRecord({ id: 'one', external_id: 'one', name: 'Foo Bar', legal_name: 'Hidden Holdings' }),
    customerRecord({ id: 'two', external_id: 'two', name: null, lastname: 'Ünal', email: 'foo@example.test' }),
    customerRecord({ id: 'gone', external_id: 'gone', name: 'Foo gone', deleted_at: NOW }),
  ],
  invoices: [
    invoice('a', 1, { payment_status: 'pending', payment_due_date: '2026-03-14', currency: 'EUR' }),
    invoice('b', 2, { payment_status: 'failed', payment_due_date: '2026-03-15', customer_id: 'two', currency: 'USD' }),
    invoice('c', 2, { created_at: at(2), total_paid_amount_cents: 100, metadata: [entry('tier', 'gold')] }),
    invoice('d', 3, { status: 'draft', payment_status: 'pending', payment_due_date: '2026-03-01', self_billed: true }),
    invoice('e', 3, { status: 'voided', payment_status: 'pending', payment_due_date: '2026-03-01' }),
    invoice('f', 4, {
      payment_status: 'failed',
      payment_due_date: '2026-03-01',
      payment_dispute_lost_at: at(9),
      total_paid_amount_cents: 40,
      customer_id: 'two',
    }),
    invoice('g', 5, { invoice_type: 'credit', billing_entity_id: 'other', purchase_order_number: 'PO-Ä1' }),
    invoice('h', 6, {
      status: 'failed',
      payment_status: 'pending',
      payment_due_date: '2026-03-01',
      total_amount_cents: 250,
    }),
    invoice('i', 7, {
      status: 'pending',
      payment_status: 'pending',
      payment_due_date: '2026-03-01',
      customer_id: 'gone',
    }),
    invoice(UUID, 8, {
      number: 'FOO-1',
      payment_status: 'pending',
      payment_overdue: true,
      metadata: [entry('tier', 'silver'), entry('region', 'eu')],
      credits: [
        credit('coupon', 'launch'),
        credit('coupon', 'plain'),
        credit('credit_note', 'n4'),
        credit('invoice', 'a'),
      ],
    }),
    ...(['generating', 'open', 'closed', 'deleted'] as const).map((status, n) => invoice(`x${n}`, 9, { status })),
    invoice(HIDDEN, 9, { status: 'open' }),
  ],
  credit_notes: [
    creditNoteRecord('n1', 0, { invoice_id: 'a', customer_id: 'one', offset_amount_cents: 30 }),
    creditNoteRecord('n2', 0, { invoice_id: 'a', customer_id: 'one', offset_amount_cents: 5 }),
    creditNoteRecord('n3', 0, { invoice_id: 'a', customer_id: 'one', offset_amount_cents: 7, status: 'draft' }),
    creditNoteRecord('n4', 0, {
      ...{ invoice_id: 'b', customer_id: 'two', offset_amount_cents: 0, description: 'The engineer fell ill' },
    }),
  ],
};

const all = `${UUID} i h g f d e c b a`;
const without = (...ids: string[]) =>
  all
    .split(' ')
    .filter(id => !ids.includes(id))
    .join(' ');
const oneOf = (words: readonly string[]) => `must be one of: ${words.join(', ')}`;
const statuses = oneOf(['draft', 'finalized', 'voided', 'failed', 'pending']);
const paymentStatuses = oneOf(['pending', 'succeeded', 'failed']);

onDatabase('the lists of invoices', database, records, account => {
  const found: [string, string, string][] = [
    ['all that are shown, by issuing date, then by creation, newest first, then by id', '', all],
    ['a status', 'status=draft', 'd'],
    ['several statuses', 'status[]=draft&status[]=voided', 'd e'],
    ['the plural of it', 'statuses[]=failed&statuses[]=pending', 'i h'],
    ['a scalar in the plural', 'statuses=voided', 'e'],
    ['a payment status', 'payment_status=failed', 'f b'],
    ['several payment statuses', 'payment_statuses[]=failed&payment_status[]=failed', 'f b'],
    ['paid ones', 'payment_statuses=succeeded', 'g c'],
    ['overdue ones: finalized, unpaid, without lost dispute, due before today', 'payment_overdue=true', 'a'],
    ['those not overdue', 'payment_overdue=false', without('a')],
    ['partially paid ones', 'partially_paid=true', 'f'],
    ['those not paid or wholly paid', 'partially_paid=false', without('f')],
    ['lost disputes', 'payment_dispute_lost=true', 'f'],
    ['those without lost dispute', 'payment_dispute_lost=false', without('f')],
    ['from a date', 'issuing_date_from=2026-03-05', `${UUID} i h g`],
    ['to a date', 'issuing_date_to=2026-03-02', 'c b a'],
    ['between dates, both included', 'issuing_date_from=2026-03-04&issuing_date_to=2026-03-05', 'g f'],
    ['all for what is no date', 'issuing_date_from=2026-02-30&issuing_date_to=soon', all],
    ['from an amount', 'amount_from=101', 'h'],
    ['between amounts, both included', 'amount_from=100&amount_to=100', without('h')],
    ['a currency', 'currency=USD', 'b'],
    ['no currency in lower case', 'currency=usd', ''],
    ['a type', 'invoice_type=credit', 'g'],
    ['no unknown type', 'invoice_type=gift', ''],
    ['self-billed ones', 'self_billed=true', 'd'],
    ['those not self-billed', 'self_billed=false', without('d')],
    ['a billing entity', 'billing_entity_codes[]=other', 'g'],
    ['billing entities, one twice', 'billing_entity_codes[]=other&billing_entity_codes[]=other', 'g'],
    ['a purchase order in another case', `purchase_order_number=${encodeURIComponent('po-ä1')}`, 'g'],
    ['no part of a purchase order', 'purchase_order_number=PO-', ''],
    ['a pair of metadata', 'metadata[tier]=gold', 'c'],
    ['every pair of metadata', 'metadata[tier]=silver&metadata[region]=eu', UUID],
    ['no such key of metadata', 'metadata[tier]=&payment_status=failed', 'f b'],
    ['settled by a payment', 'settlements[]=payment', 'f c'],
    ['settled by a credit note', 'settlements[]=credit_note', 'a'],
    ['settled either way', 'settlements[]=credit_note&settlements[]=payment', 'f c a'],
    ['those of a customer', 'external_customer_id=two', 'f b'],
    ['those of a customer, by the other name', 'customer_external_id=two', 'f b'],
    ['those of a deleted customer', 'external_customer_id=gone', 'i'],
    ['none of an unknown customer', 'external_customer_id=nobody', ''],
    ['a part of the number, or of a customer', 'search_term=foo', without('i')],
    ['a number in another case', 'search_term=mai-h', 'h'],
    ['an id', `search_term=${UUID.toUpperCase()}`, UUID],
    ['no part of an id', 'search_term=abcdef00', ''],
    ['a part of the last name', `search_term=${encodeURIComponent('ünA')}`, 'f b'],
    ['a part of the e-mail', 'search_term=EXAMPLE.test', 'f b'],
    ['not the legal name', 'search_term=holdings', ''],
    ['no deleted customer', 'search_term=gone', ''],
    ['the number only where a customer is given', 'search_term=foo&external_customer_id=one', UUID],
    ['what meets every filter', 'status=finalized&currency=EUR&search_term=MAI&payment_status=pending', 'a'],
    ['a page', 'per_page=3&page=2', 'g f d'],
    ['a page of a search', 'search_term=foo&per_page=3&page=2', 'f d e'],
  ];
  it.each(found)('finds %s', async (_, query, expected) => {
    expect(await account.ids(`/invoices?${query}`)).toBe(expected);
  });

  const compared = Object.entries<ListFilters[string]>(invoiceFilters).filter(
    ([, { is, range }]) => (is ?? range) !== undefined,
  );
  it.each<[string, ListFilters[string]]>(compared)(
    'finds by %s what the contract says',
    async (name, { is, range }) => {
      const field = (is ?? range) as keyof InvoiceRecord;
      const shown = all.split(' ').map(id => records.invoices.find(each => each.id === id)!);
      const idsOf = (fits: (value: unknown) => boolean) =>
        shown
          .filter(each => each[field] !== null && fits(each[field]))
          .map(({ id }) => id)
          .join(' ');
      for (const value of new Set(shown.map(each => each[field]).filter(each => each !== null))) {
        const found = (suffix: string) => account.ids(`/invoices?${name}${suffix}=${value}`);
        if (range === undefined) expect(await found('')).toBe(idsOf(each => each === value));
        else {
          expect(await found('_from')).toBe(idsOf(each => (each as Value) >= (value as Value)));
          expect(await found('_to')).toBe(idsOf(each => (each as Value) <= (value as Value)));
        }
      }
    },
  );

  it('counts a page of a search exactly', async () => {
    const { body } = await account.get('/invoices?search_term=foo&per_page=4&page=2');
    expect(body.meta).toEqual({ current_page: 2, next_page: 3, prev_page: 1, total_pages: 3, total_count: 9 });
  });

  it('finds the same below a customer, who must exist', async () => {
    expect(await account.ids('/customers/two/invoices')).toBe('f b');
    expect(await account.ids('/customers/two/invoices?currency=USD')).toBe('b');
    expect(await account.ids('/customers/two/invoices?search_term=foo')).toBe('');
    expect(await account.ids('/customers/two/invoices?search_term=I-b')).toBe('b');
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/customers/${id}/invoices`)).toEqual(missing('customer'));
    }
  });

  const refusals: [string, unknown][] = [
    ['status=paid', { status: [statuses] }],
    ['status=open', { status: [statuses] }],
    ['statuses[]=draft&statuses[]=generating', { statuses: { 1: [statuses] } }],
    ['payment_status=refunded', { payment_status: [paymentStatuses] }],
    ['payment_statuses[]=x&payment_statuses[]=y', { payment_statuses: { 0: [paymentStatuses], 1: [paymentStatuses] } }],
    ['payment_overdue=yes', { payment_overdue: ['must be boolean'] }],
    ['partially_paid=2', { partially_paid: ['must be boolean'] }],
    ['self_billed=x', { self_billed: [oneOf(['true', 'false'])] }],
    ['amount_from=1.5&amount_to=x', { amount_from: ['value_is_invalid'], amount_to: ['value_is_invalid'] }],
    ['settlements[]=cash', { settlements: { 0: [oneOf(['payment', 'credit_note'])] } }],
    ['billing_entity_codes=main', { billing_entity_codes: ['value_is_invalid'] }],
  ];
  it.each(refusals)('refuses %s', async (query, details) => {
    expect(await account.refusal(`/invoices?${query}`)).toEqual(refused(details));
    expect(await account.refusal(`/customers/one/invoices?${query}`)).toEqual(refused(details));
  });

  it('does not know an unknown billing entity', async () => {
    expect(await account.refusal('/invoices?billing_entity_codes[]=none')).toEqual(missing('billing_entity'));
  });

  it('names the keys that had no effect', async () => {
    expect(await account.notice('/invoices?issuing_date_from=soon&due_date=2026-03-01&status=draft')).toContain(
      'no effect: due_date, issuing_date_from',
    );
  });

  it('says from the clock what is overdue, and what is due after credit notes', async () => {
    const { body } = await account.get('/invoices');
    const shown = body.invoices.map((each: Record<string, unknown>) => [
      each.svc_id,
      each.payment_overdue,
      each.total_offsetted_credit_note_amount_cents,
      each.total_due_amount_cents,
      (each.customer as Record<string, unknown>).external_id,
    ]);
    expect(shown).toEqual([
      [UUID, false, 0, 100, 'one'],
      ['i', false, 0, 100, 'gone'],
      ['h', false, 0, 250, 'one'],
      ['g', false, 0, 100, 'one'],
      ['f', false, 0, 60, 'two'],
      ['d', false, 0, 100, 'one'],
      ['e', false, 0, 100, 'one'],
      ['c', false, 0, 0, 'one'],
      ['b', false, 0, 100, 'two'],
      ['a', true, 35, 65, 'one'],
    ]);
  });

  it('gives a single one, and no hidden one', async () => {
    const { body } = await account.get(`/invoices/${UUID.toUpperCase()}`);
    expect(body.invoice).toMatchObject({ svc_id: UUID, number: 'FOO-1', payment_overdue: false });
    for (const id of [HIDDEN, 'a', 'abcdef00-0000-4000-8000-000000000009', 'FOO-1']) {
      expect(await account.refusal(`/invoices/${id}`)).toEqual(missing('invoice'));
    }
  });

  it('says of a single one what its coupons and credit notes say of themselves', async () => {
    const { body } = await account.get(`/invoices/${UUID}`);
    const told = body.invoice.credits.map((used: { item: object }) => used.item);
    expect(told).toMatchObject([
      { code: 'launch', description: 'For the first year' },
      { code: 'plain', description: null },
      { code: 'n4', description: 'The engineer fell ill' },
      { code: 'a', description: null },
    ]);
  });
});
