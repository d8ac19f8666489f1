/** The price models of usage charges and fixed charges (service-behaviour §9). */
import type Big from 'big.js';
import type { DecimalText } from '../../../lib/json.ts';
import type { ChargeModel } from '../../enums.ts';
import { decimal, ZERO } from '../money.ts';
import { OutOfScope } from '../out-of-scope.ts';
import type { Aggregate, Price, PriceProperties } from '../types.ts';
import { dynamic } from './dynamic.ts';
import { graduated } from './graduated.ts';
import { graduatedPercentage } from './graduated-percentage.ts';
import type { PriceModel } from './model.ts';
import { packagePrice } from './package.ts';
import { percentage } from './percentage.ts';
import { standard } from './standard.ts';
import { volume } from './volume.ts';

type PricedModel = Exclude<ChargeModel, 'custom'>;

const models: Readonly<Record<PricedModel, PriceModel>> = {
  standard,
  package: packagePrice,
  graduated,
  graduated_percentage: graduatedPercentage,
  volume,
  percentage,
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

/**
 * The price of usage: major units, not rounded. Where units or amount are below 0, the amount and the shown units are 0,
 * and the details stay (§9). `units` are whole numbers or decimal text. Only dynamic charges, which sum cents, need the
 * currency.
 * Throws `OutOfScope` for custom charges, for prorated graduated ones (§16) and for unknown models.
 */
export function priceCharge(charge: PricedCharge, usage: PricedUsage, currency?: string): Price {
  refuseUnpriced(charge);
  const aggregate = aggregateOf(usage);
  const { units, shown_units } = aggregate;
  const price = models[charge.charge_model](charge.properties, aggregate, currency);
  if (![units, shown_units, price.amount].some(value => value.lt(ZERO))) return { ...price, shown_units };
  return { ...price, amount: ZERO, unit_amount: ZERO, shown_units: ZERO };
}

/** Throws `OutOfScope` for custom and for prorated graduated charges, which are never priced approximately (§16). */
export function refuseUnpriced<Charge extends Omit<PricedCharge, 'properties'>>(
  charge: Charge,
): asserts charge is Charge & { charge_model: PricedModel } {
  const { charge_model, prorated, code } = charge;
  const name = code === undefined ? 'This charge' : `The charge ${JSON.stringify(code)}`;
  if (charge_model === 'custom') {
    throw new OutOfScope('custom_charge_model', `${name} is a custom charge (§9, §16).`);
  }
  if (prorated && charge_model === 'graduated') {
    throw new OutOfScope('prorated_graduated_charge', `${name} is graduated and prorated (§9, §16).`);
  }
}

function aggregateOf(usage: PricedUsage): Aggregate {
  const units = decimal(usage.units);
  return {
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
}
