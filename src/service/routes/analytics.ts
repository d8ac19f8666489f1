/** Analytics (lookups §13): no pages, no `meta`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unprocessable } from '../errors.ts';
import {
  grossRevenue,
  invoiceCollection,
  invoicedUsage,
  monthlyRecurringRevenue,
  overdueBalance,
  type ReportRequest,
} from '../operations/analytics.ts';
import type { AccountStore } from '../store/store.ts';
import type { Routes } from './context.ts';
import { listFilters } from './list-query.ts';

/** More months make no difference: dates before the year 1000 are not stored. */
const MOST_MONTHS = 12_000;

export const analyticsRoutes: Routes = (app, context) => {
  type Read = (account: AccountStore, request: ReportRequest) => Promise<object[]>;
  const serve = (name: string, read: Read, { byCustomer = false } = {}) =>
    app.get(`/analytics/${name}`, async (request, reply) => ({
      [`${name}s`]: await read(request.account, await reportRequest(request, reply, context.now(), byCustomer)),
    }));
  serve('gross_revenue', grossRevenue, { byCustomer: true });
  serve('mrr', monthlyRecurringRevenue);
  serve('overdue_balance', overdueBalance, { byCustomer: true });
  serve('invoiced_usage', invoicedUsage);
  serve('invoice_collection', invoiceCollection);

  // The hosted service reads it from a separate data store.
  app.get('/analytics/usage', () => {
    throw unprocessable('out_of_scope', {
      usage_analytics: [
        'Usage analytics come from a separate data store (lookups §13). ' +
          'Use /analytics/invoiced_usage, or current_usage of a customer.',
      ],
    });
  });
};

/** Reads the query. An unknown billing entity filters nothing; a missing or blank `months` means all. */
async function reportRequest(request: FastifyRequest, reply: FastifyReply, now: Date, byCustomer: boolean) {
  const filters = listFilters(request, { paged: false });
  const code = filters.text('billing_entity_code');
  const entity = code === undefined ? undefined : await request.account.first('billing_entities', { code });
  if (code !== undefined && entity === undefined) filters.ignore('billing_entity_code');
  const months = filters.text('months');
  const report = {
    months: months === undefined ? null : monthCount(months),
    currency: filters.text('currency')?.toUpperCase(),
    billing_entity_id: entity?.id,
    external_customer_id: byCustomer ? filters.text('external_customer_id') : undefined,
    now,
  };
  filters.finish(reply);
  return report;
}

/** 0 and nonsense mean this month. */
function monthCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 1;
  return Math.min(Math.max(count, 1), MOST_MONTHS);
}
