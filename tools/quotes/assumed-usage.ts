/** What assumed usage costs on a plan: a fee for each filter and group, and each charge's minimum (service-behaviour §8–§10.2). */

import type Big from 'big.js';
import { chargeModels, fixedChargeModels, isOneOf } from '../../src/contract/enums.ts';
import { filterOfEvent, groupKeys, matchingFilters, type PriceFilter } from '../../src/contract/pricing/filters.ts';
import { costOfUsage, priceCharge, shownPrice, storedPrice } from '../../src/contract/pricing/models/index.ts';
import { toCents, ZERO } from '../../src/contract/pricing/money.ts';
import type { PriceProperties } from '../../src/contract/pricing/types.ts';
import type { Charge, ChargeProperties, EntryIn, Plan } from '../../src/contract/shown.ts';
import { big } from '../../src/words/money.ts';
import { asTexts } from '../../src/words/summary.ts';
import type { Course } from './break-even.ts';
import { exactCents } from './exact-cents.ts';

/** Usage of a metric in one billing period. */
export interface AssumedUse {
  metric: string;
  units: Big;
  /** Number of events; null when not told. */
  events: number | null;
  /** Event properties that decide filters and groups. */
  dimensions: { [key: string]: string };
}

/** A fee in whole cents, with the sum of its tax rates in percent; null: the rate of the plan fee. */
export interface QuotedFee {
  cents: number;
  taxRate: Big | null;
}

export interface UsageQuote {
  fees: QuotedFee[];
  /** Metrics whose price does not follow from totals alone, and why: `payouts (say how many events)`. They count 0. */
  notPriced: string[];
  /** Metrics that are charged for the part of the period in which they are used, which may be none or all of it. */
  prorated: string[];
}

/** What the price of a plan's usage depends on besides the plan and the usage. */
export interface UsageTerms {
  /** Whether metrics keep their value from period to period, by code; those that were not read are missing. */
  recurring: ReadonlyMap<string, boolean>;
  /** For how much of the period prorated usage is priced. */
  bound: 'least' | 'most';
}

const ownPrice = 'its own price';
const unknownRecurrence = 'whether its metric recurs could not be read';

interface Bucket {
  properties: ChargeProperties;
  units: Big;
  events: number | null;
}

/** The fees of all charges of a plan, as `list_plans` shows it. Metrics without assumed usage have 0 units. */
export function quoteUsage(plan: Plan, uses: readonly AssumedUse[], terms: UsageTerms): UsageQuote {
  const currency = plan.amount_currency ?? '';
  const quotes = (plan.charges ?? []).map(charge => quoteCharge(charge, uses, currency, terms));
  return {
    fees: quotes.flatMap(quote => quote.fees),
    notPriced: [...new Set(quotes.flatMap(quote => quote.notPriced))],
    prorated: [...new Set(quotes.flatMap(quote => quote.prorated))],
  };
}

/**
 * The metrics for which it matters whether they recur. If not, the service bills the charge by event, and no usage
 * costs nothing. If so, it bills the charge with the period (§12.5), and no usage costs the first tier's flat amount.
 */
export function metricsByEvent(plans: readonly Plan[]): string[] {
  const charges = plans.flatMap(plan =>
    (plan.charges ?? []).filter(charge =>
      bucketsOf(charge, []).some(bucket => isFlatByEvent(charge, bucket, plan.amount_currency ?? '')),
    ),
  );
  return [...new Set(charges.flatMap(({ billable_metric_code }) => billable_metric_code || []))];
}

function isFlatByEvent(charge: Charge, bucket: Bucket, currency: string): boolean {
  if (charge.pay_in_advance !== true || bucket.units.gt(0)) return false;
  const amount = priceOf(charge, bucket, currency);
  return typeof amount !== 'string' && amount.gt(0);
}

/** The sum of a list of taxes in percent; null for an empty list, for which the next level's taxes apply (§11.2). */
export function ownTaxRate(taxes: Plan['taxes']): Big | null {
  const rates = (taxes ?? []).map(({ rate }) => big(rate) ?? ZERO);
  return rates.length === 0 ? null : rates.reduce((sum, rate) => sum.plus(rate), ZERO);
}

/**
 * The arrears fixed charges of a plan in advance, which its first invoice does not have (§10.5). None where the list of
 * plans shows none.
 */
export function lateFixedFees(plan: Plan | null): QuotedFee[] {
  if (plan?.pay_in_advance !== true) return [];
  const currency = plan.amount_currency ?? '';
  return (plan.fixed_charges ?? [])
    .filter(charge => charge.pay_in_advance !== true)
    .flatMap(({ charge_model, properties, units, taxes }) => {
      if (!isOneOf(fixedChargeModels, charge_model)) return [];
      const price = priceCharge(
        { charge_model, properties: toPrice(properties ?? {}) },
        { units: big(units) ?? ZERO },
        currency,
      );
      return [{ cents: toCents(price.amount, currency), taxRate: ownTaxRate(taxes) }];
    });
}

function quoteCharge(
  charge: Charge,
  uses: readonly AssumedUse[],
  currency: string,
  { recurring, bound }: UsageTerms,
): UsageQuote {
  const metric = charge.billable_metric_code ?? '';
  const taxRate = ownTaxRate(charge.taxes);
  const fees: QuotedFee[] = [];
  const notPriced: string[] = [];
  const usesOfMetric = uses.filter(use => use.metric === metric);
  const buckets = bucketsOf(charge, usesOfMetric);
  for (const bucket of buckets) {
    const byEvent = isFlatByEvent(charge, bucket, currency) ? recurring.get(metric) : true;
    if (byEvent === false) continue;
    const amount = byEvent === undefined ? unknownRecurrence : priceOf(charge, bucket, currency, bound === 'least');
    const cents = typeof amount === 'string' ? Number.NaN : toCents(amount, currency);
    if (Number.isSafeInteger(cents)) fees.push({ cents, taxRate });
    else notPriced.push(`${metric} (${typeof amount === 'string' ? amount : ownPrice})`);
  }
  // Only charges in arrears have a minimum (§9).
  const minimum = charge.pay_in_advance === true ? 0 : (exactCents(charge.min_amount_cents) ?? 0);
  const missing = minimum - fees.reduce((sum, fee) => sum + fee.cents, 0);
  if (missing > 0) fees.push({ cents: missing, taxRate });
  const isPart = charge.prorated === true && notPriced.length === 0 && buckets.some(({ units }) => units.gt(0));
  return { fees, notPriced, prorated: isPart ? [metric] : [] };
}

/** A bucket for every filter and for the charge itself, each split by its groups (§8); without usage, one with 0 units. */
function bucketsOf(charge: Charge, uses: readonly AssumedUse[]): Bucket[] {
  const filters = (charge.filters ?? []).map(toFilter);
  const chargeProperties = charge.properties ?? {};
  return [...filters, null].flatMap(filter => {
    const properties = filter?.properties ?? chargeProperties;
    const groups = new Map<string, Bucket>();
    for (const use of uses) {
      if (!filtersOf(charge, filters, use).includes(filter)) continue;
      const name = groupOf(properties, use);
      const { units, events } = groups.get(name) ?? { units: ZERO, events: 0 };
      groups.set(name, {
        properties,
        units: units.plus(use.units),
        events: events === null || use.events === null ? null : events + use.events,
      });
    }
    return groups.size === 0 ? [{ properties, units: ZERO, events: 0 }] : [...groups.values()];
  });
}

/** The filters in which a use counts, null for the charge's own price: one, if the charge bills each event at once (§8). */
function filtersOf(charge: Charge, filters: readonly Filter[], { dimensions }: AssumedUse): (Filter | null)[] {
  return (charge.pay_in_advance === true ? filterOfEvent : matchingFilters)({ filters }, null, dimensions);
}

function groupOf(properties: ChargeProperties, { dimensions }: AssumedUse): string {
  return JSON.stringify(groupKeys(toPrice(properties)).map(key => dimensions[key] ?? null));
}

/**
 * Where the price of a use changes its course as its units grow, other uses of its bucket counted before it. `months`: over
 * how many invoices the usage is spread.
 */
export function courseOf(
  charges: readonly Charge[],
  use: AssumedUse,
  others: readonly AssumedUse[],
  months: number,
): Course {
  const prices = charges.flatMap(charge => {
    const filters = (charge.filters ?? []).map(toFilter);
    return filtersOf(charge, filters, use).map(filter => ({ charge, filters, filter }));
  });
  const courses = prices.map(({ charge, filters, filter }) => {
    const properties = filter?.properties ?? charge.properties ?? {};
    const beside = others
      .filter(other => other.metric === use.metric && filtersOf(charge, filters, other).includes(filter))
      .filter(other => groupOf(properties, other) === groupOf(properties, use))
      .reduce((sum, { units }) => sum.plus(units), ZERO);
    const at = (units: Big) => units.times(months).minus(beside).toNumber();
    const { ends = [], size } = shownPrice(charge.charge_model, properties)?.course ?? {};
    const length = (size ?? ZERO).times(months).toNumber();
    return {
      ends: ends.map(at),
      packages: Number.isSafeInteger(length) && length > 0 ? [{ from: at(ends[0] ?? ZERO), size: length }] : [],
    };
  });
  return { ends: courses.flatMap(({ ends }) => ends), packages: courses.flatMap(({ packages }) => packages) };
}

type Filter = PriceFilter & { properties: ChargeProperties };

function toFilter(filter: EntryIn<Charge['filters']>): Filter {
  const values = Object.entries(filter.values ?? {}).map(([key, list]) => [key, asTexts(list)]);
  return { values: Object.fromEntries(values), properties: filter.properties ?? {} };
}

/** As the price models take them, which judge each value themselves. */
function toPrice(properties: ChargeProperties): PriceProperties {
  return properties as PriceProperties;
}

/**
 * The price in major units, not rounded, or why it cannot be told. `isLeast`: for the least part of the period, if the charge
 * is prorated: the full units decide the range of a volume charge, and its flat amount is not prorated (§9).
 */
function priceOf(charge: Charge, bucket: Bucket, currency: string, isLeast = false): Big | string {
  const { charge_model, prorated } = charge;
  const { units } = bucket;
  const used = units.gt(0);
  if (!isOneOf(chargeModels, charge_model)) return used ? ownPrice : ZERO;
  if (used && charge.invoiceable === false) return 'charged outside invoices';
  try {
    const price = storedPrice(charge_model, toPrice(bucket.properties));
    if (prorated === true && !price.isProrated && (used || isLeast)) return used ? 'prorated by time' : ZERO;
    if (used && charge.applied_pricing_unit) return 'priced in pricing units';
    const priced = prorated === true && isLeast ? ZERO : units;
    const usage = price.usageOf?.(units, bucket.events) ?? { units: priced, full_units: units };
    return typeof usage === 'string' ? usage : costOfUsage(price, usage, currency).amount;
  } catch {
    // A custom model, or properties that hold no price.
    return used ? ownPrice : ZERO;
  }
}
