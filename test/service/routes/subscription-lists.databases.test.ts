import { expect, it } from 'vitest';
import type { SubscriptionRecord } from '../../../src/engine/records/index.ts';
import { customerRecord, entityRecord, planRecord, subscriptionRecord } from '../../engine/world.ts';
import { withDatabase } from '../../support/postgres.ts';
import { missing, NOW, onDatabase, refused } from './list-world.ts';

const database = await withDatabase();

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const subscription = (id: string, fields: Partial<SubscriptionRecord>) =>
  subscriptionRecord({
    id,
    external_id: id,
    customer_id: 'one',
    plan_id: 'basic',
    created_at: at(1),
    subscription_at: at(1),
    ...fields,
  });

const records = {
  billing_entities: [entityRecord(), entityRecord({ id: 'other', code: 'other', is_default: false })],
  customers: [
    customerRecord({ id: 'one', external_id: 'one' }),
    customerRecord({ id: 'two', external_id: 'two', billing_entity_id: 'other' }),
    customerRecord({ id: 'gone', external_id: 'gone', deleted_at: NOW }),
  ],
  plans: [
    planRecord({ id: 'basic', code: 'basic', amount_currency: 'EUR' }),
    planRecord({ id: 'child', code: 'basic', parent_id: 'basic', amount_currency: 'EUR' }),
    planRecord({ id: 'pro', code: 'pro', amount_currency: 'USD' }),
  ],
  subscriptions: [
    subscription('a', {}),
    subscription('b', { subscription_at: at(3) }),
    subscription('c', { plan_id: 'child', subscription_at: at(2), created_at: at(2) }),
    subscription('d', { plan_id: 'pro', customer_id: 'two', subscription_at: at(2), created_at: at(3) }),
    subscription('e', { external_id: 'a', status: 'terminated', terminated_at: at(5), subscription_at: at(4) }),
    subscription('f', { status: 'pending', started_at: null, subscription_at: at(9), plan_id: 'pro' }),
    subscription('g', { status: 'canceled', canceled_at: at(5), customer_id: 'two', billing_entity_id: 'entity' }),
    subscription('h', { status: 'incomplete', started_at: null, billing_entity_id: 'other' }),
    subscription('i', { customer_id: 'gone' }),
    subscription('j', { previous_subscription_id: 'd', status: 'terminated', terminated_at: at(5) }),
  ],
};

const all = ['pending', 'active', 'terminated', 'canceled', 'incomplete'].map(status => `status[]=${status}`).join('&');

onDatabase('the lists of subscriptions', database, records, account => {
  const found: [string, string, string][] = [
    ['active ones, by start, then by creation, newest first', '', 'b d c a i'],
    ['every status', all, 'f e b d c a g h i j'],
    ['several statuses', 'status[]=pending&status[]=terminated', 'f e j'],
    ['active ones for a scalar status', 'status=pending', 'b d c a i'],
    ['all for one unknown status', 'status[]=pending&status[]=ended', 'f e b d c a g h i j'],
    ['those of a customer', 'external_customer_id=two', 'd'],
    ['none of an unknown customer', 'external_customer_id=nobody', ''],
    ['none of a deleted customer', 'external_customer_id=gone', ''],
    ['an external id', `external_id=a&${all}`, 'e a'],
    ['a plan, also where it was overridden', 'plan_code=basic', 'b c a i'],
    ['no unknown plan', 'plan_code=none', ''],
    ['those with overrides', 'overridden=true', 'c'],
    ['those without overrides', 'overridden=false', 'b d a i'],
    ['those with overrides for any other value', 'overridden=perhaps', 'c'],
    ['those with overrides in the old spelling', 'overriden=true', 'c'],
    ['a currency', 'currency=USD', 'd'],
    ['no currency in lower case', 'currency=usd', ''],
    ['a plan and a currency', `plan_code=pro&currency=USD&${all}`, 'f d'],
    ['an own billing entity, else that of the customer', `billing_entity_codes[]=other&${all}`, 'd h'],
    ['another one', `billing_entity_codes[]=main&external_customer_id=two&${all}`, 'g'],
    ['what meets every filter', 'external_customer_id=one&plan_code=basic&overridden=false&currency=EUR', 'b a'],
    ['a page', 'per_page=2&page=2', 'c a'],
  ];
  it.each(found)('finds %s', async (_, query, expected) => {
    expect(await account.ids(`/subscriptions?${query}`)).toBe(expected);
  });

  it('finds the same below a customer, who must exist', async () => {
    expect(await account.ids('/customers/one/subscriptions')).toBe('b c a');
    expect(await account.ids('/customers/one/subscriptions?plan_code=basic&overridden=true')).toBe('c');
    expect(await account.ids('/customers/one/subscriptions?external_customer_id=two')).toBe('b c a');
    expect(await account.notice('/customers/one/subscriptions?external_customer_id=two')).toContain(
      'no effect: external_customer_id',
    );
    for (const id of ['nobody', 'gone']) {
      expect(await account.refusal(`/customers/${id}/subscriptions`)).toEqual(missing('customer'));
    }
  });

  it('refuses a single billing entity and an unknown one', async () => {
    expect(await account.refusal('/subscriptions?billing_entity_codes=main')).toEqual(
      refused({ billing_entity_codes: ['value_is_invalid'] }),
    );
    expect(await account.refusal('/subscriptions?billing_entity_codes[]=none')).toEqual(missing('billing_entity'));
  });

  it('names the keys that had no effect', async () => {
    expect(await account.notice('/subscriptions?status=active&search_term=x')).toContain(
      'no effect: status, search_term',
    );
    expect(await account.notice('/subscriptions?status[]=ended')).toContain('no effect: status[]');
  });

  it('shows each with its own plan, the plan before, and its customer', async () => {
    const { body } = await account.get(`/subscriptions?${all}`);
    const shown = body.subscriptions.map((each: Record<string, unknown>) => [
      each.svc_id,
      each.plan_code,
      each.plan_amount_currency,
      each.previous_plan_code,
      each.external_customer_id,
      each.svc_customer_id,
    ]);
    expect(shown).toEqual([
      ['f', 'pro', 'USD', null, 'one', 'one'],
      ['e', 'basic', 'EUR', null, 'one', 'one'],
      ['b', 'basic', 'EUR', null, 'one', 'one'],
      ['d', 'pro', 'USD', null, 'two', 'two'],
      ['c', 'basic', 'EUR', null, 'one', 'one'],
      ['a', 'basic', 'EUR', null, 'one', 'one'],
      ['g', 'basic', 'EUR', null, 'two', 'two'],
      ['h', 'basic', 'EUR', null, 'one', 'one'],
      ['i', 'basic', 'EUR', null, 'gone', 'gone'],
      ['j', 'basic', 'EUR', 'pro', 'one', 'one'],
    ]);
  });

  it('gives a single one in a status, active by default', async () => {
    const found = async (path: string) => (await account.get(`/subscriptions/${path}`)).body.subscription.svc_id;
    expect(await found('a')).toBe('a');
    expect(await found('a?status=active')).toBe('a');
    expect(await found('a?status=')).toBe('a');
    expect(await found('a?status=terminated')).toBe('e');
    expect(await found('f?status=pending')).toBe('f');
    expect(await found('g?status=canceled')).toBe('g');
    expect(await found('h?status=incomplete')).toBe('h');
    for (const path of ['j', 'a?status=pending', 'a?status=ended', 'nobody']) {
      expect(await account.refusal(`/subscriptions/${path}`)).toEqual(missing('subscription'));
    }
  });

  it('gives the latest of several in a status: without an end, by its end, by its start', async () => {
    const several = [
      { id: 's1', terminated_at: at(5), started_at: at(1) },
      { id: 's2', terminated_at: at(6), started_at: at(1) },
      { id: 's3', terminated_at: at(6), started_at: at(2) },
      { id: 's4', terminated_at: null, started_at: at(1) },
    ];
    const found = async () =>
      (await account.get('/subscriptions/several?status=terminated')).body.subscription.svc_id as string;
    for (const fields of several) {
      const record = subscription(fields.id, { ...fields, external_id: 'several', status: 'terminated' });
      await account.account.insert('subscriptions', record);
      expect(await found()).toBe(fields.id);
    }
    for (const { id } of several) await account.account.remove('subscriptions', id);
  });
});
