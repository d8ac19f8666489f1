/** Usage of invoiced periods (lookups §6.2), from the stored invoices' fees and billing periods. */

import type { BillingPeriod, CustomerRecord, InvoiceRecord, PlanRecord } from '../../engine/records/index.ts';
import { byText } from '../../lib/text.ts';
import type { PeriodUsage } from '../answers/usage.ts';
import { notFound } from '../errors.ts';
import { loadPlanParts, type PlanParts } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { usageByCharge } from './current-usage.ts';

export interface PastUsageRequest {
  external_subscription_id: string;
  billable_metric_code: string | undefined;
}

/** A usage period of one subscription, with the invoice that billed it. */
interface InvoicedPeriod {
  period: BillingPeriod;
  invoice: InvoiceRecord;
}

/** The invoices that close a usage period; others bill a start, one event, or part of a running period. */
const CLOSING: readonly BillingPeriod['invoicing_reason'][] = ['subscription_periodic', 'subscription_terminating'];

/**
 * The invoiced usage periods of a customer's subscriptions with the external id, newest first. A period's totals are those
 * of all fees of its invoice; its charges are without true-ups, as in current usage. Throws 404 for an unknown metric; an
 * unknown customer or subscription has no periods.
 */
export async function pastUsage(
  account: AccountStore,
  customer: CustomerRecord | undefined,
  request: PastUsageRequest,
  window: { offset: number; limit: number },
): Promise<{ periods: PeriodUsage[]; total: number }> {
  await requireMetric(account, request.billable_metric_code);
  const periods =
    customer === undefined ? [] : await invoicedPeriods(account, customer, request.external_subscription_id);
  const shownPeriods = periods.slice(window.offset, window.offset + window.limit);
  const planIds = [...new Set(shownPeriods.map(({ period }) => period.plan_id))];
  const plans = planIds.length > 0 ? await account.find('plans', { id: planIds }) : [];
  const parts = await loadPlanParts(account, plans);
  return {
    periods: shownPeriods.map(each => usageOf(each, plans, parts, request.billable_metric_code)),
    total: periods.length,
  };
}

async function requireMetric(account: AccountStore, code: string | undefined): Promise<void> {
  if (code === undefined) return;
  if ((await account.count('billable_metrics', { code })) === 0) throw notFound('billable_metric');
}

/** Drafts count, voided and hidden invoices do not. */
async function invoicedPeriods(
  account: AccountStore,
  customer: CustomerRecord,
  externalId: string,
): Promise<InvoicedPeriod[]> {
  const invoices = await account.find('invoices', {
    customer_id: customer.id,
    status: ['finalized', 'draft', 'pending', 'failed'],
  });
  return invoices
    .flatMap(invoice => invoice.billing_periods.map(period => ({ invoice, period })))
    .filter(({ period }) => period.external_subscription_id === externalId)
    .filter(({ period }) => CLOSING.includes(period.invoicing_reason))
    .sort((a, b) => byText(b.period.charges_from_datetime, a.period.charges_from_datetime));
}

function usageOf(
  { invoice, period }: InvoicedPeriod,
  plans: readonly PlanRecord[],
  { metrics }: PlanParts,
  metricCode: string | undefined,
): PeriodUsage {
  const fees = invoice.fees
    .filter(fee => fee.item.type === 'charge' && fee.subscription_id === period.subscription_id)
    .filter(fee => fee.true_up_parent_fee_id === null)
    .map(fee => ({ fee }));
  const plan = plans.find(each => each.id === period.plan_id);
  const charges = (plan?.charges ?? [])
    .filter(charge => fees.some(({ fee }) => fee.charge_id === charge.id))
    .filter(charge => metricCode === undefined || metrics.get(charge.billable_metric_id)?.code === metricCode);
  return {
    from: period.charges_from_datetime,
    to: period.charges_to_datetime,
    issuing_date: invoice.issuing_date,
    currency: invoice.currency,
    invoice_id: invoice.id,
    amount_cents: invoice.fees.reduce((sum, fee) => sum + fee.amount_cents, 0),
    taxes_amount_cents: invoice.fees.reduce((sum, fee) => sum + fee.taxes_amount_cents, 0),
    charges: usageByCharge(charges, { metrics }, fees, metricCode === undefined),
  };
}
