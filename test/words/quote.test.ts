/** Sentences of a preview's summary, from answers of the embedded service. */

import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { previewInvoice } from '../../tools/invoices.ts';
import { daily, event, NOW, preview, running } from '../engine/preview-world.ts';
import type { Records } from '../engine/service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  couponRecord,
  customerRecord,
  entityRecord,
  fixedChargeRecord,
  metricRecord,
  taxRecord,
} from '../engine/world.ts';
import { requestOf } from '../support/api.ts';
import { factsOf } from '../support/facts.ts';

/** The summary of a call, by way of the embedded service. */
async function told(records: Records, args: JsonRecord, now = NOW): Promise<string> {
  const { body } = requestOf(previewInvoice, previewInvoice.input.parse(args));
  return previewInvoice.say(await preview(records, body as object, { now }), { args, now: new Date(now) });
}

const acme = { external_id: 'acme' };
const stored = (extra: object = {}) => ({ customer: acme, subscriptions: { external_ids: ['sub'] }, ...extra });

describe('whose taxes and terms a preview goes by', () => {
  const records = {
    billing_entities: [
      entityRecord({ tax_codes: ['vat'], net_payment_term: 30, timezone: 'Europe/Paris' }),
      entityRecord({ id: 'other', code: 'other', is_default: false, tax_codes: [], net_payment_term: 0 }),
    ],
    taxes: [taxRecord('vat', '20')],
    plans: [daily()],
  };
  const those =
    'Taxes (“vat” 20%) come from the plan, else the default billing entity; terms (due after 30 days) and time zone (Europe/Paris) from that entity';

  it('is the default entity for nobody stored, and how to get another’s', async () => {
    expect(await told(records, { plan_code: 'plan' })).toContain(
      `${those}. For a customer, send customer.external_id.`,
    );
  });

  it('is the default entity whatever country and entity are sent', async () => {
    const args = { plan_code: 'plan', customer: { country: 'US' }, billing_entity_code: 'other' };
    expect(await told(records, args)).toContain(
      `${those}, regardless of country and billing_entity_code. For a customer, send customer.external_id.`,
    );
  });

  it('leaves out the time zone that was sent, and names no tax where there is none', async () => {
    const entity = entityRecord({ net_payment_term: 0 });
    expect(
      factsOf(await told({ billing_entities: [entity] }, { plan_code: 'plan', customer: { timezone: 'Asia/Tokyo' } })),
    ).toContain('(none)');
  });

  it('is the stored customer’s own, said only where something else was sent', async () => {
    const sent = { plan_code: 'plan', customer: { ...acme, country: 'US' } };
    expect(await told(records, sent)).toContain(
      'Taxes and terms come from the plan, the customer and its billing entity, regardless of country.',
    );
    expect(await told(records, { plan_code: 'plan', customer: acme })).not.toContain('Taxes and terms');
  });
});

describe('the day on which a preview starts', () => {
  const pacific = { timezone: 'America/Los_Angeles' };

  it('is told where it is another one in the customer’s zone', async () => {
    const args = { plan_code: 'plan', subscription_at: '2026-11-01', customer: { ...pacific } };
    expect(factsOf(await told({ plans: [daily()] }, args))).toContain(
      '31 Oct · 17:00 · Los_Angeles · 1 · 1 Nov · subscription_at · “Plan plan” · 1 · 31 · €31.00 · 31 · €1.00',
    );
  });

  it('can be moved by a time zone where the zone is the default entity’s', async () => {
    const args = { plan_code: 'plan', subscription_at: '2026-11-01T00:00:00Z' };
    expect(await told({ billing_entities: [entityRecord(pacific)] }, args)).toContain(
      "send subscription_at with that zone's offset, or customer.timezone.",
    );
  });

  it('is told of a stored customer without the advice to change its zone', async () => {
    const args = { plan_code: 'plan', subscription_at: '2026-11-01T23:30:00Z', customer: acme };
    expect(factsOf(await told({ customers: [customerRecord({ timezone: 'Asia/Tokyo' })] }, args))).toContain(
      '2 Nov · 08:30 · 29 · 1 Nov · subscription_at',
    );
  });

  it.each(['2026-11-01T00:00:00-07:00', '2026-11-01T12:00:00Z'])('is not told where it is the one of %s', async at => {
    const args = { plan_code: 'plan', subscription_at: at, customer: pacific };
    expect(await told({}, args)).not.toContain('subscription starts');
  });
});

describe('a price for a part of a period', () => {
  const start = (subscription_at: string, rest: object = {}) => ({ plan_code: 'plan', subscription_at, ...rest });

  it('is told with its days and the whole price, of the plan and of prorated fixed charges', async () => {
    const seat = fixedChargeRecord('seat', { prorated: true, units: '8', properties: { amount: '12' } });
    const records = { plans: [daily({ fixed_charges: [seat] })], add_ons: [addOnRecord('seat')] };
    const text = await told(records, start('2026-03-15'));
    expect(text).toContain('“Plan plan”: plan fee for 17 of 31 days (€31.00 for all 31) = €17.00.');
    expect(text).toContain('“Add-on seat”: 8 for 17 of 31 days (€12.00 each for all 31) = €52.65.');
    expect(await told(records, start('2026-03-01'))).toContain('“Plan plan”: plan fee = €31.00. ');
  });

  it.each([
    ['weekly', '2026-03-12', '4 of 7 days'],
    ['quarterly', '2026-03-12', '20 of 90 days'],
    ['semiannual', '2026-03-12', '111 of 181 days'],
    ['yearly', '2026-03-12', '295 of 365 days'],
  ] as const)('counts the days of a %s period', async (interval, at, days) => {
    expect(await told({ plans: [daily({ interval, amount_cents: 100_00 })] }, start(at))).toContain(
      `plan fee for ${days} (€100.00 for all ${days.split(' ')[2]})`,
    );
  });

  it('names the trial', async () => {
    const plans = [daily({ trial_period: '10' })];
    expect(await told({ plans }, start('2026-03-15'))).toContain(
      '“Plan plan”: plan fee for 7 of 31 days, after the trial (€31.00 for all 31) = €7.00.',
    );
    expect(await told({ plans }, start('2026-03-25'))).toContain(
      '“Plan plan”: plan fee, free during the trial (€31.00 otherwise) = €0.00.',
    );
    expect(await told({ plans }, start('2026-04-10', { billing_time: 'anniversary' }))).toContain(
      'plan fee for 20 of 30 days, after the trial (€31.00 for all 30)',
    );
  });

  it('tells only the whole price where two answers fit: half a quarter and a trial’s rest', async () => {
    const plans = [daily({ interval: 'quarterly', trial_period: '46' })];
    expect(await told({ plans }, start('2026-10-01'))).toContain(
      '“Plan plan”: plan fee for part of the period (€31.00 for a full one) = €15.50.',
    );
  });

  it('counts the days where the subscription ends or changes; on an upgrade its last day is the new plan’s', async () => {
    const records = running([daily(), daily({ code: 'big', amount_cents: 9000, pay_in_advance: true })]);
    const ends = { external_ids: ['sub'], terminated_at: '2026-03-20T10:00:00Z' };
    expect(await told(records, stored({ subscriptions: ends }))).toContain('for 20 of 31 days (€31.00 for all 31)');
    const upgrade = await told(records, stored({ subscriptions: { external_ids: ['sub'], plan_code: 'big' } }));
    expect(upgrade).toContain('plan fee for 9 of 31 days (€31.00 for all 31)');
    expect(upgrade).toContain('plan fee for 22 of 31 days (€90.00 for all 31)');
  });

  it('names no days of a period from its anniversary that ends, nor any trial', async () => {
    const part = 'plan fee for part of the period (€31.00 for a full one)';
    const ends = { external_ids: ['sub'], terminated_at: '2026-03-20T10:00:00Z' };
    const billed = running(daily(), {}, { billing_time: 'anniversary' });
    expect(await told(billed, stored({ subscriptions: ends }))).toContain(part);
    const tried = running(daily({ trial_period: '50' }));
    expect(await told(tried, stored({ subscriptions: ends }))).not.toContain('trial');
  });

  it('is an average of volume, whose units may be prorated', async () => {
    const ranges = [{ from_value: 0, to_value: null, per_unit_amount: '12', flat_amount: '0' }];
    const seats = (prorated: boolean) =>
      running(
        daily({
          charges: [chargeRecord('units', { prorated, charge_model: 'volume', properties: { volume_ranges: ranges } })],
        }),
        { billable_metrics: [metricRecord('units', { recurring: true })], events: [event(1, '03-09', 8)] },
      );
    expect(await told(seats(true), stored())).toContain(
      '“Metric units”: all 8 units at €8.903235 on average (€71.22588) = €71.23.',
    );
    expect(await told(seats(false), stored())).toContain(
      '“Metric units”: all 8 units at €12.00 on average (€96.00) = €96.00.',
    );
  });

  it('of prorated usage at a standard price is not told without the plan, nor an average', async () => {
    const plan = daily({ charges: [chargeRecord('units', { prorated: true, properties: { amount: '12' } })] });
    const rest = { billable_metrics: [metricRecord('units', { recurring: true })], events: [event(1, '03-09', 8)] };
    expect(await told(running(plan, rest), stored())).toContain('“Metric units”: 8 units = €71.23.');
  });
});

describe('what a preview says of coupons', () => {
  const fixed = { name: 'Welcome', coupon_type: 'fixed_amount', amount_cents: 5000, amount_currency: 'EUR' };
  const with_ = (coupon: object) => ({ plan_code: 'plan', subscription_at: '2026-04-01', coupons: [coupon] });

  it('is what is left of one that the call describes', async () => {
    expect(await told({ plans: [daily()] }, with_(fixed))).toContain('Left for later invoices: €19.00 of “Welcome”.');
  });

  it.each([
    ['one for every invoice', { ...fixed, frequency: 'forever' }],
    ['one that is used up', { ...fixed, amount_cents: 3100 }],
    ['a percentage', { name: 'Ten', coupon_type: 'percentage', percentage_rate: '10' }],
  ])('is nothing left of %s', async (_, coupon) => {
    expect(await told({ plans: [daily()] }, with_(coupon))).not.toContain('Left for later');
  });

  it('is nothing left of a stored one, whose values were not sent', async () => {
    const coupons = [couponRecord('w', { amount_cents: 100 })];
    expect(await told({ plans: [daily()], coupons }, with_({ ...fixed, code: 'w' }))).not.toContain('Left for later');
  });
});
