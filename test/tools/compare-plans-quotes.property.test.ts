/**
 * A quote of assumed usage equals the invoice of a whole period over events that make up that usage, and a second
 * calculation that shares no code with either (test/engine/reference.ts).
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyDigits } from '../../src/contract/currencies.ts';
import type { ChargeModel } from '../../src/contract/enums.ts';
import type { ChargeRecord, EventRecord, JsonObject, PlanRecord } from '../../src/engine/records/index.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { comparisonFrom, previewRequests } from '../../tools/compare-plans.ts';
import {
  type Fraction,
  invoiceTotals,
  type ReferenceFee,
  type ReferenceRange,
  rounded,
  standardPrice,
} from '../engine/reference.ts';
import { ofSubscription, type World, world } from '../engine/service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  commitmentOf,
  customerRecord,
  entityRecord,
  eventRecord,
  fixedChargeRecord,
  metricRecord,
  planRecord,
  subscriptionRecord,
  taxRecord,
} from '../engine/world.ts';
import { runs, sameRuns, whole } from '../support/extent.ts';
import { accountApi, hundredths, perCent, perUnit, priceOf } from './reference-prices.ts';

const START = '2026-03-10T00:00:00.000Z';
const NOW = '2026-03-10T12:00:00.000Z';
const metrics = ['minutes', 'calls', 'seats'] as const;
const rates: { [code: string]: string } = { vat: '20', city: '1.375', low: '5.5' };

/** Events of a metric with one region and team; values in hundredths. */
interface Use {
  metric: (typeof metrics)[number];
  region: 'eu' | 'us' | null;
  team: 'a' | 'b' | null;
  values: number[];
}

interface Case {
  plan: PlanRecord;
  uses: Use[];
  coupon: JsonRecord | null;
}

const price = fc.integer({ min: 0, max: 50_000 }).map(n => (n / 1_000).toFixed(3));
const small = fc.integer({ min: 1, max: 300 });
const taxes = fc.subarray(Object.keys(rates), { maxLength: 2 });

const ranges = fc
  .tuple(small, small, fc.array(fc.tuple(price, price), { minLength: 3, maxLength: 3 }))
  .map(([first, more, prices]): ReferenceRange[] => {
    const [one, two, three] = prices.map(([rate, flat]) => ({ rate, flat })) as [Prices, Prices, Prices];
    return [
      { from: 0, to: first, ...one },
      { from: first + 1, to: first + more, ...two },
      { from: first + more + 1, to: null, ...three },
    ];
  });
interface Prices {
  rate: string;
  flat: string;
}

type Terms = Pick<ChargeRecord, 'charge_model' | 'properties'>;
/** A model with properties that need not have the same fields every time. */
const model = (charge_model: ChargeModel, properties: JsonObject): Terms => ({ charge_model, properties });

const terms: fc.Arbitrary<Terms> = fc.oneof(
  fc
    .tuple(price, fc.boolean())
    .map(([amount, grouped]) => model('standard', grouped ? { amount, pricing_group_keys: ['team'] } : { amount })),
  fc
    .tuple(price, small, fc.nat(200))
    .map(([amount, package_size, free_units]) => model('package', { amount, package_size, free_units })),
  ranges.map(tiers => model('graduated', { graduated_ranges: tiers.map(perUnit) })),
  ranges.map(tiers => model('volume', { volume_ranges: tiers.map(perUnit) })),
  ranges.map(tiers =>
    model('graduated_percentage', {
      graduated_percentage_ranges: tiers.map(perCent),
    }),
  ),
  fc
    .record({
      rate: price,
      fixed_amount: fc.oneof(fc.constant('0'), price),
      free_units_per_events: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5 })),
      free_units_per_total_aggregation: fc.oneof(fc.constant('0'), price),
    })
    .map(properties => model('percentage', properties)),
);

const charges = fc
  .tuple(fc.subarray([...metrics], { minLength: 1 }), fc.array(fc.tuple(terms, terms), { minLength: 3, maxLength: 3 }))
  .chain(([used, prices]) =>
    fc.tuple(
      ...used.map((metric, i) =>
        fc
          .record({
            split: fc.boolean(),
            min: fc.oneof(fc.constant(0), fc.nat(30_000)),
            tax_codes: taxes,
            inAdvance: fc.boolean(),
            prorated: fc.boolean(),
          })
          .map(({ split, min, tax_codes, inAdvance, prorated }) => {
            const [[own, other]] = [prices[i]!];
            // Seats recur: only these are on the invoice of the period although they are paid in advance (§12.5).
            const pay_in_advance = metric === 'seats' && inAdvance && own.charge_model !== 'volume';
            const parts = pay_in_advance ? ['standard'] : ['standard', 'volume'];
            const time = {
              pay_in_advance,
              prorated: metric === 'seats' && prorated && parts.includes(own.charge_model),
            };
            const sameModel = own.charge_model === other.charge_model ? other.properties : own.properties;
            return chargeRecord(metric, {
              ...{ ...own, ...time, min_amount_cents: pay_in_advance ? 0 : min, tax_codes },
              filters: split
                ? [
                    {
                      id: `${metric}-eu`,
                      invoice_display_name: null,
                      values: { region: ['eu'] },
                      properties: sameModel,
                    },
                  ]
                : [],
            });
          }),
      ),
    ),
  );

const plans = fc
  .record({
    amount_cents: fc.nat(60_000),
    amount_currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    interval: fc.constantFrom('weekly', 'monthly', 'quarterly', 'yearly'),
    pay_in_advance: fc.boolean(),
    charges,
    tax_codes: taxes,
    commitment: fc.oneof(fc.constant(null), fc.nat(200_000)),
    commitmentTaxes: taxes,
    fixed: fc.option(fc.record({ pay_in_advance: fc.boolean(), amount: price, units: fc.nat(5), tax_codes: taxes })),
  })
  .map(({ commitment, commitmentTaxes, fixed, ...fields }) =>
    planRecord({
      ...fields,
      minimum_commitment: commitment === null ? null : commitmentOf(commitment, commitmentTaxes),
      fixed_charges: fixed === null ? [] : [fixedChargeRecord('desk', fixedFields(fixed))],
    }),
  );

function fixedFields({ amount, units, ...fields }: { amount: string; units: number; pay_in_advance: boolean }) {
  return { ...fields, units: String(units), properties: { amount } };
}

const use: fc.Arbitrary<Use> = fc.record({
  metric: fc.constantFrom(...metrics),
  region: fc.constantFrom('eu', 'us', null),
  team: fc.constantFrom('a', 'b', null),
  values: fc.array(fc.nat(20_000), { minLength: 1, maxLength: 4 }),
});

const coupon: fc.Arbitrary<JsonRecord> = fc.oneof(
  fc
    .integer({ min: 1, max: 40_000 })
    .map(amount_cents => ({ code: 'less', coupon_type: 'fixed_amount', amount_cents })),
  fc
    .integer({ min: 1, max: 9_999 })
    .map(n => ({ code: 'part', coupon_type: 'percentage', percentage_rate: (n / 100).toFixed(2) })),
);

const cases: fc.Arbitrary<Case> = fc
  .record({ plan: plans, uses: fc.array(use, { maxLength: 4 }), coupon: fc.oneof(fc.constant(null), coupon) })
  // A fixed amount without its currency is not applied (§12.6).
  .map(one => ({ ...one, coupon: one.coupon && { ...one.coupon, amount_currency: one.plan.amount_currency } }));

/** Half a cent, where amounts are counted in their fifteenth decimal. */
const half = 5n * 10n ** 12n;
const scaledUp = (amount: string) => {
  const [units = '0', decimals = ''] = amount.split('.');
  return BigInt(units + decimals.padEnd(15, '0'));
};

/** The account with a subscription to each plan, started now, and its events. */
async function accountOf(list: readonly Case[]): Promise<World> {
  const events: EventRecord[] = list.flatMap(({ uses }, i) =>
    uses.flatMap(({ metric, region, team, values }, j) =>
      values.map((value, k) => {
        const properties = { value: String(value / 100), ...(region && { region }), ...(team && { team }) };
        const at = {
          timestamp: `2026-03-10T0${j}:00:0${k}.000Z`,
          subscription_id: `s${i}`,
          external_subscription_id: `s${i}`,
        };
        return eventRecord(i * 1_000 + j * 10 + k, { ...at, code: metric, properties: properties as JsonObject });
      }),
    ),
  );
  const regions = [{ key: 'region', values: ['eu', 'us'] }];
  return world(
    {
      billing_entities: [entityRecord({ tax_codes: ['city'] })],
      customers: [customerRecord()],
      taxes: Object.entries(rates).map(([code, rate]) => taxRecord(code, rate)),
      billable_metrics: metrics.map(code => metricRecord(code, { filters: regions, recurring: code === 'seats' })),
      add_ons: [addOnRecord('desk')],
      plans: list.map(({ plan }, i) => numbered(plan, i)),
      subscriptions: list.map((_, i) =>
        subscriptionRecord({
          id: `s${i}`,
          external_id: `s${i}`,
          plan_id: `p${i}`,
          billing_time: 'anniversary',
          subscription_at: START,
        }),
      ),
      events,
    },
    NOW,
  );
}

function numbered(plan: PlanRecord, i: number): PlanRecord {
  const charges = plan.charges.map(charge => ({
    ...{ ...charge, id: `${charge.id}-${i}` },
    filters: charge.filters.map(filter => ({ ...filter, id: `${filter.id}-${i}` })),
  }));
  const fixed_charges = plan.fixed_charges.map(charge => ({ ...charge, id: `${charge.id}-${i}` }));
  const minimum_commitment = plan.minimum_commitment && { ...plan.minimum_commitment, id: `commitment-${i}` };
  return { ...plan, id: `p${i}`, code: `p${i}`, charges, fixed_charges, minimum_commitment };
}

async function quoteOf(account: World, one: Case, i: number): Promise<JsonRecord> {
  const listed = await account.get('/plans?per_page=100');
  const plans = listed.body.plans as JsonRecord[];
  const args = {
    plan_codes: [`p${i}`],
    customer: { external_id: 'acme' },
    usage: one.uses.map(({ metric, region, team, values }) => ({
      billable_metric_code: metric,
      units: values.reduce((sum, value) => sum + value, 0) / 100,
      events: values.length,
      ...(region && { filter: { region } }),
      ...(team && { groups: { team } }),
    })),
    ...sentCoupons(one),
  };
  const answers = [];
  for (const { key, body: sent } of previewRequests(args)) {
    const { status, body } = await account.post('/invoices/preview', sent);
    expect(status).toBe(200);
    answers.push({ key, body });
  }
  const record = (await comparisonFrom(args, answers, { plans }, accountApi(account))) as { comparison: JsonRecord[] };
  return record.comparison[0]!;
}

/** A fixed amount counts only in the plan's currency (§12.6). */
function sentCoupons({ coupon: sent, plan }: Case): JsonRecord {
  return sent === null ? {} : { coupons: [{ ...sent, amount_currency: plan.amount_currency }] };
}

function referenceOf({ plan, uses, coupon: sent }: Case) {
  const cents = (amount: Fraction) => rounded(amount, currencyDigits(plan.amount_currency));
  const sumOf = (codes: readonly string[]) =>
    String(codes.reduce((sum, code) => sum + Number(rates[code]) * 1_000, 0) / 1_000);
  const planRate = sumOf(plan.tax_codes.length > 0 ? plan.tax_codes : ['city']);
  const rateOf = (codes: readonly string[]) => (codes.length > 0 ? sumOf(codes) : planRate);
  const fees: ReferenceFee[] = [{ cents: BigInt(plan.amount_cents), taxRate: planRate }];
  for (const fixed of plan.fixed_charges) {
    fees.push({
      cents: cents(standardPrice(fixed.units, String(fixed.properties.amount))),
      taxRate: rateOf(fixed.tax_codes),
    });
  }
  for (const charge of plan.charges) {
    const own: bigint[] = [];
    for (const filter of [...charge.filters, null]) {
      const matching = uses
        .filter(one => one.metric === charge.billable_metric_id)
        .filter(one => {
          const first = charge.filters.length > 0 && one.region === 'eu';
          return first === (filter !== null);
        });
      const properties = filter?.properties ?? charge.properties;
      const grouped = properties.pricing_group_keys !== undefined;
      const teams = new Set(matching.map(one => (grouped ? one.team : null)));
      const groups = [...(teams.size === 0 ? [null] : teams)].map(team =>
        matching.filter(one => !grouped || one.team === team),
      );
      for (const group of groups)
        own.push(cents(priceOf(charge.charge_model, properties, group.flatMap(one => one.values).map(hundredths))));
    }
    const sum = own.reduce((a, b) => a + b, 0n);
    const missing = BigInt(charge.min_amount_cents) - sum;
    for (const amount of [...own, ...(missing > 0n ? [missing] : [])]) {
      fees.push({ cents: amount, taxRate: rateOf(charge.tax_codes) });
    }
  }
  const rest = BigInt(plan.minimum_commitment?.amount_cents ?? 0) - fees.reduce((sum, fee) => sum + fee.cents, 0n);
  if (rest > 0n) fees.push({ cents: rest, taxRate: rateOf(plan.minimum_commitment?.tax_codes ?? []) });
  const coupons =
    sent === null
      ? []
      : [
          sent.coupon_type === 'percentage'
            ? { rate: String(sent.percentage_rate) }
            : { cents: BigInt(sent.amount_cents as number) },
        ];
  return invoiceTotals(fees, coupons);
}

interface InAdvance {
  terms: Terms;
  values: number[];
}
const inAdvance: fc.Arbitrary<InAdvance> = fc.record({
  terms: terms.filter(({ charge_model }) => charge_model !== 'volume'),
  values: fc.array(fc.nat(20_000), { maxLength: 4 }),
});

/** For each case a subscription before each of its events: `s3-2` has the first two of the fourth case. */
async function estimatesOf(list: readonly InAdvance[]): Promise<World> {
  const before = list.flatMap(({ values }, i) => values.map((_, seen) => ({ i, seen, id: `s${i}-${seen}` })));
  return world(
    {
      customers: [customerRecord()],
      billable_metrics: [metricRecord('minutes')],
      plans: list.map(({ terms: own }, i) => {
        const charges = [chargeRecord('minutes', { ...own, pay_in_advance: true })];
        return numbered(planRecord({ amount_currency: 'EUR', amount_cents: 0, charges }), i);
      }),
      subscriptions: before.map(({ i, id }) =>
        subscriptionRecord({ id, external_id: id, plan_id: `p${i}`, subscription_at: START }),
      ),
      events: before.flatMap(({ i, seen, id }, at) =>
        list[i]!.values.slice(0, seen).map((value, k) =>
          eventRecord(at * 10 + k, {
            ...{ code: 'minutes', timestamp: `2026-03-10T00:00:0${k}.000Z` },
            ...{ subscription_id: id, external_subscription_id: id, properties: { value: String(value / 100) } },
          }),
        ),
      ),
    },
    NOW,
  );
}

describe('a quote', () => {
  it('of charges that are billed by event is the sum of their fees as each event is estimated', async () => {
    const property = fc.asyncProperty(fc.array(inAdvance, { minLength: 12, maxLength: 12 }), async list => {
      const account = await estimatesOf(list);
      try {
        for (const [i, { terms: own, values }] of list.entries()) {
          let sum = 0n;
          for (const [seen, value] of values.entries()) {
            const event = {
              ...{ code: 'minutes', external_subscription_id: `s${i}-${seen}` },
              properties: { value: String(value / 100) },
            };
            const { status, body } = await account.post('/events/estimate_fees', { event });
            expect(status).toBe(200);
            for (const fee of body.fees as JsonRecord[]) sum += scaledUp(String(fee.precise_amount));
          }
          const one = { plan: planRecord({ amount_currency: 'EUR' }), coupon: null, uses: [] as Use[] };
          if (values.length > 0) one.uses.push({ metric: 'minutes', region: null, team: null, values });
          const row = await quoteOf(account, one, i);
          if (row.left_out !== undefined) expect(own.charge_model).toBe('percentage');
          else expect(row.usage_amount_cents).toBe(Number((sum + half) / (2n * half)));
        }
      } finally {
        await account.close();
      }
    });
    await fc.assert(property, { ...runs(40), endOnFailure: true });
  });

  it('is the invoice of a whole period over events of that usage, to the cent, taxes included', async () => {
    let exact = 0;
    const property = fc.asyncProperty(fc.array(cases, { minLength: 12, maxLength: 12 }), async list => {
      const account = await accountOf(list);
      try {
        for (const [i, one] of list.entries()) {
          const row = await quoteOf(account, one, i);
          const body = {
            ...ofSubscription({}),
            ...{ subscriptions: { external_ids: [`s${i}`] }, ...sentCoupons(one) },
          };
          const { invoice } = (await account.post('/invoices/preview', body)).body;
          const total = invoice.sub_total_including_taxes_amount_cents;
          const { from_cents: from, to_cents: to } = (row.range ?? {}) as { [end: string]: number | null };
          expect(from ?? total).toBeLessThanOrEqual(total);
          expect(to ?? total).toBeGreaterThanOrEqual(total);
          if (row.range !== undefined) continue;
          exact += 1;
          expect(row).toMatchObject({
            ...{ fees_amount_cents: invoice.fees_amount_cents, coupons_amount_cents: invoice.coupons_amount_cents },
            ...{ taxes_amount_cents: invoice.taxes_amount_cents, sub_total_including_taxes_amount_cents: total },
          });
          const reference = referenceOf(one);
          expect({ taxes: BigInt(row.taxes_amount_cents as number), total: BigInt(total) }).toEqual({
            ...{ taxes: reference.taxes, total: reference.total },
          });
        }
      } finally {
        await account.close();
      }
    });
    await fc.assert(property, { ...sameRuns(40), endOnFailure: true });
    // About three of four; the others are bounds.
    expect(exact).toBeGreaterThan(whole ? 80 : 0);
  });
});
