/**
 * Usage of a subscription's current period (lookups §6.1), computed from its events whenever it is read, and of its invoiced
 * periods (lookups §6.2), from the stored invoices' fees and billing periods.
 */

import { groupKeys } from '../../contract/pricing/filters.ts';
import type { PriceProperties } from '../../contract/pricing/types.ts';
import { type CurrentUsageFee, currentUsageFees, currentUsageQueries } from '../../engine/current-usage.ts';
import { sumOfFees } from '../../engine/fees.ts';
import { chargesPeriodAt, periodAt } from '../../engine/periods.ts';
import { partsBy } from '../../engine/presentation.ts';
import { billable } from '../../engine/preview-fees.ts';
import { basisOf, type Catalogue, usageWindow } from '../../engine/preview-parts.ts';
import type {
  BillingPeriod,
  ChargeRecord,
  CustomerRecord,
  InstantText,
  InvoiceRecord,
  Json,
  PlanRecord,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { taxInvoice } from '../../engine/taxes.ts';
import type { UsageWindow } from '../../engine/types.ts';
import { dimensionText } from '../../engine/usage.ts';
import { byText } from '../../lib/text.ts';
import type { ChargeUsage, PeriodUsage } from '../answers/usage.ts';
import { methodNotAllowed, notFound, orNotFound } from '../errors.ts';
import { type AccountLists, loadAccountLists, loadCatalogue, taxBasis, timezoneOf } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from './engine-refusals.ts';
import { billedStatuses } from './lookups.ts';

export interface UsageRequest {
  external_subscription_id: string | undefined;
  apply_taxes: boolean;
  /** Only the charges whose id, code or metric's code is this. */
  charge?: { by: 'id' | 'code' | 'metric'; value: string } | undefined;
  /** Only the groups that have one of the values for every key; a value is null where the property is missing. */
  group?: ReadonlyMap<string, readonly Json[]> | undefined;
  /** Prices all groups of a charge together. Not used with `group`. */
  skip_grouping?: boolean;
  /** Only the parts by these keys, where units are divided for display. */
  presentation?: readonly string[] | undefined;
  full_usage?: boolean;
}

/**
 * The current usage of a customer's subscription: all charges, those without usage too, pay-in-advance ones at the
 * period's peak, without true-ups, taxed like an invoice. Throws the refusals of lookups §6.1 in their order, and
 * 422 `out_of_scope` for charges that are never computed (service-behaviour §16).
 */
export async function currentUsage(
  account: AccountStore,
  customer: CustomerRecord,
  request: UsageRequest,
  now: InstantText,
): Promise<PeriodUsage> {
  const activeOne = { external_id: request.external_subscription_id ?? '', status: 'active' as const };
  const subscription = await account.first('subscriptions', { customer_id: customer.id, ...activeOne });
  if (subscription === undefined) throw methodNotAllowed('no_active_subscription');
  // `full_usage` needs a feature that this service does not have.
  if (request.full_usage) throw methodNotAllowed('full_usage_not_allowed');
  const lists = await loadAccountLists(account);
  const pricing = await loadPricing(account, subscription);
  const charges = chosenCharges(pricing, request);
  return withEngineRefusals(async () => {
    const plan = { ...pricing.plan, charges };
    const priced = { ...pricing, subscription, customer, plan };
    const { window, fees } = await usageOfCurrentPeriod(account, priced, lists, now);
    const shownFees = fees
      .filter(({ fee }) => request.group === undefined || isInGroups(request.group, fee.item.grouped_by))
      .map(each => (request.presentation === undefined ? each : dividedBy(request.presentation, each)));
    const taxes = taxBasis(customer, lists);
    const billed = (each: CurrentUsageFee) => billable(each.fee, plan, each.charge.tax_codes, each.metric.code, taxes);
    // The taxes that an invoice of these fees would have (service-behaviour §11.2).
    const taxes_amount_cents = request.apply_taxes
      ? taxInvoice(shownFees.map(billed), plan.amount_currency).taxes_amount_cents
      : 0;
    const records = shownFees.map(({ fee }) => fee);
    refuseHugeAmounts(records, [taxes_amount_cents]);
    return {
      from: window.from,
      to: window.to,
      // The UTC date of the end of the plan's period, also where usage is billed by the month.
      issuing_date: periodAt(basisOf({ subscription, plan, timezone: window.timezone }), now).to.slice(0, 10),
      currency: plan.amount_currency,
      invoice_id: null,
      amount_cents: sumOfFees(records).cents,
      taxes_amount_cents,
      charges: usageByCharge(charges, pricing.catalogue, shownFees, request.charge === undefined),
    };
  });
}

/** A subscription, and what decides the price of its usage. */
interface PricedSubscription {
  subscription: SubscriptionRecord;
  customer: CustomerRecord;
  plan: PlanRecord;
  catalogue: Catalogue;
}

/** The fees of the current usage period, empty ones included, without taxes. Throws 405 outside the subscription's life. */
export async function usageOfCurrentPeriod(
  account: AccountStore,
  { subscription, customer, plan, catalogue }: PricedSubscription,
  lists: AccountLists,
  now: InstantText,
): Promise<{ window: UsageWindow; fees: CurrentUsageFee[] }> {
  const subject = { subscription, plan, timezone: timezoneOf(customer, lists) };
  const window = usageWindow(subject, chargesPeriodAt(basisOf(subject), plan, now), null);
  if (window === null) throw methodNotAllowed('no_active_subscription');
  const queries = currentUsageQueries(subject, catalogue, window, 'current');
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  return { window, fees: currentUsageFees(subject, catalogue, answer, window, 'current', { customer, subscription }) };
}

/** The subscription's plan and what its charges price. */
export async function loadPricing(account: AccountStore, subscription: SubscriptionRecord) {
  const plan = orNotFound(await account.get('plans', subscription.plan_id), 'plan');
  return { plan, catalogue: await loadCatalogue(account, [plan]) };
}

/** The charges with their fees: `sorted` by metric name, without regard to case, or else in the plan's order. */
function usageByCharge(
  charges: readonly ChargeRecord[],
  { metrics }: Pick<Catalogue, 'metrics'>,
  fees: readonly Pick<CurrentUsageFee, 'fee'>[],
  sorted: boolean,
): ChargeUsage[] {
  const usage = charges.flatMap(charge => {
    const metric = metrics.get(charge.billable_metric_id);
    const chargeFees = fees.filter(({ fee }) => fee.charge_id === charge.id).map(({ fee }) => fee);
    return metric === undefined ? [] : [{ charge, metric, fees: chargeFees }];
  });
  return sorted ? usage.sort((a, b) => byText(a.metric.name.toLowerCase(), b.metric.name.toLowerCase())) : usage;
}

/** Throws 404 when no charge matches the request's filter. */
function chosenCharges({ plan, catalogue }: Pick<PricedSubscription, 'plan' | 'catalogue'>, request: UsageRequest) {
  const charges = plan.charges.filter(charge => {
    const metric = catalogue.metrics.get(charge.billable_metric_id);
    if (request.charge === undefined) return true;
    const { by, value } = request.charge;
    return value === { id: charge.id, code: charge.code, metric: metric?.code }[by];
  });
  if (request.charge !== undefined && charges.length === 0) throw notFound('charge');
  return request.skip_grouping && request.group === undefined ? charges.map(ungrouped) : charges;
}

/** The charge without grouping, so that all its usage is priced together. */
function ungrouped(charge: ChargeRecord): ChargeRecord {
  const withoutGroups = (properties: PriceProperties) =>
    groupKeys(properties).length === 0 ? properties : { ...properties, pricing_group_keys: [], grouped_by: [] };
  const filters = charge.filters.map(filter => ({ ...filter, properties: withoutGroups(filter.properties) }));
  return { ...charge, properties: withoutGroups(charge.properties), filters };
}

/** Whether a fee's group is wanted. Others can be left out without changing its fee: each group is priced by itself. */
function isInGroups(wanted: NonNullable<UsageRequest['group']>, group: { [key: string]: string | null }): boolean {
  return [...wanted].every(([key, values]) => values.some(value => dimensionText(value) === group[key]));
}

function dividedBy(keys: readonly string[], each: CurrentUsageFee): CurrentUsageFee {
  const presentation_breakdowns = partsBy(keys, each.fee.presentation_breakdowns ?? []);
  return { ...each, fee: { ...each.fee, presentation_breakdowns } };
}

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
  const { billable_metric_code: code } = request;
  if (code !== undefined && (await account.count('billable_metrics', { code })) === 0)
    throw notFound('billable_metric');
  const periods =
    customer === undefined ? [] : await invoicedPeriods(account, customer, request.external_subscription_id);
  const shownPeriods = periods.slice(window.offset, window.offset + window.limit);
  const planIds = [...new Set(shownPeriods.map(({ period }) => period.plan_id))];
  const plans = planIds.length > 0 ? await account.find('plans', { id: planIds }) : [];
  const catalogue = await loadCatalogue(account, plans);
  return { periods: shownPeriods.map(each => usageOf(each, plans, catalogue, code)), total: periods.length };
}

/** Drafts count, voided and hidden invoices do not. */
async function invoicedPeriods(account: AccountStore, customer: CustomerRecord, externalId: string) {
  const invoices = await account.find('invoices', { customer_id: customer.id, status: billedStatuses });
  return invoices
    .flatMap(invoice => invoice.billing_periods.map(period => ({ invoice, period })))
    .filter(({ period }) => period.external_subscription_id === externalId)
    .filter(({ period }) => CLOSING.includes(period.invoicing_reason))
    .sort((a, b) => byText(b.period.charges_from_datetime, a.period.charges_from_datetime));
}

function usageOf(
  { invoice, period }: InvoicedPeriod,
  plans: readonly PlanRecord[],
  { metrics }: Catalogue,
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
