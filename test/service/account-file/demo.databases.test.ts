import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { Json } from '../../../src/engine/records/index.ts';
import { demoAccount } from '../../../src/service/account-file/demo.ts';
import { loadAccount, readAccount } from '../../../src/service/account-file/load.ts';
import { type OpenStore, openStore } from '../../../src/service/store/open.ts';
import type { AccountStore } from '../../../src/service/store/store.ts';
import { withDatabase } from '../../support/postgres.ts';

const { name, missing, fresh } = await withDatabase();
const now = new Date('2026-03-10T12:00:00Z');
const demo = (await demoAccount()) as Json;
const { records } = readAccount(demo, now);
type Table = keyof typeof records;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

describe.skipIf(missing)(`the demo account on ${name}`, () => {
  describe('once loaded', () => {
    let store: OpenStore;
    let account: AccountStore;
    beforeAll(async () => {
      store = await openStore({ databaseUrl: await fresh() });
      account = await loadAccount(store, demo, { apiKey: 'key', now });
    });
    afterAll(() => store?.close());

    it.each((Object.keys(records) as Table[]).map(table => ({ table })))(
      'holds every record of $table as it was read',
      async ({ table }) => {
        const stored = await account.find(table);
        const expected = records[table].map(record => ({ ...record }));
        if (table === 'events') withEvaluatedExpressions(expected as { properties: Record<string, unknown> }[]);
        expect([...stored].sort(byId)).toEqual(expected.sort(byId));
      },
    );

    it('has a working id for every kind of tool', async () => {
      const one = (table: Table, where: object) => account.count(table, where as never);
      expect(await one('customers', { external_id: demoIds.external_customer_id })).toBe(1);
      expect(await one('subscriptions', { external_id: demoIds.external_subscription_id, status: 'active' })).toBe(1);
      expect(await one('wallets', { id: demoIds.wallet_svc_id, code: demoIds.wallet_code, status: 'active' })).toBe(1);
      expect(await one('alerts', { wallet_id: demoIds.wallet_svc_id, code: demoIds.wallet_alert_code })).toBe(1);
      expect(await one('wallet_transactions', { id: demoIds.wallet_transaction_svc_id })).toBe(1);
      expect(await one('plans', { code: demoIds.plan_code })).toBe(1);
      expect(await one('add_ons', { code: demoIds.add_on_code })).toBe(1);
      expect(await one('coupons', { code: demoIds.coupon_code })).toBe(1);
      expect(await one('invoices', { id: demoIds.invoice_svc_id, status: 'finalized' })).toBe(1);
      expect(await one('credit_notes', { id: demoIds.credit_note_svc_id })).toBe(1);
      expect(await one('events', { transaction_id: demoIds.event_transaction_id })).toBe(1);
      expect(await one('webhook_endpoints', { id: demoIds.webhook_endpoint_svc_id })).toBe(1);
      expect(await one('billing_entities', { code: demoIds.billing_entity_code })).toBe(1);
      expect(await one('taxes', { code: demoIds.tax_code })).toBe(1);
      expect((await account.get('payments', demoIds.payment_svc_id))?.next_action).toHaveProperty(
        'redirect_to_url.url',
      );
      const [metric] = await account.find('billable_metrics', { code: demoIds.billable_metric_code });
      const [plan] = await account.find('plans', { code: demoIds.plan_code });
      expect(plan?.charges.find(charge => charge.billable_metric_id === metric?.id)?.pay_in_advance).toBe(true);
    });
  });
});

/** The events with evaluated expressions: the store evaluates a metric's expression when it stores an event. */
function withEvaluatedExpressions(events: { properties: Record<string, unknown> }[]): void {
  for (const event of events) {
    const { milliseconds } = event.properties;
    if (typeof milliseconds === 'number') event.properties = { milliseconds, seconds: String(milliseconds / 1000) };
  }
}
