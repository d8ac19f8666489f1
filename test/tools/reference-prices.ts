/** What the properties of quotes and of fees by event share: prices by the second calculation, and reads of an account. */
import type { Api } from '../../src/definition/api.ts';
import type { JsonObject } from '../../src/engine/records/index.ts';
import {
  type Fraction,
  graduatedPrice,
  packagePrice,
  percentagePrice,
  perTransactionPrice,
  type ReferenceRange,
  standardPrice,
  volumePrice,
} from '../engine/reference.ts';
import { apiOf } from '../support/api.ts';

export const hundredths = (value: number) => (value / 100).toFixed(2);
const bounds = ({ from, to, flat }: ReferenceRange) => ({ from_value: from, to_value: to, flat_amount: flat });
export const perUnit = (tier: ReferenceRange) => ({ ...bounds(tier), per_unit_amount: tier.rate });
export const perCent = (tier: ReferenceRange) => ({ ...bounds(tier), rate: tier.rate });

/** The price of the values of events, in time order. */
export function priceOf(model: string, terms: JsonObject, values: readonly string[]): Fraction {
  const units = hundredths(values.reduce((sum, value) => sum + Math.round(Number(value) * 100), 0));
  const tiers = (key: string) =>
    (terms[key] as JsonObject[]).map(tier => ({
      ...{ from: tier.from_value as number, to: tier.to_value as number | null },
      ...{ flat: String(tier.flat_amount), rate: String(tier.per_unit_amount ?? tier.rate) },
    }));
  if (model === 'standard') return standardPrice(units, String(terms.amount));
  if (model === 'package')
    return packagePrice(units, Number(terms.free_units), Number(terms.package_size), String(terms.amount));
  if (model === 'graduated') return graduatedPrice(units, tiers('graduated_ranges'));
  if (model === 'volume') return volumePrice(units, tiers('volume_ranges'));
  if (model === 'graduated_percentage') return graduatedPrice(units, tiers('graduated_percentage_ranges'), true);
  const shares = {
    ...{ rate: String(terms.rate), fixed: String(terms.fixed_amount) },
    ...{ freeEvents: Number(terms.free_units_per_events) },
    ...{ freeAmount: String(terms.free_units_per_total_aggregation) },
  };
  const [min, max] = [terms.per_transaction_min_amount, terms.per_transaction_max_amount];
  if (min === undefined) return percentagePrice(values, shares);
  return perTransactionPrice(values, { ...shares, min: String(min), max: String(max) });
}

/** An Api that reads of this account. */
export function accountApi(account: { get(path: string): Promise<{ body: unknown }> }): Api {
  const get: Api['get'] = async (path, { path: values = {} }) => {
    const { body } = await account.get(path.replace(/\{(\w+)\}/, (_, key: string) => String(values[key])));
    return { ok: true, body: body as object };
  };
  return apiOf({ get });
}
