/** The price models of usage charges and fixed charges (service-behaviour §9). */
import type { JsonObject } from '../../records/index.ts';
import { OutOfScope } from '../out-of-scope.ts';
import type { Aggregate, Price } from '../types.ts';
import { dynamic } from './dynamic.ts';
import { graduated } from './graduated.ts';
import { graduatedPercentage } from './graduated-percentage.ts';
import type { PriceModel } from './model.ts';
import { packagePrice } from './package.ts';
import { percentage } from './percentage.ts';
import { standard } from './standard.ts';
import { volume } from './volume.ts';

const models: ReadonlyMap<string, PriceModel> = new Map([
  ['standard', standard],
  ['package', packagePrice],
  ['graduated', graduated],
  ['graduated_percentage', graduatedPercentage],
  ['volume', volume],
  ['percentage', percentage],
  ['dynamic', dynamic],
]);

/**
 * The price of aggregated usage: major units, not rounded; negative units and amounts count as 0.
 * Throws `OutOfScope` for custom charges (§16).
 */
export function priceCharge(
  chargeModel: string,
  properties: JsonObject,
  aggregate: Aggregate,
  currency: string,
): Price {
  const model = models.get(chargeModel);
  if (model) return model(properties, aggregate, currency);
  if (chargeModel === 'custom') {
    throw new OutOfScope('custom_charge_model', 'Custom charges are priced by the account’s own script (§9, §16).');
  }
  throw new OutOfScope('unknown_charge_model', `There is no price model named ${JSON.stringify(chargeModel)} (§2).`);
}
