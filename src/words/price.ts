/** The price of a plan's charge or fixed charge in one line (service-behaviour §9, §10.5). Exact decimals, as text. */

import Big from 'big.js';
import { pricesByModel, pricesIn } from '../contract/charge-prices.ts';
import type { AnyCharge, ChargeProperties, Decimal, EntryIn, Free, Listed } from '../contract/shown.ts';
import { isGiven } from '../lib/json.ts';
import { allOf } from '../lib/lists.ts';
import { unsigned } from './money.ts';
import { asTexts, code, listed, major, money, quantity, quoted, say, sign } from './summary.ts';

/** How much of a price is said. */
interface Extent {
  /** Where there are more filters than this, they are only counted. */
  filters: number;
  /** Where there are more tiers than this, the first ones and the last one are said. */
  tiers: number;
  /** At most this many values of a filter are said, and grouping keys. */
  values: number;
  /** Also say what changes no price: the grouping keys of prices per unit, the values of filters that have a name. */
  labels: boolean;
}

const short: Extent = { filters: 2, tiers: 4, values: 3, labels: false };
const whole: Extent = {
  filters: Number.POSITIVE_INFINITY,
  tiers: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
  labels: true,
};

/**
 * `packages of 1,000 at $5.00 after 500 free, minimum $10.00`, from the charge's model and properties (major units) and
 * its `min_amount_cents` (minor units), in the plan's currency or the charge's own pricing unit. A fixed charge is
 * units × price. Null where the model is unknown or a value is missing, malformed or negative.
 */
export function priceLine(charge: AnyCharge, currency: unknown): string | null {
  return lineOf(charge, currency, short);
}

/**
 * The same with every tier, filter and label. Null also where a price has values that its model does not know, so that
 * nobody agrees to a value that this line does not say.
 */
export function wholePriceLine(charge: AnyCharge, currency: unknown): string | null {
  const model = pricesByModel.get(String(charge.charge_model));
  if (model === undefined || sign(charge.min_amount_cents) === -1) return null;
  const isAllKnown = [charge, ...(charge.filters ?? [])].every(({ properties }) =>
    [...pricesIn(properties ?? {}, model)].every(({ kind }) => kind !== 'unknown'),
  );
  return isAllKnown ? lineOf(charge, currency, whole) : null;
}

function lineOf(charge: AnyCharge, currency: unknown, extent: Extent): string | null {
  const unit = currencyOf(charge, currency);
  const { charge_model: model, properties } = charge;
  const price = isFixed(charge) ? fixedPrice(charge, unit, extent) : modelPrice(model, properties, unit, extent);
  const minimum = optional(charge.min_amount_cents, cents => money(cents, code(currency)));
  const filters = filterLines(charge, unit, extent);
  if (price === null || minimum === null || filters === null) return null;
  const parts = [price, sign(charge.min_amount_cents) === 1 ? `minimum ${minimum}` : null, ...terms(charge, extent)];
  return [parts.filter(part => part !== null).join(', '), ...filters].join('; ');
}

/** The name of a charge, said before its price: `“Transcription”`, `api_calls`. */
export function chargeName(charge: AnyCharge): string {
  return (
    quoted(charge.invoice_display_name) ??
    code(charge.billable_metric_code) ??
    code(charge.add_on_code) ??
    code(charge.code) ??
    'a charge'
  );
}

/** Fixed charges are quantities of an add-on; usage charges have a metric. */
function isFixed(charge: AnyCharge): boolean {
  return charge.units !== undefined || charge.add_on_code !== undefined || charge.svc_add_on_id !== undefined;
}

/** The plan's currency, or the charge's own pricing unit, in which its amounts are then. */
function currencyOf({ applied_pricing_unit: pricingUnit }: AnyCharge, currency: unknown): string | null {
  return code(pricingUnit ? pricingUnit.code : currency);
}

/** For which groups the price is, and whether the charge is prorated, billed early, or left out of invoices. */
function terms(charge: AnyCharge, { values, labels }: Extent): (string | null)[] {
  const early = isFixed(charge) ? 'in advance' : 'billed at each event';
  const { charge_model: model } = charge;
  const keys = charge.properties?.pricing_group_keys ?? charge.properties?.grouped_by ?? [];
  // Grouping does not change a price per unit.
  const grouping = !labels && (model === 'standard' || model === 'dynamic') ? null : listed(keys.map(codeText), values);
  return [
    grouping === null ? null : `for each ${grouping}`,
    labels ? say`divided for display by ${displayKeys(charge)}` : null,
    charge.prorated === true ? 'prorated' : null,
    charge.pay_in_advance === true ? early : null,
    charge.invoiceable === false ? 'not on invoices' : null,
  ];
}

/** `region and team (on invoices)`: the keys that divide usage into lines for display. */
function displayKeys({ properties }: AnyCharge): string | null {
  const keys = (properties?.presentation_group_keys ?? []).map(({ value, options }) => {
    const key = code(value) ?? 'an unknown key';
    return options?.display_in_invoice === true ? `${key} (on invoices)` : key;
  });
  return listed(keys, Number.POSITIVE_INFINITY);
}

function fixedPrice(charge: AnyCharge, currency: string | null, extent: Extent): string | null {
  const units = decimal(charge.units);
  if (units === null) return null;
  if (charge.charge_model !== 'standard') {
    const price = modelPrice(charge.charge_model, charge.properties, currency, extent);
    return price === null ? null : `${quantity(units)} ${units === '1' ? 'unit' : 'units'}: ${price}`;
  }
  const price = decimal(charge.properties?.amount);
  const each = amount(price, currency);
  if (each === null || price === null) return null;
  return units === '1'
    ? each
    : `${quantity(units)} × ${each} = ${amount(new Big(price).times(units).toFixed(), currency)}`;
}

function modelPrice(
  model: unknown,
  properties: AnyCharge['properties'],
  currency: string | null,
  { tiers: maxTiers }: Extent,
): string | null {
  if (!properties) return null;
  switch (model) {
    case 'standard':
      return say`${amount(properties.amount, currency)} each`;
    case 'package':
      return packagePrice(properties, currency);
    case 'percentage':
      return percentagePrice(properties, currency);
    case 'graduated':
      return graduated(
        tiersOf(properties.graduated_ranges, range => amount(range.per_unit_amount, currency), currency),
        maxTiers,
      );
    case 'graduated_percentage':
      return graduated(
        tiersOf(properties.graduated_percentage_ranges, range => percent(range.rate), currency),
        maxTiers,
      );
    case 'volume':
      return volume(
        tiersOf(properties.volume_ranges, range => amount(range.per_unit_amount, currency), currency),
        maxTiers,
      );
    case 'dynamic':
      return 'the amount sent with each event';
    case 'custom':
      return 'a custom price';
    default:
      return null;
  }
}

function packagePrice(properties: ChargeProperties, currency: string | null): string | null {
  const price = amount(properties.amount, currency);
  const size = decimal(properties.package_size);
  const free = allowance(properties.free_units);
  if (price === null || size === null || sign(size) === 0 || free === null) return null;
  return `${size === '1' ? `${price} each` : `packages of ${quantity(size)} at ${price}`}${free && ` after ${free} free`}`;
}

function percentagePrice(properties: ChargeProperties, currency: string | null): string | null {
  const rate = percent(properties.rate);
  const fixed = optional(properties.fixed_amount, value => amount(value, currency));
  const least = optional(properties.per_transaction_min_amount, value => amount(value, currency));
  const most = optional(properties.per_transaction_max_amount, value => amount(value, currency));
  const events = allowance(properties.free_units_per_events);
  const total = allowance(properties.free_units_per_total_aggregation);
  if (rate === null || fixed === null || least === null || most === null || events === null || total === null)
    return null;
  const free = [events && `${events} free ${events === '1' ? 'event' : 'events'}`, total && `${total} free`];
  const limits = [least && `at least ${least}`, most && `at most ${most}`].filter(part => part !== '');
  const after = listed(free.filter(part => part !== ''));
  return [
    `${rate}${sign(properties.fixed_amount) === 1 ? ` + ${fixed} an event` : ''}`,
    ...(after === null ? [] : [`after ${after}`]),
    ...(limits.length === 0 ? [] : [`${allOf(limits)} an event`]),
  ].join(', ');
}

interface Tier {
  from: string;
  /** Null in the last tier. */
  to: string | null;
  /** `$0.01` or `1.5%`; null for nothing. */
  price: string | null;
  /** `$5.00`; null for nothing. */
  flat: string | null;
}

type PricedRange = EntryIn<ChargeProperties['graduated_ranges']> &
  EntryIn<ChargeProperties['graduated_percentage_ranges']>;

/** Null unless the tiers start at 0 or 1 and follow each other upwards, and all but the last have an end. */
function tiersOf(
  value: Listed<PricedRange>,
  priceOf: (range: PricedRange) => string | null,
  currency: string | null,
): Tier[] | null {
  const ranges = value ?? [];
  if (ranges.length === 0) return null;
  const tiers: Tier[] = [];
  for (const range of ranges) {
    const [from, price] = [decimal(range.from_value), priceOf(range)];
    const flat = optional(range.flat_amount, flatAmount => amount(flatAmount, currency));
    const last = tiers.length === ranges.length - 1;
    const to = last ? null : decimal(range.to_value);
    if (from === null || price === null || flat === null) return null;
    if (last ? isGiven(range.to_value) : to === null) return null;
    if (!follows(from, to, tiers.at(-1))) return null;
    const perUnit = sign(decimal(range.per_unit_amount ?? range.rate)) === 1;
    tiers.push({ from, to, price: perUnit ? price : null, flat: sign(decimal(range.flat_amount)) === 1 ? flat : null });
  }
  return tiers;
}

function follows(from: string, to: string | null, before: Tier | undefined): boolean {
  const start = new Big(from);
  if (to !== null && start.gt(to)) return false;
  return before ? before.to !== null && start.gte(before.to) : start.lte(1);
}

/** `1–10,000 at $0.01, then $0.008 + $20.00 flat` */
function graduated(tiers: readonly Tier[] | null, maxTiers: number): string | null {
  if (tiers === null || tiers.length < 2) return single(tiers?.[0]);
  const tierTexts = tiers.map(tier => (tier.to === null ? `then ${inTier(tier)}` : withPrice(span(tier), tier)));
  return withoutMiddle(tierTexts, maxTiers).join(', ');
}

/** `all units by volume: up to 100 at $0.02, beyond at $0.01` */
function volume(tiers: readonly Tier[] | null, maxTiers: number): string | null {
  if (tiers === null || tiers.length < 2) return single(tiers?.[0]);
  const tierTexts = tiers.map(tier => withPrice(tier.to === null ? 'beyond' : `up to ${quantity(tier.to)}`, tier));
  return `all units by volume: ${withoutMiddle(tierTexts, maxTiers).join(', ')}`;
}

/** A single tier is a price for each unit, or a percentage. */
function single(tier: Tier | undefined): string | null {
  if (tier === undefined) return null;
  return inTier(tier.price === null || tier.price.endsWith('%') ? tier : { ...tier, price: `${tier.price} each` });
}

function withPrice(units: string, tier: Tier): string {
  const price = inTier(tier);
  return `${units} ${price === 'free' ? price : `at ${price}`}`;
}

function inTier({ price, flat }: Tier): string {
  const parts = [price, flat === null ? null : `${flat} flat`].filter(part => part !== null);
  return parts.join(' + ') || 'free';
}

function withoutMiddle(tierTexts: readonly string[], maxTiers: number): string[] {
  if (tierTexts.length <= maxTiers) return [...tierTexts];
  const kept = maxTiers - 2;
  return [...tierTexts.slice(0, kept), `${tierTexts.length - kept - 1} more tiers`, ...tierTexts.slice(-1)];
}

/** Whole units are counted from 1. */
function span({ from, to }: Tier): string {
  const first = from === '0' && to !== null && /^\d+$/.test(to) ? '1' : from;
  return first === to ? `unit ${quantity(to)}` : `${quantity(first)}–${quantity(to)}`;
}

/**
 * Each filter's own price while filters are few, else their number. Null where every price must be said and one cannot.
 */
function filterLines(charge: AnyCharge, currency: string | null, extent: Extent): string[] | null {
  const filters = charge.filters ?? [];
  if (filters.length === 0) return [];
  const lines = filters.map(filter => {
    const price = modelPrice(charge.charge_model, filter.properties, currency, extent);
    const [name, values] = [quoted(filter.invoice_display_name), valuesOf(filter.values, extent)];
    const label = extent.labels ? (say`${name} (${values})` ?? name ?? values) : (name ?? values);
    return price === null || label === null ? null : `${label} ${price}`;
  });
  const priced = lines.filter(line => line !== null);
  if (priced.length === filters.length && priced.length <= extent.filters) return priced;
  if (extent === whole) return null;
  return [`${filters.length} ${filters.length === 1 ? 'filter' : 'filters'} with other prices`];
}

/** `region eu or us` */
function valuesOf(values: Free | null | undefined, { values: maxValues }: Extent): string | null {
  const parts = Object.entries(values ?? {}).map(([key, entry]) => {
    const texts = asTexts(entry).map(codeText);
    return `${codeText(key)} ${texts.includes(anyValue) ? 'any' : listed(texts, maxValues)?.replace(/ and (?=\S+$)/, ' or ')}`;
  });
  return listed(parts, maxValues);
}

const anyValue = '__ALL_FILTER_VALUES__';

function codeText(text: string): string {
  return code(text) ?? '';
}

/** Null without a currency, because readers would take the amount for one in their own. */
function amount(value: Decimal | null | undefined, currency: string | null): string | null {
  const text = decimal(value);
  return text === null || currency === null ? null : major(text, currency);
}

function percent(value: Decimal | null | undefined): string | null {
  const text = decimal(value);
  return text === null ? null : `${quantity(text)}%`;
}

/** Empty when absent or null; null when malformed. */
function optional<Value>(value: Value, read: (value: NonNullable<Value>) => string | null): string | null {
  return isGiven(value) && value !== '' ? read(value) : '';
}

/** A number of free units: empty for none, null when malformed. */
function allowance(value: Decimal | null | undefined): string | null {
  return optional(value, units => {
    const text = decimal(units);
    return text === null ? null : sign(text) === 0 ? '' : quantity(text);
  });
}

/** A decimal that is not negative, without needless zeros: `10.0` → `10`; null for anything else. */
function decimal(value: Decimal | null | undefined): string | null {
  return unsigned(value)?.toFixed() ?? null;
}
