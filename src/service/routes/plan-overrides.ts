/** `plan_overrides` of a subscription update: reads them, checks them, and applies them to its plan (service-behaviour §3.2). */
import { randomUUID } from 'node:crypto';
import { currencies } from '../../contract/codes.ts';
import { chargeModels } from '../../contract/enums.ts';
import {
  type DeclaredFields,
  isListOfFields,
  type OverrideKind,
  planOverrideFields,
  setsOnlyUnits,
  taxCodesIn,
  thresholdFields,
} from '../../contract/plan-overrides.ts';
import { newestUnits, withChange } from '../../engine/fixed-charge-units.ts';
import { droppedByOverride, overriddenPlan, type PlanOverrides } from '../../engine/plan-overrides.ts';
import { type BrokenRule, rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../engine/plan-rules.ts';
import type {
  ChargeRecord,
  FixedChargeRecord,
  InstantText,
  Json,
  JsonObject,
  PlanRecord,
  SubscriptionRecord,
} from '../../engine/records/index.ts';
import { isJsonObject } from '../../engine/records/values.ts';
import { isGiven } from '../../lib/json.ts';
import { notFound, type ServiceError, unprocessable, validation } from '../errors.ts';
import type { AccountStore } from '../store/store.ts';
import { type Fields, fieldsOf, isBlank, isDecimalText } from './fields.ts';
import { readMetadata } from './metadata.ts';
import { requireTaxes } from './references.ts';

const LONGEST_TRIAL = 36_500;

type Thresholds = NonNullable<PlanOverrides['usage_thresholds']>;
type Units = SubscriptionRecord['fixed_charge_units'];

/**
 * Stores the overridden plan. Returns the plan, the changes of the subscription and, as sentences, what was dropped.
 * Throws 422; 404 `tax_not_found`, `fixed_charge_not_found`, `billable_metrics_not_found`.
 */
export async function applyOverrides(
  account: AccountStore,
  plan: PlanRecord,
  subscription: SubscriptionRecord,
  value: Json,
  now: Date,
): Promise<{ plan: PlanRecord; changes: Partial<SubscriptionRecord>; dropped: string[] }> {
  const overrides = readOverrides(value);
  await requireTaxes(
    account,
    taxCodesIn(overrides).flatMap(({ codes }) => codes),
  );
  requireFixedCharges(overrides, plan);
  requireCommitment(overrides, plan);
  const units = unitsAfterOverride(plan, subscription, overrides, now.toISOString());
  if (setsOnlyUnits(overrides)) {
    return { plan, changes: { fixed_charge_units: units }, dropped: [] };
  }
  const idsAndTime = { now: now.toISOString(), newId: randomUUID };
  const { charges, refusal } = await readCharges(account, plan, overrides.charges);
  const sent = withUnits(plan, { fixed_charge_units: units }, { ...overrides, ...(charges && { charges }) });
  const overriddenCopy = overriddenPlan(plan, sent, idsAndTime);
  await requireValidCharges(account, plan, overriddenCopy);
  if (refusal !== undefined) throw refusal;
  if (plan.parent_id === null) await account.insert('plans', overriddenCopy);
  else await account.update('plans', overriddenCopy.id, overriddenCopy);
  const dropped = droppedByOverride(plan, overriddenCopy, overrides);
  const changes = { plan_id: overriddenCopy.id, fixed_charge_units: movedUnits(plan, units, overriddenCopy) };
  return { plan: overriddenCopy, changes, dropped };
}

/** Throws 404 when an entry's id is not a fixed charge of the plan itself. */
function requireFixedCharges({ fixed_charges: entries = [] }: PlanOverrides, plan: PlanRecord): void {
  const known = new Set(plan.fixed_charges.map(charge => charge.id));
  if (entries.some(({ id = '' }) => !known.has(id))) throw notFound('fixed_charge');
}

/** A commitment has an amount above 0, its own or the copy's; an empty entry removes it. Throws 422. */
function requireCommitment({ minimum_commitment: entry = {} }: PlanOverrides, plan: PlanRecord): void {
  if (Object.keys(entry).length === 0) return;
  if (entry.amount_cents === 0) throw validation({ amount_cents: ['value_is_out_of_range'] });
  const stored = plan.parent_id === null ? null : plan.minimum_commitment;
  if (entry.amount_cents === undefined && stored === null) throw validation({ amount_cents: ['value_is_mandatory'] });
}

/**
 * The entries of charges. A later override creates those that the copy does not have: with the code of their metric, and
 * a number where that is taken. The entries are written one by one, so the `refusal` of one comes after the checks of
 * those before it. Throws 404 for an unknown metric.
 */
async function readCharges(
  account: AccountStore,
  plan: PlanRecord,
  entries: PlanOverrides['charges'],
): Promise<{ charges: PlanOverrides['charges']; refusal?: ServiceError }> {
  if (plan.parent_id === null || entries === undefined) return { charges: entries };
  const ids = entries.flatMap(entry => entry.billable_metric_id ?? []);
  const metrics = new Map((await account.find('billable_metrics', { id: ids })).map(metric => [metric.id, metric]));
  if (ids.some(id => !metrics.has(id))) throw notFound('billable_metrics');
  const taken = new Set(plan.charges.map(charge => charge.code));
  const charges: typeof entries = [];
  for (const entry of entries) {
    const isNew = !plan.charges.some(charge => charge.id === entry.id);
    const metric = metrics.get(entry.billable_metric_id ?? '');
    if (isNew && entry.charge_model === undefined) {
      return { charges, refusal: validation({ charge_model: ['value_is_invalid', 'value_is_mandatory'] }) };
    }
    if (isNew && metric === undefined) {
      return { charges, refusal: validation({ billable_metric: ['relation_must_exist'] }) };
    }
    const code = isNew ? freeCode(entry.code ?? metric?.code ?? '', taken) : entry.code;
    charges.push({ ...entry, ...(code !== undefined && { code }) });
    if (code !== undefined) taken.add(code);
  }
  return { charges };
}

function freeCode(code: string, taken: ReadonlySet<string>): string {
  let free = code;
  for (let number = 2; taken.has(free); number++) free = `${code}_${number}`;
  return free;
}

/** The subscription's quantities by fixed charge id, after the sent changes. */
function unitsAfterOverride(
  plan: PlanRecord,
  subscription: SubscriptionRecord,
  overrides: PlanOverrides,
  now: InstantText,
): Units {
  const units = { ...subscription.fixed_charge_units };
  for (const entry of overrides.fixed_charges ?? []) {
    const charge = plan.fixed_charges.find(each => each.id === entry.id);
    if (charge === undefined || entry.units === undefined) continue;
    const change = { units: entry.units, at_once: entry.apply_units_immediately === true };
    units[charge.id] = withChange(subscription, charge, change, now);
  }
  return units;
}

/** Moves the subscription's newest quantities, also those of earlier updates, into the overridden plan. */
function withUnits(
  plan: PlanRecord,
  subscription: { fixed_charge_units: Units },
  overrides: PlanOverrides,
): PlanOverrides {
  const entries = overrides.fixed_charges ?? [];
  const fixedCharges = plan.fixed_charges.flatMap(charge => {
    const entry = entries.find(each => each.id === charge.id);
    const quantity = subscription.fixed_charge_units[charge.id] && newestUnits(subscription, charge);
    if (entry === undefined && quantity === undefined) return [];
    return [{ ...entry, id: charge.id, ...(quantity === undefined ? {} : { units: quantity }) }];
  });
  return fixedCharges.length === 0 ? overrides : { ...overrides, fixed_charges: fixedCharges };
}

/** The quantities that changed, by the ids of the overridden plan, which holds the newest ones. */
function movedUnits(plan: PlanRecord, units: Units, copy: PlanRecord): Units {
  const changed = copy.fixed_charges.flatMap(({ id, parent_id }) => {
    const changes = units[plan.id === copy.id ? id : (parent_id ?? id)];
    return Array.isArray(changes) ? [[id, changes] as const] : [];
  });
  return Object.fromEntries(changed);
}

/** Checks that charges that the override changed or added can still be billed (§9). Throws 422, 404. */
async function requireValidCharges(account: AccountStore, before: PlanRecord, after: PlanRecord): Promise<void> {
  const previous = new Map(
    [...before.charges, ...before.fixed_charges].map(charge => [charge.id, judgedValues(charge)]),
  );
  const isChanged = (charge: ChargeRecord | FixedChargeRecord) =>
    (previous.get(charge.id) ?? previous.get(charge.parent_id ?? '')) !== judgedValues(charge);
  for (const charge of after.charges.filter(isChanged)) {
    const metric = await account.get('billable_metrics', charge.billable_metric_id);
    if (metric === undefined) throw notFound('billable_metrics');
    refuseBroken([...rulesBrokenByCharge(charge, metric), ...withoutFreeUnits(charge)]);
  }
  for (const charge of after.fixed_charges.filter(isChanged)) refuseBroken(rulesBrokenByFixedCharge(charge));
}

/** As text: the values that an override can change and that decide whether the charge is valid. */
function judgedValues({ properties, filters, min_amount_cents }: Partial<ChargeRecord>): string {
  return JSON.stringify([properties, filters?.map(filter => [filter.values, filter.properties]), min_amount_cents]);
}

/** A request names the free units of a package; an account file need not. */
function withoutFreeUnits({ charge_model: model, properties }: ChargeRecord): BrokenRule[] {
  if (model !== 'package' || properties.free_units !== undefined) return [];
  return [{ path: ['properties'], message: 'has no free units', code: 'invalid_free_units' }];
}

/** Refuses the field of the first broken rule, with every code of that field. Throws 422. */
function refuseBroken(broken: readonly BrokenRule[]): void {
  const [field] = broken.map(rule => rule.path[0] ?? 'charges');
  if (field === undefined) return;
  const ofField = broken.filter(rule => rule.path[0] === field);
  const codes = new Set(ofField.map(rule => (field === 'filters' ? undefined : rule.code) ?? 'value_is_invalid'));
  throw validation({ [field]: [...codes].sort() });
}

/** Where null is no way to leave a field out (§3.2). */
const nullProblems = {
  amount_cents: 'value_is_mandatory',
  name: 'value_is_mandatory',
  amount_currency: 'value_is_invalid',
} as const;

/** Reads the overrides and checks the type of every value. Throws 422. */
function readOverrides(value: Json): PlanOverrides {
  if (!isJsonObject(value)) throw validation({ plan_overrides: ['value_is_invalid'] });
  const { usage_thresholds: _, ...declared } = planOverrideFields;
  const fields = fieldsOf(value);
  for (const [key, code] of Object.entries(nullProblems)) if (value[key] === null) fields.noteProblem(key, code);
  const overrides = readPart(declared, value, fields) as PlanOverrides;
  if (isGiven(value.usage_thresholds)) overrides.usage_thresholds = readThresholds(value.usage_thresholds);
  fields.refuseProblems();
  return overrides;
}

/** Usage thresholds: distinct positive amounts, at most one of them recurring. Throws 422. */
export function readThresholds(value: Json): Thresholds {
  const refused = (code: string) => validation({ usage_thresholds: [code] });
  if (!Array.isArray(value) || !value.every(isJsonObject)) throw refused('value_is_invalid');
  const thresholds = (value as JsonObject[]).map(entry => {
    const fields = fieldsOf(entry);
    const threshold = readPart(thresholdFields, entry, fields);
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
  currency: oneOf(currencies),
  prices: (fields, key) => fields.object(key),
  quantity: decimalUpTo(Number.POSITIVE_INFINITY),
  // Possibly fractional (§15).
  days: decimalUpTo(LONGEST_TRIAL),
  name: readName,
  text: (fields, key) => fields.text(key),
  id: (fields, key) => fields.text(key),
  code: (fields, key) => fields.text(key),
  codes: (fields, key) => fields.texts(key),
  charge_model: oneOf(chargeModels),
  filter_values: readFilterValues,
  flag: (fields, key) => fields.boolean(key),
  instruction: (fields, key) => fields.boolean(key),
  metadata: (_fields, _key, value) => (isGiven(value) ? readMetadata(value) : undefined),
  rate: refusePricingUnits,
};

function refusePricingUnits(_fields: Fields, _key: string, value: Json | undefined): undefined {
  if (!isGiven(value)) return undefined;
  throw unprocessable('out_of_scope', {
    applied_pricing_unit: ['This service has no pricing units (lookups §14).'],
  });
}

function readName(fields: Fields, key: string): string | null | undefined {
  const name = fields.text(key);
  if (isGiven(name) && isBlank(name)) fields.noteProblem(key, 'value_is_mandatory');
  return name;
}

function oneOf(values: readonly string[]): Reader {
  return (fields, key, value) => {
    const known = values.find(each => each === value);
    if (isGiven(value) && known === undefined) fields.noteProblem(key, 'value_is_invalid');
    return known;
  };
}

function decimalUpTo(most: number): Reader {
  return (fields, key, value) => {
    const text = typeof value === 'number' ? String(value) : value;
    if (isDecimalText(text) && Number(text) <= most) return text;
    if (isGiven(value)) fields.noteProblem(key, Number(text) < 0 ? 'value_is_out_of_range' : 'value_is_invalid');
    return undefined;
  };
}

/** Every filter has its values. */
function readFilterValues(fields: Fields, _key: string, values: Json | undefined): Json {
  const isList = (value: Json) => Array.isArray(value) && value.every(entry => typeof entry === 'string');
  if (isJsonObject(values) && Object.values(values).every(isList)) return values;
  fields.noteProblem('filters', 'value_is_invalid');
  return {};
}
