import { describe, expect, it } from 'vitest';
import { demoIds as ids } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectMissing, expectOk, expectRefused, sharedService } from './service.ts';

const { name, missing, fresh } = await withDatabase();

const subscription = `/subscriptions/${ids.external_subscription_id}`;
const alert = (code: string) => ({ alert_type: 'lifetime_usage_amount', code, thresholds: [{ value: '1000.0' }] });

/** Kind of entry, kind of record, the write, and the values that it changes. */
type Write = [type: string, resource: string, write: [method: string, path: string, body?: object], changed: object];
const writes: Write[] = [
  ['wallet.updated', 'Wallet', ['PUT', `/wallets/${ids.wallet_svc_id}`, { wallet: { priority: 7 } }], { priority: 7 }],
  ['subscription.updated', 'Subscription', ['PUT', subscription, { subscription: { name: 'New' } }], { name: 'New' }],
  [
    'credit_note.updated',
    'CreditNote',
    ['PUT', `/credit_notes/${ids.credit_note_svc_id}`, { credit_note: { metadata: { po: '1' } } }],
    { metadata: { po: '1' } },
  ],
  ['add_on.updated', 'AddOn', ['PUT', `/add_ons/${ids.add_on_code}`, { add_on: { name: 'New' } }], { name: 'New' }],
  ['add_on.deleted', 'AddOn', ['DELETE', `/add_ons/${ids.add_on_code}`], {}],
  ['alert.created', 'Alert', ['POST', `${subscription}/alerts`, { alert: alert('log-1') }], {}],
  [
    'billing_entities.created',
    'BillingEntity',
    ['POST', '/billing_entities', { billing_entity: { code: 'log-entity', name: 'Log' } }],
    {},
  ],
];

describe.skipIf(missing)(`the log of changes on ${name}`, () => {
  const service = sharedService(fresh);
  const logs = async (query = '') => {
    const { activity_logs, meta } = expectOk(await service.get(`/activity_logs${query}`));
    return { rows: activity_logs as JsonObject[], total: (meta as JsonObject).total_count as number };
  };

  it('is empty before the first write', async () => {
    expect(await service.get('/activity_logs')).toMatchObject({
      status: 200,
      body: { activity_logs: [], meta: { current_page: 0, next_page: null, total_pages: 0, total_count: 0 } },
    });
  });

  it.each(writes)('has one entry more after %s, on top', async (type, resource, write, changed) => {
    const { total } = await logs();
    const answer = expectOk(await service.call(...write));
    const { rows, total: after } = await logs();
    expect(after).toBe(total + 1);
    const [entry] = rows;
    const record = (answer.svc_id === undefined ? Object.values(answer)[0] : answer) as JsonObject;
    expect(entry).toMatchObject({
      activity_type: type,
      activity_source: 'api',
      user_email: null,
      resource_type: resource,
      resource_id: record.svc_id,
      activity_object: type.endsWith('deleted') ? {} : record,
      organization_id: service.account.organization.id,
      logged_at: '2026-03-15T12:00:00Z',
    });
    const changes = entry?.activity_object_changes as { [field: string]: unknown[] };
    expect(Object.fromEntries(Object.entries(changes).map(([field, [, is]]) => [field, is]))).toMatchObject(changed);
    if (Object.keys(changed).length === 0) expect(changes).toEqual({});
    expect(Object.keys(changes)).not.toContain('updated_at');
    expect(expectOk(await service.get(`/activity_logs/${entry?.activity_id}`))).toEqual({ activity_log: entry });
  });

  it('has the value before and after of each field that differs, and no other', async () => {
    const { rows } = await logs('?activity_types[]=wallet.updated');
    expect(rows[0]?.activity_object_changes).toEqual({ priority: [expect.any(Number), 7] });
  });

  it('says whose record was changed', async () => {
    const { rows } = await logs('?resource_types[]=Subscription&resource_types[]=Wallet&resource_types[]=AddOn');
    expect(rows.map(row => [row.resource_type, row.external_customer_id, row.external_subscription_id])).toEqual([
      ['AddOn', null, null],
      ['AddOn', null, null],
      ['Subscription', expect.any(String), ids.external_subscription_id],
      ['Wallet', expect.any(String), null],
    ]);
  });

  it('tells a change of an invoice’s payment status from other changes', async () => {
    const { invoices } = expectOk(await service.get('/invoices?status=finalized&per_page=1')) as {
      invoices: JsonObject[];
    };
    const path = `/invoices/${invoices[0]?.svc_id}`;
    const was = invoices[0]?.payment_status;
    const is = was === 'failed' ? 'pending' : 'failed';
    expectOk(await service.put(path, { invoice: { payment_status: is } }));
    expectOk(await service.put(path, { invoice: { metadata: [{ key: 'k', value: 'v' }] } }));
    const { rows } = await logs(`?resource_ids[]=${invoices[0]?.svc_id}`);
    expect(rows.map(row => row.activity_type)).toEqual(['invoice.updated', 'invoice.payment_status_updated']);
    expect(rows[1]?.activity_object_changes).toMatchObject({ payment_status: [was, is] });
    expect(rows[1]?.activity_object_changes).not.toHaveProperty('fees');
  });

  it.each([
    ['refused', 'PUT', `/wallets/${ids.wallet_svc_id}`, { wallet: { priority: 51 } }],
    ['to a record that is missing', 'PUT', '/add_ons/nothing', { add_on: { name: 'x' } }],
    ['rolled back', 'POST', `${subscription}/alerts`, { alerts: [alert('log-2'), alert('log-1')] }],
    ['rolled back by the database', 'PUT', `/wallets/${ids.wallet_svc_id}`, { wallet: { name: 'nul \0' } }],
    ['only computed', 'POST', '/events/estimate_fees', { event: {} }],
  ])('has no entry of a write that was %s', async (_, method, path, body) => {
    const { total } = await logs();
    await service.call(method, path, body);
    expect((await logs()).total).toBe(total);
  });

  it('has no portal link, no key and no secret', async () => {
    const organization = await service.account.get('organizations', service.account.organization.id);
    const text = JSON.stringify((await logs()).rows);
    expect(text).not.toMatch(/customer-portal|hmac_key|secret/);
    expect(text).not.toContain(String(organization?.hmac_key ?? 'hmac_key'));
  });

  it.each([
    ['activity_types[]=wallet.updated', 'wallet.updated'],
    ['activity_types[]=wallet.updated&activity_types[]=alert.created', 'alert.created wallet.updated'],
    ['activity_types[]=nothing.known', ''],
    ['activity_sources[]=front', ''],
    ['user_emails[]=nora@example.com', ''],
    ['external_customer_id=nobody', ''],
    [`external_subscription_id=${ids.external_subscription_id}`, 'alert.created subscription.updated'],
    [`resource_ids[]=${ids.wallet_svc_id}`, 'wallet.updated'],
    ['resource_types[]=BillingEntity', 'billing_entities.created'],
    ['resource_types[]=Wallet&from_date=2026-03-15T12:00:00Z&to_date=2026-03-15T12:00:00Z', 'wallet.updated'],
    ['resource_types[]=Wallet&from_date=2026-03-16', ''],
    ['resource_types[]=Wallet&to_date=2026-03-15T11:59:59.999Z', ''],
    ['resource_types[]=AddOn&page=2&per_page=1', 'add_on.updated'],
  ])('filters by %s', async (query, types) => {
    const { rows } = await logs(`?${query}`);
    expect(rows.map(row => row.activity_type).join(' ')).toBe(types);
  });

  it('refuses a time that is none, and names a filter without effect', async () => {
    expectRefused(await service.get('/activity_logs?from_date=soon'), { from_date: ['invalid_date'] });
    const { headers } = await service.get('/activity_logs?resource_type=Wallet');
    expect(headers['x-service-notice']).toContain('resource_type');
  });

  it('does not show entries of other accounts, nor entries that are missing', async () => {
    const headers = { authorization: 'Bearer a-key-of-another-account' };
    expect((await service.call('GET', '/activity_logs', undefined, headers)).body.activity_logs).toEqual([]);
    const [entry] = (await logs()).rows;
    expectMissing(
      await service.call('GET', `/activity_logs/${entry?.activity_id}`, undefined, headers),
      'activity_log',
    );
    expectMissing(await service.get('/activity_logs/nothing'), 'activity_log');
  });
});
