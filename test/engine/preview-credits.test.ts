import { describe, expect, it } from 'vitest';
import type { AccountStore } from '../../src/service/store/store.ts';
import { addOns, chargeEntry, early, metricEntries, standard, usedOn } from './entries.ts';
import { type Entry, linesOf, previewOf } from './file-service.ts';
import { daily, event, NOW, preview, running } from './preview-world.ts';
import { ofSubscription, type Records, world } from './service-world.ts';
import {
  addOnRecord,
  appliedCouponRecord,
  chargeRecord,
  commitmentOf,
  couponRecord,
  creditNoteRecord,
  customerRecord,
  fixedChargeRecord,
  invoiceRecord,
  taxRecord,
  walletRecord,
} from './world.ts';

const percentage = (percentage_rate: string) => ({ coupon_type: 'percentage' as const, percentage_rate });

/** Each credit of a preview: its code and cents. */
function taken(invoice: { credits: { item: { code: string }; amount_cents: number }[] }) {
  return invoice.credits.map(credit => [credit.item.code, credit.amount_cents]);
}

/** The notice in the header of a preview's answer. */
async function noticeOf(records: Records, body: object): Promise<unknown> {
  const opened = await world(records, NOW);
  try {
    return (await opened.post('/invoices/preview', body)).headers['x-service-notice'];
  } finally {
    await opened.close();
  }
}

describe('credits of a preview (§12.6)', () => {
  const sent = (fields: object) => ({
    plan_code: 'plan',
    customer: { external_id: 'acme' },
    coupons: [fields],
    subscription_at: '2026-04-01',
  });
  const fixed = { code: 'sent', name: 'Sent', coupon_type: 'fixed_amount', amount_cents: 500, amount_currency: 'EUR' };

  it('a coupon in the request uses the sent values: 3100 − 500, then tax', async () => {
    const records = { plans: [daily({ tax_codes: ['vat'] })], taxes: [taxRecord('vat', '10')] };
    const invoice = await preview(records, sent(fixed));
    expect(invoice).toMatchObject({ coupons_amount_cents: 500, taxes_amount_cents: 260, total_amount_cents: 2860 });
    expect(invoice.credits[0]).toMatchObject({
      amount_cents: 500,
      before_taxes: true,
      item: { type: 'coupon', code: 'sent', name: 'Sent' },
    });
    expect(invoice.fees[0].precise_coupons_amount_cents).toBe('500.0');
  });

  it('a sent percentage, as text or number; a fixed one in another currency, or without one, takes nothing', async () => {
    const percentage = (percentage_rate: unknown) => sent({ code: 'p', coupon_type: 'percentage', percentage_rate });
    expect((await preview({ plans: [daily()] }, percentage('10.5'))).coupons_amount_cents).toBe(326);
    expect((await preview({ plans: [daily()] }, percentage(50))).coupons_amount_cents).toBe(1550);
    expect((await preview({ plans: [daily()] }, sent({ ...fixed, amount_currency: 'USD' }))).coupons_amount_cents).toBe(
      0,
    );
    expect((await preview({ plans: [daily()] }, sent({ ...fixed, amount_currency: null }))).coupons_amount_cents).toBe(
      0,
    );
  });

  it('request coupons go as listed: 10, then 20 % for the plan alone, of the full 100 = 20', async () => {
    const plans = [daily({ amount_cents: 100 })];
    const coupons = [couponRecord('p20', { ...percentage('20'), plan_codes: ['plan'] })];
    const ten = { ...fixed, code: 'x', amount_cents: 10 };
    const invoice = await preview({ plans, coupons }, { ...sent(ten), coupons: [ten, { code: 'p20' }] });
    expect(taken(invoice)).toEqual([
      ['x', 10],
      ['p20', 20],
    ]);
  });

  it('15 % + 20 % for the plan alone, on 100: 35 taken, 32 on the fee; 20 % tax on 68 is 14, total 65 + 14', async () => {
    const plans = [daily({ amount_cents: 100, tax_codes: ['vat'] })];
    const coupons = ['15', '20'].map(rate => couponRecord(`p${rate}`, { ...percentage(rate), plan_codes: ['plan'] }));
    const records = { plans, coupons, taxes: [taxRecord('vat', '20')] };
    const invoice = await preview(records, { ...sent(fixed), coupons: [{ code: 'p15' }, { code: 'p20' }] });
    expect(taken(invoice)).toEqual([
      ['p15', 15],
      ['p20', 20],
    ]);
    expect(invoice.fees[0].precise_coupons_amount_cents).toBe('32.0');
    expect(invoice).toMatchObject({
      sub_total_excluding_taxes_amount_cents: 65,
      taxes_amount_cents: 14,
      total_amount_cents: 79,
    });
  });

  it('a coupon that takes nothing is named in X-Service-Notice, with the reason', async () => {
    const coupons = [
      couponRecord('starters', { plan_codes: ['starter'] }),
      couponRecord('ended', { status: 'terminated' }),
      couponRecord('metered', { billable_metric_codes: ['units'] }),
    ];
    const asked = [
      { code: 'starters' },
      { code: 'ended' },
      { code: 'metered' },
      { code: 'été', amount_cents: 5 },
      { ...fixed, code: 'usd', amount_currency: 'USD' },
      { ...fixed, amount_cents: 4000 },
      { ...percentage('10'), code: 'late' },
    ];
    expect(await noticeOf({ plans: [daily()], coupons }, { ...sent(fixed), coupons: asked })).toBe(
      [
        'coupon starters was not applied: limited to plan starter',
        'coupon ended was not applied: it has ended',
        'coupon metered was not applied: limited to metric units; previews omit such coupons',
        'coupon \\u00e9t\\u00e9 was not applied: it has a fixed amount but no amount_currency',
        'coupon usd was not applied: its amount is in USD, the invoice in EUR',
        'coupon late was not applied: nothing was left to take it from',
      ].join('; '),
    );
    const own = couponRecord('own');
    const applied = { plans: [daily()], coupons: [own], applied_coupons: [appliedCouponRecord(own)] };
    expect(await noticeOf(applied, sent(fixed))).toBe(
      "coupon sent was not applied: the customer's own coupons are used instead",
    );
    expect(await noticeOf({ plans: [daily()] }, sent(fixed))).toBeUndefined();
    const many = Array.from({ length: 200 }, (_, i) => ({ code: `c${i}`, amount_cents: 1 }));
    expect(String(await noticeOf({ plans: [daily()] }, { ...sent(fixed), coupons: many })).length).toBeLessThan(1010);
  });

  it('a stored coupon with the code wins over the sent values; an ended one is not used', async () => {
    const stored = couponRecord('sent', { amount_cents: 700 });
    expect((await preview({ plans: [daily()], coupons: [stored] }, sent(fixed))).coupons_amount_cents).toBe(700);
    const ended = { ...stored, status: 'terminated' } as const;
    expect((await preview({ plans: [daily()], coupons: [ended] }, sent(fixed))).coupons_amount_cents).toBe(0);
  });

  it('active applied coupons of the stored customer are used alone; ended ones are not', async () => {
    const coupon = couponRecord('own');
    const applied = appliedCouponRecord(coupon, { amount_cents_remaining: 300 });
    const records = { plans: [daily()], coupons: [coupon], applied_coupons: [applied] };
    expect((await preview(records, sent(fixed))).credits).toMatchObject([{ amount_cents: 300, item: { code: 'own' } }]);
    const ended: Records = { ...records, applied_coupons: [{ ...applied, status: 'terminated' }] };
    const after = async (account: AccountStore) =>
      expect((await account.get('applied_coupons', 'applied-own'))?.amount_cents_remaining).toBe(300);
    const invoice = await preview(ended, sent(fixed), { after });
    expect(invoice.credits).toMatchObject([{ amount_cents: 500, item: { code: 'sent' } }]);
  });

  it('metric-limited coupons are left out; plan-limited ones count for the first subscription’s plan, on all fees', async () => {
    const limited = (fields: object) => ({ coupons: [couponRecord('sent', { amount_cents: 9999, ...fields })] });
    const plans = [daily({ fixed_charges: [fixedChargeRecord('seat')] })];
    const base = { plans, add_ons: [addOnRecord('seat')] };
    const taken = async (fields: object) =>
      (await preview({ ...base, ...limited(fields) }, sent(fixed))).coupons_amount_cents;
    expect(await taken({ billable_metric_codes: ['units'] })).toBe(0);
    expect(await taken({ plan_codes: ['other'] })).toBe(0);
    // Never below 0: 3100 + 2000.
    expect(await taken({ plan_codes: ['plan'] })).toBe(5100);
  });

  it('credit notes, then prepaid credits: 3100 − 600 − 1000; nothing is consumed', async () => {
    const records = {
      plans: [daily()],
      credit_notes: [creditNoteRecord('n1', 600)],
      wallets: [walletRecord('w1')],
      invoices: [invoiceRecord([])],
    };
    const after = async (account: AccountStore) => {
      expect((await account.get('wallets', 'w1'))?.balance_cents).toBe(1000);
      expect((await account.get('credit_notes', 'n1'))?.balance_amount_cents).toBe(600);
    };
    const invoice = await preview(records, sent({ ...fixed, amount_cents: 0 }), { after });
    expect(invoice.credits[0].invoice).toEqual({ svc_id: 'invoice', payment_status: 'succeeded' });
    expect(invoice).toMatchObject({
      credit_notes_amount_cents: 600,
      prepaid_credit_amount_cents: 1000,
      total_amount_cents: 1500,
    });
  });

  it('a wallet limited to usage pays it rounded: 100 + 65, tax 15 %: total 190, paid 75 of 74.75, 115 left', async () => {
    const plan = daily({ amount_cents: 100, charges: [chargeRecord('units')], tax_codes: ['vat'] });
    const records = {
      events: [event(1, '03-02', 0.65)],
      wallets: [walletRecord('w1', { balance_cents: 500, fee_types: ['charge'] })],
      taxes: [taxRecord('vat', '15')],
    };
    const invoice = await preview(running([plan], records), ofSubscription());
    expect(invoice).toMatchObject({
      sub_total_including_taxes_amount_cents: 190,
      prepaid_credit_amount_cents: 75,
      total_amount_cents: 115,
    });
  });

  it('an anonymous customer has no wallets, credit notes or coupons of its own', async () => {
    const records = { plans: [daily()], credit_notes: [creditNoteRecord('n1', 600)], wallets: [walletRecord('w1')] };
    expect((await preview(records, { plan_code: 'plan', subscription_at: '2026-04-01' })).total_amount_cents).toBe(
      3100,
    );
  });

  it('taxes come from the charge, else the plan, else the customer', async () => {
    const plan = daily({
      charges: [chargeRecord('units', { tax_codes: ['own'] })],
      fixed_charges: [fixedChargeRecord('seat')],
      minimum_commitment: commitmentOf(10_000, ['eco']),
      tax_codes: ['vat'],
    });
    const records = running([plan], {
      events: [event(1, '03-02', 10)],
      add_ons: [addOnRecord('seat', { tax_codes: ['own'] })],
      taxes: [taxRecord('own', '1'), taxRecord('vat', '10'), taxRecord('eco', '50'), taxRecord('city', '99')],
      customers: [customerRecord({ tax_codes: ['city'] })],
    });
    const invoice = await preview(records, ofSubscription());
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    expect(invoice.fees.map((fee: any) => [fee.item.type, fee.amount_cents, fee.taxes_rate])).toEqual([
      ['subscription', 3100, 10],
      ['charge', 1000, 1],
      ['fixed_charge', 2000, 10],
      ['commitment', 3900, 50],
    ]);
    // 310 + 10 + 200 + 1950
    expect(invoice.taxes_amount_cents).toBe(2470);
    expect(invoice.fees.every((fee: { applied_taxes: unknown[] }) => fee.applied_taxes.length === 1)).toBe(true);
  });
});

describe('the unused part of a plan in advance (§12.6), through the running service', () => {
  const on29March = ofSubscription({ terminated_at: '2026-03-29T12:00:00Z' });
  /** 100 cents a month since 28 March, of which 13 were billed then, with 50 % tax. */
  const given = (fee: Entry = {}) => ({
    now: '2026-03-29T12:00:00Z',
    metrics: [metricEntries.sum],
    plan: { amount_cents: 100, pay_in_advance: true, tax_codes: ['half'], charges: [standard] },
    plans: [{ code: 'dear', amount_cents: 200, pay_in_advance: true, tax_codes: ['half'] }],
    subscription: { subscription_at: '2026-03-28' },
    events: [usedOn('2026-03-28', 1)],
    rest: {
      taxes: [{ code: 'half', name: 'half', rate: '50' }],
      invoices: [invoiceOf([{ ...planFee, amount: '0.13', amount_details: { plan_amount_cents: 100 }, ...fee }])],
    },
  });
  const invoiceOf = (fees: Entry[], more: Entry = {}) => ({
    number: 'I-1',
    external_customer_id: 'acme',
    issuing_date: '2026-03-28',
    currency: 'EUR',
    fees,
    ...more,
  });
  const planFee = {
    type: 'subscription',
    external_subscription_id: 'sub',
    pay_in_advance: true,
    from_date: '2026-03-28',
    to_date: '2026-03-31',
  };
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  const credits = ({ body }: any) => body.invoice.credits.map((credit: any) => credit.amount_cents);

  it('terminated, 2 of 31 days of 100 cents, tax 50 %: 6.45 → 6 and 3.23 → 3 pay 9 of the usage', async () => {
    const { body } = await previewOf(given(), on29March);
    expect(body.invoice).toMatchObject({
      credit_notes_amount_cents: 9,
      sub_total_including_taxes_amount_cents: 150,
      total_amount_cents: 141,
    });
    expect(body.invoice.credits[0]).toMatchObject({
      amount_cents: 9,
      before_taxes: false,
      item: { type: 'credit_note' },
    });
  });

  it('upgraded to 200 in advance, 3 of 31 days: 10 + 5 = 15; 19 + tax 10 − 15 = 14', async () => {
    const answer = await previewOf({ ...given(), events: [] }, ofSubscription({ plan_code: 'dear' }));
    expect(linesOf(answer)).toBe('dear 19');
    expect(answer.body.invoice).toMatchObject({
      taxes_amount_cents: 10,
      credit_notes_amount_cents: 15,
      total_amount_cents: 14,
    });
  });

  it('nothing without a plan fee, or with one of 0', async () => {
    const none = given();
    const unbilled = { ...none, rest: { taxes: none.rest.taxes } };
    expect(credits(await previewOf(unbilled, on29March))).toEqual([]);
    expect(credits(await previewOf(given({ amount: '0' }), on29March))).toEqual([]);
  });

  it('the price is as billed: 2 of 31 days of 62 = 4, tax 2; the plan’s 100 without it', async () => {
    expect(credits(await previewOf(given({ amount_details: { plan_amount_cents: 62 } }), on29March))).toEqual([6]);
    expect(credits(await previewOf(given({ amount_details: {} }), on29March))).toEqual([9]);
  });

  it('from the last plan fee, by its first day, else by its creation: one of 2 cents gives 2 + 1, not 6 + 3', async () => {
    const fee = { ...planFee, amount: '0.13' };
    const last = { ...planFee, amount: '0.02' };
    const undated = { from_date: null, to_date: null };
    const creditsOf = async (fees: Entry[], created_at: string) => {
      const base = given();
      const [first, second] = fees as [Entry, Entry];
      const invoices = [invoiceOf([first]), invoiceOf([second], { number: 'I-2', created_at })];
      return credits(await previewOf({ ...base, rest: { ...base.rest, invoices } }, on29March));
    };
    const later = '2026-03-29T00:00:00Z';
    expect(await creditsOf([fee, { ...last, from_date: '2026-03-29' }], later)).toEqual([3]);
    expect(await creditsOf([fee, { ...last, ...undated }], later)).toEqual([3]);
    expect(await creditsOf([fee, { ...last, from_date: '2026-03-01' }], later)).toEqual([9]);
  });

  it('the unused part first, then credit notes, never below 0: total 20, unused 9, note 100 → 9 and 11', async () => {
    const base = given();
    const plan = { ...base.plan, charges: [chargeEntry('standard', { amount: '0.13' })] };
    const one_off = { type: 'add_on', add_on_code: 'early', amount: '1' };
    const rest = {
      ...base.rest,
      add_ons: addOns,
      invoices: [...base.rest.invoices, invoiceOf([one_off], { number: 'I-2' })],
      credit_notes: [{ invoice_number: 'I-2', issuing_date: '2026-03-28', items: [{ fee: 0, amount_cents: 100 }] }],
    };
    const answer = await previewOf({ ...base, plan, rest }, on29March);
    expect(answer.body.invoice.sub_total_including_taxes_amount_cents).toBe(20);
    expect(credits(answer)).toEqual([9, 11]);
    expect(answer.body.invoice.total_amount_cents).toBe(0);
  });

  it('is cut at 5 decimals before its coupon share: 336.66666 less a quarter = 252.499995 → 252', async () => {
    const entry = { number: 'I-1', external_customer_id: 'acme', issuing_date: '2026-04-01', currency: 'EUR' };
    const own = {
      external_subscription_id: 'sub',
      from_date: '2026-04-01',
      to_date: '2026-04-30',
      pay_in_advance: true,
    };
    const fees = [
      { type: 'subscription', amount: '10.10', ...own },
      { type: 'fixed_charge', fixed_charge_code: 'early', amount: '10.10', ...own },
    ];
    const given = {
      now: '2026-04-20T12:00:00Z',
      metrics: [metricEntries.sum],
      plan: { amount_cents: 1010, pay_in_advance: true, charges: [standard], fixed_charges: [early] },
      events: [usedOn('2026-04-05', 9)],
      rest: {
        add_ons: addOns,
        coupons: [{ code: 'quarter', name: 'quarter', amount_cents: 505, amount_currency: 'EUR' }],
        invoices: [{ ...entry, fees, coupons: [{ code: 'quarter', amount_cents: 505 }] }],
      },
    };
    const { body } = await previewOf(given, ofSubscription({ terminated_at: '2026-04-20T12:00:00Z' }));
    expect(body.invoice).toMatchObject({ fees_amount_cents: 900, credit_notes_amount_cents: 252 });
  });
});
