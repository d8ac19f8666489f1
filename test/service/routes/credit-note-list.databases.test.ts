import { expect, it } from 'vitest';
import type { CreditNoteRecord } from '../../../src/engine/records/index.ts';
import { creditNoteRecord, customerRecord, entityRecord, invoiceRecord, storedFee } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const note = (n: number, day: number, fields: Partial<CreditNoteRecord>) =>
  creditNoteRecord(uuid(n), 100 * n, {
    number: `CN-${n}`,
    created_at: at(day),
    issuing_date: `2026-01-0${day}`,
    ...fields,
  });
const kinds = (credit: number, refund: number, offset: number) => ({
  ...{ credit_amount_cents: credit, refund_amount_cents: refund, offset_amount_cents: offset },
});
const item = { id: uuid(8), amount_cents: 100, precise_amount_cents: '100', amount_currency: 'EUR', fee_id: 'fee' };

const records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customerRecord({ name: 'Foo Bar' }),
    customerRecord({ id: 'beta', external_id: 'beta', name: null, lastname: 'Ünal', email: 'ada@beta.test' }),
    customerRecord({ id: 'gone', external_id: 'gone', name: 'Gone', legal_name: 'Hidden', deleted_at: at(5) }),
  ],
  invoices: [
    invoiceRecord([storedFee(1000)], { number: 'INV-A', purchase_order_number: 'Po-É7' }),
    invoiceRecord([], { id: 'self', number: 'INV-B', self_billed: true, billing_entity_id: 'other' }),
  ],
  credit_notes: [
    note(1, 1, { ...kinds(100, 0, 0), items: [item], metadata: { ticket: '1' } }),
    note(2, 2, { ...kinds(0, 200, 0), credit_status: null, refund_status: 'pending', reason: 'order_change' }),
    note(3, 2, { ...kinds(0, 0, 300), credit_status: 'consumed', customer_id: 'beta', invoice_id: 'self' }),
    note(4, 3, { ...kinds(50, 350, 0), refund_status: 'failed', customer_id: 'gone', currency: 'USD' }),
    note(5, 4, { status: 'draft' }),
    note(6, 5, { customer_id: 'beta', reason: 'duplicated_charge', credit_status: 'voided', number: 'X_7%' }),
  ],
};
const ids = (numbers: string) => [...numbers].map(n => uuid(Number(n))).join(' ');

onDatabase('the lists of credit notes', database, records, account => {
  it.each([
    ['finalized notes, newest first, then by id', '', '64231'],
    ['one customer’s', 'external_customer_id=beta', '63'],
    ['a deleted customer’s', 'external_customer_id=gone', '4'],
    ['an unknown customer’s', 'external_customer_id=nobody', ''],
    ['a term in the number', 'search_term=cn-', '4231'],
    ['signs that a database gives a meaning', 'search_term=_7%25', '6'],
    ['a term in the id', 'search_term=8000-00000000000', '64231'],
    ['a whole id', `search_term=${uuid(3)}`, '3'],
    ['a term in the customer’s name', 'search_term=%20OO%20b%20', '21'],
    ['a term in the customer’s last name', 'search_term=ünal', '63'],
    ['a term in the customer’s e-mail', 'search_term=ADA@', '63'],
    ['not the customer’s legal name', 'search_term=hidden', ''],
    ['a blank term is none', 'search_term=%20', '64231'],
    ['a credit status', 'credit_status=consumed', '3'],
    ['several credit statuses', 'credit_status[]=consumed&credit_status[]=voided', '63'],
    ['an unknown credit status is ignored', 'credit_status=gone', '64231'],
    ['an unknown one among known ones is ignored', 'credit_status[]=consumed&credit_status[]=gone', '3'],
    ['a refund status', 'refund_status=pending', '2'],
    ['several refund statuses', 'refund_status[]=pending&refund_status[]=failed', '42'],
    ['an unknown refund status is ignored', 'refund_status=gone', '64231'],
    ['a reason', 'reason=order_change', '2'],
    ['several reasons', 'reason[]=order_change&reason[]=duplicated_charge', '62'],
    ['an unknown reason is ignored', 'reason=none', '64231'],
    ['notes with a credit', 'types[]=credit', '641'],
    ['notes with a refund', 'types[]=refund', '42'],
    ['notes with an offset or a refund', 'types[]=offset&types[]=refund', '423'],
    ['an unknown type is ignored', 'types[]=gift', '64231'],
    ['the invoice’s number, exactly', 'invoice_number=INV-B', '3'],
    ['not a part of the number', 'invoice_number=INV-', ''],
    ['the invoice’s purchase order number, in any case', 'purchase_order_number=pO-é7', '6421'],
    ['from a day', 'issuing_date_from=2026-01-03', '64'],
    ['to a day', 'issuing_date_to=2026-01-02', '231'],
    ['between days, both included', 'issuing_date_from=2026-01-02&issuing_date_to=2026-01-03', '423'],
    ['a bad day is ignored', 'issuing_date_from=soon', '64231'],
    ['from an amount', 'amount_from=400', '64'],
    ['to an amount', 'amount_to=200', '21'],
    ['between amounts, both included', 'amount_from=200&amount_to=400', '423'],
    ['a currency, as it is', 'currency=USD', '4'],
    ['no currency in another case', 'currency=usd', ''],
    ['of invoices that are self-billed', 'self_billed=true', '3'],
    ['of others', 'self_billed=false', '6421'],
    ['neither', 'self_billed=perhaps', '64231'],
    ['the invoice’s billing entity', 'billing_entity_codes[]=other', '3'],
    ['a billing entity twice', 'billing_entity_codes[]=other&billing_entity_codes[]=other', '3'],
    ['filters together', 'external_customer_id=beta&types[]=credit&amount_from=600', '6'],
    ['a page', 'page=2&per_page=2', '23'],
  ])('%s', async (_, query, expected) => {
    expect(await account.ids(`/credit_notes?${query}`)).toBe(ids(expected));
  });

  it.each([
    ['the customer’s own', '', '63'],
    ['the customer’s name is searched here too', 'search_term=ada@', '63'],
    ['another filter', 'credit_status=voided', '6'],
  ])('below the customer: %s', async (_, query, expected) => {
    expect(await account.ids(`/customers/beta/credit_notes?${query}`)).toBe(ids(expected));
  });

  it.each([
    ['amount_from=x', refused({ amount_from: ['value_is_invalid'] })],
    ['amount_to=1.5', refused({ amount_to: ['value_is_invalid'] })],
    ['billing_entity_codes=main', refused({ billing_entity_codes: ['value_is_invalid'] })],
    ['billing_entity_codes[]=main&billing_entity_codes[]=none', missing('billing_entity')],
  ])('is refused: %s', async (query, expected) => {
    expect(await account.refusal(`/credit_notes?${query}`)).toEqual(expected);
  });

  it('an unknown or deleted customer is an error below the customer', async () => {
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/customers/${id}/credit_notes`)).toEqual(missing('customer'));
    }
  });

  it('each has the form of the single note; metadata only when there is some', async () => {
    const { credit_notes: notes } = (await account.get('/credit_notes')).body;
    for (const listed of notes) {
      expect((await account.get(`/credit_notes/${listed.svc_id}`)).body).toEqual({ credit_note: listed });
    }
    expect(notes.map((each: { metadata?: object }) => each.metadata ?? null)).toEqual([
      ...[null, null, null, null],
      { ticket: '1' },
    ]);
    expect(notes.at(-1).items[0]).toMatchObject({ amount_cents: 100, fee: { svc_id: 'fee', amount_cents: 1000 } });
  });

  it('no draft and no unknown note is found', async () => {
    for (const id of [uuid(5), uuid(9), 'CN-1']) {
      expect(await account.refusal(`/credit_notes/${id}`)).toEqual(missing('credit_note'));
    }
  });

  it('values without effect are named', async () => {
    const path = '/credit_notes?reason=none&issuing_date_from=soon&self_billed=x&types=credit&number=1';
    const notice = await account.notice(path);
    for (const key of ['reason', 'issuing_date_from', 'self_billed', 'number']) expect(notice).toContain(key);
  });
});
