/** compare_plans with the usage of a subscription: what is read, what is taken over, and what is said of it. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../support/facts.ts';
import { meta, refusal, type Script, type Scripted, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

const charge = (code: string, charge_model: string, properties: object) => ({
  ...{ billable_metric_code: code, charge_model, properties, filters: [], taxes: [], invoiceable: true },
  ...{ pay_in_advance: false, min_amount_cents: 0 },
});
const plan = (code: string, amount: string) => ({
  ...{ code, name: code, interval: 'monthly', amount_cents: 1000, amount_currency: 'USD', taxes: [] },
  charges: [charge('calls', 'standard', { amount }), charge('payouts', 'percentage', { rate: '1', fixed_amount: '2' })],
});
const invoice = {
  ...{ currency: 'USD', fees_amount_cents: 1000, taxes_amount_cents: 0, coupons_amount_cents: 0, credits: [] },
  ...{ sub_total_including_taxes_amount_cents: 1000, total_amount_cents: 1000 },
  fees: [{ item: { type: 'subscription' }, amount_cents: 1000, taxes_rate: 0 }],
};
const period = { from_datetime: '2026-02-01T00:00:00Z', to_datetime: '2026-02-28T23:59:59Z' };
const used = (code: string, units: string, fields: object = {}) => ({
  ...{ units, events_count: 7, amount_cents: 1, filters: [], grouped_usage: [] },
  ...{ charge: { charge_model: 'standard' }, billable_metric: { code } },
  ...fields,
});

const args = {
  plan_codes: ['small', 'large'],
  customer: { external_id: 'acme' },
  external_subscription_id: 'acme-pro',
};
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Loose = any;
type Usage = 'current' | 'last_period' | { period?: string; last?: number };

async function compare(usage: Usage, reads: Record<string, Scripted>, more: object = {}, env = {}): Promise<Loose> {
  await world.renew(env);
  const script: Script = {
    '/plans': [plan('small', '0.1'), plan('large', '0.01')],
    '/invoices/preview': { invoice },
    ...reads,
  };
  world.script(script);
  return { ...(await world.call('compare_plans', { ...args, usage, ...more })), asked: world.asked };
}
const current = (...charges_usage: object[]) => ({
  '/customers/acme/current_usage': { customer_usage: { ...period, currency: 'USD', charges_usage } },
});
const past = (...charges_usage: object[]) => ({
  '/customers/acme/past_usage': [{ ...period, charges_usage }],
});
const taken = async (...charges: object[]) => {
  const answer = await compare('current', current(...charges));
  return { usage: answer.usage, changed: answer.usage_of.changed };
};

describe('the usage of a subscription', () => {
  it('of the running period is read once, and said to be a part of it', async () => {
    const answer = await compare('current', current(used('calls', '5000.0')));
    expect(answer.asked[0]).toBe('/customers/acme/current_usage?external_subscription_id=acme-pro');
    expect(answer.asked.filter((path: string) => path.includes('usage'))).toHaveLength(1);
    expect(answer.summary).toContain('5,000 calls: “small” $510.00, “large” $60.00'.replaceAll(/[“”]/g, ''));
    expect(factsOf(answer.summary)).toContain('1 Feb · 28 Feb · 2026 · (UTC)');
  });

  it('of the last invoiced period is that period’s', async () => {
    const answer = await compare('last_period', past(used('calls', '100')));
    expect(answer.asked[0]).toBe('/customers/acme/past_usage?external_subscription_id=acme-pro&periods_count=20');
    expect(factsOf(answer.summary)).toContain('1 Feb · 28 Feb · 2026 · (UTC)');
    expect(answer.usage_of).toEqual({ external_subscription_id: 'acme-pro', period: 'last_period', ...period });
  });

  it('is that of days in the customer’s zone', async () => {
    const days = { from_datetime: '2026-02-01T08:00:00Z', to_datetime: '2026-03-01T07:59:59Z' };
    const zoned = { ...invoice, customer: { applicable_timezone: 'America/Los_Angeles' } };
    const answer = await compare('last_period', {
      '/customers/acme/past_usage': [{ ...days, charges_usage: [used('calls', '1')] }],
      '/invoices/preview': { invoice: zoned },
    });
    expect(answer.summary).toContain('28 Feb 2026 (America/Los_Angeles)');
  });

  it('of a shorter period is said to count as a whole one', async () => {
    const usage_periods = [{ ...period, from_datetime: '2026-02-20T00:00:00Z', charges_usage: [used('calls', '1')] }];
    const answer = await compare('last_period', { '/customers/acme/past_usage': { usage_periods, meta: meta(1) } });
    expect(answer.summary).toContain('20 – 28 Feb 2026 (UTC)');
  });

  it('of a month is that of each month of a yearly plan', async () => {
    const plans = [
      { ...plan('small', '0.1'), interval: 'yearly' },
      { ...plan('large', '0.01'), interval: 'yearly' },
    ];
    const answer = await compare('last_period', { ...past(used('calls', '100')), '/plans': { plans, meta: meta(2) } });
    expect(factsOf(answer.summary)).toContain('100 · $130.00 · $22.00 · $108.00');
    expect(answer.summary).toContain('1 – 28 Feb 2026 (UTC)');
  });

  it('where there was none is a quote for no usage', async () => {
    const answer = await compare('current', current(used('calls', '0.0')));
    expect(answer.usage).toEqual([]);
    expect(answer.summary).toContain('with no usage');
  });

  it('leads to the units from which the other plan is cheaper, as assumed usage does', async () => {
    expect((await compare('current', current(used('calls', '5')))).asked).toHaveLength(6);
    const dear = { plans: [plan('small', '0.1'), { ...plan('large', '0.01'), amount_cents: 2000 }], meta: meta(2) };
    const answer = await compare('current', { ...current(used('calls', '5')), '/plans': dear });
    expect(answer.summary).not.toContain('at least');
  });
});

describe('what is taken over', () => {
  // biome-ignore format: a table
  const rows: [what: string, charges: object[], usage: object[], changed?: string[]][] = [
    ['the units alone, where no plan counts events', [used('calls', '12.5')], [{ billable_metric_code: 'calls', units: '12.5' }]],
    ['the events of a percentage', [used('payouts', '300')], [{ billable_metric_code: 'payouts', units: '300', events: 7 }]],
    ['nothing of a charge without units', [used('calls', '0.0'), used('payouts', '1')], [{ billable_metric_code: 'payouts', units: '1', events: 7 }]],
    ['each filter, and what matches none', [used('calls', '9', { filters: [{ values: { region: ['eu'] }, units: '4', events_count: 1 }, { values: null, units: '5', events_count: 2 }] })],
      [{ billable_metric_code: 'calls', units: '4', filter: { region: 'eu' } }, { billable_metric_code: 'calls', units: '5' }]],
    ['one of several values of a filter, and that it is one', [used('calls', '4', { filters: [{ values: { region: ['eu', 'us'] }, units: '4' }] })],
      [{ billable_metric_code: 'calls', units: '4', filter: { region: 'eu' } }], ['calls: region treated as eu, one of 2 values']],
    ['all values of a filter', [used('calls', '4', { filters: [{ values: { region: ['__ALL_FILTER_VALUES__'] }, units: '4' }] })],
      [{ billable_metric_code: 'calls', units: '4', filter: { region: '__ALL_FILTER_VALUES__' } }], ['calls: region treated as any value']],
    ['each group with its filters', [used('calls', '9', { grouped_usage: [
      { grouped_by: { team: 'a' }, units: '4', filters: [{ values: { region: ['eu'] }, units: '4' }, { values: null, units: '0' }] },
      { grouped_by: { team: null }, units: '5', filters: [] }] })],
      [{ billable_metric_code: 'calls', units: '4', filter: { region: 'eu' }, groups: { team: 'a' } }, { billable_metric_code: 'calls', units: '5' }]],
    ['one charge of a metric that has two, so that units are not doubled', [used('calls', '9'), used('calls', '9'), used('calls', '0')],
      [{ billable_metric_code: 'calls', units: '9' }], ['calls: taken from one of its 2 charges']],
    ['no negative units, and that they are left out', [used('calls', '-3')], [], ['calls: -3 units left out']],
  ];
  it.each(rows)('%s', async (_, charges, usage, changed) => {
    expect(await taken(...charges)).toEqual({ usage, changed });
  });

  it('is said where it is not as it was', async () => {
    const answer = await compare('last_period', past(used('calls', '9'), used('calls', '9')));
    expect(answer.summary).toContain('from one of its 2 charges');
  });
});

describe('usage that cannot be read', () => {
  const [now, before] = ['/customers/acme/current_usage', '/customers/acme/past_usage'];
  it.each<[what: string, usage: Usage, reads: Record<string, Scripted>, code: string]>([
    ['of no customer', 'current', { [now]: refusal(404, 'customer_not_found') }, 'customer_not_found'],
    ['of no active one', 'current', { [now]: refusal(405, 'no_active_subscription') }, 'no_active_subscription'],
    ['where the installation lacks the path', 'current', {}, 'lookup_unavailable'],
    ['of a subscription without an invoiced period', 'last_period', { [before]: [] }, 'no_match'],
  ])('%s fails the call before anything is previewed', async (_, usage, reads, code) => {
    const { error, asked } = await compare(usage, reads);
    expect(error?.code).toBe(code);
    expect(asked.filter((path: string) => path.includes('preview'))).toEqual([]);
  });

  it('is not read for a caller who may not use get_usage', async () => {
    const { error, asked } = await compare('current', current(), {}, { BILLING_LOOKUPS: 'false' });
    expect(error?.code).toBe('tool_not_offered');
    expect(asked).toEqual([]);
  });

  it.each<[object, string]>([
    [{ external_subscription_id: undefined }, 'also need external_subscription_id and customer.external_id'],
    [{ customer: { country: 'FR' } }, 'last also need'],
    [{ usage: [] }, 'external_subscription_id goes with usage'],
    [{ usage: 'curent' }, 'did you mean current?'],
    [{ usage: [{ billable_metric_code: 'calls' }] }, 'usage[0].units is required'],
    [{ usage: [{ billable_metric_code: 'calls', units: 1, filters: {} }] }, 'did you mean filter?'],
    [{ usage: Array(51).fill({ billable_metric_code: 'a', units: 1 }) }, 'usage has more than 50 entries'],
  ])('is refused for %#', async (more, message) => {
    const { error, summary, asked } = await compare('current', current(), more);
    expect(error?.code).toBe('invalid_arguments');
    expect(summary).toContain(message);
    expect(asked).toEqual([]);
  });

  it('written as JSON text, with nulls for what is left out, is assumed usage as before', async () => {
    const usage = JSON.stringify([{ billable_metric_code: 'calls', units: 100, filter: null, events: null }]);
    const { summary, error } = await compare(usage as Usage, {}, { external_subscription_id: null });
    expect(error).toBeUndefined();
    expect(factsOf(summary)).toContain('100 · $20.00 · $11.00');
  });
});

describe('the usage of past periods', () => {
  const month = (from: string, to: string, units: string) => ({
    ...{ from_datetime: `${from}T00:00:00Z`, to_datetime: `${to}T23:59:59Z` },
    charges_usage: [used('calls', units)],
  });
  const usage_periods = [
    month('2026-03-01', '2026-03-31', '5000.0'),
    month('2026-02-01', '2026-02-28', '1000.0'),
    month('2026-01-01', '2026-01-31', '300.0'),
  ];
  const reads = { '/customers/acme/past_usage': { usage_periods, meta: meta(3) } };

  it('of a month is that of the period which covers its middle', async () => {
    const answer = await compare({ period: '2026-01' }, reads);
    expect(answer.usage).toEqual([{ billable_metric_code: 'calls', units: '300.0' }]);
    expect(answer.summary).toContain('small $40.00, large $13.00');
    expect((await compare({ period: '2025-01' }, reads)).error?.code).toBe('no_match');
  });

  it('is summed over the last periods, each priced by itself', async () => {
    const { over_periods, summary } = await compare({ last: 3 }, reads);
    // Three plan fees of $10.00, and 6,300 calls.
    expect(over_periods).toMatchObject({
      periods: 3,
      from_datetime: '2026-01-01T00:00:00Z',
      plans: [
        { plan_code: 'small', before_tax_cents: 66_000, with_tax_cents: 66_000, difference_cents: 0 },
        { plan_code: 'large', before_tax_cents: 9_300, with_tax_cents: 9_300, difference_cents: -56_700 },
      ],
    });
    expect(factsOf(summary)).toContain('3 · 1 Jan · 31 Mar · 2026');
    expect(world.asked.filter((path: string) => path.startsWith('/invoices/preview'))).toHaveLength(4);
    const more = await compare({ last: 6 }, reads);
    expect(factsOf(more.summary)).toContain('6 · 3');
  });

  it.each([[{}], [{ period: '2026-01', last: 2 }], [{ last: 7 }], [{ period: '2026-1' }]])(
    'is refused as %j before anything is sent',
    async usage => {
      expect((await compare(usage, reads)).error?.code).toBe('invalid_arguments');
      expect(world.asked).toEqual([]);
    },
  );
});
