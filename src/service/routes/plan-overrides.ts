/** Reads `plan_overrides` of a subscription update (service-behaviour §3.2). */
import { currencies } from '../../contract/codes.ts';
import { chargeModels } from '../../contract/enums.ts';
import {
  type DeclaredFields,
  isListOfFields,
  type OverrideKind,
  planOverrideFields,
  taxCodesIn,
} from '../../contract/plan-overrides.ts';
import type { Json, JsonObject } from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { unprocessable, validation } from '../errors.ts';
import type { PlanOverrides } from '../operations/plan-overrides.ts';
import type { AccountStore } from '../store/store.ts';
import { type Fields, fieldsOf, isBlank, readMetadata } from './fields.ts';
import { requireTaxes } from './references.ts';

const LONGEST_TRIAL = 36_500;

type Thresholds = NonNullable<PlanOverrides['usage_thresholds']>;

/** Where null is no way to leave a field out (§3.2). */
const nullProblems = {
  amount_cents: 'value_is_mandatory',
  name: 'value_is_mandatory',
  amount_currency: 'value_is_invalid',
} as const;

/** Reads the overrides and checks the type of every value. Throws 422; 404 `tax_not_found`. */
export async function readOverrides(account: AccountStore, value: Json): Promise<PlanOverrides> {
  if (!isJsonObject(value)) throw validation({ plan_overrides: ['value_is_invalid'] });
  const { usage_thresholds: _, ...declared } = planOverrideFields;
  const fields = fieldsOf(value);
  for (const [key, code] of Object.entries(nullProblems)) if (value[key] === null) fields.noteProblem(key, code);
  const overrides = readPart(declared, value, fields) as PlanOverrides;
  if (isGiven(value.usage_thresholds)) overrides.usage_thresholds = readThresholds(value.usage_thresholds);
  fields.refuseProblems();
  const taxes = taxCodesIn(overrides).flatMap(({ codes }) => codes);
  await requireTaxes(account, taxes);
  return overrides;
}

/** Usage thresholds: distinct positive amounts, at most one of them recurring. Throws 422. */
export function readThresholds(value: Json): Thresholds {
  const refused = (code: string) => validation({ usage_thresholds: [code] });
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw refused('value_is_invalid');
  const thresholds = (value as JsonObject[]).map(entry => {
    const fields = fieldsOf(entry);
    const threshold = readPart(planOverrideFields.usage_thresholds[0], entry, fields);
    fields.refuseProblems();
    if (threshold.amount_cents === undefined) throw refused('missing_amount_cents');
    return threshold as Thresholds[number];
  });
  const recurring = thresholds.filter(threshold => threshold.recurring);
  const kinds = new Set(thresholds.map(threshold => `${threshold.amount_cents} ${threshold.recurring ?? false}`));
  if (kinds.size < thresholds.length) throw refused('duplicated_values');
  if (recurring.length > 1) throw refused('multiple_recurring_thresholds');
  return thresholds;
}

/** The declared fields that were sent. Null empties a text; any other field with null counts as not sent. */
function readPart(declared: DeclaredFields, input: JsonObject, fields: Fields): JsonObject {
  const values: JsonObject = {};
  for (const [key, kind] of Object.entries(declared)) {
    const value = readField(kind, key, input, fields);
    if (value !== undefined && (value !== null || kind === 'text')) values[key] = value;
  }
  return values;
}

function readField(kind: DeclaredFields[string], key: string, input: JsonObject, fields: Fields): Json | undefined {
  if (typeof kind === 'string') return readers[kind](fields, key, input[key]);
  const readInner = (declared: DeclaredFields, inner: JsonObject) =>
    readPart(declared, inner, fieldsOf(inner, fields.noteProblem));
  if (!isListOfFields(kind)) {
    const inner = fields.object(key);
    return inner && readInner(kind, inner);
  }
  const entries = input[key];
  if (!isGiven(entries)) return undefined;
  if (Array.isArray(entries) && entries.every(isJsonObject))
    return (entries as JsonObject[]).map(entry => readInner(kind[0], entry));
  fields.noteProblem(key, 'value_is_invalid');
  return undefined;
}

type Reader = (fields: Fields, key: string, value: Json | undefined) => Json | undefined;

const readers: Readonly<Record<OverrideKind, Reader>> = {
  cents: (fields, key) => fields.integer(key, { min: 0 }),
  mandatory_cents: (fields, key) => fields.integer(key, { min: 1 }),
  currency: (fields, key) => fields.word(key, currencies),
  prices: (fields, key) => fields.object(key),
  quantity: (fields, key) => fields.decimal(key),
  // Possibly fractional (§15).
  days: (fields, key) => fields.decimal(key, { max: LONGEST_TRIAL }),
  name: readName,
  text: (fields, key) => fields.text(key),
  code: (fields, key) => fields.text(key),
  codes: (fields, key) => fields.texts(key),
  charge_model: (fields, key) => fields.word(key, chargeModels),
  filter_values: readFilterValues,
  flag: (fields, key) => fields.boolean(key),
  metadata: (_fields, _key, value) => (isGiven(value) ? readMetadata(value) : undefined),
  rate: refusePricingUnits,
};

function refusePricingUnits(_fields: Fields, _key: string, value: Json | undefined): undefined {
  if (!isGiven(value)) return;
  throw unprocessable('out_of_scope', { applied_pricing_unit: ['This service has no pricing units (lookups §14).'] });
}

function readName(fields: Fields, key: string): string | null | undefined {
  const name = fields.text(key);
  if (isGiven(name) && isBlank(name)) fields.noteProblem(key, 'value_is_mandatory');
  return name;
}

/** Every filter has its values. */
function readFilterValues(fields: Fields, _key: string, values: Json | undefined): Json {
  const isList = (value: Json) => Array.isArray(value) && value.every(entry => typeof entry === 'string');
  if (isJsonObject(values) && Object.values(values).every(isList)) return values;
  fields.noteProblem('filters', 'value_is_invalid');
  return {};
}
