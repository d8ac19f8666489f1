/** What a preview looks at, by hand, through the running service: §12.2, §12.5, and what §16 leaves out. */
import { describe, expect, it } from 'vitest';
import { type Entry, estimateOf, lines, previewOf, running, serve } from './review-service.ts';
import { charge, standard, sum, used } from './review-usage.ts';

const NOW = '2026-04-10T12:00:00Z';

describe('an end within the period or on the day after it (§12.2)', () => {
  const yearly = { interval: 'yearly', amount_cents: 36_500, bill_charges_monthly: true, charges: [standard] };
  it.each<[string, Entry, string, string[], string]>([
    [
      'in the period: 20 of 30 days of 3000',
      { amount_cents: 3000 },
      '2026-04-20T12:00:00Z',
      ['subscription plan 2000'],
      '2026-04-20',
    ],
    ['on its last day', { amount_cents: 3000 }, '2026-04-30T12:00:00Z', ['subscription plan 3000'], '2026-04-30'],
    [
      'two days after it: a plain projection',
      { amount_cents: 3000 },
      '2026-05-02T00:00:00Z',
      ['subscription plan 3000'],
      '2026-05-01',
    ],
    [
      'usage by the month, in this month: 110 of 365 days',
      yearly,
      '2026-04-20T12:00:00Z',
      ['subscription plan 11000', 'charge m 500'],
      '2026-04-20',
    ],
    [
      'usage by the month, later this year: this month’s usage',
      yearly,
      '2026-11-20T12:00:00Z',
      ['charge m 500'],
      '2026-05-01',
    ],
  ])('%s', async (_name, plan, ending_at, expected, issued) => {
    const given = {
      now: NOW,
      metrics: [sum],
      plan,
      events: plan === yearly ? used([5]) : [],
      subscription: { ending_at },
    };
    const answer = await previewOf(given);
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe(issued);
  });
});

describe('customers (§12.4)', () => {
  it('a sent time zone moves the days: 1 May 01:00 in Tokyo is still April in UTC', async () => {
    const given = { now: '2026-04-30T16:00:00Z', subscription: { subscription_at: '2026-01-01' } };
    const from = (answer: { body: { invoice: { fees: Entry[] } } }) => answer.body.invoice.fees[0]?.from_date;
    expect(from(await previewOf(given))).toBe('2026-04-01T00:00:00Z');
    const customer = { external_id: 'acme', timezone: 'Asia/Tokyo' };
    expect(from(await previewOf(given, { ...running(), customer }))).toBe('2026-04-30T15:00:00Z');
  });
});

describe('after an upgrade on 10 April, 09:00, to 60.00 a month (§10): 21 of 30 days, 7 units since then', () => {
  const cut = { terminated_at: '2026-04-25T12:00:00Z' };
  it.each<[string, Entry, Entry, string[], number]>([
    ['arrears: 6000 × 21 ÷ 30', {}, {}, ['subscription dear 4200', 'charge m 700'], 4900],
    ['in advance: May', { pay_in_advance: true }, {}, ['subscription dear 6000', 'charge m 700'], 6700],
    [
      '200 days of trial since 1 January: nothing',
      { trial_period: '200' },
      {},
      ['subscription dear 0', 'charge m 700'],
      700,
    ],
    [
      '105 days of trial, until 16 April: 15 of 30 days',
      { trial_period: '105' },
      {},
      ['subscription dear 3000', 'charge m 700'],
      3700,
    ],
    ['ended on 25 April: 16 of 30 days', {}, cut, ['subscription dear 3200', 'charge m 700'], 3900],
    [
      'in advance, ended: 5 unused days are 1000, of which 700 can be used',
      { pay_in_advance: true },
      cut,
      ['charge m 700'],
      0,
    ],
    [
      'commitment: 30000 × 21 ÷ 30 − 4200 − 700',
      { minimum_commitment: { amount_cents: 30_000 } },
      {},
      ['subscription dear 4200', 'charge m 700', 'commitment dear 16100'],
      21_000,
    ],
    [
      'commitment in advance: April’s 4200 was billed',
      { pay_in_advance: true, minimum_commitment: { amount_cents: 30_000 } },
      {},
      ['subscription dear 6000', 'charge m 700', 'commitment dear 16100'],
      22_800,
    ],
    [
      'minimum: 3000 × 21 ÷ 30 − 700',
      { charges: [{ ...standard, min_amount_cents: 3000 }] },
      {},
      ['subscription dear 4200', 'charge m 700', 'charge m 1400'],
      6300,
    ],
  ])('%s', async (_name, plan, extra, expected, total) => {
    const chain = { external_id: 'sub', external_customer_id: 'acme', subscription_at: '2026-01-01' };
    const change = '2026-04-10T09:00:00Z';
    const subscriptions = [
      { ...chain, plan_code: 'plan', status: 'terminated', terminated_at: change },
      { ...chain, plan_code: 'dear', previous_plan_code: 'plan', started_at: change },
    ];
    const given = {
      now: '2026-04-21T12:00:00Z',
      metrics: [sum],
      plan: { amount_cents: 3000 },
      plans: [{ code: 'dear', amount_cents: 6000, charges: [standard], ...plan }],
      events: [
        ...used([5]),
        { code: 'm', timestamp: '2026-04-15T00:00:00Z', transaction_id: 'since', properties: { v: 7 } },
      ],
      rest: { subscriptions },
    };
    const answer = await previewOf(given, running(extra));
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.total_amount_cents).toBe(total);
  });
});

describe('a scheduled downgrade (§12.2)', () => {
  const cheap = { code: 'cheap', amount_cents: 1000 };
  const advance = { pay_in_advance: true };
  it.each<[string, Entry, Entry, string[]]>([
    ['in arrears adds nothing', cheap, {}, ['subscription plan 3100']],
    ['in advance adds May', { ...cheap, ...advance }, {}, ['subscription plan 3100', 'subscription cheap 1000']],
    [
      'of a plan in advance, which does not start again',
      { ...cheap, ...advance },
      advance,
      ['subscription cheap 1000'],
    ],
    [
      'to a year: 12000 × 245 ÷ 365 = 8054.79',
      { ...cheap, ...advance, interval: 'yearly', amount_cents: 12_000 },
      {},
      ['subscription plan 3100', 'subscription cheap 8055'],
    ],
  ])('%s', async (_name, next, plan, expected) => {
    const given = { now: NOW, plan, plans: [next], subscription: { next_plan_code: 'cheap' } };
    const answer = await previewOf(given);
    expect(lines(answer)).toEqual(expected);
    expect(answer.body.invoice.issuing_date).toBe('2026-05-01');
  });
});

describe('a pending subscription that a new start activates (§3.2)', () => {
  it.each([
    [
      'in the past: 20 of 30 days of 3000, and what was used since',
      '2026-04-11',
      ['subscription plan 2000', 'charge m 400'],
      '2026-05-01',
    ],
    ['today: 10 of 30 days', '2026-04-21', ['subscription plan 1000'], '2026-05-01'],
    ['later: still a proposal, 27 of 31 days → 2612.90', '2026-05-05', ['subscription plan 2613'], '2026-06-01'],
  ])('%s', async (_name, subscription_at, expected, issued) => {
    const service = await serve({
      now: '2026-04-21T12:00:00Z',
      metrics: [sum],
      plan: { amount_cents: 3000, charges: [standard] },
      subscription: { status: 'pending', subscription_at: '2026-05-10' },
      events: [{ code: 'm', timestamp: '2026-04-15T00:00:00Z', properties: { v: 4 } }],
    });
    try {
      await service.put('/subscriptions/sub', { subscription: { subscription_at } });
      const answer = await service.post('/invoices/preview', running());
      expect(lines(answer)).toEqual(expected);
      expect(answer.body.invoice.issuing_date).toBe(issued);
    } finally {
      await service.close();
    }
  });
});

describe('what §16 leaves out', () => {
  const custom = { code: 'm', aggregation_type: 'custom_agg', field_name: 'v' };
  const ranges = { graduated_ranges: [{ from_value: 0, to_value: null, per_unit_amount: '1', flat_amount: '0' }] };
  it.each<[string, Entry, Entry]>([
    ['custom_aggregation', custom, standard],
    ['custom_charge_model', sum, charge('custom', {})],
    ['prorated_graduated_charge', { ...sum, recurring: true }, charge('graduated', ranges, { prorated: true })],
  ])('%s: a preview', async (code, metric, oneCharge) => {
    const answer = await previewOf({ now: NOW, metrics: [metric], plan: { charges: [oneCharge] } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
    expect(Object.keys(answer.body.error_details)).toEqual([code]);
  });

  it.each<[string, Entry, Entry]>([
    ['custom_aggregation', custom, standard],
    ['custom_charge_model', sum, charge('custom', {})],
  ])('%s: an estimate', async (code, metric, oneCharge) => {
    const plan = { charges: [{ ...oneCharge, pay_in_advance: true }] };
    const answer = await estimateOf({ now: NOW, metrics: [metric], plan }, { code: 'm', properties: { v: 1 } });
    expect(answer).toMatchObject({ status: 422, body: { code: 'out_of_scope' } });
    expect(Object.keys(answer.body.error_details)).toEqual([code]);
  });

  it('a VAT number would have to be checked where the entity has its EU taxes managed; the stored one has been', async () => {
    const entity = { eu_tax_management: true };
    const given = { now: NOW, entity, customer: { tax_identification_number: 'FR1' } };
    const ask = (tax_identification_number: string | null) => ({
      ...running(),
      customer: { external_id: 'acme', tax_identification_number },
    });
    expect(Object.keys((await previewOf(given, ask('FR2'))).body.error_details)).toEqual(['vies_check']);
    expect((await previewOf(given, ask('FR1'))).status).toBe(200);
    expect((await previewOf({ ...given, entity: {} }, ask('FR2'))).status).toBe(200);
    const anonymous = { plan_code: 'plan', customer: { tax_identification_number: 'FR2' } };
    expect((await previewOf(given, anonymous)).body.code).toBe('out_of_scope');
  });

  it('pricing units, target wallets and products cannot be in an account file', async () => {
    for (const field of ['applied_pricing_unit', 'accepts_target_wallet', 'product_code']) {
      const plan = { charges: [{ ...standard, [field]: true }] };
      await expect(previewOf({ now: NOW, metrics: [sum], plan })).rejects.toThrow(field);
    }
  });
});
