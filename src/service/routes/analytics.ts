/** Analytics (lookups §13): no pages, no `meta`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  grossRevenueAnswer,
  invoiceCollectionAnswer,
  invoicedUsageAnswer,
  mrrAnswer,
  overdueBalanceAnswer,
} from '../answers/analytics.ts';
import { unprocessable } from '../errors.ts';
import {
  grossRevenue,
  invoiceCollection,
  invoicedUsage,
  monthlyRecurringRevenue,
  overdueBalance,
  type ReportRequest,
} from '../operations/analytics.ts';
import type { Routes } from './context.ts';
import { listFilters } from './list-query.ts';

/** More months make no difference: dates before the year 1000 are not stored. */
const MOST_MONTHS = 12_000;

export const analyticsRoutes: Routes = (app, context) => {
  const readRequest = (request: FastifyRequest, reply: FastifyReply, { byCustomer = false } = {}) =>
    reportRequest(request, reply, context.now(), byCustomer);

  app.get('/analytics/gross_revenue', async (request, reply) => {
    const rows = await grossRevenue(request.account, await readRequest(request, reply, { byCustomer: true }));
    return { gross_revenues: rows.map(grossRevenueAnswer) };
  });

  app.get('/analytics/mrr', async (request, reply) => {
    const rows = await monthlyRecurringRevenue(request.account, await readRequest(request, reply));
    return { mrrs: rows.map(mrrAnswer) };
  });

  app.get('/analytics/overdue_balance', async (request, reply) => {
    const rows = await overdueBalance(request.account, await readRequest(request, reply, { byCustomer: true }));
    return { overdue_balances: rows.map(overdueBalanceAnswer) };
  });

  app.get('/analytics/invoiced_usage', async (request, reply) => {
    const rows = await invoicedUsage(request.account, await readRequest(request, reply));
    return { invoiced_usages: rows.map(invoicedUsageAnswer) };
  });

  app.get('/analytics/invoice_collection', async (request, reply) => {
    const rows = await invoiceCollection(request.account, await readRequest(request, reply));
    return { invoice_collections: rows.map(invoiceCollectionAnswer) };
  });

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
async function reportRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  byCustomer: boolean,
): Promise<ReportRequest> {
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
