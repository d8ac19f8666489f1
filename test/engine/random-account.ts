/** Accounts of any terms, for what must be true of every bill: one customer, one plan, one subscription, and usage. */
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { Case, Entry } from './file-service.ts';

const cents = fc.integer({ min: 0, max: 500_000 });
/** Prices of up to six decimals, so that cents are rounded. */
const price = fc.integer({ min: 0, max: 5_000_000 }).map(each => (each / 1_000_000).toFixed(6));
const zone = fc.constantFrom('UTC', 'Europe/Paris', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata');
const rate = fc.constantFrom('5.5', '8.875', '19', '20', '33.333');

const ranges = fc.tuple(price, price, price).map(([first, second, flat]) => [
  { from_value: 0, to_value: 10, per_unit_amount: first, flat_amount: flat },
  { from_value: 11, to_value: null, per_unit_amount: second, flat_amount: '0' },
]);
const model = fc.oneof(
  price.map(amount => ({ charge_model: 'standard', properties: { amount } })),
  ranges.map(graduated_ranges => ({ charge_model: 'graduated', properties: { graduated_ranges } })),
  price.map(amount => ({ charge_model: 'package', properties: { amount, package_size: 7, free_units: 3 } })),
  rate.map(each => ({ charge_model: 'percentage', properties: { rate: each, fixed_amount: '0.15' } })),
);
const charge = fc
  .record({ metric: fc.constantFrom('sum', 'count', 'max'), model, min_amount_cents: fc.oneof(fc.constant(0), cents) })
  .map(({ metric, model: priced, min_amount_cents }) => ({
    billable_metric_code: metric,
    ...priced,
    min_amount_cents,
  }));
const fixedCharge = fc
  .record({ units: fc.integer({ min: 0, max: 40 }), amount: price, prorated: fc.boolean() })
  .map(({ units, amount, prorated }) => ({
    ...{ add_on_code: 'seat', charge_model: 'standard', units: String(units), properties: { amount }, prorated },
  }));

const plan = fc.record({
  interval: fc.constantFrom('weekly', 'monthly', 'quarterly', 'semiannual', 'yearly'),
  amount_cents: cents,
  charges: fc.array(charge, { maxLength: 3 }).map(all => all.map((each, i) => ({ code: `charge${i}`, ...each }))),
  fixed_charges: fc.array(fixedCharge, { maxLength: 1 }),
  minimum_commitment: fc.option(cents.map(amount_cents => ({ amount_cents: amount_cents + 1 }))),
});

const coupon = fc.oneof(
  rate.map(percentage_rate => ({ coupon_type: 'percentage', percentage_rate })),
  cents.map(each => ({ coupon_type: 'fixed_amount', amount_cents: each + 1, amount_currency: 'EUR' })),
);

/** Usage before the clock: minutes since the start, and how much. */
const events = fc.array(
  fc.record({ minute: fc.integer({ min: 1, max: 12_000 }), value: fc.integer({ min: 0, max: 60 }) }),
  {
    maxLength: 12,
  },
);

const metrics: Entry[] = [
  { code: 'sum', aggregation_type: 'sum_agg', field_name: 'value' },
  { code: 'count', aggregation_type: 'count_agg' },
  { code: 'max', aggregation_type: 'max_agg', field_name: 'value' },
];

export interface AnyAccount extends Case {
  /** When the subscription began; the clock is ten days later at most. */
  start: string;
}

/** Plans bill in arrears: then one invoice has the whole period. */
export const anyAccount: fc.Arbitrary<AnyAccount> = fc
  .record({
    start: fc.integer({ min: 0, max: 365 * 24 * 60 }),
    clock: fc.integer({ min: 1, max: 12_000 }),
    ...{ plan, zone, events, billing_time: fc.constantFrom('calendar', 'anniversary'), taxes: fc.uniqueArray(rate) },
    coupons: fc.array(coupon, { maxLength: 2 }),
    wallet: fc.option(cents),
  })
  .map(({ start: minutes, clock, taxes, coupons, wallet, billing_time, ...given }) => {
    const start = Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes });
    const at = (minute: number) => start.add({ minutes: minute }).toString();
    const now = at(clock);
    return {
      ...{ start: start.toString(), now, metrics },
      plan: { ...given.plan, ...(given.plan.minimum_commitment === null && { minimum_commitment: undefined }) },
      customer: {
        ...{ timezone: given.zone, currency: 'EUR', tax_codes: taxes.map((_, i) => `tax${i}`) },
        applied_coupons: coupons.map((_, i) => ({ code: `coupon${i}`, frequency: 'forever' })),
      },
      subscription: { subscription_at: start.toString(), billing_time },
      rest: {
        taxes: taxes.map((each, i) => ({ code: `tax${i}`, name: `Tax ${i}`, rate: each })),
        add_ons: [{ code: 'seat', name: 'Seat', amount_cents: 100, amount_currency: 'EUR' }],
        coupons: coupons.map((each, i) => ({ code: `coupon${i}`, name: `Coupon ${i}`, frequency: 'forever', ...each })),
        wallets:
          wallet === null
            ? []
            : [
                {
                  external_customer_id: 'acme',
                  name: 'W',
                  code: 'w',
                  currency: 'EUR',
                  rate_amount: '1',
                  credits_balance: (wallet / 100).toFixed(2),
                },
              ],
      },
      events: given.events
        .filter(({ minute }) => minute < clock)
        .flatMap(({ minute, value }) =>
          metrics.map(({ code }) => ({ code, timestamp: at(minute), properties: { value } })),
        ),
    };
  });
