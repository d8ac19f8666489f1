/** What is read for the pages in a chat alone: a page has more with it, and no answer depends on it. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nobody } from '../../src/calls/nobody.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { usualDurations } from '../../src/server/settings/durations.ts';
import type { ClientAbilities } from '../../src/tool/asking.ts';
import { limitMs } from '../support/until.ts';
import { type LookupWorld, lookupWorld, meta, refusal, type Script } from './lookup-upstream.ts';

let world: LookupWorld;
beforeAll(async () => {
  world = await lookupWorld();
});
afterAll(() => world?.close());

/** The summary, and what the page draws; `page` is undefined for a client without pages. */
async function call(tool: string, args: object, showsPages = true): Promise<{ summary: string; page?: JsonRecord }> {
  const client: ClientAbilities = { ...nobody, shows: route => showsPages && route === 'buttons' };
  const outcome = await world.runtime.pipeline.call(tool, args, { caller: world.runtime.ownCaller(), client });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  const { summary, page } = outcome.answer;
  return { summary, ...(page !== undefined && { page: JSON.parse(`{${page}}`) }) };
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

const whole: Script = {
  '/invoices/preview': { invoice },
  '/billing_entities/us': { billing_entity: entity },
  '/plans/team': { plan: { code: 'team', charges: [charge] } },
  '/subscriptions/main/alerts': { alerts: [alert], meta: meta(1) },
  '/subscriptions/main': { subscription: { ...subscription, plan_amount_currency: 'USD' } },
  '/customers/acme': { customer: { external_id: 'acme', name: 'Acme', applicable_timezone: 'Asia/Tokyo' } },
  '/customers/acme/current_usage': { customer_usage: usage },
  '/customers/acme/past_usage': {
    usage_periods: [{ ...usage, charges_usage: [{ ...usage.charges_usage[0], amount_cents: 900 }] }],
    meta: meta(1),
  },
};
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
      { customer_name: 'Acme', zone: 'Asia/Tokyo', subscription_name: 'Main', previous: { amount_cents: 900 } },
    ],
  ])('gets what the page of %s draws beside the answer', async (tool, args, more) => {
    world.script(whole);
    expect((await call(tool, args)).page).toMatchObject(more);
  });

  it.each([
    ['preview_invoice', { customer: { external_id: 'acme' }, plan_code: 'team' }, '/invoices/preview'],
    ['list_subscription_alerts', { external_id: 'main' }, '/subscriptions/main/alerts'],
    ['get_usage', ofUsage, '/customers/acme/current_usage'],
  ])('gets the answer of %s where nothing else can be read', async (tool, args, path) => {
    for (const failing of [refusal(500, 'internal_error'), { nothing: true }]) {
      world.script(url => {
        const own = url.pathname.replace('/api/v1', '');
        return own === path ? (whole as Record<string, object>)[path] : failing;
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

  it('waits for it two seconds at most, where nothing else was given', () => {
    expect(usualDurations.chatPageReadsMs).toBe(2000);
  });
});

it('nothing but the prices that the sentence tells is read for a client that shows no pages', async () => {
  world.script(whole);
  expect((await call('preview_invoice', { customer: { external_id: 'acme' }, plan_code: 'team' }, false)).page).toBe(
    undefined,
  );
  expect(world.asked).toEqual(['/invoices/preview', '/plans/team']);
});
