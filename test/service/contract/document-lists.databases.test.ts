import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { JsonObject, TableName } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectOk, sharedService } from '../routes/service.ts';
import * as lookups from './lookups.ts';
import * as resources from './resources.ts';
import { fee, pageMeta } from './schemas.ts';

const { name, missing, fresh } = await withDatabase();

/** The errors of an answer, each with its path; empty when the answer is correct. */
function departures(schema: z.ZodType, answer: unknown): string[] {
  const result = schema.safeParse(answer);
  return result.success ? [] : result.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
}

/** Path and wrapper key, the schema of a row, and the table and condition of the records that are listed. */
const lists: [string, z.ZodType, TableName, object][] = [
  ['wallets', resources.wallet, 'wallets', {}],
  ['credit_notes', lookups.readCreditNote, 'credit_notes', { status: 'finalized' }],
  ['payments', resources.payment, 'payments', {}],
  ['events', resources.event, 'events', {}],
  ['add_ons', resources.addOn, 'add_ons', { deleted_at: null }],
  ['coupons', lookups.coupon, 'coupons', {}],
  ['applied_coupons', lookups.appliedCoupon, 'applied_coupons', {}],
  ['billable_metrics', lookups.countedMetric, 'billable_metrics', {}],
  ['taxes', lookups.tax, 'taxes', {}],
  ['fees', fee, 'fees', {}],
  ['webhook_endpoints', resources.webhookEndpoint, 'webhook_endpoints', {}],
  ['payment_requests', lookups.paymentRequest, 'payment_requests', {}],
];

describe.skipIf(missing)(`every list about the demo account follows the lookups, on ${name}`, () => {
  const service = sharedService(fresh);

  it.each(lists)('%s: all of them, on one page or on several', async (name, schema, table, where) => {
    const body = expectOk(await service.get(`/${name}?per_page=10000`));
    expect(Object.keys(body)).toEqual([name, 'meta']);
    expect(departures(pageMeta, body.meta)).toEqual([]);
    const rows = body[name] as JsonObject[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBe(await service.account.count(table, where));
    for (const row of rows) {
      expect({ id: row.svc_id, departures: departures(schema, row) }).toEqual({ id: row.svc_id, departures: [] });
    }
    const size = Math.ceil(rows.length / 3);
    const paged: JsonObject[] = [];
    for (let page = 1; page <= Math.ceil(rows.length / size); page += 1) {
      const part = expectOk(await service.get(`/${name}?page=${page}&per_page=${size}`));
      expect(part.meta).toMatchObject({ current_page: page, total_count: rows.length });
      paged.push(...(part[name] as JsonObject[]));
    }
    expect(paged).toEqual(rows);
  });

  it('wallet transactions', async () => {
    let seen = 0;
    for (const { id } of await service.account.find('wallets')) {
      const body = expectOk(await service.get(`/wallets/${id}/wallet_transactions`));
      for (const row of body.wallet_transactions as JsonObject[]) {
        expect(departures(lookups.listedTransaction, row)).toEqual([]);
        seen += 1;
      }
    }
    expect(seen).toBe(await service.account.count('wallet_transactions'));
  });

  it('billing entities', async () => {
    const body = expectOk(await service.get('/billing_entities'));
    const entities = body.billing_entities as JsonObject[];
    expect(entities.length).toBe(2);
    for (const entity of entities) {
      expect(departures(resources.billingEntity, entity)).toEqual([]);
      const single = expectOk(await service.get(`/billing_entities/${entity.code}`));
      expect(departures(lookups.billingEntity, single.billing_entity)).toEqual([]);
    }
  });

  it('the uses of the demo’s coupons, each with its invoice', async () => {
    const { applied_coupons: listed } = expectOk(await service.get('/customers/acme-podcasts/applied_coupons'));
    const uses = (listed as { coupon_code: string; credits: { amount_cents: number }[] }[]).map(each => [
      each.coupon_code,
      each.credits.map(credit => credit.amount_cents),
    ]);
    expect(Object.fromEntries(uses)).toEqual({ minutes5: [825], loyal25: [1500] });
  });

  it('the demo’s payment request, to which its payment belongs', async () => {
    const { payment_requests: requests } = expectOk(await service.get('/payment_requests'));
    const [request] = requests as { svc_id: string; amount_cents: number; invoices: { number: string }[] }[];
    const payment = (await service.account.first('payments', { payable_type: 'PaymentRequest' }))!;
    expect(request!.svc_id).toBe(payment.payable_id);
    expect(request!.amount_cents).toBe(payment.amount_cents);
    expect(request!.invoices.map(invoice => invoice.number)).toEqual(['SKY-US-001-002', 'SKY-US-001-004']);
  });
});
