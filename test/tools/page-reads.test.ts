/** What is read for the pages in a chat alone: a page has more with it, and no answer depends on it. */

import { describe, expect, it } from 'vitest';
import type { ClientAbilities } from '../../src/definition/asking.ts';
import { nobody } from '../../src/definition/asking.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { usualDurations } from '../../src/server/settings/usual.ts';
import { limitMs } from '../support/until.ts';
import { meta, refusal, sharedWorld } from './lookup-upstream.ts';

const world = await sharedWorld();

/** The summary, and what the page draws; `page` is undefined for a client without pages. */
async function call(tool: string, args: object, showsPages = true): Promise<{ summary: string; page?: JsonRecord }> {
  const client: ClientAbilities = { ...nobody, shows: route => showsPages && route === 'buttons' };
  const outcome = await world.runtime.pipeline.call(tool, args, { caller: world.runtime.ownCaller(), client });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  const { summary, page } = outcome.answer;
  return { summary, ...(page !== undefined && { page: page as JsonRecord }) };
}

const fee = {
  svc_charge_id: 'seats',
  item: { type: 'charge', code: 'seats', name: 'Seats' },
  ...{ units: '8.0', precise_unit_amount: '9.0', amount_cents: 7200, amount_currency: 'USD' },
};
const invoice = {
  ...{ currency: 'USD', billing_entity_code: 'us', total_amount_cents: 7200, fees_amount_cents: 7200 },
  ...{ customer: { external_id: 'acme', name: 'Acme' }, subscriptions: [{ plan_code: 'team' }], fees: [fee] },
};
const charge = { svc_id: 'seats', charge_model: 'standard', prorated: true, properties: { amount: '12.0' } };
const entity = { code: 'us', name: 'Skylark', city: 'New York', country: 'US', email_settings: ['x'] };
const usage = {
  ...{ from_datetime: '2026-11-01T00:00:00Z', to_datetime: '2026-11-30T23:59:59Z', currency: 'USD' },
  ...{ amount_cents: 500, taxes_amount_cents: 0, total_amount_cents: 500 },
  charges_usage: [{ units: '5.0', events_count: 5, amount_cents: 500, billable_metric: { code: 'seats' } }],
};
const alert = {
  ...{ code: 'spend', alert_type: 'current_usage_amount', previous_value: '100.0', direction: 'increasing' },
  thresholds: [{ value: '1000.0' }],
};
const subscription = { external_id: 'main', external_customer_id: 'acme', name: 'Main', status: 'active' };

const past = (from_datetime: string, to_datetime: string, amount_cents: number) => ({
  ...usage,
  ...{ from_datetime, to_datetime, charges_usage: [{ ...usage.charges_usage[0], amount_cents }] },
});
const wallet = {
  ...{ svc_id: 'w-1', external_customer_id: 'acme', code: 'prepaid', name: 'Prepaid', status: 'active' },
  ...{ currency: 'USD', balance_cents: 5000, ongoing_balance_cents: 5000, rate_amount: '1.0' },
};
/** On a day of May; the newest comes first in a list. */
const moved = (transaction_status: string, amount: string, day: number, fields: object = {}) => ({
  ...{ svc_id: `t-${day}`, status: 'settled', transaction_status, amount, created_at: `2026-05-0${day}T00:00:00Z` },
  transaction_type: transaction_status === 'purchased' ? 'inbound' : 'outbound',
  ...fields,
});
const history = (...rows: object[]) => ({ wallet_transactions: rows, meta: meta(rows.length) });

const points = (...days: [day: number, cents: number][]) =>
  days.map(([day, cents]) => [`2026-05-0${day}T00:00:00Z`, cents]);

const whole = {
  '/invoices/preview': { invoice },
  '/billing_entities/us': { billing_entity: entity },
  '/plans/team': { plan: { code: 'team', charges: [charge] } },
  '/subscriptions/main/alerts': [alert],
  '/subscriptions/main': { subscription: { ...subscription, plan_amount_currency: 'USD' } },
  '/customers/acme': { customer: { external_id: 'acme', name: 'Acme', applicable_timezone: 'Asia/Tokyo' } },
  '/customers/acme/current_usage': { customer_usage: usage },
  '/customers/acme/past_usage': [
    past('2026-10-01T00:00:00Z', '2026-10-31T23:59:59Z', 900),
    past('2026-09-01T00:00:00Z', '2026-09-30T23:59:59Z', 700),
    // August is missing.
    past('2026-07-01T00:00:00Z', '2026-07-31T23:59:59Z', 500),
  ],
  '/customers/acme/wallets': [wallet],
  '/wallets/w-1/wallet_transactions': [moved('invoiced', '30.0', 3), moved('purchased', '80.0', 2)],
};
const readsOf: Record<string, object> = whole;
const ofUsage = { external_customer_id: 'acme', external_subscription_id: 'main' };

describe('a client that shows pages', () => {
  it.each([
    [
      'preview_invoice',
      { customer: { external_id: 'acme' }, plan_code: 'team' },
      { seller: { name: 'Skylark', city: 'New York', country: 'US' }, whole_prices: { seats: '12.0' } },
    ],
    [
      'list_subscription_alerts',
      { external_id: 'main' },
      { watched: { name: 'Main', currency: 'USD', customer_name: 'Acme', zone: 'Asia/Tokyo', now: { spend: 500 } } },
    ],
    [
      'get_usage',
      ofUsage,
      {
        ...{ customer_name: 'Acme', zone: 'Asia/Tokyo', subscription_name: 'Main', previous: { amount_cents: 900 } },
        // Those without a gap.
        periods: [{ amount_cents: 900 }, { amount_cents: 700 }],
        threshold: 1000,
      },
    ],
    [
      'list_wallets',
      { external_customer_id: 'acme' },
      { balances: { 'w-1': { before: 0, points: points([2, 8000], [3, 5000]), whole: true } } },
    ],
  ])('gets what the page of %s draws beside the answer', async (tool, args, more) => {
    world.script(whole);
    expect((await call(tool, args)).page).toMatchObject(more);
  });

  it.each([
    ['preview_invoice', { customer: { external_id: 'acme' }, plan_code: 'team' }, '/invoices/preview'],
    ['list_subscription_alerts', { external_id: 'main' }, '/subscriptions/main/alerts'],
    ['get_usage', ofUsage, '/customers/acme/current_usage'],
    ['list_wallets', { external_customer_id: 'acme' }, '/customers/acme/wallets'],
  ])('gets the answer of %s where nothing else can be read', async (tool, args, path) => {
    for (const failing of [refusal(500, 'internal_error'), { nothing: true }]) {
      world.script(url => {
        const own = url.pathname.replace('/api/v1', '');
        return own === path ? readsOf[path] : failing;
      });
      const { summary, page } = await call(tool, args);
      expect(summary).toBe((await call(tool, args, false)).summary);
      expect(Object.keys(page ?? {})).not.toEqual(expect.arrayContaining(['seller']));
      expect(page).toBeDefined();
    }
  });

  it('gets its answer without what takes too long', async () => {
    // Nothing else ends the call.
    await world.renew({ BILLING_TIMEOUT_MS: String(limitMs) }, { chatPageReadsMs: 50 });
    world.script(url => (url.pathname.endsWith('/invoices/preview') ? { invoice } : new Promise(() => {})));
    const { page } = await call('preview_invoice', { customer: { external_id: 'acme' }, plan_code: 'team' });
    expect(page).toMatchObject({ invoice: { total_amount_cents: 7200 } });
    expect(page).not.toHaveProperty('seller');
    expect(world.asked[0]).toBe('/invoices/preview');
    expect(['/billing_entities/us', '/plans/team']).toEqual(expect.arrayContaining(world.asked.slice(1)));
    await world.renew();
  });

  it.each([
    ['list_wallets', { external_customer_id: 'acme' }, /status=settled/],
    ['get_usage', ofUsage, /\/past_usage|\/alerts/],
  ])('gets names and time zone with %s where what its charts need takes too long', async (tool, args, slow) => {
    await world.renew({ BILLING_TIMEOUT_MS: String(limitMs) }, { chatPageReadsMs: 3000 });
    world.script(url => (slow.test(url.href) ? new Promise(() => {}) : readsOf[url.pathname.replace('/api/v1', '')]));
    const { page } = await call(tool, args);
    expect(page).toMatchObject({ customer_name: 'Acme', zone: 'Asia/Tokyo' });
    expect(page).not.toHaveProperty('balances');
    expect(page).not.toHaveProperty('previous');
    await world.renew();
  });

  it('waits for it two seconds at most, where nothing else was given', () => {
    expect(usualDurations.chatPageReadsMs).toBe(2000);
  });
});

describe('the balance of a wallet', () => {
  const balanceAfter = async (rows: object, more: object = {}) => {
    world.script({ ...whole, '/wallets/w-1/wallet_transactions': rows, ...more });
    const { page } = await call('list_wallets', { external_customer_id: 'acme' });
    return (page?.balances as Record<string, object> | undefined)?.['w-1'];
  };
  const [used, bought] = [moved('invoiced', '30.0', 3), moved('purchased', '80.0', 2)];

  it('counts what has settled, at the time when it did', async () => {
    const late = moved('purchased', '80.0', 1, { settled_at: '2026-05-02T10:00:00Z' });
    const pending = moved('purchased', '500.0', 4, { status: 'pending' });
    expect(await balanceAfter(history(pending, used, late))).toMatchObject({
      points: [
        ['2026-05-02T10:00:00Z', 8000],
        ['2026-05-03T00:00:00Z', 5000],
      ],
    });
  });

  it('begins with what was held before the oldest transaction that was read', async () => {
    const page = { wallet_transactions: [used], meta: { ...meta(2), next_page: 2, total_pages: 2 } };
    expect(await balanceAfter(page)).toMatchObject({
      ...{ before: 8000, whole: false, points: points([3, 5000]) },
    });
  });

  it.each([
    ['one is missing', history(used)],
    ['it would have been below zero', history(moved('purchased', '80.0', 3), moved('invoiced', '30.0', 2))],
    ['an amount is no whole number of cents', history(moved('invoiced', '30.001', 3), bought)],
    ['an amount is missing', history(moved('invoiced', 'null', 3), bought)],
    ['nobody knows whether it came or went', history({ ...used, transaction_type: 'sideways' }, bought)],
  ])('has no points where %s', async (_, rows) => {
    expect(await balanceAfter(rows)).toMatchObject({ points: [] });
  });

  it('is not on the page where its transactions cannot be read', async () => {
    expect(await balanceAfter(refusal(403, 'forbidden'))).toBeUndefined();
  });
});

it.each([
  [[{ value: '1000.0' }, { value: '400.0' }], 1000],
  [[{ value: '100.0' }, { value: '400.0' }], 400],
  [[{ value: '100.0' }, { value: '150.0', recurring: true }], 550],
  [[{ value: '0.0', recurring: true }], null],
  [[{ value: 'much' }], null],
])('of the thresholds %j, a page shows %j beside usage of 500', async (thresholds, shown) => {
  world.script({ ...whole, '/subscriptions/main/alerts': [{ ...alert, thresholds }] });
  expect((await call('get_usage', ofUsage)).page?.threshold ?? null).toBe(shown);
});

it.each([
  ['previous', { charge_code: 'seats' }],
  ['previous', { charge_id: '1a901a90-1a90-4a90-8a90-1a901a901a90' }],
  ['threshold', { charge_code: 'seats' }],
  ['threshold', { billable_metric_code: 'seats' }],
])('%s is not that of all usage beside usage of %j alone', async (what, part) => {
  world.script({ ...whole, '/plans/team': { plan: { code: 'team', charges: [charge] } } });
  const { page } = await call('get_usage', { ...ofUsage, ...part });
  expect(page).toMatchObject({ customer_name: 'Acme' });
  expect(page).not.toHaveProperty(what);
});

it('nothing but the prices that the sentence tells is read for a client that shows no pages', async () => {
  world.script(whole);
  expect((await call('preview_invoice', { customer: { external_id: 'acme' }, plan_code: 'team' }, false)).page).toBe(
    undefined,
  );
  expect(world.asked).toEqual(['/invoices/preview', '/plans/team']);
});
