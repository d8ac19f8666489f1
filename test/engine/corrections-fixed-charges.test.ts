/** Fees of fixed charges that were once computed otherwise, through the running service. */
import { describe, expect, it } from 'vitest';
import { invoiceOf, type Shown } from './corrections.ts';
import { type Case, type Entry, serve } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

const rest = { add_ons: [{ code: 'seat', name: 'Seat', amount_cents: 1, amount_currency: 'EUR' }] };
const seat = (units: string, amount: string, more: Entry = {}) => ({
  add_on_code: 'seat',
  code: 'seat',
  units,
  properties: { amount },
  ...more,
});
const fixedFees = (invoice: Shown): Shown[] => invoice.fees.filter((fee: Shown) => fee.item.type === 'fixed_charge');

describe('correction 1: prorated fixed charges prorate units, not money', () => {
  const tier = (from_value: number, to_value: number | null, per_unit_amount: string, flat_amount: string) => ({
    from_value,
    to_value,
    per_unit_amount,
    flat_amount,
  });
  const [low, high] = [tier(0, 10, '10', '5'), tier(11, null, '5', '3')];
  const graduated = { charge_model: 'graduated', properties: { graduated_ranges: [low, high] } };
  const volume = { charge_model: 'volume', properties: { volume_ranges: [low, high] } };
  const flat = { charge_model: 'volume', properties: { volume_ranges: [tier(0, null, '1.05', '17.76')] } };
  it.each<[string, string, string, Entry, number, string]>([
    [
      'standard 3 × 2.75, 9 of 31 days: 0.870968 × 2.75',
      'UTC',
      '2026-03-23',
      seat('3', '2.75'),
      240,
      '0.798387333333333',
    ],
    ['volume 3 × 1.05 + 17.76, 9 of 31 days', 'UTC', '2026-03-23', seat('3', '', flat), 1867, '6.2248388'],
    [
      'volume 15 × 5 + 3, 16 of 31 days: 7.741935 × 5 + 3',
      'UTC',
      '2026-03-16',
      seat('15', '', volume),
      4171,
      '2.780645',
    ],
    [
      'graduated 15, 16 of 31 days: 5.16129 × 10 + 2.580645 × 5 + 8',
      'UTC',
      '2026-03-16',
      seat('15', '', graduated),
      7252,
      '4.834408333333333',
    ],
    // 10 ÷ 3 and 2 ÷ 3 of the units; the day in New York is the 11th.
    [
      'graduated 12, 20 of 30 days in New York: 6.666667 × 10 + 1.333333 × 5 + 8',
      'America/New_York',
      '2026-04-12T03:00:00Z',
      seat('12', '', graduated),
      8133,
      '6.77777791666666',
    ],
  ])('%s', async (_name, timezone, subscription_at, charge, cents, unit) => {
    const given = {
      now: '2026-04-20T12:00:00Z',
      customer: { timezone },
      plan: { amount_cents: 0, fixed_charges: [{ ...charge, prorated: true }] },
      subscription: null,
      rest,
    };
    const [fee] = fixedFees(
      await invoiceOf(given, { plan_code: 'plan', subscription_at, customer: { external_id: 'acme' } }),
    );
    expect([fee.amount_cents, Number(fee.precise_unit_amount)]).toEqual([cents, expect.closeTo(Number(unit), 8)]);
    expect(fee.units).toBe(`${charge.units}.0`);
    if (charge.charge_model === 'graduated') expect(fee.amount_details).toEqual({});
  });
});

describe('correction 2: new units of a fixed charge hold from the next period, or at once', () => {
  const march = '2026-03-16T12:00:00Z';
  /** The fixed charge's fee of the period, after an override on the 16th. */
  async function feeAfter(charge: Entry, sent: Entry, more: Entry = {}, at = march): Promise<Shown> {
    const given: Case = { now: march, plan: { amount_cents: 0, fixed_charges: [charge] }, rest };
    const service = await serve(given);
    const id = (await service.get('/plans/plan')).body.plan.fixed_charges[0].svc_id;
    await service.put('/subscriptions/sub', {
      subscription: { plan_overrides: { fixed_charges: [{ id, units: '20', ...sent }], ...more } },
    });
    const { body } = await service.post('/invoices/preview', ofSubscription(), at);
    return fixedFees(body.invoice)[0];
  }
  const [whole, prorated] = [seat('10', '5'), seat('10', '5', { prorated: true })];
  const atOnce = { apply_units_immediately: true };
  const april = '2026-04-20T12:00:00Z';
  it.each<[string, Entry, Entry, Entry, string, number, string]>([
    ['March: 10 × 5.00', whole, {}, {}, march, 5000, '10.0'],
    ['April: 20 × 5.00', whole, {}, {}, april, 10_000, '20.0'],
    ['at once: 20 × 5.00', whole, atOnce, {}, march, 10_000, '20.0'],
    ['at once, prorated: 10 × 15/31 + 20 × 16/31 = 15.161291', prorated, atOnce, {}, march, 7581, '20.0'],
    ['prorated, March', prorated, {}, {}, march, 5000, '10.0'],
    ['with a plan of its own: March', whole, {}, { amount_cents: 0, name: 'Own' }, march, 5000, '10.0'],
    ['with a plan of its own, at once and prorated', prorated, atOnce, { name: 'Own' }, march, 7581, '20.0'],
    ['with a plan of its own: April', prorated, atOnce, { name: 'Own' }, april, 10_000, '20.0'],
    [
      'graduated at once: 10 × 15/31 and 10 + 10 × 16/31 of two tiers',
      {
        ...prorated,
        charge_model: 'graduated',
        properties: {
          graduated_ranges: [
            { from_value: 0, to_value: 10, per_unit_amount: '5', flat_amount: '0' },
            { from_value: 11, to_value: null, per_unit_amount: '1', flat_amount: '2' },
          ],
        },
      },
      atOnce,
      {},
      march,
      // 4.83871 × 5 + 5.16129 × 5 + 5.16129 × 1 + 2
      5716,
      '20.0',
    ],
  ])('%s', async (_name, charge, sent, more, at, cents, units) => {
    const fee = await feeAfter(charge, sent, more, at);
    expect([fee.amount_cents, fee.units]).toEqual([cents, units]);
  });
});

describe('correction 3: a prorated fixed charge is less what the plan before an upgrade was paid for it', () => {
  const charged = (units: string, amount: string) => seat(units, amount, { prorated: true, pay_in_advance: true });
  const upgraded = async (now: string, units: string, amount: string, paid: Entry | null) => {
    const fee = { type: 'fixed_charge', fixed_charge_code: 'seat', external_subscription_id: 'sub', ...paid };
    const invoice = { number: 'I-1', external_customer_id: 'acme', issuing_date: now.slice(0, 10), currency: 'EUR' };
    const given = {
      now,
      plan: { pay_in_advance: true, fixed_charges: [charged('10', '3.10')] },
      plans: [{ code: 'dear', amount_cents: 9000, pay_in_advance: true, fixed_charges: [charged(units, amount)] }],
      rest: { ...rest, ...(paid && { invoices: [{ ...invoice, fees: [fee] }] }) },
    };
    return fixedFees(await invoiceOf(given, ofSubscription({ plan_code: 'dear' }))).map(each => each.amount_cents);
  };
  const march = { from_date: '2026-03-01', to_date: '2026-03-31' };
  it.each<[string, string, string, string, Entry | null, number[]]>([
    ['4400 − 3100 × 22 ÷ 31', '2026-03-10T12:00:00Z', '20', '3.10', { amount: '31', ...march }, [2200]],
    ['1100 − 2200: not below 0', '2026-03-10T12:00:00Z', '10', '1.55', { amount: '31', ...march }, [0]],
    ['nothing was paid', '2026-03-10T12:00:00Z', '20', '3.10', null, [4400]],
    [
      'paid for an earlier month',
      '2026-03-10T12:00:00Z',
      '20',
      '3.10',
      { amount: '31', from_date: '2026-02-01', to_date: '2026-02-28' },
      [4400],
    ],
    // Paid for 15 days of April: 500 × 10 ÷ 15 = 333; new 30 × 10/30 × 1.00.
    [
      '1000 − 500 × 10 ÷ 15',
      '2026-04-21T12:00:00Z',
      '30',
      '1',
      { amount: '5', from_date: '2026-04-16', to_date: '2026-04-30' },
      [667],
    ],
  ])('%s', async (_name, now, units, amount, paid, cents) => {
    expect(await upgraded(now, units, amount, paid)).toEqual(cents);
  });
});
