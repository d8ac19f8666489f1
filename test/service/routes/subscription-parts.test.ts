import { afterAll, beforeAll, expect, it } from 'vitest';
import { type World, world } from '../../engine/service-world.ts';
import {
  addOnRecord,
  chargeRecord,
  fixedChargeRecord,
  metricRecord,
  planRecord,
  subscriptionRecord,
} from '../../engine/world.ts';

const feature = {
  ...{ code: 'team', name: 'Team', description: null },
  privileges: [{ code: 'seats', name: 'Seats', value_type: 'integer' as const, config: {}, value: 3 }],
};
const plan = planRecord({
  entitlements: [feature],
  charges: [
    chargeRecord('calls', { id: 'b' }),
    chargeRecord('units', { id: 'a' }),
    chargeRecord('calls', { id: 'c', created_at: '2026-01-01T00:00:00.000Z' }),
  ],
  fixed_charges: [fixedChargeRecord('setup', { id: 'f' })],
});
const ended = { id: 'ended', external_id: 'ended', status: 'terminated' as const };
const more = { id: 'more', external_id: 'more', fixed_charge_units: { f: '2.5' } };
const records = {
  billable_metrics: [metricRecord('units'), metricRecord('calls')],
  add_ons: [addOnRecord('setup')],
  plans: [plan, planRecord({ code: 'empty' })],
  subscriptions: [{}, ended, more, { id: 'empty', external_id: 'empty', plan_id: 'empty' }].map(subscriptionRecord),
};
let opened: World;
beforeAll(async () => {
  opened = await world(records, '2026-03-10T12:00:00.000Z');
});
afterAll(() => opened?.close());

it('the entitlements of a subscription have no meta', async () => {
  expect((await opened.get('/subscriptions/sub/entitlements')).body).toEqual({ entitlements: [feature] });
  expect((await opened.get('/subscriptions/empty/entitlements')).body).toEqual({ entitlements: [] });
});

it('its charges are listed newest first, then by id, in pages', async () => {
  const { body } = await opened.get('/subscriptions/sub/charges?per_page=2');
  expect(body.charges.map((charge: { svc_id: string }) => charge.svc_id)).toEqual(['c', 'a']);
  expect(body.charges[1]).toMatchObject({ code: 'charge-units', billable_metric_code: 'units', taxes: [] });
  expect(body.meta).toEqual({ current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 3 });
  const second = await opened.get('/subscriptions/sub/charges?per_page=2&page=2');
  expect(second.body.charges).toMatchObject([{ svc_id: 'b' }]);
});

it('its fixed charges too', async () => {
  const { body } = await opened.get('/subscriptions/sub/fixed_charges');
  expect(body.fixed_charges).toMatchObject([{ svc_id: 'f', add_on_code: 'setup', units: '2.0' }]);
  expect(body.meta.total_count).toBe(1);
});

it('a fixed charge has the quantity that the subscription has of its own, and the plan keeps its', async () => {
  const own = (await opened.get('/subscriptions/more/fixed_charges')).body;
  expect(own.fixed_charges).toMatchObject([{ svc_id: 'f', units: '2.5' }]);
  const { subscription } = (await opened.get('/subscriptions/more')).body;
  const { plan } = (await opened.get(`/plans/${subscription.plan.code}`)).body;
  expect(plan.fixed_charges).toMatchObject([{ svc_id: 'f', units: '2.0' }]);
});

it.each(['entitlements', 'charges', 'fixed_charges'])('%s: by default of an active subscription', async name => {
  const of = async (query: string) => (await opened.get(`/subscriptions/ended/${name}${query}`)).body;
  expect(await of('')).toEqual({ status: 404, error: 'Not Found', code: 'subscription_not_found' });
  expect((await of('?subscription_status=terminated'))[name].length).toBeGreaterThan(0);
  for (const unknown of ['none', ''])
    expect(await of(`?subscription_status=${unknown}`)).toMatchObject({ status: 404, code: 'subscription_not_found' });
  const active = (query: string) => opened.get(`/subscriptions/sub/${name}${query}`);
  const { headers } = await active('?metric=units');
  expect(headers['x-service-notice']).toContain('no effect: metric');
  expect((await active('?subscription_status=active')).headers).not.toHaveProperty('x-service-notice');
});
