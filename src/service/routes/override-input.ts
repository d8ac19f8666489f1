/** Reads `plan_overrides` of a subscription update (service-behaviour §3.2). */

import { currencies } from '../../contract/codes.ts';
import { chargeModels } from '../../contract/enums.ts';
import { isGiven } from '../../lib/json.ts';
import type { ChargeOverride, FixedChargeOverride, PlanOverrides } from '../engine/overrides.ts';
import { notFound, validation } from '../errors.ts';
import type { Json, JsonObject } from '../records/index.ts';
import { isJsonObject } from '../records/values.ts';
import { type Fields, fieldsOf, isBlank, isDecimalText } from './fields.ts';

const LONGEST_TRIAL = 36_500;

/** Reads the overrides and checks the type of every value. Throws 422. */
export function readOverrides(value: Json): PlanOverrides {
  if (!isJsonObject(value)) throw validation({ plan_overrides: ['value_is_invalid'] });
  const fields = fieldsOf(value);
  const overrides: PlanOverrides = withoutNulls({
    amount_cents: fields.integer('amount_cents', { min: 0 }),
    amount_currency: readCurrency(value, fields),
    name: readName(fields),
    trial_period: readTrial(value, fields),
    tax_codes: fields.texts('tax_codes'),
    charges: objectList(value, 'charges', fields)?.map(entry => readCharge(entry, fields)),
    fixed_charges: objectList(value, 'fixed_charges', fields)?.map(entry => readFixedCharge(entry, fields)),
  });
  Object.assign(overrides, withoutUndefined({ description: fields.text('description') }));
  Object.assign(overrides, withoutUndefined({ invoice_display_name: fields.text('invoice_display_name') }));
  const commitment = fields.object('minimum_commitment');
  if (commitment) overrides.minimum_commitment = readCommitment(commitment, fields);
  if (isGiven(value.usage_thresholds)) {
    overrides.usage_thresholds = readThresholds(value.usage_thresholds);
  }
  fields.refuseProblems();
  return overrides;
}

/** Usage thresholds: distinct positive amounts, at most one of them recurring. Throws 422. */
export function readThresholds(value: Json): NonNullable<PlanOverrides['usage_thresholds']> {
  const refused = validation({ usage_thresholds: ['value_is_invalid'] });
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw refused;
  const thresholds = (value as JsonObject[]).map(entry => {
    const fields = fieldsOf(entry);
    const threshold = {
      amount_cents: fields.integer('amount_cents', { min: 1 }) ?? null,
      threshold_display_name: fields.text('threshold_display_name') ?? null,
      recurring: fields.boolean('recurring') ?? false,
    };
    fields.refuseProblems();
    if (threshold.amount_cents === null) throw validation({ amount_cents: ['value_is_mandatory'] });
    return { ...threshold, amount_cents: threshold.amount_cents };
  });
  const kinds = new Set(thresholds.map(threshold => `${threshold.amount_cents} ${threshold.recurring}`));
  if (kinds.size < thresholds.length || thresholds.filter(threshold => threshold.recurring).length > 1) throw refused;
  return thresholds;
}

/** Throws 404 when an entry's id is not a fixed charge of the plan. */
export function requireFixedCharges(
  entries: FixedChargeOverride[],
  charges: { id: string; parent_id: string | null }[],
): void {
  const known = new Set(charges.flatMap(charge => [charge.id, charge.parent_id]));
  if (entries.some(entry => !known.has(entry.id))) throw notFound('fixed_charge');
}

/** All tax codes in the overrides. */
export function taxCodesOf(overrides: PlanOverrides): string[] {
  const parts = [
    overrides,
    overrides.minimum_commitment,
    ...(overrides.charges ?? []),
    ...(overrides.fixed_charges ?? []),
  ];
  return parts.flatMap(part => part?.tax_codes ?? []);
}

/** The fields that were sent with a value other than null. */
function withoutNulls<F extends object>(fields: F): { [K in keyof F]?: NonNullable<F[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => isGiven(value));
  return Object.fromEntries(entries) as { [K in keyof F]?: NonNullable<F[K]> };
}

/** The fields that were sent; null clears a field. */
function withoutUndefined<F extends object>(fields: F): { [K in keyof F]?: Exclude<F[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof F]?: Exclude<F[K], undefined> };
}

function readCurrency(value: JsonObject, fields: Fields): string | undefined {
  const currency = value.amount_currency;
  if (currency === undefined || currency === null) return undefined;
  if (typeof currency === 'string' && currencies.includes(currency)) return currency;
  fields.noteProblem('amount_currency', 'value_is_invalid');
  return undefined;
}

function readName(fields: Fields): string | undefined {
  const name = fields.text('name', { max: 255 });
  if (isGiven(name) && isBlank(name)) fields.noteProblem('name', 'value_is_mandatory');
  return name ?? undefined;
}

/** Days, possibly fractional (§15). */
function readTrial(value: JsonObject, fields: Fields): string | undefined {
  const trial = value.trial_period;
  if (trial === undefined || trial === null) return undefined;
  const text = typeof trial === 'number' ? String(trial) : trial;
  if (isDecimalText(text) && Number(text) <= LONGEST_TRIAL) return text;
  fields.noteProblem('trial_period', 'value_is_invalid');
  return undefined;
}

function objectList(value: JsonObject, key: string, fields: Fields): JsonObject[] | undefined {
  const entries = value[key];
  if (entries === undefined || entries === null) return undefined;
  if (Array.isArray(entries) && entries.every(isJsonObject)) return entries as JsonObject[];
  fields.noteProblem(key, 'value_is_invalid');
  return undefined;
}

function readCharge(entry: JsonObject, outer: Fields): ChargeOverride {
  const fields = fieldsOf(entry, outer.noteProblem);
  const sentModel = entry.charge_model ?? null;
  const model = chargeModels.find(each => each === sentModel);
  if (sentModel !== null && model === undefined) outer.noteProblem('charge_model', 'value_is_invalid');
  return {
    ...withoutNulls({
      id: fields.text('id'),
      billable_metric_id: fields.text('billable_metric_id'),
      code: fields.text('code', { max: 255 }),
      charge_model: model,
      min_amount_cents: fields.integer('min_amount_cents', { min: 0 }),
      properties: fields.object('properties'),
      tax_codes: fields.texts('tax_codes'),
      filters: objectList(entry, 'filters', fields)?.map(filter => readFilter(filter, outer)),
    }),
    ...withoutUndefined({ invoice_display_name: fields.text('invoice_display_name') }),
  };
}

function readFilter(entry: JsonObject, outer: Fields) {
  const fields = fieldsOf(entry, outer.noteProblem);
  const values = entry.values;
  const wellFormed =
    isJsonObject(values) &&
    Object.values(values).every(each => Array.isArray(each) && each.every(value => typeof value === 'string'));
  if (!wellFormed) outer.noteProblem('filters', 'value_is_invalid');
  return {
    invoice_display_name: fields.text('invoice_display_name') ?? null,
    properties: fields.object('properties') ?? {},
    values: (wellFormed ? values : {}) as { [key: string]: string[] },
  };
}

function readFixedCharge(entry: JsonObject, outer: Fields): FixedChargeOverride {
  const fields = fieldsOf(entry, outer.noteProblem);
  const units = typeof entry.units === 'number' ? String(entry.units) : entry.units;
  const quantity = isDecimalText(units) ? units : undefined;
  if (isGiven(units) && quantity === undefined) outer.noteProblem('units', 'value_is_invalid');
  return {
    id: fields.text('id') ?? '',
    ...withoutNulls({
      units: quantity,
      properties: fields.object('properties'),
      tax_codes: fields.texts('tax_codes'),
    }),
    ...withoutUndefined({ invoice_display_name: fields.text('invoice_display_name') }),
  };
}

function readCommitment(entry: JsonObject, outer: Fields): NonNullable<PlanOverrides['minimum_commitment']> {
  const fields = fieldsOf(entry, outer.noteProblem);
  return {
    ...withoutNulls({ amount_cents: fields.integer('amount_cents', { min: 0 }), tax_codes: fields.texts('tax_codes') }),
    ...withoutUndefined({ invoice_display_name: fields.text('invoice_display_name') }),
  };
}
