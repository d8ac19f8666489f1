/** list_wallets with runway: whose money will not last, from the usage of the running period (service-behaviour §11.7). */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { factsOf } from '../support/facts.ts';
import { subscriptionRow, walletRow } from './lookup-records.ts';
import { freshWorld, meta, onOneDay, refusal, type Scripted } from './lookup-upstream.ts';

onOneDay();
const world = await freshWorld();

/** Ten days of the period are over at the tests' noon of 23 November. */
const period = {
  current_billing_period_started_at: '2026-11-13T12:00:00Z',
  current_billing_period_ending_at: '2026-12-13T11:59:59Z',
};
const wallet = (fields: JsonRecord = {}) =>
  walletRow(1, {
    ...{ external_customer_id: 'acme', code: 'prepaid', name: 'Prepaid', balance_cents: 20_000 },
    ...{ ongoing_balance_cents: 15_000, ongoing_usage_balance_cents: 5000 },
    applies_to: { fee_types: ['charge'], billable_metric_codes: [] },
    ...fields,
  });
const subscription = (fields: JsonRecord = {}) =>
  subscriptionRow('main', {
    ...{ external_customer_id: 'acme', plan_code: 'pro', plan_amount_cents: 9900, ...period },
    ...fields,
  });
const usage = (total: number, charges: [code: string, cents: number, type?: string][] = [], amount = total) => ({
  customer_usage: {
    ...{ currency: 'USD', amount_cents: amount, total_amount_cents: total, taxes_amount_cents: total - amount },
    charges_usage: charges.map(([code, amount_cents, aggregation_type]) => ({
      ...{ billable_metric: { code, aggregation_type }, amount_cents },
      ...(aggregation_type === 'unused' ? { units: '0.0', events_count: 0 } : { units: '1.0', events_count: 1 }),
    })),
  },
});

/** What the service answers about acme; a null is a path that it lacks. */
function serve(
  wallets: object[],
  subscriptions: Scripted | null,
  current: Record<string, Scripted> | Scripted | null,
  drafts: Scripted = [],
  main: object | null = null,
): void {
  world.script(url => {
    const path = url.pathname;
    if (path.endsWith('/wallets')) return wallets;
    if (path.endsWith('/subscriptions/main') && main) return { subscription: main };
    if (path.endsWith('/subscriptions')) return subscriptions ?? undefined;
    if (path.endsWith('/invoices')) return drafts;
    if (path.endsWith('/customers/acme'))
      return { customer: { external_id: 'acme', applicable_timezone: 'Asia/Tokyo' } };
    if (!path.endsWith('/current_usage') || current === null) return undefined;
    const id = url.searchParams.get('external_subscription_id') ?? '';
    return (id in (current as object) ? (current as Record<string, Scripted>)[id] : current) as Scripted;
  });
}

const target = { trigger: 'threshold', method: 'target', target_ongoing_balance: '400.0' };
const ask = (args: object = { external_customer_id: 'acme' }) => world.call('list_wallets', { runway: true, ...args });

describe('list_wallets with runway', () => {
  it('says of one customer when the wallet is empty, when a rule tops it up, and what that assumes', async () => {
    const rule = { trigger: 'threshold', threshold_credits: '50.0', method: 'fixed', paid_credits: '150.0' };
    serve([wallet({ recurring_transaction_rules: [rule] })], [subscription()], usage(5000));
    const answer = await ask();
    expect(factsOf(answer.summary)).toBe('“Prepaid” · (prepaid) · $150.00 · $5.00 · 23 Dec · 150 · 50 · 13 Dec');
    expect(answer.wallets).toEqual([
      { code: 'prepaid', left: '$150.00', a_day: '$5.00', empty_about: '2026-12-23', top_up_about: '2026-12-13' },
    ]);
    expect(world.asked).toHaveLength(5);
  });

  it('says what top-up in whole credits lasts through a day, and that none is needed', async () => {
    serve([wallet({ rate_amount: '2.0' })], [subscription()], usage(5000, [['calls', 5000]]));
    // $5.00 a day; $150.00 last to 23 December at noon, and 9.5 days more cost $47.50: 23.75 credits.
    const { wallets, summary } = await ask({ external_customer_id: 'acme', until: '2027-01-01' });
    expect(wallets).toMatchObject([{ credits_needed: 24 }]);
    expect(factsOf(summary)).toContain('24 · $48.00 · 1 Jan · 2027');
    const enough = await ask({ external_customer_id: 'acme', until: '2026-12-01' });
    expect(enough.wallets).toMatchObject([{ credits_needed: 0 }]);
    serve([wallet({ expiration_at: '2026-12-24T00:00:00Z' })], [subscription()], usage(5000, [['calls', 5000]]));
    const expiring = await ask({ external_customer_id: 'acme', until: '2027-01-01' });
    expect(expiring.summary).not.toContain('lasts through');
  });

  it('takes all: true, and shows every wallet', async () => {
    const wallets = Array.from({ length: 14 }, (_, n) =>
      wallet({ svc_id: `w-${n}`, external_customer_id: `c-${n}`, ongoing_balance_cents: 1000 * (n + 1) }),
    );
    const subscriptions = wallets.map((_, n) =>
      subscription({ external_id: `s-${n}`, external_customer_id: `c-${n}` }),
    );
    serve(wallets, subscriptions, usage(5000, [['calls', 5000]]));
    const answer = await ask({ all: true });
    expect(answer.shown).toBe('14 of 14');
    expect(answer).not.toHaveProperty('next_page');
    expect(world.asked.length).toBeLessThanOrEqual(20);
  });

  it('takes the usage of each subscription over its own period, within the limits and with its tax', async () => {
    const limits = { applies_to: { fee_types: [], billable_metric_codes: ['tokens'] } };
    const yearly = {
      ...{ svc_id: 's-2', external_id: 'second', current_billing_period_started_at: '2026-11-03T12:00:00Z' },
    };
    const tokens: [string, number][] = [['tokens', 1000]];
    serve([wallet(limits)], [subscription(), subscription(yearly)], {
      // 20 % tax: $12.00 in 10 days, and $24.00 in 20 days.
      main: usage(6000, [...tokens, ['calls', 4000]], 5000),
      second: usage(2400, [['tokens', 2000]], 2000),
    });
    expect(factsOf((await ask()).summary)).toContain('$150.00 · $2.40 · 25 Jan · 2027');
  });

  it('names plan fees that the wallet pays, drafts, and the next top-up of an interval apart', async () => {
    const rule = { trigger: 'interval', interval: 'monthly', started_at: '2026-01-30T00:00:00Z', paid_credits: '9.0' };
    const open = { applies_to: {}, recurring_transaction_rules: [{ ...rule, method: 'fixed' }] };
    const draft = {
      svc_id: 'i',
      status: 'draft',
      currency: 'USD',
      total_amount_cents: 1234,
      customer: { external_id: 'acme' },
    };
    serve([wallet(open)], [subscription()], usage(5000), [draft]);
    const { summary } = await ask();
    expect(factsOf(summary)).toContain('30 Nov · $99.00 · 13 Dec');
    expect(factsOf(summary)).toContain('$12.34');
    // The day is that of the customer, also among all.
    const all = await world.call('list_wallets', { runway: true });
    expect(factsOf(all.summary)).toContain('30 Nov · $99.00');
  });

  it('tells a top-up that is due, and a wallet that the usage so far uses up', async () => {
    const rule = { ...target, threshold_credits: '200.0' };
    serve([wallet({ recurring_transaction_rules: [rule] })], [subscription()], usage(5000));
    const { summary: due } = await ask();
    expect(factsOf(due)).toContain('400 · 200');
    const atOnce = { ...rule, threshold_credits: '150.0' };
    serve([wallet({ recurring_transaction_rules: [atOnce] })], [subscription()], usage(5000));
    expect((await ask()).summary).toBe(due.replace('200', '150'));
    serve([wallet({ ongoing_balance_cents: -500 })], [subscription()], usage(5000));
    expect((await ask()).summary).toContain('$5.00 of usage is not covered');
    serve(
      [wallet({ balance_cents: 0, ongoing_balance_cents: 0, ongoing_usage_balance_cents: 0 })],
      [subscription()],
      usage(0),
    );
    const { summary, wallets } = await ask();
    expect(summary).toBe('Wallet “Prepaid” (prepaid): $0.00 left, empty.');
    expect(wallets).toEqual([{ code: 'prepaid', left: '$0.00', empty_about: 'empty' }]);
  });

  it('tells no top-up of a rule that has ended', async () => {
    const rule = { trigger: 'threshold', threshold_credits: '200.0', method: 'fixed', paid_credits: '9.0' };
    for (const ended of [{ status: 'terminated' }, { expiration_at: '2026-11-20T00:00:00Z' }]) {
      serve([wallet({ recurring_transaction_rules: [{ ...rule, ...ended }] })], [subscription()], usage(5000));
      const { summary } = await ask();
      expect(summary).toContain('empty about 23 Dec. ');
      expect(summary).not.toContain('topped up');
    }
  });

  // $50.00 for 1,000 units in ten days, with 20 % tax; $180.00 is left.
  const tier = (from_value: number, to_value: number | null, per_unit_amount: string) => ({
    ...{ from_value, to_value, per_unit_amount, flat_amount: '0' },
  });
  const tiers = (end: number, later: string) => [tier(0, end, '0.05'), tier(end + 1, null, later)];
  it.each<[model: string, properties: object, empty: string, needed: number | null]>([
    // $1.20 a day to 13 December, then $6.00 for ten days of each period, and $1.20 again.
    ['graduated', { graduated_ranges: tiers(1000, '0.01') }, '2027-02-01', 12],
    // One more package at once, and after each five days: the sixth with the next period's first.
    ['package', { amount: '25', package_size: 500, free_units: 0 }, '2026-12-18', 300],
    // $6.00 a day for ten days; then all units cost twice as much.
    ['volume', { volume_ranges: tiers(2000, '0.10') }, '2026-12-03', 834],
    ['standard', { amount: '0.05' }, '2026-12-23', 297],
    // Prices that do not come to the shown amount are not those of the usage.
    ['graduated', { graduated_ranges: [tier(0, null, '9')] }, '2026-12-23', 297],
  ])('carries the units through the prices of a %s charge', async (charge_model, properties, empty, needed) => {
    const charge = { svc_id: 'c-1', code: 'calls', charge_model, properties, filters: [] };
    const metric = { code: 'calls', aggregation_type: 'sum_agg' };
    const of = { charge, billable_metric: metric, units: '1000.0', events_count: 10, amount_cents: 5000 };
    const current = usage(6000, [], 5000);
    serve(
      [wallet({ ongoing_balance_cents: 18_000 })],
      [subscription({ started_at: '2026-01-13T12:00:00Z' })],
      { customer_usage: { ...current.customer_usage, charges_usage: [of] } },
      [],
      { external_id: 'main', plan: { code: 'pro', charges: [charge] } },
    );
    const { summary, wallets } = await ask({ external_customer_id: 'acme', until: '2027-02-10' });
    expect(wallets).toMatchObject([{ a_day: '$6.00', empty_about: empty, credits_needed: needed }]);
    expect(String(summary).includes('price tiers')).toBe(empty !== '2026-12-23');
  });

  describe('with seats and other values that do not grow by the day', () => {
    // $40.00 for seats and $10.00 of the rest: $1.00 a day, and $40.00 more from 13 Dec on.
    const seats = usage(5000, [
      ['seats', 4000, 'unique_count_agg'],
      ['tokens', 1000, 'sum_agg'],
    ]);
    const started = { started_at: '2026-01-13T12:00:00Z' };

    it('counts them once a period', async () => {
      const rule = { ...target, threshold_credits: '140.0' };
      serve([wallet({ recurring_transaction_rules: [rule] })], [subscription(started)], seats);
      const answer = await ask();
      expect(factsOf(answer.summary)).toContain('$150.00 · $1.00 · 1 Feb · 2027 · 400 · 140 · 3 Dec');
      expect(answer.summary).toContain("within the wallet's limits");
    });

    it('tells a day for them alone, within the limits of the wallet', async () => {
      serve(
        [wallet({ applies_to: { fee_types: [], billable_metric_codes: ['seats'] } })],
        [subscription(started)],
        seats,
      );
      const { summary } = await ask();
      expect(factsOf(summary)).toContain('$150.00 · 13 Mar · 2027');
    });

    it('tells none in a first period that may be a part of one', async () => {
      const first = { started_at: period.current_billing_period_started_at };
      serve([wallet()], [subscription(first)], seats);
      expect((await ask()).summary).toContain('first usage period may be shorter');
      serve([wallet()], [subscription({ ...first, billing_time: 'anniversary' })], seats);
      expect((await ask()).summary).toContain('empty about 1 Feb 2027');
    });

    it('leaves out flat amounts of charges that nothing was used of', async () => {
      const flat = usage(5000, [
        ['calls', 4000, 'unused'],
        ['tokens', 1000, 'sum_agg'],
      ]);
      serve([wallet({ ongoing_balance_cents: 1000 })], [subscription(started)], flat);
      expect(factsOf((await ask()).summary)).toContain('$1.00 · 3 Dec');
    });
  });

  const later = { current_billing_period_started_at: '2026-11-23T06:00:00Z' };
  const ended = { current_billing_period_ending_at: '2026-11-20T00:00:00Z' };
  it.each<[why: string, wallets: object[], subscriptions: object[], used: number]>([
    ['there is no usage', [wallet()], [subscription()], 0],
    ['no active subscription in its currency', [wallet()], [subscription({ plan_amount_currency: 'EUR' })], 100],
    ['it pays no usage', [wallet({ applies_to: { fee_types: ['subscription'] } })], [subscription()], 100],
    ['its figures are missing', [wallet({ ongoing_balance_cents: null })], [subscription()], 100],
    ['started less than a day ago', [wallet()], [subscription(later)], 100],
    ['the usage period is unknown', [wallet()], [subscription(ended)], 100],
    ['shares the usage with another wallet', [wallet(), wallet({ svc_id: 'w-2' })], [subscription()], 100],
    ['it has expired', [wallet({ expiration_at: '2026-11-01T00:00:00Z' })], [subscription()], 100],
    ['before it is empty, on 1 Dec', [wallet({ expiration_at: '2026-12-01T00:00:00Z' })], [subscription()], 5000],
    [
      'it lasts over two years',
      // When its settled balance changed says nothing of how old the figures of its usage are.
      [wallet({ last_balance_sync_at: '2026-08-01T00:00:00Z' })],
      [subscription()],
      10,
    ],
  ])('tells no day, because %s', async (why, wallets, subscriptions, used) => {
    serve(wallets, subscriptions, usage(used));
    const { summary } = await ask();
    expect(summary).toMatch(new RegExp(`no date, because .*${why}`));
    expect(summary).not.toContain('empty about');
  });

  const forbidden = refusal(403, 'forbidden');
  it.each<[what: string, rows: Scripted | null, current: Scripted | null, drafts: Scripted, told: RegExp]>([
    ['subscriptions', null, usage(5000), [], /subscriptions were not read.*Could not be read: .*subscriptions/],
    ['subscriptions, for lack of a right', forbidden, usage(5000), [], /its subscriptions were not read/],
    [
      'usage: then by the wallet’s figure',
      [subscription()],
      null,
      [],
      /empty about 23 Dec.*own figure.*Could not be read: .*current_usage/,
    ],
    [
      'drafts: then by the usage alone',
      [subscription()],
      usage(5000),
      forbidden,
      /empty about 23 Dec.*each subscription's usage.*Could not be read/,
    ],
    ['usage and drafts: then not at all', [subscription()], forbidden, forbidden, /no date.*may include drafts/],
  ])('answers the rest where the service lacks %s', async (_, rows, current, drafts, told) => {
    serve([wallet()], rows, current, drafts);
    const answer = await ask();
    expect(answer.error).toBeUndefined();
    expect(answer.summary).toMatch(told);
  });

  describe('of the account', () => {
    const customers = Array.from({ length: 13 }, (_, n) => `customer-${n}`);
    const rule = { ...target, threshold_credits: '50.0' };
    const wallets = customers.map((external_customer_id, n) =>
      wallet({
        ...{ external_customer_id, svc_id: `w-${n}`, ongoing_balance_cents: 30_000 - n * 2000 },
        recurring_transaction_rules: n % 2 === 0 ? [rule] : [],
      }),
    );
    const subscriptions = customers.map((external_customer_id, n) =>
      subscription({ external_customer_id, svc_id: `s-${n}`, external_id: `sub-${n}` }),
    );

    it('ranks all, tells the ten that are empty soonest with their usage, and counts the rest', async () => {
      serve(wallets, subscriptions, usage(5000));
      const answer = await ask({});
      const rows = answer.wallets as { external_customer_id: string }[];
      expect(rows.map(row => row.external_customer_id)).toEqual(customers.slice(3).reverse());
      expect(answer).toMatchObject({ shown: '10 of 13', next_page: 2 });
      expect(rows[0]).toEqual({
        ...{ external_customer_id: 'customer-12', left: '$60.00' },
        ...{ empty_about: '2026-12-05', top_up_about: '2026-11-25' },
      });
      expect(answer.summary).toMatch(/customer-12 \(prepaid\): \$60\.00 .*5 Dec.*customer-11.*10 more/);
      expect(answer.summary).toContain('. Days are in UTC.');
      expect(world.asked.filter(path => path.includes('current_usage'))).toHaveLength(10);
      expect(world.asked.length).toBeLessThanOrEqual(20);
      expect(countTokens(JSON.stringify(answer))).toBeLessThanOrEqual(500);
      const rest = await ask({ page: 2 });
      expect((rest.wallets as object[]).length).toBe(3);
    });

    it('makes at most 20 reads of an account without end, and says how far it looked', async () => {
      world.script(url => {
        const page = Number(url.searchParams.get('page'));
        const key = url.pathname.endsWith('/wallets') ? 'wallets' : 'subscriptions';
        if (url.pathname.endsWith('/current_usage')) return usage(5000);
        if (url.pathname.endsWith('/invoices')) return [];
        const rows = Array.from({ length: 100 }, (_, n) =>
          key === 'wallets'
            ? wallet({ svc_id: `w-${page}-${n}`, external_customer_id: `c-${page}-${n}` })
            : subscription({ svc_id: `s-${page}-${n}`, external_customer_id: `c-${page}-${n}` }),
        );
        return { [key]: rows, meta: meta(5000, { page, pages: 50 }) };
      });
      const answer = await ask({});
      expect(world.asked.length).toBeLessThanOrEqual(20);
      expect(answer.shown).toBe('10 of an unknown number');
      expect(factsOf(answer.summary)).toContain('400');
    });
  });
});
