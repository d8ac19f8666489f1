/** The price models of usage charges and fixed charges (service-behaviour §9). */
import type Big from 'big.js';
import { type DecimalText, ownValue } from '../../../lib/json.ts';
import type { ChargeModel } from '../../enums.ts';
import type { AmountDetails } from '../../shown.ts';
import { decimal, fromCents, ZERO } from '../money.ts';
import { OutOfScope } from '../out-of-scope.ts';
import type { Aggregate, Cost, PriceProperties, PriceWords } from '../types.ts';
import { costOf, type FeePrice, type FeeUnits, type Model, type Price } from './model.ts';
import { packages } from './package.ts';
import { percentage } from './percentage.ts';
import { shownProperties, storedProperties } from './properties.ts';
import { graduated, graduatedPercentage, volume } from './tiered.ts';

/** Units × `amount` (§9). */
const standard: Model = {
  parse(properties) {
    const each = properties.needed('amount');
    return {
      cost: ({ units, full_units }) => costOf(units.times(each), full_units, {}),
      line: ({ money }) => `${money(each)} each`,
      each,
      first: each,
      isAlike: true,
      isProrated: true,
    };
  },
};

/** A price by the account's own program (§9, §16). */
const custom: Model = {
  parse: () => ({
    cost() {
      throw new OutOfScope('custom_charge_model', 'This charge is a custom charge (§9, §16).');
    },
    line: () => 'a custom price',
    isByEvent: true,
  }),
};

/** The sum of the events' own amounts; 0 when there are no units (§9). Throws `TypeError` without a currency. */
const dynamic: Model = {
  parse: () => ({
    cost: (usage, currency) => {
      if (currency === undefined) throw new TypeError('priceCharge: pass the currency of a dynamic charge’s cents');
      const amount = usage.units.eq(ZERO) ? ZERO : fromCents(usage.precise_total_amount_cents, currency);
      return costOf(amount, usage.full_units, {});
    },
    line: () => 'the amount sent with each event',
    isAlike: true,
    isByEvent: true,
    usageOf: units => (units.gt(ZERO) ? 'each event brings its own price' : { units }),
  }),
};

const models: Readonly<Record<ChargeModel, Model>> = {
  standard,
  graduated,
  package: packages,
  percentage,
  volume,
  graduated_percentage: graduatedPercentage,
  custom,
  dynamic,
};

/** The fields of a charge that decide its price; `code` names the charge in error messages. */
export interface PricedCharge {
  charge_model: ChargeModel;
  properties: PriceProperties;
  /** Usage is prorated (§8): graduated charges are then refused. */
  prorated?: boolean;
  code?: string;
}

/** The units to price, and the other usage that a model reads; by default nothing prorated, no events, no cents. */
export type PricedUsage = Partial<Omit<Aggregate, 'units'>> & { units: DecimalText | number | Big };

/** Each price is read once: an engine asks for it at every event, and properties never change. */
const pricesRead = new WeakMap<PriceProperties, { model: ChargeModel; price: Price }>();

/** The price that stored properties hold; what is missing is 0. Throws where a value is no number. */
export function storedPrice(model: ChargeModel, properties: PriceProperties): Price {
  const known = pricesRead.get(properties);
  if (known?.model === model) return known.price;
  const price = models[model].parse(storedProperties(properties));
  pricesRead.set(properties, { model, price });
  return price;
}

/** The price that an answer shows. Null where the model is unknown or a value is missing, malformed or negative. */
export function shownPrice(model: unknown, properties: object | null | undefined): Price | null {
  const known = ownValue(models, String(model));
  if (known === undefined || !properties) return null;
  const values = shownProperties(properties);
  const price = known.parse(values);
  return values.isSound() ? price : null;
}

/** How a fee is priced by its details; null where they have nothing of it, or not all. */
export function detailsPrice(details: AmountDetails, words: PriceWords, fee: FeeUnits): FeePrice | null {
  for (const { explain } of Object.values(models)) {
    const price = explain?.(details, words, fee) ?? null;
    if (price !== null) return price;
  }
  return null;
}

/** What the price of a fee asks, without what was used: a list of tiers, of which fewer may be reached; else one entry. */
export function termsOfDetails(details: AmountDetails): unknown[] {
  return Object.values(models).flatMap(({ terms }) => terms?.(details) ?? []);
}

/**
 * The price of usage: major units, not rounded. Where units or amount are below 0, the amount and the shown units are 0,
 * and the details stay (§9). `units` are whole numbers or decimal text. Only dynamic charges, which sum cents, need the
 * currency.
 * Throws `OutOfScope` for custom charges, for prorated graduated ones (§16) and for unknown models.
 */
export function priceCharge(charge: PricedCharge, usage: PricedUsage, currency?: string): Cost {
  refuseUnpriced(charge);
  return costOfUsage(storedPrice(charge.charge_model, charge.properties), usage, currency);
}

/** The same for a price that is read already. */
export function costOfUsage(price: Price, usage: PricedUsage, currency?: string): Cost {
  const units = decimal(usage.units);
  const aggregate: Aggregate = {
    full_units: units,
    shown_units: units,
    total_aggregated_units: null,
    events_count: 0,
    precise_total_amount_cents: ZERO,
    event_values: [],
    growth: 'one',
    ...usage,
    units,
  };
  const { shown_units } = aggregate;
  const cost = price.cost(aggregate, currency);
  if (![units, shown_units, cost.amount].some(value => value.lt(ZERO))) return { ...cost, shown_units };
  return { ...cost, amount: ZERO, unit_amount: ZERO, shown_units: ZERO };
}

/** Throws `OutOfScope` for custom and for prorated graduated charges, which are never priced approximately (§16). */
export function refuseUnpriced({ charge_model, prorated, code }: Omit<PricedCharge, 'properties'>): void {
  const name = code === undefined ? 'This charge' : `The charge ${JSON.stringify(code)}`;
  if (charge_model === 'custom') {
    throw new OutOfScope('custom_charge_model', `${name} is a custom charge (§9, §16).`);
  }
  if (prorated && charge_model === 'graduated') {
    throw new OutOfScope('prorated_graduated_charge', `${name} is graduated and prorated (§9, §16).`);
  }
}
