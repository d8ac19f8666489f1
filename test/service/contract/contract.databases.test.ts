import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectOk, sharedService, type TestService } from '../routes/service.ts';
import * as resources from './resources.ts';
import { customer, expectForm, fee, pageMeta } from './schemas.ts';

const { name, missing, fresh } = await withDatabase();

function encoded(value: string): string {
  return encodeURIComponent(value);
}

describe.skipIf(missing)(`every answer about the demo account follows the specification, on ${name}`, () => {
  const service = sharedService(fresh);

  /** Checks the answer at each path and that there was something to check. */
  async function checkAll(
    paths: string[],
    schema: z.ZodType,
    key: string | null,
    call: (path: string) => ReturnType<TestService['get']> = path => service.get(path),
  ) {
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const body = expectOk(await call(path));
      if (key !== null) expect(Object.keys(body)).toEqual([key]);
      expectForm(schema, key === null ? body : body[key], path);
    }
  }

  it('customers', async () => {
    const customers = await service.account.find('customers', { deleted_at: null });
    const paths = customers.map(each => `/customers/${encoded(each.external_id)}`);
    await checkAll(paths, customer, 'customer');
    await checkAll(
      paths.map(path => `${path}/portal_url`),
      resources.portalLink,
      'customer',
    );
  });

  it('plans', async () => {
    const body = expectOk(await service.get('/plans'));
    expect(Object.keys(body)).toEqual(['plans', 'meta']);
    expectForm(pageMeta, body.meta);
    for (const plan of body.plans as JsonObject[]) {
      expectForm(resources.plan, plan, plan.code);
    }
    expect((body.plans as JsonObject[]).length).toBe(await service.account.count('plans', { parent_id: null }));
  });

  it('events', async () => {
    const events = await service.account.find('events', {}, { limit: 50 });
    await checkAll(
      events.map(each => `/events/${encoded(each.transaction_id)}`),
      resources.event,
      'event',
    );
  });

  it('payments, unwrapped', async () => {
    const payments = await service.account.find('payments');
    await checkAll(
      payments.map(each => `/payments/${each.id}`),
      resources.payment,
      null,
    );
  });

  it('wallet transactions, unwrapped', async () => {
    const transactions = await service.account.find('wallet_transactions');
    await checkAll(
      transactions.map(each => `/wallet_transactions/${each.id}`),
      resources.walletTransaction,
      null,
    );
  });

  it('webhook endpoints', async () => {
    const endpoints = await service.account.find('webhook_endpoints');
    await checkAll(
      endpoints.map(each => `/webhook_endpoints/${each.id}`),
      resources.webhookEndpoint,
      'webhook_endpoint',
    );
  });

  it('wallets and their alerts', async () => {
    const wallets = await service.account.find('wallets', { status: 'active' });
    await checkAll(
      wallets.map(each => `/wallets/${each.id}`),
      resources.wallet,
      'wallet',
      path => service.put(path, { wallet: { priority: null } }),
    );
    const paths: string[] = [];
    for (const alert of await service.account.find('alerts', { deleted_at: null })) {
      const wallet = alert.wallet_id && (await service.account.get('wallets', alert.wallet_id));
      const owner = wallet && (await service.account.get('customers', wallet.customer_id));
      if (!wallet || !owner) continue;
      const values = [owner.external_id, 'wallets', wallet.code, 'alerts', alert.code].map(encoded);
      paths.push(`/customers/${values.join('/')}`);
    }
    await checkAll(paths, resources.walletAlert, 'alert');
  });

  it('subscriptions and their alerts', async () => {
    const subscriptions = await service.account.find('subscriptions');
    let alerts = 0;
    for (const { external_id: externalId, status } of subscriptions) {
      if (status === 'incomplete') continue;
      const path = `/subscriptions/${encoded(externalId)}`;
      const body = expectOk(await service.put(`${path}?status=${status}`, { subscription: { unknown: 1 } }));
      expectForm(resources.subscriptionWithPlan, body.subscription, path);
      const listed = expectOk(await service.get(`${path}/alerts?subscription_status=${status}`));
      expectForm(pageMeta, listed.meta);
      for (const alert of listed.alerts as JsonObject[]) {
        expectForm(resources.subscriptionAlert, alert);
        alerts += 1;
      }
    }
    expect(alerts).toBeGreaterThan(0);
  });

  it('invoices', async () => {
    const invoices = await service.account.find('invoices', {
      status: ['draft', 'finalized', 'failed', 'pending'],
    });
    await checkAll(
      invoices.map(each => `/invoices/${each.id}`),
      resources.invoice,
      'invoice',
      path => service.put(path, { invoice: { metadata: null } }),
    );
  });

  it('credit notes', async () => {
    const notes = await service.account.find('credit_notes', { status: 'finalized' });
    await checkAll(
      notes.map(each => `/credit_notes/${each.id}`),
      resources.creditNote,
      'credit_note',
      path => service.put(path, { credit_note: { metadata: {} } }),
    );
  });

  it('fee estimates and invoice previews', async () => {
    const subscriptions = await service.account.find('subscriptions', { status: 'active' });
    let estimates = 0;
    let previews = 0;
    for (const subscription of subscriptions) {
      const owner = (await service.account.get('customers', subscription.customer_id))!;
      const previewed = await service.post('/invoices/preview', {
        customer: { external_id: owner.external_id },
        subscriptions: { external_ids: [subscription.external_id] },
      });
      expect([200, 422]).toContain(previewed.status);
      if (previewed.status === 200) {
        expectForm(resources.invoicePreview, previewed.body.invoice);
        previews += 1;
      }
      for (const metric of await service.account.find('billable_metrics')) {
        const properties = metric.field_name === null ? {} : { [metric.field_name]: '3' };
        const event = { code: metric.code, external_subscription_id: subscription.external_id, properties };
        const estimated = await service.post('/events/estimate_fees', { event });
        expect([200, 422]).toContain(estimated.status);
        if (estimated.status !== 200) continue;
        for (const each of estimated.body.fees as JsonObject[]) {
          expectForm(fee, each);
          estimates += 1;
        }
      }
    }
    expect(estimates).toBeGreaterThan(0);
    expect(previews).toBeGreaterThan(0);
  });

  it('a preview of a new subscription to each plan, for an unknown customer', async () => {
    const plans = await service.account.find('plans', { parent_id: null });
    let previews = 0;
    for (const plan of plans) {
      const reply = await service.post('/invoices/preview', { plan_code: plan.code, customer: { name: 'Ada' } });
      expect([200, 422]).toContain(reply.status);
      if (reply.status !== 200) continue;
      expectForm(resources.invoicePreview, reply.body.invoice, plan.code);
      previews += 1;
    }
    expect(previews).toBeGreaterThan(0);
  });

  it('current, past and lifetime usage, and entitlements', async () => {
    const counts = { current: 0, past: 0, entitlements: 0 };
    for (const subscription of await service.account.find('subscriptions', { status: 'active' })) {
      const owner = (await service.account.get('customers', subscription.customer_id))!;
      const customerPath = `/customers/${encoded(owner.external_id)}`;
      const query = `external_subscription_id=${encoded(subscription.external_id)}`;
      const path = `/subscriptions/${encoded(subscription.external_id)}`;
      const current = await service.get(`${customerPath}/current_usage?${query}`);
      expect([200, 422]).toContain(current.status);
      if (current.status === 200) {
        expectForm(resources.currentUsage, current.body.customer_usage);
        await checkAll([`${path}/lifetime_usage`], resources.lifetimeUsage, 'lifetime_usage');
        counts.current += 1;
      }
      const past = expectOk(await service.get(`${customerPath}/past_usage?${query}`));
      expectForm(pageMeta, past.meta);
      for (const period of past.usage_periods as JsonObject[]) {
        expectForm(resources.pastUsage, period);
        counts.past += 1;
      }
      const { entitlements } = expectOk(await service.get(`${path}/entitlements`));
      for (const entitlement of entitlements as JsonObject[]) {
        expectForm(resources.entitlement, entitlement);
        counts.entitlements += 1;
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
  });

  it.each(Object.entries(resources.reports))('the report %s', async (name, { key, row }) => {
    const body = expectOk(await service.get(`/analytics/${name}`));
    expect(Object.keys(body)).toEqual([key]);
    const rows = body[key] as JsonObject[];
    expect(rows.length).toBeGreaterThan(0);
    for (const each of rows) expectForm(row, each);
  });

  it('created, changed and deleted records', async () => {
    const entity = await service.post('/billing_entities', { billing_entity: { code: 'new', name: 'New entity' } });
    expectForm(resources.billingEntity, expectOk(entity));
    const { external_id: externalId } = (await service.account.first('subscriptions', { status: 'active' }))!;
    const alert = { code: 'made-here', alert_type: 'lifetime_usage_amount', thresholds: [{ value: 10.5 }] };
    const created = expectOk(await service.post(`/subscriptions/${encoded(externalId)}/alerts`, { alert }));
    expectForm(resources.subscriptionAlert, created.alert);
    for (const { code } of await service.account.find('add_ons', { deleted_at: null })) {
      const changed = expectOk(await service.put(`/add_ons/${encoded(code)}`, { add_on: { description: 'New' } }));
      expectForm(resources.addOn, changed.add_on);
      const deleted = expectOk(await service.call('DELETE', `/add_ons/${encoded(code)}`));
      expectForm(resources.addOn, deleted.add_on);
    }
  });
});
