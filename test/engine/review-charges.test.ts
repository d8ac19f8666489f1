/** Filters, groups, minimums and overrides by hand, through the running service: §3.2, §8, §10.2. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Case, type Entry, estimateOf, lines, previewOf, running, serve } from './review-service.ts';
import { charge, NOW, standard, sum, used } from './review-usage.ts';

const tiers = [
  { from_value: 0, to_value: 10, per_unit_amount: '1', flat_amount: '4' },
  { from_value: 11, to_value: null, per_unit_amount: '2', flat_amount: '5' },
];
const places = {
  ...sum,
  filters: [
    { key: 'region', values: ['eu', 'us'] },
    { key: 'tier', values: ['1', '2'] },
  ],
};
const filters = [
  { values: { region: ['eu'] }, properties: { amount: '2' } },
  { values: { region: ['__ALL_FILTER_VALUES__'], tier: ['1'] }, properties: { amount: '3' } },
];

describe('filters and groups (§8)', () => {
  it('most keys win; numbers match their text; an undeclared value falls to the default', async () => {
    const plan = { charges: [charge('standard', { amount: '1' }, { filters })] };
    const events = [
      ...used([1], { region: 'eu', tier: 2 }),
      ...used([10], { region: 'eu', tier: 1 }),
      ...used([100], { region: 'us', tier: '1' }),
      ...used([1000], { region: 'asia', tier: '1' }),
      ...used([10_000], { tier: '1' }),
      ...used([100_000], { region: null }),
    ];
    const answer = await previewOf({ now: NOW, metrics: [places], plan, events });
    const fees = answer.body.invoice.fees.slice(1);
    expect(fees.map((fee: { units: string; amount_cents: number }) => [fee.units, fee.amount_cents])).toEqual([
      ['1.0', 200],
      ['110.0', 33_000],
      ['111000.0', 11_100_000],
    ]);
    expect(fees.map((fee: { svc_charge_filter_id: string | null }) => fee.svc_charge_filter_id === null)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('an estimate takes the filter’s properties, and only its own events are before it', async () => {
    const plan = {
      charges: [
        charge(
          'graduated',
          { graduated_ranges: tiers },
          { pay_in_advance: true, filters: [{ values: { region: ['eu'] }, properties: { graduated_ranges: tiers } }] },
        ),
      ],
    };
    const given = { now: NOW, metrics: [places], plan, events: used([4], { region: 'eu' }) };
    expect((await estimateOf(given, { code: 'm', properties: { v: 1, region: 'eu' } })).body.fees[0].amount_cents).toBe(
      100,
    );
    expect((await estimateOf(given, { code: 'm', properties: { v: 1, region: 'us' } })).body.fees[0].amount_cents).toBe(
      500,
    );
  });

  it.each(['pricing_group_keys', 'grouped_by'])(
    '%s: a fee per combination, each with its own price; a missing property is null',
    async key => {
      const plan = {
        charges: [charge('package', { amount: '5', package_size: 10, free_units: 0, [key]: ['region', 'tier'] })],
      };
      const events = [
        ...used([1, 2], { region: 'eu', tier: '1' }),
        ...used([4], { region: 'eu' }),
        ...used([15], { region: 'us', tier: '1' }),
      ];
      const { body } = await previewOf({
        now: NOW,
        metrics: [places],
        plan,
        events: events.map((event, i) => ({ ...event, transaction_id: `g${i}` })),
      });
      const fees = body.invoice.fees
        .slice(1)
        .map((fee: { item: { grouped_by: Entry }; units: string; amount_cents: number }) => [
          fee.item.grouped_by,
          fee.units,
          fee.amount_cents,
        ]);
      expect(fees).toHaveLength(3);
      expect(fees).toEqual(
        expect.arrayContaining([
          [{ region: 'eu', tier: '1' }, '3.0', 500],
          [{ region: 'eu', tier: null }, '4.0', 500],
          [{ region: 'us', tier: '1' }, '15.0', 1000],
        ]),
      );
    },
  );
});

describe('the true-up of a minimum (§10.2)', () => {
  it.each<[string, Entry, string[]]>([
    ['all filters together: 3000 − 200 − 300', {}, ['charge m 200', 'charge m 300', 'charge m 2500']],
    ['from 16 April, 00:00: 3000 × 15 ÷ 30 − 0', { subscription_at: '2026-04-16' }, ['charge m 0', 'charge m 1500']],
    [
      'from 16 April, 13:00: 14.46 days count as 15',
      { subscription_at: '2026-04-16T13:00:00Z' },
      ['charge m 0', 'charge m 1500'],
    ],
  ])('%s', async (_name, subscription, expected) => {
    const plan = {
      amount_cents: 0,
      charges: [charge('standard', { amount: '1' }, { filters: filters.slice(0, 1), min_amount_cents: 3000 })],
    };
    const events = [...used([1], { region: 'eu' }), { ...used([3])[0], transaction_id: 'rest' }];
    const answer = await previewOf({ now: NOW, metrics: [places], plan, events, subscription });
    expect(lines(answer).slice(1)).toEqual(expected);
    const trueUp = answer.body.invoice.fees.at(-1);
    expect(trueUp).toMatchObject({ units: '1.0', events_count: 0, svc_charge_filter_id: null });
  });
});

const PLAN_CHARGE = '11111111-1111-4111-8111-111111111111';
const PLAN_FIXED = '22222222-2222-4222-8222-222222222222';

describe('overrides of a plan (§3.2) are what is billed', () => {
  const given: Case = {
    now: '2026-04-21T12:00:00Z',
    metrics: [sum],
    plan: {
      tax_codes: ['t10'],
      minimum_commitment: { amount_cents: 9000 },
      charges: [{ ...standard, id: PLAN_CHARGE }],
      fixed_charges: [{ id: PLAN_FIXED, add_on_code: 'seat', properties: { amount: '10' }, units: '1' }],
    },
    events: used([5]),
    rest: {
      taxes: [{ code: 't10', name: 't', rate: '10' }],
      add_ons: [{ code: 'seat', name: 'seat', amount_cents: 1, amount_currency: 'EUR' }],
    },
  };

  async function overridden(plan_overrides: Entry, ask: unknown = running()): Promise<Answer> {
    const service = await serve(given);
    try {
      const changed = await service.put('/subscriptions/sub', { subscription: { plan_overrides } });
      expect(changed.status).toBe(200);
      return await service.post('/invoices/preview', ask);
    } finally {
      await service.close();
    }
  }

  it('the price: 5000; charges, taxes and commitment stay: 9000 − 5000 − 500 − 1000', async () => {
    const answer = await overridden({ amount_cents: 5000 });
    expect(lines(answer)).toEqual([
      'subscription plan 5000',
      'charge m 500',
      'fixed_charge seat 1000',
      'commitment plan 2500',
    ]);
    expect(answer.body.invoice.taxes_amount_cents).toBe(900);
  });

  it('a charge by its parent’s id, the commitment, and the quantity', async () => {
    const answer = await overridden({
      charges: [{ id: PLAN_CHARGE, properties: { amount: '3' } }],
      fixed_charges: [{ id: PLAN_FIXED, units: '2' }],
      minimum_commitment: { amount_cents: 10_000 },
    });
    expect(lines(answer)).toEqual([
      'subscription plan 3100',
      'charge m 1500',
      'fixed_charge seat 2000',
      'commitment plan 3400',
    ]);
  });

  it('a quantity alone', async () => {
    expect(lines(await overridden({ fixed_charges: [{ id: PLAN_FIXED, units: '2.5' }] }))).toContain(
      'fixed_charge seat 2500',
    );
  });

  it('are the subscription’s alone: a proposal of the plan has the plan’s price and quantity', async () => {
    const body = { plan_code: 'plan', subscription_at: '2026-04-01' };
    const answer = await overridden({ amount_cents: 5000, fixed_charges: [{ id: PLAN_FIXED, units: '7' }] }, body);
    expect(lines(answer)).toEqual(['subscription plan 3100', 'fixed_charge seat 1000', 'commitment plan 4900']);
  });
});
