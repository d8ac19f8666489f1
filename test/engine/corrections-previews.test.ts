/** What previews bill and when, each rule by the number of its correction: figures of the service, then another input. */
import { describe, expect, it } from 'vitest';
import { addOns, chargeEntry, early, late, metricEntries, standard, used, usedOn } from './entries.ts';
import { type Case, type Entry, estimateOf, linesOf, previewOf, serve } from './file-service.ts';
import { ofSubscription } from './service-world.ts';

const metrics = [metricEntries.sum];
const rest = { add_ons: addOns };
const anniversary = { billing_time: 'anniversary' };
const byMonth = { bill_charges_monthly: true };
const fixedByMonth = { bill_fixed_charges_monthly: true };
const until = (terminated_at: string) => ofSubscription({ terminated_at });
const to = (plan_code: string) => ofSubscription({ plan_code });
const proposal = (subscription_at: string) => ({ plan_code: 'plan', subscription_at });
const zone = (timezone: string): Pick<Case, 'customer'> => ({ customer: { timezone } });
const aDay = (interval: string, days: number, more: Entry = {}) => ({ interval, amount_cents: days * 100, ...more });
const year = aDay('yearly', 365, { charges: [standard], ...byMonth });
const half = aDay('semiannual', 181, { charges: [standard], ...byMonth });
const billed = (from: string, to_date: string, type: string, more: Entry = {}) => ({
  number: 'I-1',
  external_customer_id: 'acme',
  issuing_date: '2026-04-01',
  currency: 'EUR',
  fees: [{ type, external_subscription_id: 'sub', amount: '31', from_date: from, to_date, ...more }],
});
const march: Case = {
  now: '2026-03-20T12:00:00Z',
  metrics,
  plan: { charges: [standard] },
  events: [usedOn('2026-03-05', 7), { ...usedOn('2026-04-01', 9), timestamp: '2026-04-01T05:00:00Z' }],
};

const OCTOBER = '2026-10-10T12:00:00Z';
const endingWeek: Case = {
  now: '2026-08-31T12:00:00Z',
  plan: aDay('weekly', 7),
  plans: [{ code: 'dear', amount_cents: 6200 }],
  subscription: { ending_at: '2026-09-02T12:00:00Z' },
};
const keepAnchor = {
  subscription_invoice_issuing_date_anchor: 'current_period_end',
  subscription_invoice_issuing_date_adjustment: 'keep_anchor',
};

describe('what a preview bills, through the running service', () => {
  it.each<[string, Case, unknown, string]>([
    ['4: ended on 1 April, 10:00: March whole', march, until('2026-04-01T10:00:00Z'), 'plan 3100, charge m 700'],
    [
      '4: the same by ending_at',
      { ...march, subscription: { ending_at: '2026-04-01T00:00:00Z' } },
      ofSubscription(),
      'plan 3100, charge m 700',
    ],
    [
      '4: March billed already: 1 of 30 days',
      { ...march, rest: { invoices: [billed('2026-03-01', '2026-03-31', 'subscription')] } },
      until('2026-04-01T10:00:00Z'),
      'plan 103, charge m 900',
    ],
    [
      '4: pay in advance: the usage of March and no plan fee',
      { ...march, plan: { ...march.plan, pay_in_advance: true } },
      until('2026-04-01T10:00:00Z'),
      'charge m 700',
    ],
    [
      '4: a week in Paris, ended on Monday 00:30 there; its commitment is whole: 1500 − 700 − 300',
      {
        now: '2026-03-06T12:00:00Z',
        ...zone('Europe/Paris'),
        metrics,
        plan: aDay('weekly', 7, { charges: [standard], minimum_commitment: { amount_cents: 1500 } }),
        events: [usedOn('2026-03-05', 3)],
      },
      until('2026-03-08T23:30:00Z'),
      'plan 700, charge m 300, commitment plan 500',
    ],
    [
      '4: half a year from 9 December with usage by the month, ended on 1 March: 23 of 184 days, usage of February',
      {
        now: '2026-02-20T12:00:00Z',
        metrics,
        plan: aDay('semiannual', 184, { charges: [standard], ...byMonth }),
        subscription: { subscription_at: '2025-12-09' },
        events: [usedOn('2026-01-05', 1), usedOn('2026-02-05', 2)],
      },
      until('2026-03-01T12:00:00Z'),
      'plan 2300, charge m 200',
    ],
    [
      '5: months from the 8th, ended on 10 October: usage of the month before',
      octoberEnd(),
      until(OCTOBER),
      'plan 21700, charge m 300',
    ],
    [
      '5: the same by an upgrade: usage of the running month',
      { ...octoberEnd(), now: OCTOBER, plans: [{ code: 'dear', amount_cents: 36_500 }] },
      to('dear'),
      'plan 21600, charge m 500',
    ],
    [
      '5: half a year, ended on 10 May: usage of April',
      mayEnd({}),
      until('2026-05-10T12:00:00Z'),
      'plan 13000, charge m 400',
    ],
    [
      '5: its arrears fixed charge is not billed in the fifth month, and in the first it is',
      mayEnd({ fixed_charges: [late] }),
      until('2026-05-10T12:00:00Z'),
      'plan 13000, charge m 400',
    ],
    [
      '5: in Tokyo on 11 May, still 10 May in UTC: usage of May',
      { ...mayEnd({}), ...zone('Asia/Tokyo') },
      until('2026-05-10T20:00:00Z'),
      'plan 13100, charge m 500',
    ],
    [
      '5: in its first month: no usage, and the fixed charge',
      {
        ...mayEnd({ fixed_charges: [late] }),
        now: '2026-01-10T12:00:00Z',
        subscription: { subscription_at: '2026-01-01' },
      },
      until('2026-01-20T12:00:00Z'),
      'plan 2000, fixed late 2000',
    ],
    [
      '5: only fixed charges by the month: that of April, and no usage',
      mayEnd({ bill_charges_monthly: false, ...fixedByMonth, fixed_charges: [late] }),
      until('2026-05-10T12:00:00Z'),
      'plan 13000, fixed late 2000',
    ],
    [
      '23: a year with usage of June: no usage fee',
      {
        now: '2026-06-15T12:00:00Z',
        metrics,
        plan: { ...year, amount_cents: 120_000 },
        events: [usedOn('2026-06-05', 3)],
      },
      ofSubscription(),
      'plan 120000',
    ],
    [
      '23: half a year in New York from 10 February: usage for 10 July to 9 August there',
      {
        now: '2026-04-01T12:00:00Z',
        ...zone('America/New_York'),
        metrics,
        plan: half,
        subscription: { subscription_at: '2026-02-10T12:00:00Z', ...anniversary },
        events: [{ ...usedOn('2026-08-10', 6), timestamp: '2026-08-10T03:59:00Z' }, usedOn('2026-07-10', 1)],
      },
      ofSubscription(),
      'plan 18100, charge m 600',
    ],
    [
      '24: a year from 24 October, 2.5 × 3.4432 in advance: that of 2027 whole',
      {
        now: '2026-10-24T12:00:00Z',
        plan: {
          ...aDay('yearly', 365, {
            fixed_charges: [{ ...early, prorated: true, units: '2.5', properties: { amount: '3.4432' } }],
          }),
          amount_currency: 'KWD',
        },
        subscription: null,
        rest,
      },
      proposal('2026-10-24T00:30:00Z'),
      'plan 6900, fixed early 8608',
    ],
    [
      '24: a quarter from 20 February with both kinds, 4 × 1.25 in advance: 20.00 of the first, 5.00 of the second',
      {
        now: '2026-02-20T12:00:00Z',
        plan: aDay('quarterly', 90, {
          fixed_charges: [{ ...early, prorated: true, units: '4', properties: { amount: '1.25' } }, late],
        }),
        subscription: null,
        rest,
      },
      proposal('2026-02-20T00:00:00Z'),
      'plan 4000, fixed early 500, fixed late 2000',
    ],
    [
      '25: in advance, 3 × 2.75 in arrears: not on the first invoice',
      {
        now: '2027-01-20T12:00:00Z',
        plan: {
          amount_cents: 1433,
          pay_in_advance: true,
          fixed_charges: [{ ...late, units: '3', properties: { amount: '2.75' } }],
        },
        subscription: null,
        rest,
      },
      proposal('2027-02-01T00:00:00Z'),
      'plan 1433',
    ],
    [
      '25: nor on that of a plan which is changed to: 9 days of 1.00, 22 of 2.00',
      {
        now: '2026-03-10T12:00:00Z',
        plans: [{ code: 'dear', amount_cents: 6200, pay_in_advance: true, fixed_charges: [late] }],
        rest,
      },
      to('dear'),
      'plan 900, dear 4400',
    ],
    ['26: a week that ends on Wednesday, to another plan: 3 days', endingWeek, to('dear'), 'plan 300'],
    ['26: to an unknown plan', endingWeek, to('nowhere'), 'plan 300'],
    [
      '26: an end after the period: the change',
      { ...endingWeek, subscription: { ending_at: '2026-09-08T00:00:00Z' } },
      to('dear'),
      'plan 0',
    ],
    [
      '94: in advance from 10 March: its prorated arrears fixed charge of 22 of 31 days on 1 April',
      firstPeriod({ prorated: true, units: '31', properties: { amount: '1' } }),
      ofSubscription(),
      'plan 3100, fixed late 2200',
    ],
    [
      '94: also at an end within that period, here whole',
      firstPeriod({}),
      until('2026-03-20T12:00:00Z'),
      'fixed late 2000',
    ],
    [
      '95: upgraded on 10 March to a plan in arrears: 5.00 + 3 × 31.00 × 22 ÷ 31 in advance',
      toArrears(6200),
      to('next'),
      'plan 900, fixed early 500, fixed early 6600',
    ],
    [
      '95: downgraded: those of April, whole',
      toArrears(100),
      to('next'),
      'plan 3100, fixed early 500, fixed early 9300',
    ],
    [
      '96: the end of a plan in advance counts its plan fee: 310000 × 10 ÷ 30 − 31000',
      {
        now: '2026-04-05T12:00:00Z',
        plan: { amount_cents: 31_000, pay_in_advance: true, minimum_commitment: { amount_cents: 310_000 } },
      },
      until('2026-04-10T12:00:00Z'),
      'commitment plan 72333',
    ],
  ])('%s', async (_name, given, body, expected) => {
    expect(linesOf(await previewOf(given, body))).toEqual(expected);
  });

  it.each<[string, Case, unknown, Entry]>([
    [
      '23: issued after the year',
      {
        now: '2026-10-02T12:00:00Z',
        metrics,
        plan: year,
        subscription: { subscription_at: '2026-09-17', ...anniversary },
      },
      ofSubscription(),
      { issuing_date: '2027-09-17' },
    ],
    ['26: issued when it ends', endingWeek, to('dear'), { issuing_date: '2026-09-02' }],
    [
      '32: a downgrade: the first day after the period, whatever the anchor',
      change(100),
      to('next'),
      { issuing_date: '2026-10-01' },
    ],
    [
      '32: an upgrade: today, with a grace of 3 days',
      { ...change(6200), entity: { ...keepAnchor, invoice_grace_period: 3 } },
      to('next'),
      { issuing_date: '2026-09-13' },
    ],
    [
      '35: the running period ends with a termination',
      change(100),
      until('2026-09-25T12:00:00Z'),
      shown({ current_billing_period_ending_at: '2026-09-25T12:00:00Z' }),
    ],
    [
      '35: and with an upgrade',
      change(6200),
      to('next'),
      shown({ current_billing_period_ending_at: '2026-09-10T12:00:00Z' }),
    ],
    [
      '37: the old plan of a downgrade in Berlin: until the end of the first day after the period',
      {
        ...change(100),
        ...zone('Europe/Berlin'),
        subscription: { subscription_at: '2026-08-04', ...anniversary },
        now: '2026-08-15T12:00:00Z',
      },
      to('next'),
      shown({
        status: 'terminated',
        terminated_at: '2026-09-04T21:59:59Z',
        downgrade_plan_date: '2026-09-03',
        next_plan_code: 'next',
      }),
    ],
    [
      '37: in New York at the end of the month',
      { ...change(100), ...zone('America/New_York') },
      to('next'),
      shown({
        terminated_at: '2026-10-02T03:59:59Z',
        downgrade_plan_date: '2026-10-01',
        current_billing_period_ending_at: '2026-10-01T03:59:59Z',
      }),
    ],
    [
      '60: the new subscription keeps the external id and the end, and has the name of its plan',
      { ...change(6200, { pay_in_advance: true }), subscription: { name: 'Mine', ending_at: '2027-05-05T00:00:00Z' } },
      to('next'),
      {
        subscriptions: [
          { name: 'Mine', status: 'terminated', terminated_at: '2026-09-10T12:00:00Z', next_plan_code: 'next' },
          {
            svc_id: null,
            external_id: 'sub',
            name: 'Plan',
            status: 'active',
            ending_at: '2027-05-05T00:00:00Z',
            activated_at: null,
            previous_plan_code: 'plan',
          },
        ],
        fees: [{ external_subscription_id: 'sub' }, { external_subscription_id: 'sub', svc_subscription_id: null }],
      },
    ],
    [
      '60: a pending one is shown as it starts',
      { now: '2026-09-10T12:00:00Z', subscription: { status: 'pending', subscription_at: '2026-10-14T12:00:00Z' } },
      ofSubscription(),
      {
        subscriptions: [
          {
            svc_id: null,
            external_id: 'sub',
            status: 'active',
            started_at: '2026-10-14T12:00:00.000Z',
            activated_at: null,
          },
        ],
        fees: [{ external_subscription_id: 'sub', svc_subscription_id: null }],
      },
    ],
  ])('%s', async (_name, given, body, expected) => {
    expect((await previewOf(given, body)).body.invoice).toMatchObject(expected);
  });

  it.each<[string, Case, Entry]>([
    [
      '33: at 13:30',
      { now: '2026-08-15T12:00:00Z', subscription: { subscription_at: '2026-08-08T13:30:00Z' } },
      { from_date: '2026-08-08T13:30:00Z', amount_cents: 2000 },
    ],
    [
      '33: at 22:30 of 9 April in New York, 22 of 30 days',
      {
        now: '2026-04-20T12:00:00Z',
        ...zone('America/New_York'),
        plan: { fixed_charges: [{ ...late, prorated: true, properties: { amount: '30' } }] },
        subscription: { subscription_at: '2026-04-10T02:30:00Z' },
      },
      { from_date: '2026-04-10T02:30:00Z', amount_cents: 2200 },
    ],
  ])('a fixed charge of the first period starts with the subscription, %s', async (_name, given, fee) => {
    const answer = await previewOf({ plan: { fixed_charges: [late] }, rest, ...given });
    expect(answer.body.invoice.fees[1]).toMatchObject(fee);
  });
});

describe('current usage and the dates of usage, through the running service', () => {
  const CURRENT = '/customers/acme/current_usage?external_subscription_id=sub';
  const april: Case = { now: '2026-04-21T12:00:00Z', metrics };
  const taxed = { rest: { taxes: [{ code: 't', name: 't', rate: '10' }] }, entity: { tax_codes: ['t'] } };
  const weighted = { code: 'm', aggregation_type: 'weighted_sum_agg', field_name: 'v', weighted_interval: 'seconds' };
  /** This many units for each of so many teams: a fee each. */
  const teams = (cents: number, n: number): Partial<Case> => ({
    plan: { charges: [chargeEntry('standard', { amount: '0.01', pricing_group_keys: ['team'] })] },
    events: Array.from({ length: n }, (_, team) => used([cents], { team: `t${team}` })).flat(),
  });
  const currentOf = async (given: Case) => (await (await serve(given)).get(CURRENT)).body;

  it.each<[string, Case, Entry]>([
    [
      '27: three fees of 33 at 10 %: 10',
      { ...april, ...taxed, ...teams(33, 3) },
      { taxes_amount_cents: 10, total_amount_cents: 109 },
    ],
    ['27: ten of 4: 4', { ...april, ...taxed, ...teams(4, 10) }, { taxes_amount_cents: 4 }],
    ['27: seven of 15: 10.5 → 11', { ...april, ...taxed, ...teams(15, 7) }, { taxes_amount_cents: 11 }],
    [
      '28: 10 for 20 of 30 days, up at 20 decimals',
      { ...april, metrics: [weighted], plan: { charges: [standard] }, events: [usedOn('2026-04-11', 10)] },
      { charges_usage: [{ units: '6.66666666666666666667', total_aggregated_units: '10.0', amount_cents: 667 }] },
    ],
    [
      '28: 1 for 10 of 31 days',
      {
        ...april,
        now: '2026-03-21T12:00:00Z',
        metrics: [weighted],
        plan: { charges: [standard] },
        events: [usedOn('2026-03-22', 1)],
      },
      { charges_usage: [{ units: '0.32258064516129032259', amount_cents: 32 }] },
    ],
    [
      '29: the keys of a charge divide its filters too; a part without usage has none',
      {
        ...april,
        metrics: [{ ...metricEntries.sum, filters: [{ key: 'tier', values: ['pro', 'free'] }] }],
        plan: {
          charges: [
            chargeEntry(
              'standard',
              { amount: '1', presentation_group_keys: [{ value: 'team' }] },
              { filters: ['pro', 'free'].map(tier => ({ values: { tier: [tier] }, properties: { amount: '2' } })) },
            ),
          ],
        },
        events: used([7], { tier: 'pro', team: 'red' }),
      },
      {
        charges_usage: [
          {
            presentation_breakdowns: [{ presentation_by: { team: 'red' }, units: '7.0' }],
            filters: [
              {
                values: { tier: ['pro'] },
                presentation_breakdowns: [{ presentation_by: { team: 'red' }, units: '7.0' }],
              },
              { values: { tier: ['free'] }, units: '0.0', presentation_breakdowns: [] },
              { values: null, presentation_breakdowns: [] },
            ],
          },
        ],
      },
    ],
    [
      '29: nothing used at all',
      {
        ...april,
        plan: { charges: [chargeEntry('standard', { amount: '1', presentation_group_keys: [{ value: 'team' }] })] },
      },
      { charges_usage: [{ units: '0.0', presentation_breakdowns: [] }] },
    ],
    [
      '34: March in New York',
      { now: '2026-03-10T12:00:00Z', ...zone('America/New_York') },
      { issuing_date: '2026-04-01' },
    ],
    [
      '34: a year from 17 September with usage by the month',
      {
        now: '2026-09-30T12:00:00Z',
        metrics,
        plan: year,
        ...zone('America/Los_Angeles'),
        subscription: { subscription_at: '2026-09-17T16:30:00Z', ...anniversary },
      },
      { issuing_date: '2027-09-17' },
    ],
    [
      '34: half a year in Tokyo',
      { now: '2026-03-10T12:00:00Z', metrics, plan: half, ...zone('Asia/Tokyo') },
      { issuing_date: '2026-06-30' },
    ],
  ])('%s', async (_name, given, expected) => {
    expect((await currentOf(given)).customer_usage).toMatchObject(expected);
  });

  it.each([
    [30, { per_transaction_min_amount: '0.5' }, {}],
    [30, {}, { filters: [{ values: { tier: ['pro'] }, properties: { rate: '1', per_transaction_max_amount: '3' } }] }],
  ])('%i: a weighted sum with limits per transaction is refused: %j', async (_number, limits, more) => {
    const metric = { ...weighted, filters: [{ key: 'tier', values: ['pro'] }] };
    const given = {
      ...april,
      metrics: [metric],
      plan: { charges: [chargeEntry('percentage', { rate: '1', ...limits }, more)] },
    };
    const refusal = {
      code: 'out_of_scope',
      error_details: { transaction_limits_on_weighted_sum: [expect.stringContaining('weighted sum')] },
    };
    expect(await currentOf(given)).toMatchObject(refusal);
    expect((await previewOf(given)).body).toMatchObject(refusal);
  });

  it.each<[string, Partial<Case>, Entry]>([
    ['36: in Paris', zone('Europe/Paris'), { current_billing_period_started_at: '2026-12-31T23:00:00Z' }],
    [
      '36: in its first month',
      { subscription: { subscription_at: '2027-01-03T09:00:00Z' } },
      { current_billing_period_started_at: '2027-01-03T09:00:00Z' },
    ],
  ])('an ended subscription shows its last usage period, %s', async (_name, given, expected) => {
    const ended = { status: 'terminated', terminated_at: '2027-01-15T10:00:00Z', ...given.subscription };
    const service = await serve({ now: '2027-03-02T12:00:00Z', ...given, subscription: ended });
    const { body } = await service.get('/subscriptions/sub?status=terminated');
    expect(body.subscription).toMatchObject({ ...expected, current_billing_period_ending_at: '2027-01-15T10:00:00Z' });
  });

  const advance = { ...standard, pay_in_advance: true };
  it.each<[string, Case, Entry]>([
    [
      '38: half a year in Los Angeles',
      {
        now: '2026-08-31T22:30:00Z',
        metrics,
        ...zone('America/Los_Angeles'),
        plan: { interval: 'semiannual', charges: [{ ...advance, invoiceable: false }] },
        subscription: { subscription_at: '2025-08-23T07:30:00Z', ...anniversary },
      },
      { from_date: '2026-08-23T00:00:00Z', to_date: '2027-02-23T23:59:59Z' },
    ],
    [
      '38: a week in New York',
      {
        now: '2026-10-20T12:00:00Z',
        metrics,
        ...zone('America/New_York'),
        plan: { interval: 'weekly', charges: [{ ...advance, invoiceable: false }] },
      },
      { from_date: '2026-10-19T00:00:00Z', to_date: '2026-10-26T23:59:59Z' },
    ],
    [
      '38: invoiceable: the bounds themselves',
      {
        now: '2026-10-20T12:00:00Z',
        metrics,
        ...zone('America/New_York'),
        plan: { interval: 'weekly', charges: [advance] },
      },
      { from_date: '2026-10-19T04:00:00Z', to_date: '2026-10-26T03:59:59Z' },
    ],
  ])('the estimate of a charge shows UTC days, %s', async (_name, given, expected) => {
    const { body } = await estimateOf(given, { code: 'm', properties: { v: 1 } });
    expect(body.fees[0]).toMatchObject(expected);
  });

  it.each<[string, Case, Entry]>([
    [
      '39: a quarter in Pago Pago until 1 October, 10:59:59',
      {
        now: '2026-08-10T12:00:00Z',
        ...zone('Pacific/Pago_Pago'),
        plan: { interval: 'quarterly', charges: [advance] },
      },
      { from_date: '2026-10-01T00:00:00Z', to_date: '2027-01-01T23:59:59Z' },
    ],
    [
      '39: a month in Tokyo',
      { now: '2026-04-10T12:00:00Z', ...zone('Asia/Tokyo'), plan: { charges: [{ ...advance, prorated: true }] } },
      { from_date: '2026-04-30T00:00:00Z', to_date: '2026-05-31T23:59:59Z' },
    ],
  ])(
    'a charge of a recurring metric in advance shows UTC days of the next period, %s',
    async (_name, given, expected) => {
      const recurring = { metrics: [{ ...metricEntries.sum, recurring: true }], events: [usedOn('2026-02-02', 3)] };
      const { fees } = (await previewOf({ ...given, ...recurring })).body.invoice;
      expect(fees[1]).toMatchObject({ ...expected, pay_in_advance: false, amount_cents: 300, units: '3.0' });
    },
  );

  it('39: such a fee counts towards the commitment of its period: 5000 − 3100 − 300', async () => {
    const recurring = { metrics: [{ ...metricEntries.sum, recurring: true }], events: [usedOn('2026-02-02', 3)] };
    const plan = { charges: [advance], minimum_commitment: { amount_cents: 5000 } };
    expect(linesOf(await previewOf({ now: '2026-04-10T12:00:00Z', plan, ...recurring }))).toBe(
      'plan 3100, charge m 300, commitment plan 1600',
    );
  });
});

function shown(subscription: Entry): Entry {
  return { subscriptions: [subscription] };
}

/** A year from 8 March with usage in two of its months. */
function octoberEnd(): Case {
  const subscription = { subscription_at: '2026-03-08', ...anniversary };
  return {
    now: '2026-09-20T12:00:00Z',
    metrics,
    plan: year,
    subscription,
    events: [usedOn('2026-09-10', 3), usedOn('2026-10-09', 5)],
  };
}

/** Half a year with 4 units in April and 5 in May. */
function mayEnd(fields: Entry): Case {
  const events = [usedOn('2026-04-05', 4), usedOn('2026-05-05', 5)];
  return { now: '2026-05-08T12:00:00Z', metrics, plan: { ...half, ...fields }, events, rest };
}

function firstPeriod(fields: Entry): Case {
  const plan = { pay_in_advance: true, fixed_charges: [{ ...late, ...fields }] };
  return { now: '2026-03-15T12:00:00Z', plan, subscription: { subscription_at: '2026-03-10' }, rest };
}

function toArrears(amount_cents: number): Case {
  const fixed_charges = [
    { ...early, properties: { amount: '5' } },
    { ...early, code: 'second', prorated: true, units: '3', properties: { amount: '31' } },
  ];
  return { now: '2026-03-10T12:00:00Z', plans: [{ code: 'next', amount_cents, fixed_charges }], rest };
}

function change(amount_cents: number, fields: Entry = {}): Case {
  return { now: '2026-09-10T12:00:00Z', entity: keepAnchor, plans: [{ code: 'next', amount_cents, ...fields }] };
}
