/** Gives a subscription a plan of its own, or changes the one that it has (service-behaviour §3.2). */
import { randomUUID } from 'node:crypto';
import { planDifference } from '../../contract/effective-plan.ts';
import { setsOnlyUnits } from '../../contract/plan-overrides.ts';
import { newestUnits, withChange } from '../../engine/fixed-charge-units.ts';
import { droppedByOverride, newThresholds, overriddenPlan, type PlanOverrides } from '../../engine/plan-overrides.ts';
import { type BrokenRule, rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../engine/plan-rules.ts';
import type {
  ChargeRecord,
  FixedChargeRecord,
  InstantText,
  PlanRecord,
  SubscriptionRecord,
  UsageThreshold,
} from '../../engine/records/index.ts';
import { notFound, type ServiceError, validation } from '../errors.ts';
import type { AccountStore } from '../store/store.ts';

export type { PlanOverrides } from '../../engine/plan-overrides.ts';

type Units = SubscriptionRecord['fixed_charge_units'];

/** Thresholds of the subscription itself. */
export function ownThresholds(sent: NonNullable<PlanOverrides['usage_thresholds']>, now: Date): UsageThreshold[] {
  return newThresholds(sent, { now: now.toISOString(), newId: randomUUID });
}

/**
 * Stores the overridden plan. Returns the plan, the changes of the subscription and, as sentences, what was dropped.
 * Throws 422; 404 `fixed_charge_not_found`, `billable_metrics_not_found`.
 */
export async function applyOverrides(
  account: AccountStore,
  plan: PlanRecord,
  subscription: SubscriptionRecord,
  overrides: PlanOverrides,
  now: Date,
): Promise<{ plan: PlanRecord; changes: Partial<SubscriptionRecord>; dropped: string[] }> {
  requireFixedCharges(overrides, plan);
  requireCommitment(overrides, plan);
  const units = unitsAfterOverride(plan, subscription, overrides, now.toISOString());
  if (setsOnlyUnits(overrides)) return { plan, changes: { fixed_charge_units: units }, dropped: [] };
  const idsAndTime = { now: now.toISOString(), newId: randomUUID };
  const { charges, refusal } = await readCharges(account, plan, overrides.charges);
  const sent = { ...overrides, ...(charges && { charges }), fixed_charges: withUnits(plan, units, overrides) };
  const copy = overriddenPlan(plan, sent, idsAndTime);
  await requireValidCharges(account, plan, copy);
  if (refusal !== undefined) throw refusal;
  if (plan.parent_id === null) await account.insert('plans', copy);
  else await account.update('plans', copy.id, copy);
  const changes = { plan_id: copy.id, fixed_charge_units: movedUnits(plan, units, copy) };
  return { plan: copy, changes, dropped: droppedByOverride(plan, copy, overrides) };
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
) {
  const changed = plan.fixed_charges.flatMap(charge => {
    const { units, apply_units_immediately: at_once = false } = entryOf(charge, overrides);
    return units === undefined ? [] : [[charge.id, withChange(subscription, charge, { units, at_once }, now)]];
  });
  return { ...subscription.fixed_charge_units, ...Object.fromEntries(changed) };
}

function entryOf({ id }: FixedChargeRecord, { fixed_charges: entries = [] }: PlanOverrides) {
  return entries.find(each => each.id === id) ?? { id };
}

/** The entries of fixed charges, with the subscription's newest quantities, also those of earlier updates. */
function withUnits(plan: PlanRecord, fixed_charge_units: Units, overrides: PlanOverrides) {
  return plan.fixed_charges.map(charge => ({
    ...entryOf(charge, overrides),
    units: newestUnits({ fixed_charge_units }, charge),
  }));
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
  const { charges } = planDifference(before, after);
  const isChanged = (charge: ChargeRecord | FixedChargeRecord) =>
    charges.some(each => each.after === charge && each.fields.some(field => judged.includes(field)));
  for (const charge of after.charges.filter(isChanged)) {
    const metric = await account.get('billable_metrics', charge.billable_metric_id);
    if (metric === undefined) throw notFound('billable_metrics');
    refuseBroken([...rulesBrokenByCharge(charge, metric), ...withoutFreeUnits(charge)]);
  }
  for (const charge of after.fixed_charges.filter(isChanged)) refuseBroken(rulesBrokenByFixedCharge(charge));
}

/** What an override can change and decides whether a charge is valid. */
const judged: readonly string[] = ['properties', 'filters', 'min_amount_cents'];

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
