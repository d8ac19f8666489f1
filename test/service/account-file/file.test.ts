import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/engine/records/index.ts';
import { demoAccount } from '../../../src/service/account-file/demo.ts';
import { AccountFileError, loadAccount, readAccount, readAccountFile } from '../../../src/service/account-file/load.ts';
import type { AccountFile } from '../../../src/service/account-file/schema.ts';
import { openStore } from '../../../src/service/store/open.ts';

const now = new Date('2026-03-10T12:00:00Z');
const read = (file: AccountFile) => readAccount(file as Json, now).records;

const metric = { code: 'calls', name: 'Calls', aggregation_type: 'count_agg' as const };
const charge = { billable_metric_code: 'calls', charge_model: 'standard' as const, properties: { amount: '1' } };
const plan = { code: 'basic', name: 'Basic', interval: 'monthly' as const, amount_cents: 1000, amount_currency: 'EUR' };
const fixed = { code: 'one', name: 'One', amount_cents: 100, amount_currency: 'EUR' };
const customer = { external_id: 'c1', currency: 'EUR' };
const subscription = { external_id: 's1', external_customer_id: 'c1', plan_code: 'basic', subscription_at: 'now-P30D' };
const invoice = {
  external_customer_id: 'c1',
  number: 'I-1',
  issuing_date: '2026-03-01',
  fees: [{ type: 'subscription' as const, external_subscription_id: 's1', amount: '10' }],
};

/** A small valid file with some sections replaced. */
function file(sections: Partial<AccountFile> = {}): AccountFile {
  return {
    organization: { name: 'Acme' },
    billing_entities: [{ code: 'main', name: 'Acme' }],
    billable_metrics: [metric],
    plans: [{ ...plan, charges: [charge] }],
    customers: [customer],
    subscriptions: [subscription],
    ...sections,
  };
}

const withCharge = (fields: object, aggregated: object = {}) =>
  file({
    billable_metrics: [{ ...metric, ...aggregated }],
    plans: [{ ...plan, charges: [{ ...charge, ...fields }] }],
  } as Partial<AccountFile>);
const withModel = (charge_model: string, properties: object, fields: object = {}, aggregated: object = {}) =>
  withCharge({ charge_model, properties, ...fields }, aggregated);
const [max, latest] = ['max_agg', 'latest_agg'].map(aggregation_type => ({ aggregation_type, field_name: 'n' }));
const weighted = { aggregation_type: 'weighted_sum_agg', field_name: 'n', recurring: true };
const inRegion = (region: string) => ({ values: { region: [region] }, properties: { amount: '1' } });
const wallets = (...codes: string[]) => file({ wallets: codes.map(code => ({ ...wallet, code })) });
const withCustomer = (fields: object) => file({ customers: [{ ...customer, ...fields }] });
const withPlan = (fields: object) => file({ plans: [{ ...plan, ...fields }] });
const withWallet = (fields: object) => file({ wallets: [{ ...wallet, ...fields }] } as never);
const withSubscription = (fields: object) => file({ subscriptions: [{ ...subscription, ...fields }] });
const withMetric = (fields: object) => file({ billable_metrics: [{ ...metric, ...fields }] });
const withInvoice = (fields: object, sections: Partial<AccountFile> = {}) =>
  file({ invoices: [{ ...invoice, ...fields }], ...sections } as Partial<AccountFile>);
const ranges = (...bounds: [number, number | null][]) =>
  withCharge({
    charge_model: 'graduated',
    properties: {
      graduated_ranges: bounds.map(([from_value, to_value]) => ({
        ...{ from_value, to_value, per_unit_amount: '1', flat_amount: '0' },
      })),
    },
  });
const volume = { volume_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '0' }] };
const wallet = { external_customer_id: 'c1' };
const alert = { external_subscription_id: 's1', code: 'a', alert_type: 'current_usage_amount' as const };
const withAlert = (fields: object) => file({ alerts: [{ ...alert, thresholds: [{ value: '1' }], ...fields }] });
const creditNote = { invoice_number: 'I-1', issuing_date: 'now', items: [{ fee: 0, amount_cents: 5 }] };
const withCredit = (fields: object) => withInvoice({}, { credit_notes: [{ ...creditNote, ...fields }] });
const event = { transaction_id: 't', code: 'calls', timestamp: 'now', external_subscription_id: 's1' };

describe('an account file', () => {
  it('fills in fields that follow from the others', () => {
    const records = read(withInvoice({}));
    expect(records.billing_entities[0]).toMatchObject({ is_default: true, default_currency: 'USD', timezone: 'UTC' });
    expect(records.customers[0]).toMatchObject({
      sequential_id: 1,
      billing_entity_id: records.billing_entities[0]?.id,
    });
    expect(records.subscriptions[0]).toMatchObject({ status: 'active', started_at: '2026-02-08T12:00:00.000Z' });
    expect(records.plans[0]?.charges[0]).toMatchObject({
      code: 'calls',
      billable_metric_id: records.billable_metrics[0]?.id,
    });
    expect(records.invoices[0]).toMatchObject({
      total_amount_cents: 1000,
      currency: 'EUR',
      payment_due_date: '2026-03-01',
    });
  });

  it('keeps the pricing unit of a fee, and its units divided for display', () => {
    const pricing_unit_details = {
      ...{
        svc_pricing_unit_id: '11111111-1111-4111-8111-111111111111',
        pricing_unit_code: 'credits',
        short_name: 'CR',
      },
      ...{ amount_cents: 6000, precise_amount_cents: '6000', unit_amount_cents: 5, precise_unit_amount: '0.05' },
      conversion_rate: '0.5',
    };
    const presentation_breakdowns = [{ presentation_by: { region: 'eu' }, units: '12' }];
    const fees = [{ ...invoice.fees[0]!, pricing_unit_details, presentation_breakdowns }];
    const [stored] = read(file({ invoices: [{ ...invoice, fees }] })).invoices;
    expect(stored!.fees[0]).toMatchObject({ pricing_unit_details, presentation_breakdowns });
  });

  it('keeps the period of fixed charges that is stated', () => {
    const days = { from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' };
    const fixed = { fixed_charges_from: '2026-03-01T00:00:00.000Z', fixed_charges_to: '2026-03-31T23:59:59.999Z' };
    const billing_periods = [{ external_subscription_id: 's1', ...days, ...fixed }];
    const [stored] = read(file({ invoices: [{ ...invoice, billing_periods }] })).invoices;
    expect(stored!.billing_periods[0]).toMatchObject({
      charges_from_datetime: days.from,
      fixed_charges_from_datetime: fixed.fixed_charges_from,
      fixed_charges_to_datetime: fixed.fixed_charges_to,
    });
  });

  it('computes taxes, coupons, credit notes and prepaid credits as the service does', () => {
    const records = read(
      withInvoice(
        { coupons: [{ code: 'five', amount_cents: 500 }], prepaid_credit_amount_cents: 100, total_amount_cents: 500 },
        {
          taxes: [{ code: 'vat', name: 'VAT', rate: '20' }],
          billing_entities: [{ code: 'main', name: 'Acme', tax_codes: ['vat'] }],
          coupons: [{ code: 'five', name: 'Five', amount_cents: 500, amount_currency: 'EUR' }],
        },
      ),
    );
    expect(records.invoices[0]).toMatchObject({
      fees_amount_cents: 1000,
      coupons_amount_cents: 500,
      taxes_amount_cents: 100,
      sub_total_including_taxes_amount_cents: 600,
      total_amount_cents: 500,
    });
    expect(records.invoices[0]?.fees[0]).toMatchObject({
      precise_coupons_amount_cents: '500.0',
      taxes_amount_cents: 100,
    });
  });

  it.each<[problem: string, AccountFile]>([
    ['wallets[0]: unknown key "credits_ongoing_usage_balance"', withWallet({ credits_ongoing_usage_balance: '5' })],
    ['customers[0].currency: must be a currency code', withCustomer({ currency: 'EURO' })],
    ['customers[0].timezone: must be a time zone', withCustomer({ timezone: 'Europe/Pariss' })],
    ['subscriptions[0].subscription_at: must be an ISO 8601', withSubscription({ subscription_at: '2026-02-30' })],
    ['subscriptions[0].subscription_at: must be an ISO 8601', withSubscription({ subscription_at: 'now-30D' })],
    ['subscriptions[0].subscription_at', withSubscription({ subscription_at: 'now@Mars/Base' })],
    [
      'subscriptions[1].external_id: there is an active subscription',
      file({ subscriptions: [subscription, subscription] }),
    ],
    ['billable_metrics[0].recurring: is not for count_agg', withMetric({ recurring: true })],
    ['billable_metrics[0].expression: unknown name "system"', withMetric({ expression: 'system(1)' })],
    ['plans[0].charges[0].properties.amount', withCharge({ properties: { amount: 1 } })],
    ['plans[0].charges[0].properties.amount', withCharge({ properties: {} })],
    ['plans[0].charges[0].properties.package_size', withModel('package', { amount: '1', package_size: 0 })],
    ['graduated_ranges[0].from_value: must be 0', ranges([1, null])],
    ['graduated_ranges[1].from_value: must be 11', ranges([0, 10], [12, null])],
    ['graduated_ranges[0].to_value: must be null', ranges([0, 10])],
    ['graduated_ranges[0].to_value', ranges([0, null], [1, null])],
    ['charges[0].pay_in_advance: volume charges', withModel('volume', volume, { pay_in_advance: true })],
    ['charges[0].pay_in_advance: only counts', withCharge({ pay_in_advance: true }, max)],
    ['charges[0].min_amount_cents: a minimum', withCharge({ pay_in_advance: true, min_amount_cents: 5 })],
    ['charges[0].prorated: only charges on recurring metrics', withCharge({ prorated: true })],
    ['charges[0].prorated: a weighted sum', withCharge({ prorated: true }, weighted)],
    ['charges[0].charge_model: a latest value', withModel('percentage', { rate: '1' }, {}, latest)],
    ['charges[0].invoiceable: only charges paid in advance', withCharge({ invoiceable: false })],
    ['charges[0].regroup_paid_fees', withCharge({ pay_in_advance: true, regroup_paid_fees: 'invoice' })],
    ['plans[0].charges[1].code: "calls" is there twice', withPlan({ charges: [charge, charge] })],
    ['charges[0].filters[0].values.region: is no filter', withCharge({ filters: [inRegion('eu')] })],
    ['does not list "us"', withCharge({ filters: [inRegion('us')] }, { filters: [{ key: 'region', values: ['eu'] }] })],
    ['plans[0].bill_charges_monthly: is for yearly', withPlan({ bill_charges_monthly: true })],
    ['wallets[6]: the customer has 6', wallets('a', 'b', 'c', 'd', 'e', 'f', 'g')],
    ['wallets[1].code: the customer has', wallets('w', 'w')],
    ['rules[0].threshold_credits: is needed', withWallet({ recurring_transaction_rules: [{ trigger: 'threshold' }] })],
    ['alerts[0].alert_type: is for wallets', withAlert({ alert_type: 'wallet_balance_amount' })],
    ['alerts[0].thresholds[1].value: is there twice', withAlert({ thresholds: [{ value: '1' }, { value: '1.0' }] })],
    [
      'invoices[0].fees[0].charge_code: is no charge',
      withInvoice({ fees: [{ ...invoice.fees[0], type: 'charge', charge_code: 'x' }] }),
    ],
    ['invoices[0].prepaid_credit_amount_cents: is more', withInvoice({ prepaid_credit_amount_cents: 1001 })],
    ['credit_notes[0].items[0].amount_cents: is more than', withCredit({ items: [{ fee: 0, amount_cents: 1001 }] })],
    ['credit_notes[0].credit_amount_cents: credit, refund', withCredit({ credit_amount_cents: 1 })],
    ['events[1]: "s1 t" is there twice', file({ events: [event, event] })],
  ])('is refused: %s', (problem, bad) => {
    expect(() => read(bad)).toThrow(AccountFileError);
    expect(() => read(bad)).toThrow(problem);
  });

  it.each([
    [ranges([0, 10], [11, 20], [21, null]), 'following on'],
    [ranges([0, 10], [10, 20], [20, null]), 'sharing their boundaries'],
  ])('accepts ranges %#', good => {
    expect(read(good).plans).toHaveLength(1);
  });

  it('names wallets after their name, and after the time when the name is used already', () => {
    const wallets = read(
      file({
        wallets: [{ ...wallet, name: 'My Wallet' }, { ...wallet, name: 'my wallet', created_at: '2026-01-01' }, wallet],
      }),
    ).wallets;
    expect(wallets.map(each => each.code)).toEqual(['my_wallet', 'my_wallet_1767225600', 'default']);
  });

  it('links a subscription to the one before it, and an alert to the active wallet of its code', () => {
    const ended = { ...subscription, status: 'terminated' as const, terminated_at: 'now-P10D' };
    const records = read(
      file({
        plans: [plan, { ...plan, code: 'gold' }],
        subscriptions: [
          ended,
          { ...subscription, plan_code: 'gold', subscription_at: 'now-P10D', previous_plan_code: 'basic' },
        ],
        wallets: [
          { ...wallet, code: 'w', status: 'terminated', terminated_at: 'now' },
          { ...wallet, code: 'w', credits_balance: '3' },
        ],
        alerts: [
          {
            external_customer_id: 'c1',
            wallet_code: 'w',
            code: 'low',
            alert_type: 'wallet_balance_amount',
            thresholds: [{ value: '1' }],
          },
        ],
      }),
    );
    const [first, second] = records.subscriptions;
    expect(second).toMatchObject({ status: 'active', previous_subscription_id: first?.id });
    expect(second?.id).not.toBe(first?.id);
    expect(records.alerts[0]).toMatchObject({
      wallet_id: records.wallets[1]?.id,
      previous_value: '300',
      direction: 'decreasing',
    });
  });

  const two = [
    { ...invoice, number: 'I-1' },
    { ...invoice, number: 'I-2' },
  ];
  const paid = { invoice_numbers: ['I-2', 'I-1'], payable_type: 'PaymentRequest' as const };

  it('gives a payment the stated request for the same invoices, else one of its own', () => {
    const customers = [{ ...customer, email: 'pay@acme.test' }];
    const stated = { invoice_numbers: ['I-1', 'I-2'], email: 'other@acme.test', created_at: '2026-03-02T00:00:00Z' };
    const payments = [
      { ...paid, payment_status: 'failed' as const },
      { ...paid, payment_status: 'succeeded' as const },
      { ...paid, invoice_numbers: ['I-1'], payment_status: 'processing' as const, amount_cents: 400 },
    ];
    const records = read(file({ customers, invoices: two, payment_requests: [stated], payments }));
    const [first, second] = records.payment_requests;
    expect(records.payment_requests).toHaveLength(2);
    expect(first).toMatchObject({
      ...{ amount_cents: 2000, amount_currency: 'EUR', email: 'other@acme.test', payment_status: 'pending' },
      ...{ created_at: '2026-03-02T00:00:00.000Z', invoice_ids: records.invoices.map(each => each.id) },
    });
    expect(second).toMatchObject({
      ...{ amount_cents: 400, email: 'pay@acme.test', payment_status: 'pending' },
      invoice_ids: [records.invoices[0]?.id],
    });
    expect(records.payments.map(each => each.payable_id)).toEqual([first?.id, first?.id, second?.id]);
  });

  it('links a used coupon to the applied coupon that is stated, else to the first with the code', () => {
    const coupon = { code: 'one', name: 'One', amount_cents: 100, amount_currency: 'EUR' };
    const coupons = [coupon, { ...coupon, code: 'two' }, { ...coupon, code: 'never' }];
    const used = [
      { code: 'one', amount_cents: 100, applied_coupon: 2 },
      ...['two', 'never'].map(code => ({ code, amount_cents: 100 })),
    ];
    const records = read(
      withInvoice(
        { coupons: used },
        { coupons, customers: [{ ...customer, applied_coupons: ['one', 'two', 'one'].map(code => ({ code })) }] },
      ),
    );
    const applied = records.applied_coupons;
    const credits = records.invoices[0]?.credits.map(credit => [credit.item.code, credit.applied_coupon_id]);
    expect(credits).toEqual([
      ['one', applied[2]?.id],
      ['two', applied[1]?.id],
      ['never', undefined],
    ]);
  });

  it('makes an account without a stated creation as old as its oldest invoice, so that reports begin with it', () => {
    const created = (sections: Partial<AccountFile>) =>
      readAccount(file(sections) as Json, now).organization.created_at.slice(0, 10);
    const invoices = ['2025-12-20', '2025-11-05', '2026-04-01'].map((day, n) => ({
      ...{ ...invoice, number: `I-${n}`, issuing_date: day },
    }));
    expect(created({ invoices })).toBe('2025-11-05');
    expect(created({ invoices: [{ ...invoice, payment_due_date: '2026-02-01' }] })).toBe('2026-02-01');
    expect(created({ invoices, organization: { name: 'Acme', created_at: '2026-01-31' } })).toBe('2026-01-31');
    expect(created({})).toBe('2026-03-10');
  });

  it('takes ids in lower case, in which they are read', () => {
    const id = 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA';
    const records = read(withInvoice({ id, fees: [{ ...invoice.fees[0], id }] }));
    expect(records.invoices[0]?.id).toBe(id.toLowerCase());
    expect(records.invoices[0]?.fees[0]?.id).toBe(id.toLowerCase());
  });

  it('says when terminated coupons ended', () => {
    const coupon = { code: 'one', name: 'One', amount_cents: 100, amount_currency: 'EUR', created_at: '2026-01-01' };
    const ended = { status: 'terminated' as const };
    const coupons = [
      coupon,
      { ...coupon, code: 'two', ...ended },
      { ...coupon, code: 'three', ...ended, terminated_at: '2026-02-01' },
    ];
    const applied_coupons = [{ code: 'one' }, { code: 'one', ...ended, created_at: '2026-01-02' }];
    const records = read(file({ coupons, customers: [{ ...customer, applied_coupons }] }));
    const [created, february] = [records.coupons[1]?.created_at, '2026-02-01T00:00:00.000Z'];
    expect(created).toMatch(/^2026-01-01T00:00:00/);
    expect(records.coupons.map(each => each.terminated_at)).toEqual([null, created, february]);
    expect(records.applied_coupons.map(each => each.terminated_at)).toEqual([null, '2026-01-02T00:00:00.000Z']);
  });

  const period = { external_subscription_id: 's1', from: '2026-02-01', to: '2026-02-28' };
  const requests = (...all: string[][]) =>
    file({ invoices: two, payment_requests: all.map(invoice_numbers => ({ invoice_numbers })) });
  const twice = ['1', '2'].map(value => ({ key: 'k', value }));
  it.each<[problem: string, AccountFile]>([
    ['payment_requests[0].invoice_numbers[0]: there is no "I-9"', requests(['I-9'])],
    ['payment_requests[1]: "I-1 I-2" is there twice', requests(['I-1', 'I-2'], ['I-2', 'I-1'])],
    [
      'invoices[0].coupons[0].applied_coupon: is not "one"',
      withInvoice(
        { coupons: [{ code: 'one', amount_cents: 100, applied_coupon: 0 }] },
        {
          coupons: ['one', 'two'].map(code => ({ code, name: code, amount_cents: 100, amount_currency: 'EUR' })),
          customers: [{ ...customer, applied_coupons: [{ code: 'two' }] }],
        },
      ),
    ],
    ['payment_requests[0].invoice_numbers: names an invoice twice', requests(['I-1', 'I-2', 'I-1'])],
    [
      'payment_requests[0].invoice_numbers[0]: is generating: never shown',
      withInvoice({ status: 'generating' }, { payment_requests: [{ invoice_numbers: ['I-1'] }] }),
    ],
    [
      'payments[0].invoice_numbers[0]: is open: never shown',
      withInvoice(
        { status: 'open' },
        { payments: [{ ...paid, invoice_numbers: ['I-1'], payment_status: 'succeeded' as const }] },
      ),
    ],
    [
      'customers[0].applied_coupons[0].terminated_at: is only',
      file({
        coupons: [fixed],
        customers: [{ ...customer, applied_coupons: [{ code: 'one', terminated_at: '2026-01-01' }] }],
      }),
    ],
    [
      'invoices[0].billing_periods[0].external_subscription_id: belongs to another customer',
      withInvoice(
        { billing_periods: [{ ...period, external_subscription_id: 's2' }] },
        {
          customers: [customer, { external_id: 'c2' }],
          subscriptions: [subscription, { ...subscription, external_id: 's2', external_customer_id: 'c2' }],
        },
      ),
    ],
    [
      'invoices[0].billing_periods[0].charges_to: is before charges_from',
      withInvoice({ billing_periods: [{ ...period, charges_to: '2026-01-31' }] }),
    ],
    ['invoices[0].metadata: has a key twice', withInvoice({ metadata: twice })],
    ['customers[0].metadata: has a key twice', withCustomer({ metadata: twice })],
    [
      'payments[0].amount_cents: is 1001',
      withInvoice({}, { payments: [{ invoice_numbers: ['I-1'], amount_cents: 1001, payment_status: 'succeeded' }] }),
    ],
  ])('is refused: %s', (problem, bad) => {
    expect(() => read(bad)).toThrow(problem);
  });
});

describe('the problems of an account file', () => {
  const problems = (sections: object): readonly string[] => {
    try {
      read(file(sections as Partial<AccountFile>));
      return [];
    } catch (error) {
      if (error instanceof AccountFileError) return error.problems;
      throw error;
    }
  };

  it('are told all at once, each with its place, and without those that follow from another', () => {
    const bad = {
      taxes: [{ code: 'vat', name: 'VAT', rate: 20.5 }],
      billable_metrics: [metric, { ...metric, code: 'sums', aggregation_type: 'sum_agg' }],
      plans: [
        {
          ...plan,
          charges: [
            { ...charge, properties: { amount: 0.02, free: 1 } },
            { ...charge, code: 'b', charge_model: 'package' },
          ],
        },
        { ...plan, code: 'gold', interval: 'month' },
        { ...plan, code: 'silver', charges: [{ ...charge, billable_metric_code: 'sums' }] },
      ],
      customers: [customer, { external_id: 'c2', curency: 'EUR', tax_codes: ['vat'] }],
      subscriptions: [
        subscription,
        { ...subscription, external_id: 's2', plan_code: 'gold' },
        { ...subscription, external_id: 's3', plan_code: 'bronze', external_customer_id: 'c9' },
      ],
      invoices: [{ ...invoice, fees: [{ type: 'subscription', external_subscription_id: 's1' }, { type: 'chrage' }] }],
      payments: [{ invoice_numbers: ['I-1'], payment_status: 'succeeded' }],
      events: [{ transaction_id: 't', code: 'call', timestamp: 'now', external_subscription_id: 's1' }],
      custmers: [],
    };
    expect(problems(bad)).toEqual([
      'taxes[0].rate: must be text: write "20.5", with quotes',
      'plans[1].interval: must be one of weekly, monthly, quarterly, semiannual, yearly, not "month" (did you mean monthly?)',
      'customers[1]: unknown key "curency" (did you mean currency?)',
      'invoices[0].fees[1].type: must be one of charge, add_on, subscription, credit, commitment, fixed_charge, not "chrage" (did you mean charge?)',
      'unknown key "custmers" (did you mean customers?)',
      'billable_metrics[1].field_name: is needed by sum_agg',
      'plans[0].charges[0].properties.amount: must be text: write "0.02", with quotes',
      'plans[0].charges[0].properties: unknown key "free"',
      'plans[0].charges[1].properties.package_size: is missing',
      'subscriptions[2].external_customer_id: there is no "c9" among the file\'s customers',
      'subscriptions[2].plan_code: there is no "bronze" among the file\'s plans',
      'events[0].code: there is no "call" among the file\'s billable_metrics',
    ]);
    expect(() => read(file(bad as never))).toThrow('(and 11 more problems)');
  });

  it('are told all at once where several rules are broken, within an entry and beyond it', () => {
    const vat = '99999999-9999-4999-8999-999999999999';
    const bad = {
      organization: { nmae: 'Acme' },
      customers: [customer, { external_id: 'c1', tax_codes: ['a', 'b'], applied_coupons: [{ code: 'x' }] }],
      coupons: [{ code: 'ten', name: 'Ten', terminated_at: '2026-01-01' }],
      add_ons: {},
      subscriptions: [
        subscription,
        {
          ...{ ...subscription, external_id: 's2', plan_code: 'gold', status: 'terminated', next_plan_code: 'silver' },
          invoice_custom_section_codes: ['notes'],
        },
      ],
      invoices: [
        {
          ...{ ...invoice, total_amount_cents: 7, fees_amount_cents: 8, total_paid_amount_cents: 9_999 },
          fees: [
            { ...invoice.fees[0], id: vat },
            { ...invoice.fees[0], id: vat },
          ],
        },
        {
          ...{ ...invoice, number: 'I-2', external_customer_id: 'c9', coupons: [{ code: 'x', amount_cents: 1 }] },
          fees: [
            { type: 'subscription', external_subscription_id: 's9', true_up_of: 4 },
            { type: 'add_on', add_on_code: 'setup', amount: '1' },
          ],
          billing_periods: [{ external_subscription_id: 's8', from: '2026-02-02', to: '2026-02-01' }],
        },
      ],
      wallets: [
        {
          ...{ ...wallet, currency: 'USD', status: 'terminated', applies_to: { billable_metric_codes: ['x'] } },
          recurring_transaction_rules: [{ trigger: 'interval', method: 'target' }],
          transactions: [{ transaction_status: 'granted', credit_amount: '1', invoice_number: 'I-9' }],
        },
      ],
      payments: [{ invoice_numbers: ['I-8', 'I-7', 'I-8'], payable_type: 'Invoice', payment_status: 'succeeded' }],
      webhook_endpoints: Array.from({ length: 11 }, (_, i) => ({ webhook_url: `https://example.com/${i % 10}` })),
    };
    expect(problems(bad)).toMatchInlineSnapshot(`
      [
        "organization.name: is missing",
        "organization: unknown key "nmae" (did you mean name?)",
        "add_ons: Invalid input: expected array, received object",
        "webhook_endpoints: Too big: expected array to have <=10 items",
        "coupons[0].amount_cents: is needed by a fixed amount",
        "coupons[0].amount_currency: is needed by a fixed amount",
        "coupons[0].terminated_at: is only for a terminated one",
        "customers[1].tax_codes[0]: there is no "a" among the file's taxes",
        "customers[1].tax_codes[1]: there is no "b" among the file's taxes",
        "customers[1].applied_coupons[0].code: there is no "x" among the file's coupons",
        "customers[1]: "c1" is there twice",
        "subscriptions[1].plan_code: there is no "gold" among the file's plans",
        "subscriptions[1].next_plan_code: there is no "silver" among the file's plans",
        "subscriptions[1].invoice_custom_section_codes[0]: there is no "notes" among the file's invoice_custom_sections",
        "subscriptions[1].terminated_at: is needed",
        "invoices[0].fees[1]: the id 99999999-9999-4999-8999-999999999999 is there twice",
        "invoices[0].fees_amount_cents: is 8, but the fees come to 2000",
        "invoices[0].total_amount_cents: is 7, but the fees come to 2000",
        "invoices[0].total_paid_amount_cents: is 9999, more than the total of 2000",
        "invoices[1].external_customer_id: there is no "c9" among the file's customers",
        "invoices[1].coupons[0].code: there is no "x" among the file's coupons",
        "invoices[1].billing_periods[0].to: is before from",
        "invoices[1].fees[0].true_up_of: is no fee",
        "invoices[1].billing_periods[0].external_subscription_id: there is no subscription "s8"",
        "invoices[1].fees[0].amount: is missing: state amount or unit_amount",
        "invoices[1].fees[0].external_subscription_id: there is no subscription "s9"",
        "wallets[0].applies_to.billable_metric_codes[0]: there is no "x" among the file's billable_metrics",
        "wallets[0].transactions[0].invoice_number: there is no "I-9" among the file's invoices",
        "wallets[0].terminated_at: is needed by a terminated wallet",
        "wallets[0].recurring_transaction_rules[0].interval: is needed by the trigger "interval"",
        "wallets[0].recurring_transaction_rules[0].target_ongoing_balance: is needed by the method "target"",
        "wallets[0].currency: is USD, but the customer is billed in EUR",
        "payments[0].invoice_numbers[0]: there is no "I-8" among the file's invoices",
        "payments[0].invoice_numbers[1]: there is no "I-7" among the file's invoices",
        "payments[0].invoice_numbers[2]: there is no "I-8" among the file's invoices",
        "payments[0].payable_type: must be PaymentRequest for several invoices",
        "payments[0].invoice_numbers: names an invoice twice",
        "webhook_endpoints[10]: "https://example.com/0" is there twice",
      ]
    `);
  });

  it('are told of a file that is no object', () => {
    expect(() => readAccount(null, now)).toThrow(AccountFileError);
    expect(() => readAccount([], now)).toThrow('expected object');
  });

  it('name every place with the character U+0000', () => {
    expect(problems({ customers: [{ ...customer, name: 'a\0', legal_name: '\0' }] })).toEqual([
      expect.stringContaining('customers[0].name: holds the character U+0000'),
      expect.stringContaining('customers[0].legal_name: holds the character U+0000'),
    ]);
  });

  it.each<[string, object, string]>([
    ['a number for text', { name: 5 }, 'name: must be text'],
    ['text for a boolean', { finalize_zero_amount_invoice: 'yes' }, 'finalize_zero_amount_invoice: Invalid input'],
    ['text for a number', { net_payment_term: '30' }, 'net_payment_term: Invalid input'],
    ['a fraction of a day', { net_payment_term: 1.5 }, 'net_payment_term: Invalid input: expected int'],
    ['less than nothing', { net_payment_term: -1 }, 'net_payment_term: Too small'],
    ['a text for a list', { tax_codes: 'vat' }, 'tax_codes: Invalid input: expected array'],
    ['nothing for a code', { code: '' }, 'code: Too small'],
    ['a long prefix', { document_number_prefix: 'A'.repeat(11) }, 'document_number_prefix: Too big'],
    ['half an address', { email: 'ada' }, 'email: must be an email address'],
    ['an address without a scheme', { logo_url: 'example.com' }, 'logo_url: must be an address'],
    ['a wrong id', { id: '7' }, 'id: must be a UUID'],
  ])('are told in words: %s', (_, fields, said) => {
    expect(problems({ billing_entities: [{ code: 'main', name: 'Acme', ...fields }] })).toEqual([
      expect.stringContaining(said),
    ]);
  });

  it('are only warnings where an event counts for nothing, told once for many', () => {
    const sum = { ...metric, code: 'sums', aggregation_type: 'sum_agg' as const, field_name: 'n' };
    const odd = [
      { ...event, timestamp: 'now-P31D' },
      { ...event, timestamp: 'now-P40D' },
      { ...event, external_subscription_id: 's9' },
      { ...event, external_subscription_id: 'later' },
      { ...event, code: 'sums', properties: { n: 'twelve' } },
      { ...event, code: 'sums', properties: { n: '12.5' } },
      event,
    ].map((each, i) => ({ ...each, transaction_id: `t${i}` }));
    const given = file({
      billable_metrics: [metric, sum],
      subscriptions: [
        subscription,
        { ...subscription, external_id: 'later', status: 'pending', subscription_at: 'now+P1D' },
      ],
      events: odd,
    });
    expect(readAccount(given as Json, now).warnings).toEqual([
      expect.stringMatching(/events\[0\] and 1 more: .*2026-02-08T12:00/),
      expect.stringContaining('events[2]: there is no subscription "s9"'),
      expect.stringMatching(/events\[3\]: .*"later" has not started/),
      expect.stringContaining('events[4].properties.n: is no number'),
    ]);
  });

  it('are none, and no warnings either, in the demo account', async () => {
    expect(readAccount((await demoAccount()) as Json, now).warnings).toEqual([]);
  });
});

describe('loading an account file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-billing-account-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('reads a file from disk, and says what is wrong with one that it cannot read', async () => {
    const path = join(folder, 'account.json');
    const demo = await demoAccount();
    await writeFile(path, `\uFEFF${JSON.stringify(demo)}`);
    expect(await readAccountFile(path)).toEqual(demo);
    await writeFile(path, '// mine\n{"organization": {"name": "A"},}');
    expect(await readAccountFile(path)).toEqual({ organization: { name: 'A' } });
    await writeFile(path, '{\n"organization": ');
    await expect(readAccountFile(path)).rejects.toThrow(/line 2: value expected/);
    for (const deep of ['['.repeat(100_000), `{"a":`.repeat(100_000)]) {
      await writeFile(path, deep);
      await expect(readAccountFile(path)).rejects.toThrow(/nested deeper than 200 levels/);
    }
    await expect(readAccountFile(join(folder, 'none.json'))).rejects.toThrow(/none\.json cannot be read/);
  });

  it('stores nothing when the file is refused', async () => {
    const store = await openStore();
    const bad = file({ events: [{ ...event, transaction_id: 'n\0ul' }] });
    await expect(loadAccount(store, bad as Json, { apiKey: 'key', now })).rejects.toThrow(
      'events[0].transaction_id: holds the character U+0000',
    );
    expect(await store.firstAccount()).toBeNull();
    expect(await store.accountOfKey('key')).toBeNull();
    await store.close();
  });

  it('does not change an existing account, and accepts the new key', async () => {
    const store = await openStore();
    const account = await loadAccount(store, file() as Json, { apiKey: 'first', now });
    const [found] = await account.find('customers');
    await account.update('customers', found?.id as string, { name: 'Renamed' });
    await loadAccount(store, file({ customers: [], subscriptions: [] }) as Json, { apiKey: 'second', now });
    const again = await store.accountOfKey('second');
    expect((await again?.find('customers'))?.map(each => each.name)).toEqual(['Renamed']);
    expect(await store.accountOfKey('first')).not.toBeNull();
    await store.close();
  });
});
