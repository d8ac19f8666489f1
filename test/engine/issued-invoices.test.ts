/** What issued invoices do otherwise than previews (§12.8, correction 97): the figures of §12.8, then another input. */
import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/engine/merge-usage.ts';
import { partFees, partQueries } from '../../src/engine/preview-fees.ts';
import {
  eachFixedChargeOnce,
  endingPart,
  type InvoicePart,
  projectionPart,
  type Subject,
  startingPart,
  startOf,
  trialEndPart,
} from '../../src/engine/preview-parts.ts';
import type { PlanRecord, SubscriptionRecord } from '../../src/engine/records/index.ts';
import { lines } from './preview-world.ts';
import { addOnRecord, chargeRecord, fixedChargeRecord, metricRecord, planRecord, subscriptionRecord } from './world.ts';

const catalogue = {
  metrics: new Map(['units', 'calls'].map(code => [code, metricRecord(code)])),
  add_ons: new Map(['seat', 'line'].map(code => [code, addOnRecord(code)])),
};
const charged = (amount: string) => ({ charges: [chargeRecord('units', { properties: { amount } })] });
const inAdvance = { pay_in_advance: true } as const;
const march10 = '2026-03-10T00:00:00.000Z';
const april = '2026-04-01T00:00:00.000Z';

function subject(plan: Partial<PlanRecord>, fields: Partial<SubscriptionRecord> = {}): Subject {
  const subscription = subscriptionRecord(fields);
  const first_started_at = subscription.started_at ?? subscription.subscription_at;
  const past = { billed_fees: [], billed_periods: [], follows: 'nothing' } as const;
  return { subscription, plan: planRecord(plan), timezone: 'UTC', first_started_at, ...past };
}

/** The lines of an invoice with so many units of each metric on each subscription. */
function linesOf(planned: InvoicePart[], units = '0'): string {
  const parts = eachFixedChargeOnce(planned);
  const row = { ...emptyUsage(), sum: units, events_count: units === '0' ? 0 : 1 };
  const usage = new Map(partQueries(parts, catalogue).map(({ key }) => [key, [row]]));
  const context = { catalogue, taxes: new Map(), customer: null, entity_tax_codes: [] };
  return lines({ fees: parts.flatMap((part, i) => partFees(part, i, usage, context)).map(({ record }) => record) });
}

const started = (one: Subject) => startingPart(one, startOf(one), false);

describe('an issued invoice (§12.8)', () => {
  const yearly = { interval: 'yearly', amount_cents: 120_000, ...charged('1') } as const;
  const fixed = [fixedChargeRecord('seat'), fixedChargeRecord('line', inAdvance)];
  it.each<[string, Partial<PlanRecord>, string, string]>([
    [
      'usage by the month',
      { ...yearly, bill_charges_monthly: true, fixed_charges: fixed },
      '2026-06-01T00:00:00.000Z',
      'charge units 300',
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
      '2026-06-01T00:00:00.000Z',
      'charge units 300, fixed line 2000, fixed seat 2000',
    ],
    [
      'in the last month, the rest too',
      { ...yearly, bill_charges_monthly: true },
      '2027-01-01T00:00:00.000Z',
      'plan 120000, charge units 300',
    ],
  ])('bills monthly items by the month: %s', (_name, plan, billedAt, expected) => {
    expect(linesOf([projectionPart(subject(plan), billedAt)], '3')).toEqual(expected);
  });

  it.each([
    [['plan', 'plan', 'plan'], 1],
    [['plan', 'copy', 'plan'], 2],
  ])('has each fixed charge of a plan once: %j', (plans, times) => {
    const charges = (id: string) => [
      fixedChargeRecord('seat', { id: `seat ${id}`, units: '6', properties: { amount: '1' } }),
      fixedChargeRecord('line', { id: `line ${id}`, units: '7', properties: { amount: '1' } }),
    ];
    const subjects = plans.map((id, i) =>
      subject({ id, amount_cents: 1000, fixed_charges: charges(id) }, { id: `s${i}`, external_id: `s${i}` }),
    );
    const fixed = linesOf(subjects.map(each => projectionPart(each, april))).match(/fixed \w+ \d+/g);
    expect(fixed).toEqual(Array(times).fill(['fixed seat 600', 'fixed line 700']).flat());
  });

  it('of a first period in advance has the arrears fixed charges', () => {
    const plan = {
      ...inAdvance,
      amount_cents: 3100,
      fixed_charges: [fixedChargeRecord('seat', { prorated: true, units: '31' })],
    };
    const given = subject(plan, { subscription_at: march10, started_at: march10 });
    expect(linesOf([projectionPart(given, april)])).toMatch(/fixed seat 22000(,|$)/);
    const end = { how: 'terminated', at: '2026-03-20T00:00:00.000Z', next_plan: null } as const;
    expect(linesOf([endingPart(given, end)])).toBe('fixed seat 11000');
  });

  it('of a start in arrears bills fixed charges in advance: 5.00 + 3 × 31.00 × 22 ÷ 31', () => {
    const properties = { amount: '31' };
    const plan = {
      fixed_charges: [
        fixedChargeRecord('line', { ...inAdvance, units: '1', properties: { amount: '5' } }),
        fixedChargeRecord('seat', { ...inAdvance, prorated: true, units: '3', properties }),
      ],
    };
    const fixed = 'fixed line 500, fixed seat 6600';
    expect(linesOf([started(subject(plan, { started_at: march10 }))])).toEqual(fixed);
    const paid = subject({ ...plan, ...inAdvance }, { started_at: march10 });
    expect(linesOf([started(paid)])).toBe(`plan 7097, ${fixed}`);
  });

  it('of the first period in arrears has minimums and flat amounts without usage', () => {
    const flat = { volume_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '4' }] };
    const charges = [
      chargeRecord('units', { min_amount_cents: 500 }),
      chargeRecord('calls', { charge_model: 'volume', properties: flat }),
    ];
    expect(linesOf([projectionPart(subject({ amount_cents: 0, charges }), april)])).toBe(
      'plan 0, charge units 0, charge units 500, charge calls 400',
    );
  });

  it('bills a plan in advance when its trial has ended: 12 of 31 days of 310.00 on 20 March', () => {
    const one = subject(
      { ...inAdvance, amount_cents: 31_000, trial_period: '10', fixed_charges: [fixedChargeRecord('line', inAdvance)] },
      { subscription_at: march10, started_at: march10 },
    );
    expect(linesOf([started(one)])).toBe('fixed line 2000');
    const trialEnd = trialEndPart(one, '2026-03-20T00:00:00.000Z');
    expect(linesOf([trialEnd])).toBe('plan 12000');
    expect(trialEnd.billing_date).toBe('2026-03-20');
    expect(linesOf([projectionPart(one, april)])).toBe('plan 31000, fixed line 2000');
    // 25 days: until 4 April, so that the invoice of 1 April has no plan fee either.
    const longer = subject({ ...one.plan, trial_period: '25' }, { subscription_at: march10, started_at: march10 });
    expect(linesOf([projectionPart(longer, april)])).toBe('fixed line 2000');
  });
});
