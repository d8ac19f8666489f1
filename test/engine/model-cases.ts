/** Prices of charge models. */
import Big from 'big.js';
import type { ChargeModel } from '../../src/contract/enums.ts';
import { priceCharge } from '../../src/contract/pricing/models/index.ts';
import type { Aggregate } from '../../src/contract/pricing/types.ts';
import type { JsonObject } from '../../src/engine/records/index.ts';
import { aggregate } from './reference-records.ts';

export function amount(model: ChargeModel, properties: JsonObject, usage: Aggregate, currency = 'EUR'): string {
  return priceCharge({ charge_model: model, properties }, usage, currency).amount.toFixed();
}

export function pack(free_units: number, package_size: number, perPackage: string): JsonObject {
  return { amount: perPackage, free_units, package_size };
}

export function values(...list: string[]): Big[] {
  return list.map(value => new Big(value));
}

export function sumOf(list: readonly string[]): Aggregate {
  const sum = list.reduce((total, value) => total.plus(value), new Big(0));
  return aggregate(sum.toFixed(), { events_count: list.length, event_values: values(...list) });
}
