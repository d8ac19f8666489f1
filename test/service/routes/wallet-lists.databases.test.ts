import { describe, expect, it } from 'vitest';
import type { WalletRecord, WalletTransactionRecord } from '../../../src/engine/records/index.ts';
import {
  chargeRecord,
  customerRecord,
  entityRecord,
  eventRecord,
  planRecord,
  subscriptionRecord,
  walletRecord,
} from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, NOW, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const nobody = uuid(9);

const wallet = (n: number, day: number, fields: Partial<WalletRecord>) =>
  walletRecord(`w${n}`, { id: uuid(n), created_at: at(day), ...fields });

const transaction = (n: number, day: number, fields: Partial<WalletTransactionRecord>): WalletTransactionRecord => ({
  ...{ id: uuid(n), created_at: at(day), updated_at: at(day), wallet_id: uuid(1), invoice_id: null },
  ...{ credit_note_id: null, voided_invoice_id: null, status: 'settled', source: 'manual' },
  ...{ transaction_status: 'granted', transaction_type: 'inbound', amount: '10', credit_amount: '10' },
  ...{ remaining_amount_cents: null, remaining_credit_amount: null, invoice_requires_successful_payment: false },
  ...{ metadata: [], priority: 50, name: null, settled_at: at(day), failed_at: null, payment_method: null },
  ...{ purchase_order_number: null, invoice_custom_section_codes: [] },
  ...fields,
});
const pairs = (...entries: [string, string][]) => entries.map(([key, value]) => ({ key, value }));

const records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customerRecord(),
    customerRecord({ id: 'beta', external_id: 'beta', billing_entity_id: 'other' }),
    customerRecord({ id: 'gone', external_id: 'gone', deleted_at: at(5) }),
  ],
  plans: [
    planRecord({ charges: [chargeRecord('units', { charge_model: 'custom' })] }),
    planRecord({ id: 'metered', code: 'metered', charges: [chargeRecord('units')] }),
  ],
  subscriptions: [
    subscriptionRecord(),
    subscriptionRecord({ id: 'metered', external_id: 'metered', customer_id: 'beta', plan_id: 'metered' }),
  ],
  events: [eventRecord(1, { external_subscription_id: 'metered', properties: { value: 3 }, timestamp: NOW })],
  wallets: [
    wallet(3, 2, { status: 'terminated', terminated_at: at(4), billing_entity_id: 'other' }),
    wallet(1, 2, { metadata: { tier: 'gold' } }),
    wallet(2, 3, { customer_id: 'beta', currency: 'USD' }),
    wallet(4, 1, { customer_id: 'gone' }),
    wallet(5, 1, { customer_id: 'beta', billing_entity_id: 'entity' }),
  ],
  wallet_transactions: [
    transaction(1, 1, { metadata: pairs(['order', '7'], ['by', 'ada']) }),
    transaction(2, 3, { transaction_status: 'purchased', status: 'pending', metadata: pairs(['order', '7']) }),
    transaction(3, 3, {
      transaction_status: 'invoiced',
      transaction_type: 'outbound',
      metadata: pairs(['7', 'order']),
    }),
    transaction(4, 2, { wallet_id: uuid(2) }),
    transaction(5, 2, { transaction_status: 'voided', transaction_type: 'outbound', status: 'failed' }),
  ],
};
const ids = (numbers: string) => [...numbers].map(n => uuid(Number(n))).join(' ');

onDatabase('the lists of wallets', database, records, account => {
  it.each([
    ['all of the account, those of deleted customers and terminated ones too, newest first', '/wallets', '21345'],
    ['one customer’s', '/wallets?external_customer_id=acme', '13'],
    ['one customer’s, below the customer', '/customers/acme/wallets', '13'],
    ['a currency, as it is', '/wallets?currency=USD', '2'],
    ['no currency in another case', '/wallets?currency=usd', ''],
    ['a billing entity: its own, else the customer’s', '/wallets?billing_entity_codes[]=other', '23'],
    ['another billing entity', '/wallets?billing_entity_codes[]=main', '145'],
    ['several billing entities', '/wallets?billing_entity_codes[]=main&billing_entity_codes[]=other', '21345'],
    ['a scalar for a list is ignored', '/wallets?billing_entity_codes=other', '21345'],
    ['filters together', '/customers/beta/wallets?currency=EUR&billing_entity_codes[]=main', '5'],
    ['a page', '/wallets?page=2&per_page=2', '34'],
  ])('%s', async (_, path, expected) => {
    expect(await account.ids(path)).toBe(ids(expected));
  });

  it('an unknown or deleted customer is an error on both paths', async () => {
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/wallets?external_customer_id=${id}`)).toEqual(missing('customer'));
      expect(await account.refusal(`/customers/${id}/wallets`)).toEqual(missing('customer'));
    }
  });

  it('an unknown billing entity is an error', async () => {
    const path = '/wallets?billing_entity_codes[]=main&billing_entity_codes[]=nothing';
    expect(await account.refusal(path)).toEqual(missing('billing_entity'));
  });

  it('each has the form of the single wallet, by id and by code', async () => {
    const { body } = await account.get('/wallets');
    for (const listed of body.wallets) {
      expect((await account.get(`/wallets/${listed.svc_id}`)).body).toEqual({ wallet: listed });
      if (listed.external_customer_id === 'gone') continue;
      const path = `/customers/${listed.external_customer_id}/wallets/${listed.code}`;
      expect((await account.get(path)).body).toEqual({ wallet: listed });
    }
    expect(body.wallets.map((each: object) => 'metadata' in each)).toEqual([false, true, false, false, false]);
  });

  it('no wallet has the id or the code', async () => {
    for (const path of [`/wallets/${nobody}`, '/wallets/w1', '/customers/acme/wallets/w2']) {
      expect(await account.refusal(path)).toEqual(missing('wallet'));
    }
    expect(await account.refusal('/customers/nobody/wallets/w1')).toEqual(missing('customer'));
  });

  it('keys without effect are named, and so is what the ongoing balances leave out', async () => {
    const leftOut = await account.notice(`/wallets/${uuid(1)}`);
    expect(leftOut).toMatch(/custom.*: the ongoing balance leaves it out$/);
    expect(await account.notice('/wallets')).toBe(leftOut);
    const ignored = 'these query keys had no effect: status';
    expect(await account.notice('/wallets?status=active')).toBe(`${ignored}; ${leftOut}`);
    expect(await account.notice('/wallets?status=active&currency=USD')).toBe(ignored);
    expect(await account.notice('/wallets?currency=USD')).toBeUndefined();
  });

  it('each has the ongoing balance of its customer’s usage', async () => {
    const { wallets } = (await account.get('/wallets')).body;
    const balances = wallets.map((each: { ongoing_balance_cents: number }) => each.ongoing_balance_cents);
    // Beta's usage of 3.00 EUR comes from its only active wallet in EUR.
    expect(balances).toEqual([1000, 1000, 1000, 1000, 700]);
  });
});

onDatabase('the list of a wallet’s transactions', database, records, account => {
  const path = `/wallets/${uuid(1)}/wallet_transactions`;

  it.each([
    ['newest first, then by id', '', '2351'],
    ['a status', 'status=pending', '2'],
    ['an unknown status is ignored', 'status=done', '2351'],
    ['a kind', 'transaction_status=granted', '1'],
    ['an unknown kind is ignored', 'transaction_status=bought', '2351'],
    ['a direction', 'transaction_type=outbound', '35'],
    ['an unknown direction is ignored', 'transaction_type=up', '2351'],
    ['metadata', 'metadata[order]=7', '21'],
    ['all pairs of metadata', 'metadata[order]=7&metadata[by]=ada', '1'],
    ['no part of a value', 'metadata[by]=ad', ''],
    ['an empty value is ignored', 'metadata[by]=', '2351'],
    ['filters together', 'transaction_type=outbound&status=failed', '5'],
    ['a page', 'page=2&per_page=3', '1'],
  ])('%s', async (_, query, expected) => {
    expect(await account.ids(`${path}?${query}`)).toBe(ids(expected));
  });

  it('each has the form of the single one, without invoice sections', async () => {
    for (const listed of (await account.get(path)).body.wallet_transactions) {
      const { applied_invoice_custom_sections: sections, ...single } = (
        await account.get(`/wallet_transactions/${listed.svc_id}`)
      ).body;
      expect(sections).toEqual([]);
      expect(listed).toEqual(single);
    }
  });

  it('no wallet has the id', async () => {
    for (const id of [nobody, 'w1']) {
      expect(await account.refusal(`/wallets/${id}/wallet_transactions`)).toEqual(missing('wallet'));
    }
  });

  it('ignored values are named', async () => {
    expect(await account.notice(`${path}?status=done&transaction_type=inbound`)).toContain('no effect: status');
  });

  describe.each(['consumptions', 'fundings'])('%s', part => {
    it('are not traced', async () => {
      const reply = await account.refusal(`/wallet_transactions/${uuid(1)}/${part}`);
      expect(reply).toEqual(refused({ wallet: ['not_traceable'] }));
    });

    it('need a transaction', async () => {
      const reply = await account.refusal(`/wallet_transactions/${nobody}/${part}`);
      expect(reply).toEqual(missing('wallet_transaction'));
    });
  });
});
