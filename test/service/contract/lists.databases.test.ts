import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Json, JsonObject, TableName } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectOk, sharedService } from '../routes/service.ts';
import * as lookups from './lookups.ts';
import * as resources from './resources.ts';
import { expectForm, fee, listedCustomer, pageMeta } from './schemas.ts';

const { name, missing, fresh } = await withDatabase();

const statuses = ['pending', 'active', 'terminated', 'canceled', 'incomplete']
  .map(each => `status[]=${each}`)
  .join('&');

describe.skipIf(missing)(`every lookup in the demo account follows lookups.md, on ${name}`, () => {
  const service = sharedService(fresh);

  /** Checks the wrapper, the meta and every row of a list that must not be empty; gives its rows. */
  async function checkList(path: string, key: string, schema: z.ZodType): Promise<JsonObject[]> {
    const body = expectOk(await service.get(path));
    expect(Object.keys(body)).toEqual([key, 'meta']);
    expectForm(pageMeta, body.meta);
    const rows = body[key] as JsonObject[];
    expect(body.meta).toMatchObject({ current_page: 1, total_pages: 1, total_count: rows.length });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expectForm(schema, row, row.svc_id);
    }
    return rows;
  }

  it('customers', async () => {
    const rows = await checkList('/customers', 'customers', listedCustomer);
    expect(rows.length).toBe(await service.account.count('customers', { deleted_at: null }));
  });

  it('subscriptions, listed and single', async () => {
    const rows = await checkList(`/subscriptions?${statuses}`, 'subscriptions', resources.listedSubscription);
    expect(rows.length).toBe(await service.account.count('subscriptions'));
    expect(rows.some(row => row.current_billing_period_started_at !== null)).toBe(true);
    for (const { external_id: id, status } of rows) {
      const body = expectOk(await service.get(`/subscriptions/${encodeURIComponent(String(id))}?status=${status}`));
      expect(Object.keys(body)).toEqual(['subscription']);
      expectForm(resources.subscriptionDetail, body.subscription, id);
    }
  });

  it('invoices, listed and single', async () => {
    const [stored] = await service.account.find('invoices', { invoice_type: 'subscription' });
    await service.account.insert('invoices', {
      ...stored!,
      id: '77777777-7777-4777-8777-777777777777',
      number: 'PROGRESSIVE-1',
      invoice_type: 'progressive_billing',
    });
    const rows = await checkList('/invoices', 'invoices', resources.listedInvoice);
    const shown = ['draft', 'finalized', 'voided', 'failed', 'pending'] as const;
    expect(rows.length).toBe(await service.account.count('invoices', { status: shown }));
    expect(new Set(rows.map(row => row.payment_overdue))).toEqual(new Set([true, false]));
    let credits = 0;
    for (const { svc_id: id } of rows) {
      const body = expectOk(await service.get(`/invoices/${id}`));
      expect(Object.keys(body)).toEqual(['invoice']);
      const invoice = body.invoice as JsonObject;
      expectForm(resources.invoiceDetail, invoice, id);
      for (const fee of invoice.fees as JsonObject[]) {
        const rates = (fee.applied_taxes as JsonObject[]).map(tax => tax.tax_rate as number);
        expect(rates.reduce((sum, rate) => sum + rate, 0)).toBe(fee.taxes_rate);
      }
      credits += (invoice.credits as Json[]).length;
    }
    expect(credits).toBeGreaterThan(0);
  });

  it('the lists below a customer', async () => {
    for (const [key, schema] of [
      ['invoices', resources.listedInvoice],
      ['subscriptions', resources.listedSubscription],
    ] as const) {
      const rows = await checkList(`/customers/acme-podcasts/${key}`, key, schema);
      const wide = await checkList(`/${key}?external_customer_id=acme-podcasts`, key, schema);
      expect(rows).toEqual(wide);
    }
  });
});

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
    expectForm(pageMeta, body.meta);
    const rows = body[name] as JsonObject[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBe(await service.account.count(table, where));
    for (const row of rows) {
      expectForm(schema, row, row.svc_id);
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
        expectForm(lookups.listedTransaction, row);
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
      expectForm(resources.billingEntity, entity);
      const single = expectOk(await service.get(`/billing_entities/${entity.code}`));
      expectForm(lookups.billingEntity, single.billing_entity);
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
