import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Json, JsonObject } from '../../../src/engine/records/index.ts';
import { withDatabase } from '../../support/postgres.ts';
import { expectOk, sharedService } from '../routes/service.ts';
import * as resources from './resources.ts';
import { listedCustomer, pageMeta } from './schemas.ts';

const { name, missing, fresh } = await withDatabase();

const statuses = ['pending', 'active', 'terminated', 'canceled', 'incomplete']
  .map(each => `status[]=${each}`)
  .join('&');

/** The errors of an answer, each with its path; empty when the answer is correct. */
function departures(schema: z.ZodType, answer: Json | undefined): string[] {
  const result = schema.safeParse(answer);
  return result.success ? [] : result.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`);
}

describe.skipIf(missing)(`every lookup in the demo account follows lookups.md, on ${name}`, () => {
  const service = sharedService(fresh);

  /** Checks the wrapper, the meta and every row of a list that must not be empty; gives its rows. */
  async function checkList(path: string, key: string, schema: z.ZodType): Promise<JsonObject[]> {
    const body = expectOk(await service.get(path));
    expect(Object.keys(body)).toEqual([key, 'meta']);
    expect(departures(pageMeta, body.meta)).toEqual([]);
    const rows = body[key] as JsonObject[];
    expect(body.meta).toMatchObject({ current_page: 1, total_pages: 1, total_count: rows.length });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect({ id: row.svc_id, departures: departures(schema, row) }).toEqual({ id: row.svc_id, departures: [] });
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
      expect({ id, departures: departures(resources.subscriptionDetail, body.subscription) }).toEqual({
        id,
        departures: [],
      });
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
      expect({ id, departures: departures(resources.invoiceDetail, invoice) }).toEqual({ id, departures: [] });
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
