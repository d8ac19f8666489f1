/** The price of a plan's charge or fixed charge in one line (service-behaviour §9, §10.5). Exact decimals, as text. */

import { pricesByModel, pricesIn } from '../contract/charge-prices.ts';
import { ALL_FILTER_VALUES } from '../contract/pricing/filters.ts';
import { shownPrice } from '../contract/pricing/models/index.ts';
import type { Price } from '../contract/pricing/models/model.ts';
import type { PriceWords } from '../contract/pricing/types.ts';
import type { AnyCharge, Free } from '../contract/shown.ts';
import { isGiven } from '../lib/json.ts';
import { unsigned } from './money.ts';
import { asTexts, code, listed, major, money, quantity, quoted, roughly, say, sign } from './summary.ts';

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
const all = Number.POSITIVE_INFINITY;
const whole: Extent = { filters: all, tiers: all, values: all, labels: true };

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
 * no one agrees to a value that this line does not say.
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
  const { min_amount_cents: least, applied_pricing_unit: pricingUnit } = charge;
  const unit = code(pricingUnit ? pricingUnit.code : currency);
  const price = shownPrice(charge.charge_model, charge.properties);
  const line =
    price &&
    sayPrice(unit, extent, words => (isFixed(charge) ? unitsLine(price, charge.units, words) : price.line(words)));
  const minimum = isGiven(least) ? money(least, code(currency)) : '';
  const filters = filterLines(charge, unit, extent);
  if (!price || line === null || minimum === null || filters === null) return null;
  const parts = [line, sign(least) === 1 ? `minimum ${minimum}` : null, ...terms(charge, price, extent)];
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

/** For which groups the price is, and whether the charge is prorated, billed early, or left out of invoices. */
function terms(charge: AnyCharge, { isAlike }: Price, { values, labels }: Extent): (string | null)[] {
  const early = isFixed(charge) ? 'in advance' : 'billed per event';
  const keys = charge.properties?.pricing_group_keys ?? charge.properties?.grouped_by ?? [];
  // Grouping does not change a price per unit.
  const grouping = !labels && isAlike ? null : listed(keys.map(codeText), values);
  return [
    grouping === null ? null : `per ${grouping}`,
    labels ? say`displayed by ${displayKeys(charge)}` : null,
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
  return listed(keys, all);
}

/** `10 × $5.00 = $50.00` of a fixed charge. */
function unitsLine(price: Price, sent: AnyCharge['units'], words: PriceWords): string | null {
  const units = unsigned(sent);
  if (units === null) return null;
  const { money, number } = words;
  if (price.each === undefined) return say`${number(units)} ${units.eq(1) ? 'unit' : 'units'}: ${price.line(words)}`;
  const each = money(price.each);
  return units.eq(1) ? each : `${number(units)} × ${each} = ${money(price.each.times(units))}`;
}

/** Null where an amount is said without a currency, because readers would take it for one in their own. */
function sayPrice(
  currency: string | null,
  { tiers }: Extent,
  line: (words: PriceWords) => string | null,
): string | null {
  let isSaid = true;
  const said = (text: string | null) => {
    isSaid &&= text !== null;
    return text ?? '';
  };
  const words = priceWords(currency, tiers);
  const text = line({ ...words, money: amount => said(currency === null ? null : words.money(amount) || null) });
  return isSaid ? text : null;
}

/** How prices are said in this currency. */
export function priceWords(currency: unknown, mostTiers = all): PriceWords {
  return {
    money: amount => major(amount.toFixed(), currency) ?? '',
    number: units => quantity(units.toFixed()) ?? '',
    roughly: units => roughly(units.toFixed()) ?? '',
    mostTiers,
  };
}

/** Each filter's own price while they are few, else their number. Null where every price must be said and one cannot. */
function filterLines(charge: AnyCharge, currency: string | null, extent: Extent): string[] | null {
  const filters = charge.filters ?? [];
  if (filters.length === 0) return [];
  const lines = filters.map(filter => {
    const ownPrice = shownPrice(charge.charge_model, filter.properties);
    const price = ownPrice && sayPrice(currency, extent, words => ownPrice.line(words));
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
    return `${codeText(key)} ${texts.includes(ALL_FILTER_VALUES) ? 'any' : listed(texts, maxValues)?.replace(/ and (?=\S+$)/, ' or ')}`;
  });
  return listed(parts, maxValues);
}

function codeText(text: string): string {
  return code(text) ?? '';
}
