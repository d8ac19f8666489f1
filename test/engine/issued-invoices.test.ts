/** What issued invoices do otherwise than previews (§12.8, correction 97): the figures of §12.8, then another input. */
import { describe, expect, it } from 'vitest';
import type { UsableCoupon } from '../../src/engine/coupons.ts';
import { type IssuedOccasion, invoiceGroups, issuedInvoices, issuedParts } from '../../src/engine/issued.ts';
import { emptyUsage } from '../../src/engine/merge-usage.ts';
import { type PreviewInput, previewInvoice } from '../../src/engine/preview.ts';
import { previewCoupons } from '../../src/engine/preview-credits.ts';
import { partQueries } from '../../src/engine/preview-fees.ts';
import type { ScheduledSubject } from '../../src/engine/preview-modes.ts';
import type { CouponRecord, PlanRecord, SubscriptionRecord } from '../../src/engine/records/index.ts';
import { lines } from './preview-world.ts';
import {
  addOnRecord,
  appliedCouponRecord,
  chargeRecord,
  couponRecord,
  creditNoteRecord,
  fixedChargeRecord,
  metricRecord,
  planRecord,
  storedFee,
  subscriptionRecord,
  walletRecord,
} from './world.ts';

const catalogue = {
  metrics: new Map(['units', 'calls'].map(code => [code, metricRecord(code)])),
  add_ons: new Map(['seat', 'line'].map(code => [code, addOnRecord(code)])),
};
const settings = {
  anchor: 'next_period_start',
  adjustment: 'align_with_finalization_date',
  grace: 3,
  net_payment_term: 0,
};
const charged = (amount: string) => ({ charges: [chargeRecord('units', { properties: { amount } })] });
const inAdvance = { pay_in_advance: true } as const;
const march10 = '2026-03-10T00:00:00.000Z';

function subject(plan: Partial<PlanRecord>, fields: Partial<SubscriptionRecord> = {}): ScheduledSubject {
  const subscription = subscriptionRecord(fields);
  const first_started_at = subscription.started_at ?? subscription.subscription_at;
  const past = { billed_fees: [], billed_periods: [], follows: 'nothing', scheduled: null } as const;
  return { subscription, plan: planRecord(plan), timezone: 'UTC', first_started_at, ...past };
}

/** What is priced: so many units of each metric on each subscription. */
function inputOf(
  subjects: ScheduledSubject[],
  occasion: IssuedOccasion,
  now: string,
  { units = '0', ...more }: { units?: string } & Partial<PreviewInput> = {},
): PreviewInput {
  const parts = issuedParts(subjects, occasion, now);
  const queries = partQueries(parts, catalogue);
  const row = { ...emptyUsage(), sum: units, events_count: Number(units) === 0 ? 0 : 1 };
  return {
    context: { catalogue, taxes: new Map(), customer: null, entity_tax_codes: [] },
    planned: { parts },
    usage: new Map(queries.map(({ key }) => [key, [row]])),
    currency: 'EUR',
    coupons: [],
    credit_notes: [],
    payment_statuses: new Map(),
    wallets: [],
    issuing: settings,
    now,
    issued: true,
    ...more,
  };
}

function linesOfInput(input: PreviewInput): string[] {
  return lines({ fees: previewInvoice(input).totals.fees.map(({ record }) => record) });
}

function applied(records: CouponRecord[], issued = true): UsableCoupon[] {
  const list = records.map(coupon => ({ applied: appliedCouponRecord(coupon), coupon }));
  return previewCoupons({ applied: list, requested: [], stored: new Map(), plan_code: 'plan', now: march10, issued })
    .coupons;
}

const percent = (code: string, percentage_rate: string, limits: Partial<CouponRecord> = {}) =>
  couponRecord(code, { coupon_type: 'percentage', amount_cents: null, percentage_rate, ...limits });

describe('an issued invoice (§12.8)', () => {
  const yearly = { interval: 'yearly', amount_cents: 120_000, ...charged('1') } as const;
  const fixed = [fixedChargeRecord('seat'), fixedChargeRecord('line', inAdvance)];
  it.each<[string, Partial<PlanRecord>, string, string[], string]>([
    [
      'usage by the month',
      { ...yearly, bill_charges_monthly: true, fixed_charges: fixed },
      '2026-05-10T00:00:00.000Z',
      ['charge units 300'],
      '2026-06-04',
    ],
    [
      'both by the month, half a year in advance',
      {
        ...yearly,
        ...inAdvance,
        interval: 'semiannual',
        bill_charges_monthly: true,
        bill_fixed_charges_monthly: true,
        fixed_charges: fixed,
      },
      '2026-05-10T00:00:00.000Z',
      ['charge units 300', 'fixed_charge line 2000', 'fixed_charge seat 2000'],
      '2026-06-04',
    ],
    [
      'in the last month, the rest too',
      { ...yearly, bill_charges_monthly: true },
      '2026-12-10T00:00:00.000Z',
      ['subscription plan 120000', 'charge units 300'],
      '2027-01-04',
    ],
  ])('bills monthly items by the month: %s', (_name, plan, now, expected, issued) => {
    const input = inputOf([subject(plan)], { kind: 'period' }, now, { units: '3' });
    expect(linesOfInput(input)).toEqual(expected);
    expect(previewInvoice(input).issuing_date).toBe(issued);
  });

  it.each([
    [['plan', 'plan', 'plan'], 4300],
    [['plan', 'copy', 'plan'], 5600],
  ])('has each fixed charge of a plan once: %j', (plans, cents) => {
    const charges = (id: string) => [
      fixedChargeRecord('seat', { id: `seat ${id}`, units: '6', properties: { amount: '1' } }),
      fixedChargeRecord('line', { id: `line ${id}`, units: '7', properties: { amount: '1' } }),
    ];
    const subjects = plans.map((id, i) =>
      subject({ id, amount_cents: 1000, fixed_charges: charges(id) }, { id: `s${i}`, external_id: `s${i}` }),
    );
    const { totals } = previewInvoice(inputOf(subjects, { kind: 'period' }, march10));
    expect(totals.fees_amount_cents).toBe(cents);
  });

  it('of a first period in advance has the arrears fixed charges', () => {
    const plan = {
      ...inAdvance,
      amount_cents: 3100,
      fixed_charges: [fixedChargeRecord('seat', { prorated: true, units: '31' })],
    };
    const given = [subject(plan, { subscription_at: march10, started_at: march10 })];
    expect(linesOfInput(inputOf(given, { kind: 'period' }, march10))).toContain('fixed_charge seat 22000');
    const end = { kind: 'termination', at: '2026-03-20T00:00:00.000Z' } as const;
    expect(linesOfInput(inputOf(given, end, march10))).toEqual(['fixed_charge seat 11000']);
  });

  it('of a start in arrears bills fixed charges in advance, without grace: 5.00 + 3 × 31.00 × 22 ÷ 31', () => {
    const properties = { amount: '31' };
    const plan = {
      fixed_charges: [
        fixedChargeRecord('line', { ...inAdvance, units: '1', properties: { amount: '5' } }),
        fixedChargeRecord('seat', { ...inAdvance, prorated: true, units: '3', properties }),
      ],
    };
    const input = inputOf([subject(plan, { started_at: march10 })], { kind: 'start' }, march10);
    expect(previewInvoice(input)).toMatchObject({ issuing_date: '2026-03-10', totals: { total_amount_cents: 7100 } });
    // In advance it has the plan fee too, and the grace period.
    const paid = inputOf([subject({ ...plan, ...inAdvance }, { started_at: march10 })], { kind: 'start' }, march10);
    expect(previewInvoice(paid)).toMatchObject({ issuing_date: '2026-03-13', totals: { total_amount_cents: 14_197 } });
  });

  it('of the first period in arrears has minimums and flat amounts without usage', () => {
    const flat = { volume_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '4' }] };
    const charges = [
      chargeRecord('units', { min_amount_cents: 500 }),
      chargeRecord('calls', { charge_model: 'volume', properties: flat }),
    ];
    const input = inputOf([subject({ amount_cents: 0, charges })], { kind: 'period' }, march10);
    expect(linesOfInput(input)).toEqual([
      'subscription plan 0',
      'charge units 0',
      'charge units 500',
      'charge calls 400',
    ]);
  });

  it.each<[string, CouponRecord[], number]>([
    [
      'a metric first: 50 % of 65.00, 10 % of 132.50',
      [percent('all', '10'), percent('m', '50', { billable_metric_codes: ['units'] })],
      4575,
    ],
    ['another metric: nothing', [percent('m', '50', { billable_metric_codes: ['calls'] })], 0],
    [
      'a fixed one of the metric: at most its fees',
      [couponRecord('m', { amount_cents: 9000, billable_metric_codes: ['units'] })],
      6500,
    ],
  ])('uses coupons that are limited to %s', (_name, coupons, cents) => {
    const given = [subject({ amount_cents: 10_000, ...charged('1') })];
    const input = inputOf(given, { kind: 'period' }, march10, { units: '65', coupons: applied(coupons) });
    expect(previewInvoice(input).totals.coupons_amount_cents).toBe(cents);
  });

  it.each<[string, CouponRecord[], number]>([
    ['50 % of 50.00', [percent('p', '50', { plan_codes: ['plan'] })], 2500],
    [
      'two of them: 15 % of 50.00, 20 % of what is left',
      [percent('p', '15', { plan_codes: ['plan'] }), percent('q', '20', { plan_codes: ['plan'] })],
      1600,
    ],
  ])(
    'uses coupons that are limited to a plan for its subscriptions and those on a copy: %s',
    (_name, coupons, cents) => {
      const given = [
        subject({ id: 'copy', parent_id: 'plan', amount_cents: 5000 }),
        subject({ code: 'other', amount_cents: 10_065 }, { id: 's2', external_id: 's2' }),
      ];
      const input = inputOf(given, { kind: 'period' }, march10, { coupons: applied(coupons) });
      expect(previewInvoice(input).totals.coupons_amount_cents).toBe(cents);
    },
  );

  it.each([
    [2900, 9550],
    [4400, 8800],
  ])('lowers what a limited wallet pays by the share of a credit note of %i', (note, paid) => {
    const given = [subject({ amount_cents: 11_000, ...charged('1') })];
    const wallets = [walletRecord('w', { balance_cents: 50_000, fee_types: ['charge'] })];
    const money = { units: '110', wallets, credit_notes: [creditNoteRecord('n', note)] };
    const input = inputOf(given, { kind: 'period' }, march10, money);
    expect(previewInvoice(input).totals).toMatchObject({
      prepaid_credit_amount_cents: paid,
      total_amount_cents: 22_000 - note - paid,
    });
    expect(previewInvoice({ ...input, issued: false }).totals.prepaid_credit_amount_cents).toBe(11_000);
  });

  it('of an end lets stored credit notes pay before that of the unused part', () => {
    const billed = storedFee(3100, { from_date: '2026-03-01T00:00:00.000Z', to_date: '2026-03-31T23:59:59.999Z' });
    const one = { ...subject({ ...inAdvance, amount_cents: 3100, ...charged('1') }), billed_fees: [billed] };
    const end = { kind: 'termination', at: '2026-03-20T12:00:00.000Z' } as const;
    const input = inputOf([one], end, march10, { units: '9', credit_notes: [creditNoteRecord('n', 500)] });
    const paid = (issued: boolean) =>
      previewInvoice({ ...input, issued }).totals.credits.map(({ item, amount_cents }) => [item.item_id, amount_cents]);
    expect([paid(true), paid(false)]).toEqual([
      [
        ['n', 500],
        [null, 400],
      ],
      [[null, 900]],
    ]);
  });

  it('bills a plan in advance when its trial has ended: 12 of 31 days of 310.00 on 20 March', () => {
    const one = subject(
      { ...inAdvance, amount_cents: 31_000, trial_period: '10', fixed_charges: [fixedChargeRecord('line', inAdvance)] },
      { subscription_at: march10, started_at: march10 },
    );
    expect(linesOfInput(inputOf([one], { kind: 'start' }, march10))).toEqual(['fixed_charge line 2000']);
    const atItsEnd = inputOf([one], { kind: 'period' }, march10);
    expect(linesOfInput(atItsEnd)).toEqual(['subscription plan 12000']);
    expect(atItsEnd.planned.parts[0]?.billing_date).toBe('2026-03-20');
    const april = inputOf([one], { kind: 'period' }, '2026-03-20T00:00:00.000Z');
    expect(linesOfInput(april)).toEqual(['subscription plan 31000', 'fixed_charge line 2000']);
    // 25 days: until 4 April, so that the invoice of 1 April has no plan fee either.
    const longer = subject({ ...one.plan, trial_period: '25' }, { subscription_at: march10, started_at: march10 });
    expect(linesOfInput(inputOf([longer], { kind: 'period' }, march10))).toEqual(['fixed_charge line 2000']);
  });

  it('holds subscriptions of one order, payment method, currency and entity; others are on invoices of their own', () => {
    const each = (id: string, fields: Partial<SubscriptionRecord> = {}, plan: Partial<PlanRecord> = {}) =>
      subject(plan, { id, external_id: id, consolidate_invoice: true, ...fields });
    const given = [
      each('a'),
      each('b', { purchase_order_number: 'PO-1' }),
      each('c', { billing_entity_id: 'entity' }),
      each('d', { billing_entity_id: 'other' }),
      each('e', {}, { amount_currency: 'USD' }),
      each('f', { consolidate_invoice: false }),
      each('g', { purchase_order_number: 'PO-1' }),
    ];
    const groups = invoiceGroups(given, 'entity').map(group => group.map(({ subscription }) => subscription.id));
    expect(groups).toEqual([['a', 'c'], ['b', 'g'], ['d'], ['e'], ['f']]);
  });

  it('leaves the next of the day what it does not take of coupons, credit notes and wallets', () => {
    const wallets = [walletRecord('w', { balance_cents: 1500 })];
    const coupons = applied([couponRecord('once', { amount_cents: 250 }), percent('rate', '10')]);
    const credit_notes = [creditNoteRecord('n', 100)];
    const input = inputOf([subject({ amount_cents: 1000 })], { kind: 'period' }, march10, {
      wallets,
      coupons,
      credit_notes,
    });
    const paid = issuedInvoices([input, input, input]).map(({ totals }) => [
      totals.coupons_amount_cents,
      totals.credit_notes_amount_cents,
      totals.prepaid_credit_amount_cents,
      totals.total_amount_cents,
    ]);
    // 1000 − 250 − 75 − 100 = 575 of the wallet; then 925 of it, and nothing is left.
    expect(paid).toEqual([
      [325, 100, 575, 0],
      [0, 0, 925, 75],
      [0, 0, 0, 1000],
    ]);
  });
});
