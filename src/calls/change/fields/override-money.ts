/** The money of `plan_overrides`: the currency that really applies, and prices in the charges' free-form properties. */

import type Big from 'big.js';
import { pricesByModel, pricesIn } from '../../../contract/charge-prices.ts';
import {
  type AnyOverrides,
  type DeclaredFields,
  planFields,
  planOverrideFields,
  type SentCharge,
} from '../../../contract/plan-overrides.ts';
import type { PriceFields } from '../../../contract/pricing/fields.ts';
import type { AnyCharge, Plan } from '../../../contract/shown.ts';
import type { ClassifiedValue } from '../../../definition/argument-fields.ts';
import { fieldOf, isGiven, isObject, isText, ownValue } from '../../../lib/json.ts';
import { nearest } from '../../../lib/nearest-word.ts';

/** One amount in its currency, or why it cannot be judged. `rate`: major units for one credit. */
export type AmountFinding = { path: string } & (
  | { value: unknown; unit: 'minor' | 'major'; currency: string }
  | { value: unknown; unit: 'credits'; currency: string; rate: Big }
  | { problem: string }
);

/** Every amount of the overrides, and those of the present plan that only get another currency. */
export function overrideMoney(
  fields: readonly [ClassifiedValue, ...ClassifiedValue[]],
  overrides: AnyOverrides,
  plan: Plan,
): AmountFinding[] {
  const currency = currencyOf(overrides, plan);
  if ('problem' in currency) return [{ path: fields[0].path, ...currency }];
  const sent = fields.flatMap(field => amountsOf(field, overrides, plan, currency.applies));
  return currency.changes ? [...sent, ...unchangedAmounts(overrides, plan, currency.applies)] : sent;
}

/** A first override may set the currency; on later ones the service ignores it (service-behaviour §3.2). */
function currencyOf(overrides: AnyOverrides, plan: Plan): { applies: string; changes: boolean } | { problem: string } {
  const present = plan.amount_currency;
  if (typeof present !== 'string')
    return { problem: "its currency is unknown: the subscription's plan could not be read" };
  const overrideCurrency = overrides.amount_currency ?? present;
  if (overrideCurrency === present || isText(plan.parent_id)) return { applies: present, changes: false };
  if (plan.parent_id !== null) {
    return {
      problem: `its currency is unknown: the override has ${overrideCurrency}, the plan has ${present}, and later overrides keep the plan's`,
    };
  }
  return { applies: String(overrideCurrency), changes: true };
}

function amountsOf(field: ClassifiedValue, overrides: AnyOverrides, plan: Plan, currency: string): AmountFinding[] {
  const { path, value, fieldClass } = field;
  if (fieldClass.kind === 'money') return [{ path, value, unit: 'minor', currency }];
  if (fieldClass.kind === 'rate') return [{ path, ...inPricingUnits }];
  if (fieldClass.kind !== 'prices') return [];
  const [, name, index] = /^plan_overrides\.(charges|fixed_charges)\[(\d+)\]/.exec(path) ?? [];
  const list = name === 'charges' ? name : 'fixed_charges';
  const entry: SentCharge | undefined = overrides[list]?.[Number(index)];
  if (entry === undefined) throw new Error(`${path} belongs to no charge in the overrides`);
  const model = modelOf(entry, plan[list] ?? []);
  return 'problem' in model ? [{ path, ...model }] : propertyAmounts(value, model.name, path, currency);
}

/**
 * The price model of the charge that an entry changes. The model of the plan's own charge counts, whatever the entry
 * says. The service creates or ignores an entry that names no charge of the plan, or names one by its parent's id.
 */
function modelOf(entry: SentCharge, charges: readonly AnyCharge[]): { name: string } | { problem: string } {
  const ownCharge = charges.find(charge => isText(entry.id) && charge.svc_id === entry.id);
  const parentCharge = charges.find(charge => isText(entry.id) && charge.svc_parent_id === entry.id);
  if (isGiven((ownCharge ?? parentCharge)?.applied_pricing_unit)) return inPricingUnits;
  const models = new Set([
    ownCharge?.charge_model ?? parentCharge?.charge_model,
    ownCharge ? undefined : entry.charge_model,
  ]);
  const [name, other] = [...models].filter(isText);
  if (name === undefined) return { problem: "the price model is unknown: the plan has no charge with the entry's id" };
  if (other === undefined) return { name };
  return { problem: `the price model is unknown: the charge has ${name}, this entry has ${other}` };
}

/** Units that the account defines, which a rate turns into money (service-behaviour §16). */
const inPricingUnits = { problem: 'the server cannot check prices in pricing units' };

function propertyAmounts(properties: unknown, name: string, path: string, currency: string): AmountFinding[] {
  const model = pricesByModel.get(name);
  if (model === undefined) return [{ path, problem: `the server cannot check the prices of a ${name} charge` }];
  if (!isObject(properties)) return [{ path, problem: otherForm }];
  const findings: AmountFinding[] = [];
  for (const price of pricesIn(properties, model)) {
    const at = `${path}.${price.path}`;
    if (price.kind === 'money') findings.push({ path: at, value: price.value, unit: 'major', currency });
    else if (price.kind === 'unknown') findings.push({ path: at, problem: unknownField(price.path, name, model) });
  }
  return findings;
}

const otherForm = 'does not have the form of its price model';

function unknownField(path: string, name: string, fields: PriceFields): string {
  const list = ownValue(fields, path.split('[')[0] ?? '');
  const known = Object.keys(list && 'tier' in list && path.includes('].') ? list.tier : fields);
  const key = path.slice(path.lastIndexOf('.') + 1).replace(/\[\d+\]$/, '');
  if (known.includes(key)) return otherForm;
  const near = nearest(key, known);
  return `is not a price field of a ${name} charge${near === null ? `; it has ${known.join(', ')}` : `: did you mean ${near}?`}`;
}

/** Amounts that a first override in another currency does not name: their numbers stay, and then mean other money. */
function unchangedAmounts(overrides: AnyOverrides, plan: Plan, currency: string): AmountFinding[] {
  const kept = (path: string, declared: DeclaredFields, holder: object, sent: object = {}) =>
    Object.entries(declared).flatMap(([key, kind]): AmountFinding[] => {
      const value = fieldOf(holder, key);
      const isMoney = kind === 'cents' || kind === 'mandatory_cents';
      if (!isMoney || isGiven(fieldOf(sent, key)) || !isGiven(value)) return [];
      return [{ path: `the current ${path}.${key}`, value, unit: 'minor', currency }];
    });
  const { minimum_commitment: commitment, usage_thresholds: thresholds } = planOverrideFields;
  const keptThresholds = isGiven(overrides.usage_thresholds) ? [] : (plan.usage_thresholds ?? []);
  return [
    ...kept('plan', planFields, plan, overrides),
    ...kept('minimum_commitment', commitment, plan.minimum_commitment ?? {}, overrides.minimum_commitment),
    ...keptThresholds.flatMap(each => kept('usage_thresholds[]', thresholds[0], each)),
    ...(['charges', 'fixed_charges'] as const).flatMap(list =>
      (plan[list] ?? []).flatMap((charge: AnyCharge) => {
        const sent = overrides[list]?.find(({ id }) => id === charge.svc_id);
        const path = `${list} ${String(charge.code ?? charge.svc_id)}`;
        const prices = unchangedPrices(charge, sent, `the current ${path}`, currency);
        return [...kept(path, planOverrideFields[list][0], charge, sent), ...prices];
      }),
    ),
  ];
}

function unchangedPrices(
  charge: AnyCharge,
  sent: SentCharge | undefined,
  path: string,
  currency: string,
): AmountFinding[] {
  if (isGiven(charge.applied_pricing_unit)) return [{ path: `${path}.properties`, ...inPricingUnits }];
  const model = String(charge.charge_model);
  const properties = isGiven(sent?.properties) ? {} : (charge.properties ?? {});
  const filters = isGiven(sent?.filters) ? [] : (charge.filters ?? []);
  return [
    ...propertyAmounts(properties, model, `${path}.properties`, currency),
    ...filters.flatMap((filter, index) =>
      propertyAmounts(filter.properties ?? {}, model, `${path}.filters[${index}].properties`, currency),
    ),
  ];
}
