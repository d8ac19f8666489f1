/** What answers compute from records: decimal places, sums and placeholder values (service-behaviour §1.6, §4). */
import { describe, expect, it } from 'vitest';
import { walletRule } from '../../src/contract/wallet.ts';
import { ongoingBalance } from '../../src/engine/ongoing.ts';
import type {
  CustomerRecord,
  InvoiceRecord,
  WalletRuleRecord,
  WalletTransactionRecord,
} from '../../src/engine/records/index.ts';
import { customerAnswer } from '../../src/service/answers/account.ts';
import { invoiceAnswer } from '../../src/service/answers/invoice.ts';
import { creditNoteAnswer } from '../../src/service/answers/payment.ts';
import { walletAnswer, walletTransactionAnswer } from '../../src/service/answers/wallet.ts';
import { initialValues } from '../../src/service/routes/writable-fields.ts';
import type { AccountLists } from '../../src/service/store/account-lists.ts';
import { creditNoteRecord, customerRecord, entityRecord, invoiceRecord, T0, walletRecord } from '../engine/world.ts';

const SHOWN = '2020-01-01T00:00:00Z';
const section = {
  id: 'section',
  created_at: T0,
  updated_at: T0,
  code: 'eu',
  name: 'EU',
  description: null,
  details: 'd',
  display_name: null,
  applied_to_organization: false,
};
const lists: AccountLists = {
  organization: { id: 'org', created_at: T0, updated_at: T0, name: 'Org', slug_prefix: 'ORG-1', hmac_key: 'h' },
  taxes: new Map(),
  sections: new Map([['eu', section]]),
  billingEntities: new Map([['entity', entityRecord()]]),
};
const customer = customerAnswer(customerRecord(), lists);
const invoice = (fields: Partial<InvoiceRecord>) =>
  invoiceAnswer(invoiceRecord([], fields), { customer, subscriptions: [], offsetCents: 300, lists });

/** Rounded to 5 decimals, half up, this is 1.23457. */
const LONG = '1.2345650';

const rule: WalletRuleRecord = {
  id: 'rule',
  trigger: 'threshold',
  method: 'target',
  interval: null,
  status: 'active',
  threshold_credits: LONG,
  paid_credits: LONG,
  granted_credits: LONG,
  target_ongoing_balance: LONG,
  ...initialValues(walletRule),
  transaction_metadata: [],
  payment_method: null,
  skip_invoice_custom_sections: false,
  invoice_custom_section_codes: ['eu', 'gone'],
  created_at: T0,
};
const transaction: WalletTransactionRecord = {
  id: 'transaction',
  created_at: T0,
  updated_at: T0,
  wallet_id: 'wallet',
  invoice_id: null,
  credit_note_id: null,
  voided_invoice_id: null,
  status: 'settled',
  source: 'manual',
  transaction_status: 'purchased',
  transaction_type: 'inbound',
  amount: LONG,
  credit_amount: LONG,
  remaining_amount_cents: null,
  remaining_credit_amount: LONG,
  invoice_requires_successful_payment: false,
  metadata: [],
  priority: 50,
  name: null,
  settled_at: null,
  failed_at: null,
  payment_method: null,
  purchase_order_number: null,
  invoice_custom_section_codes: [],
};

describe('a customer', () => {
  const shown = (fields: Partial<CustomerRecord>) => customerAnswer(customerRecord(fields), lists);

  it('has its integrations under the interface’s names, with their own ids', () => {
    const stored = {
      svc_id: 'integration',
      type: 'ledger',
      integration_code: 'main',
      external_customer_id: 'L-1',
      subsidiary_id: '2',
      targeted_object: 'companies',
      email: 'a@x.example',
      sync_with_provider: true,
    };
    const [first, second, third] = shown({
      integration_customers: [
        stored,
        { id: 'other', integration_type: 'crm', integration_code: 7 },
        { type: 'crm', integration_code: 'main' },
      ],
    }).integration_customers;
    expect(first).toEqual(stored);
    expect(second).toEqual({
      svc_id: 'other',
      type: 'crm',
      integration_code: null,
      external_customer_id: null,
      subsidiary_id: null,
      targeted_object: null,
      email: null,
      sync_with_provider: false,
    });
    expect(third?.svc_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('has its provider or null, and other keys of one only where it is linked (§3.8)', () => {
    const inherited = {
      invoice_grace_period: null,
      subscription_invoice_issuing_date_anchor: null,
      subscription_invoice_issuing_date_adjustment: null,
      document_locale: null,
      payment_provider: null,
      payment_provider_code: null,
    };
    expect(shown({ provider_sync: true }).billing_configuration).toEqual(inherited);
    const linked = { payment_provider: 'psp', payment_provider_code: 'eu', provider_customer_id: 'cus_1' };
    expect(shown({ ...linked, provider_payment_methods: ['card'] }).billing_configuration).toEqual({
      ...inherited,
      ...linked,
      sync: false,
      sync_with_provider: false,
      provider_payment_methods: ['card'],
    });
    expect(shown({ ...linked, provider_sync: true }).billing_configuration).toMatchObject({
      sync: true,
      sync_with_provider: true,
    });
  });

  it('has its own custom sections, else those of the account, and none where they are skipped', () => {
    const all = new Map([
      ['eu', section],
      ['all', { ...section, id: 'all', code: 'all', applied_to_organization: true }],
    ]);
    const codes = (fields: Partial<CustomerRecord>) =>
      customerAnswer(customerRecord(fields), { ...lists, sections: all }).applicable_invoice_custom_sections.map(
        one => one.code,
      );
    expect(codes({})).toEqual(['all']);
    expect(codes({ invoice_custom_section_codes: ['eu', 'gone'] })).toEqual(['eu']);
    expect(codes({ skip_invoice_custom_sections: true })).toEqual([]);
  });
});

describe('credits have 5 decimals (§1.6), what is left of a top-up all of its own', () => {
  it('in a wallet transaction', () => {
    expect(walletTransactionAnswer(transaction, null, lists)).toMatchObject({
      amount: '1.23457',
      credit_amount: '1.23457',
      remaining_credit_amount: '1.234565',
    });
  });

  it('in a wallet and its active rules', () => {
    const wallet = walletRecord('w', {
      credits_balance: LONG,
      consumed_credits: LONG,
      recurring_transaction_rules: [rule, { ...rule, id: 'ended', status: 'terminated' }],
    });
    const answer = walletAnswer(wallet, ongoingBalance(wallet, 0), customerRecord(), lists);
    expect(answer).toMatchObject({
      credits_balance: '1.23457',
      consumed_credits: '1.23457',
    });
    expect(answer.recurring_transaction_rules).toHaveLength(1);
    expect(answer.recurring_transaction_rules[0]).toMatchObject({
      svc_id: 'rule',
      threshold_credits: '1.23457',
      paid_credits: '1.23457',
      granted_credits: '1.23457',
      target_ongoing_balance: '1.23457',
    });
  });
});

describe('custom sections of a wallet', () => {
  const shown = (fields: object) => {
    const wallet = walletRecord('w', { invoice_custom_section_codes: ['gone', 'eu'], ...fields });
    return walletAnswer(wallet, ongoingBalance(wallet, 0), customerRecord(), lists).applied_invoice_custom_sections;
  };

  it('are those that exist', () => {
    expect(shown({})).toMatchObject([
      { invoice_custom_section_id: 'section', created_at: SHOWN, invoice_custom_section: { code: 'eu', details: 'd' } },
    ]);
  });

  it('are none where they are skipped', () => {
    expect(shown({ skip_invoice_custom_sections: true })).toEqual([]);
  });
});

describe('the amounts of a credit note (§4)', () => {
  it('show the whole unrounded: 120 − (33 + 67) + (33.4 + 66.5) = 119.9', () => {
    const item = { id: 'i', amount_currency: 'EUR', fee_id: 'none' };
    const note = creditNoteRecord('n', 120, {
      taxes_amount_cents: 20,
      items: [
        { ...item, amount_cents: 33, precise_amount_cents: '33.4' },
        { ...item, amount_cents: 67, precise_amount_cents: '66.5' },
      ],
    });
    const answer = creditNoteAnswer(note, invoiceRecord([]), customer, lists);
    expect(answer).toMatchObject({
      total_amount_cents: 120,
      precise_total_amount_cents: '119.9',
      taxes_amount_cents: 20,
      precise_taxes_amount_cents: '20.0',
    });
    expect(answer.items.map(one => [one.amount_cents, one.precise_amount_cents, one.fee])).toEqual([
      [33, '33.4', null],
      [67, '66.5', null],
    ]);
  });

  it('are the rounded ones where the credit note has no items', () => {
    const answer = creditNoteAnswer(creditNoteRecord('n', 120), invoiceRecord([]), customer, lists);
    expect(answer.precise_total_amount_cents).toBe('120.0');
  });
});

describe('the amounts of an invoice (§4)', () => {
  it('due are the total minus payments and credit note offsets: 1000 − 200 − 300 = 500', () => {
    expect(invoice({ total_amount_cents: 1000, total_paid_amount_cents: 200 })).toMatchObject({
      total_offsetted_credit_note_amount_cents: 300,
      total_due_amount_cents: 500,
    });
  });

  it.each([
    ['both known', 40, 60, [40, 60]],
    ['only granted ones known', 40, null, [40, 60]],
    ['only purchased ones known', null, 70, [30, 70]],
    ['neither known: all purchased', null, null, [0, 100]],
  ])('split 100 of prepaid credits: %s', (_what, granted, purchased, expected) => {
    const answer = invoice({
      prepaid_credit_amount_cents: 100,
      prepaid_granted_credit_amount_cents: granted,
      prepaid_purchased_credit_amount_cents: purchased,
    });
    expect([answer.prepaid_granted_credit_amount_cents, answer.prepaid_purchased_credit_amount_cents]).toEqual(
      expected,
    );
  });

  it('keep the applied thresholds as they were stored', () => {
    const whole = {
      lifetime_usage_amount_cents: 700,
      created_at: T0,
      usage_threshold: {
        id: 'threshold',
        threshold_display_name: 'First',
        amount_cents: 500,
        recurring: true,
        created_at: '2021-01-01T00:00:00.000Z',
        updated_at: '2022-01-01T00:00:00.000Z',
      },
    };
    expect(invoice({ applied_usage_thresholds: [whole, { created_at: T0 }] }).applied_usage_thresholds).toEqual([
      {
        lifetime_usage_amount_cents: 700,
        created_at: SHOWN,
        usage_threshold: {
          svc_id: 'threshold',
          threshold_display_name: 'First',
          amount_cents: 500,
          recurring: true,
          created_at: '2021-01-01T00:00:00Z',
          updated_at: '2022-01-01T00:00:00Z',
        },
      },
      {
        lifetime_usage_amount_cents: 0,
        created_at: SHOWN,
        usage_threshold: {
          svc_id: null,
          threshold_display_name: null,
          amount_cents: 0,
          recurring: false,
          created_at: SHOWN,
          updated_at: SHOWN,
        },
      },
    ]);
  });
});
