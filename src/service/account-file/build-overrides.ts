/** The plan of a subscription that states `plan_overrides`: a copy, as the service makes it (service-behaviour §3.2). */
import { taxCodesIn } from '../../contract/plan-overrides.ts';
import { overriddenPlan, type PlanOverrides } from '../../engine/plan-overrides.ts';
import { rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../../engine/plan-rules.ts';
import type { PlanRecord } from '../../engine/records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, type Path, requireNoBrokenRules } from './account-builder.ts';
import type { AccountEntries } from './schema.ts';

type OverridesEntry = NonNullable<AccountEntries['subscriptions'][number]['plan_overrides']>;

/** The subscription that the copy is made for. */
interface CopyOwner {
  /** The subscription's key, from which the ids of the copy follow. */
  key: string;
  created: string;
  path: Path;
}

/** Adds the copy to the plans, and returns it. */
export function addOverriddenPlan(
  builder: AccountBuilder,
  plan: PlanRecord,
  entry: OverridesEntry,
  { key, created, path }: CopyOwner,
): PlanRecord {
  const [overrides] = builder.all(
    () => overridesOf(builder, plan, entry, path),
    () => builder.parts(taxCodesIn(entry), ({ path: at, codes }) => builder.needAll('taxes', codes, [...path, ...at])),
  );
  let count = 0;
  const newId = () => idOf('plan_override', `${key} ${count++}`);
  const copy = overriddenPlan(plan, overrides, { now: created, newId });
  checkCharges(builder, copy, entry, path);
  return builder.add('plans', `${plan.code} of the subscription ${key}`, copy, path);
}

/** Charges are stated by code, and overridden by id. */
function overridesOf(builder: AccountBuilder, plan: PlanRecord, entry: OverridesEntry, path: Path): PlanOverrides {
  const { charges = [], fixed_charges: fixedCharges = [], usage_thresholds: thresholds, ...others } = entry;
  const idIn = (list: readonly { code: string; id: string }[], code: string, at: Path) => {
    const charge = list.find(each => each.code === code);
    if (!charge) throw new AccountFileError(at, `is no charge of the plan ${plan.code}`);
    return charge.id;
  };
  const [usage, fixed] = builder.all(
    () =>
      builder.parts(charges, ({ charge_code: code, ...fields }, i) => ({
        ...fields,
        id: idIn(plan.charges, code, [...path, 'charges', i, 'charge_code']),
      })),
    () =>
      builder.parts(fixedCharges, ({ fixed_charge_code: code, ...fields }, i) => ({
        ...fields,
        id: idIn(plan.fixed_charges, code, [...path, 'fixed_charges', i, 'fixed_charge_code']),
      })),
  );
  return {
    ...others,
    charges: usage,
    fixed_charges: fixed,
    ...(thresholds && { usage_thresholds: thresholds.map(({ id: _, ...threshold }) => threshold) }),
  };
}

/** The stated charges must be as valid as those of a plan (§9). */
function checkCharges(builder: AccountBuilder, copy: PlanRecord, entry: OverridesEntry, path: Path): void {
  const { charges = [], fixed_charges: fixedCharges = [] } = entry;
  builder.all(
    () =>
      builder.parts(charges, ({ charge_code: code }, i) => {
        const charge = copy.charges.find(each => each.code === code);
        if (!charge) return;
        const metric = builder.byId('billable_metrics', charge.billable_metric_id);
        requireNoBrokenRules(rulesBrokenByCharge(charge, metric), [...path, 'charges', i]);
      }),
    () =>
      builder.parts(fixedCharges, ({ fixed_charge_code: code }, i) => {
        const charge = copy.fixed_charges.find(each => each.code === code);
        if (!charge) return;
        requireNoBrokenRules(rulesBrokenByFixedCharge(charge), [...path, 'fixed_charges', i]);
      }),
  );
}
