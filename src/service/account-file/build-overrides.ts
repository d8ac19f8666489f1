/** The plan of a subscription that states `plan_overrides`: a copy, as the service makes it (service-behaviour §3.2). */
import { overriddenPlan, type PlanOverrides } from '../engine/overrides.ts';
import { checkCharge, checkFixedCharge } from '../engine/plan-rules.ts';
import type { PlanRecord } from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, atPlace, type Path } from './account-builder.ts';
import { checkProperties } from './check-properties.ts';
import type { AccountEntries } from './schema.ts';

type Stated = NonNullable<AccountEntries['subscriptions'][number]['plan_overrides']>;

interface Place {
  /** Of the subscription; the ids of the copy follow from it. */
  key: string;
  created: string;
  path: Path;
}

/** Adds the copy to the plans, and returns it. */
export function ownPlan(
  builder: AccountBuilder,
  plan: PlanRecord,
  stated: Stated,
  { key, created, path }: Place,
): PlanRecord {
  needTaxes(builder, stated, path);
  let count = 0;
  const newId = () => idOf('plan_override', `${key} ${count++}`);
  const own = overriddenPlan(plan, overridesOf(builder, plan, stated, path), { now: created, newId });
  checkCharges(builder, own, stated, path);
  return builder.add('plans', `${plan.code} of the subscription ${key}`, own, path);
}

/** Charges are stated by code, and overridden by id. */
function overridesOf(builder: AccountBuilder, plan: PlanRecord, stated: Stated, path: Path): PlanOverrides {
  const { charges = [], fixed_charges: fixedCharges = [], usage_thresholds: thresholds, ...others } = stated;
  const idIn = (list: readonly { code: string; id: string }[], code: string, at: Path) => {
    const found = list.find(each => each.code === code);
    if (!found) throw new AccountFileError(at, `is no charge of the plan ${plan.code}`);
    return found.id;
  };
  return {
    ...others,
    charges: builder.parts(charges, ({ charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.charges, code, [...path, 'charges', i, 'charge_code']),
    })),
    fixed_charges: builder.parts(fixedCharges, ({ fixed_charge_code: code, ...fields }, i) => ({
      ...fields,
      id: idIn(plan.fixed_charges, code, [...path, 'fixed_charges', i, 'fixed_charge_code']),
    })),
    ...(thresholds && { usage_thresholds: thresholds.map(({ id: _, ...threshold }) => threshold) }),
  } as PlanOverrides;
}

function needTaxes(builder: AccountBuilder, stated: Stated, path: Path): void {
  const need = (codes: readonly string[] = [], at: Path) => builder.needAll('taxes', codes, [...at, 'tax_codes']);
  need(stated.tax_codes, path);
  need(stated.minimum_commitment?.tax_codes, [...path, 'minimum_commitment']);
  for (const [i, charge] of (stated.charges ?? []).entries()) need(charge.tax_codes, [...path, 'charges', i]);
  for (const [i, charge] of (stated.fixed_charges ?? []).entries())
    need(charge.tax_codes, [...path, 'fixed_charges', i]);
}

/** The stated charges must be as valid as those of a plan (§9). */
function checkCharges(builder: AccountBuilder, own: PlanRecord, stated: Stated, path: Path): void {
  builder.parts(stated.charges ?? [], ({ charge_code: code }, i) => {
    const charge = own.charges.find(each => each.code === code);
    if (!charge) return;
    const at = [...path, 'charges', i];
    checkProperties(builder, charge.charge_model, charge.properties, at);
    atPlace(at, () => checkCharge(charge, builder.byId('billable_metrics', charge.billable_metric_id)));
  });
  builder.parts(stated.fixed_charges ?? [], ({ fixed_charge_code: code }, i) => {
    const charge = own.fixed_charges.find(each => each.code === code);
    if (!charge) return;
    const at = [...path, 'fixed_charges', i];
    checkProperties(builder, charge.charge_model, charge.properties, at);
    atPlace(at, () => checkFixedCharge(charge));
  });
}
