import { describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/service/store/store.ts';
import { type Entry, previewOf } from './file-service.ts';
import { daily, lines, preview, running } from './preview-world.ts';
import { ofSubscription, type Records } from './service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  commitmentOf,
  customerRecord,
  entityRecord,
  fixedChargeRecord,
  planRecord,
  taxRecord,
} from './world.ts';

describe('a proposal (§12.2, §12.5)', () => {
  const vat = { taxes: [taxRecord('vat', '50')], customers: [customerRecord({ tax_codes: ['vat'] })] };
  const march30 = { plan_code: 'plan', customer: { external_id: 'acme' }, subscription_at: '2024-03-30T00:00:00Z' };

  it('calendar, arrears, from 30 March: 100 × 2 ÷ 31 = 6, tax 50 % = 3, total 9, issued 1 April', async () => {
    const invoice = await preview({ plans: [planRecord({ amount_cents: 100 })], ...vat }, march30);
    expect(invoice).toMatchObject({
      fees_amount_cents: 6,
      taxes_amount_cents: 3,
      total_amount_cents: 9,
      issuing_date: '2024-04-01',
    });
  });

  it('anniversary, arrears, from 30 March: 100 + 50 = 150, issued 30 April', async () => {
    const body = { ...march30, billing_time: 'anniversary' };
    const invoice = await preview({ plans: [planRecord({ amount_cents: 100 })], ...vat }, body);
    expect(invoice).toMatchObject({
      fees_amount_cents: 100,
      taxes_amount_cents: 50,
      total_amount_cents: 150,
      issuing_date: '2024-04-30',
    });
  });

  it('by default starts now and bills by the calendar, also when billing_time is invalid: 22 days from 10 March', async () => {
    const invoice = await preview({ plans: [daily()] }, { plan_code: 'plan', billing_time: 'sometimes' });
    expect(lines(invoice)).toBe('plan 2200');
    expect(invoice.subscriptions[0]).toMatchObject({
      billing_time: 'calendar',
      subscription_at: '2026-03-10T12:00:00Z',
    });
  });

  it('pay in advance is billed at its start, with the grace period added', async () => {
    const entity = entityRecord({ invoice_grace_period: 3 });
    const records = { plans: [daily({ pay_in_advance: true })], billing_entities: [entity] };
    const invoice = await preview(records, { plan_code: 'plan', subscription_at: '2026-03-30T05:00:00Z' });
    expect(invoice).toMatchObject({ fees_amount_cents: 200, issuing_date: '2026-04-02' });
  });

  it('in arrears has the fixed charges of its billing day with the plan’s units, and no usage fees', async () => {
    const plan = daily({
      charges: [chargeRecord('units', { min_amount_cents: 500 })],
      fixed_charges: [fixedChargeRecord('seat'), fixedChargeRecord('setup', { pay_in_advance: true, prorated: true })],
    });
    const invoice = await preview(
      { plans: [plan], add_ons: [addOnRecord('seat'), addOnRecord('setup')] },
      { plan_code: 'plan', subscription_at: '2026-03-22T00:00:00Z' },
    );
    // Of March the one in arrears, of April the one in advance.
    expect(lines(invoice)).toBe('plan 1000, fixed setup 2000, fixed seat 2000');
  });

  it('in arrears has a commitment: 6200 × 10 ÷ 31 = 2000 − 1000; in advance none', async () => {
    const plan = (pay_in_advance: boolean) => daily({ pay_in_advance, minimum_commitment: commitmentOf(6200) });
    const body = { plan_code: 'plan', subscription_at: '2026-03-22T00:00:00Z' };
    expect(lines(await preview({ plans: [plan(false)] }, body))).toBe('plan 1000, commitment plan 1000');
    expect(lines(await preview({ plans: [plan(true)] }, body))).toBe('plan 1000');
  });

  it('of a pay-in-advance anniversary plan is a full price, on the 30th of the customer’s month', async () => {
    const plan = daily({ pay_in_advance: true });
    const body = { plan_code: 'plan', subscription_at: '2026-03-30T00:00:00Z', billing_time: 'anniversary' };
    expect(lines(await preview({ plans: [plan] }, body))).toBe('plan 3100');
  });

  it('shows a subscription without id, external id and status, and fees without ids (§12.7)', async () => {
    const invoice = await preview({ plans: [daily()] }, { plan_code: 'plan' });
    expect(invoice).toMatchObject({
      svc_id: null,
      number: '',
      sequential_id: null,
      status: 'finalized',
      payment_status: 'pending',
      invoice_type: 'subscription',
      version_number: 4,
      file_url: null,
      created_at: '2026-03-10T12:00:00Z',
      credits: [],
      applied_taxes: [],
    });
    for (const absent of ['billing_periods', 'metadata', 'error_details']) expect(invoice).not.toHaveProperty(absent);
    expect(invoice.subscriptions[0]).toMatchObject({
      svc_id: null,
      external_id: null,
      status: null,
      plan_code: 'plan',
    });
    expect(invoice.fees[0]).toMatchObject({ svc_id: null, svc_invoice_id: null, svc_subscription_id: null });
  });
});

describe('whom a preview is for (§12.4)', () => {
  it('an anonymous customer belongs to the default entity: its taxes, terms and zone', async () => {
    const entity = entityRecord({ tax_codes: ['vat'], net_payment_term: 10, timezone: 'America/New_York' });
    const records = { plans: [daily()], billing_entities: [entity], taxes: [taxRecord('vat', '10')] };
    // 1 April 02:00 UTC is 31 March in New York: 1 of 31 days, issued on 1 April there.
    const invoice = await preview(records, {
      plan_code: 'plan',
      subscription_at: '2026-04-01T02:00:00Z',
      customer: { name: 'Eve' },
    });
    expect(invoice).toMatchObject({
      fees_amount_cents: 100,
      taxes_amount_cents: 10,
      issuing_date: '2026-04-01',
      payment_due_date: '2026-04-11',
      net_payment_term: 10,
    });
    expect(invoice.customer).toMatchObject({
      svc_id: null,
      external_id: null,
      name: 'Eve',
      applicable_timezone: 'America/New_York',
    });
  });

  it('a customer that is left out, null or empty is the same anonymous one', async () => {
    const body = { plan_code: 'plan', subscription_at: '2026-03-10T00:00:00Z' };
    const [absent, ...others] = await Promise.all(
      [{}, { customer: null }, { customer: {} }].map(customer =>
        preview({ plans: [daily()] }, { ...body, ...customer }),
      ),
    );
    expect(absent.customer.external_id).toBeNull();
    for (const other of others) expect(other).toEqual(absent);
  });

  it('sent fields overlay a stored customer, and its shipping address is replaced even when absent', async () => {
    const stored = customerRecord({
      city: 'Rome',
      shipping_address: { ...noAddress, city: 'Oslo' },
      tax_codes: ['vat'],
    });
    const records = { plans: [daily()], customers: [stored], taxes: [taxRecord('vat', '10')] };
    const customer = { external_id: 'acme', name: 'New name', zipcode: '1234', country: 'fr' };
    const after = async (account: AccountStore) =>
      expect((await account.first('customers', { external_id: 'acme' }))?.name).toBe('Acme');
    const invoice = await preview(records, { plan_code: 'plan', customer }, { after });
    expect(invoice.customer).toMatchObject({
      svc_id: 'customer',
      name: 'New name',
      city: 'Rome',
      zipcode: '1234',
      country: 'FR',
    });
    expect(invoice.customer.shipping_address.city).toBeNull();
    expect(invoice.taxes_amount_cents).toBe(220);
  });

  it('billing_entity_code sets the invoice’s entity; taxes and terms stay those of the customer’s own', async () => {
    const own = entityRecord({ tax_codes: ['vat'], net_payment_term: 10 });
    const other = entityRecord({ id: 'other', code: 'other', is_default: false, net_payment_term: 99 });
    const records = { plans: [daily()], billing_entities: [own, other], taxes: [taxRecord('vat', '10')] };
    const invoice = await preview(records, {
      plan_code: 'plan',
      customer: { external_id: 'acme' },
      billing_entity_code: 'other',
    });
    expect(invoice).toMatchObject({ billing_entity_code: 'other', taxes_amount_cents: 220, net_payment_term: 10 });
    expect(invoice.customer.billing_entity_code).toBe('main');
  });

  it('billing_entity_code: an existing subscription keeps its entity; a proposal without the code is the default’s', async () => {
    const [main, other] = [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })];
    const base = running(daily(), { billing_entities: [main, other] });
    const code = async (records: Records, body: object) => (await preview(records, body)).billing_entity_code;
    expect(await code(base, { ...ofSubscription(), billing_entity_code: 'other' })).toBe('main');
    const ofOther = { ...base, customers: [customerRecord({ billing_entity_id: 'other' })] };
    expect(await code(ofOther, ofSubscription())).toBe('other');
    expect(await code(ofOther, { plan_code: 'plan', customer: { external_id: 'acme' } })).toBe('main');
  });

  it('the invoice is in the plan’s currency, also when the customer’s is another', async () => {
    const invoice = await preview(
      { plans: [daily({ amount_currency: 'JPY' })] },
      { plan_code: 'plan', customer: { external_id: 'acme', currency: 'USD' } },
    );
    expect(invoice.currency).toBe('JPY');
  });
});

describe('customers (§12.4), through the running service', () => {
  it('a sent time zone moves the days: 1 May 01:00 in Tokyo is still April in UTC', async () => {
    const given = { now: '2026-04-30T16:00:00Z', subscription: { subscription_at: '2026-01-01' } };
    const from = (answer: { body: { invoice: { fees: Entry[] } } }) => answer.body.invoice.fees[0]?.from_date;
    expect(from(await previewOf(given))).toBe('2026-04-01T00:00:00Z');
    const customer = { external_id: 'acme', timezone: 'Asia/Tokyo' };
    expect(from(await previewOf(given, { ...ofSubscription(), customer }))).toBe('2026-04-30T15:00:00Z');
  });
});

const anniversary = { billing_time: 'anniversary' };
const every = (interval: string, amount_cents = 3100) => ({ interval, amount_cents });
const trial = (trial_period: string) => ({ trial_period });
const inAdvance = { pay_in_advance: true };
const newYork = { customer: { timezone: 'America/New_York' } };
const paris = { customer: { timezone: 'Europe/Paris' } };

/** Plan, start, more of the request; cents, issuing date. */
const proposals: [string, Entry, string, Entry, number, string][] = [
  ['weekly calendar from a Thursday: 4 of 7 days of 700', every('weekly', 700), '2026-03-05', {}, 400, '2026-03-09'],
  ['weekly calendar from a Sunday: 1 of 7 days', every('weekly', 700), '2026-03-08', {}, 100, '2026-03-09'],
  [
    'quarterly calendar from 15 Feb: 14 + 31 of 31 + 28 + 31 days',
    every('quarterly', 9000),
    '2026-02-15',
    {},
    4500,
    '2026-04-01',
  ],
  [
    'semiannual calendar from 1 Apr: 30 + 31 + 30 of 181 days',
    every('semiannual', 18100),
    '2026-04-01',
    {},
    9100,
    '2026-07-01',
  ],
  ['semiannual calendar from 1 Dec: 31 of 184 days', every('semiannual', 18400), '2026-12-01', {}, 3100, '2027-01-01'],
  ['yearly calendar from 31 Dec: 1 of 365 days', every('yearly', 36500), '2026-12-31', {}, 100, '2027-01-01'],
  ['yearly calendar in a leap year: 1 of 366 days', every('yearly', 36600), '2028-12-31', {}, 100, '2029-01-01'],
  ['monthly anniversary from 31 Jan ends 27 Feb', {}, '2026-01-31', anniversary, 3100, '2026-02-28'],
  ['monthly anniversary from 30 Jan in a leap year ends 28 Feb', {}, '2028-01-30', anniversary, 3100, '2028-02-29'],
  ['yearly anniversary from 29 Feb ends 27 Feb', every('yearly'), '2024-02-29', anniversary, 3100, '2025-02-28'],
  ['quarterly anniversary from 30 Nov ends 27 Feb', every('quarterly'), '2025-11-30', anniversary, 3100, '2026-02-28'],
  ['weekly anniversary from a Thursday', every('weekly'), '2026-03-05', anniversary, 3100, '2026-03-12'],
  [
    '2 Feb 00:00 UTC is 1 Feb in New York: the anniversary is the 1st',
    {},
    '2026-02-02T00:00:00Z',
    { ...anniversary, ...newYork },
    3100,
    '2026-03-01',
  ],
  [
    'calendar from 1 Feb in New York: the whole of February',
    { amount_cents: 2800 },
    '2026-02-02T00:00:00Z',
    newYork,
    2800,
    '2026-03-01',
  ],
  ['from the day clocks go forward in Paris: 29, 30, 31 March', {}, '2026-03-28T23:00:00Z', paris, 300, '2026-04-01'],
  ['from the day clocks go back in Paris: 25 to 31 October', {}, '2026-10-24T22:00:00Z', paris, 700, '2026-11-01'],
  ['in the last second of the month: 1 of 31 days', {}, '2026-03-31T23:59:59Z', {}, 100, '2026-04-01'],
  ['in advance, calendar: billed at the start, 2 of 31 days', inAdvance, '2026-03-30T15:00:00Z', {}, 200, '2026-03-30'],
  ['in advance, anniversary: the full price', inAdvance, '2026-03-30T15:00:00Z', anniversary, 3100, '2026-03-30'],
  ['trial past the end of the period: nothing', trial('60'), '2026-03-01', {}, 0, '2026-04-01'],
  ['trial that ends with the period: nothing', trial('31'), '2026-03-01', {}, 0, '2026-04-01'],
  ['trial of 30 days: 31 March is left', trial('30'), '2026-03-01', {}, 100, '2026-04-01'],
  ['trial of 10 days from the 16th: days 26 to 31', trial('10'), '2026-03-16', {}, 600, '2026-04-01'],
  [
    'trial in advance by anniversary: days 11 to 31',
    { trial_period: '10', ...inAdvance },
    '2026-03-01',
    anniversary,
    2100,
    '2026-03-01',
  ],
  [
    'trial days have 24 hours: 10 from 20 October 00:00 in Paris end on the 29th at 23:00: days 29 to 31',
    trial('10'),
    '2026-10-19T22:00:00Z',
    paris,
    300,
    '2026-11-01',
  ],
  [
    'fractional trial of 0.5 days from 00:00: 30.5 days count as 31',
    trial('0.5'),
    '2026-03-01',
    {},
    3100,
    '2026-04-01',
  ],
];

describe('the first invoice of a proposal (§7.1, §7.2, §10.4), through the running service', () => {
  it.each(proposals)('%s', async (_name, plan, start, more, cents, issued) => {
    const body = { plan_code: 'plan', subscription_at: start, ...more };
    const { body: answer } = await previewOf({ now: '2026-02-01T00:00:00Z', plan, subscription: null }, body);
    expect(answer.invoice.fees[0].amount_cents).toBe(cents);
    expect(answer.invoice.issuing_date).toBe(issued);
  });
});

const noAddress = { address_line1: null, address_line2: null, city: null, state: null, country: null, zipcode: null };
