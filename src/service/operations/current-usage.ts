/** Usage of a subscription's current period (lookups §6.1), computed from its events whenever it is read. */

import { groupKeys } from '../../contract/pricing/filters.ts';
import type { PriceProperties } from '../../contract/pricing/types.ts';
import { type CurrentUsageFee, currentUsageFees, currentUsageQueries } from '../../engine/current-usage.ts';
import { sumOfFees } from '../../engine/fees.ts';
import { chargesPeriodAt, periodAt } from '../../engine/periods.ts';
import { partsBy } from '../../engine/presentation.ts';
import { billable } from '../../engine/preview-fees.ts';
import { basisOf, type Catalogue, usageWindow } from '../../engine/preview-parts.ts';
import type {
  ChargeRecord,
  CustomerRecord,
  InstantText,
  Json,
  PlanRecord,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { taxInvoice } from '../../engine/taxes.ts';
import type { UsageWindow } from '../../engine/types.ts';
import { dimensionText } from '../../engine/usage.ts';
import { byText } from '../../lib/text.ts';
import type { ChargeUsage, PeriodUsage } from '../answers/usage.ts';
import { methodNotAllowed, notFound } from '../errors.ts';
import { type AccountLists, loadAccountLists, loadPlanParts } from '../store/account-lists.ts';
import type { AccountStore } from '../store/store.ts';
import { refuseHugeAmounts, withEngineRefusals } from './engine-refusals.ts';

export interface UsageRequest {
  external_subscription_id: string | undefined;
  apply_taxes: boolean;
  /** Only the charges whose id, code or metric's code is this. */
  charge: { by: 'id' | 'code' | 'metric'; value: string } | null;
  /** Only the groups that have one of the values for every key; a value is null where the property is missing. */
  group: ReadonlyMap<string, readonly Json[]> | null;
  /** Prices all groups of a charge together. Not used with `group`. */
  skip_grouping: boolean;
  /** Only the parts by these keys, where units are divided for display; null for all. */
  presentation: readonly string[] | null;
  full_usage: boolean;
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
  const subscription = await activeSubscription(account, customer, request.external_subscription_id);
  // `full_usage` needs a feature that this service does not have.
  if (request.full_usage) throw methodNotAllowed('full_usage_not_allowed');
  const lists = await loadAccountLists(account);
  const pricing = await loadPricing(account, subscription);
  const charges = chosenCharges(pricing, request);
  return withEngineRefusals(async () => {
    const plan = { ...pricing.plan, charges };
    const { window, fees } = await usageOfCurrentPeriod(
      account,
      { ...pricing, subscription, customer, plan },
      lists,
      now,
    );
    const shownFees = fees
      .filter(({ fee }) => request.group === null || isInGroups(request.group, fee.item.grouped_by))
      .map(each => (request.presentation === null ? each : dividedBy(request.presentation, each)));
    const taxes_amount_cents = request.apply_taxes ? taxesOn(shownFees, plan, customer, lists) : 0;
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
      charges: usageByCharge(charges, pricing.catalogue, shownFees, request.charge === null),
    };
  });
}

/** A subscription, and what decides the price of its usage. */
export interface PricedSubscription {
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
  const timezone = customer.timezone ?? lists.billingEntities.get(customer.billing_entity_id)?.timezone ?? 'UTC';
  const subject = { subscription, plan, timezone };
  const window = usageWindow(subject, chargesPeriodAt(basisOf(subject), plan, now), null);
  if (window === null) throw methodNotAllowed('no_active_subscription');
  const queries = currentUsageQueries(subject, catalogue, window, 'current');
  const answer = queries.length > 0 ? await account.usage(queries) : new Map();
  return { window, fees: currentUsageFees(subject, catalogue, answer, window, 'current', { customer, subscription }) };
}

/** The subscription's plan and what its charges price. */
export async function loadPricing(
  account: AccountStore,
  subscription: SubscriptionRecord,
): Promise<Pick<PricedSubscription, 'plan' | 'catalogue'>> {
  const plan = await account.get('plans', subscription.plan_id);
  if (plan === undefined) throw notFound('plan');
  const parts = await loadPlanParts(account, [plan]);
  return { plan, catalogue: { metrics: parts.metrics, add_ons: parts.addOns } };
}

/** The charges with their fees: `sorted` by metric name, without regard to case, or else in the plan's order. */
export function usageByCharge(
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

async function activeSubscription(
  account: AccountStore,
  customer: CustomerRecord,
  externalId: string | undefined,
): Promise<SubscriptionRecord> {
  const activeOne = { customer_id: customer.id, external_id: externalId ?? '', status: 'active' as const };
  const subscription = await account.first('subscriptions', activeOne);
  if (subscription === undefined) throw methodNotAllowed('no_active_subscription');
  return subscription;
}

/** Throws 404 when no charge matches the request's filter. */
function chosenCharges(
  { plan, catalogue }: Pick<PricedSubscription, 'plan' | 'catalogue'>,
  request: UsageRequest,
): ChargeRecord[] {
  const charges = plan.charges.filter(charge => {
    const metric = catalogue.metrics.get(charge.billable_metric_id);
    if (request.charge === null) return true;
    const { by, value } = request.charge;
    return value === { id: charge.id, code: charge.code, metric: metric?.code }[by];
  });
  if (request.charge !== null && charges.length === 0) throw notFound('charge');
  return request.skip_grouping && request.group === null ? charges.map(ungrouped) : charges;
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

/** The taxes that an invoice of these fees would have, in cents (service-behaviour §11.2). */
function taxesOn(fees: CurrentUsageFee[], plan: PlanRecord, customer: CustomerRecord, lists: AccountLists): number {
  const entity = lists.billingEntities.get(customer.billing_entity_id);
  const taxes = { taxes: lists.taxes, customer, entity_tax_codes: entity?.tax_codes ?? [] };
  const taxed = fees.map(({ fee, charge, metric }) => billable(fee, plan, charge.tax_codes, metric.code, taxes));
  return taxInvoice(taxed, plan.amount_currency).taxes_amount_cents;
}
