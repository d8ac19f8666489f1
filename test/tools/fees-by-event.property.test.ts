/**
 * What is billed by event (service-behaviour §10.3): the fees that the embedded service stores, whose amounts are those of the
 * second calculation (test/engine/reference.ts), beside its estimate at each event (§13), the current usage and the quote.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChargeModel } from '../../src/contract/enums.ts';
import type { Api } from '../../src/definition/api.ts';
import type { JsonObject } from '../../src/engine/records/index.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { comparisonFrom } from '../../tools/compare-plans.ts';
import { billedUsage } from '../../tools/records/charges-by-event.ts';
import { type Service, serve } from '../engine/file-service.ts';
import { digits, type Fraction, type ReferenceRange } from '../engine/reference.ts';
import { runs } from '../support/extent.ts';
import { accountApi, hundredths, perCent, perUnit, priceOf as priceOfAll } from './reference-prices.ts';

type Kind = 'sum_agg' | 'count_agg' | 'unique_count_agg';
interface Use {
  /** In hundredths; of a unique count, which value. */
  value: number;
  region: 'eu' | 'us';
  cents: string;
}
interface Case {
  kind: Kind;
  model: ChargeModel;
  /** Of the charge, and of its filter for `eu`. */
  terms: readonly [JsonObject, JsonObject | null];
  uses: Use[];
}

const amount = fc.integer({ min: 0, max: 5_000 }).map(n => (n / 1_000).toFixed(3));
const tiers = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.array(fc.tuple(amount, amount), { minLength: 2, maxLength: 2 }))
  .map(([to, prices]) =>
    prices.map(([rate, flat], i): ReferenceRange => ({ from: i && to + 1, to: i ? null : to, rate, flat })),
  );
const termsOf: { [model: string]: fc.Arbitrary<JsonObject> } = {
  standard: fc.record({ amount }),
  package: fc.record({ amount, package_size: fc.integer({ min: 1, max: 4 }), free_units: fc.nat(3) }),
  graduated: tiers.map(list => ({ graduated_ranges: list.map(perUnit) })),
  graduated_percentage: tiers.map(list => ({ graduated_percentage_ranges: list.map(perCent) })),
  percentage: fc
    .record({
      rate: amount,
      fixed_amount: amount,
      free_units_per_events: fc.nat(2),
      free_units_per_total_aggregation: fc.constantFrom('0', '1.5', '4'),
      limits: fc.option(fc.constantFrom(['0.5', '1'], ['0', '2'])),
    })
    .map(({ limits, ...own }) =>
      limits === null
        ? own
        : { ...own, per_transaction_min_amount: limits[0]!, per_transaction_max_amount: limits[1]! },
    ),
  dynamic: fc.constant({}),
};
const use: fc.Arbitrary<Use> = fc.record({
  value: fc.oneof(fc.nat(300), fc.constantFrom(0, 100, 200)),
  region: fc.constantFrom('eu', 'us'),
  cents: fc.constantFrom('0.5', '12.5', '3.333'),
});
const cases: fc.Arbitrary<Case> = fc
  .constantFrom(...(Object.keys(termsOf) as ChargeModel[]))
  .chain(model =>
    fc.record({
      model: fc.constant(model),
      kind: fc.constantFrom<Kind[]>('sum_agg', 'count_agg', 'unique_count_agg'),
      terms: fc.tuple(termsOf[model]!, fc.option<JsonObject>(termsOf[model]!)),
      uses: fc.array(use, { minLength: 1, maxLength: 5 }),
    }),
  )
  // The second calculation has free events together with a free amount for sums alone.
  .map(one => ({
    ...one,
    terms: one.kind === 'sum_agg' ? one.terms : [withoutBoth(one.terms[0]), one.terms[1] && withoutBoth(one.terms[1])],
  }));

function withoutBoth(terms: JsonObject): JsonObject {
  return Number(terms.free_units_per_events ?? 0) > 0 ? { ...terms, free_units_per_total_aggregation: '0' } : terms;
}

const propertiesOf = (one: Use, kind: Kind): JsonObject => ({
  ...{ region: one.region },
  value: kind === 'unique_count_agg' ? `user ${one.value % 3}` : hundredths(one.value),
});

/** What each event adds, in time order: its units, or none for a value that is there already. */
function addedBy({ kind, uses, terms }: Case): { eu: boolean; units: string | null }[] {
  const seen = new Set<string>();
  return uses.map(one => {
    const eu = terms[1] !== null && one.region === 'eu';
    const value = `${eu} ${one.value % 3}`;
    const isNew = !seen.has(value);
    seen.add(value);
    if (kind === 'count_agg') return { eu, units: '1' };
    return { eu, units: kind === 'sum_agg' ? hundredths(one.value) : isNew ? '1' : null };
  });
}

/** Here no units cost nothing: the first event with units is charged the flat amount. */
function priceOf(model: ChargeModel, terms: JsonObject, values: readonly string[]): Fraction {
  return values.every(value => Number(value) === 0) ? { n: 0n, d: 1n } : priceOfAll(model, terms, values);
}

const places = 12;
/** An amount, counted in its twelfth decimal. */
const scaled = (text: string) => {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(places, '0'));
};
const unscaled = (sum: bigint) => digits({ n: sum, d: 10n ** BigInt(places) }, places);
const toCents = (sum: bigint) => Number((sum * 2n + 10n ** 10n) / (2n * 10n ** 10n));

/** The fees of a case's events as they are stored: units and amounts in major units, not rounded. */
function storedFees(one: Case, i: number): JsonRecord[] {
  const steps = addedBy(one);
  return steps.map(({ eu, units }, at) => {
    const terms = (eu ? one.terms[1] : one.terms[0]) ?? {};
    const before = steps.slice(0, at).flatMap(other => (other.eu === eu && other.units !== null ? other.units : []));
    const price = (values: readonly string[]) => scaled(digits(priceOf(one.model, terms, values), places));
    const byItself = (Number(one.uses[at]!.cents) / 100).toFixed(5);
    const added = () => unscaled(units === null ? 0n : price([...before, units]) - price(before));
    return {
      ...{ type: 'charge', external_subscription_id: 'sub', charge_code: `m${i}`, events_count: 1 },
      ...{ pay_in_advance: true, event_transaction_id: idOf(i, at), units: units ?? '0' },
      amount: one.model === 'dynamic' ? byItself : added(),
      ...(eu && { filter: { region: ['eu'] } }),
    };
  });
}

const idOf = (i: number, at: number) => `case ${i} event ${at}`;
const timeOf = (i: number, at: number) => Date.parse('2026-03-10T00:00:00Z') + (i * 10 + at) * 60_000;

function accountOf(list: readonly Case[]): Promise<Service> {
  return serve({
    now: '2026-03-20T12:00:00.000Z',
    customer: { currency: 'EUR', tax_codes: ['vat'] },
    metrics: list.map(({ kind }, i) => ({
      ...{ code: `m${i}`, aggregation_type: kind, field_name: kind === 'count_agg' ? null : 'value' },
      filters: [{ key: 'region', values: ['eu', 'us'] }],
    })),
    plan: {
      amount_cents: 0,
      charges: list.map(({ model, terms: [properties, eu] }, i) => ({
        ...{ billable_metric_code: `m${i}`, charge_model: model, pay_in_advance: true, properties },
        filters: eu === null ? [] : [{ values: { region: ['eu'] }, properties: eu }],
      })),
    },
    events: list.flatMap(({ kind, uses }, i) =>
      uses.map((one, at) => ({
        ...{ transaction_id: idOf(i, at), code: `m${i}`, timestamp: new Date(timeOf(i, at)).toISOString() },
        ...{ properties: propertiesOf(one, kind), precise_total_amount_cents: one.cents },
      })),
    ),
    rest: {
      taxes: [{ code: 'vat', name: 'VAT', rate: '19.6' }],
      invoices: [
        {
          ...{ external_customer_id: 'acme', number: 'N-1', issuing_date: '2026-03-19', currency: 'EUR' },
          fees: list.flatMap(storedFees),
        },
      ],
    },
  });
}

function hasEmptyBucket(one: Case): boolean {
  const added = addedBy(one);
  return [true, false].some(eu => {
    const own = added.filter(each => each.eu === eu);
    return own.length > 0 && own.every(({ units }) => Number(units) === 0);
  });
}

/** §9: with limits per transaction, usage prices each event of a unique count; the fee of a value that is there already is 0. */
function countsRepeats({ model, kind, terms }: Case): boolean {
  const limits = ['per_transaction_min_amount', 'per_transaction_max_amount'];
  return (
    model === 'percentage' &&
    kind === 'unique_count_agg' &&
    terms.some(each => each !== null && limits.some(limit => Number((each as JsonRecord)[limit] ?? 0) > 0))
  );
}

/** The quote of a case's usage on a plan with its charge alone. */
async function quoteOf(
  api: Api,
  plan: JsonRecord,
  preview: unknown,
  { kind, uses, terms }: Case,
  i: number,
): Promise<JsonRecord> {
  const charges = (plan.charges as JsonRecord[]).filter(charge => charge.billable_metric_code === `m${i}`);
  const added = addedBy({ kind, uses, terms, model: 'standard' });
  const usage = [true, false].flatMap(eu => {
    const own = added.flatMap(one => (one.eu === eu && one.units !== null ? Number(one.units) * 100 : []));
    const units = Math.round(own.reduce((sum, value) => sum + value, 0)) / 100;
    if (own.length === 0) return [];
    return { billable_metric_code: `m${i}`, units, events: own.length, ...(eu && { filter: { region: 'eu' } }) };
  });
  const answers = [1, 2].map(() => ({ key: 'plan', body: preview }));
  const args = { plan_codes: ['plan'], usage } as never;
  const record = await comparisonFrom(args, answers, { plans: [{ ...plan, charges }] }, api);
  return (record as { comparison: JsonRecord[] }).comparison[0]!;
}

const compared = ({ units, events_count, amount_cents, precise_amount, precise_unit_amount, ...fee }: JsonRecord) => ({
  ...{ units, events_count, amount_cents, precise_amount, precise_unit_amount },
  ...{ taxes_amount_cents: fee.taxes_amount_cents, pay_in_advance: fee.pay_in_advance },
});

describe('a fee of one event', () => {
  it('is stored as it is estimated before the event, and all of them together are the usage and the quote', async () => {
    let quoted = 0;
    const property = fc.asyncProperty(fc.array(cases, { minLength: 6, maxLength: 6 }), async list => {
      const account = await accountOf(list);
      const { fees } = (await account.get('/fees?per_page=100')).body as { fees: JsonRecord[] };
      const { body } = await account.get('/customers/acme/current_usage?external_subscription_id=sub');
      // As get_usage and the overview tell it.
      const { usage, unchecked } = await billedUsage(accountApi(account), body.customer_usage as JsonRecord, 'sub');
      expect(unchecked).toBe(0);
      const charges = usage.charges_usage as JsonRecord[];
      const plan = (await account.get('/plans/plan')).body.plan as JsonRecord;
      const preview = await account.post('/invoices/preview', { customer: { external_id: 'acme' }, plan_code: 'plan' });
      for (const [i, one] of list.entries()) {
        let sum = 0n;
        for (const [at, each] of one.uses.entries()) {
          const event = {
            ...{ code: `m${i}`, external_subscription_id: 'sub', properties: propertiesOf(each, one.kind) },
            precise_total_amount_cents: each.cents,
          };
          const before = new Date(timeOf(i, at) - 1).toISOString();
          const { body } = await account.post('/events/estimate_fees', { event }, before);
          const stored = fees.filter(fee => fee.event_transaction_id === idOf(i, at));
          expect((body.fees as JsonRecord[]).map(compared)).toEqual(stored.map(compared));
          expect(stored).toHaveLength(1);
          sum += scaled(String(stored[0]?.precise_amount));
        }
        // Events of no units alone: usage and quotes price by units.
        if (hasEmptyBucket(one) || countsRepeats(one)) continue;
        // Each filter is rounded by itself.
        const close = one.terms[1] === null ? 0 : 1;
        const shown = charges.find(({ billable_metric }) => (billable_metric as JsonRecord).code === `m${i}`);
        expect(Math.abs(Number(shown?.amount_cents) - toCents(sum))).toBeLessThanOrEqual(close);
        const row = await quoteOf(accountApi(account), plan, preview.body, one, i);
        if (row.left_out !== undefined) continue;
        quoted += 1;
        expect(Math.abs(Number(row.usage_amount_cents) - toCents(sum))).toBeLessThanOrEqual(close);
      }
    });
    await fc.assert(property, { ...runs(150), endOnFailure: true });
    expect(quoted).toBeGreaterThan(0);
  });
});
