/** Applying `plan_overrides` to a subscription's plan (service-behaviour §3.2). */
import { randomUUID } from 'node:crypto';
import { droppedByOverride, needsOwnPlan, overriddenPlan, type PlanOverrides } from '../engine/overrides.ts';
import { type BrokenRule, rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../engine/plan-rules.ts';
import { notFound, validation } from '../errors.ts';
import type { Json, PlanRecord, SubscriptionRecord } from '../records/index.ts';
import type { AccountStore } from '../store/store.ts';
import { readOverrides, requireFixedCharges, taxCodesOf } from './override-input.ts';
import { requireTaxes } from './references.ts';

/**
 * Stores the overridden plan. Returns the plan, the changes of the subscription and, as sentences, what was dropped.
 * Throws 422; 404 `tax_not_found`, `fixed_charge_not_found`, `billable_metric_not_found`.
 */
export async function applyOverrides(
  account: AccountStore,
  plan: PlanRecord,
  subscription: SubscriptionRecord,
  value: Json,
  now: Date,
): Promise<{ plan: PlanRecord; changes: Partial<SubscriptionRecord>; dropped: string[] }> {
  const overrides = readOverrides(value);
  await requireTaxes(account, taxCodesOf(overrides));
  requireFixedCharges(overrides.fixed_charges ?? [], plan.fixed_charges);
  if (!needsOwnPlan(overrides)) {
    return { plan, changes: { fixed_charge_units: unitsAfterOverride(plan, subscription, overrides) }, dropped: [] };
  }
  const overriddenCopy = overriddenPlan(plan, withUnits(plan, subscription, overrides), {
    now: now.toISOString(),
    newId: randomUUID,
  });
  await requireValidCharges(account, plan, overriddenCopy);
  if (plan.parent_id === null) await account.insert('plans', overriddenCopy);
  else await account.update('plans', overriddenCopy.id, overriddenCopy);
  const dropped = droppedByOverride(plan, overriddenCopy, overrides);
  return { plan: overriddenCopy, changes: { plan_id: overriddenCopy.id, fixed_charge_units: {} }, dropped };
}

/** The subscription's quantities by fixed charge id, after the sent changes. */
function unitsAfterOverride(plan: PlanRecord, subscription: SubscriptionRecord, overrides: PlanOverrides) {
  const units = { ...subscription.fixed_charge_units };
  for (const entry of overrides.fixed_charges ?? []) {
    const charge = plan.fixed_charges.find(each => each.id === entry.id || each.parent_id === entry.id);
    if (charge !== undefined && entry.units !== undefined) units[charge.id] = entry.units;
  }
  return units;
}

/** Moves the subscription's quantities, also those of earlier updates, into the overridden plan. */
function withUnits(plan: PlanRecord, subscription: SubscriptionRecord, overrides: PlanOverrides): PlanOverrides {
  const units = unitsAfterOverride(plan, subscription, overrides);
  const entries = overrides.fixed_charges ?? [];
  const fixedCharges = plan.fixed_charges.flatMap(charge => {
    const entry = entries.find(each => each.id === charge.id || each.id === charge.parent_id);
    const quantity = units[charge.id];
    if (entry === undefined && quantity === undefined) return [];
    return [{ ...entry, id: charge.id, ...(quantity === undefined ? {} : { units: quantity }) }];
  });
  return fixedCharges.length === 0 ? overrides : { ...overrides, fixed_charges: fixedCharges };
}

/** Checks that charges that the override changed or added can still be billed (§9). Throws 422, 404. */
async function requireValidCharges(account: AccountStore, before: PlanRecord, after: PlanRecord): Promise<void> {
  const chargesBefore = new Map([...before.charges, ...before.fixed_charges].map(charge => [charge.id, charge]));
  const changed = <Charge extends { id: string; parent_id: string | null; properties: object; filters?: object }>(
    charge: Charge,
  ) => {
    const previous = chargesBefore.get(charge.id) ?? chargesBefore.get(charge.parent_id ?? '');
    return JSON.stringify(validityValues(previous)) !== JSON.stringify(validityValues(charge));
  };
  for (const charge of after.charges.filter(changed)) {
    const metric = await account.get('billable_metrics', charge.billable_metric_id);
    if (metric === undefined) throw notFound('billable_metric');
    refuseBroken(rulesBrokenByCharge(charge, metric));
  }
  for (const charge of after.fixed_charges.filter(changed)) {
    refuseBroken(rulesBrokenByFixedCharge(charge));
  }
}

/** The values of a charge that an override can change and that decide whether the charge is valid. */
function validityValues(charge: object | undefined): unknown {
  if (charge === undefined) return undefined;
  const { properties, filters, min_amount_cents } = charge as { [field: string]: unknown };
  const plain = (filters as { values: unknown; properties: unknown }[] | undefined)?.map(each => [
    each.values,
    each.properties,
  ]);
  return [properties, plain, min_amount_cents];
}

/** Refuses the field of the first broken rule. Throws 422. */
function refuseBroken([first]: readonly BrokenRule[]): void {
  if (first !== undefined) throw validation({ [first.path[0] ?? 'charges']: ['value_is_invalid'] });
}
