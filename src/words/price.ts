/** The price of a plan's charge or fixed charge in one line (service-behaviour §9, §10.5). Exact decimals, as text. */
import Big from 'big.js';
import { pricesByModel, pricesIn } from '../contract/charge-prices.ts';
import { isRecord, type JsonRecord } from '../lib/json.ts';
import {
  asRecord,
  asRecords,
  asText,
  asTexts,
  code,
  listed,
  major,
  money,
  quantity,
  quoted,
  say,
  sign,
} from './summary.ts';

/** How much of a price is said. */
interface Extent {
  /** More filters than these are only counted. */
  filters: number;
  /** Of more tiers than these, the first ones and the last one are said. */
  tiers: number;
  /** Of a filter's values, and of grouping keys. */
  values: number;
  /** With what makes no price of its own: the keys of prices per unit, the values of filters that have a name. */
  labels: boolean;
}

const short: Extent = { filters: 2, tiers: 4, values: 3, labels: false };
const whole: Extent = {
  ...{ filters: Number.POSITIVE_INFINITY, tiers: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY },
  labels: true,
};

/**
 * `packages of 1,000 at $5.00 after 500 free, minimum $10.00`, from the charge's model and properties (major units) and
 * its `min_amount_cents` (minor units), in the plan's currency or the charge's own pricing unit. A fixed charge is
 * units × price. Null where the model is unknown or a value is missing, malformed or negative.
 */
export function priceLine(charge: JsonRecord, currency: unknown): string | null {
  return lineOf(charge, currency, short);
}

/**
 * The same with every tier, filter and label. Null also where a price has values that its model does not know, so that
 * nobody agrees to what this line does not say.
 */
export function wholePriceLine(charge: JsonRecord, currency: unknown): string | null {
  const model = pricesByModel.get(String(charge.charge_model));
  if (model === undefined || sign(charge.min_amount_cents) === -1) return null;
  const said = [charge, ...asRecords(charge.filters)].every(({ properties }) =>
    [...pricesIn(asRecord(properties), model)].every(({ kind }) => kind !== 'unknown'),
  );
  const filters = Array.isArray(charge.filters) ? charge.filters.length : 0;
  return said && asRecords(charge.filters).length === filters ? lineOf(charge, currency, whole) : null;
}

function lineOf(charge: JsonRecord, currency: unknown, extent: Extent): string | null {
  const unit = currencyOf(charge, currency);
  const { charge_model: model, properties } = charge;
  const price = isFixed(charge) ? fixedPrice(charge, unit, extent) : modelPrice(model, properties, unit, extent);
  const minimum = optional(charge.min_amount_cents, cents => money(cents, code(currency)));
  const filters = filterLines(charge, unit, extent);
  if (price === null || minimum === null || filters === null) return null;
  const parts = [price, sign(charge.min_amount_cents) === 1 ? `minimum ${minimum}` : null, ...terms(charge, extent)];
  return [parts.filter(part => part !== null).join(', '), ...filters].join('; ');
}

/** What a charge is called before its price: `“Transcription”`, `api_calls`. */
export function chargeName(charge: JsonRecord): string {
  return (
    quoted(charge.invoice_display_name) ??
    code(charge.billable_metric_code) ??
    code(charge.add_on_code) ??
    code(charge.code) ??
    'a charge'
  );
}

/** Fixed charges are quantities of an add-on; usage charges have a metric. */
function isFixed(charge: JsonRecord): boolean {
  return charge.units !== undefined || charge.add_on_code !== undefined || charge.svc_add_on_id !== undefined;
}

/** Amounts of a charge with a pricing unit are in that unit. */
function currencyOf({ applied_pricing_unit: own }: JsonRecord, currency: unknown): string | null {
  return code(own === null || own === undefined ? currency : (asRecord(own).short_name ?? asRecord(own).code));
}

/** When it is billed, where that is not the end of the period, and whether a part of the period costs less. */
function terms(charge: JsonRecord, { values, labels }: Extent): (string | null)[] {
  const early = isFixed(charge) ? 'in advance' : 'billed at each event';
  const { charge_model: model } = charge;
  const groups = asTexts(asRecord(charge.properties).pricing_group_keys ?? asRecord(charge.properties).grouped_by);
  // A price per unit is the same however the units are grouped.
  const apart = !labels && (model === 'standard' || model === 'dynamic') ? null : listed(groups.map(escaped), values);
  return [
    apart === null ? null : `for each ${apart}`,
    charge.prorated === true ? 'prorated' : null,
    charge.pay_in_advance === true ? early : null,
    charge.invoiceable === false ? 'not on invoices' : null,
  ];
}

function fixedPrice(charge: JsonRecord, currency: string | null, extent: Extent): string | null {
  const units = decimal(charge.units);
  if (units === null) return null;
  if (charge.charge_model !== 'standard') {
    const price = modelPrice(charge.charge_model, charge.properties, currency, extent);
    return price === null ? null : `${quantity(units)} ${units === '1' ? 'unit' : 'units'}: ${price}`;
  }
  const price = decimal(asRecord(charge.properties).amount);
  const each = amount(price, currency);
  if (each === null || price === null) return null;
  return units === '1'
    ? each
    : `${quantity(units)} × ${each} = ${amount(new Big(price).times(units).toFixed(), currency)}`;
}

function modelPrice(
  model: unknown,
  properties: unknown,
  currency: string | null,
  { tiers: most }: Extent,
): string | null {
  if (!isRecord(properties)) return null;
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
        most,
      );
    case 'graduated_percentage':
      return graduated(
        tiersOf(properties.graduated_percentage_ranges, range => percent(range.rate), currency),
        most,
      );
    case 'volume':
      return volume(
        tiersOf(properties.volume_ranges, range => amount(range.per_unit_amount, currency), currency),
        most,
      );
    case 'dynamic':
      return 'the amount sent with each event';
    case 'custom':
      return 'a custom price';
    default:
      return null;
  }
}

function packagePrice(properties: JsonRecord, currency: string | null): string | null {
  const price = amount(properties.amount, currency);
  const size = decimal(properties.package_size);
  const free = allowance(properties.free_units);
  if (price === null || size === null || sign(size) === 0 || free === null) return null;
  return `${size === '1' ? `${price} each` : `packages of ${quantity(size)} at ${price}`}${free && ` after ${free} free`}`;
}

function percentagePrice(properties: JsonRecord, currency: string | null): string | null {
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
    ...(limits.length === 0 ? [] : [`${limits.join(' and ')} an event`]),
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

/** Null unless the tiers start at 0 or 1, go up, and have an end that all but the last give. */
function tiersOf(
  value: unknown,
  priceOf: (range: JsonRecord) => string | null,
  currency: string | null,
): Tier[] | null {
  const ranges = asRecords(value);
  if (!Array.isArray(value) || ranges.length === 0 || ranges.length !== value.length) return null;
  const tiers: Tier[] = [];
  for (const range of ranges) {
    const [from, price] = [decimal(range.from_value), priceOf(range)];
    const flat = optional(range.flat_amount, flatAmount => amount(flatAmount, currency));
    const last = tiers.length === ranges.length - 1;
    const to = last ? null : decimal(range.to_value);
    if (from === null || price === null || flat === null) return null;
    if (last ? !(range.to_value === null || range.to_value === undefined) : to === null) return null;
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
function graduated(tiers: readonly Tier[] | null, most: number): string | null {
  if (tiers === null || tiers.length < 2) return single(tiers?.[0]);
  const told = tiers.map(tier => (tier.to === null ? `then ${inTier(tier)}` : at(span(tier), tier)));
  return shortened(told, most).join(', ');
}

/** `all units by volume: up to 100 at $0.02, beyond at $0.01` */
function volume(tiers: readonly Tier[] | null, most: number): string | null {
  if (tiers === null || tiers.length < 2) return single(tiers?.[0]);
  const told = tiers.map(tier => at(tier.to === null ? 'beyond' : `up to ${quantity(tier.to)}`, tier));
  return `all units by volume: ${shortened(told, most).join(', ')}`;
}

/** A single tier is a price for each unit, or a percentage. */
function single(tier: Tier | undefined): string | null {
  if (tier === undefined) return null;
  return inTier(tier.price === null || tier.price.endsWith('%') ? tier : { ...tier, price: `${tier.price} each` });
}

function at(units: string, tier: Tier): string {
  const price = inTier(tier);
  return `${units} ${price === 'free' ? price : `at ${price}`}`;
}

function inTier({ price, flat }: Tier): string {
  const parts = [price, flat === null ? null : `${flat} flat`].filter(part => part !== null);
  return parts.join(' + ') || 'free';
}

function shortened(told: readonly string[], most: number): string[] {
  if (told.length <= most) return [...told];
  const kept = most - 2;
  return [...told.slice(0, kept), `${told.length - kept - 1} more tiers`, ...told.slice(-1)];
}

/** Whole units are counted from 1. */
function span({ from, to }: Tier): string {
  const first = from === '0' && to !== null && /^\d+$/.test(to) ? '1' : from;
  return first === to ? `unit ${quantity(to)}` : `${quantity(first)}–${quantity(to)}`;
}

/** Each filter's own price while they are few, else how many there are. Null where the whole cannot be said. */
function filterLines(charge: JsonRecord, currency: string | null, extent: Extent): string[] | null {
  const filters = asRecords(charge.filters);
  if (filters.length === 0) return [];
  const lines = filters.map(filter => {
    const price = modelPrice(charge.charge_model, filter.properties, currency, extent);
    const [name, values] = [quoted(filter.invoice_display_name), valuesOf(filter.values, extent)];
    const label = extent.labels ? (say`${name} (${values})` ?? name ?? values) : (name ?? values);
    return price === null || label === null ? null : `${label} ${price}`;
  });
  const told = lines.filter(line => line !== null);
  if (told.length === filters.length && told.length <= extent.filters) return told;
  if (extent === whole) return null;
  return [`${filters.length} ${filters.length === 1 ? 'filter' : 'filters'} with other prices`];
}

/** `region eu or us` */
function valuesOf(values: unknown, { values: most }: Extent): string | null {
  const parts = Object.entries(asRecord(values)).map(([key, entry]) => {
    const texts = asTexts(entry).map(escaped);
    return `${escaped(key)} ${texts.includes(anyValue) ? 'any' : listed(texts, most)?.replace(/ and (?=\S+$)/, ' or ')}`;
  });
  return listed(parts, most);
}

const anyValue = '__ALL_FILTER_VALUES__';

function escaped(text: string): string {
  return code(text) ?? '';
}

/** Money without a currency would be taken for that of the reader. */
function amount(value: unknown, currency: string | null): string | null {
  const text = decimal(value);
  return text === null || currency === null ? null : major(text, currency);
}

function percent(value: unknown): string | null {
  const text = decimal(value);
  return text === null ? null : `${quantity(text)}%`;
}

/** Empty when absent or null; null when malformed. */
function optional(value: unknown, read: (value: unknown) => string | null): string | null {
  return value === null || value === undefined || value === '' ? '' : read(value);
}

/** A number of free units: empty for none, null when malformed. */
function allowance(value: unknown): string | null {
  return optional(value, given => {
    const text = decimal(given);
    return text === null ? null : sign(text) === 0 ? '' : quantity(text);
  });
}

/** A decimal that is not negative, without needless zeros: `10.0` → `10`; null for anything else. */
function decimal(value: unknown): string | null {
  const text = asText(value);
  if (text === null || !/^\d{1,60}(\.\d{1,60})?(e[+-]\d{1,2})?$/.test(text)) return null;
  return typeof value === 'string' && text.includes('e') ? null : new Big(text).toFixed();
}
