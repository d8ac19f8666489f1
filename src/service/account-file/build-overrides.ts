/** The plan of a subscription that states `plan_overrides`: a copy, as the service makes it (service-behaviour §3.2). */
import { overriddenPlan, type PlanOverrides } from '../engine/overrides.ts';
import { rulesBrokenByCharge, rulesBrokenByFixedCharge } from '../engine/plan-rules.ts';
import type { PlanRecord } from '../records/index.ts';
import { idOf } from '../store/ids.ts';
import { type AccountBuilder, AccountFileError, type Path } from './account-builder.ts';
import { requireNone } from './broken-rules.ts';
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
  const [overrides] = builder.all(
    () => overridesOf(builder, plan, stated, path),
    () => needTaxes(builder, stated, path),
  );
  let count = 0;
  const newId = () => idOf('plan_override', `${key} ${count++}`);
  const own = overriddenPlan(plan, overrides, { now: created, newId });
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
  } as PlanOverrides;
}

function needTaxes(builder: AccountBuilder, stated: Stated, path: Path): void {
  const stating: [codes: readonly string[] | undefined, at: Path][] = [
    [stated.tax_codes, path],
    [stated.minimum_commitment?.tax_codes, [...path, 'minimum_commitment']],
    ...(stated.charges ?? []).map(
      ({ tax_codes }, i) => [tax_codes, [...path, 'charges', i]] as [typeof tax_codes, Path],
    ),
    ...(stated.fixed_charges ?? []).map(
      ({ tax_codes }, i) => [tax_codes, [...path, 'fixed_charges', i]] as [typeof tax_codes, Path],
    ),
  ];
  builder.parts(stating, ([codes = [], at]) => builder.needAll('taxes', codes, [...at, 'tax_codes']));
}

/** The stated charges must be as valid as those of a plan (§9). */
function checkCharges(builder: AccountBuilder, own: PlanRecord, stated: Stated, path: Path): void {
  const metricOf = (id: string) => builder.byId('billable_metrics', id);
  builder.all(
    () =>
      builder.parts(stated.charges ?? [], ({ charge_code: code }, i) => {
        const charge = own.charges.find(each => each.code === code);
        if (!charge) return;
        const broken = rulesBrokenByCharge(charge, metricOf(charge.billable_metric_id));
        requireNone(broken, [...path, 'charges', i], charge.charge_model);
      }),
    () =>
      builder.parts(stated.fixed_charges ?? [], ({ fixed_charge_code: code }, i) => {
        const charge = own.fixed_charges.find(each => each.code === code);
        if (!charge) return;
        requireNone(rulesBrokenByFixedCharge(charge), [...path, 'fixed_charges', i], charge.charge_model);
      }),
  );
}
